/**
 * PostgreSQL 15 or newer, through a pool. Every wait is bounded: for a connection, for a lock, for a statement, for an
 * unresponsive network. A server that may lose committed changes is refused. For the rest see pooled-database.ts.
 *
 * A pooler such as PgBouncer is found by itself, because it does not pass time limits on to the server.
 *
 * A database with the extension Citus is sharded: the books are spread over its workers, and this server coordinates.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Database, DatabaseError, type Queries } from './database.ts'
import { discardOldPlans } from './plan-age.ts'
import { asDatabaseError, createPooledDatabase, type Pooler, pooledConnection } from './pooled-database.ts'
import { askWorkers } from './sharding.ts'
import { sendStatement } from './statement.ts'

/** A single connection of the pool. */
export type Connection = Queries & { onEnd: (callback: () => void) => void }

export type PostgresOptions = {
  /** A function is called for each new connection. */
  url: string | (() => string)
  connectionsMax: number
  connectionWaitMs?: number
  queryTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  idleInTransactionTimeoutMs?: number
  /** How often the sizes of tables are compared with those that statements were planned for. */
  planAgeCheckMs?: number
  /** The server is a standby: it must accept no changes, instead of keeping them. */
  readOnly?: boolean
  /** Asked about each new connection, before it is used; it is discarded where this rejects. */
  admit?: (connection: Connection) => Promise<void>
  /** false only in tests: a server without fsync loses committed changes. */
  durabilityChecked?: boolean
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url } = options
  const urlNow = typeof url === 'string' ? () => url : url
  const connection = () => ({
    connectionString: urlNow(),
    connectionTimeoutMillis: options.connectionWaitMs ?? 3000,
    keepAlive: true,
  })
  let isSharded = false
  const limits = {
    statement_timeout: options.statementTimeoutMs ?? 2500,
    lock_timeout: options.lockTimeoutMs ?? 1500,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 5000,
  }
  // The client gives up later than the server, so that the server's own error usually arrives first.
  const queryTimeout = { query_timeout: options.queryTimeoutMs ?? 3000 }
  const pooler = await findPooler({ ...connection(), ...queryTimeout }, limits)
  const pool = new pg.Pool({
    ...pooledConnection,
    ...connection(),
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: urlNow() })
      }
    },
    ...(pooler === undefined && limits),
    ...queryTimeout,
    ...(options.admit && { verify: verifyBy(options.admit) }),
    max: options.connectionsMax,
  })
  const db = createPooledDatabase({
    pool,
    pooler,
    runScript: (text) => runScript(connection(), isSharded ? statementsOf(text) : [text]),
    // A primary that became a standby: the next connection finds the new primary.
    leaves: (sqlState) => sqlState === '25006',
    translate: (error) => (isSharded ? translateSharded(error) : error),
    isSharded: () => isSharded,
  })
  try {
    isSharded = await checkServers(db, options)
  } catch (error) {
    await db.close()
    throw error
  }
  // The sessions behind a pooler are not those of its clients, and the workers of a cluster plan for themselves.
  if (pooler !== undefined || isSharded) return { ...db, isSharded }
  const stopLooking = discardOldPlans(pool, db, options.planAgeCheckMs)
  return {
    ...db,
    isSharded,
    async close() {
      stopLooking()
      await db.close()
    },
  }
}

/** The pool calls it with each new connection, and with what to call in the end. */
function verifyBy(admit: (connection: Connection) => Promise<void>) {
  return (client: pg.ClientBase, done: (error?: Error) => void): void => {
    const connection: Connection = {
      query: <Row>(text: string, values?: readonly unknown[]) =>
        sendStatement(client, { name: '', text, values }) as Promise<Row[]>,
      onEnd: (callback) => void client.once('end', callback),
    }
    admit(connection).then(() => done(), done)
  }
}

type Limits = Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>

/** A pooler rejects the limits as parameters of a connection, or is configured to ignore them. */
async function findPooler(connection: pg.ClientConfig, limits: Limits): Promise<Pooler | undefined> {
  try {
    if (await withClient({ ...connection, ...limits }, (client) => hasLimits(client, limits)))
      return undefined
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === PROTOCOL_VIOLATION))
      throw asDatabaseError(error)
  }
  try {
    return { limits: settingLimits(limits), namesKept: await withClient(connection, keepsNames) }
  } catch (error) {
    const fault = asDatabaseError(error)
    if (fault.sqlState !== null && fault.sqlState !== PROTOCOL_VIOLATION) throw fault
    throw new DatabaseError(`The pooler has no connection to the server: ${fault.message}`, {
      sqlState: CANNOT_CONNECT_NOW,
      cause: error,
    })
  }
}

