/** The entries of a customer's deposits in a range of business dates, oldest first, a page at a time. */
import type { InterestEntry } from '../../domain/interest-certificate.ts'
import type { EntryKind } from '../../domain/ledger.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt } from '../../engine/database/ids.ts'
import { rowMap, text } from '../../engine/database/row-map.ts'
import type { TimeSpan } from '../../engine/database/time-span.ts'
import { type EntryRow, entryColumns, entryOf } from '../ledger/store.ts'

const columns = entryColumns
  .split(',')
  .map((column) => `entry.${column.trim()}`)
  .join(', ')

export const statements = {
  readInterestEntries: `
    select ${columns}, deposit.currency, reversed.kind as reversed_kind
    from deposits deposit
    join ledger_entries entry on entry.book_id = $1 and entry.deposit_id = deposit.deposit_id
    left join ledger_entries reversed on reversed.book_id = $1 and reversed.entry_id = entry.reverses
    where deposit.book_id = $1
      and deposit.customer_id = $2
      and entry.entry_id > $3
      and entry.entry_id < $4
      and entry.created_at >= $5
      and entry.created_at < $6
      and entry.kind <> 'DEPOSIT_OPENING'
    order by entry.entry_id
    limit $7`,
}

/** What a row has besides the entry. */
const besides = rowMap<Pick<InterestEntry, 'depositId' | 'currency' | 'reversedKind'>>({
  depositId: text('deposit_id'),
  currency: text('currency'),
  reversedKind: text<EntryKind | null>('reversed_kind'),
})

const PAGE = 500

export async function* readInterestEntries(
  db: Queries,
  bookId: string,
  customerId: string,
  { above, below, start, end }: TimeSpan,
): AsyncGenerator<InterestEntry> {
  for (let after = entryIdAt(above); ; ) {
    const span = [after, entryIdAt(below), start, end]
    const rows = await db.query<EntryRow>(statements.readInterestEntries, [bookId, customerId, ...span, PAGE])
    for (const row of rows) {
      yield { ...entryOf(row), ...besides.read(row) }
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)!.entry_id
  }
}
