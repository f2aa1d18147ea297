import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isUnavailable, StorageFullError } from '../../src/engine/database/database.ts'
import { startEngine } from '../../src/engine/embedded/engine.ts'
import { openEngine, openPglite, proveDurability } from '../../src/engine/embedded/pglite.ts'

const scratch = await mkdtemp(join(tmpdir(), 'breakwater-pglite-'))
after(() => rm(scratch, { recursive: true }))
let directoryCount = 0
const freshDirectory = () => join(scratch, String(++directoryCount))

test('nothing that was answered is lost when the process is killed under load, again and again', async () => {
  const directory = freshDirectory()
  for (let round = 0; round < 3; round += 1) {
    const writer = startWriter(directory)
    await writer.answers(200)
    const answered = await writer.kill()
    await assertKept(directory, answered)
  }
})

test('of processes that start at the same time on one directory exactly one gets it', async () => {
  const directory = freshDirectory()
  const writers = [1, 2, 3].map(() => startWriter(directory))
  await until(async () => writers.some((writer) => writer.answered.length >= 10))
  const winners = writers.filter((writer) => writer.answered.length > 0)
  const losers = writers.filter((writer) => writer.answered.length === 0)
  assert.equal(winners.length, 1)
  for (const loser of losers) {
    const { complaint } = await loser.ended()
    assert.match(complaint, new RegExp(`is in use by process ${winners[0]!.pid}\\.`))
  }
  await assertKept(directory, await winners[0]!.kill())
})

for (const { fault, sentence } of [
  {
    fault: 'fsync fails',
    sentence: /^The database engine cannot go on: a write could not be made durable \(.*EIO/m,
  },
  {
    fault: 'log is full',
    sentence: /^The database engine cannot go on: could not write .*No space left on device/m,
  },
  {
    fault: 'disk hangs',
    sentence: /^The database engine has not answered or touched a file for \d+ seconds\.$/m,
  },
]) {
  test(`when the ${fault} the process ends with a sentence, and the next start has all that was answered`, async () => {
    const directory = freshDirectory()
    const faultSwitch = `${directory}.broken`
    await (await openPglite({ directory })).close()
    const writer = startWriter(directory, { FAULT: fault, FAULT_SWITCH: faultSwitch })
    await writer.answers(20)
    await writeFile(faultSwitch, '')
    const { code, complaint } = await writer.ended()
    assert.equal(code, 1)
    assert.match(complaint, sentence)
    await assertKept(directory, writer.answered)
  })
}

test('an engine whose thread gets no processor time for longer than that goes on afterwards', async () => {
  const directory = freshDirectory()
  const faultSwitch = `${directory}.broken`
  await (await openPglite({ directory })).close()
  const writer = startWriter(directory, { FAULT: 'thread waits', FAULT_SWITCH: faultSwitch })
  await writer.answers(20)
  await writeFile(faultSwitch, '')
  await sleep(8000)
  const before = writer.answered.length
  await rm(faultSwitch)
  await writer.answers(before + 20)
  await assertKept(directory, await writer.kill())
})

test('an engine whose commits are not synced is refused', async () => {
  // In memory there is nothing to sync, which is exactly what a broken file system looks like.
  const engine = await startEngine({
    cluster: null,
    template: null,
    silenceMaxMs: 10_000,
    onDeath: (sentence) => assert.fail(sentence),
  })
  const db = openEngine(engine, {})
  await assert.rejects(proveDurability(db, engine), {
    message: /^The embedded engine committed without an fsync/,
  })
  await db.close()
})

test('an engine that cannot start says why, and leaves the directory free', async () => {
  const directory = freshDirectory()
  await (await openPglite({ directory })).close()
  await writeFile(join(directory, 'cluster', 'global', 'pg_control'), 'not a control file')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await assert.rejects(openPglite({ directory }), { message: /pg_control/ })
  }
})

test('a cluster that was only half unpacked is thrown away and made again', async () => {
  const directory = freshDirectory()
  await mkdir(join(directory, 'cluster.draft', 'global'), { recursive: true })
  await writeFile(join(directory, 'cluster.draft', 'global', 'half'), '')
  const db = await openPglite({ directory })
  assert.deepEqual(await db.query('select 1::int4 as one'), [{ one: 1 }])
  await db.close()
  assert.deepEqual(await readdir(directory), ['cluster'])
})

