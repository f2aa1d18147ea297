/**
 * The one write path: batch → lock → read → decide → write → commit, for every change of the service.
 *
 * Guarantees:
 * - A batch equals the same requests one at a time, in order.
 * - A refused request changes nothing and does not fail the others of its batch; a batch that the database rejects is run
 *   again book by book, and then one request at a time.
 * - An idempotency key makes at most one change, ever: its answer is written in the transaction of the work.
 * - When the response to COMMIT is lost, the next attempt takes the same locks and looks for the events of the earlier one
 *   before it does anything. So a change is never made twice and never denied.
 */
import assert from 'node:assert/strict'
import { identityOf } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { isDateSure } from '../../domain/clock.ts'
import { type Moment, momentOf } from '../../domain/moment.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { type Database, isLockTimeout, isUnavailable, type Transaction } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { type Batcher, type BatchLimits, createBatcher } from './batcher.ts'
import type {
  Answer,
  AnswerWriter,
  Change,
  Decided,
  DecisionContext,
  Done,
  Origin,
  Requester,
  Result,
  Seal,
} from './change.ts'
import { ClockUnsureError, OutcomeUnknownError } from './faults.ts'
import { gatherWrites } from './gathered-writes.ts'
import { persist } from './persistence.ts'
import {
  type BookSnapshot,
  type EarlierAnswer,
  findEvents,
  type KeptAnswer,
  keepBusinessDate,
  limitLockWait,
  type Recording,
  type RequestTrace,
  readBookSnapshot,
  readClockOffset,
  recordTraces,
} from './recording.ts'
import { createVersionCache, type VersionCache } from './version-cache.ts'

export type Engine = {
  db: Database
  /** Real time, whatever a test book's own clock says. */
  clock: () => Date
  versions: VersionCache
  /** Joins the queue of its book and change. */
  submit: Submit
  /** Immediately and alone, for jobs that make their own batches. */
  perform: Submit
  /** Several requests of one book in one transaction, in order; for jobs. */
  performTogether: <Request, Locked, Known, Value>(
    change: Change<Request, Locked, Known, Value>,
    requests: readonly { origin: Origin; request: Request; answer: AnswerWriter<Value> }[],
  ) => Promise<Result<Value>[]>
  /** What a change would decide now, without carrying it out. */
  tryOut: <Request, Locked, Known, Value>(
    change: Change<Request, Locked, Known, Value>,
    book: Book,
    request: Request,
    by: Requester,
  ) => Promise<Decided<Value> | Refusal>
  /** The same of several requests, each after those before it and with its key: what performTogether would answer. */
  tryOutTogether: Engine['performTogether']
  /** The book's own time, for reads. */
  momentIn: (book: Book) => Promise<Moment>
  /** Requests waiting for a transaction, in all books. */
  waiting: () => number
  /** Those, and the ones in transactions. */
  unfinished: () => number
  /** Whether a request of this book would be rejected now, because its queue is full. */
  isFull: AskQueue
  /** Whether that is the case for any change of any book. */
  isAnyFull: () => boolean
}

type Submit = <Request, Locked, Known, Value>(
  change: Change<Request, Locked, Known, Value>,
  origin: Origin,
  request: Request,
  /** Needed where the origin has an idempotency key. */
  answer?: AnswerWriter<Value>,
) => Promise<Result<Value>>

type AskQueue = <Request, Locked, Known, Value>(
  change: Change<Request, Locked, Known, Value>,
  bookId: string,
) => boolean

/** The engine itself does not look into requests and values. */
type Erased = Change<unknown, unknown, unknown, unknown>

type Submitted = {
  origin: Origin
  by: Requester
  request: unknown
  answer: AnswerWriter<unknown> | undefined
  /** The same in every attempt, so that an attempt finds, or collides with, an earlier one that was committed. */
  eventIds: string[]
}

