/**
 * Interest paid before maturity. Finding what is due locks nothing and reads an index that holds active deposits with
 * payments alone. The job writes a batch in one statement: deposits, balances, payments, entries and events.
 */
import { type IsoDate, isoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { minor } from '../../domain/money.ts'
import {
  type InterestPayment,
  type PaidInterest,
  paymentMovements,
  type StoredPayment,
} from '../../domain/payments.ts'
import { type Recording, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import type { Page, PageRequest } from '../../engine/database/pages.ts'
import { amount, calendarDate, group, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { assignments, type BookOfRows, type FromRows, statementOverRows } from '../../engine/database/rows.ts'
import { depositMap, taxedFields } from '../deposits/store.ts'
import { movementCtes, movementOf, movementRows, newEntries } from '../ledger/store.ts'

const paymentMap = rowMap<Omit<StoredPayment, 'net'>>({
  depositId: text('deposit_id'),
  to: calendarDate('period_to'),
  from: calendarDate('period_from'),
  accountNumber: text('account_number'),
  principal: amount('principal_minor'),
  interest: amount('interest_minor'),
  tax: amount('tax_minor'),
  taxed: group(taxedFields('tax')),
  businessDate: calendarDate('business_date'),
  at: instant('paid_at'),
  entryId: text<string | null>('entry_id'),
})

export const paymentColumns = paymentMap.columns
const paymentTable = { payment: paymentMap.rows }

function paymentCte(from: FromRows<typeof paymentTable>, book: BookOfRows<typeof paymentTable>): string {
  return `
    written_payments as (
      insert into interest_payments (book_id, ${paymentColumns})
      select ${book.payment}, ${paymentColumns}
      from ${from.payment}
      returning 1
    )`
}

const insertion = statementOverRows(paymentTable, (from, book) => `with ${paymentCte(from, book)} select 1`)

const paidMap = depositMap.pick('depositId', 'paid', 'paidTax', 'paidTo', 'nextInterestDate', 'updatedAt')

// The rows of deposits and accounts are already locked, in the common order; here they are only written.
const write = statementOverRows(
  { ...recordingRows, ...movementRows, ...paymentTable, changed: paidMap.rows },
  (from, book) => `
    with ${recordingCtes(from, book)},
    ${movementCtes(from, book)},
    ${paymentCte(from, book)},
    changed_deposits as (
      update deposits
      set ${assignments(paidMap.rows, 'changed').slice(1).join(',\n          ')}
      from ${from.changed}
      where deposits.book_id = ${book.changed}
        and deposits.deposit_id = changed.deposit_id
      returning 1
    )
    select 1`,
)

export const statements = {
  insertPayments: insertion,

  writePayments: write,

  // The last period is paid with the maturity.
  findInterestDue: `
    select deposit_id, account_number, next_interest_date
    from deposits
    where book_id = $1
      and next_interest_date <= $2::date
      and next_interest_date < maturity_date
      and (next_interest_date, deposit_id) > ($3::date, $4)
    order by next_interest_date, deposit_id
    limit $5`,

  findPayments: `
    select ${paymentColumns}
    from interest_payments
    where book_id = $1
      and deposit_id = any($2::text[])
    order by deposit_id, period_to`,

  // By the day on which they were made; the index has this order.
  readPayments: `
    select ${paymentMap.columnsOf('payment')}, deposit.currency, deposit.product_code
    from interest_payments payment
    join deposits deposit on deposit.book_id = $1 and deposit.deposit_id = payment.deposit_id
    where payment.book_id = $1
      and payment.business_date <= $2
      and (payment.business_date, payment.deposit_id, payment.period_to) > ($3::date, $4, $5::date)
    order by payment.business_date, payment.deposit_id, payment.period_to
    limit $6`,

  listPayments: `
    select ${paymentColumns}
    from interest_payments
    where book_id = $1
      and deposit_id = $2
      and period_to < $3::date
    order by period_to desc
    limit $4`,
}

/** Payments with their entries, which are numbered here. */
export function postedPayments(payments: readonly InterestPayment[]): {
  entries: LedgerEntry[]
  stored: StoredPayment[]
} {
  const entries: LedgerEntry[] = []
  const stored = payments.map((payment): StoredPayment => {
    const made = newEntries(paymentMovements(payment), payment)
    entries.push(...made)
    return { ...payment, entryId: made[0]?.entryId ?? null }
  })
  return { entries, stored }
}

/** The payments of changes that pay interest first: their own statement writes the entries and the deposits. */
export function insertPayments(tx: Transaction, bookId: string, stored: readonly StoredPayment[]): void {
  if (stored.length === 0) return
  tx.write(statements.insertPayments.of(bookId, { payment: stored }))
}

export function writePayments(
  tx: Transaction,
  bookId: string,
  paid: readonly PaidInterest[],
  recording: Recording,
): void {
  const { entries, stored } = postedPayments(paid.flatMap(({ payments }) => payments))
  const rows = statements.writePayments.of(bookId, {
    event: recording.events,
    answer: recording.answers,
    ...movementOf(entries),
    payment: stored,
    changed: paid.map(({ deposit }): Deposit => deposit),
  })
  tx.write(rows)
}

/** The end of a page of deposits whose interest is due. */
export type InterestDue = { depositId: string; accountNumber: string; dueOn: string }
const dueMap = rowMap<InterestDue>({
  depositId: text('deposit_id'),
  accountNumber: text('account_number'),
  dueOn: text('next_interest_date'),
})
export type InterestPosition = Pick<InterestDue, 'depositId' | 'dueOn'>
export const BEFORE_ALL_INTEREST: InterestPosition = { dueOn: '-infinity', depositId: '' }

/** The longest due first. */
export async function findInterestDue(
  db: Queries,
  bookId: string,
  { today, after, limit }: { today: IsoDate; after: InterestPosition; limit: number },
): Promise<InterestDue[]> {
  const values = [bookId, today, after.dueOn, after.depositId, limit]
  return (await db.query<object>(statements.findInterestDue, values)).map(dueMap.read)
}

/** The newest first; the place of a payment in the list is the end of its period. */
export async function listPayments(
  db: Queries,
  bookId: string,
  depositId: string,
  { limit, before }: PageRequest<IsoDate>,
): Promise<Page<StoredPayment, IsoDate>> {
  const rows = await db.query<object>(statements.listPayments, [
    bookId,
    depositId,
    before ?? 'infinity',
    limit + 1,
  ])
  const items = rows.slice(0, limit).map(paymentOf)
  return { items, next: rows.length > limit ? isoDate(items.at(-1)!.to) : null }
}

const soldMap = depositMap.pick('currency', 'productCode')

const PAGE = 500

/** The payments of a range of business dates, oldest first, a page at a time. */
export async function* readPayments(
  db: Queries,
  bookId: string,
  { from, to }: { from: IsoDate; to: IsoDate },
): AsyncGenerator<(StoredPayment & { currency: string; productCode: string | null })[]> {
  for (let after: unknown[] = [from, '', '-infinity']; ; ) {
    const rows = await db.query<object>(statements.readPayments, [bookId, to, ...after, PAGE])
    const page = rows.map((row) => ({ ...paymentOf(row), ...soldMap.read(row) }))
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    const last = page.at(-1)!
    after = [last.businessDate, last.depositId, last.to]
  }
}

/** Payments by deposit, oldest first. */
export async function findPayments(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, StoredPayment[]>> {
  if (depositIds.length === 0) return new Map()
  const rows = await db.query<object>(statements.findPayments, [bookId, depositIds])
  return Map.groupBy(rows.map(paymentOf), ({ depositId }) => depositId)
}

function paymentOf(row: object): StoredPayment {
  const payment = paymentMap.read(row)
  return { ...payment, net: minor(payment.interest - payment.tax) }
}
