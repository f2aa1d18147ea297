/**
 * What every committed change records, in its own transaction: one event (the audit trail and, where announced, the
 * outbox) with a delivery for each subscribed endpoint, and the answer to its idempotency key. So a key exists if and
 * only if its work does, and subscribers receive exactly what was committed.
 */
import type { Actor } from '../../domain/actor.ts'
import type { Queries, Transaction } from '../database/database.ts'
import { nextOrdinal } from '../database/ids.ts'
import {
  type BookOfRows,
  columnNames,
  encodeTexts,
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
export type KeptAnswer = { key: string; fingerprint: string; status: number; body: string; at: Date }

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
  created_at: ['timestamptz', (answer) => answer.at],
}

/** What every change writes besides its own rows. */
export const recordingRows = { event: eventRows, answer: answerRows }

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

const recordingStatement = statementOverRows(
  recordingRows,
  (from, book) => `
    with ${recordingCtes(from, book)}
    select 1`,
)

export const statements = {
  record: recordingStatement.text,

  // The book's clock and earlier answers to its keys. A separate statement on purpose: it runs after the locks were
  // granted, so it sees what the transaction it waited for has committed. One lookup per key, because for a list of
  // keys PostgreSQL may choose to read all keys of the book, a plan that gets slower with every key.
  readBookSnapshot: `
    select book.clock_offset_ms, book.policy_version, book.tax_version,
           answer.idempotency_key, answer.fingerprint, answer.status, answer.answer
    from books book
    left join (
      unnest($2::text[]) as asked(key)
      cross join lateral (
        select idempotency_key, fingerprint, status, answer
        from idempotency_keys
        where book_id = $1
          and idempotency_key = asked.key
        limit 1
      ) as answer
    ) on true
    where book.book_id = $1`,

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
  tx.write(statements.record, recordingStatement.parameters(bookId, { event: events, answer: answers }))
}

type EarlierAnswer = Pick<KeptAnswer, 'fingerprint' | 'status' | 'body'>

/** What every transaction needs to know about its book. */
export type BookSnapshot = {
  clockOffsetMs: number
  /** The newest version of the approval policy; 0 where there is none. */
  policyVersion: number
  /** The newest version of the tax rules; 0 where there is none. */
  taxVersion: number
  answers: Map<string, EarlierAnswer>
}

type SnapshotRow = {
  clock_offset_ms: bigint
  policy_version: number
  tax_version: number
  idempotency_key: string | null
  fingerprint: string
  status: number
  answer: string
}

export async function readBookSnapshot(
  tx: Queries,
  bookId: string,
  keys: readonly string[],
): Promise<BookSnapshot> {
  const rows = await tx.query<SnapshotRow>(statements.readBookSnapshot, [bookId, encodeTexts(keys)])
  const answers = new Map<string, EarlierAnswer>()
  for (const row of rows) {
    if (row.idempotency_key === null) continue
    answers.set(row.idempotency_key, { fingerprint: row.fingerprint, status: row.status, body: row.answer })
  }
  return {
    clockOffsetMs: Number(rows[0]?.clock_offset_ms ?? 0n),
    policyVersion: rows[0]?.policy_version ?? 0,
    taxVersion: rows[0]?.tax_version ?? 0,
    answers,
  }
}

/** For the rest of the transaction. */
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