test('while too little space is free changes are refused and reads still work', async () => {
  const directory = freshDirectory()
  const roomy = await openPglite({ directory, freeSpaceMinBytes: 0 })
  await roomy.script('create table things (id int4 primary key); insert into things values (1);')
  await roomy.close()

  const short = await openPglite({ directory, freeSpaceMinBytes: Number.MAX_SAFE_INTEGER })
  const attempts = [
    short.query('insert into things (id) values (2)'),
    short.transaction((tx) => tx.query('select id from things for update')),
    short.script('create table more (id int4)'),
  ]
  for (const result of await Promise.allSettled(attempts)) {
    assert.ok(result.status === 'rejected' && result.reason instanceof StorageFullError)
    assert.deepEqual([result.reason.sqlState, isUnavailable(result.reason)], ['53100', true])
  }
  assert.deepEqual(await short.query('select id from things'), [{ id: 1 }])
  assert.deepEqual(await short.transaction((tx) => tx.query('select id from things')), [{ id: 1 }])
  await short.close()

  const again = await openPglite({ directory, freeSpaceMinBytes: 0 })
  assert.deepEqual(await again.query('insert into things (id) values (2) returning id'), [{ id: 2 }])
  await again.close()
})

test('the log does not grow beyond what a checkpoint allows, and dead rows are cleared away', async () => {
  const directory = freshDirectory()
  const limits = {
    checkpointWalBytes: 2 ** 20,
    upkeepIntervalMs: 20,
    vacuumIntervalMs: 20,
    freeSpaceMinBytes: 0,
  }
  const db = await openPglite({ directory, ...limits })
  await db.script('create table things (id int4 primary key, name text)')
  for (let round = 0; round < 6; round += 1) {
    await db.query(
      `insert into things select n, repeat('x', 100) from generate_series($1::int4, $1::int4 + 4999) n`,
      [round * 5000],
    )
    await db.query('update things set name = $1', ['y'.repeat(100)])
  }
  await until(async () => {
    const [row] = await db.query<{ wal: bigint; dead: bigint }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as wal,
              (select n_dead_tup from pg_stat_user_tables where relname = 'things') as dead
       from pg_control_checkpoint()`,
    )
    return row!.wal < 2 ** 20 && row!.dead === 0n
  })
  assert.deepEqual(await db.query('select count(*)::int4 as count from things'), [{ count: 30_000 }])
  await db.close()
})

type Writer = {
  pid: number
  /** The numbers whose commit the engine has answered. */
  answered: number[]
  answers(count: number): Promise<void>
  kill(): Promise<number[]>
  ended(): Promise<{ code: number | null; complaint: string }>
}

function startWriter(directory: string, fault?: Record<string, string>): Writer {
  const program = fileURLToPath(new URL('../support/pglite-writer.ts', import.meta.url))
  const preload = new URL('../support/faulty-disk.ts', import.meta.url).href
  const flags = fault === undefined ? [] : ['--import', preload]
  const child: ChildProcess = spawn(process.execPath, [...flags, program, directory], {
    env: { ...process.env, ...fault },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const answered: number[] = []
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (line !== 'ready') answered.push(Number(line))
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  return {
    pid: child.pid!,
    answered,
    async answers(count) {
      await until(async () => {
        assert.equal(child.exitCode, null, complaint)
        return answered.length >= count
      })
    },
    async kill() {
      child.kill('SIGKILL')
      await closed
      return answered
    },
    async ended() {
      const [code] = await closed
      return { code, complaint }
    },
  }
}

/** Everything answered is there, and of the last transaction both rows or none. */
async function assertKept(directory: string, answered: readonly number[]): Promise<void> {
  assert.ok(answered.length > 0)
  const db = await openPglite({ directory, freeSpaceMinBytes: 0 })
  const rows = await db.query<{ number: number }>('select number from numbers order by number')
  await db.close()
  const kept = rows.map((row) => row.number)
  assert.deepEqual(
    kept,
    kept.map((_, index) => index + 1),
  )
  assert.ok(kept.length >= answered.at(-1)!, `${kept.length} kept of ${answered.at(-1)} answered`)
  assert.equal(kept.length % 2, 0)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await condition())) {
    assert.ok(Date.now() < giveUpAt, 'It did not happen in time.')
    await sleep(20)
  }
}
