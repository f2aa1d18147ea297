/**
 * Liens, and their sum in the deposit's row. The row of the deposit is the lock: every change of a lien and every
 * liquidation or settlement of the deposit holds that row, so the sum and the liens never differ.
 */
import type { Deposit } from '../../domain/deposit.ts'
import type { Lien } from '../../domain/lien.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { filterClauses, type Page, type PageRequest } from '../../engine/database/pages.ts'
import { amount, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { table } from '../../engine/database/table.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from '../../engine/database/window.ts'
import { byId, deposits } from '../deposits/store.ts'

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

export const statements = {
  ...liens.statements,
  release: liens.assign('status', 'releasedAt', 'releaseReason'),
  hold: deposits.assign('lien'),

  countActiveLiens: `
    select deposit_id, count(*)::int4 as active
    from liens
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    group by deposit_id`,

  // A rollover may have moved a lien meanwhile: the locked deposit is the one it was on when the statement began.
  lockDepositsOfLiens: `
    select ${deposits.columns}
    from deposits
    where book_id = $1
      and deposit_id in (
        select deposit_id
        from liens
        where book_id = $1
          and lien_id = any($2::text[]))
    order by deposit_id
    for update`,

  // Identifiers begin with their time, so the key of the table has them in order.
  listWithCurrency: (clauses: string) => `
    select ${lien.columns}, (
      select currency
      from deposits
      where deposits.book_id = $1
        and deposits.deposit_id = liens.deposit_id) as currency
    from liens
    where book_id = $1
      and lien_id < $2${clauses}
    order by lien_id desc
    limit $3`,
}

export type LienFilters = { lienId?: string; depositId?: string; status?: Lien['status'] }

export const lienFilterClauses: Record<keyof LienFilters, (parameter: string) => string> = {
  depositId: (parameter) => `deposit_id = ${parameter}`,
  lienId: (parameter) => `lien_id = ${parameter}`,
  status: (parameter) => `status = ${parameter}`,
}

export const insertLiens = liens.insert
export const findLiens = liens.find
export const findLien = liens.findOne
export const listLiens = liens.list<LienFilters>(lienFilterClauses)

/** After the identifiers of all liens. */
const BEHIND_ALL = 'lien_zzzzzzzzzz'

/** Without a page: the newest that people sort and add up. */
export function lienWindow(
  bookId: string,
  filters: LienFilters,
  { limit, before }: PageRequest<string> = NEWEST_ROWS,
): ListWindow {
  const { text, values } = filterClauses(filters, lienFilterClauses, 4)
  const parameters = [bookId, before ?? BEHIND_ALL, limit + 1, ...values]
  return { text: statements.listWithCurrency(text), values: parameters }
}

/** A lien with the currency of its deposit. */
export type ListedLien = Lien & { currency: string }

export function listedLienOf(row: object): ListedLien {
  return { ...lien.read(row), currency: (row as { currency: string }).currency }
}

export async function listWithCurrency(
  db: Queries,
  bookId: string,
  filters: LienFilters,
  page: PageRequest<string>,
): Promise<Page<ListedLien, string>> {
  const rows = await readWindow<object>(db, lienWindow(bookId, filters, page))
  const items = rows.slice(0, page.limit).map(listedLienOf)
  return { items, next: rows.length > page.limit ? items.at(-1)!.lienId : null }
}

export function releaseLiens(tx: Transaction, bookId: string, changed: readonly Lien[]): void {
  tx.write(statements.release.of(bookId, { changed }))
}

/** Writes the sums of liens; each deposit at most once. */
export function holdDeposits(tx: Transaction, bookId: string, changed: readonly Deposit[]): void {
  tx.write(statements.hold.of(bookId, { changed }))
}

export async function countActiveLiens(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, number>> {
  type Row = { deposit_id: string; active: number }
  const rows = await db.query<Row>(statements.countActiveLiens, [bookId, depositIds])
  return new Map(rows.map((row) => [row.deposit_id, row.active]))
}

export async function lockDepositsOfLiens(
  tx: Queries,
  bookId: string,
  lienIds: readonly string[],
): Promise<Map<string, Deposit>> {
  return byId(await tx.query<object>(statements.lockDepositsOfLiens, [bookId, lienIds]))
}
