/**
 * The audit log: every event of a book, announced or not, newest first.
 *
 * The work of every request is bounded, with the fewest indexes, because every liquidation pays for each index on
 * events. A subject and an action have an index; an actor and a period do not. With such a filter a page scans at most
 * SCANNED_MAX events and then ends, possibly before its limit, with a cursor that continues from there.
 */
import type { ActorKind } from '../../domain/actor.ts'
import type { AuditedChange } from '../../domain/event.ts'
import type { Queries } from '../../engine/database/database.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { computed, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from '../../engine/database/window.ts'
import { actorOf, eventColumns } from '../events/store.ts'

const SCANNED_MAX = 50_000

type IndexedFilters = { subjectId?: string; action?: string }
export type AuditFilters = IndexedFilters & {
  apiKeyId?: string
  /** The API key, person, job or operator; rows written before actors were recorded do not match. */
  actorId?: string
  actorKind?: ActorKind
  from?: Date
  to?: Date
}

const changeMap = rowMap<AuditedChange>({
  eventId: text('event_id'),
  action: text('type'),
  at: instant('occurred_at'),
  apiKeyId: text<string | null>('api_key_id'),
  requestId: text<string | null>('request_id'),
  subjectId: text('subject_id'),
  data: text('data'),
  changes: text<string | null>('changes'),
  actor: computed(actorOf),
})

export const statements = {
  listChanges: (clauses: string) => `
    select ordinal, ${eventColumns}, subject_id, changes
    from events event
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,

  // The first change that a scan leaves out.
  findScanEnd: (clauses: string) => `
    select ordinal
    from events
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    offset $3
    limit 1`,
}

export const indexedClauses: Record<keyof IndexedFilters, (parameter: string) => string> = {
  subjectId: (parameter) => `subject_id = ${parameter}`,
  action: (parameter) => `type = ${parameter}`,
}

export const auditClauses: Record<keyof AuditFilters | 'scanEnd', (parameter: string) => string> = {
  ...indexedClauses,
  apiKeyId: (parameter) => `api_key_id = ${parameter}`,
  actorId: (parameter) => `coalesce(api_key_id, actor_id) = ${parameter}`,
  actorKind: (parameter) => `case when api_key_id is null then actor_kind else 'KEY' end = ${parameter}`,
  from: (parameter) => `occurred_at >= ${parameter}::timestamptz`,
  to: (parameter) => `occurred_at < ${parameter}::timestamptz`,
  scanEnd: (parameter) => `ordinal > ${parameter}::bigint`,
}

export async function listChanges(
  db: Queries,
  bookId: string,
  filters: AuditFilters,
  page: PageRequest,
  scannedMax: number = SCANNED_MAX,
): Promise<Page<AuditedChange>> {
  const scanEnd = await scanEndOf(db, bookId, filters, { page, scannedMax })
  const rows = await readWindow<Placed>(db, windowOf(bookId, { ...filters, scanEnd }, page))
  const found = pageOf(rows, page, changeMap.read)
  // The next page begins with what this one left out.
  return found.next === null && scanEnd !== null ? { ...found, next: scanEnd + 1n } : found
}

export const changeOf = changeMap.read

/** The newest changes that people sort and count. */
export async function changeWindow(db: Queries, bookId: string, filters: AuditFilters): Promise<ListWindow> {
  const asked = { page: NEWEST_ROWS, scannedMax: SCANNED_MAX }
  return windowOf(bookId, { ...filters, scanEnd: await scanEndOf(db, bookId, filters, asked) }, NEWEST_ROWS)
}

function windowOf(
  bookId: string,
  filters: AuditFilters & { scanEnd: bigint | null },
  page: PageRequest,
): ListWindow {
  const { text, values } = filterClauses(filters, auditClauses, 4)
  return { text: statements.listChanges(text), values: [bookId, ...pageParameters(page), ...values] }
}

/** null: the filters have an index, or there is nothing more to scan. */
async function scanEndOf(
  db: Queries,
  bookId: string,
  filters: AuditFilters,
  asked: { page: PageRequest; scannedMax: number },
): Promise<bigint | null> {
  const { subjectId, action, ...scanned } = filters
  if (Object.keys(scanned).length === 0) return null
  const indexed = { ...(subjectId !== undefined && { subjectId }), ...(action !== undefined && { action }) }
  return findScanEnd(db, bookId, indexed, asked)
}

/** null: there is nothing more to scan. */
async function findScanEnd(
  db: Queries,
  bookId: string,
  indexed: IndexedFilters,
  asked: { page: PageRequest; scannedMax: number },
): Promise<bigint | null> {
  const { text, values } = filterClauses(indexed, indexedClauses, 4)
  const [before] = pageParameters(asked.page)
  const [row] = await db.query<Placed>(statements.findScanEnd(text), [
    bookId,
    before,
    asked.scannedMax,
    ...values,
  ])
  return row?.ordinal ?? null
}
