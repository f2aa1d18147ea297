/** Recent liquidations, newest first, a page at a time. */
import type { IsoDate } from '../../domain/dates.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import type { Queries } from '../../engine/database/database.ts'
import { liquidationMap } from '../liquidation/store.ts'

export const statements = {
  readRecent: `
    select ${liquidationMap.columns}
    from liquidations
    where book_id = $1
      and business_date >= $2
      and (business_date, liquidated_at, liquidation_id) < ($3::date, $4::timestamptz, $5)
    order by business_date desc, liquidated_at desc, liquidation_id desc
    limit $6`,
}

const PAGE = 500

export async function* readRecent(
  db: Queries,
  bookId: string,
  from: IsoDate,
): AsyncGenerator<StoredLiquidation[]> {
  for (let before: unknown[] = ['infinity', 'infinity', '']; ; ) {
    const rows = await db.query<object>(statements.readRecent, [bookId, from, ...before, PAGE])
    const page = rows.map(liquidationMap.read)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    const last = page.at(-1)!
    before = [last.businessDate, last.at, last.liquidationId]
  }
}
