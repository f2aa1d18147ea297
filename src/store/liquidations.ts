/**
 * The write of a whole batch of liquidations is one statement: deposits, balances, liquidations, entries, postings,
 * events and idempotency answers stand or fall together, in one round trip.
 */
import { isoDate } from '../domain/dates.ts'
import type { Liquidation, Part } from '../domain/liquidation.ts'
import { minor } from '../domain/money.ts'
import { type Answer, type ChangeEvent, recordingCtes, recordingRows, recordingTables } from './changes.ts'
import type { Queries } from './database.ts'
import { newEntryId, nextOrdinal } from './ids.ts'
import { entryCtes, entryRows, entryTables } from './ledger.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from './lists.ts'
import { statementOverRows } from './rows.ts'

export const liquidationColumns = `liquidation_id, deposit_id, liquidation_type, principal_minor, interest_minor, penal_minor,
      total_minor, remaining_minor, account_number, currency, business_date, liquidated_at`

// The rows of deposits and accounts are locked already, in the one order; here they are only written.
const write = statementOverRows(
  {
    ...recordingTables,
    ...entryTables,
    liquidation: {
      ordinal: 'bigint',
      liquidation_id: 'text',
      deposit_id: 'text',
      liquidation_type: 'text',
      principal_minor: 'bigint',
      interest_minor: 'bigint',
      penal_minor: 'bigint',
      total_minor: 'bigint',
      remaining_minor: 'bigint',
      account_number: 'text',
      currency: 'text',
      business_date: 'date',
      liquidated_at: 'timestamptz',
    },
    changed: {
      deposit_id: 'text',
      remaining_minor: 'bigint',
      status: 'text',
      updated_at: 'timestamptz',
      liquidated_at: 'timestamptz',
    },
    credit: { account_number: 'text', amount_minor: 'bigint' },
  },
  (from) => `
    with ${recordingCtes(from)},
    ${entryCtes(from)},
    written_liquidations as (
      insert into liquidations (book_id, ordinal, ${liquidationColumns})
      select $1::text, ordinal, ${liquidationColumns}
      from ${from.liquidation}
      returning 1
    ),
    changed_deposits as (
      update deposits
      set remaining_minor = changed.remaining_minor,
          status = changed.status,
          updated_at = changed.updated_at,
          liquidated_at = changed.liquidated_at
      from ${from.changed}
      where deposits.book_id = $1
        and deposits.deposit_id = changed.deposit_id
      returning 1
    )
    update accounts
    set balance_minor = balance_minor + credit.amount_minor
    from ${from.credit}
    where accounts.book_id = $1
      and accounts.account_number = credit.account_number`,
)

export const statements = {
  writeLiquidations: write.text,

  findLiquidation: `
    select ${liquidationColumns}
    from liquidations
    where book_id = $1
      and liquidation_id = $2`,

  listLiquidationsOfDeposit: `
    select ordinal, ${liquidationColumns}
    from liquidations
    where book_id = $1
      and deposit_id = $4
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export async function writeLiquidations(
  tx: Queries,
  bookId: string,
  made: { liquidations: readonly Liquidation[]; events: readonly ChangeEvent[]; answers: readonly Answer[] },
): Promise<void> {
  const { liquidations } = made
  const rows = {
    ...recordingRows(made.events, made.answers),
    ...entryRows(
      liquidations.map((one) => ({
        entryId: newEntryId(),
        kind: 'LIQUIDATION',
        accountNumber: one.accountNumber,
        depositId: one.depositId,
        liquidationId: one.liquidationId,
        narration: null,
        createdAt: one.at,
        postings: one.postings,
      })),
    ),
    liquidation: liquidations.map(liquidationRow),
    changed: changedDeposits(liquidations),
    credit: credits(liquidations),
  }
  await tx.query(statements.writeLiquidations, write.parameters(bookId, rows))
}

/** Two partial liquidations of one deposit may share a batch: the last one tells its final state. */
function changedDeposits(liquidations: readonly Liquidation[]) {
  const lastByDeposit = new Map(liquidations.map((one) => [one.depositId, one]))
  return [...lastByDeposit.values()].map((one) => ({
    deposit_id: one.depositId,
    remaining_minor: one.remaining,
    status: one.statusAfter,
    updated_at: one.at,
    liquidated_at: one.statusAfter === 'LIQUIDATED' ? one.at : null,
  }))
}

function credits(liquidations: readonly Liquidation[]) {
  const totals = new Map<string, bigint>()
  for (const one of liquidations) {
    totals.set(one.accountNumber, (totals.get(one.accountNumber) ?? 0n) + one.total)
  }
  return [...totals].map(([account_number, amount_minor]) => ({ account_number, amount_minor }))
}

function liquidationRow(one: Liquidation) {
  return {
    ordinal: nextOrdinal(),
    liquidation_id: one.liquidationId,
    deposit_id: one.depositId,
    liquidation_type: one.type,
    principal_minor: one.principal,
    interest_minor: one.interest,
    penal_minor: one.penal,
    total_minor: one.total,
    remaining_minor: one.remaining,
    account_number: one.accountNumber,
    currency: one.currency,
    business_date: one.businessDate,
    liquidated_at: one.at,
  }
}

/** A liquidation as it is kept. Its explanation is not: the pinned rules tell it again at any time. */
export type KeptLiquidation = Omit<Liquidation, 'postings' | 'explanation'>

export async function findLiquidation(
  db: Queries,
  bookId: string,
  liquidationId: string,
): Promise<KeptLiquidation | undefined> {
  const [row] = await db.query<LiquidationRow>(statements.findLiquidation, [bookId, liquidationId])
  return row && liquidationOf(row)
}

export async function listLiquidationsOfDeposit(
  db: Queries,
  bookId: string,
  depositId: string,
  page: PageRequest,
): Promise<Page<KeptLiquidation>> {
  const rows = await db.query<LiquidationRow & { ordinal: bigint }>(statements.listLiquidationsOfDeposit, [
    bookId,
    ...pageParameters(page),
    depositId,
  ])
  return pageOf(rows, page, liquidationOf)
}

export type LiquidationRow = {
  liquidation_id: string
  deposit_id: string
  liquidation_type: Part['type']
  principal_minor: bigint
  interest_minor: bigint
  penal_minor: bigint
  total_minor: bigint
  remaining_minor: bigint
  account_number: string
  currency: string
  business_date: string
  liquidated_at: Date
}

export function liquidationOf(row: LiquidationRow): KeptLiquidation {
  return {
    liquidationId: row.liquidation_id,
    depositId: row.deposit_id,
    type: row.liquidation_type,
    statusAfter: row.remaining_minor === 0n ? 'LIQUIDATED' : 'ACTIVE',
    principal: minor(row.principal_minor),
    interest: minor(row.interest_minor),
    penal: minor(row.penal_minor),
    total: minor(row.total_minor),
    remaining: minor(row.remaining_minor),
    accountNumber: row.account_number,
    currency: row.currency,
    businessDate: isoDate(row.business_date),
    at: row.liquidated_at,
  }
}
