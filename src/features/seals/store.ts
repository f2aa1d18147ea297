/**
 * Seals, and the rows they cover as leaves. The database itself writes and hashes the text of a leaf, so that each part of a
 * row counts as it is stored, to the microsecond.
 *
 * The leaves of a seal are its events by ordinal, then its ledger entries by id. A column that is added to either table
 * later is appended to the text where it is not null: earlier rows keep their hash.
 */
import type { BookSeal } from '../../domain/seal.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { entryIdAt, timeOf } from '../../engine/database/ids.ts'
import { HASH_LENGTH } from '../../engine/database/merkle.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'
import { instant, integer, ordinal, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'

/** What a seal leaves in the audit log, and what subscribers receive. */
export const SEALED = 'book.sealed'

const sealMap = rowMap<Omit<BookSeal, 'coversTo'>>({
  sealNo: integer('seal_no'),
  from: ordinal('from_ordinal'),
  to: ordinal('to_ordinal'),
  events: integer('events'),
  entries: integer('entries'),
  root: text('root'),
  head: text('head'),
  salt: text('salt'),
  sealedAt: instant('sealed_at'),
})

const sealColumns = sealMap.columns

function sealOf(row: object): BookSeal {
  const seal = sealMap.read(row)
  return { ...seal, coversTo: timeOf(seal.to) }
}

const insertion = statementOverRows(
  { seal: sealMap.rows },
  (from, book) => `
    insert into seals (book_id, ${sealColumns})
    select ${book.seal}, ${sealColumns}
    from ${from.seal}`,
)

/**
 * A row's columns with a colon between, before each text its length in bytes, -1 for one that is null: no other row has the
 * same leaf. (As JSON it took the database twice as long.) Of the others only the last may be null.
 */
function leafOf(kind: string, texts: readonly string[], others: readonly string[]): string {
  const columns = [...texts.map((text) => `coalesce(octet_length(${text}), -1), ${text}`), ...others]
  return `concat_ws(':', '${kind}', ${columns.join(', ')})`
}

/** Half the cost of extract, and as exact until the year 2200. */
function microseconds(column: string): string {
  return `(date_part('epoch', ${column}) * 1000000)::bigint`
}

/** $1 is the book, $2 the salt: who may read an event may not read old and new personal values. */
const eventLeaf = leafOf(
  'event',
  ['event_id', 'type', 'subject_id', 'api_key_id', 'actor_kind', 'actor_id', 'request_id', 'data'],
  [
    'ordinal',
    'announced',
    microseconds('occurred_at'),
    `encode(sha256(convert_to($2 || changes, 'UTF8')), 'hex')`,
  ],
)

const entryLeaf = leafOf(
  'entry',
  ['entry_id', 'kind', 'account_number', 'deposit_id', 'liquidation_id', 'narration', 'reverses'],
  ['accounts', 'amounts_minor', microseconds('created_at'), `business_date - date '2000-01-01'`],
)

/** The hashes of all leaves of a page, one after the other. */
function hashes(order: string): string {
  return `encode(
             string_agg(sha256('\\x00'::bytea || convert_to(leaf, 'UTF8')), ''::bytea order by ${order}), 'hex') as hashes`
}

export const statements = {
  // Rows are made with ordinals of their transaction's own time. A transaction that has written holds back everything after
  // its begin; one that has not is over before the margin has passed, because each of its waits is limited.
  readSettledTime: `
    select least(clock_timestamp(), min(xact_start)) as settled
    from pg_stat_activity
    where datname = current_database()
      and backend_xid is not null`,

  // The event of a seal waits for other events: otherwise an idle book would be sealed every minute.
  findUnsealed: `
    select event_id, ordinal
    from events
    where book_id = $1
      and ordinal > $2
      and ordinal <= $3
      and type <> '${SEALED}'
    order by ordinal
    limit 1`,

  hashEvents: `
    select count(*)::int4 as leaves, max(ordinal) as last, ${hashes('ordinal, event_id')}
    from (
      select ordinal, event_id, ${eventLeaf} as leaf
      from events
      where book_id = $1
        and ordinal > $3
        and ordinal <= $4
      order by ordinal
      fetch first ($5) rows with ties
    ) as page`,

  hashEntries: `
    select count(*)::int4 as leaves, max(entry_id) as last, ${hashes('entry_id')}
    from (
      select entry_id, ${entryLeaf} as leaf
      from ledger_entries
      where book_id = $1
        and entry_id > $2
        and entry_id <= $3
      order by entry_id
      limit $4
    ) as page`,

  // Where no seal covers it yet: its ordinal alone.
  findSealedEvent: `
    select event.ordinal, seal.seal_no, seal.from_ordinal, seal.to_ordinal, seal.events, seal.entries, seal.root, seal.head,
           seal.salt, seal.sealed_at
    from events event
    left join lateral (
      select ${sealColumns}
      from seals
      where seals.book_id = $1
        and seals.to_ordinal >= event.ordinal
      order by seals.to_ordinal
      limit 1
    ) as seal on true
    where event.book_id = $1
      and event.event_id = $2
      and event.announced`,

  readEventLeaf: `
    select ${eventLeaf} as leaf
    from events
    where book_id = $1
      and event_id = $3`,

  countEventsBefore: `
    select count(*)::int4 as events
    from events
    where book_id = $1
      and ordinal > $2
      and (ordinal, event_id) < ($3::bigint, $4)`,

  lockLastSeal: `
    select ${sealColumns}
    from seals
    where book_id = $1
    order by seal_no desc
    limit 1
    for update`,

  findLastSeal: `
    select ${sealColumns}
    from seals
    where book_id = $1
    order by seal_no desc
    limit 1`,

  findSeals: `
    select ${sealColumns}
    from seals
    where book_id = $1
      and seal_no = any($2::int4[])
    order by seal_no`,

  listSeals: `
    select seal_no::bigint as ordinal, ${sealColumns}
    from seals
    where book_id = $1
      and seal_no < $2::bigint
    order by seal_no desc
    limit $3`,

  readSeals: `
    select ${sealColumns}, ${microseconds('sealed_at')} as sealed_us
    from seals
    where book_id = $1
      and seal_no > $2
    order by seal_no
    limit $3`,

  // In one snapshot, because a seal and its event are made together.
  countSeals: `
    select (select count(*) from seals where book_id = $1) as seals,
           (select count(*) from events where book_id = $1 and type = '${SEALED}') as events,
           (select head from seals where book_id = $1 order by seal_no desc limit 1) as head,
           (select data::json ->> 'head' from events where book_id = $1 and type = '${SEALED}' order by ordinal desc limit 1)
             as event_head`,

  readNewestRows: `
    select (select max(ordinal) from events where book_id = $1) as event,
           (select max(entry_id) from ledger_entries where book_id = $1) as entry`,

  insertSeal: insertion,
}

/** Transactions that began before it have ended, except those that only read. */
export async function readSettledTime(db: Queries): Promise<Date> {
  const [row] = await db.query<{ settled: Date }>(statements.readSettledTime)
  return row!.settled
}

type Span = { from: bigint; to: bigint }

/** The oldest event that waits for a seal. */
export async function findUnsealed(
  db: Queries,
  bookId: string,
  { from, to }: Span,
): Promise<{ eventId: string; ordinal: bigint } | undefined> {
  const [row] = await db.query<{ event_id: string; ordinal: bigint }>(statements.findUnsealed, [
    bookId,
    from,
    to,
  ])
  return row && { eventId: row.event_id, ordinal: row.ordinal }
}

/** A page of leaves; `last` is where the next one continues. */
export type Leaves<Last> = { hashes: string[]; last: Last | null }

type HashedPage<Last> = { leaves: number; last: Last | null; hashes: string | null }

export async function hashEvents(
  db: Queries,
  bookId: string,
  { salt, from, to, limit }: Span & { salt: string; limit: number },
): Promise<Leaves<bigint>> {
  const parameters = [bookId, salt, from, to, limit]
  const [row] = await db.query<HashedPage<bigint>>(statements.hashEvents, parameters)
  return leavesOf(row!)
}

/** `after` is the id at which an earlier page ended. */
export async function hashEntries(
  db: Queries,
  bookId: string,
  { from, to, after, limit }: Span & { after: string | null; limit: number },
): Promise<Leaves<string>> {
  const bounds = [after ?? lowerEntryId(from), entryIdAt(to)]
  const [row] = await db.query<HashedPage<string>>(statements.hashEntries, [bookId, ...bounds, limit])
  return leavesOf(row!)
}

/** No id is before that of the first range. */
function lowerEntryId(from: bigint): string {
  return from < 0n ? '' : entryIdAt(from)
}

function leavesOf<Last>({ leaves, last, hashes }: HashedPage<Last>): Leaves<Last> {
  const hashAt = (index: number) => hashes!.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH)
  return { last, hashes: Array.from({ length: leaves }, (_, index) => hashAt(index)) }
}

