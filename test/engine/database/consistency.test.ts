/** A migration that replaces checks by shorter ones accepts and refuses the same rows. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Database } from '../../../src/engine/database/database.ts'
import { migrate } from '../../../src/engine/database/migrations.ts'
import { forEachEngine, migrationsFolder, skipOnSeveralServers } from '../../support/engines.ts'

type Row = Record<string, unknown>
/** For each table a few rows that are in order, and the values that a column is changed to. */
type Tables = Record<string, { rows: Row[]; values: Record<string, unknown[]> }>

const NOTHING_TAKEN_BACK = {
  paid_share_minor: 0,
  tax_share_minor: 0,
  unearned_minor: 0,
  recovered_minor: 0,
  tax_returned_minor: 0,
}

const UNSOLD = {
  method: 'AT_MATURITY',
  recover: false,
  paid_minor: 0,
  tax_minor: 0,
  auto_rollover: false,
  rollovers: 0,
  broken_days: 0,
}

const tables: Tables = {
  liquidations: {
    rows: [
      liquidation({}),
      liquidation({ liquidation_type: 'PARTIAL', remaining_minor: 1 }),
      liquidation({ assessed_minor: null, net_minor: null, assessed_by: 'PART' }),
      liquidation({ penal_minor: 1, waived_minor: 1, waiver: '{}', total_minor: 6, net_minor: 6 }),
      liquidation({ tax_minor: 1, tax_version: 1, tax_ppm: 100_000, tax_class: 'STANDARD', net_minor: 4 }),
      liquidation({ tax_version: 1, tax_ppm: 0, tax_class: null, reference: 'r', reason: 'CUSTOMER' }),
      liquidation({
        earlier_principal_minor: 3,
        earlier_interest_minor: 2,
        earlier_assessed_minor: 1,
        earlier_penal_minor: 1,
        earlier_tax_minor: 0,
      }),
    ],
    values: {
      liquidation_type: ['FULL', 'PARTIAL', 'HALF', ''],
      ...amounts(['principal', 'interest', 'penal', 'total', 'remaining', 'waived', 'tax']),
      ...amountsOrNull(['assessed', 'net']),
      ...amountsOrNull(
        ['principal', 'interest', 'assessed', 'penal', 'tax'].map((name) => `earlier_${name}`),
      ),
      assessed_by: ['PART', 'DAY', 'WEEK'],
      waiver: [null, '{}'],
      tax_version: [null, 1],
      tax_ppm: [null, -1, 0, 1_000_000, 1_000_001],
      tax_class: [null, 'STANDARD'],
      reference: [null, '', 'r', 'é'.repeat(64), 'r'.repeat(65), 'two\nlines'],
      reason: [null, '', 'OK', 'X', 'lower', 'R'.repeat(32), 'R'.repeat(33)],
    },
  },
  deposits: {
    rows: [
      deposit({}),
      deposit({ remaining_minor: 2, lien_minor: 2, external_id: 'x' }),
      deposit({ status: 'LIQUIDATED', remaining_minor: 0, liquidated_at: '2026-01-01' }),
      deposit({ status: 'MATURED', remaining_minor: 0, maturity_tax_version: 1, maturity_tax_ppm: 5 }),
      deposit({ status: 'ROLLED_OVER', remaining_minor: 0, rolled_over_to: 'fd_2' }),
      deposit({
        broken_on: '2026-01-01',
        broken_principal_minor: 1,
        broken_interest_minor: 3,
        broken_assessed_minor: 2,
        broken_penal_minor: 1,
        broken_tax_minor: 3,
      }),
    ],
    values: {
      status: ['ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER', 'LOST'],
      ...amounts(['principal', 'remaining', 'lien', 'expected_interest']),
      principal_minor: [0, 1, 3, '999999999999999', '1000000000000000'],
      annual_rate_ppm: [0, 1, 1_000_000, 1_000_001],
      tenor_days: [0, 1, 30, 36_500, 36_501],
      maturity_date: ['2026-01-30', '2026-01-31', '2026-02-01'],
      liquidated_at: [null, '2026-01-01'],
      rolled_over_to: [null, 'fd_2'],
      external_id: [null, '', 'x', 'x'.repeat(64), 'x'.repeat(65)],
      broken_on: [null, '2026-01-01'],
      ...amountsOrNull(['principal', 'interest', 'assessed', 'penal', 'tax'].map((name) => `broken_${name}`)),
      maturity_tax_version: [null, 1],
      maturity_tax_ppm: [null, -1, 0, 1_000_000, 1_000_001],
      maturity_tax_class: [null, 'STANDARD'],
    },
  },
  ledger_entries: {
    rows: [
      entry({}),
      entry({ kind: 'REVERSAL', reverses: 'le_1' }),
      entry({ accounts: [...'abcdefgh'], amounts_minor: [1, 1, 1, 1, 1, 1, 1, -7] }),
    ],
    values: {
      kind: ['LIQUIDATION', 'MATURITY', 'WITHHOLDING_TAX', 'REVERSAL', 'GIFT'],
      reverses: [null, 'le_1'],
      accounts: [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], [...'abcdefgh'], [...'abcdefghi']],
      amounts_minor: [
        [],
        [0],
        [1, -1],
        [1, -2],
        [0, 0],
        [1, 1, -2],
        [1, -1, 0],
        [1, 1, 1, 1, 1, 1, 1, -7],
        [1, 1, 1, 1, 1, 1, 1, -8],
        [1, 1, 1, 1, 1, 1, 1, 1, -8],
      ],
    },
  },
  accounts: {
    rows: [{ account_number: '0123456789', balance_minor: 0, external_id: null }],
    values: {
      account_number: [
        '',
        '9999999999',
        '123456789',
        '12345678901',
        '123456789a',
        '12345 7890',
        'é12345678',
        '-123456789',
        '123456789\n',
      ],
    },
  },
}

