/**
 * What every committed change records, in its own transaction: one event (the audit trail and, where announced, the
 * outbox) with a delivery for each subscribed endpoint, and the answer to its idempotency key. So a key exists if and
 * only if its work does, and subscribers receive exactly what was committed.
 */
import type { Actor } from '../../domain/actor.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { DOCUMENT_KINDS, type NewestVersions } from '../../domain/document.ts'
import type { Queries, Transaction } from '../database/database.ts'
import { TextArray } from '../database/encoding.ts'
import { nextOrdinal } from '../database/ids.ts'
import {
  type BookOfRows,
  columnNames,
  type FromRows,
  type Rows,
  statementOverRows,
} from '../database/rows.ts'

export type ChangeEvent = {
  eventId: string
  type: string
  announced: boolean
  subjectId: string
  actor: Actor
  requestId: string | null
  at: Date
  /** JSON text that subscribers may see. */
  data: string
  /** JSON text of old and new values, for the audit log alone. */
  changes: string | null
}

/** The part of an answer that is stored for replays. */
export type KeptAnswer = {
  key: string
  fingerprint: string
  status: number
  body: string
  /** What the change made, for a door that does not answer with the text. */
  madeId: string | null
  at: Date
}

/** What a transaction records besides its own rows. */
export type Recording = { events: ChangeEvent[]; answers: KeptAnswer[] }

const eventRows: Rows<ChangeEvent> = {
  event_id: ['text', (event) => event.eventId],
  ordinal: ['bigint', nextOrdinal],
  type: ['text', (event) => event.type],
  announced: ['boolean', (event) => event.announced],
  subject_id: ['text', (event) => event.subjectId],
  // A key has its own column; any other actor uses the two columns below.
  api_key_id: ['text', ({ actor }) => (actor.kind === 'KEY' ? actor.id : null)],
  actor_kind: ['text', ({ actor }) => (actor.kind === 'KEY' ? null : actor.kind)],
  actor_id: ['text', ({ actor }) => (actor.kind === 'KEY' ? null : actor.id)],
  request_id: ['text', (event) => event.requestId],
  occurred_at: ['timestamptz', (event) => event.at],
  data: ['text', (event) => event.data],
  changes: ['text', (event) => event.changes],
}

const answerRows: Rows<KeptAnswer> = {
  idempotency_key: ['text', (answer) => answer.key],
  fingerprint: ['text', (answer) => answer.fingerprint],
  status: ['int4', (answer) => answer.status],
  answer: ['text', (answer) => answer.body],
  made_id: ['text', (answer) => answer.madeId],
  created_at: ['timestamptz', (answer) => answer.at],
}

/** The trace that came with a request, as W3C Trace Context has it. */
export type RequestTrace = { requestId: string; traceparent: string; at: Date }

const traceRows: Rows<RequestTrace> = {
  request_id: ['text', (trace) => trace.requestId],
  traceparent: ['text', (trace) => trace.traceparent],
  created_at: ['timestamptz', (trace) => trace.at],
}

/** What every change writes besides its own rows. */
export const recordingRows = { event: eventRows, answer: answerRows }

/** The rows of one recording. */
export function recordedRows({ events, answers }: Recording) {
  return { event: events, answer: answers }
}

const eventColumns = columnNames(eventRows)
const answerColumns = columnNames(answerRows)

/**
 * Shared by every statement that writes a change. Each insert unnests the arrays itself: a sharded database would send a
 * CTE without a book to all workers, and commit every change in two phases on all of them.
 */
export function recordingCtes(
  from: FromRows<typeof recordingRows>,
  book: BookOfRows<typeof recordingRows>,
): string {
  return `
    recorded_events as (
      insert into events (book_id, ${eventColumns})
      select ${book.event}, ${eventColumns}
      from ${from.event}
      returning 1
    ),
    recorded_deliveries as (
      insert into webhook_deliveries (
        book_id, webhook_endpoint_id, ordinal, event_id, status, attempts, next_attempt_at, created_at)
      select ${book.event}, endpoint.webhook_endpoint_id, event.ordinal, event.event_id, 'PENDING', 0, event.occurred_at,
             event.occurred_at
      from webhook_endpoints endpoint
      join ${from.event} on event.announced and endpoint.event_types && array['*', event.type]
      where endpoint.book_id = ${book.event}
        and endpoint.status = 'ENABLED'
      returning 1
    ),
    recorded_answers as (
      insert into idempotency_keys (book_id, ${answerColumns})
      select ${book.answer}, ${answerColumns}
      from ${from.answer}
      returning 1
    )`
}

/** The newest version of each document, of a row of books. */
export function versionColumns(table: string): string {
  return Object.values(DOCUMENT_KINDS)
    .map((name) => `${table}.${name}_version`)
    .join(', ')
}

export function versionsOf(row: object | undefined): NewestVersions {
  const found = (row ?? {}) as Record<string, number>
  return Object.fromEntries(
    Object.entries(DOCUMENT_KINDS).map(([kind, name]) => [kind, found[`${name}_version`] ?? 0]),
  ) as NewestVersions
}

