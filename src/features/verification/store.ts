/**
 * What verification reads: for each subject one statement that looks at a range of its keys, and returns the rows for
 * which a claim does not hold and those from which the service computes figures again (verify.ts).
 *
 * - A statement compares both sides in one snapshot, so a change that is committed meanwhile is seen whole or not at all.
 * - It reads each row it needs once. Related rows come by lateral subqueries with an aggregate or a limit, which
 *   PostgreSQL runs as one index lookup per row: plans do not depend on statistics, and the cost grows with the number of
 *   rows, even if most of them belong to one deposit or account. (`exists` may become a hash of a whole table per page.)
 *
 * To add a claim over what the facts of a subject hold, add one entry to its `claims`. If it needs more, add a column to
 * `facts`. If it needs the service's arithmetic, name the columns in `rows` and add one entry to the tables of verify.ts.
 */

import { isoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { CASH, INTEREST_EXPENSE, PENAL_INCOME, ROLLOVER_CLEARING } from '../../domain/ledger.ts'
import type { Queries } from '../../engine/database/database.ts'
import { type DepositRow, depositColumns, depositOf } from '../deposits/store.ts'
import {
  type KeptLiquidation,
  type LiquidationRow,
  liquidationColumns,
  liquidationOf,
} from '../liquidation/store.ts'

/** SQL over the facts of a subject: when a row differs from the claim, what is found, and what should be. */
export type Claim = {
  claim: string
  differs: string
  found: string
  expected: string
  /** The columns that name the record, where it is not the subject itself. */
  ids?: readonly string[]
}

type Subject = {
  /** Names the record in a difference. */
  id: string
  /** The column whose ranges are gone through, and a value that is less than all of its values. */
  key: string
  start: string | bigint
  /** Keys of one range. */
  pageKeys: number
  /** $1 is the book, $2 and $3 are the ends of the range. */
  facts: string
  /** Of a row the first that does not hold is reported. */
  claims: readonly Claim[]
  /** Which rows the service computes again, in which order, and what it needs of them. */
  rows?: { where: string; orderBy: string; columns: string }
}

export const RULE_VERSIONS =
  'versions of rules are numbered without a gap, with one event for each after the first'
export const LIQUIDATION_DEPOSIT = 'a liquidation is of a deposit that exists'
export const LIQUIDATION_ENTRY = 'a liquidation has one entry, with the figures it paid'
export const LIQUIDATION_EVENT = 'a liquidation has one event, which tells what it paid'

const OWN_ACCOUNTS = [CASH, INTEREST_EXPENSE, PENAL_INCOME, ROLLOVER_CLEARING]

/** Changes of a deposit by the types of their events, as `eventsOf` counts them. A successor has no event of its own for its opening. */
const CHANGES_OF_DEPOSIT = `concat_ws(' ',
          case when predecessor_id is null then 1 else 0 end,
          partials,
          case when status = 'LIQUIDATED' then 1 else 0 end,
          case when status = 'MATURED' then 1 else 0 end,
          case when status = 'ROLLED_OVER' then 1 else 0 end)`

const CARRIED_SUMS = `concat_ws(' ', broken_on, broken_principal_minor, broken_interest_minor, broken_assessed_minor)`

export const subjects: Record<SubjectName, Subject> = {
  ledger_entries: {
    id: 'entry_id',
    key: 'entry_id',
    start: '',
    pageKeys: 2_000,
    facts: `
      select entry.entry_id, entry.kind, entry.account_number as entry_account, entry.deposit_id as entry_deposit,
        entry.liquidation_id as entry_liquidation, ${postings('entry')} as postings,
        line.*, account.*, deposit.*, liquidation.*
      from ledger_entries entry
      cross join lateral (
        select count(*) as lines, coalesce(sum(amount), 0) as lines_sum,
          min(account) filter (
            where account is distinct from entry.account_number
              and account is distinct from entry.deposit_id
              and account not in (${OWN_ACCOUNTS.map((name) => `'${name}'`).join(', ')})) as stray
        from ${linesOf('entry')}
      ) as line
      left join lateral (
        select true as has_account
        from accounts
        where accounts.book_id = $1
          and accounts.account_number = entry.account_number
        limit 1
      ) as account on true
      left join lateral (
        select account_number as deposit_account, currency as deposit_currency, annual_rate_ppm, start_date,
          maturity_date, rules_version
        from deposits
        where deposits.book_id = $1
          and deposits.deposit_id = entry.deposit_id
        limit 1
      ) as deposit on true
      left join lateral (
        select ${liquidationColumns}
        from liquidations
        where liquidations.book_id = $1
          and liquidations.liquidation_id = entry.liquidation_id
        limit 1
      ) as liquidation on true
      where entry.book_id = $1
        and entry.entry_id > $2
        and entry.entry_id <= $3`,
    claims: [
      {
        claim: 'the lines of an entry are two or more and sum to zero',
        differs: 'lines < 2 or lines_sum <> 0',
        found: `lines || ' lines, sum ' || lines_sum`,
        expected: `'sum 0'`,
      },
      {
        // Without this a line could hide from the sums of accounts and deposits, which find lines by what entries name.
        claim: 'a line is of the account or the deposit its entry names, or of the bank itself',
        differs: 'stray is not null',
        found: 'stray',
        expected: `concat_ws(' or ', entry_account, entry_deposit)`,
      },
      {
        claim: 'an entry names what its kind is about, and what it names exists',
        differs: `not (
          case kind
            when 'ACCOUNT_CREDIT' then
              entry_account is not null and entry_deposit is null and entry_liquidation is null
            when 'LIQUIDATION' then
              entry_account is not null and entry_deposit is not null and deposit_id is not distinct from entry_deposit
            else entry_deposit is not null and entry_liquidation is null
          end
          and (entry_account is null or has_account is not null)
          and (entry_deposit is null or deposit_account is not null))`,
        found: `concat_ws(' ', kind, entry_account, entry_deposit, entry_liquidation)`,
        expected: `'records that exist'`,
      },
    ],
    rows: {
      where: `kind = 'LIQUIDATION'`,
      orderBy: 'liquidation_id',
      columns: `${liquidationColumns}, deposit_account, deposit_currency, annual_rate_ppm, start_date, maturity_date,
        rules_version, postings`,
    },
  },

  accounts: {
    id: 'account_number',
    key: 'account_number',
    start: '',
    pageKeys: 1_000,
    facts: `
      select account.account_number, account.balance_minor, entry.*, event.*
      from accounts account
      cross join lateral (
        select coalesce(sum(${sumOfLines('account.account_number')}), 0) as lines_sum,
          '1 ' || count(*) filter (where kind = 'ACCOUNT_CREDIT') as changed
        from ledger_entries
        where ledger_entries.book_id = $1
          and ledger_entries.account_number = account.account_number
      ) as entry
      cross join lateral ${eventsOf('account.account_number', ['account.created', 'account.credited'])} as event
      where account.book_id = $1
        and account.account_number > $2
        and account.account_number <= $3`,
    claims: [
      {
        claim: 'the balance of an account is the sum of its lines',
        differs: 'balance_minor <> lines_sum',
        found: 'balance_minor::text',
        expected: 'lines_sum::text',
      },
      {
        claim: 'an account has one event for its opening and one for each credit',
        differs: 'told <> changed',
        found: 'told',
        expected: 'changed',
      },
    ],
  },

  customers: {
    id: 'customer_id',
    key: 'customer_id',
    start: '',
    pageKeys: 2_000,
    facts: `
      select customer.customer_id, event.*
      from customers customer
      cross join lateral ${eventsOf('customer.customer_id', ['customer.created'])} as event
      where customer.book_id = $1
        and customer.customer_id > $2
        and customer.customer_id <= $3`,
    claims: [
      {
        claim: 'a customer has one event for its creation',
        differs: `told <> '1'`,
        found: 'told',
        expected: `'1'`,
      },
    ],
  },

  deposits: {
    id: 'deposit_id',
    key: 'deposit_id',
    start: '',
    pageKeys: 2_000,
    // Liquidations are summed in the order of what they left, because the clocks of two instances may disagree about
    // which was first.
    facts: `
      select ${columnsOf('deposit', depositColumns)}, deposit.customer_id || ' ' || deposit.currency as owner,
        account.*, entry.*, event.*, predecessor.*, lien.*
      from deposits deposit
      left join lateral (
        select accounts.customer_id || ' ' || accounts.currency as account_owner
        from accounts
        where accounts.book_id = $1
          and accounts.account_number = deposit.account_number
        limit 1
      ) as account on true
      cross join lateral (
        select coalesce(sum(lines_sum), 0) as lines_sum,
          count(*) filter (where type = 'FULL') as fulls,
          count(*) filter (where type = 'PARTIAL') as partials,
          count(*) filter (where kind = 'MATURITY') as maturities,
          coalesce(sum(principal), 0)::bigint as liquidated_minor,
          min(array[liquidation || ' left ' || remaining, (deposit.principal_minor - taken)::text])
            filter (where remaining <> deposit.principal_minor - taken) as broken_chain,
          min(array[liquidation || ' after ' || earlier, before]) filter (where earlier <> before) as broken_day,
          (array_agg(day || ' ' || sums order by remaining) filter (where assessed_by = 'DAY'))[1] as last_day,
          string_agg(postings, '') filter (where kind = 'DEPOSIT_OPENING') as opening_postings,
          string_agg(postings, '') filter (where kind = 'MATURITY') as maturity_postings
        from (
          select kind, ${sumOfLines('deposit.deposit_id')} as lines_sum,
            case when kind <> 'LIQUIDATION' then ${postings('ledger_entries')} end as postings,
            liquidation, type, principal, remaining, sum(principal) over (order by remaining desc) as taken,
            assessed_by, day, earlier, sums,
            case when assessed_by = 'DAY' then
              case when day = lag(day) over parts then lag(sums) over parts else 'nothing' end
            end as before
          from ledger_entries
          left join lateral (
            select liquidation_id as liquidation, liquidation_type as type, principal_minor as principal,
              remaining_minor as remaining, assessed_by, business_date as day,
              coalesce(earlier_principal_minor || ' ' || earlier_interest_minor || ' ' || earlier_assessed_minor,
                'nothing') as earlier,
              concat_ws(' ', coalesce(earlier_principal_minor, 0) + principal_minor,
                coalesce(earlier_interest_minor, 0) + interest_minor,
                coalesce(earlier_assessed_minor, 0) + penal_minor) as sums
            from liquidations
            where liquidations.book_id = $1
              and liquidations.liquidation_id = ledger_entries.liquidation_id
              and ledger_entries.kind = 'LIQUIDATION'
            limit 1
          ) as broken on true
          where ledger_entries.book_id = $1
            and ledger_entries.deposit_id = deposit.deposit_id
          window parts as (partition by assessed_by order by remaining desc)
        ) as moved
      ) as entry
      cross join lateral ${eventsOf('deposit.deposit_id', [
        'fixed_deposit.created',
        'fixed_deposit.partially_liquidated',
        'fixed_deposit.liquidated',
        'fixed_deposit.matured',
        'fixed_deposit.rolled_over',
      ])} as event
      left join lateral (
        select earlier.deposit_id as predecessor_id
        from deposits earlier
        where earlier.book_id = $1
          and earlier.rolled_over_to = deposit.deposit_id
        limit 1
      ) as predecessor on true
      cross join lateral (
        select coalesce(sum(amount_minor), 0) as held_minor
        from liens
        where liens.book_id = $1
          and liens.deposit_id = deposit.deposit_id
          and liens.status = 'ACTIVE'
      ) as lien
      where deposit.book_id = $1
        and deposit.deposit_id > $2
        and deposit.deposit_id <= $3`,
    claims: [
      {
        claim: 'the remaining principal of a deposit is the sum of its lines',
        differs: 'remaining_minor <> lines_sum',
        found: 'remaining_minor::text',
        expected: 'lines_sum::text',
      },
      {
        claim: 'what is held of a deposit is the sum of its active liens',
        differs: 'lien_minor <> held_minor',
        found: 'lien_minor::text',
        expected: 'held_minor::text',
      },
      {
        claim: 'a deposit has the owner and the currency of its account',
        differs: 'owner is distinct from account_owner',
        found: 'owner',
        expected: `coalesce(account_owner, 'an account')`,
      },
      {
        claim: 'a deposit ended as its liquidations and its maturity entries say',
        differs: `fulls <> case when status = 'LIQUIDATED' then 1 else 0 end
          or maturities <> case when status in ('MATURED', 'ROLLED_OVER') then 1 else 0 end`,
        found: 'status',
        expected: `fulls || ' FULL liquidations, ' || maturities || ' maturity entries'`,
      },
      {
        claim: 'each liquidation of a deposit left what the one before it left, less its own principal',
        differs: 'broken_chain is not null',
        found: 'broken_chain[1]',
        expected: 'broken_chain[2]',
      },
      {
        // Liquidations of 0.1.0 were assessed alone, and are not among these.
        claim: 'a liquidation was assessed with what was broken before it on its day',
        differs: 'broken_day is not null',
        found: 'broken_day[1]',
        expected: 'broken_day[2]',
      },
      {
        claim: 'a deposit carries the sums of the last day on which something of it was broken',
        differs: `${CARRIED_SUMS} <> coalesce(last_day, '')`,
        found: CARRIED_SUMS,
        expected: 'last_day',
      },
      {
        claim: 'a deposit has one event for each of its changes',
        differs: `told <> ${CHANGES_OF_DEPOSIT}`,
        found: 'told',
        expected: CHANGES_OF_DEPOSIT,
      },
    ],
    rows: {
      where: 'true',
      orderBy: 'deposit_id',
      columns: `${depositColumns}, predecessor_id, liquidated_minor, opening_postings, maturity_postings`,
    },
  },

  events: {
    id: 'event_id',
    key: 'ordinal',
    start: -1n,
    pageKeys: 2_000,
    facts: `
      select event.event_id, event.type as event_type, event.subject_id, event.occurred_at, event.data, liquidation.*,
        case split_part(event.type, '.', 1)
          when 'customer' then (
            select true from customers
            where customers.book_id = $1 and customers.customer_id = event.subject_id)
          when 'account' then (
            select true from accounts
            where accounts.book_id = $1 and accounts.account_number = event.subject_id)
          when 'fixed_deposit' then (
            select true from deposits
            where deposits.book_id = $1 and deposits.deposit_id = event.subject_id)
          when 'liquidation_rules' then (
            select true from rule_sets
            where rule_sets.book_id = $1 and rule_sets.version::text = event.subject_id)
          else true
        end as has_subject
      from events event
      left join lateral (
        select ${liquidationColumns}
        from liquidations
        where liquidations.book_id = $1
          and liquidations.liquidation_id = case when ${tellsOfLiquidation('event')} then event.data::json ->> 'liquidation_id' end
        limit 1
      ) as liquidation on true
      where event.book_id = $1
        and event.ordinal > $2
        and event.ordinal <= $3`,
    claims: [
      {
        claim: 'an event is about a record that exists',
        differs: 'has_subject is null',
        found: `event_type || ' ' || subject_id`,
        expected: `'a record'`,
      },
      {
        claim: LIQUIDATION_EVENT,
        differs: 'subject_id <> deposit_id or occurred_at <> liquidated_at',
        found: `subject_id || ' ' || occurred_at`,
        expected: `deposit_id || ' ' || liquidated_at`,
        ids: ['liquidation_id', 'deposit_id'],
      },
    ],
    rows: {
      where: 'liquidation_id is not null',
      orderBy: 'liquidation_id',
      columns: `${liquidationColumns}, event_type, data`,
    },
  },
}

export type SubjectName = 'ledger_entries' | 'accounts' | 'customers' | 'deposits' | 'events'

/** The lines of an entry. */
function linesOf(entry: string): string {
  return `unnest(${entry}.accounts, ${entry}.amounts_minor) as line(account, amount)`
}

/** What an entry gave to an account or a deposit. */
function sumOfLines(account: string): string {
  return `(select sum(line.amount) from ${linesOf('ledger_entries')} where line.account = ${account})`
}

/** The lines of an entry as one text, '{account,…}{amount,…}'. */
function postings(entry: string): string {
  return `${entry}.accounts::text || ${entry}.amounts_minor::text`
}

/**
 * How many events of each type tell of a subject, as '1 0 2'. Types are counted, not searched for: without statistics the
 * planner took the index of types, and read all events of a type for each subject.
 */
function eventsOf(subject: string, types: readonly string[]): string {
  const counts = types.map((type) => `count(*) filter (where events.type = '${type}')`)
  return `(
        select concat_ws(' ', ${counts.join(', ')}) as told
        from events
        where events.book_id = $1
          and events.subject_id = ${subject}
      )`
}

function tellsOfLiquidation(event: string): string {
  return `${event}.type in ('fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated')`
}

function columnsOf(table: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${table}.$&`)
}

/** The end of the next range after $2, and its keys: as many as $3, and those equal to the last one. */
function rangeStatement(table: string, { key }: Subject): string {
  return `
    select max(key) as up_to, count(*) as keys
    from (
      select ${key} as key
      from ${table}
      where book_id = $1
        and ${key} > $2
      order by ${key}
      fetch first ($3) rows with ties
    ) as page`
}

/** `offset 0` keeps the planner from computing an expression again wherever it is named. */
function pageStatement({ id, facts, claims, rows }: Subject): string {
  const choose = (value: (claim: Claim) => string) =>
    `case failed ${claims.map((claim, index) => `when ${index} then ${value(claim)}`).join(' ')} end`
  const ids = [id, ...claims.flatMap((claim) => claim.ids ?? [])]
  const computed = rows?.columns.split(/,\s*/) ?? []
  return `
    select ${[...new Set([...ids, ...computed])].join(', ')}, failed,
      ${choose(({ found }) => found)} as found,
      ${choose(({ expected }) => expected)} as expected
    from (
      select fact.*, case ${claims.map(({ differs }, index) => `when ${differs} then ${index}`).join(' ')} end as failed
      from (${facts}
        offset 0
      ) as fact
      offset 0
    ) as examined
    where failed is not null${rows === undefined ? '' : ` or ${rows.where}`}
    order by failed, ${rows === undefined ? '' : `case when failed is null then ${rows.orderBy} end, `}${id}`
}

const namedSubjects = Object.entries(subjects) as [SubjectName, Subject][]
const rangeStatements = mapSubjects(rangeStatement)
const pageStatements = mapSubjects((_, subject) => pageStatement(subject))

function mapSubjects(statement: (table: string, subject: Subject) => string): Record<SubjectName, string> {
  return Object.fromEntries(
    namedSubjects.map(([name, subject]) => [name, statement(name, subject)]),
  ) as Record<SubjectName, string>
}

export const statements = {
  ...Object.fromEntries(namedSubjects.map(([name]) => [`${name} range`, rangeStatements[name]])),
  ...Object.fromEntries(namedSubjects.map(([name]) => [`${name} page`, pageStatements[name]])),

  // Versions are few: a book has as many as its rules were changed.
  findRuleDifference: `
    select version::text, told as found, expected
    from (
      select version, told, case when version = 1 then '0' else '1' end as expected,
        row_number() over (order by version) as position
      from rule_sets
      cross join lateral ${eventsOf('version::text', ['liquidation_rules.updated'])} as event
      where book_id = $1
    ) as rule_set
    where told <> expected
       or version <> position
    order by position
    limit 1`,

  // All liquidations of the book at once: entries and events name them in an order of their own. Grouping a union has no
  // join that could go wrong, and what does not fit into the database's working memory goes to its disk.
  findUnmatchedLiquidation: `
    select unmatched.*, (
        select true from deposits
        where deposits.book_id = $1 and deposits.deposit_id = unmatched.deposit_id) as has_deposit
    from (
      select liquidation_id, min(deposit_id) as deposit_id, sum(posted) as posted, sum(told) as told
      from (
        select liquidation_id, deposit_id, 0 as posted, 0 as told
        from liquidations
        where book_id = $1
        union all
        select liquidation_id, null, 1, 0
        from ledger_entries
        where book_id = $1
          and kind = 'LIQUIDATION'
        union all
        select data::json ->> 'liquidation_id', null, 0, 1
        from events
        where book_id = $1
          and ${tellsOfLiquidation('events')}
      ) as named
      group by liquidation_id
      having count(deposit_id) > 0
         and (sum(posted) <> 1 or sum(told) <> 1)
      order by liquidation_id
      limit 1
    ) as unmatched`,

  findDeposits: `
    select ${depositColumns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])`,
}

/** A record for which a claim does not hold. */
export type Failed = { claim: string; ids: Record<string, string>; found: string; expected: string }

/** The keys after one and up to another, in the order of the database. */
export type Range = { after: Key; upTo: Key; keys: number }
type Key = string | bigint

/** null: there is nothing after it. */
export async function findRange(
  db: Queries,
  bookId: string,
  name: SubjectName,
  asked: { after: Key; limit: number },
): Promise<Range | null> {
  const parameters = [bookId, asked.after, asked.limit]
  const [row] = await db.query<{ up_to: Key | null; keys: bigint }>(rangeStatements[name], parameters)
  if (row === undefined || row.up_to === null) return null
  return { after: asked.after, upTo: row.up_to, keys: Number(row.keys) }
}

/** The first failure, if there is one; otherwise what is to be computed again. */
export async function readRange<Name extends SubjectName>(
  db: Queries,
  bookId: string,
  name: Name,
  range: Range,
): Promise<Failed | Items[Name][]> {
  type Row = { failed: number | null; found: string; expected: string } & Record<string, string>
  const { id, claims } = subjects[name]
  const rows = await db.query<Row>(pageStatements[name], [bookId, range.after, range.upTo])
  const [first] = rows
  if (first === undefined || first.failed === null) {
    const itemOf: ItemOf<Name> = itemsOf[name]
    return rows.map((row) => itemOf(row as never))
  }
  const { claim, ids = [id] } = claims[first.failed]!
  const { found, expected } = first
  return { claim, ids: Object.fromEntries(ids.map((name) => [name, first[name]!])), found, expected }
}

export async function findRuleDifference(db: Queries, bookId: string): Promise<Failed | null> {
  type Row = { version: string; found: string; expected: string }
  const [row] = await db.query<Row>(statements.findRuleDifference, [bookId])
  if (row === undefined) return null
  const { version, found, expected } = row
  return { claim: RULE_VERSIONS, ids: { version }, found, expected }
}

export async function findUnmatchedLiquidation(db: Queries, bookId: string): Promise<Failed | null> {
  type Row = {
    liquidation_id: string
    deposit_id: string
    posted: bigint
    told: bigint
    has_deposit: true | null
  }
  const [row] = await db.query<Row>(statements.findUnmatchedLiquidation, [bookId])
  if (row === undefined) return null
  const { liquidation_id, deposit_id, posted, told } = row
  if (row.has_deposit === null) {
    const found = { found: deposit_id, expected: 'a deposit' }
    return { claim: LIQUIDATION_DEPOSIT, ids: { liquidation_id }, ...found }
  }
  const ids = { liquidation_id, deposit_id }
  if (posted !== 1n) {
    return { claim: LIQUIDATION_ENTRY, ids, found: `${posted} entries`, expected: '1 entry' }
  }
  return { claim: LIQUIDATION_EVENT, ids, found: `${told} events`, expected: '1 event' }
}

export type PostedLiquidation = {
  liquidation: KeptLiquidation
  deposit: Pick<
    Deposit,
    'accountNumber' | 'currency' | 'annualRatePpm' | 'startDate' | 'maturityDate' | 'rulesVersion'
  >
  postings: string
}

type PostedLiquidationRow = LiquidationRow & {
  deposit_account: string
  deposit_currency: string
  annual_rate_ppm: number
  start_date: string
  maturity_date: string
  rules_version: number
  postings: string
}

function postedLiquidationOf(row: PostedLiquidationRow): PostedLiquidation {
  return {
    liquidation: liquidationOf(row),
    deposit: {
      accountNumber: row.deposit_account,
      currency: row.deposit_currency,
      annualRatePpm: row.annual_rate_ppm,
      startDate: isoDate(row.start_date),
      maturityDate: isoDate(row.maturity_date),
      rulesVersion: row.rules_version,
    },
    postings: row.postings,
  }
}

export type PostedDeposit = {
  deposit: Deposit
  predecessorId: string | null
  /** The principal that its liquidations took. */
  liquidated: bigint
  openingPostings: string
  maturityPostings: string
}

type PostedDepositRow = DepositRow & {
  predecessor_id: string | null
  liquidated_minor: bigint
  opening_postings: string | null
  maturity_postings: string | null
}

function postedDepositOf(row: PostedDepositRow): PostedDeposit {
  return {
    deposit: depositOf(row),
    predecessorId: row.predecessor_id,
    liquidated: row.liquidated_minor,
    openingPostings: row.opening_postings ?? '',
    maturityPostings: row.maturity_postings ?? '',
  }
}

export type ToldLiquidation = { liquidation: KeptLiquidation; eventType: string; data: string }

function toldLiquidationOf(row: LiquidationRow & { event_type: string; data: string }): ToldLiquidation {
  return { liquidation: liquidationOf(row), eventType: row.event_type, data: row.data }
}

/** What the service computes again of each subject. */
export type Items = {
  ledger_entries: PostedLiquidation
  accounts: never
  customers: never
  deposits: PostedDeposit
  events: ToldLiquidation
}
type ItemOf<Name extends SubjectName> = (row: never) => Items[Name]

const itemsOf: { [Name in SubjectName]: ItemOf<Name> } = {
  ledger_entries: postedLiquidationOf,
  accounts: (row) => row,
  customers: (row) => row,
  deposits: postedDepositOf,
  events: toldLiquidationOf,
}

/** Their terms never change, so it does not matter when they are read. */
export async function findDeposits(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Deposit>> {
  if (depositIds.length === 0) return new Map()
  const rows = await db.query<DepositRow>(statements.findDeposits, [bookId, depositIds])
  return new Map(rows.map((row) => [row.deposit_id, depositOf(row)]))
}