const soldTables: Tables = {
  liquidations: {
    rows: [...tables.liquidations!.rows.map((row) => ({ ...NOTHING_TAKEN_BACK, ...row })), ...takenBack()],
    values: {
      ...tables.liquidations!.values,
      ...amounts(['paid_share', 'tax_share', 'unearned', 'recovered', 'tax_returned']),
    },
  },
  deposits: {
    rows: [...tables.deposits!.rows.map((row) => ({ ...UNSOLD, ...row })), ...soldDeposits()],
    values: {
      ...tables.deposits!.values,
      product_code: [null, 'FD'],
      product_version: [null, 0, 1],
      agreed_unit: [null, 'DAY', 'MONTH', 'YEAR'],
      agreed_count: [null, 0, 1],
      method: ['AT_MATURITY', 'UPFRONT', 'COMPOUND', 'PAYOUT', 'NEVER'],
      every: [null, 'DAY', 'MONTH', 'QUARTER', 'WEEK'],
      recover: [true, false],
      ...amounts(['paid', 'tax']),
      paid_to: [null, '2026-01-10'],
      next_interest_date: [null, '2026-01-20'],
      auto_rollover: [true, false],
      instruction: [null, 'ROLL_OVER_PRINCIPAL', 'ROLL_OVER', 'PAY_OUT', 'GIVE_AWAY'],
      rollovers: [-1, 0, 1],
      broken_days: [-1, 0, 1],
      ...amountsOrNull(['paid', 'taxed', 'unearned', 'taken', 'returned'].map((name) => `broken_${name}`)),
    },
  },
}

/** The first migration without the old checks, and the one after it. */
const REPLACED = [
  { by: '0020', next: '0021', of: tables },
  { by: '0059', next: '0060', of: soldTables },
]

forEachEngine(({ test }) => {
  for (const { by, next, of } of REPLACED) {
    test(`the checks of migration ${by} accept and refuse the same rows as those before`, async (db) => {
      const sampled = Object.entries(of).map(([table, { rows, values }]) => ({
        table,
        rows: [...rows, ...fc.sample(changedRow(rows, values), 1_500)],
        inOrder: rows.length,
      }))
      await db.script('drop schema public cascade; create schema public;')
      await migrateBefore(db, by)
      const before = await decide(db, sampled)
      await migrateBefore(db, next)
      const after = await decide(db, sampled)
      for (const [index, { table, rows, inOrder }] of sampled.entries()) {
        for (const [place, row] of rows.entries()) {
          assert.equal(after[index]![place], before[index]![place], `${table}: ${JSON.stringify(row)}`)
        }
        assert(
          after[index]!.slice(0, inOrder).every((isAccepted) => isAccepted),
          table,
        )
        assert(after[index]!.includes(false), table)
      }
    })
  }
}, skipOnSeveralServers)

function changedRow(rows: Row[], values: Record<string, unknown[]>): fc.Arbitrary<Row> {
  const changed = Object.entries(values).map(([name, choices]) =>
    fc.record({ name: fc.constant(name), value: fc.constantFrom(...choices) }),
  )
  return fc
    .tuple(fc.constantFrom(...rows), fc.array(fc.oneof(...changed), { maxLength: 3 }))
    .map(([start, changes]) => ({
      ...start,
      ...Object.fromEntries(changes.map(({ name, value }) => [name, value])),
    }))
}

