/**
 * What verification reads. Each statement looks at one range of keys of one book and compares both sides in one snapshot,
 * so a change that is committed meanwhile is seen whole or not at all, and memory does not grow with the book.
 * Sums are scalar subqueries, row by row: those use the indexes even before the planner has statistics.
 */
import type { Deposit } from '../../domain/deposit.ts'
import type { Queries } from '../../engine/database/database.ts'
import { type DepositRow, depositColumns, depositOf } from '../deposits/store.ts'
import {
  type KeptLiquidation,
  type LiquidationRow,
  liquidationColumns,
  liquidationOf,
} from '../liquidation/store.ts'

/** What is gone through, in ranges of its key. */
export const keys = {
  ledger_entries: 'entry_id',
  accounts: 'account_number',
  customers: 'customer_id',
  deposits: 'deposit_id',
  liquidations: 'liquidation_id',
  events: 'event_id',
} as const
export type Table = keyof typeof keys

/** The keys after one and up to another, in the order of the database. */
export type KeyRange = { after: string; upTo: string }

/** The rows of a table in the range: $1 is the book, $2 and $3 its ends. */
function rowsIn(table: Table): string {
  return `${table}
      where ${table}.book_id = $1
        and ${table}.${keys[table]} > $2
        and ${table}.${keys[table]} <= $3`
}

/**
 * How many events of each type tell of a subject, as '1 0 2'. Types are counted apart, not asked for: without statistics
 * the planner took the index of types, and read all events of a type for each subject.
 */
function countEvents(types: readonly string[], subject: string): string {
  const counts = types.map((type) => `count(*) filter (where events.type = '${type}')`)
  return `(
        select concat_ws(' ', ${counts.join(', ')})
        from events
        where events.book_id = $1
          and events.subject_id = ${subject})`
}

/** What an entry gave to the account or the deposit it names. */
function sumOfLines(column: 'account_number' | 'deposit_id'): string {
  return `(
          select sum(line.amount)
          from ${LINES}
          where line.account = ledger_entries.${column})`
}

/** The lines of the entries as 'account amount', in any order. */
function linesOf(entries: string): string {
  return `array(
        select line.account || ' ' || line.amount
        from ledger_entries
        cross join lateral ${LINES}
        where ledger_entries.book_id = $1
          and ${entries})`
}

/** Something of the liquidation that an entry names. */
function ofLiquidation(column: string): string {
  return `(
            select liquidations.${column}
            from liquidations
            where liquidations.book_id = $1
              and liquidations.liquidation_id = ledger_entries.liquidation_id)`
}

/** Of one entry. */
const LINES = 'unnest(ledger_entries.accounts, ledger_entries.amounts_minor) as line(account, amount)'

const depositEvents = [
  'fixed_deposit.created',
  'fixed_deposit.partially_liquidated',
  'fixed_deposit.liquidated',
  'fixed_deposit.matured',
  'fixed_deposit.rolled_over',
]

