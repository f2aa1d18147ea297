/** Liquidations of a range of business dates and their totals, what was taxed in it, and what will be paid. */
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate, isoDate } from '../../domain/dates.ts'
import { INTEREST_EXPENSE, PENAL_INCOME, PENAL_WAIVED } from '../../domain/ledger.ts'
import type { LiquidationGroup, ReportGroup, TaxedMovement } from '../../domain/report.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt } from '../../engine/database/ids.ts'
import { computed, instant, integer, nested, type Row, rowMap, text } from '../../engine/database/row-map.ts'
import { membersInBook, sql } from '../../engine/database/sql.ts'
import { type TimeSpan, timeSpan } from '../../engine/database/time-span.ts'
import { depositMap, taxedFields } from '../deposits/store.ts'
import { liquidationMap } from '../liquidation/store.ts'

type Days = { from: IsoDate; to: IsoDate }
/** The values of these columns, by which a page continues. */
const placeOf = (...columns: string[]) => computed((row) => columns.map((column) => row[column]))

/** Oldest first, a page at a time. */
export const readLiquidations = sql`
    select ${liquidationMap.columns}
    from liquidations
    where book_id = $1
      and business_date >= $2
      and business_date <= $3
      and (business_date, liquidated_at, liquidation_id) > ($4::date, $5::timestamptz, $6)
    order by business_date, liquidated_at, liquidation_id
    limit $7`.pages(
  liquidationMap,
  placeOf('business_date', 'liquidated_at', 'liquidation_id'),
  (after, limit, bookId: string, { from, to }: Days) => [
    ...[bookId, from, to, ...(after ?? [from, '-infinity', '']), limit],
  ],
)