/** For each table, which of its rows the checks of this schema accept. */
async function decide(db: Database, sampled: { table: string; rows: Row[] }[]): Promise<boolean[][]> {
  const checks = await checksOf(db)
  return Promise.all(
    sampled.map(async ({ table, rows }) => {
      const conjunction = checks.get(table)!.map((check) => `(${check}) is not false`)
      const decided = await db.query<{ accepted: boolean }>(
        `select ${conjunction.join(' and ')} as accepted
         from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(rows)],
      )
      return decided.map(({ accepted }) => accepted)
    }),
  )
}

async function checksOf(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.query<{ table: string; check: string }>(
    `select conrelid::regclass::text as table, pg_get_expr(conbin, conrelid) as check
     from pg_constraint
     where contype = 'c'
       and connamespace = 'public'::regnamespace`,
  )
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, found]) => [table, found.map(({ check }) => check)]))
}

async function migrateBefore(db: Database, version: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-checks-'))
  const names = (await readdir(migrationsFolder)).filter((name) => name < version)
  for (const name of names) await cp(join(migrationsFolder, name), join(folder, name))
  await migrate(db, folder)
  await rm(folder, { recursive: true })
}

function liquidation(changed: Row): Row {
  return {
    liquidation_type: 'FULL',
    principal_minor: 5,
    interest_minor: 2,
    penal_minor: 2,
    total_minor: 5,
    remaining_minor: 0,
    assessed_by: 'DAY',
    assessed_minor: 2,
    waived_minor: 0,
    tax_minor: 0,
    net_minor: 5,
    ...changed,
  }
}

function deposit(changed: Row): Row {
  return {
    status: 'ACTIVE',
    principal_minor: 3,
    remaining_minor: 3,
    lien_minor: 0,
    expected_interest_minor: 1,
    annual_rate_ppm: 120_000,
    tenor_days: 30,
    start_date: '2026-01-01',
    maturity_date: '2026-01-31',
    ...changed,
  }
}

/** Rows of products, each with interest that was paid before. */
function soldDeposits(): Row[] {
  const sold = { ...UNSOLD, product_code: 'FD', product_version: 1, agreed_unit: 'DAY', agreed_count: 30 }
  const paying = {
    method: 'PAYOUT',
    every: 'MONTH',
    paid_minor: 3,
    tax_minor: 1,
    next_interest_date: '2026-01-20',
  }
  const broken = {
    broken_on: '2026-01-01',
    broken_principal_minor: 1,
    broken_interest_minor: 1,
    broken_assessed_minor: 3,
    broken_penal_minor: 1,
    broken_tax_minor: 0,
  }
  return [
    deposit({ ...sold }),
    deposit({ ...sold, method: 'COMPOUND', every: 'QUARTER', instruction: 'ROLL_OVER', auto_rollover: true }),
    deposit({ ...sold, method: 'UPFRONT', paid_minor: 2, tax_minor: 2, instruction: 'PAY_OUT' }),
    deposit({ ...sold, ...paying, paid_to: '2026-01-10' }),
    deposit({ ...sold, ...paying, ...broken, recover: true, broken_paid_minor: 3, broken_unearned_minor: 1 }),
    deposit({ ...UNSOLD, instruction: 'ROLL_OVER_PRINCIPAL', auto_rollover: true }),
  ]
}

/** Parts that took interest with them that was paid before. */
function takenBack(): Row[] {
  const part = { ...NOTHING_TAKEN_BACK, paid_share_minor: 4 }
  return [
    liquidation({ ...part, tax_share_minor: 1, assessed_minor: 4 }),
    liquidation({ ...part, unearned_minor: 2, recovered_minor: 1, assessed_minor: 3, net_minor: 2 }),
    liquidation({
      ...part,
      unearned_minor: 2,
      tax_returned_minor: 1,
      tax_version: 1,
      tax_ppm: 100_000,
      net_minor: 4,
    }),
  ]
}

function entry(changed: Row): Row {
  return { kind: 'LIQUIDATION', accounts: ['a', 'b'], amounts_minor: [1, -1], ...changed }
}

function amounts(names: string[]): Record<string, unknown[]> {
  return Object.fromEntries(names.map((name) => [`${name}_minor`, [-1, 0, 1, 2, 3, 4, 5, 6]]))
}

function amountsOrNull(names: string[]): Record<string, unknown[]> {
  return Object.fromEntries(names.map((name) => [`${name}_minor`, [null, -1, 0, 1, 2, 3, 4, 5, 6]]))
}
