import assert from 'node:assert/strict'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { databaseUrlsOf, readConfig } from '../../src/cli/config.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { engines } from '../support/engines.ts'
import { run, temporaryDirectory } from './program.ts'

const SECRET = 'postgres://user:canary-password@host/database'

test('a secret is read from its file, without the last line end alone', async (t) => {
  const path = join(await temporaryDirectory(t), 'url')
  for (const [content, value] of [
    [SECRET, SECRET],
    [`${SECRET}\n`, SECRET],
    [`${SECRET}\r\n`, SECRET],
    [`${SECRET}?a=b \n\n`, `${SECRET}?a=b \n`],
  ] as const) {
    await writeFile(path, content)
    assert.equal(readConfig({ DATABASE_URL_FILE: path }).databaseUrl, value)
  }
})

test('a secret that is given twice, or whose file cannot be used, ends every command with 2', async (t) => {
  const folder = await temporaryDirectory(t)
  const path = join(folder, 'url')
  await writeFile(path, SECRET)
  await writeFile(join(folder, 'empty'), '\n')
  await mkdir(join(folder, 'directory'))
  const refused: [Record<string, string>, string][] = [
    [{ DATABASE_URL: SECRET, DATABASE_URL_FILE: path }, 'Set DATABASE_URL or DATABASE_URL_FILE, not both.'],
    ...['absent', 'directory'].map((name): [Record<string, string>, string] => [
      { DATABASE_URL_FILE: join(folder, name) },
      `DATABASE_URL_FILE names ${join(folder, name)}, which cannot be read.`,
    ]),
    [
      { DATABASE_URL_FILE: join(folder, 'empty') },
      `DATABASE_URL_FILE names ${join(folder, 'empty')}, which is empty.`,
    ],
    [
      { DATABASE_URL: SECRET, DATABASE_URL_READONLY_FILE: join(folder, 'absent') },
      `DATABASE_URL_READONLY_FILE names ${join(folder, 'absent')}, which cannot be read.`,
    ],
  ]
  for (const [env, sentence] of refused) {
    const ended = await run(['status'], env)
    assert.deepEqual({ ...ended }, { code: 2, stdout: '', stderr: `${sentence}\n` })
  }
  await writeFile(path, 'mysql://canary')
  const invalid = await run(['status'], { DATABASE_URL_FILE: path })
  assert.deepEqual(
    [invalid.code, invalid.stderr],
    [1, 'DATABASE_URL must be a URL like postgresql://user:password@host:5432/database.\n'],
  )
})

test('a file that is missing or not valid for a moment leaves the last value in force', async (t) => {
  const path = join(await temporaryDirectory(t), 'url')
  await writeFile(path, SECRET)
  const { primary } = databaseUrlsOf(readConfig({ DATABASE_URL_FILE: path }))
  assert.equal(primary!(), SECRET)
  await writeFile(path, '')
  assert.equal(primary!(), SECRET)
  await rm(path)
  assert.equal(primary!(), SECRET)
  await writeFile(path, 'postgres://other@host/database\n')
  assert.equal(primary!(), 'postgres://other@host/database')
})

const postgres = engines.find(({ name }) => name === 'PostgreSQL')!

test('a new connection uses the secret as it is now', { skip: postgres.skip }, async (t) => {
  const owner = await postgres.open()
  t.after(() => owner.close())
  const path = join(await temporaryDirectory(t), 'url')
  const role = `rotated_${process.pid}`
  await owner.script(`create role ${role} login`)
  await writeFile(path, owner.url!)
  await chmod(path, 0o600)
  const { primary } = databaseUrlsOf(readConfig({ DATABASE_URL_FILE: path }))
  const db = await openPostgres({ url: primary!, connectionsMax: 1, durabilityChecked: false })
  const user = async () => {
    const [row] = await db.query<{ name: string; pid: number }>(
      'select current_user::text as name, pg_backend_pid()::int4 as pid',
    )
    return row!
  }
  try {
    const before = await user()
    const rotated = new URL(owner.url!)
    rotated.username = role
    await writeFile(path, `${rotated.href}\n`)
    assert.deepEqual(await user(), before, 'an open connection stays')
    const client = new pg.Client({ connectionString: owner.url! })
    await client.connect()
    await client.query('select pg_terminate_backend($1)', [before.pid])
    await client.end()
    let after = await user().catch(() => user())
    while (after.pid === before.pid) after = await user()
    assert.equal(after.name, role)
  } finally {
    await db.close()
    await owner.script(`drop role ${role}`)
  }
})