/** What the lines of an entry add up to in an account. */
function sumIn(account: string, { accounts, amounts_minor }: Row): bigint {
  const amounts = (amounts_minor as bigint[]).filter((_, index) => (accounts as string[])[index] === account)
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

const chargeIn = (row: Row) => sumIn(PENAL_INCOME, row) + sumIn(PENAL_WAIVED, row)
const isTakenBack = (row: Row) => row.moved_by === 'INTEREST_RECOVERY'

const taxedMap = rowMap<TaxedMovement>({
  entryId: text('entry_id'),
  at: instant('created_at'),
  customerId: text('customer_id'),
  taxReference: text<string | null>('tax_reference'),
  depositId: text('deposit_id'),
  liquidationId: text<string | null>('liquidation_id'),
  currency: text('currency'),
  interest: computed((row) => -sumIn(INTEREST_EXPENSE, row) - (isTakenBack(row) ? chargeIn(row) : 0n)),
  charge: computed((row) => (isTakenBack(row) ? 0n : chargeIn(row))),
  taxed: nested(rowMap(taxedFields('tax'))),
  tax: computed(({ kind, tax_minor }) =>
    kind === 'REVERSAL' ? -(tax_minor as bigint) : (tax_minor as bigint),
  ),
})

/** Oldest first, a page at a time. */
// The class and rate are those of the day: the customer may have others now. A reversal takes back what it reverses. The
// tax of a maturity is the entry after it; a return of tax is counted with the interest that went back, if some did.
export const readTaxedMovements = sql`
    select entry.entry_id, entry.kind, coalesce(reversed.kind, entry.kind) as moved_by, entry.created_at,
           entry.liquidation_id, entry.accounts, entry.amounts_minor,
           deposit.deposit_id, deposit.customer_id, deposit.currency, customer.tax_reference,
           coalesce(payment.tax_version, liquidation.tax_version, deposit.maturity_tax_version) as tax_version,
           coalesce(payment.tax_class, liquidation.tax_class, deposit.maturity_tax_class) as tax_class,
           coalesce(payment.tax_ppm, liquidation.tax_ppm, deposit.maturity_tax_ppm) as tax_ppm,
           case coalesce(reversed.kind, entry.kind)
             when 'INTEREST_PAYOUT' then payment.tax_minor
             when 'MATURITY' then coalesce(withheld.tax_minor, 0)
             when 'LIQUIDATION' then liquidation.tax_minor
             else -coalesce(liquidation.tax_returned_minor, 0)
           end as tax_minor
    from ledger_entries entry
    join deposits deposit on deposit.book_id = $1 and deposit.deposit_id = entry.deposit_id
    join customers customer on customer.book_id = $1 and customer.customer_id = deposit.customer_id
    left join liquidations liquidation
      on liquidation.book_id = $1 and liquidation.liquidation_id = entry.liquidation_id
    left join ledger_entries reversed on reversed.book_id = $1 and reversed.entry_id = entry.reverses
    left join interest_payments payment
      on payment.book_id = $1 and payment.deposit_id = entry.deposit_id and payment.entry_id = entry.entry_id
    left join lateral (
      select tax.amounts_minor[2] as tax_minor
      from ledger_entries tax
      where tax.book_id = $1
        and tax.deposit_id = entry.deposit_id
        and tax.kind = 'WITHHOLDING_TAX'
        and tax.entry_id > entry.entry_id
      order by tax.entry_id
      limit 1
    ) as withheld on entry.kind = 'MATURITY'
    where entry.book_id = $1
      and entry.entry_id > $2
      and entry.entry_id < $3
      and entry.created_at >= $4
      and entry.created_at < $5
      and (
        entry.kind = 'MATURITY' and deposit.maturity_tax_version is not null
        or entry.kind = 'INTEREST_PAYOUT' and payment.tax_version is not null
        or liquidation.tax_version is not null and (
          coalesce(reversed.kind, entry.kind) in ('LIQUIDATION', 'INTEREST_RECOVERY')
          or coalesce(reversed.kind, entry.kind) = 'TAX_RETURN'
            and coalesce(liquidation.unearned_minor, 0) + coalesce(liquidation.recovered_minor, 0) = 0))
    order by entry.entry_id
    limit $6`.pages(
  taxedMap,
  text('entry_id'),
  (after, limit, bookId: string, { above, below, start, end }: TimeSpan) => [
    ...[bookId, after ?? entryIdAt(above), entryIdAt(below), start, end, limit],
  ],
)

/** Deposits from a date of theirs on, a page at a time; `to` is $2. */
const readFrom = (date: string, conditions: string) =>
  sql`
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and ${conditions}
      and (${date}, deposit_id) > ($3::date, $4)
    order by ${date}, deposit_id
    limit $5`.pages(
    depositMap,
    placeOf(date, 'deposit_id'),
    (after, limit, bookId: string, { from = '-infinity', to }: { from?: string; to: string }) => [
      ...[bookId, to, ...(after ?? [from, '']), limit],
    ],
  )

/** Active deposits that mature in the range: by the index of due dates, which has all that are active. */
export const readMaturing = readFrom(
  'maturity_date',
  `awaits_maturity
      and status = 'ACTIVE'
      and maturity_date <= $2`,
)

/**
 * Active deposits that pay interest before maturity, and some of it by a day: by the index of the next payments; later
 * payments of a deposit follow from its schedule.
 */
export const readPaying = readFrom(
  'next_interest_date',
  `next_interest_date <= $2
      and next_interest_date < maturity_date`,
)

// Rows of 0.1.0 have neither an assessed nor a net amount.
const NET = 'coalesce(net_minor, total_minor)'
// The database adds them up: a busy day has many thousands.
const SUMS = {
  principal: 'principal_minor',
  interest: 'interest_minor',
  assessed: 'coalesce(assessed_minor, penal_minor)',
  waived: 'waived_minor',
  charge: 'penal_minor',
  recovered: 'unearned_minor + recovered_minor',
  tax: 'tax_minor - tax_returned_minor',
  net: NET,
}
const SOLD = `(
             select product_code
             from deposits
             where deposits.book_id = $1
               and deposits.deposit_id = liquidations.deposit_id)`
const NAMES: Record<ReportGroup, string> = {
  day: 'business_date',
  product: SOLD,
  waiver_reason: `waiver::json ->> 'reason'`,
}

type Sum = keyof typeof SUMS
const ofEachSum = <Value>(value: (name: Sum) => Value) =>
  Object.fromEntries(Object.keys(SUMS).map((name) => [name, value(name as Sum)])) as Record<Sum, Value>

/** A sum may be larger than one amount can be, so it travels as text. */
const total = (name: string) => computed((row) => BigInt(row[name] as string))

const named = { name: text<string | null>('name'), currency: text('currency') }
const madeMap = rowMap({ ...named, full: integer('full'), partial: integer('partial'), ...ofEachSum(total) })
const reversedMap = rowMap({ ...named, at: instant('at'), reversed: total('reversed') })

const addUp = (name: string) =>
  sql`
    select ${name} as name, currency, count(*) filter (where liquidation_type = 'FULL')::int4 as full,
           count(*) filter (where liquidation_type = 'PARTIAL')::int4 as partial,
           ${Object.values(ofEachSum((name) => `sum(${SUMS[name]})::text as ${name}`)).join(', ')}
    from liquidations
    where book_id = $1
      and business_date >= $2
      and business_date <= $3
    group by 1, 2`.all(madeMap, membersInBook<Days>('from', 'to'))

/** The index contains only reversed ones, which are few. All of a minute are of one business date. */
const addUpReversed = (name: string) =>
  sql`
    select ${name} as name, currency, date_trunc('minute', reversed_at) as at, sum(${NET})::text as reversed
    from liquidations
    where book_id = $1
      and reversed_at >= $2
      and reversed_at < $3
    group by 1, 2, 3`.all(reversedMap, membersInBook<TimeSpan>('start', 'end'))

export const statements = {
  day: addUp(NAMES.day),
  product: addUp(NAMES.product),
  waiver_reason: addUp(NAMES.waiver_reason),
  reversed_day: addUpReversed(NAMES.day),
  reversed_product: addUpReversed(NAMES.product),
  reversed_waiver_reason: addUpReversed(NAMES.waiver_reason),
}

/**
 * A liquidation counts on its own date, permanently; one that was reversed also counts with its net amount on the date of
 * its reversal, as in the ledger. By group and currency; no group comes first.
 */
export async function reportLiquidations(
  db: Queries,
  book: Book,
  { groupBy, ...days }: Days & { groupBy: ReportGroup },
): Promise<LiquidationGroup[]> {
  const { bookId, timeZone } = book
  const groups = new Map<string, LiquidationGroup>()
  for (const { name, currency, ...figures } of await statements[groupBy](db, bookId, days)) {
    Object.assign(groupOf(name, currency), figures)
  }
  for (const row of await statements[`reversed_${groupBy}`](db, bookId, timeSpan(book, days))) {
    const name = groupBy === 'day' ? businessDate(row.at, timeZone) : row.name
    groupOf(name, row.currency).reversed += row.reversed
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group)

  function groupOf(name: string | null, currency: string): LiquidationGroup {
    const key = `${name ?? ''} ${currency}`
    const group = groups.get(key) ?? {
      day: groupBy === 'day' ? isoDate(name!) : null,
      product: groupBy === 'product' ? name : null,
      waiverReason: groupBy === 'waiver_reason' ? name : null,
      currency,
      ...NOTHING,
    }
    groups.set(key, group)
    return group
  }
}

const NOTHING = { full: 0, partial: 0, ...ofEachSum(() => 0n), reversed: 0n }
