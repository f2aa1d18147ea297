import { type IsoDate, isoDate } from '../../domain/dates.ts'
import type {
  BreakableDeposit,
  BrokenOnDay,
  Deposit,
  DepositStatus,
  MaturityInstruction,
} from '../../domain/deposit.ts'
import type { NewestVersions } from '../../domain/document.ts'
import type { AgreedTenor, InterestEvery, InterestMethod } from '../../domain/schedule.ts'
import { STANDARD_CLASS, type Taxed, type TaxStatus } from '../../domain/tax.ts'
import { versionColumns, versionsOf } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { TextArray } from '../../engine/database/encoding.ts'
import { GATHERED_IDS, gathered } from '../../engine/database/gathering.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { addressAs, type RowAddress } from '../../engine/database/row-address.ts'
import {
  amount,
  amountOrZero,
  calendarDate,
  calendarDateOrNull,
  type Field,
  flag,
  group,
  instant,
  integer,
  metadata,
  rowMap,
  text,
  textOr,
  texts,
} from '../../engine/database/row-map.ts'
import type { Rows } from '../../engine/database/rows.ts'
import { table } from '../../engine/database/table.ts'
import { selectTakenNames, TAKING_NAMES, takenNamesReader } from '../../engine/database/taken-names.ts'

/** Older instances know auto_rollover alone, which says all but where the interest goes. */
const maturityInstruction: Field<MaturityInstruction> = {
  columns: {
    auto_rollover: ['boolean', (instruction) => instruction !== 'PAY_OUT'],
    instruction: ['text', (instruction) => (instruction === 'ROLL_OVER_PRINCIPAL' ? instruction : null)],
  },
  read: ({ instruction, auto_rollover }) =>
    (instruction as MaturityInstruction | null) ?? (auto_rollover ? 'ROLL_OVER' : 'PAY_OUT'),
}

/** The sums of a day's parts: those of a deposit's last day, or those before a liquidation. */
export function daySumFields(prefix: 'broken' | 'earlier') {
  return {
    principal: amount(`${prefix}_principal_minor`),
    interest: amount(`${prefix}_interest_minor`),
    assessed: amount(`${prefix}_assessed_minor`),
    penal: amount(`${prefix}_penal_minor`),
    tax: amount(`${prefix}_tax_minor`),
    // Rows of 0.2.0 have none of these.
    paidShare: amountOrZero(`${prefix}_paid_minor`),
    taxShare: amountOrZero(`${prefix}_taxed_minor`),
    unearned: amountOrZero(`${prefix}_unearned_minor`),
    recovered: amountOrZero(`${prefix}_taken_minor`),
    taxReturned: amountOrZero(`${prefix}_returned_minor`),
  }
}