/** An announced event, and the seal that covers it, if one does. */
export async function findSealedEvent(
  db: Queries,
  bookId: string,
  eventId: string,
): Promise<{ ordinal: bigint; seal: BookSeal | null } | undefined> {
  const [row] = await db.query<{ ordinal: bigint; seal_no: number | null }>(statements.findSealedEvent, [
    bookId,
    eventId,
  ])
  return row && { ordinal: row.ordinal, seal: row.seal_no === null ? null : sealOf(row) }
}

export async function readEventLeaf(
  db: Queries,
  bookId: string,
  { salt, eventId }: { salt: string; eventId: string },
): Promise<string> {
  const [row] = await db.query<{ leaf: string }>(statements.readEventLeaf, [bookId, salt, eventId])
  return row!.leaf
}

/** The place of an event among the leaves of its seal. */
export async function countEventsBefore(
  db: Queries,
  bookId: string,
  { from, ordinal, eventId }: { from: bigint; ordinal: bigint; eventId: string },
): Promise<number> {
  const parameters = [bookId, from, ordinal, eventId]
  const [row] = await db.query<{ events: number }>(statements.countEventsBefore, parameters)
  return row!.events
}

export async function lockLastSeal(tx: Queries, bookId: string): Promise<BookSeal | null> {
  const [row] = await tx.query<object>(statements.lockLastSeal, [bookId])
  return row === undefined ? null : sealOf(row)
}

