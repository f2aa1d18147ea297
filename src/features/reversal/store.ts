/**
 * What reversing a liquidation locks, reads and writes. The deposit of a liquidation never changes, so it can be looked
 * up without a lock.
 */
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { KnownOfLiquidation, Reversal, StoredLiquidation } from '../../domain/reversal.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newEntryId } from '../../engine/database/ids.ts'
import { lockedByKey } from '../../engine/database/keyed-rows.ts'
import { type ItemOf, nested, ordinal, rowMap } from '../../engine/database/row-map.ts'
import { assignments } from '../../engine/database/rows.ts'
import { idOfBook, membersInBook, sql, writeRows } from '../../engine/database/sql.ts'
import { depositMap, lockWithAccounts, taxStatusMap } from '../deposits/store.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { listEntries, postEntries } from '../ledger/store.ts'
import { BROKEN_MEMBERS, findLiquidation, liquidationMap } from '../liquidation/store.ts'

const reopenedRows = depositMap.pick('depositId', 'updatedAt', 'liquidatedAt', ...BROKEN_MEMBERS).rows

const lockedMap = rowMap({
  deposit: nested(depositMap),
  balance: ordinal('balance_minor'),
  taxStatus: nested(taxStatusMap),
})
export type LockedDeposit = ItemOf<typeof lockedMap>

const LOCK_DEPOSIT = lockedByKey('deposits', 'deposit_id', depositMap.columns, {
  keys: '(select deposit_id from liquidations where book_id = $1 and liquidation_id = $2)',
})
export const lockDepositOfLiquidation = sql`${lockWithAccounts(LOCK_DEPOSIT)}`.first(lockedMap, idOfBook)

export const statements = {
  // Sorted by what they left, because the clocks of two instances may disagree about which was first.
  findLiquidationBefore: sql`
    select liquidation.*
    from ledger_entries
    cross join lateral (
      select ${liquidationMap.columns}
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = ledger_entries.liquidation_id
        and liquidations.reversed_at is null
        and liquidations.assessed_by = 'DAY'
        and liquidations.remaining_minor > $3
      limit 1
    ) as liquidation
    where ledger_entries.book_id = $1
      and ledger_entries.deposit_id = $2
      and ledger_entries.kind = 'LIQUIDATION'
    order by liquidation.remaining_minor
    limit 1`.first(liquidationMap, membersInBook<StoredLiquidation>('depositId', 'remaining')),

  // The maturity job may already have skipped a deposit that was broken whole.
  reopenDeposits: writeRows(
    'reopened',
    reopenedRows,
    (from, book) => `
    update deposits
    set awaits_maturity = true,
        ${assignments(reopenedRows, 'reopened').slice(1).join(',\n        ')}
    from ${from}
    where deposits.book_id = ${book}
      and deposits.deposit_id = reopened.deposit_id`,
  ),

  markReversed: sql`
    update liquidations
    set reversed_at = $3
    where book_id = $1
      and liquidation_id = $2`.write(membersInBook<Reversal>('liquidationId', 'at')),
}

/** More entries than a liquidation can have. */
const ENTRIES_MAX = 16

export async function readLiquidation(
  tx: Queries,
  bookId: string,
  liquidationId: string,
  { deposit, balance }: LockedDeposit,
): Promise<Omit<KnownOfLiquidation, 'rules' | 'taxation'>> {
  const liquidation = (await findLiquidation(tx, bookId, liquidationId))!
  const { items } = await listEntries(tx, bookId, { liquidationId }, { limit: ENTRIES_MAX, before: null })
  return {
    liquidation,
    deposit,
    balance,
    entries: items.reverse(),
    before: (await statements.findLiquidationBefore(tx, bookId, liquidation)) ?? null,
  }
}

export function writeReversal(tx: Transaction, bookId: string, reversal: Reversal): void {
  const opposites = reversal.entries.map((entry): LedgerEntry => ({ ...entry, entryId: newEntryId() }))
  const { entries, stored } = postedPayments(reversal.payments)
  statements.reopenDeposits(tx, bookId, [reversal.deposit])
  statements.markReversed(tx, bookId, reversal)
  postEntries(tx, bookId, [...opposites, ...entries])
  insertPayments(tx, bookId, stored)
}
