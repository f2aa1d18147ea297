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
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database } from '../../src/engine/database/database.ts'
import { migrate } from '../../src/engine/database/migrations.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { writeShardingScript } from '../../src/engine/database/sharding.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'

/** `url` is null on PGlite; on PostgreSQL further processes can be started on it. */
export type TestDatabase = Database & { url: string | null }
export type Engine = { name: 'PGlite' | 'PostgreSQL'; skip: string | false; open(): Promise<TestDatabase> }

const serverUrl = process.env.DATABASE_URL_TEST
const absence = process.env.DATABASE_URL_TEST_ABSENT ?? 'DATABASE_URL_TEST is not set'

/** Where DATABASE_URL_TEST is a Citus coordinator, the test databases are spread over its workers. */
const workerAddresses = serverUrl === undefined ? [] : await findWorkers(serverUrl)
export const isCoordinator = workerAddresses.length > 0

/** For a test that needs a single PostgreSQL server: why it is skipped. */
export function skipOnSeveralServers({ name, skip }: Engine): string | false {
  return name === 'PostgreSQL' && isCoordinator ? 'it needs one server, not a Citus cluster' : skip
}

type IdleDatabase = { db: TestDatabase; schema: string }
const idleLists: IdleDatabase[][] = []
let ended = false
// A test file's own hooks run after this one: what they close is closed at once. Benchmarks have no hooks: with the first of
// them node:test begins to follow every promise, which takes a tenth of the time of a page.
if (process.env.NODE_TEST_CONTEXT !== undefined || process.argv[1]?.endsWith('.test.ts')) {
  after(() => {
    ended = true
    return closeIdleDatabases()
  })
}

export const engines: readonly Engine[] = [
  { name: 'PGlite', skip: false, open: reusing(openTestPglite) },
  { name: 'PostgreSQL', skip: serverUrl === undefined ? absence : false, open: reusing(openTestPostgres) },
]

/** For pages in a browser that move no money: on both engines only in a night. Without a browser all is tested on both. */
export const browserEngines =
  process.env.FAULTS === 'all' ? engines : [engines.findLast(({ skip }) => !skip)!]

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
    const tables = await tablesOf(db)
    await db.script(`
      set lock_timeout = '2s';
      ${db.isSharded ? `truncate ${tables.join(', ')}` : emptying(tables)};
      reset lock_timeout`)
    return schema
  } catch {
    return undefined
  }
}

/** To truncate a table makes new files for it and its indexes, which takes longer than to delete the rows of most tests. */
function emptying(tables: readonly string[]): string {
  return `
    lock table ${tables.join(', ')};
    do $$
      declare name text;
      begin
        set local session_replication_role = replica;
        foreach name in array '{${tables}}'::text[] loop
          if pg_relation_size(name::regclass) > ${GROWN_BYTES} then
            execute format('truncate %s cascade', name);
          else
            execute format('delete from %s', name);
          end if;
        end loop;
      end
    $$`
}

/** Deleted rows stay in the files, and are passed by every scan. */
const GROWN_BYTES = 262_144

async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ tablename: string }>(`
    select tablename
    from pg_tables
    where schemaname = 'public'
      and tablename <> 'schema_migrations'`)
  return rows.map(({ tablename }) => tablename)
}

