import { type IsoDate, isoDate } from '../../domain/dates.ts'
import type { BreakableDeposit, BrokenOnDay, Deposit, DepositStatus } from '../../domain/deposit.ts'
import { minor } from '../../domain/money.ts'
import { STANDARD_CLASS, type TaxStatus } from '../../domain/tax.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { metadataOf, metadataText } from '../../engine/database/row-map.ts'
import { columnNames, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { selectTakenNames, takenNamesReader } from '../../engine/database/taken-names.ts'

/** The sums of the last day on which a part was broken. */
export const brokenRows: Rows<Deposit> = {
  broken_on: ['date', (deposit) => deposit.lastBroken?.on ?? null],
  broken_principal_minor: ['bigint', (deposit) => deposit.lastBroken?.principal ?? null],
  broken_interest_minor: ['bigint', (deposit) => deposit.lastBroken?.interest ?? null],
  broken_assessed_minor: ['bigint', (deposit) => deposit.lastBroken?.assessed ?? null],
  broken_penal_minor: ['bigint', (deposit) => deposit.lastBroken?.penal ?? null],
  broken_tax_minor: ['bigint', (deposit) => deposit.lastBroken?.tax ?? null],
}

const columnsOfDeposit: Rows<Deposit> = {
  deposit_id: ['text', (deposit) => deposit.depositId],
  customer_id: ['text', (deposit) => deposit.customerId],
  account_number: ['text', (deposit) => deposit.accountNumber],
  currency: ['text', (deposit) => deposit.currency],
  status: ['text', (deposit) => deposit.status],
  principal_minor: ['bigint', (deposit) => deposit.principal],
  remaining_minor: ['bigint', (deposit) => deposit.remaining],
  expected_interest_minor: ['bigint', (deposit) => deposit.expectedInterest],
  lien_minor: ['bigint', (deposit) => deposit.lien],
  annual_rate_ppm: ['int4', (deposit) => deposit.annualRatePpm],
  tenor_days: ['int4', (deposit) => deposit.tenorDays],
  start_date: ['date', (deposit) => deposit.startDate],
  maturity_date: ['date', (deposit) => deposit.maturityDate],
  auto_rollover: ['boolean', (deposit) => deposit.autoRollover],
  rolled_over_to: ['text', (deposit) => deposit.rolledOverTo],
  rules_version: ['int4', (deposit) => deposit.rulesVersion],
  created_at: ['timestamptz', (deposit) => deposit.createdAt],
  updated_at: ['timestamptz', (deposit) => deposit.updatedAt],
  liquidated_at: ['timestamptz', (deposit) => deposit.liquidatedAt],
  ...brokenRows,
  external_id: ['text', (deposit) => deposit.externalId],
  metadata: ['text', (deposit) => metadataText(deposit.metadata)],
  maturity_tax_version: ['int4', (deposit) => deposit.maturityTaxed?.version ?? null],
  maturity_tax_class: ['text', (deposit) => deposit.maturityTaxed?.taxClass ?? null],
  maturity_tax_ppm: ['int4', (deposit) => deposit.maturityTaxed?.ratePpm ?? null],
}
export const depositColumns = columnNames(columnsOfDeposit)

/** New deposits, as inserted. */
export const depositRows: Rows<Deposit> = { ordinal: ['bigint', nextOrdinal], ...columnsOfDeposit }

const insertion = statementOverRows(
  { opened: depositRows },
  (from) => `
    insert into deposits (book_id, ${columnNames(depositRows)})
    select $1::text, ${columnNames(depositRows)}
    from ${from.opened}
    -- the order in which names are taken: batches that share some queue instead of deadlocking
    order by external_id
    returning 1`,
)

export const statements = {
  insertDeposits: insertion.text,

  findTakenNames: selectTakenNames('deposits'),

  findDeposit: `
    select ${depositColumns}
    from deposits
    where book_id = $1
      and deposit_id = $2`,

  findHoldings: `
    select customer_id, count(*)::int4 as active, sum(remaining_minor)::bigint as held_minor,
           min(maturity_date) as next_maturity
    from deposits
    where book_id = $1
      and customer_id = any($2::text[])
      and status = 'ACTIVE'
    group by customer_id`,

  findDeposits: `
    select ${depositColumns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
  // No join: after a wait only the locked row is read again; a joined row would be stale.
  lockDeposits: `
    select ${depositColumns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])
    order by deposit_id
    for update`,

  // For a liquidation, which reads thousands per second: only what it needs, and both locks in one statement. All
  // deposits are locked before the first account, because their numbers are collected first.
  lockBreakable: `
    with deposit as materialized (
      select deposit_id, account_number, currency, status, remaining_minor, lien_minor, annual_rate_ppm, tenor_days,
             start_date, broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor,
             broken_penal_minor, broken_tax_minor,
             maturity_date, rules_version
      from deposits
      where book_id = $1
        and deposit_id = any($2::text[])
      order by deposit_id
      for update
    ),
    account as materialized (
      select account_number, balance_minor, tax_class, tax_valid_until
      from accounts
      where book_id = $1
        and account_number = any(array(select account_number from deposit))
      order by account_number
      for update
    )
    select deposit.*, balance_minor, tax_class, tax_valid_until
    from deposit
    join account on account.account_number = deposit.account_number`,

  listDeposits: (clauses: string) => `
    select ordinal, ${depositColumns}
    from deposits
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
}

