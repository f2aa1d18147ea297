/**
 * A book with many deposits, written by the database itself, because a million through the service would take hours.
 * Everything the service would have written is there (entries, postings, events), so `breakwater verify` finds no
 * difference. Ids of events begin with their number, as those of the service begin with their time. Those of customers and
 * deposits are md5 of book and number, which the load generator knows, and begin with their number only with `idsInOrder`.
 */
import { createService } from '../src/cli/compose.ts'
import { OPERATOR } from '../src/domain/actor.ts'
import { isoDate } from '../src/domain/dates.ts'
import { LATER_SUMS, type LaterSum } from '../src/domain/day-sums.ts'
import { formatAmount, type Minor, minor } from '../src/domain/money.ts'
import type { Database } from '../src/engine/database/database.ts'
import { hashSecret } from '../src/engine/database/secrets.ts'
import { findByHash } from '../src/features/api-keys/store.ts'
import { createCaller } from '../src/features/callers/changes.ts'
import { LiquidationRecord } from '../src/features/liquidation/record.ts'
import { rulesDocument } from '../src/features/rules/changes.ts'
import { parseRuleSet } from '../src/features/rules/record.ts'
import { DEPOSITS_PER_CUSTOMER } from './load.ts'

export type LoadedBook = { bookId: string; key: string; deposits: number; customers: number }

const RULES_VERSION = 2

/** Tiered rules, as a bank would have: several rules are checked, a term is computed and capped. */
const RULES = JSON.stringify({
  day_count: 'ACT/365F',
  rounding: 'HALF_UP',
  allow_partial: true,
  min_partial_amount: 0.01,
  min_remaining_principal: 0.01,
  min_holding_days: 0,
  penal_rules: [
    {
      when: { elapsed_percent: { lt: 20 } },
      terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 90 }],
    },
    {
      when: {},
      terms: [
        { kind: 'RERATE', rate: { of: 'CONTRACT', add: -1 } },
        { kind: 'FIXED', amount: 50 },
      ],
      combine: 'SUM',
      min: 0,
      max: null,
    },
  ],
})

export async function loadBook(
  db: Database,
  asked: {
    deposits: number
    tenorDays: number
    elapsedDays: number
    idsInOrder?: boolean
    /** false: the server knows its tables as they were before. */
    analyzed?: boolean
  },
): Promise<LoadedBook> {
  const at = new Date()
  const { keys } = await createCaller(db, { name: 'Bench Bank', timeZone: 'UTC', currency: 'NGN', at })
  const { key } = keys.find(({ mode }) => mode === 'live')!
  const { book } = (await findByHash(db, hashSecret(key)))!
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
  await rulesDocument.replace(service, origin, parseRuleSet(RULES))
  await db.script(loadingScript({ bookId: book.bookId, ...asked }))
  if (asked.analyzed !== false) for (const table of TABLES) await db.script(`vacuum analyze ${table}`)
  return {
    bookId: book.bookId,
    key,
    deposits: asked.deposits,
    customers: Math.ceil(asked.deposits / DEPOSITS_PER_CUSTOMER),
  }
}

/**
 * Breaks every deposit of a book whose deposits are LIQUIDATED_AFTER_DAYS old, with everything the service would have
 * written.
 */
export async function liquidateAll(
  db: Database,
  { bookId }: LoadedBook,
  { idsInOrder = false }: { idsInOrder?: boolean } = {},
): Promise<void> {
  await db.script(liquidatingScript(bookId, idsInOrder))
  for (const table of [...TABLES, 'liquidations']) await db.script(`vacuum analyze ${table}`)
}

const TABLES = ['customers', 'accounts', 'deposits', 'ledger_entries', 'events']

/**
 * Deposit 0 is the hot one: it is large, so that many parts can be taken from it. Account numbers are spread by a
 * multiplier that is coprime to their range. Foreign keys are not checked while loading; `verify` does it afterwards.
 */
