/** The data of a statement, oldest first, a page at a time. */
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { Queries } from '../../engine/database/database.ts'
import { computed, instant, ordinal, rowMap, text } from '../../engine/database/row-map.ts'
import { type EntryRow, entryColumns, entryOf } from '../ledger/store.ts'

export const statements = {
  readEntriesOfDeposit: `
    select ${entryColumns}
    from ledger_entries
    where book_id = $1
      and deposit_id = $2
      and entry_id > $3
    order by entry_id
    limit $4`,

  readLienEvents: `
    select event.ordinal, event.type, event.occurred_at, lien.amount_minor, lien.reason, lien.release_reason
    from events event
    join liens lien on lien.book_id = $1 and lien.lien_id = event.data::json ->> 'lien_id'
    where event.book_id = $1
      and event.subject_id = $2
      and event.type in ('fixed_deposit.lien_placed', 'fixed_deposit.lien_released')
    order by event.ordinal
    limit $3`,

  // A lien that came with a rollover was placed on an earlier deposit.
  readCarriedLiens: `
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
    limit $3`,
}

const PAGE = 1_000

export async function* readEntriesOfDeposit(
  db: Queries,
  bookId: string,
  depositId: string,
): AsyncGenerator<LedgerEntry> {
  for (let after = ''; ; ) {
    const rows = await db.query<EntryRow>(statements.readEntriesOfDeposit, [bookId, depositId, after, PAGE])
    yield* rows.map(entryOf)
    if (rows.length < PAGE) return
    after = rows.at(-1)!.entry_id
  }
}

type LienEvent = {
  ordinal: bigint
  kind: 'LIEN_PLACED' | 'LIEN_RELEASED'
  at: Date
  amount: bigint
  reason: string
}

export async function readLienEvents(
  db: Queries,
  bookId: string,
  depositId: string,
  limit: number,
): Promise<LienEvent[]> {
  const rows = await db.query<object>(statements.readLienEvents, [bookId, depositId, limit])
  return rows.map(lienEventMap.read)
}

const isPlaced = (row: Record<string, unknown>) => row.type === 'fixed_deposit.lien_placed'

const lienEventMap = rowMap<LienEvent>({
  ordinal: ordinal('ordinal'),
  kind: computed((row) => (isPlaced(row) ? 'LIEN_PLACED' : 'LIEN_RELEASED')),
  at: instant('occurred_at'),
  amount: ordinal('amount_minor'),
  reason: computed((row) => (isPlaced(row) ? row.reason : row.release_reason) as string),
})

export async function readCarriedLiens(
  db: Queries,
  bookId: string,
  depositId: string,
  limit: number,
): Promise<{ amount: bigint; reason: string }[]> {
  const rows = await db.query<object>(statements.readCarriedLiens, [bookId, depositId, limit])
  return rows.map(carriedMap.read)
}

const carriedMap = rowMap<{ amount: bigint; reason: string }>({
  amount: ordinal('amount_minor'),
  reason: text('reason'),
})
