/** The data of a statement, oldest first. */
import { computed, instant, ordinal, rowMap, text } from '../../engine/database/row-map.ts'
import { sql } from '../../engine/database/sql.ts'
import { entryColumns, entryOf } from '../ledger/store.ts'

/** A page at a time. */
export const readEntriesOfDeposit = sql`
    select ${entryColumns}
    from ledger_entries
    where book_id = $1
      and deposit_id = $2
      and entry_id > $3
    order by entry_id
    limit $4`.pages(
  { read: entryOf },
  text('entry_id'),
  (after, limit, bookId: string, depositId: string) => [...[bookId, depositId, after ?? '', limit]],
)

const isPlaced = (row: Record<string, unknown>) => row.type === 'fixed_deposit.lien_placed'
const someOfDeposit = (bookId: string, depositId: string, limit: number) => [bookId, depositId, limit]

export const readLienEvents = sql`
    select event.ordinal, event.type, event.occurred_at, lien.amount_minor, lien.reason, lien.release_reason
    from events event
    join liens lien on lien.book_id = $1 and lien.lien_id = event.data::json ->> 'lien_id'
    where event.book_id = $1
      and event.subject_id = $2
      and event.type in ('fixed_deposit.lien_placed', 'fixed_deposit.lien_released')
    order by event.ordinal
    limit $3`.all(
  rowMap({
    ordinal: ordinal('ordinal'),
    kind: computed((row) => (isPlaced(row) ? ('LIEN_PLACED' as const) : ('LIEN_RELEASED' as const))),
    at: instant('occurred_at'),
    amount: ordinal('amount_minor'),
    reason: computed((row) => (isPlaced(row) ? row.reason : row.release_reason) as string),
  }),
  someOfDeposit,
)

/** A lien that came with a rollover was placed on an earlier deposit. */
export const readCarriedLiens = sql`
    select amount_minor, reason
    from liens lien
    where book_id = $1
      and deposit_id = $2
      and not exists (
        select
        from events event
        where event.book_id = $1
          and event.subject_id = $2
          and event.type = 'fixed_deposit.lien_placed'
          and event.data::json ->> 'lien_id' = lien.lien_id)
    order by ordinal
    limit $3`.all(rowMap({ amount: ordinal('amount_minor'), reason: text('reason') }), someOfDeposit)