function loadingScript(asked: {
  bookId: string
  deposits: number
  tenorDays: number
  elapsedDays: number
  idsInOrder?: boolean
}): string {
  const { bookId, deposits, tenorDays, elapsedDays, idsInOrder = false } = asked
  const hashOf = (number: string) => `'${bookId} ' || (${number})::text`
  const id = (prefix: string, number: string) => idOf(prefix, { number, hashed: hashOf(number), idsInOrder })
  const eventId = (number: string) => idOf('evt', { number, hashed: hashOf(number), idsInOrder: true })
  const entryId = (number: string) => `'le_' || lpad((${number})::text, 24, '0')`
  const customer = `n / ${DEPOSITS_PER_CUSTOMER}`
  return `
    begin;
    set local session_replication_role = replica;

    create temporary table loaded on commit drop as
    select n,
           ${id('cus', customer)} as customer_id,
           (1000000000 + ((${customer})::bigint * 7654321987) % 9000000000)::text as account_number,
           ${id('fd', 'n')} as deposit_id,
           case n when 0 then 90000000000000 else 1000000 + (n % 9000) * 1000 end::bigint as principal,
           (current_date - ${elapsedDays})::timestamptz + interval '9 hours' as at
    from generate_series(0, ${deposits - 1}) as n;

    create temporary table owner on commit drop as
    select row_number() over (order by min(n)) - 1 as n, customer_id, account_number, sum(principal)::bigint as credited, at
    from loaded
    group by customer_id, account_number, at;

    insert into customers (
      book_id, customer_id, ordinal, first_name, last_name, email, phone_number, address, created_at, updated_at)
    select '${bookId}', customer_id, n, 'Ada', 'Obi', 'ada.obi@example.com', '+234 801 234 5678',
           '12 Marina Road, Lagos', at, at
    from owner;

    insert into accounts (book_id, account_number, ordinal, customer_id, currency, balance_minor, created_at)
    select '${bookId}', account_number, n, customer_id, 'NGN', 0, at
    from owner;

    insert into deposits (
      book_id, deposit_id, ordinal, customer_id, account_number, currency, status, principal_minor, remaining_minor,
      expected_interest_minor, annual_rate_ppm, tenor_days, start_date, maturity_date, auto_rollover, rules_version,
      created_at, updated_at)
    select '${bookId}', deposit_id, n, customer_id, account_number, 'NGN', 'ACTIVE', principal, principal,
           round(principal::numeric * 120000 * ${tenorDays} / 365000000), 120000, ${tenorDays}, at::date,
           at::date + ${tenorDays}, false, ${RULES_VERSION}, at, at
    from loaded;

    insert into ledger_entries (
      book_id, entry_id, kind, account_number, deposit_id, created_at, accounts, amounts_minor)
    select '${bookId}', ${entryId('n * 2')}, 'ACCOUNT_CREDIT', account_number, null, at,
           array['cash', account_number], array[-credited, credited]
    from owner
    union all
    select '${bookId}', ${entryId('n * 2 + 1')}, 'DEPOSIT_OPENING', account_number, deposit_id, at,
           array[account_number, deposit_id], array[-principal, principal]
    from loaded;

    insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data, changes)
    select '${bookId}', ${eventId('n * 4')}, n * 4, 'customer.created', true, customer_id, at,
           json_build_object('customer_id', customer_id)::text,
           json_build_object('after', json_build_object(
             'first_name', 'Ada', 'last_name', 'Obi', 'email', 'ada.obi@example.com',
             'phone_number', '+234 801 234 5678', 'address', '12 Marina Road, Lagos'))::text
    from owner
    union all
    select '${bookId}', ${eventId('n * 4 + 1')}, n * 4 + 1, 'account.created', false, account_number, at,
           json_build_object('account_number', account_number)::text, null
    from owner
    union all
    select '${bookId}', ${eventId('n * 4 + 2')}, n * 4 + 2, 'account.credited', true, account_number, at,
           json_build_object('entry_id', ${entryId('n * 2')})::text, null
    from owner
    union all
    select '${bookId}', ${eventId('n * 4 + 3')}, n * 4 + 3, 'fixed_deposit.created', true, deposit_id, at,
           json_build_object('deposit_id', deposit_id)::text, null
    from loaded;

    commit;`
}

function idOf(
  prefix: string,
  { number, hashed, idsInOrder }: { number: string; hashed: string; idsInOrder: boolean },
): string {
  const first = idsInOrder ? `lpad(to_hex(${number}), 9, '0')` : `''`
  return `'${prefix}_' || substr(${first} || md5(${hashed}), 1, 24)`
}

/**
 * The first tier of the rules above, computed by the database: 90 percent of the interest accrued in 30 days at 12
 * percent. `verify` computes each again by the service.
 */
export const LIQUIDATED_AFTER_DAYS = 30

