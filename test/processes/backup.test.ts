import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backUp } from '../../src/cli/backup.ts'
import { readLastBackup, startBackupJob } from '../../src/cli/backup-job.ts'
import { readConfig } from '../../src/cli/config.ts'
import { migrate } from '../../src/engine/database/migrations.ts'
import { lockDirectory } from '../../src/engine/embedded/directory-lock.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'
import {
  closeBeforeRemoval,
  type Ended,
  launch,
  run,
  runAlone,
  serve,
  temporaryDirectory,
} from '../cli/program.ts'
import { migrationsFolder, placeMigratedCluster } from '../support/engines.ts'

/** The demo bank, and a backup of it. */
async function backedUp(context: TestContext): Promise<{ directory: string; file: string }> {
  const directory = await temporaryDirectory(context)
  const file = join(await temporaryDirectory(context), 'bank.tar.gz')
  const env = { DATA_DIR: directory }
  assert.equal((await run(['demo'], env)).code, 0)
  const written = await run(['backup', file, '--json'], env)
  assert.equal(written.code, 0, written.stderr)
  assert.equal(JSON.parse(written.stdout).bytes, (await stat(file)).size)
  return { directory, file }
}

async function digestOf(context: TestContext, directory: string): Promise<string> {
  const to = join(await temporaryDirectory(context), 'to')
  const { stdout } = await run(['move', '--to', to, '--check', '--json'], { DATA_DIR: directory })
  return JSON.parse(stdout).digest
}

const restore = (file: string, to: string) => run(['restore', file, '--to', to, '--json'])

test('a restored backup has the same rows, and says where each book ends', async (context) => {
  const { directory, file } = await backedUp(context)
  const to = join(await temporaryDirectory(context), 'restored')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { code, stdout, stderr } = await restore(file, to)
  assert.equal(code, 0, stderr)
  const restored = JSON.parse(stdout)
  assert.equal(restored.books.length, 2)
  assert.match(restored.books[1].last_event_id, /^evt_/)
  assert.equal(await digestOf(context, to), await digestOf(context, directory))
  assert.deepEqual(await readdir(to), ['cluster'])
})

test('a damaged, cut or foreign file restores nothing', async (context) => {
  const { file } = await backedUp(context)
  const folder = await temporaryDirectory(context)
  const damaged = await readFile(file)
  damaged[damaged.length >> 1]! ^= 0xff
  await writeFile(join(folder, 'damaged'), damaged)
  await copyFile(file, join(folder, 'cut'))
  await truncate(join(folder, 'cut'), damaged.length - 5000)
  await writeFile(join(folder, 'foreign'), 'not a backup')
  for (const name of ['damaged', 'cut', 'foreign']) {
    const to = join(folder, `to-${name}`)
    const { code, stderr } = await restore(join(folder, name), to)
    assert.deepEqual([name, code], [name, 1], stderr)
    assert.match(stderr, /backup/)
    assert.deepEqual(await readdir(to), [])
  }
})

test('a file or a directory that is not there is named', async (context) => {
  const { directory } = await backedUp(context)
  const missing = join(directory, 'missing')
  const to = join(directory, 'to')
  assertRefused(await restore(missing, to), `There is no file ${missing}.`)
  assertRefused(await restore(directory, to), `There is no file ${directory}.`)
  await assert.rejects(readdir(to))
  assert.deepEqual(await run(['backup', join(missing, 'bank')], { DATA_DIR: directory }), {
    ...{ code: 1, stdout: '', stderr: `There is no directory ${missing}.\n` },
  })
})

test('books that come into a directory whose own were moved away can be served', async (context) => {
  const { directory, file } = await backedUp(context)
  const to = await temporaryDirectory(context)
  const marked = () =>
    writeFile(join(to, 'moved.json'), '{"to": "elsewhere", "at": "2026-01-01T00:00:00.000Z"}')
  await marked()
  assert.equal((await restore(file, to)).code, 0)
  assert.deepEqual(await readdir(to), ['cluster'])
  await rm(join(to, 'cluster'), { recursive: true })
  await marked()
  assert.equal((await run(['move', '--to', to], { DATA_DIR: directory })).code, 0)
  assert.deepEqual(await readdir(to), ['cluster'])
})

test('what a killed restore into a server left is removed by the next, but nothing in use', async (context) => {
  const { file } = await backedUp(context)
  const TMPDIR = await temporaryDirectory(context)
  const [left, used] = ['left', 'used'].map((name) => join(TMPDIR, `breakwater-restore-${name}`)) as [
    string,
    string,
  ]
  await Promise.all([left, used].map((folder) => mkdir(join(folder, 'data'), { recursive: true })))
  const lock = await lockDirectory(used)
  const unreachable = 'postgresql://localhost:1/books'
  const { code, stderr } = await runAlone(['restore', file, '--to', unreachable], { TMPDIR })
  await lock.release()
  assert.equal(code, 1, stderr)
  assert.deepEqual(await readdir(TMPDIR), ['breakwater-restore-used'])
})

