/**
 * Finding and settling what is due in one book.
 * - Due deposits are found by an index of what the job has not processed yet; finding locks nothing. A deposit that was
 *   liquidated before is found once and then marked as processed: so liquidating changes no index.
 * - A claim (deposits/store.ts) skips what others have locked: concurrent jobs share the work instead of waiting.
 * - The write of a batch is one statement: deposits, successors, balances, entries, postings and events are committed
 *   together, in one round trip.
 */
import type { IsoDate } from '../../domain/dates.ts'
import type { Deposit, DepositStatus } from '../../domain/deposit.ts'
import type { LedgerEntry, Movement } from '../../domain/ledger.ts'
import { type Maturity, maturityMovements } from '../../domain/maturity.ts'
import { type Recording, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newEntryId } from '../../engine/database/ids.ts'
import { rowMap, text } from '../../engine/database/row-map.ts'
import { columnNames, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { depositMap, depositRows } from '../deposits/store.ts'
import { insertPayments, postedPayments } from '../interest-payments/store.ts'
import { movementCtes, movementOf, movementRows } from '../ledger/store.ts'
import { copyParties, type Succession } from '../parties/store.ts'

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

// The rows of deposits and accounts are already locked, in the common order; here they are only written.
const write = statementOverRows(
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
          status = settled.status,
          rolled_over_to = settled.rolled_over_to,
          updated_at = settled.updated_at,
          maturity_tax_version = settled.maturity_tax_version,
          maturity_tax_class = settled.maturity_tax_class,
          maturity_tax_ppm = settled.maturity_tax_ppm,
          paid_minor = settled.paid_minor,
          tax_minor = settled.tax_minor,
          paid_to = settled.paid_to,
          next_interest_date = null,
          awaits_maturity = false
      from ${from.settled}
      where deposits.book_id = ${book.settled}
        and deposits.deposit_id = settled.deposit_id
      returning 1
    )
    select 1`,
)

type MovedLiens = { from: string; to: string }
const moved: Rows<MovedLiens> = {
  deposit_id: ['text', ({ from }) => from],
  successor_id: ['text', ({ to }) => to],
}
const lienMove = statementOverRows(
  { moved },
  (from, book) => `
    update liens
    set deposit_id = moved.successor_id
    from ${from.moved}
    where liens.book_id = ${book.moved}
      and liens.deposit_id = moved.deposit_id
      and liens.status = 'ACTIVE'`,
)

export const statements = {
  moveLiens: lienMove,

  findDue: `
    select deposit_id, account_number, maturity_date, status
    from deposits
    where book_id = $1
      and awaits_maturity
      and maturity_date <= $2::date
      and (maturity_date, deposit_id) > ($3::date, $4)
      and ordinal < $5
    order by maturity_date, deposit_id
    limit $6`,

  countFurtherRollovers: `
    select coalesce(sum(($2::date - maturity_date) / tenor_days), 0)::bigint as rollovers
    from deposits
    where book_id = $1
      and awaits_maturity
      and status = 'ACTIVE'
      and auto_rollover
      and maturity_date <= $2::date`,

  // Boundaries after the next one; those of successors follow on from it. The last period is paid with the maturity.
  countFurtherPayments: `
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
    ) as paying`,

  // skip locked: another job marks the same rows.
  forgetSettled: `
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
        for update skip locked)`,

  writeMaturities: write,
}

/** The end of a page of due deposits; the next page begins after it. */
export type DuePosition = { maturityDate: string; depositId: string }
export type DueDeposit = DuePosition & { accountNumber: string; status: DepositStatus }
const dueMap = rowMap<DueDeposit>({
  maturityDate: text('maturity_date'),
  depositId: text('deposit_id'),
  accountNumber: text('account_number'),
  status: text<DepositStatus>('status'),
})
export const BEFORE_ALL: DuePosition = { maturityDate: '-infinity', depositId: '' }

/** Oldest maturity first. */
export async function findDue(
  db: Queries,
  bookId: string,
  asked: { today: IsoDate; after: DuePosition; openedBefore: bigint; limit: number },
): Promise<DueDeposit[]> {
  const { today, after, openedBefore, limit } = asked
  const values = [bookId, today, after.maturityDate, after.depositId, openedBefore, limit]
  return (await db.query<object>(statements.findDue, values)).map(dueMap.read)
}

/** How often successors would roll over by a date, beyond the first rollover of each deposit. */
export async function countFurtherRollovers(db: Queries, bookId: string, on: IsoDate): Promise<number> {
  const [row] = await db.query<{ rollovers: bigint }>(statements.countFurtherRollovers, [bookId, on])
  return Number(row!.rollovers)
}

/** How many payments of interest would be made by a date, beyond the first of each deposit. */
export async function countFurtherPayments(db: Queries, bookId: string, on: IsoDate): Promise<number> {
  const [row] = await db.query<{ payments: bigint }>(statements.countFurtherPayments, [bookId, on])
  return Number(row!.payments)
}

/** They became due after they were settled: there is nothing to do, and they need not be found again. */
export async function forgetSettled(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<void> {
  await db.query(statements.forgetSettled, [bookId, depositIds])
}

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
  const rows = statements.writeMaturities.of(bookId, {
    event: recording.events,
    answer: recording.answers,
    ...movementOf(posted.flatMap(({ entries }) => entries)),
    opened,
    settled,
  })
  tx.write(rows)
  insertPayments(
    tx,
    bookId,
    posted.flatMap(({ payments }) => payments),
  )
  copyParties(tx, bookId, successionsOf(maturities))
  const moves = lienMoves(maturities)
  if (moves.length > 0) tx.write(statements.moveLiens.of(bookId, { moved: moves }))
}

/** A successor that is settled immediately is inserted in its final state. */
function depositsAfter(maturities: readonly Maturity[]): { opened: Deposit[]; settled: Deposit[] } {
  const opened = new Map<string, Deposit>()
  const settled: Deposit[] = []
  for (const { deposit, successor } of maturities) {
    if (opened.has(deposit.depositId)) opened.set(deposit.depositId, deposit)
    else settled.push(deposit)
    if (successor !== null) opened.set(successor.depositId, successor)
  }
  return { opened: [...opened.values()], settled }
}

/** Each successor with the deposit that its chain began with in this transaction. */
function successionsOf(maturities: readonly Maturity[]): Succession[] {
  const origins = new Map<string, string>()
  for (const { deposit, successor } of maturities) {
    if (successor === null) continue
    origins.set(successor.depositId, origins.get(deposit.depositId) ?? deposit.depositId)
  }
  return [...origins].map(([to, from]) => ({ from, to }))
}

/** Liens of a deposit move to the last of its successors, where some of those are settled immediately. */
function lienMoves(maturities: readonly Maturity[]): MovedLiens[] {
  const successors = new Map(
    maturities.flatMap(({ deposit, successor }) =>
      successor === null || successor.lien === 0n ? [] : [[deposit.depositId, successor.depositId] as const],
    ),
  )
  const opened = new Set(successors.values())
  return [...successors.keys()]
    .filter((depositId) => !opened.has(depositId))
    .map((from) => {
      let to = from
      for (let next = successors.get(to); next !== undefined; next = successors.get(to)) to = next
      return { from, to }
    })
}

/** A rollover of everything does not change the account, so its entries do not name it. */
function entriesOf(maturity: Maturity): LedgerEntry[] {
  const { deposit, successor, at } = maturity
  const { closing, opening } = maturityMovements(maturity)
  const common = { accountNumber: null, liquidationId: null, narration: null, createdAt: at }
  const closed = closing.map(
    (movement): LedgerEntry => ({
      ...common,
      ...movement,
      entryId: newEntryId(),
      accountNumber: isAboutAccount(movement, deposit) ? deposit.accountNumber : null,
      depositId: deposit.depositId,
    }),
  )
  if (successor === null || opening === null) return closed
  const { depositId } = successor
  return [
    ...closed,
    { ...common, entryId: newEntryId(), kind: 'DEPOSIT_OPENING', depositId, postings: opening },
  ]
}

function isAboutAccount({ postings }: Movement, { accountNumber }: Deposit): boolean {
  return postings.some(({ account }) => account === accountNumber)
}
