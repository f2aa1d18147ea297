/** Recent liquidations, newest first, a page at a time. */
import type { IsoDate } from '../../domain/dates.ts'
import type { Queries } from '../../engine/database/database.ts'
import {
  type KeptLiquidation,
  type LiquidationRow,
  liquidationColumns,
  liquidationOf,
} from '../liquidation/store.ts'

export const statements = {
  readRecent: `
    select ${liquidationColumns}
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
): AsyncGenerator<KeptLiquidation[]> {
  for (let before: unknown[] = ['infinity', 'infinity', '']; ; ) {
    const rows = await db.query<LiquidationRow>(statements.readRecent, [bookId, from, ...before, PAGE])
    if (rows.length > 0) yield rows.map(liquidationOf)
    if (rows.length < PAGE) return
    const last = rows.at(-1)!
    before = [last.business_date, last.liquidated_at, last.liquidation_id]
  }
}