test('a place with a database is refused, and so is a backup of PostgreSQL', async (context) => {
  const { directory, file } = await backedUp(context)
  assertRefused(await restore(file, directory), `There is a database in ${directory} already.`)
  assertRefused(
    await run(['backup', file], { DATABASE_URL: 'postgresql://host/database' }),
    'This is for the embedded engine. For PostgreSQL run: pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  )
  const empty = await temporaryDirectory(context)
  assertRefused(
    await run(['backup', file], { DATA_DIR: empty }),
    `There is no embedded database in ${empty}.`,
  )
})

function assertRefused(ended: Ended, sentence: string): void {
  assert.deepEqual(ended, { code: 2, stdout: '', stderr: `${sentence}\n` })
}

test('the service writes a backup when the newest is too old, and keeps as many as it should', async (context) => {
  const directory = await temporaryDirectory(context)
  const backups = join(await temporaryDirectory(context), 'backups')
  const db = await openPglite({ directory })
  closeBeforeRemoval(context, db)
  await migrate(db, migrationsFolder)
  const config = readConfig({
    DATA_DIR: directory,
    BACKUP_DIR: backups,
    BACKUP_EVERY_HOURS: '24',
    BACKUP_KEEP: '2',
  })
  const logged: string[] = []
  let now = new Date()
  const lookOnce = async () => {
    const log = (_: string, event: string) => void logged.push(event)
    await startBackupJob({ db, clock: () => now, config, log }).stop()
    return (await readdir(backups)).sort()
  }

  const readLast = () => readLastBackup(config, now)
  const none = await readLastBackup(config, new Date(now.getTime() + 3_600_000))
  assert(!none.exists && none.ageSeconds >= 3600 && none.ageSeconds < 3660, `${none.ageSeconds}`)
  const first = await lookOnce()
  assert.equal(first.length, 1)
  const last = await readLast()
  assert(last.exists && last.ageSeconds < 60)
  assert.deepEqual(await lookOnce(), first)
  for (let days = 0; days < 2; days += 1) {
    const [newest] = (await readdir(backups)).sort().reverse()
    const past = new Date(Date.now() - 24 * 3_600_000)
    await utimes(join(backups, newest!), past, past)
    now = new Date(now.getTime() + 24 * 3_600_000)
    await lookOnce()
  }
  const kept = await readdir(backups)
  assert.equal(kept.length, 2)
  assert(!kept.includes(first[0]!))
  assert.deepEqual(logged, ['backed_up', 'backed_up', 'backed_up'])
})

test('what a killed process left of a backup is removed by the next, but nothing in use', async (context) => {
  const { directory, file } = await backedUp(context)
  const backups = dirname(file)
  const list = async () => (await readdir(backups)).sort()
  const untilBegun = async (before: readonly string[]) => {
    while ((await list()).every((name) => before.includes(name))) await sleep(1)
  }
  const { child } = launch(['backup', join(backups, 'killed')], { DATA_DIR: directory })
  const ended = once(child, 'close')
  await untilBegun(['bank.tar.gz'])
  child.kill('SIGKILL')
  await ended
  const [left] = await list()
  assert.match(left!, /^\.breakwater-copy-/)
  assert.equal((await stat(join(backups, left!))).mode & 0o777, 0o700)
  const [young, old] = ['.breakwater-copy-young', '.breakwater-copy-old']
  for (const name of [young, old]) await mkdir(join(backups, name))
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(backups, old), yesterday, yesterday)

  const db = await openPglite({ directory })
  closeBeforeRemoval(context, db)
  const write = (name: string) =>
    backUp({ db, clock: () => new Date(), directory, file: join(backups, name) })
  const first = write('first')
  await untilBegun([left!, young, old, 'bank.tar.gz'])
  await Promise.all([first, write('second')])
  assert.deepEqual(await list(), [young, 'bank.tar.gz', 'first', 'second'])
  for (const name of ['first', 'second']) {
    const { code, stderr } = await restore(join(backups, name), join(backups, `to-${name}`))
    assert.equal(code, 0, stderr)
  }
})

test('a service none of whose backups succeeds says how long it has been without one', async (context) => {
  const directory = await temporaryDirectory(context)
  await placeMigratedCluster(directory)
  const file = join(await temporaryDirectory(context), 'file')
  await writeFile(file, '')
  const settings = { BACKUP_EVERY_HOURS: '24', BACKUP_DIR: join(file, 'backups'), LOG_LEVEL: 'info' }
  const ageOnceItFailed = async () => {
    const service = await serve(context, { DATA_DIR: directory, ...settings })
    while (!service.stdout().includes('"event":"backup_failed"')) await sleep(20)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    const at = performance.now() / 1000
    await service.stop()
    const age = Number(/^breakwater_backup_age_seconds (\S+)$/m.exec(metrics)?.[1])
    assert(age > 0 && age < 120, metrics)
    return { age, at }
  }
  const [first, second] = [await ageOnceItFailed(), await ageOnceItFailed()]
  // Another start does not begin it again.
  assert(second.age - first.age > (second.at - first.at) / 2, `${first.age}, then ${second.age}`)
})