const recordingStatement = statementOverRows(
  recordingRows,
  (from, book) => `
    with ${recordingCtes(from, book)}
    select 1`,
)

// A book without endpoints stores none. A second endpoint, or a second change of the same request, adds no row.
const tracesStatement = statementOverRows(
  { trace: traceRows },
  (from, book) => `
    insert into request_traces (book_id, request_id, traceparent, created_at)
    select endpoint.book_id, trace.request_id, trace.traceparent, trace.created_at
    from webhook_endpoints endpoint
    join ${from.trace} on true
    where endpoint.book_id = ${book.trace}
    on conflict (book_id, request_id) do nothing`,
)

export const statements = {
  record: recordingStatement,
  recordTraces: tracesStatement,

  // The book's clock and earlier answers to its keys. A separate statement on purpose: it runs after the locks were
  // granted, so it sees what the transaction it waited for has committed. One lookup per key, because for a list of
  // keys PostgreSQL may choose to read all keys of the book, a plan that gets slower with every key.
  readBookSnapshot: `
    select book.clock_offset_ms, ${versionColumns('book')}, book.latest_business_date,
           answer.idempotency_key, answer.fingerprint, answer.status, answer.answer, answer.made_id
    from books book
    left join (
      unnest($2::text[]) as asked(key)
      cross join lateral (
        select idempotency_key, fingerprint, status, answer, made_id
        from idempotency_keys
        where book_id = $1
          and idempotency_key = asked.key
        limit 1
      ) as answer
    ) on true
    where book.book_id = $1`,

  // Once a day in each live book.
  keepBusinessDate: `
    update books
    set latest_business_date = $2::date
    where book_id = $1
      and coalesce(latest_business_date < $2::date, true)`,

  limitLockWait: `
    select set_config('lock_timeout', $1, true)`,

  readClockOffset: `
    select clock_offset_ms
    from books
    where book_id = $1`,

  findEvents: `
    select event_id
    from events
    where book_id = $1
      and event_id = any($2::text[])`,
}

export function record(tx: Transaction, bookId: string, { events, answers }: Recording): void {
  if (events.length + answers.length === 0) return
  tx.write(statements.record.of(bookId, { event: events, answer: answers }))
}

/** Only for requests that came with a trace: others send no statement for it. */
export function recordTraces(tx: Transaction, bookId: string, traces: readonly RequestTrace[]): void {
  tx.write(statements.recordTraces.of(bookId, { trace: traces }))
}

export type EarlierAnswer = Pick<KeptAnswer, 'fingerprint' | 'status' | 'body' | 'madeId'>

/** What every transaction needs to know about its book. */
export type BookSnapshot = {
  clockOffsetMs: number
  versions: NewestVersions
  /** The highest business date a live book has used; null: none yet. */
  latestDate: IsoDate | null
  answers: Map<string, EarlierAnswer>
}

type SnapshotRow = {
  clock_offset_ms: bigint
  latest_business_date: string | null
  idempotency_key: string | null
  fingerprint: string
  status: number
  answer: string
  made_id: string | null
}

export async function readBookSnapshot(
  tx: Queries,
  bookId: string,
  keys: readonly string[],
): Promise<BookSnapshot> {
  const rows = await tx.query<SnapshotRow>(statements.readBookSnapshot, [bookId, new TextArray(keys)])
  const answers = new Map<string, EarlierAnswer>()
  for (const row of rows) {
    if (row.idempotency_key === null) continue
    const { fingerprint, status, answer: body, made_id: madeId } = row
    answers.set(row.idempotency_key, { fingerprint, status, body, madeId })
  }
  return {
    clockOffsetMs: Number(rows[0]?.clock_offset_ms ?? 0n),
    versions: versionsOf(rows[0]),
    latestDate: (rows[0]?.latest_business_date ?? null) as IsoDate | null,
    answers,
  }
}

export function keepBusinessDate(tx: Transaction, bookId: string, date: IsoDate): void {
  tx.write(statements.keepBusinessDate, [bookId, date])
}

/** The same by itself, for a book without changes. */
export async function followBusinessDate(db: Queries, bookId: string, date: IsoDate): Promise<void> {
  await db.query(statements.keepBusinessDate, [bookId, date])
}

/** Limits each wait for a lock for the rest of the transaction. */
export async function limitLockWait(tx: Queries, waitMs: number): Promise<void> {
  await tx.query(statements.limitLockWait, [`${waitMs}ms`])
}

/** How far a test book's clock was moved forward; zero for a live book. */
export async function readClockOffset(db: Queries, bookId: string): Promise<number> {
  const [row] = await db.query<{ clock_offset_ms: bigint }>(statements.readClockOffset, [bookId])
  return Number(row?.clock_offset_ms ?? 0n)
}

/** Which of these changes were committed. This settles an unknown outcome. */
export async function findEvents(
  tx: Queries,
  bookId: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ event_id: string }>(statements.findEvents, [bookId, eventIds])
  return new Set(rows.map((row) => row.event_id))
}