export function createEngine(options: {
  db: Database
  clock: () => Date
  limits: BatchLimits
  observeBatch?: (batchSize: number) => void
  /** Whether the clock agrees with the database's; by default always. */
  isClockSure?: () => boolean
}): Engine {
  const { db, clock, limits, observeBatch, isClockSure = () => true } = options
  const versions = createVersionCache()
  const batchers = new Map<Erased, Batcher<Submitted, Result<unknown>>>()

  return {
    db,
    clock,
    versions,
    submit: (change, origin, request, answer) =>
      isTooNew(origin)
        ? Promise.resolve(refuse('key_too_new', { works_from: origin.worksFrom!.toISOString() }))
        : isClockSure()
          ? (batcherOf(change as unknown as Erased).submit(
              origin.book.bookId,
              submitted(origin, request, answer as AnswerWriter<unknown> | undefined),
            ) as Promise<Result<never>>)
          : Promise.reject(CLOCKS_DIFFER),
    perform: async (change, origin, request, answer) => {
      if (!isClockSure()) throw CLOCKS_DIFFER
      const batch = [submitted(origin, request, answer as AnswerWriter<unknown> | undefined)]
      const [result] = await runBatch(change as unknown as Erased, batch)
      return result as Result<never>
    },
    performTogether: async (change, requests) => {
      if (!isClockSure()) throw CLOCKS_DIFFER
      const batch = requests.map(({ origin, request, answer }) =>
        submitted(origin, request, answer as AnswerWriter<unknown>),
      )
      return (await runBatch(change as unknown as Erased, batch)) as Result<never>[]
    },
    tryOut: (change, book, request, by) =>
      db.transaction(async (tx) => {
        const [locked, snapshot] = await Promise.all([
          change.lock(tx, book.bookId, [request]),
          readBookSnapshot(tx, book.bookId, []),
        ])
        const at = contextOf(book, snapshot)
        const of = { requests: [request], requesters: [by], moment: at.moment }
        const known = await change.read(tx, { book, snapshot, versions, ...of }, locked)
        return change.decider(known, at)(request, by)
      }),
    tryOutTogether: (change, requests) =>
      db.transaction(async (tx) => {
        const erased = change as unknown as Erased
        const part = requests.map(({ origin, request, answer }) =>
          submitted(origin, request, answer as AnswerWriter<unknown>),
        )
        const { open, ...read } = await readPart(tx, erased, part, NONE)
        const { results } = decidePart(erased, open, read)
        return part.map((one) => results.get(one)!) as Result<never>[]
      }),
    momentIn: async (book) =>
      momentOf(book, clock(), book.mode === 'live' ? 0 : await readClockOffset(db, book.bookId)),
    waiting: () => batchers.values().reduce((sum, batcher) => sum + batcher.waiting(), 0),
    unfinished: () => batchers.values().reduce((sum, batcher) => sum + batcher.unfinished(), 0),
    isFull: (change, bookId) => batchers.get(change as unknown as Erased)?.isFull(bookId) ?? false,
    isAnyFull: () => batchers.values().some((batcher) => batcher.isAnyFull()),
  }

  /** Checked before anything is read: what a new key asks for must not show what exists. */
  function isTooNew({ worksFrom }: Origin): boolean {
    return worksFrom != null && clock() < worksFrom
  }

  function batcherOf(change: Erased): Batcher<Submitted, Result<unknown>> {
    const known = batchers.get(change)
    if (known !== undefined) return known
    const batcher = createBatcher<Submitted, Result<unknown>>({
      limits: { ...limits, batchMax: change.batchMax ?? limits.batchMax, severalBooks: !db.isSharded },
      ...(observeBatch && { observe: observeBatch }),
      run: (batch) => runBatch(change, batch),
      // A commit that may have happened is not run again, and an unavailable database fails all requests the same way.
      mayBeCausedBy: (part, error) =>
        !(error instanceof OutcomeUnknownError) &&
        (part === 'book' || !(error instanceof ClockUnsureError)) &&
        (!isUnavailable(error) || (part === 'book' && isLockTimeout(error))),
    })
    batchers.set(change, batcher)
    return batcher
  }

  async function runBatch(change: Erased, batch: readonly Submitted[]): Promise<Result<unknown>[]> {
    // In order of their ids, so that batches that share books take their locks in one order.
    const parts = [...Map.groupBy(batch, ({ origin }) => origin.book.bookId)]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, part]) => part)
    /** Results of an attempt whose commit was not confirmed. */
    const unconfirmed = new Map<Submitted, Done<unknown>>()

    return persist((inDoubt) =>
      db.transaction(async (tx) => {
        // What is started together is sent together, and runs in this order.
        const isLimited = parts.length > 1 && !inDoubt
        const [, ...books] = await Promise.all([
          isLimited && limitLockWait(tx, SHARED_LOCK_WAIT_MS),
          ...parts.map((part) => readPart(tx, change, part, inDoubt ? unconfirmed : NONE)),
        ])
        const writes = gatherWrites(tx)
        const results = new Map<Submitted, Result<unknown>>()
        for (const { open, ...read } of books) {
          const decided = decidePart(change, open, read)
          for (const [one, result] of decided.results) results.set(one, result)
          if (decided.values.length === 0) continue
          const ofBook = writes.ofNextBook()
          if (read.at.book.mode === 'live' && !change.needsNoDate) useDate(ofBook, read.snapshot, read.at)
          change.write(ofBook, read.at.book.bookId, decided.values, decided.recording)
          const traces = tracesOf(open, decided)
          if (traces !== null) recordTraces(ofBook, read.at.book.bookId, traces)
        }
        writes.send()
        // While an earlier attempt may still be running, only writes that did not conflict with its own prove that this
        // attempt is the change.
        if (inDoubt) await tx.written()
        for (const [one, result] of results) if (result.outcome === 'done') unconfirmed.set(one, result)
        return batch.map((one) => results.get(one) ?? unconfirmed.get(one)!)
      }),
    )
  }

  /** Comes before the rows of the book, so that a transaction that waits here holds nothing that another one needs. */
  function useDate(
    tx: Transaction,
    { latestDate }: BookSnapshot,
    { book, moment, now }: DecisionContext,
  ): void {
    if (moment.today === latestDate) return
    if (!isDateSure(book, now, latestDate)) throw new ClockUnsureError('The business date would jump.')
    // The books of a sharded database are on all servers: there the job alone keeps the date.
    const isNew = latestDate === null || latestDate < moment.today
    if (isNew && !db.isSharded) keepBusinessDate(tx, book.bookId, moment.today)
  }

  /** Locks and reads what the requests of one book need; `open` are those that no earlier attempt has committed. */
  async function readPart(
    tx: Transaction,
    change: Erased,
    part: readonly Submitted[],
    unconfirmed: ReadonlyMap<Submitted, unknown>,
  ) {
    const { book } = part[0]!.origin
    const requests = part.map((one) => one.request)
    const keys = part.flatMap((one) => one.origin.idempotency?.key ?? [])
    const [locked, snapshot] = await Promise.all([
      change.lock(tx, book.bookId, requests),
      readBookSnapshot(tx, book.bookId, keys),
    ])
    const committed = await findCommitted(
      tx,
      book.bookId,
      part.filter((one) => unconfirmed.has(one)),
    )
    const at = contextOf(book, snapshot)
    const requesters = part.map(({ by }) => by)
    const context = { book, requests, requesters, snapshot, versions, moment: at.moment }
    const known = await change.read(tx, context, locked)
    return { at, known, snapshot, open: part.filter((one) => !committed.has(one)) }
  }

  function contextOf(book: Book, snapshot: BookSnapshot): DecisionContext {
    const now = clock()
    return { book, moment: momentOf(book, now, snapshot.clockOffsetMs), now }
  }

  /** Decides the requests of one book one after the other, and collects what they write. */
  function decidePart(
    change: Erased,
    part: readonly Submitted[],
    read: { known: unknown; snapshot: BookSnapshot; at: DecisionContext },
  ) {
    const { at } = read
    const decide = change.decider(read.known, at)
    const answers = new Map(read.snapshot.answers)
    const results = new Map<Submitted, Result<unknown>>()
    const values: unknown[] = []
    const recording: Recording = { events: [], answers: [] }

    for (const one of part) {
      const { origin } = one
      const earlier = origin.idempotency === null ? undefined : answers.get(origin.idempotency.key)
      if (earlier !== undefined) {
        results.set(one, replay(earlier, origin))
        continue
      }
      const decision = decide(one.request, one.by)
      if (decision.outcome === 'refused') {
        results.set(one, decision)
        continue
      }
      const { value } = decision
      values.push(value)
      change.events(value, at).forEach((draft, index) => {
        one.eventIds[index] ??= draft.eventId ?? newId('evt')
        recording.events.push({
          ...draft,
          eventId: one.eventIds[index],
          actor: origin.actor,
          requestId: origin.requestId,
          at: at.moment.at,
        })
      })
      const answer = one.answer?.(value) ?? null
      if (origin.idempotency !== null) {
        assert(answer !== null, 'a request with an idempotency key says how it is answered')
        const kept: KeptAnswer = {
          ...origin.idempotency,
          status: answer.status,
          body: textToKeep(answer, origin.seal),
          madeId: answer.madeId ?? null,
          at: at.moment.at,
        }
        answers.set(kept.key, kept)
        recording.answers.push(kept)
      }
      results.set(one, { outcome: 'done', value, answer })
    }
    // Keys are taken in one order, like row locks: batches that share some queue instead of deadlocking.
    recording.answers.sort((left, right) => (left.key < right.key ? -1 : 1))
    return { results, values, recording, at }
  }
}

