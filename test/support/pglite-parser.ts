/**
 * A process that lets the embedded engine parse many statements, and prints the most memory it had, in megabytes: argv
 * holds the directory.
 */
import { readFileSync } from 'node:fs'
import { openPglite } from '../../src/engine/embedded/pglite.ts'

const db = await openPglite({ directory: process.argv[2]!, freeSpaceMinBytes: 0 })
for (let number = 0; number < 300; number += 1) {
  await db.script(`select ${Array.from({ length: 20 }, (_, index) => `${number} + ${index}`).join(', ')}`)
}
await db.close()
const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]
console.log(Math.round(Number(peak) / 1024))
