/**
 * PostgreSQL 15 or newer, through a pool.
 *
 * Guarantees:
 * - Every wait is bounded: for a connection, for a lock, for a statement, for a silent network.
 * - Round trips: `begin` travels with the first statement, so a transaction of n statements takes n + 1. Statements
 *   that are started together (Promise.all) travel together.
 * - A COMMIT whose answer is lost, or that a synchronous standby did not confirm, is an unknown outcome, never a
 *   failure. So is a single statement outside a transaction, unless it begins with `select`.
 * - A connection that broke is thrown away; one that only saw an SQL error is kept.
 */
import pg from 'pg'
import { createTransactionFence, type Database, DatabaseError, type Queries } from './database.ts'

export type PostgresOptions = {
  url: string
  connectionsMax: number
  connectionWaitMs?: number
  queryTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  idleInTransactionTimeoutMs?: number
  /** false only in tests: a server without fsync loses answered changes. */
  durabilityChecked?: boolean
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connection = {
    connectionString: options.url,
    application_name: 'breakwater',
    connectionTimeoutMillis: options.connectionWaitMs ?? 3000,
    keepAlive: true,
    types: { getTypeParser },
  }
  const pool = new pg.Pool({
    ...connection,
    max: options.connectionsMax,
    pipeline: true,
    // The client gives up after the server should have, so that the server's own answer usually arrives first.
    query_timeout: options.queryTimeoutMs ?? 3000,
    statement_timeout: options.statementTimeoutMs ?? 2500,
    lock_timeout: options.lockTimeoutMs ?? 1000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 5000,
  })
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.on('notice', (notice) => {
      if (notice.severity === 'WARNING') warned.add(client)
    })
  })
  const database = createDatabase(pool, () => new pg.Client(connection))
  try {
    await checkServer(database, options.durabilityChecked ?? true)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Connections on which the server warned since their last commit was sent. */
const warned = new WeakSet<pg.ClientBase>()

function createDatabase(pool: pg.Pool, createScriptClient: () => pg.Client): Database {
  const fence = createTransactionFence()
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      fence.assertOutside()
      const client = await connect(pool)
      const changes = !/^\s*select\b/i.test(text)
      try {
        warned.delete(client)
        const rows = (await client.query(statement(text, values))).rows as Row[]
        if (changes && warned.has(client)) throw unconfirmed()
        client.release()
        return rows
      } catch (error) {
        client.release(isBroken(error))
        throw changes ? asCommitError(error) : asDatabaseError(error)
      }
    },
    async transaction(work) {
      fence.assertOutside()
      const client = await connect(pool)
      const transaction = startTransaction(client)
      let result: Awaited<ReturnType<typeof work>>
      try {
        result = await fence.inside(() => work(transaction))
      } catch (error) {
        client.release(await transaction.rollback(error))
        throw error
      }
      try {
        await transaction.commit()
        client.release()
        return result
      } catch (error) {
        client.release(isBroken(error))
        throw asCommitError(error)
      }
    },
    async script(text) {
      fence.assertOutside()
      const client = createScriptClient()
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query(text)
      } catch (error) {
        throw asCommitError(error)
      } finally {
        await client.end()
      }
    },
    close: () => pool.end(),
  }
}

type OpenTransaction = Queries & { commit(): Promise<void>; rollback(reason: unknown): Promise<boolean> }

function startTransaction(client: pg.PoolClient): OpenTransaction {
  let state: 'unused' | 'open' | 'closed' = 'unused'
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (state === 'closed') throw new Error('The transaction is over.')
      const first = state === 'unused'
      state = 'open'
      try {
        if (first) return (await beginWith(client, statement(text, values))) as Row[]
        return (await client.query(statement(text, values))).rows as Row[]
      } catch (error) {
        throw asDatabaseError(error)
      }
    },
    async commit() {
      const used = state === 'open'
      state = 'closed'
      if (!used) return
      warned.delete(client)
      const { command } = await client.query('commit')
      if (warned.has(client)) throw unconfirmed()
      if (command !== 'COMMIT') {
        // PostgreSQL answers ROLLBACK without an error when a statement failed and the work went on regardless.
        throw new DatabaseError('A statement failed in this transaction, so it was rolled back.', {
          sqlState: '25P02',
        })
      }
    },
    /** Answers whether the connection is broken. */
    async rollback(reason) {
      const used = state === 'open'
      state = 'closed'
      if (!used) return false
      if (reason instanceof DatabaseError && isBroken(reason.cause)) return true
      return client.query('rollback').then(
        () => false,
        () => true,
      )
    },
  }
}

