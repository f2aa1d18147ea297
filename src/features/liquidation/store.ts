/**
 * The write of a whole batch of liquidations is one statement: deposits, balances, liquidations, entries, postings,
 * events and idempotency answers are committed together, in one round trip.
 */
import type { IsoDate } from '../../domain/dates.ts'
import { DAY_SUMS, type DaySums, LATER_SUMS, type LaterSum } from '../../domain/day-sums.ts'
import type { BreakableDeposit } from '../../domain/deposit.ts'
import { type Liquidation, liquidationMovements, type Part } from '../../domain/liquidation.ts'
import type { Minor } from '../../domain/money.ts'
import type { InterestPayment } from '../../domain/payments.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { type AdjustedSums, type Adjustment, adjustmentsOf, type Waiver } from '../../domain/settlement.ts'
import { STANDARD_CLASS, type TaxedAlike, type TaxedSums } from '../../domain/tax.ts'
import { type Recording, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { onceInTurn } from '../../engine/database/gathering.ts'
import { type FiltersOf, listInOrder, type Places, where } from '../../engine/database/list.ts'
import { expectRows, isAtAddress, type RowAddress } from '../../engine/database/row-address.ts'
import {
  amount,
  amountOrThat,
  calendarDate,
  calendarDateOrNull,
  computed,
  type Field,
  group,
  instant,
  integer,
  rowMap,
  text,
} from '../../engine/database/row-map.ts'
import {
  assignments,
  columnNames,
  type Rows,
  rowsOf,
  statementOverRows,
  without,
} from '../../engine/database/rows.ts'
import { idOfBook, idsOfBook, sql } from '../../engine/database/sql.ts'
import { breakableMap, daySumFields, type LockedRows, taxedFields } from '../deposits/store.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { balanceChanges, byEntry, entryCte, entryRows, newEntries } from '../ledger/store.ts'
import { waiverOf, waiverText } from '../waivers/store.ts'

/** What a later part of the day needs of the earlier ones that were taxed alike; 0.2.0 taxed with all of them. */
const taxedEarlier = group<TaxedSums>({
  interest: amount('earlier_taxed_interest_minor'),
  penal: amount('earlier_taxed_penal_minor'),
  tax: amount('earlier_taxed_tax_minor'),
})
const earlierToday = group<DaySums>(daySumFields('earlier'))

const waiver: Field<Waiver | null> = {
  columns: { waiver: ['text', (value) => value && waiverText(value)] },
  read: (row) => (row.waiver === null ? null : waiverOf(row.waiver as string)),
}

const laterSums = Object.fromEntries(
  LATER_SUMS.map((name) => [name, amount(`${DAY_SUMS[name].part}_minor`)]),
) as Record<LaterSum, Field<Minor>>
const adjustedSums = rowMap<AdjustedSums>({ tax: amount('tax_minor'), ...laterSums })

/** Its explanation is not stored: the pinned rules can produce it again at any time. */
export const liquidationMap = rowMap<StoredLiquidation>({
  liquidationId: text('liquidation_id'),
  depositId: text('deposit_id'),
  type: text<Part['type']>('liquidation_type'),
  statusAfter: computed((row) => (row.remaining_minor === 0n ? 'LIQUIDATED' : 'ACTIVE')),
  principal: amount('principal_minor'),
  interest: amount('interest_minor'),
  penal: amount('penal_minor'),
  total: amount('total_minor'),
  remaining: amount('remaining_minor'),
  accountNumber: text('account_number'),
  currency: text('currency'),
  businessDate: calendarDate('business_date'),
  at: instant('liquidated_at'),
  // Rows of 0.1.0 have neither waivers nor adjustments.
  assessed: amountOrThat('assessed_minor', 'penal_minor'),
  waived: amount('waived_minor'),
  tax: amount('tax_minor'),
  taxed: group(taxedFields('tax')),
  net: amountOrThat('net_minor', 'total_minor'),
  waiver,
  reference: text<string | null>('reference'),
  reason: text<string | null>('reason'),
  ...laterSums,
  adjustments: computed<readonly Adjustment[]>((row) => adjustmentsOf(adjustedSums.read(row))),
  paidTo: calendarDateOrNull('paid_to'),
  earlierToday,
  taxedEarlier: {
    ...taxedEarlier,
    read: (row) => (row.taxed_with === 'DAY' ? earlierToday : taxedEarlier).read(row),
  },
  earlierLiquidations: integer('earlier_days'),
  sheetNow: integer<number | null>('sheet_now'),
  assessedBy: text<'PART' | 'DAY'>('assessed_by'),
  taxedWith: text<'DAY' | 'ALIKE'>('taxed_with'),
  reversedAt: instant<Date | null>('reversed_at'),
})

/** What is written of a new one: only a reversal writes the rest. */
const { assessed_by, taxed_with, reversed_at, ...written } = liquidationMap.rows
const liquidationRows: Rows<Liquidation> = written as Rows<Liquidation>

const taxedPartMap = rowMap<TaxedAlike>({
  version: integer('tax_version'),
  taxClass: text('tax_class'),
  interest: amount('interest_minor'),
  penal: amount('penal_minor'),
  tax: amount('tax_minor'),
})

/** A liquidation whose deposit and account are locked. */
type Locked = {
  liquidation: Liquidation
  /** Interest that is paid first. */
  payments: readonly InterestPayment[]
  /** The deposit afterwards. */
  deposit: BreakableDeposit
  rows: LockedRows
}
type Paid = { account: RowAddress; amount: bigint }

/** What breaking, or the interest that is paid before it, changes of a deposit, and a reversal sets back. */
export const BROKEN_MEMBERS = [
  'remaining',
  'status',
  'paid',
  'paidTax',
  'paidTo',
  'nextInterestDate',
  'lastBroken',
  'brokenDays',
] as const
const breakingMap = breakableMap.pick(...BROKEN_MEMBERS)

const changedRows = changedRowsOf(breakingMap.rows)

function changedRowsOf(rows: typeof breakingMap.rows): Rows<Locked> {
  return {
    deposit_row: ['text', ({ rows }) => rows.deposit],
    updated_at: ['timestamptz', ({ liquidation }) => liquidation.at],
    liquidated_at: [
      'timestamptz',
      ({ liquidation }) => (liquidation.statusAfter === 'LIQUIDATED' ? liquidation.at : null),
    ],
    ...rowsOf(rows, ({ deposit }: Locked) => deposit),
  }
}

/** Most liquidations are the first of a deposit without product: they are written without what stays as it was then. */
function isPlain({ deposit, liquidation }: Locked): boolean {
  const { earlierToday, earlierLiquidations } = liquidation
  if (LATER_SUMS.some((name) => liquidation[name] !== 0n)) return false
  return deposit.productCode === null && earlierToday === null && earlierLiquidations === 0
}

const plainLiquidationRows = without(
  liquidationRows,
  new RegExp(`^(?:earlier|paid|sheet|${LATER_SUMS.map((name) => DAY_SUMS[name].part).join('|')})_`),
)
const plainChangedRows = changedRowsOf(
  without(
    breakingMap.rows,
    new RegExp(`^(?:paid|tax|next|broken_(?:${LATER_SUMS.map((name) => DAY_SUMS[name].day).join('|')}))_`),
  ),
)

const paidRows: Rows<Paid> = {
  account_row: ['text', ({ account }) => account],
  amount_minor: ['bigint', ({ amount }) => amount],
}

/** How many rows of deposits and accounts the statement changes. */
const expectedRows: Rows<number> = { changes: ['int4', (changes) => changes] }

// The rows of deposits and accounts are already locked, in the common order; here they are only written.
function writing(liquidationRows: Rows<Liquidation>, changedRows: Rows<Locked>) {
  return statementOverRows(
    {
      ...recordingRows,
      ...entryRows,
      liquidation: liquidationRows,
      paid: paidRows,
      changed: changedRows,
      expected: expectedRows,
    },
    (from, book) => `
    with ${recordingCtes(from, book)},
    ${entryCte(from, book)},
    written_liquidations as (
      insert into liquidations (book_id, assessed_by, taxed_with, ${columnNames(liquidationRows)})
      select ${book.liquidation}, 'DAY', 'ALIKE', ${columnNames(liquidationRows)}
      from ${from.liquidation}
      returning 1
    ),
    changed_accounts as (
      update accounts
      set balance_minor = balance_minor + paid.amount_minor
      from ${from.paid}
      where accounts.book_id = ${book.paid}
        and ${isAtAddress('accounts', 'paid.account_row')}
      returning 1
    ),
    changed_deposits as (
      update deposits
      set ${assignments(changedRows, 'changed').slice(1).join(',\n          ')}
      from ${from.changed}
      where deposits.book_id = ${book.changed}
        and ${isAtAddress('deposits', 'changed.deposit_row')}
      returning 1
    )
    select ${expectRows(['changed_accounts', 'changed_deposits'], `select sum(changes) from ${from.expected}`)}`,
  )
}

export const statements = {
  writeLiquidations: writing(liquidationRows, changedRows),
  writePlainLiquidations: writing(plainLiquidationRows, plainChangedRows),

  // A lateral subquery with a limit is one index lookup for each entry, with and without statistics.
  findTaxedParts: sql`
    select deposits.deposit_id, tax_version, coalesce(tax_class, '${STANDARD_CLASS}') as tax_class, interest_minor,
      penal_minor, part.tax_minor
    from deposits
    cross join lateral (
      select liquidation_id
      from ledger_entries
      where ledger_entries.book_id = $1
        and ledger_entries.deposit_id = deposits.deposit_id
        and ledger_entries.kind = 'LIQUIDATION'
    ) as entry
    cross join lateral (
      select tax_version, tax_class, interest_minor, penal_minor, tax_minor
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = entry.liquidation_id
        and business_date = deposits.broken_on
        and tax_version is not null
        and reversed_at is null
      limit 1
    ) as part
    where deposits.book_id = $1
      and deposits.deposit_id = any($2::text[])`.groups(text('deposit_id'), taxedPartMap, idsOfBook),
}

export const findLiquidation = sql`
    select ${liquidationMap.columns}
    from liquidations
    where book_id = $1
      and liquidation_id = $2`.first(liquidationMap, idOfBook)

export const listLiquidationsOfDeposit = listInOrder(
  (clauses) => `
    select entry_id, liquidation.*
    from ledger_entries
    cross join lateral (
      select ${liquidationMap.columns}
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = ledger_entries.liquidation_id
      limit 1
    ) as liquidation
    where ledger_entries.book_id = $1
      and ledger_entries.kind = 'LIQUIDATION'
      and ledger_entries.entry_id < $2${clauses}
    order by entry_id desc
    limit $3`,
  { depositId: where('ledger_entries.deposit_id = ?') },
  liquidationMap,
  byEntry,
)

/** The newest 50, the newest first. */
export const findLiquidationsOfDeposit = onceInTurn(async (db, bookId, depositId) => {
  const { items } = await listLiquidationsOfDeposit(db, bookId, { depositId }, { limit: 50, before: null })
  return items
})

/** The position of a liquidation among all of its book. */
export type LiquidationPlace = Pick<StoredLiquidation, 'businessDate' | 'at' | 'liquidationId'>

/** It travels as one array, so that filters have the same parameter numbers as in every list. */
const byTime: Places<LiquidationPlace> = {
  parameter: ({ businessDate, at, liquidationId }) => [businessDate, at.toISOString(), liquidationId],
  behindAll: ['infinity', 'infinity', ''],
  of: liquidationMap.read,
}

/** Liquidations of an account are found by its entries. */
export const findLiquidations = listInOrder(
  (clauses) => `
    select ${liquidationMap.columns}
    from liquidations
    where book_id = $1
      and (business_date, liquidated_at, liquidation_id)
        < (($2::text[])[1]::date, ($2::text[])[2]::timestamptz, ($2::text[])[3])${clauses}
    order by business_date desc, liquidated_at desc, liquidation_id desc
    limit $3`,
  {
    from: where<IsoDate>('business_date >= ?::date'),
    to: where<IsoDate>('business_date <= ?::date'),
    type: where<Part['type']>('liquidation_type = ?'),
    accountNumber: where(`liquidation_id = any(array(
        select liquidation_id
        from ledger_entries
        where book_id = $1
          and account_number = ?
          and kind = 'LIQUIDATION'))`),
    reference: where('reference = ?'),
    isWaived: where<true>('waived_minor > 0 and ?::boolean'),
    stands: where<true>('reversed_at is null and ?::boolean'),
    isReversed: where<true>('reversed_at is not null and ?::boolean'),
  },
  liquidationMap,
  byTime,
)
export type LiquidationFilters = FiltersOf<typeof findLiquidations>

export function writeLiquidations(
  tx: Transaction,
  bookId: string,
  locked: readonly Locked[],
  recording: Recording,
): void {
  // Most deposits pay no interest before maturity.
  const posted = locked.map(({ payments }) =>
    payments.length === 0 ? NO_PAYMENTS : postedPayments(payments),
  )
  const stored = posted.flatMap((one) => one.stored)
  const entries = locked.flatMap(({ liquidation }, index) => [
    ...posted[index]!.entries,
    ...newEntries(liquidationMovements(liquidation), liquidation),
  ])
  const accounts = new Map(locked.map(({ liquidation, rows }) => [liquidation.accountNumber, rows.account]))
  const paid = balanceChanges(entries).map(([accountNumber, amount]) => ({
    account: accounts.get(accountNumber)!,
    amount,
  }))
  // Two partial liquidations of one deposit may share a batch: the last one has the final state.
  const changed = [...new Map(locked.map((one) => [one.liquidation.depositId, one])).values()]
  const { writeLiquidations: write, writePlainLiquidations: writePlain } = statements
  const rows = (locked.every(isPlain) ? writePlain : write).of(bookId, {
    event: recording.events,
    answer: recording.answers,
    entry: entries,
    liquidation: locked.map(({ liquidation }) => liquidation),
    paid,
    changed,
    expected: [paid.length + changed.length],
  })
  tx.write(rows)
  if (stored.length > 0) insertPayments(tx, bookId, stored)
}

const NO_PAYMENTS: ReturnType<typeof postedPayments> = { entries: [], stored: [] }

/**
 * By deposit, the taxed parts of the last day on which something of it was broken. Where nothing was broken yet, or the
 * book has no tax rules, nothing is read.
 */
export async function findTaxedParts(
  db: Queries,
  bookId: string,
  deposits: Iterable<Pick<BreakableDeposit, 'depositId' | 'lastBroken'>>,
  taxVersions: readonly unknown[],
): Promise<Map<string, TaxedAlike[]>> {
  const broken = [...deposits].filter(({ lastBroken }) => lastBroken !== null)
  if (broken.length === 0 || taxVersions.length === 0) return new Map()
  const ids = broken.map(({ depositId }) => depositId)
  return statements.findTaxedParts(db, bookId, ids)
}