/** Each statement answers the rows of a range for which its claim does not hold: key, what is found, what should be. */
export const claims: Record<string, { table: Table; text: string }> = {
  'the lines of an entry are two or more and sum to zero': {
    table: 'ledger_entries',
    text: `
    select id, lines || ' lines, sum ' || sum as found, 'sum 0' as expected
    from (
      select entry_id as id, cardinality(accounts) as lines,
        (select coalesce(sum(line.amount), 0) from ${LINES}) as sum
      from ${rowsIn('ledger_entries')}
    ) as entry
    where lines < 2
       or sum <> 0`,
  },

  // Without this a line could hide from the sums below, which find lines by what their entry names.
  'a line is of the account or the deposit its entry names, or of the bank itself': {
    table: 'ledger_entries',
    text: `
    select id, stray as found, names as expected
    from (
      select entry_id as id, concat_ws(' or ', account_number, deposit_id) as names,
        (select min(line.account)
          from ${LINES}
          where line.account is distinct from ledger_entries.account_number
            and line.account is distinct from ledger_entries.deposit_id
            and line.account not in ('cash', 'interest_expense', 'penal_income', 'rollover_clearing')) as stray
      from ${rowsIn('ledger_entries')}
    ) as entry
    where stray is not null`,
  },

  'an entry names what its kind is about, and what it names exists': {
    table: 'ledger_entries',
    text: `
    select ledger_entries.entry_id as id,
      concat_ws(' ', kind, account_number, deposit_id, liquidation_id) as found, 'records that exist' as expected
    from ${rowsIn('ledger_entries')}
      and not (
        case kind
          when 'ACCOUNT_CREDIT' then account_number is not null and deposit_id is null and liquidation_id is null
          when 'LIQUIDATION' then
            account_number is not null and deposit_id is not null and exists (
              select 1 from liquidations
              where liquidations.book_id = $1
                and liquidations.liquidation_id = ledger_entries.liquidation_id
                and liquidations.deposit_id = ledger_entries.deposit_id)
          else deposit_id is not null and liquidation_id is null
        end
        and (account_number is null or exists (
          select 1 from accounts
          where accounts.book_id = $1 and accounts.account_number = ledger_entries.account_number))
        and (deposit_id is null or exists (
          select 1 from deposits
          where deposits.book_id = $1 and deposits.deposit_id = ledger_entries.deposit_id)))`,
  },

  'the balance of an account is the sum of its lines': {
    table: 'accounts',
    text: `
    select id, balance_minor::text as found, sum::text as expected
    from (
      select accounts.account_number as id, balance_minor,
        (select coalesce(sum(${sumOfLines('account_number')}), 0)
          from ledger_entries
          where ledger_entries.book_id = $1
            and ledger_entries.account_number = accounts.account_number) as sum
      from ${rowsIn('accounts')}
    ) as account
    where balance_minor <> sum`,
  },

  'an account has one event for its opening and one for each credit': {
    table: 'accounts',
    text: `
    select id, told as found, changed as expected
    from (
      select accounts.account_number as id,
        ${countEvents(['account.created', 'account.credited'], 'accounts.account_number')} as told,
        (select '1 ' || count(*)
          from ledger_entries
          where ledger_entries.book_id = $1
            and ledger_entries.account_number = accounts.account_number
            and ledger_entries.kind = 'ACCOUNT_CREDIT') as changed
      from ${rowsIn('accounts')}
    ) as account
    where told <> changed`,
  },

  'a customer has one event for its creation': {
    table: 'customers',
    text: `
    select id, told as found, '1' as expected
    from (
      select customers.customer_id as id, ${countEvents(['customer.created'], 'customers.customer_id')} as told
      from ${rowsIn('customers')}
    ) as customer
    where told <> '1'`,
  },

  'the remaining principal of a deposit is the sum of its lines': {
    table: 'deposits',
    text: `
    select id, remaining_minor::text as found, sum::text as expected
    from (
      select deposits.deposit_id as id, remaining_minor,
        (select coalesce(sum(${sumOfLines('deposit_id')}), 0)
          from ledger_entries
          where ledger_entries.book_id = $1
            and ledger_entries.deposit_id = deposits.deposit_id) as sum
      from ${rowsIn('deposits')}
    ) as deposit
    where remaining_minor <> sum`,
  },

  'a deposit has the owner and the currency of its account': {
    table: 'deposits',
    text: `
    select id, owner as found, coalesce(account_owner, 'an account') as expected
    from (
      select deposits.deposit_id as id, customer_id || ' ' || currency as owner,
        (select accounts.customer_id || ' ' || accounts.currency
          from accounts
          where accounts.book_id = $1
            and accounts.account_number = deposits.account_number) as account_owner
      from ${rowsIn('deposits')}
    ) as deposit
    where owner is distinct from account_owner`,
  },

  'a deposit ended as its liquidations and its maturity entries say': {
    table: 'deposits',
    text: `
    select id, status as found, fulls || ' FULL liquidations, ' || maturities || ' maturity entries' as expected
    from (
      select deposits.deposit_id as id, status,
        (select count(*)
          from ledger_entries
          where ledger_entries.book_id = $1
            and ledger_entries.deposit_id = deposits.deposit_id
            and ${ofLiquidation('liquidation_type')} = 'FULL') as fulls,
        (select count(*)
          from ledger_entries
          where ledger_entries.book_id = $1
            and ledger_entries.deposit_id = deposits.deposit_id
            and ledger_entries.kind = 'MATURITY') as maturities
      from ${rowsIn('deposits')}
    ) as deposit
    where fulls <> case when status = 'LIQUIDATED' then 1 else 0 end
       or maturities <> case when status in ('MATURED', 'ROLLED_OVER') then 1 else 0 end`,
  },

  // In the order of what they left, because the clocks of two instances may disagree about which was first.
  'each liquidation of a deposit left what the one before it left, less its own principal': {
    table: 'deposits',
    text: `
    select id, liquidation_id || ' left ' || remaining_minor as found, expected::text
    from (
      select deposit_id as id, liquidation_id, remaining_minor,
        (select deposits.principal_minor
          from deposits
          where deposits.book_id = $1
            and deposits.deposit_id = taken.deposit_id)
        - sum(principal_minor) over (partition by deposit_id order by remaining_minor desc) as expected
      from (
        select deposit_id, liquidation_id, ${ofLiquidation('principal_minor')} as principal_minor,
          ${ofLiquidation('remaining_minor')} as remaining_minor
        from ledger_entries
        where ledger_entries.book_id = $1
          and ledger_entries.deposit_id > $2
          and ledger_entries.deposit_id <= $3
          and ledger_entries.kind = 'LIQUIDATION'
      ) as taken
    ) as liquidation
    where remaining_minor <> expected`,
  },

  'a deposit has one event for each of its changes': {
    table: 'deposits',
    text: `
    select id, told as found, changed as expected
    from (
      select deposits.deposit_id as id,
        ${countEvents(depositEvents, 'deposits.deposit_id')} as told,
        concat_ws(' ',
          case when exists (
            select 1 from deposits predecessor
            where predecessor.book_id = $1 and predecessor.rolled_over_to = deposits.deposit_id)
            then 0 else 1 end,
          (select count(*)
            from ledger_entries
            where ledger_entries.book_id = $1
              and ledger_entries.deposit_id = deposits.deposit_id
              and ${ofLiquidation('liquidation_type')} = 'PARTIAL'),
          case when status = 'LIQUIDATED' then 1 else 0 end,
          case when status = 'MATURED' then 1 else 0 end,
          case when status = 'ROLLED_OVER' then 1 else 0 end) as changed
      from ${rowsIn('deposits')}
    ) as deposit
    where told <> changed`,
  },

  'a liquidation is of a deposit that exists': {
    table: 'liquidations',
    text: `
    select id, deposit_id as found, 'a deposit' as expected
    from (
      select liquidations.liquidation_id as id, liquidations.deposit_id,
        (select count(*)
          from deposits
          where deposits.book_id = $1
            and deposits.deposit_id = liquidations.deposit_id) as deposits
      from ${rowsIn('liquidations')}
    ) as liquidation
    where deposits = 0`,
  },

  'an event is about a record that exists': {
    table: 'events',
    text: `
    select events.event_id as id, events.type || ' ' || events.subject_id as found, 'a record' as expected
    from ${rowsIn('events')}
      and not case split_part(events.type, '.', 1)
        when 'customer' then exists (
          select 1 from customers
          where customers.book_id = $1 and customers.customer_id = events.subject_id)
        when 'account' then exists (
          select 1 from accounts
          where accounts.book_id = $1 and accounts.account_number = events.subject_id)
        when 'fixed_deposit' then exists (
          select 1 from deposits
          where deposits.book_id = $1 and deposits.deposit_id = events.subject_id)
        when 'liquidation_rules' then exists (
          select 1 from rule_sets
          where rule_sets.book_id = $1 and rule_sets.version::text = events.subject_id)
        else true
      end`,
  },
}

