/**
 * What reversing a liquidation locks, reads and writes. The deposit of a liquidation never changes, so it can be looked
 * up without a lock.
 */
import type { Deposit } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import type { KnownOfLiquidation, Reversal, StoredLiquidation } from '../../domain/reversal.ts'
import type { TaxStatus } from '../../domain/tax.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newEntryId } from '../../engine/database/ids.ts'
import { assignments, statementOverRows } from '../../engine/database/rows.ts'
import { type BreakableRow, depositMap, taxStatusOf } from '../deposits/store.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { listEntries, postEntries } from '../ledger/store.ts'
import { findLiquidation, liquidationColumns, liquidationOf } from '../liquidation/store.ts'

const reopenedRows = depositMap.pick(
  'depositId',
  'remaining',
  'status',
  'updatedAt',
  'liquidatedAt',
  'lastBroken',
  'brokenDays',
  'paid',
  'paidTax',
  'paidTo',
  'nextInterestDate',
).rows

// The maturity job may already have skipped a deposit that was broken whole.
const reopening = statementOverRows(
  { reopened: reopenedRows },
  (from, book) => `
    update deposits
    set awaits_maturity = true,
        ${assignments(reopenedRows, 'reopened').slice(1).join(',\n        ')}
    from ${from.reopened}
    where deposits.book_id = ${book.reopened}
      and deposits.deposit_id = reopened.deposit_id`,
)

export const statements = {
  // Deposits before accounts: the lock order of all changes.
  lockDepositOfLiquidation: `
    with deposit as materialized (
      select ${depositMap.columns}
      from deposits
      where book_id = $1
        and deposit_id = (
          select deposit_id
          from liquidations
          where book_id = $1
            and liquidation_id = $2)
      for update
    ),
    account as materialized (
      select account_number, balance_minor, tax_class, tax_valid_until
      from accounts
      where book_id = $1
        and account_number = any(array(select account_number from deposit))
      for update
    )
    select deposit.*, balance_minor, tax_class, tax_valid_until
    from deposit
    join account on account.account_number = deposit.account_number`,

  // Sorted by what they left, because the clocks of two instances may disagree about which was first.
  findLiquidationBefore: `
    select liquidation.*
    from ledger_entries
    cross join lateral (
      select ${liquidationColumns}
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
    limit 1`,

  reopenDeposit: reopening,

  markReversed: `
    update liquidations
    set reversed_at = $3
    where book_id = $1
      and liquidation_id = $2`,
}

export type LockedDeposit = { deposit: Deposit; balance: bigint; taxStatus: TaxStatus }

export async function lockDepositOfLiquidation(
  tx: Queries,
  bookId: string,
  liquidationId: string,
): Promise<LockedDeposit | null> {
  const [row] = await tx.query<BreakableRow>(statements.lockDepositOfLiquidation, [bookId, liquidationId])
  if (row === undefined) return null
  return { deposit: depositMap.read(row), balance: row.balance_minor, taxStatus: taxStatusOf(row) }
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
    before: await findLiquidationBefore(tx, bookId, liquidation),
  }
}

async function findLiquidationBefore(
  tx: Queries,
  bookId: string,
  { depositId, remaining }: StoredLiquidation,
): Promise<StoredLiquidation | null> {
  const [row] = await tx.query<object>(statements.findLiquidationBefore, [bookId, depositId, remaining])
  return row === undefined ? null : liquidationOf(row)
}

export function writeReversal(tx: Transaction, bookId: string, reversal: Reversal): void {
  const { liquidationId, deposit, at } = reversal
  const opposites = reversal.entries.map((entry): LedgerEntry => ({ ...entry, entryId: newEntryId() }))
  const { entries, stored } = postedPayments(reversal.payments)
  tx.write(statements.reopenDeposit.of(bookId, { reopened: [deposit] }))
  tx.write(statements.markReversed, [bookId, liquidationId, at])
  postEntries(tx, bookId, [...opposites, ...entries])
  insertPayments(tx, bookId, stored)
}