/** Shared instance: capturing a stack trace per rejection would dominate its cost. */
const CLOCKS_DIFFER = new ClockUnsureError('The clocks of the service and of the database differ.')

/**
 * How long a batch of several books waits for a lock. After that each book is run alone, with the usual limit: longer
 * than transactions usually take, so that this is rare, and short enough that no book notices the locks of another.
 */
const SHARED_LOCK_WAIT_MS = 100

function requesterOf({ actor, votes }: Origin): Requester {
  const identity = identityOf(actor)
  return votes === undefined ? { identity } : { identity, votes }
}

const NONE: ReadonlyMap<Submitted, unknown> = new Map()

function submitted(origin: Origin, request: unknown, answer: AnswerWriter<unknown> | undefined): Submitted {
  return { origin, by: requesterOf(origin), request, answer, eventIds: [] }
}

/** Of the requests that were carried out and came with one; null: of none, as most batches. */
function tracesOf(
  part: readonly Submitted[],
  { results, at }: { results: ReadonlyMap<Submitted, Result<unknown>>; at: DecisionContext },
): RequestTrace[] | null {
  let traces: RequestTrace[] | null = null
  for (const one of part) {
    const { requestId, traceparent } = one.origin
    if (traceparent === undefined || requestId === null || results.get(one)!.outcome !== 'done') continue
    traces ??= []
    traces.push({ requestId, traceparent, at: at.moment.at })
  }
  return traces
}

