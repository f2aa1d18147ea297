/**
 * Finding, claiming and settling what is due in one book.
 * - Due deposits are found by an index of what the job has not processed yet; finding locks nothing. A deposit that was
 *   liquidated before is found once and then marked as processed: so liquidating changes no index.
 * - A claim skips what other transactions have locked: concurrent jobs share the work instead of waiting.
 * - The write of a batch is one statement: deposits, successors, balances, entries, postings and events are committed
 *   together, in one round trip.
 */
import type { IsoDate } from '../../domain/dates.ts'
import type { Deposit, DepositStatus } from '../../domain/deposit.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { type Maturity, maturityMovements } from '../../domain/maturity.ts'
import { type Recording, recordingCtes, recordingRows } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newEntryId } from '../../engine/database/ids.ts'
import { columnNames, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { depositMap, depositRows } from '../deposits/store.ts'
import { movementCtes, movementOf, movementRows } from '../ledger/store.ts'

const settledRows = depositMap.pick('depositId', 'status', 'rolledOverTo', 'updatedAt', 'maturityTaxed').rows

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
  moveLiens: lienMove.text,

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

  // order by fixes the common lock order; skip locked leaves to others what they have locked.
  claimDeposits: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])
      and status = 'ACTIVE'
    order by deposit_id
    for update skip locked`,

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

  writeMaturities: write.text,
}

/** The end of a page of due deposits; the next page begins after it. */
export type DuePosition = { maturityDate: string; depositId: string }
export type DueDeposit = DuePosition & { accountNumber: string; status: DepositStatus }
export const BEFORE_ALL: DuePosition = { maturityDate: '-infinity', depositId: '' }

/** Oldest maturity first. */
export async function findDue(
  db: Queries,
  bookId: string,
  asked: { today: IsoDate; after: DuePosition; openedBefore: bigint; limit: number },
): Promise<DueDeposit[]> {
  const { today, after, openedBefore, limit } = asked
  type Row = { deposit_id: string; account_number: string; maturity_date: string; status: DepositStatus }
  const rows = await db.query<Row>(statements.findDue, [
    bookId,
    today,
    after.maturityDate,
    after.depositId,
    openedBefore,
    limit,
  ])
  return rows.map((row) => ({
    maturityDate: row.maturity_date,
    depositId: row.deposit_id,
    accountNumber: row.account_number,
    status: row.status,
  }))
}

/** How often successors would roll over by a date, beyond the first rollover of each deposit. */
export async function countFurtherRollovers(db: Queries, bookId: string, on: IsoDate): Promise<number> {
  const [row] = await db.query<{ rollovers: bigint }>(statements.countFurtherRollovers, [bookId, on])
  return Number(row!.rollovers)
}

/** They became due after they were settled: there is nothing to do, and they need not be found again. */
export async function forgetSettled(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<void> {
  await db.query(statements.forgetSettled, [bookId, depositIds])
}

/** Those of them that are still active and not locked by others. */
export async function claimDeposits(
  tx: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Deposit[]> {
  const rows = await tx.query<object>(statements.claimDeposits, [bookId, depositIds])
  return rows.map(depositMap.read)
}

export function writeMaturities(
  tx: Transaction,
  bookId: string,
  maturities: readonly Maturity[],
  recording: Recording,
): void {
  const { opened, settled } = depositsAfter(maturities)
  const parameters = write.parameters(bookId, {
    event: recording.events,
    answer: recording.answers,
    ...movementOf(maturities.flatMap(entriesOf)),
    opened,
    settled,
  })
  tx.write(statements.writeMaturities, parameters)
  const moves = lienMoves(maturities)
  if (moves.length > 0) tx.write(statements.moveLiens, lienMove.parameters(bookId, { moved: moves }))
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

/** A rollover does not change the account, so its entries do not name it. */
function entriesOf(maturity: Maturity): LedgerEntry[] {
  const { deposit, successor, at } = maturity
  const { closing, opening } = maturityMovements(maturity)
  const common = { accountNumber: null, liquidationId: null, narration: null, createdAt: at }
  const closed = closing.map(
    (movement): LedgerEntry => ({
      ...common,
      ...movement,
      entryId: newEntryId(),
      accountNumber: successor === null ? deposit.accountNumber : null,
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