export async function findLastSeal(db: Queries, bookId: string): Promise<BookSeal | null> {
  const [row] = await db.query<object>(statements.findLastSeal, [bookId])
  return row === undefined ? null : sealOf(row)
}

export async function findSeals(
  db: Queries,
  bookId: string,
  sealNos: readonly number[],
): Promise<Map<number, BookSeal>> {
  const rows = await db.query<object>(statements.findSeals, [bookId, sealNos])
  return new Map(rows.map(sealOf).map((seal) => [seal.sealNo, seal]))
}

/** The newest first. */
export async function listSeals(db: Queries, bookId: string, page: PageRequest): Promise<Page<BookSeal>> {
  const rows = await db.query<{ ordinal: bigint }>(statements.listSeals, [bookId, ...pageParameters(page)])
  return pageOf(rows, page, sealOf)
}

/** Oldest first, with the stored time to the microsecond. */
export async function readSeals(
  db: Queries,
  bookId: string,
  { after, limit }: { after: number; limit: number },
): Promise<(BookSeal & { sealedUs: bigint })[]> {
  const rows = await db.query<{ sealed_us: bigint }>(statements.readSeals, [bookId, after, limit])
  return rows.map((row) => ({ ...sealOf(row), sealedUs: row.sealed_us }))
}

export type SealCounts = { seals: bigint; events: bigint; head: string | null; event_head: string | null }

export async function countSeals(db: Queries, bookId: string): Promise<SealCounts> {
  const [row] = await db.query<SealCounts>(statements.countSeals, [bookId])
  return row!
}

export async function readNewestRows(
  db: Queries,
  bookId: string,
): Promise<{ event: bigint | null; entry: string | null }> {
  const [row] = await db.query<{ event: bigint | null; entry: string | null }>(statements.readNewestRows, [
    bookId,
  ])
  return row!
}

export function insertSeal(tx: Transaction, bookId: string, seal: BookSeal): void {
  tx.write(statements.insertSeal.of(bookId, { seal: [seal] }))
}
