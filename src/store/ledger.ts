import type { EntryKind, LedgerEntry, Posting } from '../domain/ledger.ts'
import type { Queries } from './database.ts'
import { entryIdAt, ordinalOf } from './ids.ts'
import { filterClauses, type Page, type PageRequest, pageOf, pageParameters } from './lists.ts'
import { columnNames, type FromRows, type Rows, statementOverRows } from './rows.ts'

const ledgerRows: Rows<LedgerEntry> = {
  entry_id: ['text', (entry) => entry.entryId],
  kind: ['text', (entry) => entry.kind],
  account_number: ['text', (entry) => entry.accountNumber],
  deposit_id: ['text', (entry) => entry.depositId],
  liquidation_id: ['text', (entry) => entry.liquidationId],
  narration: ['text', (entry) => entry.narration],
  created_at: ['timestamptz', (entry) => entry.createdAt],
}

const postingRows: Rows<{ entryId: string; line: number; posting: Posting }> = {
  entry_id: ['text', ({ entryId }) => entryId],
  line: ['int4', ({ line }) => line],
  account: ['text', ({ posting }) => posting.account],
  amount_minor: ['bigint', ({ posting }) => posting.amount],
}

/** What every movement of money adds; linesOf gives the postings. */
export const entryRows = { entry: ledgerRows, line: postingRows }

export function linesOf(entries: readonly LedgerEntry[]) {
  return entries.flatMap(({ entryId, postings }) =>
    postings.map((posting, index) => ({ entryId, line: index + 1, posting })),
  )
}

const columns = columnNames(ledgerRows)
const postingColumns = columnNames(postingRows)

/** Shared by every statement that moves money. */
export function entryCtes(from: FromRows<typeof entryRows>): string {
  return `
    written_entries as (
      insert into ledger_entries (book_id, ${columns})
      select $1::text, ${columns}
      from ${from.entry}
      returning 1
    ),
    written_postings as (
      insert into postings (book_id, ${postingColumns})
      select $1::text, ${postingColumns}
      from ${from.line}
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

  findPostings: `
    select entry_id, account, amount_minor
    from postings
    where book_id = $1
      and entry_id = any($2::text[])
    order by entry_id, line`,
}

export async function writeEntries(
  tx: Queries,
  bookId: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await tx.query(
    statements.writeEntries,
    entriesWrite.parameters(bookId, { entry: entries, line: linesOf(entries) }),
  )
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
  const [before, limit] = pageParameters(page)
  const read = await db.query<EntryRow>(statements.listEntries(text), [
    bookId,
    entryIdAt(before),
    limit,
    ...values,
  ])
  const rows = read.map((row) => ({ ...row, ordinal: ordinalOf(row.entry_id) }))
  const postings = await findPostings(
    db,
    bookId,
    rows.map((row) => row.entry_id),
  )
  return pageOf(rows, page, (row) => ({
    entryId: row.entry_id,
    kind: row.kind,
    accountNumber: row.account_number,
    depositId: row.deposit_id,
    liquidationId: row.liquidation_id,
    narration: row.narration,
    createdAt: row.created_at,
    postings: postings.get(row.entry_id) ?? [],
  }))
}

async function findPostings(
  db: Queries,
  bookId: string,
  entryIds: readonly string[],
): Promise<Map<string, Posting[]>> {
  type Row = { entry_id: string; account: string; amount_minor: bigint }
  const rows = await db.query<Row>(statements.findPostings, [bookId, entryIds])
  const byEntry = new Map<string, Posting[]>(entryIds.map((entryId) => [entryId, []]))
  for (const row of rows) byEntry.get(row.entry_id)!.push({ account: row.account, amount: row.amount_minor })
  return byEntry
}

type EntryRow = {
  entry_id: string
  kind: EntryKind
  account_number: string | null
  deposit_id: string | null
  liquidation_id: string | null
  narration: string | null
  created_at: Date
}