/** By the transactions that changed it last. */
async function schemaOf(db: Database): Promise<string> {
  const [row] = await db.query<{ schema: string }>(`
    select md5(string_agg(line, ';' order by line)) as schema
    from (
      select concat(oid, xmin) from pg_constraint
      union all
      select concat(attrelid, attnum, xmin)
      from pg_attribute
      where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select concat(oid, xmin) from pg_trigger where not tgisinternal
      union all
      select concat(oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
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
  skipOf = (engine: Engine) => engine.skip,
): void {
  for (const engine of engines) {
    declare({
      name: engine.name,
      test: (name, run) =>
        void test(`${engine.name}: ${name}`, { skip: skipOf(engine) }, async () => {
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

/** A directory in which a service finds its database migrated, which would take it two seconds. */
export async function placeMigratedCluster(directory: string): Promise<void> {
  pgliteTemplate ??= placePgliteTemplate()
  const cluster = join(directory, 'cluster')
  await mkdir(cluster, { mode: 0o700 })
  execFileSync('tar', ['-C', cluster, '-xf', await pgliteTemplate])
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

/** The machine may be busy: tests check results, not speed. */
export const PATIENT = { connectionWaitMs: 20_000, statementTimeoutMs: 20_000, queryTimeoutMs: 25_000 }

async function openTestPostgres(): Promise<TestDatabase> {
  const template = `template_${templateKey()}`
  const name = `test_${randomBytes(8).toString('hex')}`
  await onEveryServer(async ([coordinator, ...workers]) => {
    // One lock for making and for copying: a database with open connections cannot be copied.
    await coordinator.query('select pg_advisory_lock(4712)')
    const { rowCount } = await coordinator.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount === 0) await createTemplate([coordinator, ...workers], template)
    for (const server of [coordinator, ...workers]) {
      await server.query(`create database ${name} template ${template}`)
    }
  })
  const url = databaseUrl(name, { port: process.env.POOLER_PORT_TEST })
  const db = await openPostgres({ url, connectionsMax: 10, durabilityChecked: false, ...PATIENT })
  return {
    ...db,
    url,
    async close() {
      await db.close()
      await onEveryServer(async (servers) => {
        for (const server of servers) await server.query(`drop database ${name} with (force)`)
      })
    },
  }
}

type Address = { host: string; port: number }
/** The server of DATABASE_URL_TEST and, where it coordinates a Citus cluster, its workers. */
type Servers = readonly [coordinator: pg.Client, ...workers: pg.Client[]]

async function createTemplate(servers: Servers, template: string): Promise<void> {
  const [coordinator, ...workers] = servers
  const draft = `${template}_${randomBytes(4).toString('hex')}`
  for (const server of servers) await server.query(`create database ${draft}`)
  if (workers.length > 0) await connectWorkers(servers, draft)
  const db = await openPostgres({ url: databaseUrl(draft), connectionsMax: 1, durabilityChecked: false })
  await migrate(db, migrationsFolder)
  const script = db.isSharded ? await writeShardingScript(db) : null
  if (script !== null) await db.script(script)
  await db.close()
  // Citus connects to its databases by itself.
  for (const server of workers.length > 0 ? servers : []) {
    await server.query(`alter database ${draft} allow_connections false`)
    await server.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      draft,
    ])
  }
  for (const server of [...workers, coordinator]) {
    await server.query(`alter database ${draft} rename to ${template}`)
  }
}

/** A few shards, because to empty a table each of them is emptied. */
const SHARDS = 4

async function connectWorkers(servers: Servers, name: string): Promise<void> {
  await servers[0].query(`alter database ${name} set citus.shard_count = ${SHARDS}`)
  for (const { host, port } of servers) {
    await withClient(databaseUrl(name, { host, port }), (client) => client.query('create extension citus'))
  }
  await withClient(databaseUrl(name), async (client) => {
    const [coordinator, ...workers] = servers
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
}

/** At another server, or at a pooler in front of it. */
function databaseUrl(name: string, at: { host?: string; port?: string | number | undefined } = {}): string {
  const url = new URL(serverUrl!)
  if (at.host) url.hostname = at.host
  if (at.port) url.port = String(at.port)
  url.pathname = `/${name}`
  return url.href
}

async function onEveryServer(work: (servers: Servers) => Promise<unknown>): Promise<void> {
  await withClient(serverUrl!, async (coordinator) => {
    const workers: pg.Client[] = []
    try {
      for (const server of workerAddresses) {
        const client = new pg.Client({ connectionString: databaseUrl('postgres', server) })
        await client.connect()
        workers.push(client)
      }
      await work([coordinator, ...workers])
    } finally {
      await Promise.all(workers.map((client) => client.end()))
    }
  })
}

async function findWorkers(url: string): Promise<Address[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`)
    if (rowCount === 0) return []
    const { rows } = await client.query<Address>(`
      select nodename as host, nodeport as port
      from pg_dist_node
      where groupid <> 0
        and noderole = 'primary'`)
    return rows
  })
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
