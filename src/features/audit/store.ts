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
import { type FiltersOf, listOf, newestOf, where } from '../../engine/database/list.ts'
import {
  ABOVE_ALL,
  filterClauses,
  type Page,
  type PageRequest,
  type Placed,
} from '../../engine/database/pages.ts'
import { computed, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { ALL_ROWS, type ListWindow } from '../../engine/database/window.ts'
import { actorOf, eventColumns } from '../events/store.ts'

const SCANNED_MAX = 50_000

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

export const indexedClauses = { subjectId: where('subject_id = ?'), action: where('type = ?') }

export const statements = {
  listScanned: listOf(
    newestOf(`ordinal, ${eventColumns}, subject_id, changes`, 'events event'),
    {
      ...indexedClauses,
      apiKeyId: where('api_key_id = ?'),
      /** The API key, person, job or operator; rows written before actors were recorded do not match. */
      actorId: where('coalesce(api_key_id, actor_id) = ?'),
      actorKind: where<ActorKind>(`case when api_key_id is null then actor_kind else 'KEY' end = ?`),
      from: where<Date>('occurred_at >= ?::timestamptz'),
      to: where<Date>('occurred_at < ?::timestamptz'),
      scanEnd: where<bigint | null>('ordinal > ?::bigint'),
    },
    changeMap,
  ),

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

export type AuditFilters = Omit<FiltersOf<typeof statements.listScanned>, 'scanEnd'>
export const changeOf = changeMap.read

export async function listChanges(
  db: Queries,
  bookId: string,
  filters: AuditFilters,
  page: PageRequest,
  scannedMax: number = SCANNED_MAX,
): Promise<Page<AuditedChange>> {
  const scanEnd = await findScanEnd(db, bookId, filters, { page, scannedMax })
  const found = await statements.listScanned(db, bookId, { ...filters, scanEnd }, page)
  // The next page begins with what this one left out.
  return found.next === null && scanEnd !== null ? { ...found, next: scanEnd + 1n } : found
}

/** The newest changes that people sort and count; those that ask for all of them have them looked for everywhere. */
export async function changeWindow(
  db: Queries,
  bookId: string,
  filters: AuditFilters,
  page: PageRequest<never>,
): Promise<ListWindow> {
  const asked = { page, scannedMax: SCANNED_MAX }
  const scanEnd = page === ALL_ROWS ? null : await findScanEnd(db, bookId, filters, asked)
  return { ...statements.listScanned.window(bookId, { ...filters, scanEnd }, page), isCut: scanEnd !== null }
}

/** null: the filters have an index, or there is nothing more to scan. */
async function findScanEnd(
  db: Queries,
  bookId: string,
  { subjectId, action, ...scanned }: AuditFilters,
  { page, scannedMax }: { page: PageRequest; scannedMax: number },
): Promise<bigint | null> {
  if (Object.keys(scanned).length === 0) return null
  const { text, values } = filterClauses({ subjectId, action }, indexedClauses, 4)
  const parameters = [bookId, page.before ?? ABOVE_ALL, scannedMax, ...values]
  const [row] = await db.query<Placed>(statements.findScanEnd(text), parameters)
  return row?.ordinal ?? null
}
