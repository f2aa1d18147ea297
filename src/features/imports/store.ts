/** What deposits had behind them when they were taken over from another system. */
import type { ImportedHistory } from '../../domain/import.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { amount, calendarDateOrNull, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'

const history = rowMap<ImportedHistory>({
  depositId: text('deposit_id'),
  remaining: amount('remaining_minor'),
  paid: amount('paid_minor'),
  paidTax: amount('tax_minor'),
  paidTo: calendarDateOrNull('paid_to'),
})

const insertion = statementOverRows(
  { imported: history.rows },
  (from, book) => `
    insert into deposit_imports (book_id, ${history.columns})
    select ${book.imported}, ${history.columns}
    from ${from.imported}`,
)

export const statements = {
  insertHistories: insertion,

  findHistories: `
    select ${history.columns}
    from deposit_imports
    where book_id = $1
      and deposit_id = any($2::text[])`,

  findCustomersByName: `
    select external_id, customer_id
    from customers
    where book_id = $1
      and external_id = any($2::text[])`,

  findNumbers: `
    select account_number
    from accounts
    where book_id = $1
      and account_number = any($2::text[])`,
}

export function insertHistories(tx: Transaction, bookId: string, imported: readonly ImportedHistory[]): void {
  tx.write(statements.insertHistories.of(bookId, { imported }))
}

/** The histories of those that were imported, by deposit. */
export async function findHistories(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, ImportedHistory>> {
  if (depositIds.length === 0) return new Map()
  const rows = await db.query<object>(statements.findHistories, [bookId, depositIds])
  return new Map(rows.map(history.read).map((one) => [one.depositId, one]))
}

/** Identifiers of customers by their external_id. */
export async function findCustomersByName(
  db: Queries,
  bookId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db.query<{ external_id: string; customer_id: string }>(statements.findCustomersByName, [
    bookId,
    names,
  ])
  return new Map(rows.map((row) => [row.external_id, row.customer_id]))
}

/** Those account numbers that exist. */
export async function findNumbers(
  db: Queries,
  bookId: string,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set()
  const rows = await db.query<{ account_number: string }>(statements.findNumbers, [bookId, numbers])
  return new Set(rows.map((row) => row.account_number))
}