export const depositMap = rowMap<Deposit>({
  depositId: text('deposit_id'),
  customerId: text('customer_id'),
  accountNumber: text('account_number'),
  currency: text('currency'),
  status: text<DepositStatus>('status'),
  method: text<InterestMethod>('method'),
  every: text<InterestEvery | null>('every'),
  principal: amount('principal_minor'),
  remaining: amount('remaining_minor'),
  expectedInterest: amount('expected_interest_minor'),
  lien: amount('lien_minor'),
  annualRatePpm: integer('annual_rate_ppm'),
  tenorDays: integer('tenor_days'),
  startDate: calendarDate('start_date'),
  maturityDate: calendarDate('maturity_date'),
  agreedTenor: group<AgreedTenor>({
    unit: text<AgreedTenor['unit']>('agreed_unit'),
    count: integer('agreed_count'),
  }),
  instruction: maturityInstruction,
  rolledOverTo: text<string | null>('rolled_over_to'),
  rollovers: integer('rollovers'),
  rulesVersion: integer('rules_version'),
  productCode: text<string | null>('product_code'),
  productVersion: integer<number | null>('product_version'),
  rateSheet: integer<number | null>('sheet_no'),
  bonusCodes: texts<readonly string[]>('bonus_codes'),
  bonusPpm: integer('bonus_ppm'),
  negotiated: flag<boolean | null>('negotiated'),
  recoverPaidInterest: flag('recover'),
  calendarVersion: integer<number | null>('calendar_version'),
  paid: amount('paid_minor'),
  paidTax: amount('tax_minor'),
  paidTo: calendarDateOrNull('paid_to'),
  nextInterestDate: calendarDateOrNull('next_interest_date'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
  liquidatedAt: instant<Date | null>('liquidated_at'),
  lastBroken: group<BrokenOnDay>({
    on: calendarDate('broken_on'),
    ...daySumFields('broken'),
  }),
  brokenDays: integer('broken_days'),
  externalId: text<string | null>('external_id'),
  metadata: metadata('metadata'),
  maturityTaxed: group<Taxed>({
    version: integer('maturity_tax_version'),
    // Deposits settled by earlier versions have no class.
    taxClass: textOr('maturity_tax_class', STANDARD_CLASS),
    ratePpm: integer('maturity_tax_ppm'),
  }),
})

/** A liquidation reads thousands per second: only what it needs. */
export const breakableMap = depositMap.pick(
  'depositId',
  'accountNumber',
  'currency',
  'status',
  'principal',
  'remaining',
  'lien',
  'annualRatePpm',
  'tenorDays',
  'startDate',
  'maturityDate',
  'agreedTenor',
  'method',
  'every',
  'rulesVersion',
  'rollovers',
  'productCode',
  'productVersion',
  'rateSheet',
  'bonusCodes',
  'bonusPpm',
  'recoverPaidInterest',
  'calendarVersion',
  'paid',
  'paidTax',
  'paidTo',
  'nextInterestDate',
  'lastBroken',
  'brokenDays',
)

/** New deposits, as inserted. */
export const depositRows: Rows<Deposit> = { ordinal: ['bigint', nextOrdinal], ...depositMap.rows }

export const deposits = table('deposits', depositMap, { key: 'depositId', orderedBy: TAKING_NAMES })

export const statements = {
  ...deposits.statements,

  findTakenNames: selectTakenNames('deposits'),

  // order by fixes the common lock order; skip locked leaves to others what they have locked.
  claimDeposits: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    order by deposit_id
    for update skip locked`,

  findHoldings: `
    select customer_id, currency, count(*)::int4 as active, sum(remaining_minor)::bigint as held_minor,
           min(maturity_date) as next_maturity
    from deposits
    where book_id = $1
      and customer_id = any($2::text[])
      and status = 'ACTIVE'
    group by customer_id, currency
    order by customer_id, currency`,

  // All that a quote depends on, in one snapshot.
  findBreakable: `
    select ${breakableMap.columns}, balance_minor, tax_class, tax_valid_until, clock_offset_ms, ${versionColumns('book')}
    from deposits
    cross join lateral (
      select balance_minor, tax_class, tax_valid_until
      from accounts
      where book_id = $1
        and account_number = deposits.account_number
    ) as account
    cross join lateral (
      select clock_offset_ms, ${versionColumns('books')}
      from books
      where book_id = $1
    ) as book
    where book_id = $1
      and deposit_id = any(${GATHERED_IDS})`,

  // For a liquidation: both locks in one statement. All deposits are locked before the first account, because their
  // numbers are collected first.
  lockBreakable: `
    with deposit as materialized (
      select ${breakableMap.columns}, ${addressAs('deposit_row')}
      from deposits
      where book_id = $1
        and deposit_id = any($2::text[])
      order by deposit_id
      for update
    ),
    account as materialized (
      select account_number, balance_minor, tax_class, tax_valid_until, ${addressAs('account_row')}
      from accounts
      where book_id = $1
        and account_number = any(array(select account_number from deposit))
      order by account_number
      for update
    )
    select deposit.*, balance_minor, tax_class, tax_valid_until, account_row
    from deposit
    join account on account.account_number = deposit.account_number`,
}

export type DepositFilters = {
  customerId?: string
  accountNumber?: string
  status?: DepositStatus
  maturesBefore?: string
  maturesAfter?: string
  externalId?: string
  productCode?: string
  hasNoProduct?: true
  /** From the first to below the second. */
  ratesPpm?: readonly [number, number]
}

export const depositFilterClauses: Record<keyof DepositFilters, (parameter: string) => string> = {
  customerId: (parameter) => `customer_id = ${parameter}`,
  accountNumber: (parameter) => `account_number = ${parameter}`,
  status: (parameter) => `status = ${parameter}`,
  maturesBefore: (parameter) => `maturity_date < ${parameter}::date`,
  maturesAfter: (parameter) => `maturity_date > ${parameter}::date`,
  externalId: (parameter) => `external_id = ${parameter}`,
  productCode: (parameter) => `product_code = ${parameter}`,
  hasNoProduct: (parameter) => `product_code is null and ${parameter}::boolean`,
  ratesPpm: (parameter) => `annual_rate_ppm >= (${parameter}::int4[])[1]
      and annual_rate_ppm < (${parameter}::int4[])[2]`,
}

export const findTakenNames = takenNamesReader(statements.findTakenNames)

export const insertDeposits = deposits.insert
export const lockDeposits = deposits.lock

export type LockedRows = { deposit: RowAddress; account: RowAddress }

/** Deposits and locked rows by id, and by number the balances and tax statuses of their accounts. */
export async function lockBreakable(
  tx: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<{
  deposits: Map<string, BreakableDeposit>
  balances: Map<string, bigint>
  taxStatuses: Map<string, TaxStatus>
  rows: Map<string, LockedRows>
}> {
  type Row = BreakableRow & { deposit_row: RowAddress; account_row: RowAddress }
  const rows = await tx.query<Row>(statements.lockBreakable, [bookId, new TextArray(depositIds)])
  return {
    deposits: new Map(rows.map((row) => [row.deposit_id, breakableMap.read(row)])),
    balances: new Map(rows.map((row) => [row.account_number, row.balance_minor])),
    taxStatuses: new Map(rows.map((row) => [row.account_number, taxStatusOf(row)])),
    rows: new Map(
      rows.map((row) => [row.deposit_id, { deposit: row.deposit_row, account: row.account_row }]),
    ),
  }
}

export type BreakableRow = {
  deposit_id: string
  account_number: string
  balance_minor: bigint
  tax_class: string | null
  tax_valid_until: string | null
}

export function taxStatusOf({ tax_class, tax_valid_until }: BreakableRow): TaxStatus {
  return { taxClass: tax_class, taxValidUntil: tax_valid_until === null ? null : isoDate(tax_valid_until) }
}

/** A deposit with what its settlement depends on besides its rules. */
type Breakable = {
  deposit: BreakableDeposit
  balance: bigint
  taxStatus: TaxStatus
  /** The clock and the newest versions of the book. */
  snapshot: { clockOffsetMs: number; versions: NewestVersions }
}

export const findBreakable = gathered(async (db, bookId, depositIds): Promise<Map<string, Breakable>> => {
  type Row = BreakableRow & { clock_offset_ms: bigint }
  const rows = await db.query<Row>(statements.findBreakable, [bookId, new TextArray(depositIds)])
  return new Map(
    rows.map((row) => [
      row.deposit_id,
      {
        deposit: breakableMap.read(row),
        balance: row.balance_minor,
        taxStatus: taxStatusOf(row),
        snapshot: { clockOffsetMs: Number(row.clock_offset_ms), versions: versionsOf(row) },
      },
    ]),
  )
})

/** Those of them that are still active and not locked by others. */
export async function claimDeposits(
  tx: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Deposit[]> {
  const rows = await tx.query<object>(statements.claimDeposits, [bookId, depositIds])
  return rows.map(depositMap.read)
}

export const findDeposits = deposits.find
export const findDeposit = deposits.findOne
export const byId = deposits.byKey

export type Holding = { currency: string; active: number; held: bigint; nextMaturity: IsoDate }

/** What customers hold in active deposits, by currency; who has none is left out. */
export async function findHoldings(
  db: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, Holding[]>> {
  type Row = {
    customer_id: string
    currency: string
    active: number
    held_minor: bigint
    next_maturity: string
  }
  const rows = await db.query<Row>(statements.findHoldings, [bookId, customerIds])
  return Map.groupBy(
    rows.map(({ customer_id, currency, active, held_minor, next_maturity }) => ({
      customerId: customer_id,
      currency,
      active,
      held: held_minor,
      nextMaturity: isoDate(next_maturity),
    })),
    ({ customerId }) => customerId,
  )
}

export const listDeposits = deposits.list<DepositFilters>(depositFilterClauses)
export const depositWindow = deposits.window<DepositFilters>(depositFilterClauses)
