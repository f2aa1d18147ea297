import type { IsoDate } from '../../domain/dates.ts'
import { type ItemOf, integer, ordinal, rowMap, text } from '../../engine/database/row-map.ts'
import { membersInBook, sql } from '../../engine/database/sql.ts'

/** Active deposits that are alike: the weeks to maturity and the whole percents of the rate are rounded down. */
const liabilityMap = rowMap({
  productCode: text<string | null>('product_code'),
  week: integer('week'),
  ratePercent: integer('rate_percent'),
  deposits: integer('deposits'),
  held: ordinal('held_minor'),
})
export type Liability = ItemOf<typeof liabilityMap>

// One pass over the active deposits; what is asked of them is added up from these groups.
export const groupLiabilities = sql`
    select product_code, (maturity_date - $2::date) / 7 as week, annual_rate_ppm / 10000 as rate_percent,
           count(*)::int4 as deposits, sum(remaining_minor)::bigint as held_minor
    from deposits
    where book_id = $1
      and status = 'ACTIVE'
      and currency = $3
    group by product_code, (maturity_date - $2::date) / 7, annual_rate_ppm / 10000`.all(
  liabilityMap,
  membersInBook<{ today: IsoDate; currency: string }>('today', 'currency'),
)
