/**
 * PostgreSQL 15 or newer, through a pool. Every wait is bounded: for a connection, for a lock, for a statement, for an
 * unresponsive network. A server that may lose committed changes is refused. For the rest see pooled-database.ts.
 */
import pg from 'pg'
import type { Database } from './database.ts'
import { createPooledDatabase, pooledConnection } from './pooled-database.ts'

export type PostgresOptions = {
  url: string
  connectionsMax: number
  connectionWaitMs?: number
  queryTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  idleInTransactionTimeoutMs?: number
  /** false only in tests: a server without fsync loses committed changes. */
  durabilityChecked?: boolean
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connection = {
    connectionString: options.url,
    connectionTimeoutMillis: options.connectionWaitMs ?? 3000,
    keepAlive: true,
  }
  const pool = new pg.Pool({
    ...pooledConnection,
    ...connection,
    max: options.connectionsMax,
    // The client gives up later than the server, so that the server's own error usually arrives first.
    query_timeout: options.queryTimeoutMs ?? 3000,
    statement_timeout: options.statementTimeoutMs ?? 2500,
    lock_timeout: options.lockTimeoutMs ?? 1500,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 5000,
  })
  const db = createPooledDatabase({
    pool,
    runScript: (text) => runScript(new pg.Client(connection), text),
    // A primary that became a standby: the next connection finds the new primary.
    leaves: (sqlState) => sqlState === '25006',
  })
  try {
    await checkServer(db, options.durabilityChecked ?? true)
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}

/** A script has its own connection, because the time limits of the pool would interrupt a long migration. */
async function runScript(client: pg.Client, text: string): Promise<void> {
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function checkServer(db: Database, durabilityChecked: boolean): Promise<void> {
  const [server] = await db.query<
    { version: number; in_recovery: boolean } & Record<DurabilitySetting, string>
  >(
    `select current_setting('server_version_num')::int4 as version,
            pg_is_in_recovery() as in_recovery,
            current_setting('fsync', true) as fsync,
            current_setting('full_page_writes', true) as full_page_writes,
            current_setting('synchronous_commit', true) as synchronous_commit`,
  )
  const major = Math.floor(server!.version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL 15 or newer is needed; this server is version ${major}.`)
  if (server!.in_recovery)
    throw new Error('This server is a standby, which takes no changes; name the primary.')
  const off = DURABILITY_SETTINGS.filter((setting) => server![setting] === 'off')
  if (!durabilityChecked || off.length === 0) return
  const settings = off.map((setting) => `${setting} = off`).join(' and ')
  throw new Error(`The server runs with ${settings} and would lose answered changes; turn it on.`)
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
type DurabilitySetting = (typeof DURABILITY_SETTINGS)[number]
