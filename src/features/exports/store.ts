/** The rows of a span of business dates, oldest first, a page at a time: memory does not grow with their number. */
import type { IsoDate } from '../../domain/dates.ts'
import { entryIdAt, ordinalAt } from '../../engine/database/ids.ts'
import { ABOVE_ALL } from '../../engine/database/pages.ts'
import { ordinal, type RowMap, text } from '../../engine/database/row-map.ts'
import { sql } from '../../engine/database/sql.ts'
import type { TimeSpan } from '../../engine/database/time-span.ts'
import { approvalColumns, approvalMap } from '../approval-requests/store.ts'
import { depositMap } from '../deposits/store.ts'
import { entryColumns, entryOf } from '../ledger/store.ts'

const MADE_LATER_MAX_MS = 33 * 86_400_000

/** Deposits by the date on which they were opened. */
export const readDeposits = readSpan('deposits', 'created_at', depositMap.columns, depositMap)
/** Requests by the date on which they were asked for. */
export const readApprovals = readSpan('approvals', 'requested_at', approvalColumns, approvalMap)

function readSpan<Item>(table: string, time: string, columns: string, map: RowMap<Item>) {
  return sql`
    select ordinal, ${columns}
    from ${table}
    where book_id = $1
      and ordinal > $2
      and ordinal < $3
      and ${time} >= $4
      and ${time} < $5
    order by ordinal
    limit $6`.pages(map, ordinal('ordinal'), (after, limit, bookId: string, span: TimeSpan) => [
    ...[bookId, after ?? span.above, span.below, span.start, span.end, limit],
  ])
}

/** Entries by the day they count on: an accrual is made up to 31 days after it. */
export const readEntries = sql`
    select ${entryColumns}, business_date
    from ledger_entries
    where book_id = $1
      and entry_id > $2
      and entry_id < $3
      and (business_date is null and created_at >= $4 and created_at < $5 or business_date between $7 and $8)
    order by entry_id
    limit $6`.pages(
  { read: entryOf },
  text('entry_id'),
  (after, limit, bookId: string, { span, from, to }: { span: TimeSpan; from: IsoDate; to: IsoDate }) => {
    const { above, start, end } = span
    const below =
      span.below === ABOVE_ALL ? ABOVE_ALL : ordinalAt(new Date(end.getTime() + MADE_LATER_MAX_MS))
    return [bookId, after ?? entryIdAt(above), entryIdAt(below), start, end, limit, from, to]
  },
)
