/** Liquidations of a range of business dates, those that were reversed in it, and what was taxed. */
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { type EntryKind, INTEREST_EXPENSE, PENAL_INCOME, PENAL_WAIVED } from '../../domain/ledger.ts'
import {
  type LiquidationGroup,
  openLiquidationReport,
  type ReportGroup,
  type TaxedMovement,
} from '../../domain/report.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { STANDARD_CLASS } from '../../domain/tax.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt, ordinalOf } from '../../engine/database/ids.ts'
import { inPages, type TimeSpan, timeSpan } from '../../engine/database/time-span.ts'
import { depositMap } from '../deposits/store.ts'
import { liquidationColumns, liquidationOf } from '../liquidation/store.ts'

export const statements = {
  readLiquidations: `
    select ${liquidationColumns}
    from liquidations
    where book_id = $1
      and business_date >= $2
      and business_date <= $3
      and (business_date, liquidated_at, liquidation_id) > ($4::date, $5::timestamptz, $6)
    order by business_date, liquidated_at, liquidation_id
    limit $7`,

  // The class and rate are those of the day: the customer may have others now. A reversal takes back what it reverses. The
  // tax of a maturity is the entry after it; a return of tax is counted with the interest that went back, if some did.
  readTaxedMovements: `
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
    limit $6`,

  // By the index of due dates, which has all that are active.
  readMaturing: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and awaits_maturity
      and status = 'ACTIVE'
      and maturity_date <= $2
      and (maturity_date, deposit_id) > ($3::date, $4)
    order by maturity_date, deposit_id
    limit $5`,

  // By the index of the next payments; later payments of a deposit follow from its schedule.
  readPaying: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and next_interest_date <= $2
      and next_interest_date < maturity_date
      and (next_interest_date, deposit_id) > ($3::date, $4)
    order by next_interest_date, deposit_id
    limit $5`,

  findProductCodes: `
    select deposit_id, product_code
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])`,

  // The index contains only reversed ones, which are few.
  readReversed: `
    select ${liquidationColumns}
    from liquidations
    where book_id = $1
      and reversed_at >= $2
      and reversed_at < $3
      and liquidation_id > $4
    order by liquidation_id
    limit $5`,
}

const soldMap = depositMap.pick('depositId', 'productCode')

const PAGE = 500

export async function reportLiquidations(
  db: Queries,
  book: Book,
  { from, to, groupBy }: { from: IsoDate; to: IsoDate; groupBy: ReportGroup },
): Promise<LiquidationGroup[]> {
  const products = new Map<string, string | null>()
  const report = openLiquidationReport(groupBy, (depositId) => products.get(depositId) ?? null)
  for await (const page of readLiquidations(db, book.bookId, { from, to })) {
    await learnProducts(page)
    page.forEach(report.add)
  }
  for await (const page of readReversed(db, book.bookId, timeSpan(book, { from, to }))) {
    await learnProducts(page)
    for (const one of page) report.addReversed(one, businessDate(one.reversedAt!, book.timeZone))
  }
  return report.close()

  /** Only where they are asked for; a page of them at a time. */
  async function learnProducts(page: readonly StoredLiquidation[]): Promise<void> {
    if (groupBy !== 'product') return
    const ids = [...new Set(page.map(({ depositId }) => depositId))].filter((id) => !products.has(id))
    const rows = await db.query<object>(statements.findProductCodes, [book.bookId, ids])
    for (const { depositId, productCode } of rows.map(soldMap.read)) products.set(depositId, productCode)
  }
}

/** Oldest first, a page at a time. */
export async function* readLiquidations(
  db: Queries,
  bookId: string,
  { from, to }: { from: IsoDate; to: IsoDate },
): AsyncGenerator<StoredLiquidation[]> {
  for (let after: unknown[] = [from, '-infinity', '']; ; ) {
    const parameters = [bookId, from, to, ...after, PAGE]
    const rows = await db.query<object>(statements.readLiquidations, parameters)
    const page = rows.map(liquidationOf)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    const last = page.at(-1)!
    after = [last.businessDate, last.at, last.liquidationId]
  }
}

async function* readReversed(
  db: Queries,
  bookId: string,
  { start, end }: TimeSpan,
): AsyncGenerator<StoredLiquidation[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<object>(statements.readReversed, [bookId, start, end, after, PAGE])
    const page = rows.map(liquidationOf)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)!.liquidationId
  }
}

/** Active deposits that mature in the range, a page at a time. */
export function readMaturing(db: Queries, bookId: string, { from, to }: { from: IsoDate; to: IsoDate }) {
  const read = (after: unknown[]) => db.query<object>(statements.readMaturing, [bookId, to, ...after, PAGE])
  return inOrder(read, [from, ''], ({ maturityDate, depositId }) => [maturityDate, depositId])
}

/** Active deposits that pay interest before maturity, and some of it by a day, a page at a time. */
export function readPaying(db: Queries, bookId: string, to: IsoDate) {
  const read = (after: unknown[]) => db.query<object>(statements.readPaying, [bookId, to, ...after, PAGE])
  return inOrder(read, ['-infinity', ''], ({ nextInterestDate, depositId }) => [nextInterestDate, depositId])
}

async function* inOrder(
  read: (after: unknown[]) => Promise<object[]>,
  first: unknown[],
  placeOf: (deposit: Deposit) => unknown[],
): AsyncGenerator<Deposit[]> {
  for (let after = first; ; ) {
    const page = (await read(after)).map(depositMap.read)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = placeOf(page.at(-1)!)
  }
}

type TaxedRow = {
  entry_id: string
  kind: EntryKind
  moved_by: EntryKind
  created_at: Date
  liquidation_id: string | null
  accounts: string[]
  amounts_minor: bigint[]
  deposit_id: string
  customer_id: string
  currency: string
  tax_reference: string | null
  tax_version: number
  tax_class: string | null
  tax_ppm: number
  tax_minor: bigint
}

/** Oldest first, a page at a time. */
export async function* readTaxedMovements(
  db: Queries,
  bookId: string,
  span: TimeSpan,
): AsyncGenerator<TaxedMovement[]> {
  const { start, end, below } = span
  const pages = inPages(span, async (after, limit) => {
    const bounds = [entryIdAt(after), entryIdAt(below)]
    const rows = await db.query<TaxedRow>(statements.readTaxedMovements, [
      bookId,
      ...bounds,
      start,
      end,
      limit,
    ])
    return rows.map((row) => ({ ...row, ordinal: ordinalOf(row.entry_id) }))
  })
  for await (const rows of pages) yield rows.map(taxedMovementOf)
}

function taxedMovementOf(row: TaxedRow): TaxedMovement {
  const of = (account: string) =>
    row.amounts_minor.reduce(
      (sum, amount, index) => (row.accounts[index] === account ? sum + amount : sum),
      0n,
    )
  const isTakenBack = row.moved_by === 'INTEREST_RECOVERY'
  const charge = of(PENAL_INCOME) + of(PENAL_WAIVED)
  return {
    entryId: row.entry_id,
    at: row.created_at,
    customerId: row.customer_id,
    taxReference: row.tax_reference,
    depositId: row.deposit_id,
    liquidationId: row.liquidation_id,
    currency: row.currency,
    interest: -of(INTEREST_EXPENSE) - (isTakenBack ? charge : 0n),
    charge: isTakenBack ? 0n : charge,
    taxed: { version: row.tax_version, taxClass: row.tax_class ?? STANDARD_CLASS, ratePpm: row.tax_ppm },
    tax: row.kind === 'REVERSAL' ? -row.tax_minor : row.tax_minor,
  }
}