/** The next keys of a table: $2 is the one after which they begin, $3 how many. */
const ranges = Object.fromEntries(
  Object.entries(keys).map(([table, key]) => [
    table,
    `
    select max(id) as up_to, count(*) as keys
    from (
      select ${key} as id
      from ${table}
      where book_id = $1
        and ${key} > $2
      order by ${key}
      limit $3
    ) as page`,
  ]),
) as Record<Table, string>

const firstDifferences = Object.fromEntries(
  Object.entries(claims).map(([claim, { text }]) => [
    claim,
    `${text}
    order by id
    limit 1`,
  ]),
)

export const statements = {
  ...ranges,
  ...firstDifferences,

  // Versions are few: a book has as many as its rules were changed.
  findRuleDifference: `
    select version::text as id, told as found, expected
    from (
      select version, ${countEvents(['liquidation_rules.updated'], 'version::text')} as told,
        case when version = 1 then '0' else '1' end as expected,
        row_number() over (order by version) as position
      from rule_sets
      where book_id = $1
    ) as rule_set
    where told <> expected
       or version <> position
    order by version
    limit 1`,

  readDeposits: `
    select ${depositColumns},
      (select predecessor.deposit_id
        from deposits predecessor
        where predecessor.book_id = $1
          and predecessor.rolled_over_to = deposits.deposit_id) as predecessor_id,
      (select coalesce(sum(${ofLiquidation('principal_minor')}), 0)::bigint
        from ledger_entries
        where ledger_entries.book_id = $1
          and ledger_entries.deposit_id = deposits.deposit_id) as liquidated_minor,
      ${linesOf(`ledger_entries.deposit_id = deposits.deposit_id
          and ledger_entries.kind = 'DEPOSIT_OPENING'`)} as opening_lines,
      ${linesOf(`ledger_entries.deposit_id = deposits.deposit_id
          and ledger_entries.kind = 'MATURITY'`)} as maturity_lines
    from ${rowsIn('deposits')}
    order by deposit_id`,

  readLiquidations: `
    select ${liquidationColumns},
      ${linesOf(`ledger_entries.deposit_id = liquidations.deposit_id
          and ledger_entries.liquidation_id = liquidations.liquidation_id`)} as lines,
      array(
        select events.type || ' ' || events.data
        from events
        where events.book_id = $1
          and events.subject_id = liquidations.deposit_id
          and events.occurred_at = liquidations.liquidated_at
          and events.type like '%liquidated'
          and events.data::jsonb ->> 'liquidation_id' = liquidations.liquidation_id) as events
    from ${rowsIn('liquidations')}
    order by liquidation_id`,

  findDeposits: `
    select ${depositColumns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])`,
}

