/** The entries of a customer's deposits in a range of business dates, oldest first, a page at a time. */
import type { InterestEntry } from '../../domain/interest-certificate.ts'
import type { EntryKind } from '../../domain/ledger.ts'
import { entryIdAt } from '../../engine/database/ids.ts'
import { computed, rowMap, text } from '../../engine/database/row-map.ts'
import { sql } from '../../engine/database/sql.ts'
import type { TimeSpan } from '../../engine/database/time-span.ts'
import { entryColumns, entryOf } from '../ledger/store.ts'

const columns = entryColumns
  .split(',')
  .map((column) => `entry.${column.trim()}`)
  .join(', ')

/** What a row has besides the entry. */
const besides = rowMap<Pick<InterestEntry, 'depositId' | 'currency' | 'reversedKind'>>({
  depositId: text('deposit_id'),
  currency: text('currency'),
  reversedKind: text<EntryKind | null>('reversed_kind'),
})

export const readInterestEntries = sql`
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
    limit $7`.pages(
  computed((row) => ({ ...entryOf(row), ...besides.read(row) })),
  text('entry_id'),
  (after, limit, bookId: string, customerId: string, { above, below, start, end }: TimeSpan) => [
    ...[bookId, customerId, after ?? entryIdAt(above), entryIdAt(below), start, end, limit],
  ],
)
