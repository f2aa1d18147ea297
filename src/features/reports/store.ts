/** Liquidations of a range of business dates, those that were reversed in it, and what was taxed. */
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { type EntryKind, INTEREST_EXPENSE, PENAL_INCOME, PENAL_WAIVED } from '../../domain/ledger.ts'
import {
  type LiquidationGroup,
  openLiquidationReport,
  type ReportGroup,
  type TaxedMovement,
} from '../../domain/report.ts'
import { STANDARD_CLASS } from '../../domain/tax.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt, ordinalOf } from '../../engine/database/ids.ts'
import { inPages, type TimeSpan, timeSpan } from '../../engine/database/time-span.ts'
import {
  type KeptLiquidation,
  type LiquidationRow,
  liquidationColumns,
  liquidationOf,
} from '../liquidation/store.ts'

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

  // The class and rate are those of the day: the customer may have others now. A reversal takes its liquidation back.
  readTaxedMovements: `
    select entry.entry_id, entry.kind, entry.created_at, entry.liquidation_id, entry.accounts, entry.amounts_minor,
           deposit.deposit_id, deposit.customer_id, deposit.currency, customer.tax_reference,
           case when entry.kind = 'MATURITY' then deposit.maturity_tax_version else liquidation.tax_version end as tax_version,
           case when entry.kind = 'MATURITY' then deposit.maturity_tax_class else liquidation.tax_class end as tax_class,
           case when entry.kind = 'MATURITY' then deposit.maturity_tax_ppm else liquidation.tax_ppm end as tax_ppm,
           case when entry.kind = 'MATURITY' then coalesce(withheld.tax_minor, 0) else liquidation.tax_minor end as tax_minor
    from ledger_entries entry
    join deposits deposit on deposit.book_id = $1 and deposit.deposit_id = entry.deposit_id
    join customers customer on customer.book_id = $1 and customer.customer_id = deposit.customer_id
    left join liquidations liquidation
      on liquidation.book_id = $1 and liquidation.liquidation_id = entry.liquidation_id
    left join lateral (
      select tax.amounts_minor[2] as tax_minor
      from ledger_entries tax
      where tax.book_id = $1
        and tax.deposit_id = entry.deposit_id
        and tax.kind = 'WITHHOLDING_TAX'
        and tax.liquidation_id is null
      limit 1
    ) as withheld on entry.kind = 'MATURITY'
    where entry.book_id = $1
      and entry.entry_id > $2
      and entry.entry_id < $3
      and entry.created_at >= $4
      and entry.created_at < $5
      and (
        entry.kind = 'MATURITY' and deposit.maturity_tax_version is not null
        or entry.kind = 'LIQUIDATION' and liquidation.tax_version is not null
        or entry.kind = 'REVERSAL' and liquidation.tax_version is not null and exists (
          select
          from ledger_entries reversed
          where reversed.book_id = $1
            and reversed.entry_id = entry.reverses
            and reversed.kind = 'LIQUIDATION'))
    order by entry.entry_id
    limit $6`,

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

const PAGE = 500

export async function reportLiquidations(
  db: Queries,
  book: Book,
  { from, to, groupBy }: { from: IsoDate; to: IsoDate; groupBy: ReportGroup },
): Promise<LiquidationGroup[]> {
  const report = openLiquidationReport(groupBy)
  for await (const page of readLiquidations(db, book.bookId, { from, to })) page.forEach(report.add)
  for await (const page of readReversed(db, book.bookId, timeSpan(book, { from, to }))) {
    for (const one of page) report.addReversed(one, businessDate(one.reversedAt!, book.timeZone))
  }
  return report.close()
}

/** Oldest first, a page at a time. */
export async function* readLiquidations(
  db: Queries,
  bookId: string,
  { from, to }: { from: IsoDate; to: IsoDate },
): AsyncGenerator<KeptLiquidation[]> {
  for (let after: unknown[] = [from, '-infinity', '']; ; ) {
    const parameters = [bookId, from, to, ...after, PAGE]
    const rows = await db.query<LiquidationRow>(statements.readLiquidations, parameters)
    if (rows.length > 0) yield rows.map(liquidationOf)
    if (rows.length < PAGE) return
    const last = rows.at(-1)!
    after = [last.business_date, last.liquidated_at, last.liquidation_id]
  }
}

async function* readReversed(
  db: Queries,
  bookId: string,
  { start, end }: TimeSpan,
): AsyncGenerator<KeptLiquidation[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<LiquidationRow>(statements.readReversed, [bookId, start, end, after, PAGE])
    if (rows.length > 0) yield rows.map(liquidationOf)
    if (rows.length < PAGE) return
    after = rows.at(-1)!.liquidation_id
  }
}

type TaxedRow = {
  entry_id: string
  kind: EntryKind
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
  return {
    entryId: row.entry_id,
    at: row.created_at,
    customerId: row.customer_id,
    taxReference: row.tax_reference,
    depositId: row.deposit_id,
    liquidationId: row.liquidation_id,
    currency: row.currency,
    interest: -of(INTEREST_EXPENSE),
    charge: of(PENAL_INCOME) + of(PENAL_WAIVED),
    taxed: { version: row.tax_version, taxClass: row.tax_class ?? STANDARD_CLASS, ratePpm: row.tax_ppm },
    tax: row.kind === 'REVERSAL' ? -row.tax_minor : row.tax_minor,
  }
}
