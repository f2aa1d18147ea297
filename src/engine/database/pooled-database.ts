/**
 * Both engines speak one protocol, so one driver serves both: this file is the whole path from a statement to its rows,
 * over a pool of connections or over the single connection of the embedded engine.
 *
 * Guarantees:
 * - Round trips: `begin` is sent with the first statement, statements that are started together (Promise.all) are sent
 *   together, and writes are sent with what follows them, finally with COMMIT. A change takes two: read, and write.
 * - A COMMIT whose response is lost, or that a synchronous standby did not confirm, is an unknown outcome, never a
 *   failure. So is a single statement outside a transaction, unless it begins with `select`.
 * - A connection that broke or lost a prepared statement is discarded; one that only saw an SQL error is kept, unless
 *   `leaves` says otherwise.
 * - Reads of one lane that overlap share a connection, one behind the other; one that fails does not fail the others.
 * - Behind a pooler each transaction or single statement may run on another session of the server, so nothing depends on
 *   the session: time limits are sent with each, and statements have names only where the pooler keeps them.
 */
import pg from 'pg'
import {
  createTransactionFence,
  type Database,
  DatabaseError,
  isLostStatement,
  type Lane,
  type Transaction,
} from './database.ts'
import { createScratch, encodeTexts, type Scratch, TextArray } from './encoding.ts'
import { createRowReaders } from './row-reader.ts'
import { encodeRows, type StatementWithRows } from './rows.ts'
import { type StatementToSend, sendStatement } from './statement.ts'

/** The options of both pools, besides their own limits. */
export const pooledConnection = { application_name: 'breakwater', pipeline: true } satisfies pg.PoolConfig

export type Pooler = {
  /** Statements without columns that set the time limits of their transaction. */
  limits: readonly string[]
  /** Whether a named statement can be used in later transactions. */
  namesKept: boolean
}

export function createPooledDatabase(options: {
  pool: pg.Pool
  runScript: (text: string) => Promise<void>
  /** What an error means on this engine, where its SQLSTATE does not say so. */
  translate?: (error: DatabaseError) => DatabaseError
  /**
   * Whether an error with this SQLSTATE is a reason to leave this server, because the next connection may find a better
   * one.
   */
  leaves?: (sqlState: string | undefined) => boolean
  /** Absent: the connections of the pool are sessions of the server. */
  pooler?: Pooler | undefined
  isSharded?: () => boolean
}): Database {
  const { pool, runScript, translate = (error) => error, leaves = () => false, pooler } = options
  const { isSharded = () => false } = options
  const scratch = createScratch()
  const nameOf = pooler?.namesKept === false ? () => '' : createNames()
  const statement = (text: string, values?: readonly unknown[]): StatementToSend => ({
    name: nameOf(text),
    text,
    values: values?.map((value) => (value instanceof TextArray ? encodeTexts(scratch, value.texts) : value)),
  })
  /** Connections on which the server has warned since their last commit was sent. */
  const warned = new WeakSet<pg.ClientBase>()
  const limits = pooler?.limits ?? []
  const isSpent = (error: unknown) =>
    isBroken(error) ||
    (error instanceof pg.DatabaseError && (leaves(error.code) || isLostStatement(error.code)))
  const fence = createTransactionFence()
  const enter = createLanes(pool)
  const readerOf = createRowReaders()
  // An idle connection that breaks is replaced at the next use; without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    connectionOf(client).readerOf = readerOf
    client.on('error', () => {})
    client.on('notice', (notice) => {
      if (notice.severity === 'WARNING') warned.add(client)
    })
  })
  return {
    isSharded: false,
    ...(pooler && { pooler: { namesKept: pooler.namesKept } }),
    async query<Row>(text: string, values?: readonly unknown[], lane?: Lane) {
      fence.assertOutside()
      const changes = !/^\s*select\b/i.test(text)
      const { client, release } = await (lane === undefined || changes ? borrow(pool) : enter(lane))
      try {
        warned.delete(client)
        const rows = (await sendStatement(client, { ...statement(text, values), after: limits })) as Row[]
        if (changes && warned.has(client)) throw unconfirmed()
        release(false)
        return rows
      } catch (error) {
        release(isSpent(error))
        throw translate(changes ? asCommitError(error) : asDatabaseError(error))
      }
    },
    async transaction(work) {
      fence.assertOutside()
      const client = await connect(pool)
      const transaction = startTransaction(client, {
        translate,
        isSpent,
        statement,
        scratch,
        warned,
        begin: ['begin', ...(isSharded() ? [] : [GENERIC_PLANS]), ...limits],
        isSharded: isSharded(),
      })
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
        client.release(isSpent(error))
        throw translate(asCommitError(error))
      }
    },
    async script(text) {
      fence.assertOutside()
      try {
        await runScript(text)
      } catch (error) {
        throw translate(asCommitError(error))
      }
    },
    close: () => pool.end(),
  }
}