export type DepositFilters = {
  customerId?: string
  accountNumber?: string
  status?: DepositStatus
  maturesBefore?: string
  maturesAfter?: string
  externalId?: string
}

export const depositFilterClauses: Record<keyof DepositFilters, (parameter: string) => string> = {
  customerId: (parameter) => `customer_id = ${parameter}`,
  accountNumber: (parameter) => `account_number = ${parameter}`,
  status: (parameter) => `status = ${parameter}`,
  maturesBefore: (parameter) => `maturity_date < ${parameter}::date`,
  maturesAfter: (parameter) => `maturity_date > ${parameter}::date`,
  externalId: (parameter) => `external_id = ${parameter}`,
}

export const findTakenNames = takenNamesReader(statements.findTakenNames)

export function insertDeposits(tx: Transaction, bookId: string, deposits: readonly Deposit[]): void {
  tx.write(statements.insertDeposits, insertion.parameters(bookId, { opened: deposits }))
}

export async function findDeposit(
  db: Queries,
  bookId: string,
  depositId: string,
): Promise<Deposit | undefined> {
  const [row] = await db.query<DepositRow>(statements.findDeposit, [bookId, depositId])
  return row && depositOf(row)
}

export async function lockDeposits(
  tx: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Deposit>> {
  const rows = await tx.query<DepositRow>(statements.lockDeposits, [bookId, depositIds])
  return new Map(rows.map((row) => [row.deposit_id, depositOf(row)]))
}

/** Deposits by id, and by number the balances and tax statuses of their accounts. */
export async function lockBreakable(
  tx: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<{
  deposits: Map<string, BreakableDeposit>
  balances: Map<string, bigint>
  taxStatuses: Map<string, TaxStatus>
}> {
  type Row = DepositRow & { balance_minor: bigint; tax_class: string | null; tax_valid_until: string | null }
  const rows = await tx.query<Row>(statements.lockBreakable, [bookId, depositIds])
  return {
    deposits: new Map(rows.map((row) => [row.deposit_id, breakableOf(row)])),
    balances: new Map(rows.map((row) => [row.account_number, row.balance_minor])),
    taxStatuses: new Map(
      rows.map((row) => [
        row.account_number,
        {
          taxClass: row.tax_class,
          taxValidUntil: row.tax_valid_until === null ? null : isoDate(row.tax_valid_until),
        },
      ]),
    ),
  }
}

export async function findDeposits(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Deposit>> {
  const rows = await db.query<DepositRow>(statements.findDeposits, [bookId, depositIds])
  return new Map(rows.map((row) => [row.deposit_id, depositOf(row)]))
}

type Holding = { active: number; held: bigint; nextMaturity: IsoDate }

/** What customers hold in active deposits; who has none is left out. */
export async function findHoldings(
  db: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, Holding>> {
  type Row = { customer_id: string; active: number; held_minor: bigint; next_maturity: string }
  const rows = await db.query<Row>(statements.findHoldings, [bookId, customerIds])
  return new Map(
    rows.map(({ customer_id, active, held_minor, next_maturity }) => [
      customer_id,
      { active, held: held_minor, nextMaturity: isoDate(next_maturity) },
    ]),
  )
}

export async function listDeposits(
  db: Queries,
  bookId: string,
  filters: DepositFilters,
  page: PageRequest,
): Promise<Page<Deposit>> {
  const { text, values } = filterClauses(filters, depositFilterClauses, 4)
  const rows = await db.query<DepositRow & { ordinal: bigint }>(statements.listDeposits(text), [
    bookId,
    ...pageParameters(page),
    ...values,
  ])
  return pageOf(rows, page, depositOf)
}

export type DepositRow = {
  deposit_id: string
  customer_id: string
  account_number: string
  currency: string
  status: DepositStatus
  principal_minor: bigint
  remaining_minor: bigint
  expected_interest_minor: bigint
  lien_minor: bigint
  annual_rate_ppm: number
  tenor_days: number
  start_date: string
  maturity_date: string
  auto_rollover: boolean
  rolled_over_to: string | null
  rules_version: number
  created_at: Date
  updated_at: Date
  liquidated_at: Date | null
  broken_on: string | null
  broken_principal_minor: bigint | null
  broken_interest_minor: bigint | null
  broken_assessed_minor: bigint | null
  external_id: string | null
  metadata: string | null
  broken_penal_minor: bigint | null
  broken_tax_minor: bigint | null
  maturity_tax_version: number | null
  maturity_tax_class: string | null
  maturity_tax_ppm: number | null
}

function breakableOf(row: DepositRow): BreakableDeposit {
  return {
    depositId: row.deposit_id,
    accountNumber: row.account_number,
    currency: row.currency,
    status: row.status,
    remaining: minor(row.remaining_minor),
    lien: minor(row.lien_minor),
    annualRatePpm: row.annual_rate_ppm,
    tenorDays: row.tenor_days,
    startDate: isoDate(row.start_date),
    maturityDate: isoDate(row.maturity_date),
    rulesVersion: row.rules_version,
    lastBroken: lastBrokenOf(row),
  }
}

function lastBrokenOf(row: DepositRow): BrokenOnDay | null {
  if (row.broken_on === null) return null
  return {
    on: isoDate(row.broken_on),
    principal: minor(row.broken_principal_minor!),
    interest: minor(row.broken_interest_minor!),
    assessed: minor(row.broken_assessed_minor!),
    penal: minor(row.broken_penal_minor!),
    tax: minor(row.broken_tax_minor!),
  }
}

export function depositOf(row: DepositRow): Deposit {
  return {
    ...breakableOf(row),
    customerId: row.customer_id,
    principal: minor(row.principal_minor),
    expectedInterest: minor(row.expected_interest_minor),
    autoRollover: row.auto_rollover,
    rolledOverTo: row.rolled_over_to,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    liquidatedAt: row.liquidated_at,
    externalId: row.external_id,
    metadata: metadataOf(row.metadata),
    maturityTaxed:
      row.maturity_tax_version === null
        ? null
        : {
            version: row.maturity_tax_version,
            taxClass: row.maturity_tax_class ?? STANDARD_CLASS,
            ratePpm: row.maturity_tax_ppm!,
          },
  }
}
