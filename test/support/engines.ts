/**
 * An empty, migrated database for a test, on each engine, in well under a second.
 *
 * Both engines copy a template that is migrated once: PGlite a tar in the temporary folder, named by what is in it,
 * PostgreSQL a template database per run and schema. To start an engine costs far more than to empty its tables, so what
 * one test closes the next one of the same file gets, unless its schema was changed.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database } from '../../src/engine/database/database.ts'
import { migrate } from '../../src/engine/database/migrations.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'

/** `url` is null on PGlite; on PostgreSQL further processes can be started on it. */
export type TestDatabase = Database & { url: string | null }
export type Engine = { name: 'PGlite' | 'PostgreSQL'; skip: string | false; open(): Promise<TestDatabase> }

const serverUrl = process.env.DATABASE_URL_TEST
const absence = process.env.DATABASE_URL_TEST_ABSENT ?? 'DATABASE_URL_TEST is not set'

type IdleDatabase = { db: TestDatabase; schema: string }
const idleLists: IdleDatabase[][] = []
let ended = false
// A test file's own hooks run after this one: what they close is closed at once.
after(() => {
  ended = true
  return closeIdleDatabases()
})

export const engines: readonly Engine[] = [
  { name: 'PGlite', skip: false, open: reusing(openTestPglite) },
  { name: 'PostgreSQL', skip: serverUrl === undefined ? absence : false, open: reusing(openTestPostgres) },
]

/** For programs that are not tests: an open database would keep them from ending. */
export async function closeIdleDatabases(): Promise<void> {
  await Promise.all(idleLists.flatMap((idle) => idle.splice(0)).map(({ db }) => db.close()))
}

function reusing(openNew: () => Promise<TestDatabase>): () => Promise<TestDatabase> {
  const idle: IdleDatabase[] = []
  idleLists.push(idle)

  return async () => {
    const used = idle.pop()
    const schema = used && (await emptied(used))
    if (used !== undefined && schema === undefined) await used.db.close()
    const opened =
      schema === undefined ? await openNew().then(async (db) => ({ db, schema: await schemaOf(db) })) : used!
    return {
      ...opened.db,
      async close() {
        if (ended) await opened.db.close()
        else idle.push(opened)
      },
    }
  }
}

/** The schema, if it is as it was and nothing is left in it. */
async function emptied({ db, schema }: { db: Database; schema: string }): Promise<string | undefined> {
  try {
    if ((await schemaOf(db)) !== schema) return undefined
    await db.script(`
      set lock_timeout = '2s';
      truncate ${await tablesOf(db)};
      reset lock_timeout`)
    return schema
  } catch {
    return undefined
  }
}

async function tablesOf(db: Database): Promise<string> {
  const [row] = await db.query<{ tables: string }>(`
    select string_agg(tablename, ', ') as tables
    from pg_tables
    where schemaname = 'public'
      and tablename <> 'schema_migrations'`)
  return row!.tables
}

async function schemaOf(db: Database): Promise<string> {
  const [row] = await db.query<{ schema: string }>(`
    select md5(string_agg(line, ';' order by line)) as schema
    from (
      select concat(conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
      union all
      select concat(attrelid::regclass, attname, atttypid, attnotnull, attisdropped)
      from pg_attribute
      where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select concat(tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
      union all
      select concat(proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select concat(setdatabase, setrole, setconfig) from pg_db_role_setting
    ) as catalog(line)`)
  return row!.schema
}

/** Names each test with its engine; the tests of a missing engine are skipped, with the reason. */
export function forEachEngine(
  declare: (engine: {
    name: Engine['name']
    test: (name: string, run: (db: TestDatabase) => Promise<void>) => void
  }) => void,
): void {
  for (const engine of engines) {
    declare({
      name: engine.name,
      test: (name, run) =>
        void test(`${engine.name}: ${name}`, { skip: engine.skip }, async () => {
          const db = await engine.open()
          try {
            await run(db)
          } finally {
            await db.close()
          }
        }),
    })
  }
}

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** What a template is made of: another schema or engine version is another template. */
function templateKey(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(migrationsFolder).sort()) {
    hash.update(name).update(readFileSync(join(migrationsFolder, name)))
  }
  const manifest = import.meta.resolve('@electric-sql/pglite').replace(/dist\/.*$/, 'package.json')
  return hash
    .update(readFileSync(new URL(manifest)))
    .digest('hex')
    .slice(0, 16)
}

let pgliteTemplate: Promise<string> | undefined

async function openTestPglite(): Promise<TestDatabase> {
  pgliteTemplate ??= placePgliteTemplate()
  const db = await openPglite({ template: await pgliteTemplate })
  return { ...db, url: null }
}

async function placePgliteTemplate(): Promise<string> {
  const path = join(tmpdir(), `breakwater-template-${templateKey()}.tar`)
  if (existsSync(path)) return path
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-template-'))
  try {
    const db = await openPglite({ directory })
    await migrate(db, migrationsFolder)
    await db.close()
    const draft = join(directory, 'template.tar')
    const cluster = join(directory, 'cluster')
    execFileSync('tar', ['--format=ustar', '-C', cluster, '-cf', draft, ...readdirSync(cluster)])
    // Made under another name and renamed, because other test processes make the same template at the same time.
    await rename(draft, path)
  } finally {
    await rm(directory, { recursive: true })
  }
  return path
}

async function openTestPostgres(): Promise<TestDatabase> {
  const template = `template_${templateKey()}`
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdministrator(async (client) => {
    // One lock for making and for copying: a database with open connections cannot be copied.
    await client.query('select pg_advisory_lock(4712)')
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) await createTemplate(client, template)
    await client.query(`create database ${name} template ${template}`)
  })
  const url = databaseUrl(name, process.env.POOLER_PORT_TEST)
  const db = await openPostgres({ url, connectionsMax: 10, durabilityChecked: false })
  return {
    ...db,
    url,
    async close() {
      await db.close()
      await asAdministrator((client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

async function createTemplate(client: pg.Client, template: string): Promise<void> {
  const draft = `${template}_${randomBytes(4).toString('hex')}`
  await client.query(`create database ${draft}`)
  const db = await openPostgres({ url: databaseUrl(draft), connectionsMax: 1, durabilityChecked: false })
  await migrate(db, migrationsFolder)
  await db.close()
  await client.query(`alter database ${draft} rename to ${template}`)
}

/** A port is that of a pooler in front of the server. */
function databaseUrl(name: string, port?: string): string {
  const url = new URL(serverUrl!)
  if (port) url.port = port
  url.pathname = `/${name}`
  return url.href
}

async function asAdministrator(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl! })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