/**
 * `begin` and the statement travel before one Sync: if `begin` fails the server skips the statement, so it can never
 * run, and commit, on its own. Two pipelined queries would not give that.
 */
function beginWith(client: pg.PoolClient, config: pg.QueryConfig): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
  const query = new pg.Query(config, (error, results) => {
    if (error) reject(error)
    // Two commands make a list of two results: that of `begin`, then that of the statement.
    else resolve((results as unknown as [pg.QueryResult, pg.QueryResult])[1].rows)
  })
  const submitStatement = query.submit
  query.submit = (connection) => {
    connection.stream.cork()
    connection.parse({ name: '', text: 'begin', types: [] }, true)
    connection.bind({}, true)
    connection.execute({}, true)
    const refusal = submitStatement.call(query, connection)
    connection.stream.uncork()
    return refusal
  }
  client.query(query)
  return promise
}

/** Each distinct statement text is prepared once per connection under a stable name. */
function statement(text: string, values: readonly unknown[] = []): pg.QueryConfig {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `s${statementNames.size}`
    statementNames.set(text, name)
  }
  return { name, text, values: values as unknown[] }
}

const statementNames = new Map<string, string>()

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw asDatabaseError(error)
  }
}

async function checkServer(db: Database, durabilityChecked: boolean): Promise<void> {
  const [server] = await db.query<{ version: number; fsync: string | null; full_page_writes: string | null }>(
    `select current_setting('server_version_num')::int4 as version,
            current_setting('fsync', true) as fsync,
            current_setting('full_page_writes', true) as full_page_writes`,
  )
  const major = Math.floor(server!.version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL 15 or newer is needed; this server is version ${major}.`)
  if (!durabilityChecked) return
  for (const setting of ['fsync', 'full_page_writes'] as const) {
    if (server![setting] === 'off') {
      throw new Error(`The server runs with ${setting} = off and would lose answered changes; turn it on.`)
    }
  }
}

/** Everything but a plain refusal by the server leaves a connection nobody can trust. */
function isBroken(error: unknown): boolean {
  if (error instanceof DatabaseError) return false
  return !(error instanceof pg.DatabaseError && error.severity === 'ERROR')
}

function asDatabaseError(error: unknown, outcomeUnknown = false): DatabaseError {
  if (error instanceof DatabaseError) return error
  const sqlState = error instanceof pg.DatabaseError ? (error.code ?? null) : null
  return new DatabaseError(messageOf(error), { sqlState, outcomeUnknown, cause: error })
}

/** Once COMMIT was sent, only a plain refusal by the server says that nothing was committed. */
function asCommitError(error: unknown): DatabaseError {
  const refused = error instanceof pg.DatabaseError && error.severity === 'ERROR'
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : ''
  return asDatabaseError(error, !refused || state === '40003' || /^(08|XX)/.test(state))
}

function unconfirmed(): DatabaseError {
  return new DatabaseError('The server warned while committing; a standby may not have the change.', {
    sqlState: '01000',
    outcomeUnknown: true,
  })
}

function messageOf(error: unknown): string {
  // A host with several addresses fails with one error per address and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

const INT8 = 20
const JSON_TEXT = 114
const JSON_TEXT_ARRAY = 199
const TEXT_ARRAY = 1009
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182
const JSONB = 3802
const JSONB_ARRAY = 3807

const asText = (text: string) => text
const asTexts = driverParser(TEXT_ARRAY) as (text: string) => (string | null)[]
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: BigInt,
  [DATE]: asText,
  [JSON_TEXT]: asText,
  [JSONB]: asText,
  [INT8_ARRAY]: (text) => asTexts(text).map((element) => (element === null ? null : BigInt(element))),
  [DATE_ARRAY]: asTexts,
  [JSON_TEXT_ARRAY]: asTexts,
  [JSONB_ARRAY]: asTexts,
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return parsers[oid] ?? driverParser(oid, format)
}

function driverParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  // The driver's types list the element types only.
  return pg.types.getTypeParser(oid as Parameters<typeof pg.types.getTypeParser>[0], format)
}
