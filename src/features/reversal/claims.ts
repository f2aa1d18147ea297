/** What verification claims of reversals: each is the whole opposite of a liquidation. */
import type { Failed } from '../../domain/claim.ts'
import type { Queries } from '../../engine/database/database.ts'
import { failureOf } from '../../engine/database/facts.ts'
import { ofBook, sql } from '../../engine/database/sql.ts'

export const REVERSAL_ENTRY = 'a reversal is the exact opposite of an entry of a reversed liquidation'
export const REVERSAL_WHOLE = 'a reversed liquidation has one reversal of each of its entries, and one event'

export const statements = {
  // There are few reversals, found by indexes that contain nothing else.
  findWrongReversal: sql`
    select reversal.entry_id, reversal.liquidation_id,
      reversal.accounts::text || reversal.amounts_minor::text as found,
      coalesce('the opposite of ' || original.accounts::text || original.amounts_minor::text, 'an entry') as expected
    from ledger_entries reversal
    left join lateral (
      select entry_id, kind, account_number, deposit_id, liquidation_id, accounts, amounts_minor
      from ledger_entries entry
      where entry.book_id = $1
        and entry.entry_id = reversal.reverses
      limit 1
    ) as original on true
    left join lateral (
      select reversed_at
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = reversal.liquidation_id
      limit 1
    ) as liquidation on true
    where reversal.book_id = $1
      and reversal.reverses is not null
      and (
        (original.account_number, original.deposit_id, original.liquidation_id, original.accounts)
          is distinct from
          (reversal.account_number, reversal.deposit_id, reversal.liquidation_id, reversal.accounts)
        or original.kind = 'REVERSAL'
        or liquidation.reversed_at is distinct from reversal.created_at
        or exists (
          select from unnest(original.amounts_minor, reversal.amounts_minor) as line(original, reversal)
          where line.reversal is distinct from -line.original))
    order by reversal.entry_id
    limit 1`.first(failureOf(REVERSAL_ENTRY), ofBook),

  findPartlyReversed: sql`
    select liquidation_id, deposit_id, reversals || ' reversals, ' || recorded || ' events' as found,
      entries || ' reversals, 1 events' as expected
    from liquidations
    cross join lateral (
      select count(*) filter (where kind <> 'REVERSAL') as entries, count(*) filter (where kind = 'REVERSAL') as reversals
      from ledger_entries
      where ledger_entries.book_id = $1
        and ledger_entries.deposit_id = liquidations.deposit_id
        and ledger_entries.liquidation_id = liquidations.liquidation_id
    ) as entry
    cross join lateral (
      select count(*) as recorded
      from events
      where events.book_id = $1
        and events.subject_id = liquidations.deposit_id
        and events.type = 'fixed_deposit.liquidation_reversed'
        and events.occurred_at = liquidations.reversed_at
        and events.data::json ->> 'liquidation_id' = liquidations.liquidation_id
    ) as event
    where book_id = $1
      and reversed_at is not null
      and (reversals <> entries or recorded <> 1)
    order by liquidation_id
    limit 1`.first(failureOf(REVERSAL_WHOLE), ofBook),
}

export async function findReversalDifference(db: Queries, bookId: string): Promise<Failed | undefined> {
  return (await statements.findWrongReversal(db, bookId)) ?? statements.findPartlyReversed(db, bookId)
}
