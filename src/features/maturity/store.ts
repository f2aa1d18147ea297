/**
 * Finding and settling what is due in one book.
 * - Due deposits are found by an index of what the job has not processed yet; finding locks nothing. A deposit that was
 *   liquidated before is found once and then marked as processed: so liquidating changes no index.
 * - A claim (deposits/store.ts) skips what others have locked: concurrent jobs share the work instead of waiting.
 * - The write of a batch is one statement: deposits, successors, balances, entries, postings and events are committed
 *   together, in one round trip.
 */
import type { IsoDate } from '../../domain/dates.ts'
import type { DepositStatus } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import {
  depositsAfter,
  lienMoves,
  type Maturity,
  maturityMovements,
  successionsOf,
} from '../../domain/maturity.ts'
import { type Recording, recordedRows, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Transaction } from '../../engine/database/database.ts'
import { count, rowMap, text } from '../../engine/database/row-map.ts'
import { assignments, columnNames, statementOverRows } from '../../engine/database/rows.ts'
import { idOfBook, idsOfBook, membersInBook, sql, writeRows } from '../../engine/database/sql.ts'
import { depositMap, depositRows } from '../deposits/store.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { movementCtes, movementOf, movementRows, newEntries } from '../ledger/store.ts'
import { copyParties, successions } from '../parties/store.ts'

const settledRows = depositMap.pick(
  'depositId',
  'status',
  'rolledOverTo',
  'updatedAt',
  'maturityTaxed',
  'paid',
  'paidTax',
  'paidTo',
).rows

export const statements = {
  // The rows of deposits and accounts are already locked, in the common order; here they are only written.
  writeMaturities: statementOverRows(
    { ...recordingRows, ...movementRows, opened: depositRows, settled: settledRows },
    (from, book) => `
    with ${recordingCtes(from, book)},
    ${movementCtes(from, book)},
    opened_deposits as (
      insert into deposits (book_id, ${columnNames(depositRows)}, awaits_maturity)
      select ${book.opened}, ${columnNames(depositRows)}, status = 'ACTIVE'
      from ${from.opened}
      returning 1
    ),
    settled_deposits as (
      update deposits
      set remaining_minor = 0,
          lien_minor = 0,
          ${assignments(settledRows, 'settled').slice(1).join(',\n          ')},
          next_interest_date = null,
          awaits_maturity = false
      from ${from.settled}
      where deposits.book_id = ${book.settled}
        and deposits.deposit_id = settled.deposit_id
      returning 1
    )
    select 1`,
  ),

  moveLiens: writeRows(
    'moved',
    successions,
    (from, book) => `
    update liens
    set deposit_id = moved.successor_id
    from ${from}
    where liens.book_id = ${book}
      and liens.deposit_id = moved.deposit_id
      and liens.status = 'ACTIVE'`,
  ),
}

/** The end of a page of due deposits; the next page begins after it. */
export type DuePosition = { maturityDate: string; depositId: string }
export const BEFORE_ALL: DuePosition = { maturityDate: '-infinity', depositId: '' }
type Due = DuePosition & { today: IsoDate; openedBefore: bigint; limit: number }

/** Oldest maturity first. */
export const findDue = sql`
    select deposit_id, account_number, maturity_date, status
    from deposits
    where book_id = $1
      and awaits_maturity
      and maturity_date <= $2::date
      and (maturity_date, deposit_id) > ($3::date, $4)
      and ordinal < $5
    order by maturity_date, deposit_id
    limit $6`.all(
  rowMap({
    maturityDate: text('maturity_date'),
    depositId: text('deposit_id'),
    accountNumber: text('account_number'),
    status: text<DepositStatus>('status'),
  }),
  membersInBook<Due>('today', 'maturityDate', 'depositId', 'openedBefore', 'limit'),
)

/** How often successors would roll over by a date, beyond the first rollover of each deposit. */
export const countFurtherRollovers = sql`
    select coalesce(sum(($2::date - maturity_date) / tenor_days), 0)::bigint as rollovers
    from deposits
    where book_id = $1
      and awaits_maturity
      and status = 'ACTIVE'
      and auto_rollover
      and maturity_date <= $2::date`.only(count('rollovers'), idOfBook)

/** How many payments of interest would be made by a date, beyond the first of each deposit. */
// Boundaries after the next one; those of successors follow on from it. The last period is paid with the maturity.
export const countFurtherPayments = sql`
    select coalesce(sum((12 * extract(year from span) + extract(month from span))::bigint
             / case every when 'MONTH' then 1 when 'QUARTER' then 3 when 'HALF_YEAR' then 6 else 12 end), 0)::bigint
             as payments
    from (
      select every,
             age(least($2::date, case when auto_rollover then $2::date else maturity_date - 1 end)::timestamp,
               next_interest_date::timestamp) as span
      from deposits
      where book_id = $1
        and next_interest_date <= $2::date
        and (auto_rollover or next_interest_date < maturity_date)
    ) as paying`.only(count('payments'), idOfBook)

/** They became due after they were settled: there is nothing to do, and they need not be found again. */
// skip locked: another job marks the same rows.
export const forgetSettled = sql`
    update deposits
    set awaits_maturity = false
    where book_id = $1
      and deposit_id in (
        select deposit_id
        from deposits
        where book_id = $1
          and deposit_id = any($2::text[])
          and status <> 'ACTIVE'
        order by deposit_id
        for update skip locked)`.run(idsOfBook)

export function writeMaturities(
  tx: Transaction,
  bookId: string,
  maturities: readonly Maturity[],
  recording: Recording,
): void {
  const { opened, settled } = depositsAfter(maturities)
  // Entries are numbered in their order: what a successor pays at its start follows its opening.
  const posted = maturities.map((maturity) => {
    const before = postedPayments(maturity.payments)
    const settling = entriesOf(maturity)
    const upfront = postedPayments(maturity.successorPayments)
    return {
      entries: [...before.entries, ...settling, ...upfront.entries],
      payments: [...before.stored, ...upfront.stored],
    }
  })
  const moved = movementOf(posted.flatMap(({ entries }) => entries))
  tx.write(statements.writeMaturities.of(bookId, { ...recordedRows(recording), ...moved, opened, settled }))
  const payments = posted.flatMap((one) => one.payments)
  insertPayments(tx, bookId, payments)
  copyParties(tx, bookId, successionsOf(maturities))
  const moves = lienMoves(maturities)
  if (moves.length > 0) statements.moveLiens(tx, bookId, moves)
}

/** A rollover of everything does not change the account, so its entries do not name it. */
function entriesOf(maturity: Maturity): LedgerEntry[] {
  const { deposit, successor, at } = maturity
  const { depositId } = deposit
  const { closing, opening } = maturityMovements(maturity)
  const closed = closing.flatMap((movement) => {
    const isPaid = movement.postings.some(({ account }) => account === deposit.accountNumber)
    return newEntries([movement], { depositId, accountNumber: isPaid ? deposit.accountNumber : null, at })
  })
  if (successor === null || opening === null) return closed
  const opened = newEntries([{ kind: 'DEPOSIT_OPENING', postings: opening }], {
    ...successor,
    accountNumber: null,
    at,
  })
  return [...closed, ...opened]
}
