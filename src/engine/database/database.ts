/**
 * Everything the rest of the code knows about a database. Two adapters implement it: pglite.ts and postgres.ts.
 *
 * Guarantees of both:
 * - Values: int8 is bigint, date is 'YYYY-MM-DD', timestamptz is Date, json and jsonb are their text, numeric is
 *   text, arrays are arrays of these. Parameters: bigint, number, boolean, text, Date, null and arrays of them.
 * - Errors leave as DatabaseError and are told apart by SQLSTATE alone, through the four questions below.
 * - A transaction in which a statement failed never commits, even when the work swallowed the error.
 * - Inside a transaction only its own `tx` may be used; the outer handle throws there, because it would wait for
 *   ever on one engine and starve the pool on the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Queries {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Transaction extends Queries {
  /**
   * For a statement whose rows nobody needs: it is sent without waiting for its answer, and COMMIT with it. Where it fails,
   * the transaction fails with its error. Never the first statement.
   */
  write(text: string, values?: readonly unknown[]): void
  /** All writes so far were made. */
  written(): Promise<void>
}

export interface Database extends Queries {
  /** Commits when work resolves, rolls back when it rejects. Never nested. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** Many statements, no parameters, all or nothing, no time limit: migrations only. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

export class DatabaseError extends Error {
  /** null: the failure did not come from the server, the connection or the wait for it broke. */
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

/** The embedded engine's disk is nearly full: changes are refused, reads go on. */
export class StorageFullError extends DatabaseError {
  constructor(cause?: unknown) {
    super('There is too little free space on the disk of the data directory; changes are refused.', {
      sqlState: '53100',
      cause,
    })
    this.name = 'StorageFullError'
  }
}

/** Answers when the database does. */
export async function ping(db: Queries): Promise<void> {
  await db.query('select 1')
}

/** A serialization failure or a deadlock: nothing happened, the same transaction may be run again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.sqlState === '40001' || error.sqlState === '40P01')
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === '23505'
}

/** Ask this before isUnavailable: a connection lost at COMMIT is both. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof DatabaseError && error.outcomeUnknown
}

/** The database cannot serve this now: no connection, no answer in time, a lock held too long, shutting down. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  const state = error.sqlState
  if (state === null) return true
  return state.startsWith('08') || state.startsWith('53') || UNAVAILABLE_STATES.has(state)
}

/** Nobody listens at the address of the server, or it takes no connections yet: it may be starting. */
export function isStarting(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  if (error.sqlState !== null) return error.sqlState === '57P03'
  const { cause } = error
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.some((one) => ABSENT_CODES.has((one as NodeJS.ErrnoException | undefined)?.code ?? ''))
}

/** ENOENT is a Unix socket that is not there yet, ECONNRESET a forwarder without anything behind it. */
const ABSENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT'])

const UNAVAILABLE_STATES = new Set([
  '25006', // the server takes no changes now
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // the server is shutting down
  '57P02', // the server crashed
  '57P03', // the server is starting
  '57P05', // idle session timeout
  '25P03', // idle in transaction timeout
])

/** Keeps the outer handle out of its own transactions; see the guarantees above. */
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
