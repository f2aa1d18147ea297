/**
 * Liens, and their sum in the deposit's row. The row of the deposit is the lock: every change of a lien and every
 * liquidation or settlement of the deposit holds that row, so the sum and the liens never differ.
 */
import type { Lien } from '../../domain/lien.ts'
import { lockedByKey } from '../../engine/database/keyed-rows.ts'
import { type FiltersOf, listInOrder, newestOf, where } from '../../engine/database/list.ts'
import { amount, type ItemOf, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { idsOfBook, sql } from '../../engine/database/sql.ts'
import { table } from '../../engine/database/table.ts'
import { depositMap, deposits } from '../deposits/store.ts'

const lien = rowMap<Lien>({
  lienId: text('lien_id'),
  depositId: text('deposit_id'),
  amount: amount('amount_minor'),
  reason: text('reason'),
  reference: text<string | null>('reference'),
  note: text<string | null>('note'),
  status: text<Lien['status']>('status'),
  createdAt: instant('created_at'),
  releasedAt: instant<Date | null>('released_at'),
  releaseReason: text<string | null>('release_reason'),
})
const liens = table('liens', lien, { key: 'lienId' })

export const { insert: insertLiens, find: findLiens, findOne: findLien } = liens
export const releaseLiens = liens.assign('status', 'releasedAt', 'releaseReason')
/** Writes the sums of liens; each deposit at most once. */
export const holdDeposits = deposits.assign('lien')

export const countActiveLiens = sql`
    select deposit_id, count(*)::int4 as active
    from liens
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    group by deposit_id`.map(text('deposit_id'), integer('active'), idsOfBook)

const THEIR_DEPOSITS = '(select deposit_id from liens where book_id = $1 and lien_id = any($2::text[]))'
// A rollover may have moved a lien meanwhile: the locked deposit is the one it was on when the statement began.
export const lockDepositsOfLiens =
  sql`${lockedByKey('deposits', 'deposit_id', deposits.columns, { keys: THEIR_DEPOSITS })}`.map(
    text('deposit_id'),
    depositMap,
    idsOfBook,
  )

export const listLiens = liens.list({
  depositId: where('deposit_id = ?'),
  lienId: where('lien_id = ?'),
  status: where<Lien['status']>('status = ?'),
})
export type LienFilters = FiltersOf<typeof listLiens>

/** A lien with the currency of its deposit. */
const listedLien = rowMap({ ...lien.fields, currency: text('currency') })
export type ListedLien = ItemOf<typeof listedLien>
export const listedLienOf = listedLien.read

const selectCurrency = `
      select currency
      from deposits
      where deposits.book_id = $1
        and deposits.deposit_id = liens.deposit_id`

/** Identifiers begin with their time, so the key of the table has them in order. */
export const listWithCurrency = listInOrder(
  newestOf(`${lien.columns}, (${selectCurrency}) as currency`, 'liens', 'lien_id'),
  listLiens.clauses,
  listedLien,
  { parameter: (lienId: string) => lienId, behindAll: 'lien_zzzzzzzzzz', of: text('lien_id').read },
)