type OpenTransaction = Transaction & { commit(): Promise<void>; rollback(reason: unknown): Promise<boolean> }

type EngineParts = {
  translate: (error: DatabaseError) => DatabaseError
  isSpent: (error: unknown) => boolean
  statement: (text: string, values?: readonly unknown[]) => StatementToSend
  scratch: Scratch
  warned: WeakSet<pg.ClientBase>
  begin: readonly string[]
  isSharded: boolean
}

function startTransaction(client: pg.PoolClient, engine: EngineParts): OpenTransaction {
  const { translate, isSpent, statement, scratch, begin, isSharded } = engine
  let state: 'unused' | 'begun' | 'open' | 'closed' = 'unused'
  const writes: Promise<unknown>[] = []
  /** The cause of the failure of every later statement. */
  let firstFailure: Error | undefined
  const onFailure = (error: Error) => {
    firstFailure ??= error
  }
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      const sent = send(text, values)
      try {
        return (await sent) as Row[]
      } catch (error) {
        throw translate(asDatabaseError(firstFailure ?? error))
      }
    },
    async written() {
      const failure = await failureOf(writes)
      if (failure !== undefined) throw translate(asDatabaseError(failure))
    },
    write(given, values) {
      // If it were sent behind a `begin` that failed, it would be committed by itself.
      if (state !== 'open') throw new Error('A transaction begins with a statement that is waited for.')
      const written = typeof given === 'string' ? send(given, values) : sendRows(given)
      written.catch(() => {})
      writes.push(written)
    },
    async commit() {
      const used = state !== 'unused'
      state = 'closed'
      if (used) await commitAfter(client, writes, engine)
    },
    /** Returns whether the connection must be discarded. */
    async rollback(reason) {
      const used = state !== 'unused'
      state = 'closed'
      if (!used) return false
      if (reason instanceof DatabaseError && isSpent(reason.cause)) return true
      return !(await rollBack(client))
    },
  }

  function sendRows(given: StatementWithRows): Promise<unknown[]> {
    const { text, values } = encodeRows(scratch, given, { isSharded })
    return send(text, values)
  }

  function send(text: string, values?: readonly unknown[]): Promise<unknown[]> {
    if (state === 'closed') throw new Error('The transaction is over.')
    gather(client)
    if (state !== 'unused') return sendStatement(client, { ...statement(text, values), onFailure })
    state = 'begun'
    return sendStatement(client, { ...statement(text, values), after: begin, onFailure }).then((rows) => {
      if (state === 'begun') state = 'open'
      return rows
    })
  }
}

