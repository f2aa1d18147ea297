import type { Account } from '../../domain/deposit.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'
import { amount, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'

const account = rowMap<Account>({
  accountNumber: text('account_number'),
  customerId: text('customer_id'),
  currency: text('currency'),
  balance: amount('balance_minor'),
  createdAt: instant('created_at'),
})

const insertion = statementOverRows(
  { opened: { ordinal: ['bigint', nextOrdinal], ...account.rows } },
  (from) => `
    insert into accounts (book_id, ordinal, ${account.columns})
    select $1::text, ordinal, ${account.columns}
    from ${from.opened}`,
)

export const statements = {
  insertAccounts: insertion.text,

  findAccount: `
    select ${account.columns}
    from accounts
    where book_id = $1
      and account_number = $2`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
  lockAccounts: `
    select ${account.columns}
    from accounts
    where book_id = $1
      and account_number = any($2::text[])
    order by account_number
    for update`,

  listAccounts: `
    select ordinal, ${account.columns}
    from accounts
    where book_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  listAccountsOfCustomer: `
    select ordinal, ${account.columns}
    from accounts
    where book_id = $1
      and customer_id = $4
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export function insertAccounts(tx: Transaction, bookId: string, accounts: readonly Account[]): void {
  tx.write(statements.insertAccounts, insertion.parameters(bookId, { opened: accounts }))
}

export async function findAccount(
  db: Queries,
  bookId: string,
  accountNumber: string,
): Promise<Account | undefined> {
  const [row] = await db.query<object>(statements.findAccount, [bookId, accountNumber])
  return row && account.read(row)
}

export async function lockAccounts(
  tx: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await tx.query<object>(statements.lockAccounts, [bookId, accountNumbers])
  return new Map(rows.map(account.read).map((one) => [one.accountNumber, one]))
}

export async function listAccounts(
  db: Queries,
  bookId: string,
  filters: { customerId: string | null },
  page: PageRequest,
): Promise<Page<Account>> {
  type Row = { ordinal: bigint }
  const rows =
    filters.customerId === null
      ? await db.query<Row>(statements.listAccounts, [bookId, ...pageParameters(page)])
      : await db.query<Row>(statements.listAccountsOfCustomer, [
          bookId,
          ...pageParameters(page),
          filters.customerId,
        ])
  return pageOf(rows, page, account.read)
}
