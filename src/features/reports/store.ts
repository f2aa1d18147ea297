/** Liquidations of a range of business dates, and those that were reversed in it. */
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { type LiquidationGroup, openLiquidationReport, type ReportGroup } from '../../domain/report.ts'
import type { Queries } from '../../engine/database/database.ts'
import { type TimeSpan, timeSpan } from '../../engine/database/time-span.ts'
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
