import { isoDate } from '../../domain/dates.ts'
import type { EntryKind, LedgerEntry } from '../../domain/ledger.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { entryIdAt, ordinalOf } from '../../engine/database/ids.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import {
  type BookOfRows,
  columnNames,
  type FromRows,
  type Rows,
  statementOverRows,
} from '../../engine/database/rows.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from '../../engine/database/window.ts'

const entry: Rows<LedgerEntry> = {
  entry_id: ['text', ({ entryId }) => entryId],
  kind: ['text', ({ kind }) => kind],
  account_number: ['text', ({ accountNumber }) => accountNumber],
  deposit_id: ['text', ({ depositId }) => depositId],
  liquidation_id: ['text', ({ liquidationId }) => liquidationId],
  narration: ['text', ({ narration }) => narration],
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
  accounts: ['text[]', ({ postings }) => postings.map((posting) => posting.account)],
  amounts_minor: ['bigint[]', ({ postings }) => postings.map((posting) => posting.amount)],
  reverses: ['text', ({ reverses }) => reverses ?? null],
  made_by: ['text', ({ madeBy }) => madeBy ?? null],
}
export const entryColumns = columnNames(entry)
export const entryRows = { entry }
type EntryTable = typeof entryRows

/** Shared by every statement that moves money. */
export function entryCte(from: FromRows<EntryTable>, book: BookOfRows<EntryTable>): string {
  return `
    written_entries as (
      insert into ledger_entries (book_id, ${entryColumns})
      select ${book.entry}, ${entryColumns}
      from ${from.entry}
      returning 1
    )`
}

/** Entries, and the balances they change. The accounts are already locked; here they are only written. */
export function movementCtes(
  from: FromRows<typeof movementRows>,
  book: BookOfRows<typeof movementRows>,
): string {
  return `${entryCte(from, book)},
    changed_balances as (
      update accounts
      set balance_minor = balance_minor + credit.amount_minor
      from ${from.credit}
      where accounts.book_id = ${book.credit}
        and accounts.account_number = credit.account_number
      returning 1
    )`
}

type Credit = readonly [accountNumber: string, amount: bigint]

const credit: Rows<Credit> = {
  account_number: ['text', ([accountNumber]) => accountNumber],
  amount_minor: ['bigint', ([, amount]) => amount],
}
/** The rows of every statement that moves money: entries, and their effect on the balances of customers' accounts. */
export const movementRows = { ...entryRows, credit }

/** One sum for each account, because a statement changes a row only once. */
export function balanceChanges(entries: readonly LedgerEntry[]): Credit[] {
  const sums = new Map<string, bigint>()
  for (const { accountNumber, postings } of entries) {
    if (accountNumber === null) continue
    for (const { account, amount } of postings) {
      if (account === accountNumber) sums.set(accountNumber, (sums.get(accountNumber) ?? 0n) + amount)
    }
  }
  return [...sums]
}

export function movementOf(entries: readonly LedgerEntry[]) {
  return { entry: entries, credit: balanceChanges(entries) }
}

const posting = statementOverRows(
  movementRows,
  (from, book) => `
    with ${movementCtes(from, book)}
    select 1`,
)

export const statements = {
  postEntries: posting,

  listEntries: (clauses: string) => `
    select ${entryColumns}, business_date
    from ledger_entries
    where book_id = $1
      and entry_id < $2${clauses}
    order by entry_id desc
    limit $3`,
}

/** Writes entries and changes the balances of the accounts they name, which the transaction has locked. */
export function postEntries(tx: Transaction, bookId: string, entries: readonly LedgerEntry[]): void {
  tx.write(statements.postEntries.of(bookId, movementOf(entries)))
}

export type EntryFilters = {
  accountNumber?: string
  depositId?: string
  liquidationId?: string
  kind?: EntryKind
  /** Times of entries from the first to before the second. */
  from?: Date
  before?: Date
  /** The smallest entry that can be of those times. */
  aboveEntry?: string
  entryId?: string
}

/** Entries of a liquidation are found by its deposit first: that index serves both filters. */
export const entryFilterClauses: Record<keyof EntryFilters, (parameter: string) => string> = {
  accountNumber: (parameter) => `account_number = ${parameter}`,
  depositId: (parameter) => `deposit_id = ${parameter}`,
  kind: (parameter) => `kind = ${parameter}`,
  from: (parameter) => `created_at >= ${parameter}`,
  before: (parameter) => `created_at < ${parameter}`,
  aboveEntry: (parameter) => `entry_id > ${parameter}`,
  entryId: (parameter) => `entry_id = ${parameter}`,
  liquidationId: (parameter) => `liquidation_id = ${parameter}
      and deposit_id = (
        select deposit_id
        from liquidations
        where book_id = $1
          and liquidation_id = ${parameter})`,
}

export async function listEntries(
  db: Queries,
  bookId: string,
  filters: EntryFilters,
  page: PageRequest,
): Promise<Page<LedgerEntry>> {
  const window = entryWindow(bookId, filters, page)
  return pageOfEntries(await readWindow<EntryRow>(db, window), page, entryOf)
}

/** Without a page: the newest that are sorted and added up. */
export function entryWindow(
  bookId: string,
  filters: EntryFilters,
  page: PageRequest = NEWEST_ROWS,
): ListWindow {
  const { text, values } = filterClauses(filters, entryFilterClauses, 4)
  return { text: statements.listEntries(text), values: [bookId, ...entryPageParameters(page), ...values] }
}

export function entryOf(row: EntryRow): LedgerEntry {
  return {
    entryId: row.entry_id,
    kind: row.kind,
    accountNumber: row.account_number,
    depositId: row.deposit_id,
    liquidationId: row.liquidation_id,
    narration: row.narration,
    createdAt: row.created_at,
    postings: row.accounts.map((account, index) => ({ account, amount: row.amounts_minor[index]! })),
    reverses: row.reverses,
    businessDate: row.business_date == null ? null : isoDate(row.business_date),
  }
}

/** Lists in the order of entries are sorted by their number, which contains their ordinal. */
export function entryPageParameters(page: PageRequest): [string, number] {
  const [before, limit] = pageParameters(page)
  return [entryIdAt(before), limit]
}

export function pageOfEntries<Row extends { entry_id: string }, Item>(
  rows: readonly Row[],
  page: PageRequest,
  item: (row: Row) => Item,
): Page<Item> {
  const inOrder = rows.map((row) => ({ ...row, ordinal: ordinalOf(row.entry_id) }))
  return pageOf(inOrder, page, item)
}

export type EntryRow = {
  entry_id: string
  kind: EntryKind
  account_number: string | null
  deposit_id: string | null
  liquidation_id: string | null
  narration: string | null
  created_at: Date
  accounts: string[]
  amounts_minor: bigint[]
  reverses: string | null
  /** Not read everywhere. */
  business_date?: string | null
}
