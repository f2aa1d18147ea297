import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Environment, forEachEnvironment, runAlone, serve, temporaryDirectory } from '../cli/program.ts'

/** A start that fails says so in one sentence, and says nothing else. */
async function assertRefused(env: Environment, sentence: string | RegExp): Promise<void> {
  const { code, stdout, stderr } = await runAlone(['serve'], { LOG_LEVEL: 'warn', ...env })
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr)
  assert.match(stderr, /^[^\n]+\.\n$/)
  if (typeof sentence === 'string') assert.equal(stderr, `${sentence}\n`)
  else assert.match(stderr, sentence)
}

const refused: [string, Environment, string][] = [
  ['a bad port', { PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
  ['a bad level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent.'],
  [
    'a URL of another kind, whose password stays untold',
    { DATABASE_URL: 'mysql://bank:hunter2@127.0.0.1/books' },
    'DATABASE_URL must be a URL like postgresql://user:password@host:5432/database.',
  ],
  [
    'a server that is not there, whose password stays untold',
    { DATABASE_URL: 'postgresql://bank:hunter2@127.0.0.1:1/books', DATABASE_WAIT_S: '0' },
    'The database of DATABASE_URL cannot be opened: connect ECONNREFUSED 127.0.0.1:1.',
  ],
]

test('an invalid setting ends the start with one sentence', async (t) => {
  await Promise.all(
    refused.map(([name, env, sentence]) =>
      t.test(name, { concurrency: true }, () => assertRefused(env, sentence)),
    ),
  )
})

const elsewhere = 'set DATA_DIR to a directory that this user may write to.'

test('an unusable data directory ends the start with one sentence', async (t) => {
  const directory = await temporaryDirectory(t)
  const file = join(directory, 'file')
  await writeFile(file, '')
  const refusals: [path: string, reason: string][] = [
    [file, 'is a file'],
    [join(file, 'data'), 'cannot be made (ENOTDIR)'],
  ]
  // Kernel file systems accept no files from any user.
  if (process.platform === 'linux') {
    refusals.push(
      ['/proc/x', 'cannot be made (ENOENT)'],
      ['/proc/x/y', 'cannot be made (ENOENT)'],
      ['/proc/self', 'cannot be written to (ENOENT)'],
    )
  }
  // Root may write everywhere else.
  if (process.getuid?.() !== 0) {
    const readOnly = join(directory, 'read-only')
    await mkdir(readOnly, { mode: 0o500 })
    refusals.push([readOnly, 'cannot be written to (EACCES)'])
  }
  for (const [path, reason] of refusals) {
    await assertRefused({ DATA_DIR: path, PORT: '0' }, `The data directory ${path} ${reason}; ${elsewhere}`)
  }
})

test('a port in use ends the start before a database is made, a directory in use before the port', async (t) => {
  const directory = join(await temporaryDirectory(t), 'data')
  const first = await serve(t, { DATA_DIR: directory })
  const { port } = new URL(first.url)
  const second = `${directory}-2`
  await assertRefused(
    { DATA_DIR: second, PORT: port },
    `Port ${port} on 127.0.0.1 is in use; stop the other program or set PORT.`,
  )
  assert.equal(existsSync(second), false)
  const { code, stderr } = await runAlone(['serve'], { DATA_DIR: directory, PORT: port })
  assert.equal(code, 2)
  assert.match(stderr, new RegExp(`^The data directory ${directory} is in use by process ${first.pid}\\.`))
})

forEachEnvironment(({ name, test }) => {
  // These look the same from every engine, or concern a server alone.
  if (name === 'PGlite') return

  test('an address that cannot be listened on ends the start with one sentence', async (t, env) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const { port } = other.address() as AddressInfo
    await assertRefused(
      { ...env, PORT: String(port) },
      `Port ${port} on 127.0.0.1 is in use; stop the other program or set PORT.`,
    )
    await assertRefused(
      { ...env, HOST: '203.0.113.7' },
      'HOST 203.0.113.7 is not an address of this machine; set HOST to one, such as 127.0.0.1.',
    )
  })

  test('a database that does not exist ends the start with one sentence', async (_, env) => {
    const url = new URL(env.DATABASE_URL!)
    url.pathname = '/nowhere'
    await assertRefused(
      { ...env, DATABASE_URL: url.href },
      'The database of DATABASE_URL cannot be opened: database "nowhere" does not exist.',
    )
  })

  test('a server that may lose committed changes is refused', async (_, env) => {
    const { DATABASE_URL } = env
    await assertRefused(
      { DATABASE_URL: DATABASE_URL! },
      'The database of DATABASE_URL cannot be opened: ' +
        'The server runs with fsync = off and would lose answered changes; turn it on.',
    )
  })
})
