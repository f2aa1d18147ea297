import { DAY_SUMS, type DaySums, isLater, SUM_NAMES } from '../../domain/day-sums.ts'
import {
  type BreakableDeposit,
  type Deposit,
  type MaturityInstruction,
  NOTHING_PAID,
  PLAIN_INTEREST,
  UNTOUCHED,
  WITHOUT_PRODUCT,
} from '../../domain/deposit.ts'
import type { Minor } from '../../domain/money.ts'
import type { AgreedTenor, InterestEvery, InterestMethod } from '../../domain/schedule.ts'
import { STANDARD_CLASS, type Taxed, type TaxStatus } from '../../domain/tax.ts'
import { versionColumns, versionsOf } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { TextArray } from '../../engine/database/encoding.ts'
import { GATHERED_IDS, gathered } from '../../engine/database/gathering.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { lockedByKey, rowsByKey } from '../../engine/database/keyed-rows.ts'
import { type FiltersOf, where } from '../../engine/database/list.ts'
import { addressAs, type RowAddress } from '../../engine/database/row-address.ts'
import {
  amount,
  amountOrZero,
  calendarDate,
  calendarDateOrNull,
  computed,
  type Field,
  type Fields,
  flag,
  group,
  instant,
  integer,
  metadata,
  nested,
  ordinal,
  rowMap,
  text,
  textOr,
  texts,
} from '../../engine/database/row-map.ts'
import type { Rows } from '../../engine/database/rows.ts'
import { idsOfBook, sql } from '../../engine/database/sql.ts'
import { table } from '../../engine/database/table.ts'
import { TAKING_NAMES, takenNamesOf } from '../../engine/database/taken-names.ts'

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
export function daySumFields(prefix: 'broken' | 'earlier'): Record<keyof DaySums, Field<Minor>> {
  const fields = SUM_NAMES.map((name) => {
    const column = `${prefix}_${DAY_SUMS[name].day}_minor`
    return [name, isLater(name) ? amountOrZero(column) : amount(column)]
  })
  return Object.fromEntries(fields) as Record<keyof DaySums, Field<Minor>>
}

/** What interest was taxed by. Rows of early versions have no class. */
export function taxedFields(prefix: 'tax' | 'maturity_tax'): Fields<Taxed> {
  return {
    version: integer(`${prefix}_version`),
    taxClass: textOr(`${prefix}_class`, STANDARD_CLASS),
    ratePpm: integer(`${prefix}_ppm`),
  }
}

/** What was agreed, and what was paid on it. */
const agreed = {
  depositId: text('deposit_id'),
  accountNumber: text('account_number'),
  currency: text('currency'),
  status: text<Deposit['status']>('status'),
  principal: amount('principal_minor'),
  annualRatePpm: integer('annual_rate_ppm'),
  startDate: calendarDate('start_date'),
  maturityDate: calendarDate('maturity_date'),
  agreedTenor: group<AgreedTenor>({
    unit: text<AgreedTenor['unit']>('agreed_unit'),
    count: integer('agreed_count'),
  }),
  method: text<InterestMethod>('method'),
  every: text<InterestEvery | null>('every'),
  rulesVersion: integer('rules_version'),
  rollovers: integer('rollovers'),
  productCode: text<string | null>('product_code'),
  productVersion: integer<number | null>('product_version'),
  rateSheet: integer<number | null>('sheet_no'),
  bonusCodes: texts<readonly string[]>('bonus_codes'),
  bonusPpm: integer('bonus_ppm'),
  recoverPaidInterest: flag('recover'),
  calendarVersion: integer<number | null>('calendar_version'),
  paid: amount('paid_minor'),
  paidTax: amount('tax_minor'),
  paidTo: calendarDateOrNull('paid_to'),
}

/** A liquidation reads thousands per second: only what it needs. */
export const breakableMap = rowMap<BreakableDeposit>({
  ...agreed,
  remaining: amount('remaining_minor'),
  lien: amount('lien_minor'),
  tenorDays: integer('tenor_days'),
  nextInterestDate: calendarDateOrNull('next_interest_date'),
  lastBroken: group({ on: calendarDate('broken_on'), ...daySumFields('broken') }),
  brokenDays: integer('broken_days'),
})

/** What is verified of most deposits: reading the rest for each took a tenth of the time. */
export const termsMap = rowMap({
  ...agreed,
  expectedInterest: amount('expected_interest_minor'),
  negotiated: flag<boolean | null>('negotiated'),
  rolledOverTo: text<string | null>('rolled_over_to'),
})

export const depositMap = rowMap<Deposit>({
  ...termsMap.fields,
  ...breakableMap.fields,
  customerId: text('customer_id'),
  instruction: maturityInstruction,
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
  liquidatedAt: instant<Date | null>('liquidated_at'),
  externalId: text<string | null>('external_id'),
  metadata: metadata('metadata'),
  maturityTaxed: group(taxedFields('maturity_tax')),
})

/** New deposits, as inserted. */
export const depositRows: Rows<Deposit> = { ordinal: ['bigint', nextOrdinal], ...depositMap.rows }

export const deposits = table('deposits', depositMap, { key: 'depositId', orderedBy: TAKING_NAMES })

export const findTakenNames = takenNamesOf('deposits')
export const { find: findDeposits, findOne: findDeposit, lock: lockDeposits } = deposits

