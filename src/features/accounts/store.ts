import type { Account } from '../../domain/deposit.ts'
import { minor } from '../../domain/money.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'
import type { Rows } from '../../engine/database/rows.ts'

export type Credit = readonly [accountNumber: string, amount: bigint]

export const creditRows: Rows<Credit> = {
  account_number: ['text', ([accountNumber]) => accountNumber],
  amount_minor: ['bigint', ([, amount]) => amount],
}

/** One sum for each account, because a statement changes a row only once. */
export function sumCredits(credits: readonly Credit[]): Credit[] {
  const sums = new Map<string, bigint>()
  for (const [accountNumber, amount] of credits) {
    sums.set(accountNumber, (sums.get(accountNumber) ?? 0n) + amount)
  }
  return [...sums]
}

const columns = 'account_number, customer_id, currency, balance_minor, created_at'

export const statements = {
  insertAccount: `
    insert into accounts (book_id, ordinal, ${columns})
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict do nothing
    returning 1`,

  findAccount: `
    select ${columns}
    from accounts
    where book_id = $1
      and account_number = $2`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
  lockAccounts: `
    select ${columns}
    from accounts
    where book_id = $1
      and account_number = any($2::text[])
    order by account_number
    for update`,

  changeBalance: `
    update accounts
    set balance_minor = balance_minor + $3::bigint
    where book_id = $1
      and account_number = $2`,

  listAccounts: `
    select ordinal, ${columns}
    from accounts
    where book_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  listAccountsOfCustomer: `
    select ordinal, ${columns}
    from accounts
    where book_id = $1
      and customer_id = $4
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

/** False when the number is taken: the caller draws another one. */
export async function insertAccount(tx: Queries, bookId: string, account: Account): Promise<boolean> {
  const inserted = await tx.query(statements.insertAccount, [
    bookId,
    nextOrdinal(),
    account.accountNumber,
    account.customerId,
    account.currency,
    account.balance,
    account.createdAt,
  ])
  return inserted.length === 1
}

export async function findAccount(
  db: Queries,
  bookId: string,
  accountNumber: string,
): Promise<Account | undefined> {
  const [row] = await db.query<AccountRow>(statements.findAccount, [bookId, accountNumber])
  return row && accountOf(row)
}

export async function lockAccounts(
  tx: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await tx.query<AccountRow>(statements.lockAccounts, [bookId, accountNumbers])
  return new Map(rows.map((row) => [row.account_number, accountOf(row)]))
}

export function changeBalance(
  tx: Transaction,
  bookId: string,
  change: { accountNumber: string; amount: bigint },
): void {
  tx.write(statements.changeBalance, [bookId, change.accountNumber, change.amount])
}

export async function listAccounts(
  db: Queries,
  bookId: string,
  filters: { customerId: string | null },
  page: PageRequest,
): Promise<Page<Account>> {
  type Row = AccountRow & { ordinal: bigint }
  const rows =
    filters.customerId === null
      ? await db.query<Row>(statements.listAccounts, [bookId, ...pageParameters(page)])
      : await db.query<Row>(statements.listAccountsOfCustomer, [
          bookId,
          ...pageParameters(page),
          filters.customerId,
        ])
  return pageOf(rows, page, accountOf)
}

type AccountRow = {
  account_number: string
  customer_id: string
  currency: string
  balance_minor: bigint
  created_at: Date
}

function accountOf(row: AccountRow): Account {
  return {
    accountNumber: row.account_number,
    customerId: row.customer_id,
    currency: row.currency,
    balance: minor(row.balance_minor),
    createdAt: row.created_at,
  }
}