/** Returns whether it was. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

async function commitAfter(
  client: pg.PoolClient,
  writes: readonly Promise<unknown>[],
  { translate, warned }: EngineParts,
): Promise<void> {
  warned.delete(client)
  gather(client)
  const [committed, failure] = await Promise.all([settled(client.query('commit')), failureOf(writes)])
  if (committed.status === 'rejected') throw committed.reason
  // A write that failed before an acknowledged COMMIT was rolled back by it, whatever its error.
  if (failure !== undefined) throw translate(asDatabaseError(failure))
  if (warned.has(client)) throw unconfirmed()
  if (committed.value.command !== 'COMMIT') {
    // PostgreSQL answers COMMIT with ROLLBACK, and without an error, when a statement failed and the work went on.
    throw new DatabaseError('A statement failed in this transaction, so it was rolled back.', {
      sqlState: '25P02',
    })
  }
}

/** What is sent in one tick leaves as one packet: the system call costs more than most statements. */
function gather(client: pg.PoolClient, sendAt: (send: () => void) => unknown = process.nextTick): void {
  const { stream } = connectionOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  sendAt(() => stream.uncork())
}

/** The driver's types leave it out. */
function connectionOf(client: pg.ClientBase): pg.Connection {
  return (client as unknown as { connection: pg.Connection }).connection
}

/** The first failure in the order in which the statements were sent. */
async function failureOf(sent: readonly Promise<unknown>[]): Promise<unknown> {
  const ended = await Promise.allSettled(sent)
  return ended.find((one) => one.status === 'rejected')?.reason
}

async function settled<Value>(promise: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  const [ended] = await Promise.allSettled([promise])
  return ended
}

/**
 * By default the server plans the statements of a small batch each time, because then it knows the number of rows. That
 * is half of the database's work for a single liquidation, an eighth for a batch of twenty. In transactions rows are
 * found by their keys, so one plan serves all; reads outside of transactions are planned as usual. Citus refuses joins,
 * CTEs and most inserts where generic plans are forced.
 */
const GENERIC_PLANS = 'set local plan_cache_mode = force_generic_plan'

/** Each distinct statement text is prepared once per connection under a stable name. */
function createNames(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    let name = names.get(text)
    if (name === undefined) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw asDatabaseError(error)
  }
}

/** A connection that is to be given back. */
type Borrowed = { client: pg.PoolClient; release: (isSpent: boolean) => void }

async function borrow(pool: pg.Pool): Promise<Borrowed> {
  const client = await connect(pool)
  return { client, release: (isSpent) => client.release(isSpent) }
}

/** The reads of a lane share a connection until none of them is under way. */
function createLanes(pool: pg.Pool): (lane: Lane) => Promise<Borrowed> {
  type Shared = { connected: Promise<pg.PoolClient>; reads: number; isSpent: boolean }
  const open = new WeakMap<Lane, Shared>()

  return async (lane) => {
    const shared = open.get(lane) ?? { connected: connect(pool), reads: 0, isSpent: false }
    open.set(lane, shared)
    shared.reads += 1
    const client = await shared.connected.catch((error) => {
      close(lane, shared)
      throw error
    })
    // Not before all answers that have arrived were read: reads that follow from them leave together.
    gather(client, setImmediate)
    return { client, release: (isSpent) => leave(lane, shared, { client, isSpent }) }
  }

  function leave(
    lane: Lane,
    shared: Shared,
    { client, isSpent }: { client: pg.PoolClient; isSpent: boolean },
  ): void {
    shared.reads -= 1
    shared.isSpent ||= isSpent
    if (shared.reads === 0 || isSpent) close(lane, shared)
    if (shared.reads === 0) client.release(shared.isSpent)
  }

  /** Nobody enters it any more. */
  function close(lane: Lane, shared: Shared): void {
    if (open.get(lane) === shared) open.delete(lane)
  }
}

/** After anything but a plain SQL error the state of the connection is unknown. */
function isBroken(error: unknown): boolean {
  if (error instanceof DatabaseError) return false
  return !(error instanceof pg.DatabaseError && error.severity === 'ERROR')
}

export function asDatabaseError(error: unknown, outcomeUnknown = false): DatabaseError {
  if (error instanceof DatabaseError) return error
  const sqlState = error instanceof pg.DatabaseError ? (error.code ?? null) : null
  return new DatabaseError(messageOf(error), { sqlState, outcomeUnknown, cause: error })
}

/** Once COMMIT was sent, only a plain SQL error proves that nothing was committed. */
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
