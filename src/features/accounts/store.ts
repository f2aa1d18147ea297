import type { Account } from '../../domain/deposit.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { GATHERED_IDS, gathered } from '../../engine/database/gathering.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { amount, calendarDateOrNull, instant, metadata, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'
import { selectTakenNames, takenNamesReader } from '../../engine/database/taken-names.ts'

const account = rowMap<Account>({
  accountNumber: text('account_number'),
  customerId: text('customer_id'),
  currency: text('currency'),
  balance: amount('balance_minor'),
  createdAt: instant('created_at'),
  externalId: text<string | null>('external_id'),
  metadata: metadata('metadata'),
  taxClass: text<string | null>('tax_class'),
  taxValidUntil: calendarDateOrNull('tax_valid_until'),
})

const insertion = statementOverRows(
  { opened: { ordinal: ['bigint', nextOrdinal], ...account.rows } },
  (from, book) => `
    insert into accounts (book_id, ordinal, ${account.columns})
    select ${book.opened}, ordinal, ${account.columns}
    from ${from.opened}
    -- the order in which names are taken: batches that share some queue instead of deadlocking
    order by external_id`,
)

export const statements = {
  insertAccounts: insertion,

  findTakenNames: selectTakenNames('accounts'),

  findAccounts: `
    select ${account.columns}
    from accounts
    where book_id = $1
      and account_number = any(${GATHERED_IDS})`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
  lockAccounts: `
    select ${account.columns}
    from accounts
    where book_id = $1
      and account_number = any($2::text[])
    order by account_number
    for update`,

  listAccounts: (clauses: string) => `
    select ordinal, ${account.columns}
    from accounts
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
}

export type AccountFilters = { customerId?: string; externalId?: string }

export const accountFilterClauses: Record<keyof AccountFilters, (parameter: string) => string> = {
  customerId: (parameter) => `customer_id = ${parameter}`,
  externalId: (parameter) => `external_id = ${parameter}`,
}

export const findTakenNames = takenNamesReader(statements.findTakenNames)

export function insertAccounts(tx: Transaction, bookId: string, accounts: readonly Account[]): void {
  tx.write(statements.insertAccounts.of(bookId, { opened: accounts }))
}

export async function findAccounts(
  db: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Account>> {
  return byNumber(await db.query<object>(statements.findAccounts, [bookId, accountNumbers]))
}

export const findAccount = gathered(findAccounts)

export async function lockAccounts(
  tx: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Account>> {
  return byNumber(await tx.query<object>(statements.lockAccounts, [bookId, accountNumbers]))
}

function byNumber(rows: readonly object[]): Map<string, Account> {
  return new Map(rows.map(account.read).map((one) => [one.accountNumber, one]))
}

export async function listAccounts(
  db: Queries,
  bookId: string,
  filters: AccountFilters,
  page: PageRequest,
): Promise<Page<Account>> {
  const { text, values } = filterClauses(filters, accountFilterClauses, 4)
  const rows = await db.query<{ ordinal: bigint }>(statements.listAccounts(text), [
    bookId,
    ...pageParameters(page),
    ...values,
  ])
  return pageOf(rows, page, account.read)
}