const CANNOT_CONNECT_NOW = '57P03'
const PROTOCOL_VIOLATION = '08P01'

async function hasLimits(client: pg.Client, limits: Limits): Promise<boolean> {
  const { rows } = await client.query<{ name: keyof Limits; setting: string }>(
    'select name, setting from pg_settings where name = any($1::text[])',
    [Object.keys(limits)],
  )
  return rows.every(({ name, setting }) => setting === String(limits[name]))
}

/** Sets what `set local` would set, which warns where no transaction was begun. */
function settingLimits(limits: Limits): string[] {
  return Object.entries(limits).map(([name, value]) => `select from set_config('${name}', '${value}', true)`)
}

/** A pooler that lets statements be used in later transactions gives them names of its own on the server. */
async function keepsNames(client: pg.Client): Promise<boolean> {
  const name = `breakwater_${randomBytes(8).toString('hex')}`
  await client.query('begin')
  await client.query({ name, text: 'select 1' })
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name])
  if (rowCount !== 0) await client.query(`deallocate ${name}`)
  await client.query('commit')
  return rowCount === 0
}

/**
 * Scripts have a connection of their own as well, because the time limits of the pool would interrupt a long migration.
 */
async function withClient<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

async function runScript(connection: pg.ClientConfig, texts: readonly string[]): Promise<void> {
  await withClient(connection, async (client) => {
    for (const text of texts) await client.query(text)
  })
}

/**
 * Where Citus copies rows to a worker, it reports an error of the worker without its SQLSTATE: a unique violation is an
 * internal error. The transaction was rolled back, so it can be run again, and then reads what it collided with.
 */
function translateSharded(error: DatabaseError): DatabaseError {
  if (error.sqlState !== INTERNAL_ERROR || error.outcomeUnknown) return error
  return new DatabaseError(error.message, { sqlState: SERIALIZATION_FAILURE, cause: error.cause })
}

const INTERNAL_ERROR = 'XX000'
const SERIALIZATION_FAILURE = '40001'

/** Citus sends some commands to the workers with the whole text in which they arrived, so they arrive singly. */
function statementsOf(script: string): string[] {
  return ['begin', ...script.split(/;\s*$/m).filter((text) => text.trim() !== ''), 'commit']
}

/** Refuses servers that may lose committed changes. Returns whether the database is sharded. */
async function checkServers(
  db: Queries,
  { readOnly = false, durabilityChecked = true }: PostgresOptions,
): Promise<boolean> {
  const [row] = await db.query<{ server: string }>(READ_SERVER)
  const server: Server = JSON.parse(row!.server)
  if (readOnly && server.read_only !== 'on')
    throw new Error('It accepts changes; name a standby, or a role with default_transaction_read_only = on.')
  if (!readOnly && server.in_recovery)
    throw new Error('This server is a standby, which takes no changes; name the primary.')
  checkServer('server', server, durabilityChecked && !readOnly)
  if (readOnly || !server.is_sharded) return server.is_sharded
  for (const { name, text } of await askWorkers(db, READ_SERVER)) {
    checkServer(`worker ${name}`, JSON.parse(text), durabilityChecked)
  }
  return true
}

function checkServer(name: string, server: Server, durabilityChecked: boolean): void {
  const major = Math.floor(server.version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL 15 or newer is needed; this ${name} is version ${major}.`)
  const off = DURABILITY_SETTINGS.filter((setting) => server[setting] === 'off')
  if (!durabilityChecked || off.length === 0) return
  const settings = off.map((setting) => `${setting} = off`).join(' and ')
  throw new Error(`The ${name} runs with ${settings} and would lose answered changes; turn it on.`)
}

const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
type DurabilitySetting = (typeof DURABILITY_SETTINGS)[number]
type Server = { version: number; in_recovery: boolean; is_sharded: boolean } & Record<
  DurabilitySetting | 'read_only',
  string
>

const READ_SERVER = `
  select json_build_object(
    'version', current_setting('server_version_num')::int4,
    'in_recovery', pg_is_in_recovery(),
    'read_only', current_setting('transaction_read_only'),
    'is_sharded', exists (select from pg_extension where extname = 'citus'),
    ${DURABILITY_SETTINGS.map((setting) => `'${setting}', current_setting('${setting}', true)`).join(',\n    ')}
  )::text as server`