export type FoundDifference = { id: string; found: string; expected: string }

/** null: there is nothing after it. */
export async function findRange(
  db: Queries,
  bookId: string,
  table: Table,
  asked: { after: string; limit: number },
): Promise<{ range: KeyRange; keys: number } | null> {
  const [row] = await db.query<{ up_to: string | null; keys: bigint }>(ranges[table], [
    bookId,
    asked.after,
    asked.limit,
  ])
  if (row === undefined || row.up_to === null) return null
  return { range: { after: asked.after, upTo: row.up_to }, keys: Number(row.keys) }
}

export async function findFirstDifference(
  db: Queries,
  bookId: string,
  claim: string,
  range: KeyRange,
): Promise<FoundDifference | undefined> {
  const parameters = [bookId, range.after, range.upTo]
  const [row] = await db.query<FoundDifference>(firstDifferences[claim]!, parameters)
  return row
}

export async function findRuleDifference(db: Queries, bookId: string): Promise<FoundDifference | undefined> {
  const [row] = await db.query<FoundDifference>(statements.findRuleDifference, [bookId])
  return row
}

export type PostedDeposit = {
  deposit: Deposit
  predecessorId: string | null
  /** The principal that its liquidations took. */
  liquidated: bigint
  openingLines: string[]
  maturityLines: string[]
}

export async function readDeposits(db: Queries, bookId: string, range: KeyRange): Promise<PostedDeposit[]> {
  type Row = DepositRow & {
    predecessor_id: string | null
    liquidated_minor: bigint
    opening_lines: string[]
    maturity_lines: string[]
  }
  const rows = await db.query<Row>(statements.readDeposits, [bookId, range.after, range.upTo])
  return rows.map((row) => ({
    deposit: depositOf(row),
    predecessorId: row.predecessor_id,
    liquidated: row.liquidated_minor,
    openingLines: row.opening_lines,
    maturityLines: row.maturity_lines,
  }))
}

/** An event is its type, a space and its data. */
export type PostedLiquidation = { liquidation: KeptLiquidation; lines: string[]; events: string[] }

export async function readLiquidations(
  db: Queries,
  bookId: string,
  range: KeyRange,
): Promise<PostedLiquidation[]> {
  type Row = LiquidationRow & { lines: string[]; events: string[] }
  const rows = await db.query<Row>(statements.readLiquidations, [bookId, range.after, range.upTo])
  return rows.map((row) => ({ liquidation: liquidationOf(row), lines: row.lines, events: row.events }))
}

/** Their terms never change, so it does not matter when they are read. */
export async function findDeposits(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Deposit>> {
  const rows = await db.query<DepositRow>(statements.findDeposits, [bookId, depositIds])
  return new Map(rows.map((row) => [row.deposit_id, depositOf(row)]))
}
