import type { IsoDate } from '../../domain/dates.ts'
import type { EntryKind, LedgerEntry, Movement, Posting } from '../../domain/ledger.ts'
import type { Transaction } from '../../engine/database/database.ts'
import { entryIdAt, newEntryId, ordinalOf } from '../../engine/database/ids.ts'
import { type FiltersOf, listInOrder, newestOf, type Places, where } from '../../engine/database/list.ts'
import { ABOVE_ALL } from '../../engine/database/pages.ts'
import { computed, instant, rowMap, text } from '../../engine/database/row-map.ts'
import {
  type BookOfRows,
  columnNames,
  type FromRows,
  type Rows,
  statementOverRows,
} from '../../engine/database/rows.ts'

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

type About = Partial<Pick<LedgerEntry, 'accountNumber' | 'depositId' | 'liquidationId'>> & { at: Date }

/** Entries about these records, numbered in the order of their movements. */
export function newEntries(movements: readonly Movement[], about: About): LedgerEntry[] {
  const { accountNumber = null, depositId = null, liquidationId = null, at: createdAt } = about
  const named = { accountNumber, depositId, liquidationId, narration: null, createdAt }
  return movements.map(({ kind, postings }) => ({ ...named, kind, postings, entryId: newEntryId() }))
}

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

export const statements = {
  postEntries: statementOverRows(
    movementRows,
    (from, book) => `
    with ${movementCtes(from, book)}
    select 1`,
  ),
}

/** Writes entries and changes the balances of the accounts they name, which the transaction has locked. */
export function postEntries(tx: Transaction, bookId: string, entries: readonly LedgerEntry[]): void {
  tx.write(statements.postEntries.of(bookId, movementOf(entries)))
}

/** The postings of an entry are in two columns, in the same order. */
const entryMap = rowMap<Required<LedgerEntry>>({
  entryId: text('entry_id'),
  kind: text<EntryKind>('kind'),
  accountNumber: text<string | null>('account_number'),
  depositId: text<string | null>('deposit_id'),
  liquidationId: text<string | null>('liquidation_id'),
  narration: text<string | null>('narration'),
  createdAt: instant('created_at'),
  postings: computed<readonly Posting[]>(({ accounts, amounts_minor }) =>
    (accounts as string[]).map((account, index) => ({
      account,
      amount: (amounts_minor as bigint[])[index]!,
    })),
  ),
  reverses: text<string | null>('reverses'),
  // Not read everywhere.
  businessDate: computed(({ business_date = null }) => business_date as IsoDate | null),
})
export const entryOf = entryMap.read

/** Lists in the order of entries are sorted by their number, which contains their ordinal. */
export const byEntry: Places<bigint> = {
  parameter: entryIdAt,
  behindAll: entryIdAt(ABOVE_ALL),
  of: ({ entry_id }: { entry_id: string }) => ordinalOf(entry_id),
}

/** Entries of a liquidation are found by its deposit first: that index serves both filters. */
export const listEntries = listInOrder(
  newestOf(`${entryColumns}, business_date`, 'ledger_entries', 'entry_id'),
  {
    accountNumber: where('account_number = ?'),
    depositId: where('deposit_id = ?'),
    kind: where<EntryKind>('kind = ?'),
    /** Times of entries from the first to before the second. */
    from: where<Date>('created_at >= ?'),
    before: where<Date>('created_at < ?'),
    /** The smallest entry that can be of those times. */
    aboveEntry: where('entry_id > ?'),
    entryId: where('entry_id = ?'),
    liquidationId: where(`liquidation_id = ?
      and deposit_id = (
        select deposit_id
        from liquidations
        where book_id = $1
          and liquidation_id = ?)`),
  },
  entryMap,
  byEntry,
)
export type EntryFilters = FiltersOf<typeof listEntries>
