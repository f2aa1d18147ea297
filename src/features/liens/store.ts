/**
 * Liens, and their sum in the deposit's row. The row of the deposit is the lock: every change of a lien and every
 * liquidation or settlement of the deposit holds that row, so the sum and the liens never differ.
 */
import type { Deposit } from '../../domain/deposit.ts'
import type { Lien } from '../../domain/lien.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'
import { amount, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'
import { byId, depositMap } from '../deposits/store.ts'

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

const insertion = statementOverRows(
  { placed: { ordinal: ['bigint', nextOrdinal], ...lien.rows } },
  (from, book) => `
    insert into liens (book_id, ordinal, ${lien.columns})
    select ${book.placed}, ordinal, ${lien.columns}
    from ${from.placed}`,
)

const release = statementOverRows(
  { released: lien.rows },
  (from, book) => `
    update liens
    set status = released.status,
        released_at = released.released_at,
        release_reason = released.release_reason
    from ${from.released}
    where liens.book_id = ${book.released}
      and liens.lien_id = released.lien_id`,
)

const holding = statementOverRows(
  { held: depositMap.pick('depositId', 'lien').rows },
  (from, book) => `
    update deposits
    set lien_minor = held.lien_minor
    from ${from.held}
    where deposits.book_id = ${book.held}
      and deposits.deposit_id = held.deposit_id`,
)

export const statements = {
  insertLiens: insertion,
  releaseLiens: release,
  holdDeposits: holding,

  findLiens: `
    select ${lien.columns}
    from liens
    where book_id = $1
      and lien_id = any($2::text[])`,

  countActiveLiens: `
    select deposit_id, count(*)::int4 as active
    from liens
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    group by deposit_id`,

  // A rollover may have moved a lien meanwhile: the locked deposit is the one it was on when the statement began.
  lockDepositsOfLiens: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and deposit_id in (
        select deposit_id
        from liens
        where book_id = $1
          and lien_id = any($2::text[]))
    order by deposit_id
    for update`,

  listLiensOfDeposit: `
    select ordinal, ${lien.columns}
    from liens
    where book_id = $1
      and deposit_id = $4
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export function insertLiens(tx: Transaction, bookId: string, liens: readonly Lien[]): void {
  tx.write(statements.insertLiens.of(bookId, { placed: liens }))
}

export function releaseLiens(tx: Transaction, bookId: string, liens: readonly Lien[]): void {
  tx.write(statements.releaseLiens.of(bookId, { released: liens }))
}

/** Writes the sums of liens; each deposit at most once. */
export function holdDeposits(tx: Transaction, bookId: string, deposits: readonly Deposit[]): void {
  tx.write(statements.holdDeposits.of(bookId, { held: deposits }))
}

export async function findLien(db: Queries, bookId: string, lienId: string): Promise<Lien | undefined> {
  return (await findLiens(db, bookId, [lienId])).get(lienId)
}

export async function findLiens(
  db: Queries,
  bookId: string,
  lienIds: readonly string[],
): Promise<Map<string, Lien>> {
  const rows = await db.query<object>(statements.findLiens, [bookId, lienIds])
  return new Map(rows.map(lien.read).map((one) => [one.lienId, one]))
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

export async function listLiensOfDeposit(
  db: Queries,
  bookId: string,
  depositId: string,
  page: PageRequest,
): Promise<Page<Lien>> {
  const rows = await db.query<{ ordinal: bigint }>(statements.listLiensOfDeposit, [
    bookId,
    ...pageParameters(page),
    depositId,
  ])
  return pageOf(rows, page, lien.read)
}