function liquidatingScript(bookId: string, idsInOrder: boolean): string {
  const number = '1000000000 + ordinal'
  const liquidationId = idOf('liq', { number, hashed: `'liquidation ' || deposit_id`, idsInOrder })
  return `
    begin;
    set local session_replication_role = replica;

    create temporary table made on commit drop as
    select ${number} as ordinal,
           ${liquidationId} as liquidation_id,
           deposit_id, account_number, principal_minor as principal,
           round(principal_minor::numeric * 12 * 30 / 36500)::bigint as interest,
           round(principal_minor::numeric * 12 * 30 * 9 / 365000)::bigint as penal,
           date_trunc('day', now(), 'UTC') + ordinal % 86400000 * interval '1 millisecond' as at
    from deposits
    where book_id = '${bookId}';

    insert into liquidations (
      book_id, liquidation_id, deposit_id, liquidation_type, principal_minor, interest_minor, penal_minor,
      total_minor, remaining_minor, account_number, currency, business_date, liquidated_at, assessed_by,
      assessed_minor, net_minor)
    select '${bookId}', liquidation_id, deposit_id, 'FULL', principal, interest, penal,
           principal + interest - penal, 0, account_number, 'NGN', (at at time zone 'UTC')::date, at, 'DAY',
           penal, principal + interest - penal
    from made;

    insert into ledger_entries (
      book_id, entry_id, kind, account_number, deposit_id, liquidation_id, created_at, accounts, amounts_minor)
    select '${bookId}', 'le_' || lpad(ordinal::text, 24, '0'), 'LIQUIDATION', account_number, deposit_id, liquidation_id, at,
           array[deposit_id, 'interest_expense', 'penal_income', account_number],
           array[-principal, -interest, penal, principal + interest - penal]
    from made;

    insert into events (book_id, event_id, ordinal, type, announced, subject_id, occurred_at, data)
    select '${bookId}', 'evt_' || substr(liquidation_id, 5), ordinal, 'fixed_deposit.liquidated', true, deposit_id, at,
           ${eventData()}
    from made;

    update deposits
    set status = 'LIQUIDATED', remaining_minor = 0, updated_at = made.at, liquidated_at = made.at,
        broken_on = (made.at at time zone 'UTC')::date, broken_principal_minor = made.principal,
        broken_interest_minor = made.interest, broken_assessed_minor = made.penal, broken_penal_minor = made.penal,
        broken_tax_minor = 0
    from made
    where deposits.book_id = '${bookId}'
      and deposits.deposit_id = made.deposit_id;

    update accounts
    set balance_minor = balance_minor + paid.total
    from (select account_number, sum(principal + interest - penal)::bigint as total from made group by 1) as paid
    where accounts.book_id = '${bookId}'
      and accounts.account_number = paid.account_number;

    commit;`
}

const TIME = `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The event of a liquidation as the service writes it, with SQL in place of each value. */
function eventData(): string {
  const texts = {
    deposit_id: 'DEPOSIT',
    account_number: 'ACCOUNT',
    liquidation_id: 'LIQUIDATION',
    [TIME]: new Date(0).toISOString(),
  }
  const amounts = {
    principal: minor(111n),
    interest: minor(222n),
    penal: minor(333n),
    'principal + interest - penal': minor(444n),
  }
  const [principal, interest, penal, total] = Object.values(amounts) as Minor[]
  const data = LiquidationRecord.write({
    depositId: texts.deposit_id,
    statusAfter: 'LIQUIDATED',
    principal: principal!,
    interest: interest!,
    assessed: penal!,
    waived: minor(0n),
    waiver: null,
    penal: penal!,
    total: total!,
    tax: minor(0n),
    ...(Object.fromEntries(LATER_SUMS.map((name) => [name, minor(0n)])) as Record<LaterSum, Minor>),
    adjustments: [],
    paidTo: null,
    net: total!,
    remaining: minor(0n),
    earlierLiquidations: 0,
    sheetNow: null,
    accountNumber: texts.account_number,
    currency: 'NGN',
    businessDate: isoDate('1970-01-01'),
    earlierToday: null,
    taxed: null,
    taxedEarlier: null,
    liquidationId: texts.liquidation_id,
    type: 'FULL',
    at: new Date(0),
    reference: null,
    reason: null,
  })
  const values = [
    ...Object.entries(texts).map(([sql, text]) => [text, sql] as const),
    ...Object.entries(amounts).map(
      ([sql, amount]) => [formatAmount(amount), `((${sql}) / 100.0)::numeric(20, 2)`] as const,
    ),
  ]
  const sql = values.reduce(
    (text, [value, by]) => text.replaceAll(value, `' || ${by} || '`),
    JSON.stringify(data),
  )
  return `'${sql}'`
}
