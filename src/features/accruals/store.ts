/** Deposits as they stood at the close of a day, and the days that were closed. */
import type { ClosedDay, ClosedDeposit } from '../../domain/accrual.ts'
import type { Book } from '../../domain/book.ts'
import { addDays, type IsoDate, startOfBusinessDate } from '../../domain/dates.ts'
import type { Posting } from '../../domain/ledger.ts'
import { minor } from '../../domain/money.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { calendarDate, calendarDateOrNull, rowMap, sumOf, text } from '../../engine/database/row-map.ts'
import { depositMap } from '../deposits/store.ts'

const closed = depositMap.pick(
  ...(['depositId', 'currency', 'method', 'every', 'annualRatePpm', 'startDate', 'maturityDate'] as const),
  ...([
    'agreedTenor',
    'rulesVersion',
    'productCode',
    'productVersion',
    'remaining',
    'paid',
    'paidTo',
  ] as const),
)
const columns = closed.columns.replaceAll(/\w+/g, 'deposits.$&')

const DEPOSIT_LINE = `(
            select sum(line.amount)
            from unnest(accounts, amounts_minor) as line(account, amount)
            where line.account = ledger_entries.deposit_id)`

export const statements = {
  // What moved since is taken back: entries show the principal, payments and liquidations the interest paid on it. A deposit
  // that nothing happened to since the close is read alone.
  readClosed: `
    select ${columns}, moved.moved_minor, paying.paid_after_minor, paying.paid_from, taken.share_minor
    from deposits
    left join lateral (
      select sum(${DEPOSIT_LINE})::bigint as moved_minor
      from ledger_entries
      where ledger_entries.book_id = $1
        and ledger_entries.deposit_id = deposits.deposit_id
        and ledger_entries.created_at >= $4
        and deposits.updated_at >= $4
    ) as moved on true
    left join lateral (
      select sum(interest_minor)::bigint as paid_after_minor, min(period_from) as paid_from
      from interest_payments
      where interest_payments.book_id = $1
        and interest_payments.deposit_id = deposits.deposit_id
        and interest_payments.business_date > $5
        and deposits.updated_at >= $4
    ) as paying on true
    left join lateral (
      select sum(case
          when business_date > $5 and reversed_at is null then paid_share_minor
          when business_date <= $5 and reversed_at >= $4 then -paid_share_minor
          else 0
        end)::bigint as share_minor
      from liquidations
      where liquidations.book_id = $1
        and liquidations.deposit_id = deposits.deposit_id
        and deposits.updated_at >= $4
    ) as taken on true
    where deposits.book_id = $1
      and deposits.deposit_id > $2
      and (deposits.status = 'ACTIVE' or deposits.updated_at >= $4)
    order by deposits.deposit_id
    limit $3`,

  findLastDays: `
    select distinct on (currency) currency, business_date, interest_payable_minor::text as payable,
      prepaid_interest_minor::text as prepaid, entry_id
    from accruals
    where book_id = $1
    order by currency, business_date desc`,

  listDays: `
    select currency, business_date, interest_payable_minor::text as payable, prepaid_interest_minor::text as prepaid,
      entry_id
    from accruals
    where book_id = $1
    order by currency, business_date`,

  insertDay: `
    insert into accruals (book_id, currency, business_date, interest_payable_minor, prepaid_interest_minor, entry_id)
    values ($1, $2, $3, $4::text::numeric, $5::text::numeric, $6)`,

  insertEntry: `
    insert into ledger_entries (book_id, entry_id, kind, narration, created_at, accounts, amounts_minor, business_date)
    values ($1, $2, 'ACCRUAL', $3, $4, $5::text[], $6::text[]::bigint[], $7)`,

  listVersions: `
    select version, text, created_at
    from documents
    where book_id = $1
      and kind = 'ACCOUNTING'
    order by version`,

  findEntries: `
    select entry_id, accounts, amounts_minor
    from ledger_entries
    where book_id = $1
      and entry_id = any($2::text[])`,
}

const PAGE = 10_000

