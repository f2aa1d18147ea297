/**
 * Everything the rest of the code knows about a database. Two adapters implement it: pglite.ts and postgres.ts.
 *
 * Guarantees of both:
 * - Values: int8 is bigint, date is 'YYYY-MM-DD', timestamptz is Date, json and jsonb are their text, numeric is text,
 *   arrays are arrays of these. Parameters: bigint, number, boolean, text, Date, null and arrays of them.
 * - Errors are DatabaseErrors and are distinguished by SQLSTATE alone, through the functions below.
 * - A transaction in which a statement failed never commits, even when the work swallowed the error.
 * - Inside a transaction only its own `tx` may be used. The outer handle throws there, because it would deadlock on one
 *   engine and starve the pool on the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { StatementWithRows } from './rows.ts'

export interface Queries {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Reads with the same lane that overlap are sent over one connection, one behind the other. */
export type Lane = object

export interface Transaction extends Queries {
  /**
   * For a statement whose rows are not needed: it is sent without waiting for the response, together with COMMIT. If it
   * fails, the transaction fails with its error. Never the first statement.
   */
  write(statement: string | StatementWithRows, values?: readonly unknown[]): void
  /** Resolves when all writes so far were made. */
  written(): Promise<void>
}

export interface Database extends Queries {
  /** true: the books are spread over several servers, so a transaction and a polled statement touch one book. */
  readonly isSharded: boolean
  /** Absent: no pooler was found between the service and the server. */
  readonly pooler?: { namesKept: boolean }
  query<Row>(text: string, values?: readonly unknown[], lane?: Lane): Promise<Row[]>
  /** Commits when work resolves, rolls back when it rejects. Never nested. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Many statements, no parameters, all or nothing, no time limit: for migrations only. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

export class DatabaseError extends Error {
  /** null: the failure did not come from the server; the connection broke or timed out. */
  readonly sqlState: string | null
  /** true: the change may or may not have been committed; look it up before answering. */
  readonly outcomeUnknown: boolean

  constructor(
    message: string,
    options: { sqlState: string | null; outcomeUnknown?: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'DatabaseError'
    this.sqlState = options.sqlState
    this.outcomeUnknown = options.outcomeUnknown ?? false
  }
}

/** The embedded engine's disk is nearly full: changes are rejected, reads still work. */
export class StorageFullError extends DatabaseError {
  constructor(cause?: unknown) {
    super('There is too little free space on the disk of the data directory; changes are refused.', {
      sqlState: '53100',
      cause,
    })
    this.name = 'StorageFullError'
  }
}

/**
 * Lists of books that one statement may read. On a sharded database that is one book: the statement runs on its worker
 * alone, and a worker that is away hides no other books.
 */
export function booksReadTogether(
  { isSharded }: Pick<Database, 'isSharded'>,
  bookIds: readonly string[],
): (readonly string[])[] {
  return isSharded ? bookIds.map((bookId) => [bookId]) : [bookIds]
}

/**
 * For an answer that needs many quick reads: sending them one by one costs the service more than all else, and each would take
 * a connection from the changes. Not for a read that takes long, because others wait behind it.
 */
export function inOneLane(db: Database): Database {
  const lane: Lane = {}
  return { ...db, query: (text, values) => db.query(text, values, lane) }
}

/** Resolves when the database responds. */
export async function ping(db: Queries): Promise<void> {
  await db.query('select 1')
}

/**
 * A serialization failure, a deadlock, or a connection that lost a prepared statement and is discarded: nothing happened,
 * and the same transaction can be run again.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  const { sqlState } = error
  return sqlState === '40001' || sqlState === '40P01' || isLostStatement(sqlState)
}

/** Class 26: the connection and the server disagree about which statements are prepared. */
export function isLostStatement(sqlState: string | null | undefined): boolean {
  return sqlState?.startsWith('26') ?? false
}

/** The statement took longer than any may. The same one would again. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === STATEMENT_TIMEOUT
}

/** Nothing happened: somebody else held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === LOCK_TIMEOUT
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '23505'
}

/** Check this before isUnavailable: a connection lost at COMMIT is both. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof DatabaseError && error.outcomeUnknown
}

/** The database cannot serve this now: no connection, no response in time, a lock held too long, shutting down. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  const state = error.sqlState
  if (state === null) return true
  return state.startsWith('08') || state.startsWith('53') || UNAVAILABLE_STATES.has(state)
}

/**
 * The failure is the server's, not of what it was sent, so the same request may succeed later. Wider than isUnavailable:
 * conflicts that outlasted the retries, lost statements, errors of its disk and internal errors.
 */
export function isServerFault(error: unknown): boolean {
  if (isUnavailable(error)) return true
  return error instanceof DatabaseError && SERVER_CLASSES.has(error.sqlState?.slice(0, 2) ?? '')
}

/** An error of the server's disk or memory, or damaged data: a person has to look at it. */
export function isServerDamage(error: unknown): boolean {
  return error instanceof DatabaseError && /^(58|XX)/.test(error.sqlState ?? '')
}

const SERVER_CLASSES = new Set(['08', '26', '40', '53', '55', '57', '58', 'XX'])

/** No server listens at the address, or it accepts no connections yet: it may be starting. */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  if (error.sqlState !== null) return error.sqlState === '57P03'
  const { cause } = error
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.some((one) => ABSENT_CODES.has((one as NodeJS.ErrnoException | undefined)?.code ?? ''))
}

/** ENOENT is a Unix socket that does not exist yet, ECONNRESET a forwarder without a server behind it. */
const ABSENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT'])

const LOCK_TIMEOUT = '55P03'
const STATEMENT_TIMEOUT = '57014'

const UNAVAILABLE_STATES = new Set([
  '25006', // the server accepts no changes now
  LOCK_TIMEOUT,
  STATEMENT_TIMEOUT,
  '57P01', // the server is shutting down
  '57P02', // the server crashed
  '57P03', // the server is starting
  '57P05', // idle session timeout
  '25P03', // idle in transaction timeout
])

/** Prevents use of the outer handle inside its own transactions; see the guarantees above. */
export function createTransactionFence(): {
  assertOutside(): void
  inside<Result>(work: () => Promise<Result>): Promise<Result>
} {
  const storage = new AsyncLocalStorage<{ open: boolean }>()
  return {
    assertOutside() {
      if (storage.getStore()?.open) throw new Error('Inside a transaction only its own tx may be used.')
    },
    inside(work) {
      const transaction = { open: true }
      return storage.run(transaction, work).finally(() => {
        transaction.open = false
      })
    },
  }
}
