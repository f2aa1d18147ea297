import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createService } from '../../src/cli/compose.ts'
import { readConfig } from '../../src/cli/config.ts'
import { furnishDemoBank } from '../../src/cli/demo-bank.ts'
import { employDemoPeople } from '../../src/cli/demo-people.ts'
import type { ReadSource } from '../../src/cli/reads.ts'
import { statusRead, statusText } from '../../src/cli/status.ts'
import { verifyRead } from '../../src/cli/verify.ts'
import { isoDate } from '../../src/domain/dates.ts'
import { type Database, DatabaseError, StorageFullError } from '../../src/engine/database/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { keepSize } from '../../src/features/retention/store.ts'
import { release } from '../../src/observe/release.ts'
import { type Environment, run, serve, temporaryDirectory } from '../cli/program.ts'
import { forEachEngine } from '../support/engines.ts'

async function json(args: readonly string[], env: Environment) {
  const { code, stdout, stderr } = await run([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

forEachEngine(({ name, test }) => {
  test('status shows what is there, what waits and how the last verify ended', async (db) => {
    const at = new Date('2026-07-01T10:00:00.000Z')
    const clock = { now: at }
    const service = createService({
      db,
      clock: () => clock.now,
      limits: { workers: 1, batchMax: 1, queueMax: 10 },
    })
    const env = name === 'PGlite' ? { DATA_DIR: '/data' } : { DATABASE_URL: 'postgresql://host/database' }
    const source: ReadSource = {
      ...service,
      config: readConfig(env),
      url: '',
      progress: () => {},
      signal: new AbortController().signal,
    }
    const status = () => statusRead.answer(source, {})
    const { caller } = await createCaller(db, { name: 'Harbour Bank', timeZone: 'UTC', currency: 'NGN', at })
    const book = (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!
    await employDemoPeople(service, { callerId: caller.callerId, number: 1 })
    await furnishDemoBank(service, book, null)

    const first = await status()
    assert(first.schema_version >= 5)
    assert.deepEqual(first, {
      version: release().version,
      database: name === 'PGlite' ? 'embedded in /data' : 'PostgreSQL',
      schema_version: first.schema_version,
      callers: 1,
      books: 2,
      maturities_due: 1,
      webhook_deliveries_pending: 0,
      size: first.size,
      last_verify: { books: 0, oldest_at: null, differences: [] },
    })
    assert(first.size!.bytes > 1e6)
    assert(first.size!.largest_tables.every(({ bytes }) => bytes > 0))
    assert.equal(first.size!.growth_bytes_per_day, null)
    assert.match(statusText(first), /^ {2}growth +not known before tomorrow$/m)
    await keepSize(db, isoDate('2026-06-29'), BigInt(first.size!.bytes) - 3_000_000n)
    const grown = (await status()).size!
    assert(grown.growth_bytes_per_day! >= 1_500_000 && grown.growth_bytes_per_day! < 3_000_000)
    await db.query('delete from database_sizes')
    assert.match(statusText(first), /^ {2}last_verify +never$/m)

    const away = new DatabaseError('connection to the remote node failed', { sqlState: '08006' })
    const query = ((text: string, values?: unknown[]) =>
      text.includes('deposits') ? Promise.reject(away) : db.query(text, values)) as Database['query']
    const partly = await statusRead.answer({ ...source, db: { ...db, query } }, {})
    assert.deepEqual({ ...partly, size: first.size }, { ...first, maturities_due: null })
    assert.match(statusText(partly), /^ {2}maturities_due +unknown: a server .+ cannot be reached$/m)

    assert.equal((await verifyRead.answer(source, {})).difference, null)
    const second = await status()
    assert.deepEqual(second.last_verify, { books: 2, oldest_at: at.toISOString(), differences: [] })
    assert.match(statusText(second), /^ {2}last_verify +2 of 2 books since .+: no difference$/m)

    await db.query('update accounts set balance_minor = balance_minor + 1')
    clock.now = new Date('2026-07-02T10:00:00.000Z')
    const claim = 'the balance of an account is the sum of its lines'
    assert.equal((await verifyRead.answer(source, {})).difference?.claim, claim)
    const third = await status()
    assert.deepEqual(third.last_verify.differences, [
      { caller_id: caller.callerId, mode: 'test', claim, finished_at: clock.now.toISOString() },
    ])
    const text = statusText(third)
    assert.match(text, /^ {2}last_verify +2 of 2 books since .+: a difference in 1$/m)
    assert.match(text, new RegExp(`^  difference +test book of ${caller.callerId}, `, 'm'))
    assert(text.split('\n').every((line) => line.length <= 100))
  })

  test('a verify whose result cannot be stored is still answered, in pages, and one whose client disconnected ends', async (db) => {
    const at = new Date('2026-07-01T10:00:00.000Z')
    const service = createService({ db, clock: () => at, limits: { workers: 1, batchMax: 1, queueMax: 10 } })
    const { caller } = await createCaller(db, { name: 'Harbour Bank', timeZone: 'UTC', currency: 'NGN', at })
    await employDemoPeople(service, { callerId: caller.callerId, number: 1 })
    await furnishDemoBank(service, (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!, null)
    const abort = new AbortController()
    const full: ReadSource = {
      ...service,
      db: {
        ...db,
        query: (text, values) =>
          text.includes('set verified_at') ? Promise.reject(new StorageFullError()) : db.query(text, values),
      },
      config: readConfig({}),
      url: '',
      progress: () => {},
      signal: abort.signal,
    }
    const shown: string[] = []
    const progress = (text: string) => shown.push(text)
    const { checked, difference } = await verifyRead.answer({ ...full, pageKeys: 1, progress }, {})
    assert.equal(difference, null)
    const pages = new Set(shown.filter((text) => / test: [1-9]\d* deposits$/.test(text)))
    assert.equal(pages.size, checked.deposits)
    abort.abort()
    await assert.rejects(verifyRead.answer(full, {}), { name: 'AbortError' })
  })
})

test('while the service runs on the embedded database, commands that read use it and others are refused', async (t) => {
  // Longer than the address of a socket may be.
  const directory = join(await temporaryDirectory(t), 'd'.repeat(120))
  await mkdir(directory)
  const env = { DATA_DIR: directory }
  const service = await serve(t, env)
  const [caller] = await json(['callers', 'list'], env)
  assert.equal(caller.name, 'Demo Bank')
  const keys = await json(['keys', 'list', '--mode', 'test'], env)
  assert.deepEqual(
    keys.map((key: Record<string, string>) => [key.caller_id, key.name]),
    [
      [caller.caller_id, 'Demo key'],
      [caller.caller_id, 'First key'],
    ],
  )
  const verified = await json(['verify'], env)
  assert.equal(verified.difference, null)
  assert(verified.checked.ledger_entries > 10)
  assert.equal((await json(['status'], env)).last_verify.books, 2)
  // The service knows where it listens; the environment of the command does not.
  assert((await run(['demo'], env)).stdout.includes(`${service.url}/v2/fixed-deposits/`))
  assert.deepEqual(await run(['verify', '--caller', 'cal_none'], env), {
    code: 1,
    stdout: '',
    stderr: 'There is no caller cal_none; see breakwater callers list.\n',
  })

  for (const command of [['mature'], ['demo', '--reset'], ['callers', 'create', '--name', 'Other']]) {
    const { code, stdout, stderr } = await run(command, env)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, new RegExp(`is in use by process ${service.pid}\\.`))
  }
  assert.equal((await service.stop()).code, 0)
  assert.equal((await json(['callers', 'list'], env)).length, 1)
})
