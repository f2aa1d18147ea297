/**
 * Rows that may go after some time: answers to idempotency keys, delivered messages, traces of requests, sessions and
 * devices; links of people that have expired, and previews of requests that were decided. The ledger, events and the audit
 * log stay.
 *
 * Tables of books are walked in the order of their keys, a range at a time: an index by age would cost every request.
 */
import type { IsoDate } from '../../domain/dates.ts'
import type { Queries } from '../../engine/database/database.ts'

export const statements = {
  nextAnswers: `
    select max(idempotency_key) as up_to, count(*)::int4 as keys
    from (
      select idempotency_key
      from idempotency_keys
      where book_id = $1
        and idempotency_key > $2
      order by idempotency_key
      limit $3
    ) as page`,

  // Keys of lines of batches have a line feed, which no caller can send: a line takes effect once, however late it comes again.
  removeAnswers: `
    delete from idempotency_keys
    where book_id = $1
      and idempotency_key > $2
      and idempotency_key <= $3
      and created_at < $4
      and position(chr(10) in idempotency_key) = 0
    returning 1`,

  nextDeliveries: `
    select count(*)::int4 as keys,
           (array_agg(webhook_endpoint_id || ' ' || ordinal order by webhook_endpoint_id desc, ordinal desc))[1] as up_to
    from (
      select webhook_endpoint_id, ordinal
      from webhook_deliveries
      where book_id = $1
        and (webhook_endpoint_id, ordinal) > (split_part($2, ' ', 1), split_part($2 || ' 0', ' ', 2)::bigint)
      order by webhook_endpoint_id, ordinal
      limit $3
    ) as page`,

  // One that failed can be sent again, and stays.
  removeDeliveries: `
    delete from webhook_deliveries
    where book_id = $1
      and (webhook_endpoint_id, ordinal) > (split_part($2, ' ', 1), split_part($2 || ' 0', ' ', 2)::bigint)
      and (webhook_endpoint_id, ordinal) <= (split_part($3, ' ', 1), split_part($3, ' ', 2)::bigint)
      and status = 'DELIVERED'
      and created_at < $4
    returning 1`,

  nextRequests: `
    select max(approval_id) as up_to, count(*)::int4 as keys
    from (
      select approval_id
      from approvals
      where book_id = $1
        and approval_id > $2
      order by approval_id
      limit $3
    ) as page`,

  // Who asked for what, and who decided, stays.
  removePreviews: `
    update approvals
    set preview = '{}'
    where book_id = $1
      and approval_id > $2
      and approval_id <= $3
      and decided_at < $4
      and preview <> '{}'
      returning 1`,

  nextTraces: `
    select max(request_id) as up_to, count(*)::int4 as keys
    from (
      select request_id
      from request_traces
      where book_id = $1
        and request_id > $2
      order by request_id
      limit $3
    ) as page`,

  removeTraces: `
    delete from request_traces
    where book_id = $1
      and request_id > $2
      and request_id <= $3
      and created_at < $4
    returning 1`,

  removeSessions: `
    delete from person_sessions
    where (caller_id, person_id, session_id) in (
      select caller_id, person_id, session_id
      from person_sessions
      where last_seen_at < $1
      order by caller_id, person_id, session_id
      limit $2)
    returning 1`,

  removeDevices: `
    delete from person_devices
    where (caller_id, person_id, device_id) in (
      select caller_id, person_id, device_id
      from person_devices
      where last_seen_at < $1
      order by caller_id, person_id, device_id
      limit $2)
    returning 1`,

  // The person stays. Without its link, a password that waits for the name of the first administrator is of no use.
  removeLinks: `
    update people
    set link_hash = null, link_purpose = null, link_expires_at = null, link_by = null, pending_hash = null
    where (caller_id, person_id) in (
      select caller_id, person_id
      from people
      where link_expires_at < $1
      order by caller_id, person_id
      limit $2)
    returning 1`,

  readSize: `
    select pg_database_size(current_database()) as bytes`,

  // The first measurement of a day counts.
  keepSize: `
    insert into database_sizes (taken_on, bytes)
    values ($1::date, $2)
    on conflict (taken_on) do nothing`,

  findEarlierSize: `
    select taken_on, bytes
    from database_sizes
    where taken_on >= $1::date
      and taken_on < $2::date
    order by taken_on
    limit 1`,

  listLargestTables: `
    select relname::text as name, pg_total_relation_size(oid) as bytes
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind = 'r'
    order by bytes desc, relname
    limit $1`,
}

