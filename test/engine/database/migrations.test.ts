import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Database } from '../../../src/engine/database/database.ts'
import { migrate, SchemaError } from '../../../src/engine/database/migrations.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { forEachEngine, skipOnSeveralServers, type TestDatabase } from '../../support/engines.ts'

const FIRST = { '0001_first.sql': 'create table first (id int4);\ninsert into first values (1);\n' }
const SECOND = { '0002_second.sql': 'alter table first add column name text;\n' }

forEachEngine(({ name, test }) => {
  test('migrations are applied in order, once', async (db) => {
    await emptied(db)
    const folder = await folderOf({ ...SECOND, ...FIRST, 'README.md': 'not a migration' })
    assert.deepEqual(await migrate(db, folder), { applied: ['0001_first.sql', '0002_second.sql'] })
    assert.deepEqual(await migrate(db, pathToFileURL(folder)), { applied: [] })
    assert.deepEqual(await db.query('select id, name from first'), [{ id: 1, name: null }])
    assert.deepEqual(await versions(db), [1, 2])
  })

  test('a later migration is applied on top of the earlier ones', async (db) => {
    await emptied(db)
    await migrate(db, await folderOf(FIRST))
    assert.deepEqual(await migrate(db, await folderOf({ ...FIRST, ...SECOND })), {
      applied: ['0002_second.sql'],
    })
  })

  test('a migration that fails leaves neither its changes nor its row', async (db) => {
    await emptied(db)
    const folder = await folderOf({ ...FIRST, '0002_bad.sql': 'create table half (id int4); select 1 / 0;' })
    await assert.rejects(migrate(db, folder), { sqlState: '22012' })
    assert.deepEqual(await versions(db), [1])
    assert.deepEqual(await db.query(`select to_regclass('half')::text as half`), [{ half: null }])
  })

  test('a duplicate key inside a migration is its failure, not a concurrent migration', async (db) => {
    await emptied(db)
    const folder = await folderOf({
      '0001_bad.sql': 'create table once (id int4 primary key); insert into once values (1), (1);',
    })
    await assert.rejects(migrate(db, folder), { sqlState: '23505' })
    assert.deepEqual(await versions(db), [])
  })

  test('a migration changed after it was applied is refused', async (db) => {
    await emptied(db)
    await migrate(db, await folderOf(FIRST))
    const changed = await folderOf({ '0001_first.sql': 'create table first (id int8);', ...SECOND })
    await assert.rejects(
      migrate(db, changed),
      new SchemaError(
        'Migration 0001_first.sql was changed after it had been applied: restore it and add a new one.',
      ),
    )
    assert.deepEqual(await versions(db), [1])
  })

  test('other line endings are the same migration', async (db) => {
    await emptied(db)
    await migrate(db, await folderOf(FIRST))
    const text = FIRST['0001_first.sql'].replaceAll('\n', '\r\n')
    assert.deepEqual(await migrate(db, await folderOf({ '0001_first.sql': text })), { applied: [] })
  })

  test('a database newer than the program is refused', async (db) => {
    await emptied(db)
    await migrate(db, await folderOf({ ...FIRST, ...SECOND }))
    await assert.rejects(
      migrate(db, await folderOf(FIRST)),
      new SchemaError('The database has schema version 2, this program knows 1: run a newer program.'),
    )
  })

  test('a migration older than one already applied is refused', async (db) => {
    await emptied(db)
    const third = { '0003_third.sql': 'select 1;' }
    await migrate(db, await folderOf({ ...FIRST, ...third }))
    await assert.rejects(
      migrate(db, await folderOf({ ...FIRST, ...SECOND, ...third })),
      new SchemaError('Migration 0002_second.sql is older than the applied version 3.'),
    )
  })

  test('a folder with ambiguous numbers is refused', async (db) => {
    await assert.rejects(
      migrate(db, await folderOf({ '1_first.sql': '' })),
      new SchemaError('The migration file 1_first.sql is not named like 0001_name.sql.'),
    )
    await assert.rejects(
      migrate(db, await folderOf({ '0001_a.sql': '', '0001_b.sql': '' })),
      new SchemaError('Two migration files have the number 1.'),
    )
  })

  test('concurrent starts apply each migration once', async (db) => {
    await emptied(db)
    const slow = db.url === null ? {} : { '0003_slow.sql': 'select pg_sleep(0.3);' }
    const folder = await folderOf({ ...FIRST, ...SECOND, ...slow })
    const results = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const own =
          db.url === null
            ? db
            : await openPostgres({ url: db.url, connectionsMax: 1, durabilityChecked: false })
        const { applied } = await migrate(own, folder)
        if (own !== db) await own.close()
        return applied
      }),
    )
    const names = Object.keys({ ...FIRST, ...SECOND, ...slow })
    assert.deepEqual(results.flat().sort(), names)
    assert.deepEqual(
      await versions(db),
      names.map((_, index) => index + 1),
    )
  })

  // The embedded engine has one connection.
  if (name === 'PGlite') return

  test('a migration that waits for a table does not hold up those who use it', async (db) => {
    await emptied(db)
    await migrate(db, await folderOf(FIRST))
    const own = await openPostgres({
      url: db.url!,
      connectionsMax: 1,
      idleInTransactionTimeoutMs: 60_000,
      durabilityChecked: false,
    })
    const reading = Promise.withResolvers<void>()
    const longRead = own.transaction(async (tx) => {
      await tx.query('select id from first')
      await reading.promise
    })
    const migrated = migrate(db, await folderOf({ ...FIRST, ...SECOND }))
    // Longer than a migration waits for a lock. A read behind one that does not give up ends with an error.
    for (let reads = 0; reads < 40; reads += 1) {
      assert.deepEqual(await db.query('select id from first'), [{ id: 1 }])
      await sleep(50)
    }
    reading.resolve()
    await longRead
    assert.deepEqual(await migrated, { applied: ['0002_second.sql'] })
    await own.close()
  })
}, skipOnSeveralServers)

/** The test database comes migrated; these tests begin before that. */
async function emptied(db: TestDatabase): Promise<void> {
  await db.script('drop schema public cascade; create schema public;')
}

async function versions(db: Database): Promise<number[]> {
  const rows = await db.query<{ version: number }>('select version from schema_migrations order by version')
  return rows.map((row) => row.version)
}

const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-migrations-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}
