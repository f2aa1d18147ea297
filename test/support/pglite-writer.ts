/**
 * A process that writes to the embedded engine as fast as it answers: argv holds the directory, and each number that
 * is printed was answered. On its own it never ends.
 */
import { writeSync } from 'node:fs'
import { openPglite } from '../../src/engine/embedded/pglite.ts'

const directory = process.argv[2]!
// Small enough that checkpoints and new log files happen while a test looks on.
const db = await openPglite({
  directory,
  checkpointWalBytes: 2 ** 20,
  upkeepIntervalMs: 50,
  freeSpaceMinBytes: 0,
  silenceMaxMs: 5000,
})
await db.script('create table if not exists numbers (number int4 primary key, padding text not null)')
const [last] = await db.query<{ number: number }>(
  'select coalesce(max(number), 0)::int4 as number from numbers',
)
writeSync(1, 'ready\n')
for (let number = last!.number + 1; ; number += 2) {
  await db.transaction(async (tx) => {
    for (const each of [number, number + 1]) {
      await tx.query('insert into numbers (number, padding) values ($1, $2)', [each, 'x'.repeat(2000)])
    }
  })
  writeSync(1, `${number}\n${number + 1}\n`)
}