/** What the table has by default: most new deposits are written without it. */
const BY_DEFAULT = { ...WITHOUT_PRODUCT, ...NOTHING_PAID, ...PLAIN_INTEREST, ...UNTOUCHED, rollovers: 0 }
const defaulted = Object.keys(BY_DEFAULT) as (keyof typeof BY_DEFAULT)[]
const members = Object.keys(depositMap.fields) as (keyof Deposit)[]
const written = members.filter((member) => !(member in BY_DEFAULT))
const isPlain = (deposit: Deposit) => defaulted.every((member) => deposit[member] === BY_DEFAULT[member])

export const insertions = { plain: deposits.insertWith(...written), any: deposits.insert }

export function insertDeposits(tx: Transaction, bookId: string, opened: readonly Deposit[]): void {
  const insert = opened.every(isPlain) ? insertions.plain : insertions.any
  insert(tx, bookId, opened)
}

/** Those of them that are still active and not locked by others. */
// order by fixes the common lock order; skip locked leaves to others what they have locked.
export const claimDeposits = sql`
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    order by deposit_id
    for update skip locked`.all(depositMap, idsOfBook)

/** What customers hold in active deposits, by currency; who has none is left out. */
export const findHoldings = sql`
    select customer_id, currency, count(*)::int4 as active, sum(remaining_minor)::bigint as held_minor,
           min(maturity_date) as next_maturity
    from deposits
    where book_id = $1
      and customer_id = any($2::text[])
      and status = 'ACTIVE'
    group by customer_id, currency
    order by customer_id, currency`.groups(
  text('customer_id'),
  rowMap({
    currency: text('currency'),
    active: integer('active'),
    held: ordinal('held_minor'),
    nextMaturity: calendarDate('next_maturity'),
  }),
  idsOfBook,
)

export const listDeposits = deposits.list({
  customerId: where('customer_id = ?'),
  accountNumber: where('account_number = ?'),
  status: where<Deposit['status']>('status = ?'),
  maturesBefore: where('maturity_date < ?::date'),
  maturesAfter: where('maturity_date > ?::date'),
  externalId: where('external_id = ?'),
  productCode: where('product_code = ?'),
  hasNoProduct: where<true>('product_code is null and ?::boolean'),
  /** Rates from the first to below the second. */
  ratesPpm: where<readonly [number, number]>(`annual_rate_ppm >= (?::int4[])[1]
      and annual_rate_ppm < (?::int4[])[2]`),
})
export type DepositFilters = FiltersOf<typeof listDeposits>

export const taxStatusMap = rowMap<TaxStatus>({
  taxClass: text<string | null>('tax_class'),
  taxValidUntil: calendarDateOrNull('tax_valid_until'),
})

const ACCOUNT = 'balance_minor, tax_class, tax_valid_until'
/** A deposit with what its settlement depends on besides its rules. */
const settledFrom = {
  deposit: nested(breakableMap),
  balance: ordinal('balance_minor'),
  taxStatus: nested(taxStatusMap),
}
const inBook = (bookId: string, depositIds: readonly string[]) => [bookId, new TextArray(depositIds)]

/** A deposit with the clock and the newest versions of its book. */
const quotableMap = rowMap({
  ...settledFrom,
  snapshot: computed((row) => ({ clockOffsetMs: Number(row.clock_offset_ms), versions: versionsOf(row) })),
})

export type LockedRows = { deposit: RowAddress; account: RowAddress }
const lockedMap = rowMap({
  ...settledFrom,
  rows: computed((row) => ({ deposit: row.deposit_row, account: row.account_row }) as LockedRows),
})

const account = `account_number, ${ACCOUNT}, ${addressAs('account_row')}`
const LOCK_ACCOUNTS = lockedByKey('accounts', 'account_number', account, {
  keys: '(select account_number from deposit)',
})
/** All deposits are locked before the first account, because the numbers of the accounts are collected first. */
export const lockWithAccounts = (lockDeposits: string) => `
    with deposit as materialized (${lockDeposits}),
    account as materialized (${LOCK_ACCOUNTS})
    select *
    from deposit
    join account using (account_number)`
const breakable = `${breakableMap.columns}, ${addressAs('deposit_row')}`
const LOCK_BREAKABLE = lockedByKey('deposits', 'deposit_id', breakable)

export const statements = {
  // All that a quote depends on, in one snapshot.
  findBreakable: sql`
    select deposits.*, ${ACCOUNT}, clock_offset_ms, ${versionColumns('book')}
    from (${rowsByKey(GATHERED_IDS, 'deposits', 'deposit_id', breakableMap.columns)}
    ) as deposits
    cross join lateral (
      select ${ACCOUNT}
      from accounts
      where book_id = $1
        and account_number = deposits.account_number
    ) as account
    cross join lateral (
      select clock_offset_ms, ${versionColumns('books')}
      from books
      where book_id = $1
    ) as book`.map(text('deposit_id'), quotableMap, inBook),

  lockBreakable: sql`${lockWithAccounts(LOCK_BREAKABLE)}`.all(lockedMap, inBook),
}

export const findBreakable = gathered(statements.findBreakable)

/** Deposits and locked rows by id, and by number the balances and tax statuses of their accounts. */
export async function lockBreakable(tx: Queries, bookId: string, depositIds: readonly string[]) {
  const locked = await statements.lockBreakable(tx, bookId, depositIds)
  return {
    deposits: new Map(locked.map(({ deposit }) => [deposit.depositId, deposit])),
    balances: new Map(locked.map(({ deposit, balance }) => [deposit.accountNumber, balance])),
    taxStatuses: new Map(locked.map(({ deposit, taxStatus }) => [deposit.accountNumber, taxStatus])),
    rows: new Map(locked.map(({ deposit, rows }) => [deposit.depositId, rows])),
  }
}
