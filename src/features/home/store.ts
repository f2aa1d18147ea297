import type { IsoDate } from '../../domain/dates.ts'
import type { Queries } from '../../engine/database/database.ts'

export const statements = {
  // One pass over the active deposits; what is asked of them is added up from these groups.
  groupLiabilities: `
    select product_code, (maturity_date - $2::date) / 7 as week, annual_rate_ppm / 10000 as rate_percent,
           count(*)::int4 as deposits, sum(remaining_minor)::bigint as held_minor
    from deposits
    where book_id = $1
      and status = 'ACTIVE'
      and currency = $3
    group by product_code, (maturity_date - $2::date) / 7, annual_rate_ppm / 10000`,
}

/** Active deposits that are alike: the weeks to maturity and the whole percents of the rate are rounded down. */
export type Liability = {
  productCode: string | null
  week: number
  ratePercent: number
  deposits: number
  held: bigint
}

export async function groupLiabilities(
  db: Queries,
  bookId: string,
  { today, currency }: { today: IsoDate; currency: string },
): Promise<Liability[]> {
  const rows = await db.query<{
    product_code: string | null
    week: number
    rate_percent: number
    deposits: number
    held_minor: bigint
  }>(statements.groupLiabilities, [bookId, today, currency])
  return rows.map((row) => ({
    productCode: row.product_code,
    week: row.week,
    ratePercent: row.rate_percent,
    deposits: row.deposits,
    held: row.held_minor,
  }))
}