/** `approvals`: their previews alone. */
export type WalkedTable = 'idempotency_keys' | 'webhook_deliveries' | 'request_traces' | 'approvals'
/** `people`: their links alone. */
export type PersonTable = 'person_sessions' | 'person_devices' | 'people'
export type RetainedTable = WalkedTable | PersonTable

type Step = { after: string; limit: number; before: Date }

/** Removes what is older in the next range of keys. `after` is where the walk goes on; null: it is at its end. */
export async function removeInRange(
  db: Queries,
  bookId: string,
  { table, after, limit, before }: Step & { table: WalkedTable },
): Promise<{ removed: number; after: string | null }> {
  const { next, remove } = WALKS[table]
  const [range] = await next(db, [bookId, after, limit])
  const { up_to: upTo, keys } = range!
  if (upTo === null) return { removed: 0, after: null }
  const rows = await remove(db, [bookId, after, upTo, before])
  return { removed: rows.length, after: keys < limit ? null : upTo }
}

type Range = { up_to: string | null; keys: number }
type Walk = {
  next: (db: Queries, values: unknown[]) => Promise<Range[]>
  remove: (db: Queries, values: unknown[]) => Promise<unknown[]>
}

const WALKS: Record<WalkedTable, Walk> = {
  idempotency_keys: {
    next: (db, values) => db.query(statements.nextAnswers, values),
    remove: (db, values) => db.query(statements.removeAnswers, values),
  },
  webhook_deliveries: {
    next: (db, values) => db.query(statements.nextDeliveries, values),
    remove: (db, values) => db.query(statements.removeDeliveries, values),
  },
  approvals: {
    next: (db, values) => db.query(statements.nextRequests, values),
    remove: (db, values) => db.query(statements.removePreviews, values),
  },
  request_traces: {
    next: (db, values) => db.query(statements.nextTraces, values),
    remove: (db, values) => db.query(statements.removeTraces, values),
  },
}

const REMOVALS: Record<PersonTable, (db: Queries, values: unknown[]) => Promise<unknown[]>> = {
  person_sessions: (db, values) => db.query(statements.removeSessions, values),
  person_devices: (db, values) => db.query(statements.removeDevices, values),
  people: (db, values) => db.query(statements.removeLinks, values),
}

/** Those that were not used since, or expired before; at most as many as the limit. */
export async function removeUnused(
  db: Queries,
  { table, before, limit }: { table: PersonTable; before: Date; limit: number },
): Promise<number> {
  return (await REMOVALS[table](db, [before, limit])).length
}

export async function readSize(db: Queries): Promise<bigint> {
  const [row] = await db.query<{ bytes: bigint }>(statements.readSize)
  return row!.bytes
}

export async function keepSize(db: Queries, on: IsoDate, bytes: bigint): Promise<void> {
  await db.query(statements.keepSize, [on, bytes])
}

/** The first measurement in a span that ends before a day. */
export async function findEarlierSize(
  db: Queries,
  { from, before }: { from: IsoDate; before: IsoDate },
): Promise<{ on: IsoDate; bytes: bigint } | undefined> {
  const [row] = await db.query<{ taken_on: IsoDate; bytes: bigint }>(statements.findEarlierSize, [
    from,
    before,
  ])
  return row && { on: row.taken_on, bytes: row.bytes }
}

/** Sizes include indexes. */
export function listLargestTables(db: Queries, limit: number): Promise<{ name: string; bytes: bigint }[]> {
  return db.query(statements.listLargestTables, [limit])
}
