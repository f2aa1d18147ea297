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
import { columnNames, type FromRows, type Rows, statementOverRows } from '../../engine/database/rows.ts'

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
}
export const entryRows = { entry }

const columns = columnNames(entry)

/** Shared by every statement that moves money. */
export function entryCtes(from: FromRows<typeof entryRows>): string {
  return `
    written_entries as (
      insert into ledger_entries (book_id, ${columns})
      select $1::text, ${columns}
      from ${from.entry}
      returning 1
    )`
}

const entriesWrite = statementOverRows(
  entryRows,
  (from) => `
    with ${entryCtes(from)}
    select 1`,
)

export const statements = {
  writeEntries: entriesWrite.text,

  listEntries: (clauses: string) => `
    select ${columns}
    from ledger_entries
    where book_id = $1
      and entry_id < $2${clauses}
    order by entry_id desc
    limit $3`,
}

export function writeEntries(tx: Transaction, bookId: string, entries: readonly LedgerEntry[]): void {
  tx.write(statements.writeEntries, entriesWrite.parameters(bookId, { entry: entries }))
}

export type EntryFilters = { accountNumber?: string; depositId?: string; liquidationId?: string }

/** Entries of a liquidation are found by its deposit first: that index serves both filters. */
export const entryFilterClauses: Record<keyof EntryFilters, (parameter: string) => string> = {
  accountNumber: (parameter) => `account_number = ${parameter}`,
  depositId: (parameter) => `deposit_id = ${parameter}`,
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
  const { text, values } = filterClauses(filters, entryFilterClauses, 4)
  const rows = await db.query<EntryRow>(statements.listEntries(text), [
    bookId,
    ...entryPageParameters(page),
    ...values,
  ])
  return pageOfEntries(rows, page, (row) => ({
    entryId: row.entry_id,
    kind: row.kind,
    accountNumber: row.account_number,
    depositId: row.deposit_id,
    liquidationId: row.liquidation_id,
    narration: row.narration,
    createdAt: row.created_at,
    postings: row.accounts.map((account, index) => ({ account, amount: row.amounts_minor[index]! })),
  }))
}

/** Lists in the order of entries are read by their number, which holds their ordinal. */
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

type EntryRow = {
  entry_id: string
  kind: EntryKind
  account_number: string | null
  deposit_id: string | null
  liquidation_id: string | null
  narration: string | null
  created_at: Date
  accounts: string[]
  amounts_minor: bigint[]
}
