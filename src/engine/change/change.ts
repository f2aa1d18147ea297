/**
 * What a change is made of. Every write of the service is one of these; engine.ts runs them all.
 *
 * A change works on arrays: a single request is a batch of one. The requests of one book are given to it together; other
 * books may share the transaction. Each request is decided as if it had come alone, in order.
 */
import type { Actor } from '../../domain/actor.ts'
import type { Count, Votes } from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import type { Moment } from '../../domain/moment.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Queries, Transaction } from '../database/database.ts'
import type { BookSnapshot, ChangeEvent, Recording } from './recording.ts'
import type { VersionCache } from './version-cache.ts'

/** Who sends the request, in which book, and under which key the answer is stored. */
export type Origin = {
  book: Book
  actor: Actor
  requestId: string | null
  /** The trace that came with the request: messages about what it changed carry it on. */
  traceparent?: string | undefined
  /** The votes of others who approved the request beforehand. */
  votes?: Votes
  idempotency: { key: string; fingerprint: string } | null
  /** The time until which changes are refused; null or absent: they are accepted. */
  worksFrom?: Date | null
  /** Encrypts an answer that shows a secret, so that only the key that requested it can read it. */
  seal?: Seal
}

/** Whose request it is, and the votes it has where it waited for approval. */
export type Requester = { identity: string; votes?: Votes }

/** open returns null where another key sealed it. */
export type Seal = { close: (text: string) => string; open: (sealed: string) => string | null }

export type Change<Request, Locked, Known, Value> = {
  /**
   * Sends its locking statements without waiting in between. The book's clock and the earlier answers are read right
   * behind them, so that they are as new as what the locks waited for.
   */
  lock: (tx: Queries, bookId: string, requests: readonly Request[]) => Promise<Locked>
  /** Everything else that the decision needs, read while the locks are held. */
  read: (tx: Queries, at: ReadingContext<Request>, locked: Locked) => Promise<Known>
  /** Makes the function that decides one request after the other; its closure lets each see those before it. */
  decider: (
    known: Known,
    at: DecisionContext,
  ) => (request: Request, by: Requester) => Decided<Value> | Refused
  /** Sends the rows of all values and the recording, without waiting for the response. */
  write: (tx: Transaction, bookId: string, values: readonly Value[], recording: Recording) => void
  /** What a value leaves in the audit log and sends to subscribers; nothing where nothing changed. */
  events: (value: Value, at: DecisionContext) => readonly EventDraft[]
  /** 1: a rare change, whose functions may rely on a single request. */
  batchMax?: 1
  /** It depends on no business date, and is accepted while that of a live book is in doubt. */
  needsNoDate?: true
}

export type ReadingContext<Request> = {
  book: Book
  requests: readonly Request[]
  /** Who sent the requests, in their order. */
  requesters: readonly Requester[]
  /** The same as when it is decided. */
  moment: Moment
  snapshot: Pick<BookSnapshot, 'versions'>
  versions: VersionCache
}

export type DecisionContext = {
  book: Book
  /** The book's own time. */
  moment: Moment
  /** Real time, also in a test book whose clock was moved. */
  now: Date
}

/** count: how many have to approve it, where it may have to wait. */
export type Decided<Value> = { outcome: 'made'; value: Value; count?: Count }
/** The same of a request that was refused for something else, after it was counted. */
export type Refused = Refusal & { count?: Count }

/** eventId is chosen by the change only where its value has to contain it. */
export type EventDraft = Pick<ChangeEvent, 'type' | 'announced' | 'subjectId' | 'data' | 'changes'> & {
  eventId?: string
}

/** An answer as its door gives it. `secret`: the copy stored for replays is sealed. `madeId`: what the change made. */
export type Answer = { status: number; body: string; madeId?: string | null; secret?: true }

/** How a door answers with a value. What it returns is stored beside the idempotency key. */
export type AnswerWriter<Value> = (value: Value) => Answer

export type Done<Value> = { outcome: 'done'; value: Value; answer: Answer | null }
/** The request was carried out before, under the same key: only the stored answer is known. */
export type Replayed = { outcome: 'replayed'; answer: Answer }
export type Result<Value> = Done<Value> | Replayed | Refusal

export function made<Value>(value: Value): Decided<Value> {
  return { outcome: 'made', value }
}

/** The lock, or the read, of a change that needs none. */
export async function nothing(): Promise<void> {}

/** The read of a change that needs nothing but what it locked. */
export async function whatWasLocked<Locked>(_tx: Queries, _at: unknown, locked: Locked): Promise<Locked> {
  return locked
}