/** Those whose events exist: the whole transaction of the earlier attempt was committed. */
async function findCommitted(
  tx: Transaction,
  bookId: string,
  unconfirmed: readonly Submitted[],
): Promise<Set<Submitted>> {
  const waiting = unconfirmed.filter((one) => one.eventIds.length > 0)
  if (waiting.length === 0) return new Set()
  const found = await findEvents(
    tx,
    bookId,
    waiting.map((one) => one.eventIds[0]!),
  )
  return new Set(waiting.filter((one) => found.has(one.eventIds[0]!)))
}

function replay(earlier: EarlierAnswer, origin: Origin): Result<never> {
  const body = keptText(earlier.body, origin.seal)
  if (body === null || earlier.fingerprint !== origin.idempotency?.fingerprint) {
    return refuse('idempotency_key_reused')
  }
  return { outcome: 'replayed', answer: { status: earlier.status, body, madeId: earlier.madeId } }
}

/** No plain answer begins like this, because those are JSON objects. */
const SEALED = 'sealed:'

function textToKeep(answer: Answer, seal: Seal | undefined): string {
  return answer.secret && seal ? SEALED + seal.close(answer.body) : answer.body
}

function keptText(kept: string, seal: Seal | undefined): string | null {
  if (!kept.startsWith(SEALED)) return kept
  return seal?.open(kept.slice(SEALED.length)) ?? null
}
