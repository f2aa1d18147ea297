/**
 * Compares the answers with the books. Each change is known by its own name and its figures; every request was repeated
 * until it was answered, so both sides must be the same set.
 */
import type { Queries } from '../../src/engine/database/database.ts'
import { type Heard, isAcknowledged } from '../support/load/callers.ts'

export type Comparison = {
  /** Acknowledged, and not in the books. */
  lost: string[]
  /** In the books more than once, or without an acknowledgement. */
  doubled: string[]
  /** In the books with other figures, or in the books although it was refused. */
  wrong: string[]
}

type Change = { name: string; figures: string }

export async function compare(db: Queries, heard: readonly Heard[]): Promise<Comparison> {
  const answered = heard.filter(isAcknowledged).flatMap(changeOf)
  const readers = [keptLiquidations, keptUpdates, keptCustomers, keptOpenings]
  const stored = (await Promise.all(readers.map((read) => read(db)))).flat()
  const figuresStored = new Map(stored.map((change) => [change.name, change.figures]))
  const figuresAnswered = new Map(answered.map((change) => [change.name, change.figures]))
  const namesOf = (changes: readonly Change[]) => changes.map((change) => change.name)
  const refusedKeys = heard.filter((one) => !isAcknowledged(one)).map((one) => one.key)
  const usedKeys = await db.query<{ key: string }>(
    'select idempotency_key as key from idempotency_keys where idempotency_key = any($1::text[])',
    [refusedKeys],
  )
  return {
    lost: namesOf(answered).filter((name) => !figuresStored.has(name)),
    doubled: [
      ...repeated(namesOf(stored)),
      ...repeated(namesOf(answered)),
      ...namesOf(stored).filter((name) => !figuresAnswered.has(name)),
    ],
    wrong: [
      ...answered
        .filter(({ name, figures }) => (figuresStored.get(name) ?? figures) !== figures)
        .map(({ name, figures }) => `${name}: answered ${figures}, stored ${figuresStored.get(name)}`),
      ...usedKeys.map(({ key }) => `${key}: refused and done`),
    ],
  }
}

function changeOf({ kind, answer }: Heard): Change[] {
  const { data } = answer.json
  switch (kind) {
    case 'FULL':
    case 'PARTIAL':
      return [liquidation(data)]
    case 'update':
      return [update(data)]
    case 'customer':
      return [customer(data)]
    case 'opening':
      return [opening(data)]
    case 'credit':
    case 'preparation':
      return []
    default:
      return kind satisfies never
  }
}

async function keptLiquidations(db: Queries): Promise<Change[]> {
  const rows = await db.query<Record<string, unknown>>(`
    select deposit.deposit_id, case taken.liquidation_type when 'FULL' then 'LIQUIDATED' else 'ACTIVE' end as status,
           taken.principal_minor as principal_returned, taken.interest_minor as interest_paid,
           taken.penal_minor as penal_charge, taken.total_minor as total_credited,
           taken.account_number as credited_account, taken.liquidated_at, taken.liquidation_id,
           taken.liquidation_type, taken.remaining_minor as remaining_principal, taken.currency
    from liquidations taken
    join deposits deposit on deposit.book_id = taken.book_id and deposit.deposit_id = taken.deposit_id`)
  return rows.map((row) => liquidation(asAnswered(row)))
}

async function keptUpdates(db: Queries): Promise<Change[]> {
  const rows = await db.query<Record<string, unknown>>(`
    select subject_id as customer_id, changes::jsonb -> 'after' ->> 'email' as email, occurred_at as updated_at
    from events
    where type = 'customer.updated'`)
  return rows.map((row) => update(asAnswered(row)))
}

async function keptCustomers(db: Queries): Promise<Change[]> {
  const rows = await db.query<Record<string, unknown>>(
    'select customer_id, first_name, last_name, created_at from customers',
  )
  return rows.map((row) => customer(asAnswered(row)))
}

async function keptOpenings(db: Queries): Promise<Change[]> {
  const rows = await db.query<Record<string, unknown>>(`
    select deposit_id, customer_id, account_number, principal_minor as principal,
           expected_interest_minor as expected_interest, start_date, maturity_date, created_at
    from deposits`)
  return rows.map((row) => opening(asAnswered(row)))
}

/** Amounts and times as in an answer. */
function asAnswered(row: Record<string, unknown>): Record<string, unknown> {
  const spell = (value: unknown) =>
    typeof value === 'bigint' ? Number(value) / 100 : value instanceof Date ? value.toISOString() : value
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, spell(value)]))
}

const liquidation = (fields: Record<string, unknown>): Change => ({
  name: `liquidation ${fields.liquidation_id}`,
  figures: JSON.stringify(fields, [
    'deposit_id',
    'status',
    'principal_returned',
    'interest_paid',
    'penal_charge',
    'total_credited',
    'credited_account',
    'liquidated_at',
    'liquidation_type',
    'remaining_principal',
    'currency',
  ]),
})

const update = (fields: Record<string, unknown>): Change => ({
  name: `update to ${fields.email}`,
  figures: JSON.stringify(fields, ['customer_id', 'updated_at']),
})

const customer = (fields: Record<string, unknown>): Change => ({
  name: `customer ${fields.customer_id}`,
  figures: JSON.stringify(fields, ['first_name', 'last_name', 'created_at']),
})

const opening = (fields: Record<string, unknown>): Change => ({
  name: `opening of ${fields.deposit_id}`,
  figures: JSON.stringify(fields, [
    'customer_id',
    'account_number',
    'principal',
    'expected_interest',
    'start_date',
    'maturity_date',
    'created_at',
  ]),
})

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.has(name) || !seen.add(name))
}
