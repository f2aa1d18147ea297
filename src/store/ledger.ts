import type { EntryKind, LedgerEntry, Posting } from '../domain/ledger.ts'
import type { Queries } from './database.ts'
import { entryIdAt, ordinalOf } from './ids.ts'
import { filterClauses, type Page, type PageRequest, pageOf, pageParameters } from './lists.ts'
import { type Columns, type FromRows, type RowsOf, statementOverRows } from './rows.ts'

const columns = 'entry_id, kind, account_number, deposit_id, liquidation_id, narration, created_at'

export const entryTables = {
  entry: {
    entry_id: 'text',
    kind: 'text',
    account_number: 'text',
    deposit_id: 'text',
    liquidation_id: 'text',
    narration: 'text',
    created_at: 'timestamptz',
  },
  posting: { entry_id: 'text', line: 'int4', account: 'text', amount_minor: 'bigint' },
} satisfies Record<string, Columns>

/** Shared by every statement that moves money. */
export function entryCtes(from: FromRows<typeof entryTables>): string {
  return `
    written_entries as (
      insert into ledger_entries (book_id, ${columns})
      select $1::text, ${columns}
      from ${from.entry}
      returning 1
    ),
    written_postings as (
      insert into postings (book_id, entry_id, line, account, amount_minor)
      select $1::text, entry_id, line, account, amount_minor
      from ${from.posting}
      returning 1
    )`
}

const entriesWrite = statementOverRows(
  entryTables,
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

export function entryRows(entries: readonly LedgerEntry[]): RowsOf<typeof entryTables> {
  return {
    entry: entries.map((entry) => ({
      entry_id: entry.entryId,
      kind: entry.kind,
      account_number: entry.accountNumber,
      deposit_id: entry.depositId,
      liquidation_id: entry.liquidationId,
      narration: entry.narration,
      created_at: entry.createdAt,
    })),
    posting: entries.flatMap((entry) =>
      entry.postings.map((posting, index) => ({
        entry_id: entry.entryId,
        line: index + 1,
        account: posting.account,
        amount_minor: posting.amount,
      })),
    ),
  }
}

export async function writeEntries(
  tx: Queries,
  bookId: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await tx.query(statements.writeEntries, entriesWrite.parameters(bookId, entryRows(entries)))
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