/** Those of which something was left, in the order of their identifiers, page by page. */
export async function* readClosed(
  db: Queries,
  { bookId, timeZone }: Book,
  date: IsoDate,
): AsyncGenerator<ClosedDeposit[]> {
  const end = startOfBusinessDate(addDays(date, 1), timeZone)
  for (let after = ''; ; ) {
    const rows = await db.query<object>(statements.readClosed, [bookId, after, PAGE, end, date])
    const deposits = rows.map(closedOf)
    const standing = deposits.filter(({ remaining }) => remaining > 0n)
    if (standing.length > 0) yield standing
    if (rows.length < PAGE) return
    after = deposits.at(-1)!.depositId
  }
}

/** What was moved and paid after the day, which the row of today's deposit contains. */
const since = rowMap<{ moved: bigint; paid: bigint; paidFrom: IsoDate | null; share: bigint }>({
  moved: sumOf('moved_minor'),
  paid: sumOf('paid_after_minor'),
  paidFrom: calendarDateOrNull('paid_from'),
  share: sumOf('share_minor'),
})

function closedOf(row: object): ClosedDeposit {
  const deposit = closed.read(row)
  const { moved, paid, paidFrom, share } = since.read(row)
  return {
    ...deposit,
    remaining: minor(deposit.remaining - moved),
    paid: minor(deposit.paid - paid + share),
    paidTo: paidFrom === null ? deposit.paidTo : paidFrom === deposit.startDate ? null : paidFrom,
  }
}

/** Sums may be larger than any amount, so they are read as text. */
const dayMap = rowMap<Omit<ClosedDay, 'payable' | 'prepaid'> & { payable: string; prepaid: string }>({
  currency: text('currency'),
  date: calendarDate('business_date'),
  payable: text('payable'),
  prepaid: text('prepaid'),
  entryId: text<string | null>('entry_id'),
})

function dayOf(row: object): ClosedDay {
  const { payable, prepaid, ...day } = dayMap.read(row)
  return { ...day, payable: BigInt(payable), prepaid: BigInt(prepaid) }
}

/** The newest of each currency. */
export async function findLastDays(db: Queries, bookId: string): Promise<ClosedDay[]> {
  return (await db.query<object>(statements.findLastDays, [bookId])).map(dayOf)
}

/** All of them, by currency and date. */
export async function listDays(db: Queries, bookId: string): Promise<ClosedDay[]> {
  return (await db.query<object>(statements.listDays, [bookId])).map(dayOf)
}

export type AccrualEntry = {
  entryId: string
  narration: string
  createdAt: Date
  businessDate: IsoDate
  postings: readonly Posting[]
}

export function insertDay(tx: Transaction, bookId: string, day: ClosedDay, entry: AccrualEntry | null): void {
  const { currency, date, payable, prepaid } = day
  if (entry !== null) {
    tx.write(statements.insertEntry, [
      ...[bookId, entry.entryId, entry.narration, entry.createdAt],
      entry.postings.map(({ account }) => account),
      entry.postings.map(({ amount }) => String(amount)),
      entry.businessDate,
    ])
  }
  tx.write(statements.insertDay, [bookId, currency, date, String(payable), String(prepaid), day.entryId])
}

export async function listVersions(
  db: Queries,
  bookId: string,
): Promise<{ version: number; text: string; createdAt: Date }[]> {
  const rows = await db.query<{ version: number; text: string; created_at: Date }>(statements.listVersions, [
    bookId,
  ])
  return rows.map(({ version, text, created_at: createdAt }) => ({ version, text, createdAt }))
}

/** The lines of entries, by their identifier. */
export async function findEntryLines(
  db: Queries,
  bookId: string,
  entryIds: readonly string[],
): Promise<Map<string, Posting[]>> {
  if (entryIds.length === 0) return new Map()
  const rows = await db.query<{ entry_id: string; accounts: string[]; amounts_minor: bigint[] }>(
    statements.findEntries,
    [bookId, entryIds],
  )
  return new Map(
    rows.map(({ entry_id, accounts, amounts_minor }) => [
      entry_id,
      accounts.map((account, index) => ({ account, amount: BigInt(amounts_minor[index]!) })),
    ]),
  )
}
