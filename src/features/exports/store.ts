/** The rows of a span of business dates, oldest first, a page at a time: memory does not grow with their number. */
import type { Approval } from '../../domain/approvals.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt, ordinalAt, ordinalOf } from '../../engine/database/ids.ts'
import { ABOVE_ALL, type Placed } from '../../engine/database/pages.ts'
import { inPages, type TimeSpan } from '../../engine/database/time-span.ts'
import { approvalColumns, approvalMap } from '../approval-requests/store.ts'
import { depositMap } from '../deposits/store.ts'
import { type EntryRow, entryColumns, entryOf } from '../ledger/store.ts'

const MADE_LATER_MAX_MS = 33 * 86_400_000

export const statements = {
  readDeposits: `
    select ordinal, ${depositMap.columns}
    from deposits
    where book_id = $1
      and ordinal > $2
      and ordinal < $3
      and created_at >= $4
      and created_at < $5
    order by ordinal
    limit $6`,

  readEntries: `
    select ${entryColumns}, business_date
    from ledger_entries
    where book_id = $1
      and entry_id > $2
      and entry_id < $3
      and (business_date is null and created_at >= $4 and created_at < $5 or business_date between $7 and $8)
    order by entry_id
    limit $6`,

  readApprovals: `
    select ordinal, ${approvalColumns}
    from approvals
    where book_id = $1
      and ordinal > $2
      and ordinal < $3
      and requested_at >= $4
      and requested_at < $5
    order by ordinal
    limit $6`,
}

/** By the date on which they were opened. */
export async function* readDeposits(db: Queries, bookId: string, span: TimeSpan): AsyncGenerator<Deposit[]> {
  const { below, start, end } = span
  const pages = inPages(span, (after, limit) =>
    db.query<{ ordinal: bigint }>(statements.readDeposits, [bookId, after, below, start, end, limit]),
  )
  for await (const rows of pages) yield rows.map(depositMap.read)
}

/** By the day they count on: an accrual is made up to 31 days after it. */
export async function* readEntries(
  db: Queries,
  bookId: string,
  { span, from, to }: { span: TimeSpan; from: IsoDate; to: IsoDate },
): AsyncGenerator<LedgerEntry[]> {
  const { start, end } = span
  const below = span.below === ABOVE_ALL ? ABOVE_ALL : ordinalAt(new Date(end.getTime() + MADE_LATER_MAX_MS))
  const pages = inPages(span, async (after, limit) => {
    const bounds = [entryIdAt(after), entryIdAt(below)]
    const rows = await db.query<EntryRow>(statements.readEntries, [
      ...[bookId, ...bounds, start, end, limit, from, to],
    ])
    return rows.map((row) => ({ ...row, ordinal: ordinalOf(row.entry_id) }))
  })
  for await (const rows of pages) yield rows.map(entryOf)
}

/** By the date on which they were asked for. */
export async function* readApprovals(
  db: Queries,
  bookId: string,
  span: TimeSpan,
): AsyncGenerator<Approval[]> {
  const { below, start, end } = span
  const pages = inPages(span, (after, limit) =>
    db.query<Placed>(statements.readApprovals, [bookId, after, below, start, end, limit]),
  )
  for await (const rows of pages) yield rows.map(approvalMap.read)
}
