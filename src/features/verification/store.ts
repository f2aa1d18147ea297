/**
 * What verification reads: for each subject one statement that looks at a range of its keys, and returns the rows for
 * which a claim does not hold and those from which the service computes figures again (verify.ts).
 *
 * - A statement compares both sides in one snapshot, so a change that is committed meanwhile is seen whole or not at all.
 *   Its rows are fetched in batches, so memory is bounded even if a deposit has a million liquidations.
 * - It reads each row it needs once. Related rows come in two ways that leave the planner no bad choice, with and without
 *   statistics: by a lateral subquery with an aggregate or a limit, which is one index lookup per row; or by a full join
 *   of two ranges, which is a hash or a merge join. (`exists` may become a hash of a whole table for each range, and an
 *   inner or left join of two ranges a loop over both; `is true` keeps a condition from being looked up in an index that
 *   reads all events of a type for each range.) So the cost grows with the number of rows, whatever their spread.
 *
 * To add a claim over what the facts of a subject hold, add one entry to its `claims`. If it needs more, add a column to
 * `facts`. If it needs the service's arithmetic, name the columns in `rows` and add one entry to the tables of verify.ts.
 */
import { type IsoDate, isoDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import type { ImportedHistory } from '../../domain/import.ts'
import { BANK_ACCOUNTS } from '../../domain/ledger.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { STANDARD_CLASS } from '../../domain/tax.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import { amount, calendarDate, calendarDateOrNull, rowMap } from '../../engine/database/row-map.ts'
import { byId, depositMap } from '../deposits/store.ts'
import {
  type KeptLiquidation,
  type LiquidationRow,
  liquidationColumns,
  liquidationOf,
} from '../liquidation/store.ts'

/** SQL over the facts of a subject: when a row differs from the claim, the actual value, and the expected one. */
type Claim = {
  claim: string
  /** The columns that name the record. */
  ids: readonly string[]
  differs: string
  found: string
  expected: string
}

/** The condition that a column lies in the range. */
type Within = (column: string) => string

type Subject = {
  /** The column whose ranges are scanned. */
  key: string
  /** Keys of one range. */
  pageKeys: number
  /** $1 is the book. */
  facts: (within: Within) => string
  /** Of a row the first claim that fails is reported. */
  claims: readonly Claim[]
  /** Which rows the service computes again, and which columns it needs. */
  rows?: { where: string; columns: readonly string[] }
}

export type SubjectName = 'ledger_entries' | 'accounts' | 'customers' | 'deposits' | 'events'

export const RULE_VERSIONS =
  'versions of rules are numbered without a gap, with one event for each after the first'
export const LIQUIDATION_DEPOSIT = 'a liquidation is of a deposit that exists'
const LIQUIDATION_ACCOUNT = 'a liquidation credits the account of its deposit'
export const LIQUIDATION_ENTRY = 'a liquidation has one entry, with the figures it paid'
export const LIQUIDATION_ADJUSTMENTS = 'a liquidation has one entry for each kind of its adjustments'
export const LIQUIDATION_EVENT = 'a liquidation has one event with what it paid'
export const REVERSAL_ENTRY = 'a reversal is the exact opposite of an entry of a reversed liquidation'
export const REVERSAL_WHOLE = 'a reversed liquidation has one reversal of each of its entries, and one event'
export const APPROVAL_STATE =
  'an approval has the votes and the events that its state needs, none of its maker'
export const APPROVAL_RESULT = 'an approved liquidation or reversal was carried out as its result says'
const EVENT_SUBJECT = 'an event is about a record that exists'
const ENTRY_NAMES = 'an entry names what its kind is about, and what it names exists'

const ADJUSTMENT_ENTRIES = `'WITHHOLDING_TAX', 'INTEREST_RECOVERY', 'TAX_RETURN'`

const OWN_ACCOUNTS = BANK_ACCOUNTS.map((name) => `'${name}'`)

/** The account of a line may be its entry's account or deposit, or an account of the bank itself. */
const NAMED_ACCOUNTS = `array[account_number, deposit_id, ${OWN_ACCOUNTS.join(', ')}]`

/** A deposit and its liquidations have columns of the same names, so those of a liquidation have a prefix. */
const PART = 'part_'
const liquidationNames = liquidationColumns.split(', ')
/** Claimed to be those of the deposit, and not read again. */
const OF_DEPOSIT = ['deposit_id', 'account_number', 'currency']
const ownColumns = liquidationNames
  .filter((name) => !OF_DEPOSIT.includes(name))
  .map((name) => [name, `${PART}${name}`] as const)
/** Copied for each row, which is faster than adding the columns one by one. */
const blankLiquidation = Object.fromEntries(liquidationNames.map((name) => [name, null]))

/** What a part took of the interest that had been paid. */
const takenMap = rowMap<{
  principal: Minor
  remaining: Minor
  paidShare: Minor
  taxShare: Minor
  businessDate: IsoDate
  paidTo: IsoDate | null
}>({
  principal: amount('principal_minor'),
  remaining: amount('remaining_minor'),
  paidShare: amount('paid_share_minor'),
  taxShare: amount('tax_share_minor'),
  businessDate: calendarDate('business_date'),
  paidTo: calendarDateOrNull('paid_to'),
})

/** What most deposits need: reading the rest for each took a tenth of the time. */
const termsMap = depositMap.pick(
  'depositId',
  'accountNumber',
  'currency',
  'status',
  'principal',
  'expectedInterest',
  'annualRatePpm',
  'startDate',
  'maturityDate',
  'agreedTenor',
  'method',
  'every',
  'recoverPaidInterest',
  'productCode',
  'productVersion',
  'rollovers',
  'rateSheet',
  'bonusPpm',
  'bonusCodes',
  'calendarVersion',
  'paid',
  'paidTax',
  'paidTo',
  'rulesVersion',
  'rolledOverTo',
)

const depositEvents = [
  'fixed_deposit.created',
  'fixed_deposit.partially_liquidated',
  'fixed_deposit.liquidated',
  'fixed_deposit.liquidation_reversed',
  'fixed_deposit.matured',
  'fixed_deposit.rolled_over',
  'fixed_deposit.interest_paid',
  'fixed_deposit.imported',
]
/** Without it, the first range would read the events of all customers and accounts, which sort before. */
const DEPOSIT_PREFIX = 'fd_'
const RECORDED_OF_DEPOSIT = `coalesce(recorded, '0 0 0 0 0 0 0 0')`
/** A successor is opened by the event of its predecessor. */
const CHANGES_OF_DEPOSIT = `concat_ws(' ',
          case when predecessor_id is null and imported_minor is null then 1 else 0 end,
          coalesce(partials, 0),
          coalesce(fulls, 0),
          coalesce(reversals, 0),
          case when status = 'MATURED' then 1 else 0 end,
          case when status = 'ROLLED_OVER' then 1 else 0 end,
          coalesce(payments, 0),
          case when imported_minor is null then 0 else 1 end)`

const CARRIED_SUMS = `array[broken_principal_minor, broken_interest_minor, broken_assessed_minor,
            broken_penal_minor, broken_tax_minor, coalesce(broken_paid_minor, 0), coalesce(broken_taxed_minor, 0),
            coalesce(broken_unearned_minor, 0), coalesce(broken_taken_minor, 0), coalesce(broken_returned_minor, 0)]`

export const subjects: Record<SubjectName, Subject> = {
  ledger_entries: {
    key: 'entry_id',
    pageKeys: 20_000,
    facts: (within) => `
      select entry_id, kind, account_number, deposit_id, liquidation_id, reverses, accounts, ${sumOfLines()} as lines_sum
      from ledger_entries
      where book_id = $1
        and ${within('entry_id')}`,
    claims: [
      {
        claim: 'the lines of an entry are two or more and sum to zero',
        ids: ['entry_id'],
        differs: 'cardinality(accounts) < 2 or lines_sum <> 0',
        found: `cardinality(accounts) || ' lines, sum ' || lines_sum`,
        expected: `'sum 0'`,
      },
      {
        // Without this a line could be missing from the sums of accounts and deposits, which find lines by what entries
        // name.
        claim: 'a line is of the account or the deposit its entry names, or of the bank itself',
        ids: ['entry_id'],
        differs: `not accounts <@ ${NAMED_ACCOUNTS}`,
        found: `(
          select min(account) from unnest(accounts) as account
          where account <> all (array_remove(${NAMED_ACCOUNTS}, null)))`,
        expected: `concat_ws(' or ', account_number, deposit_id)`,
      },
      {
        // The existence of what is named is claimed by the subjects of accounts and deposits.
        claim: ENTRY_NAMES,
        ids: ['entry_id'],
        differs: `not case kind
            when 'ACCOUNT_CREDIT' then account_number is not null and deposit_id is null and liquidation_id is null
            when 'IMPORT' then account_number is not null and liquidation_id is null
            when 'ACCRUAL' then account_number is null and deposit_id is null and liquidation_id is null
            when 'LIQUIDATION' then account_number is not null and deposit_id is not null
            when 'REVERSAL' then account_number is not null and deposit_id is not null and liquidation_id is not null
            when 'WITHHOLDING_TAX' then deposit_id is not null
            when 'INTEREST_RECOVERY' then account_number is not null and deposit_id is not null and liquidation_id is not null
            when 'TAX_RETURN' then account_number is not null and deposit_id is not null and liquidation_id is not null
            else deposit_id is not null and liquidation_id is null
          end or (kind = 'REVERSAL') <> (reverses is not null)`,
        found: `concat_ws(' ', kind, account_number, deposit_id, liquidation_id)`,
        expected: `'records that exist'`,
      },
    ],
  },

  accounts: {
    key: 'account_number',
    pageKeys: 5_000,
    facts: (within) => `
      select account.*, entry.*
      from (
        select account_number, balance_minor, concat_ws(' ', accounts.tax_class, accounts.tax_valid_until) as tax_status,
          owner.*, event.*
        from accounts
        left join lateral (
          select concat_ws(' ', customers.tax_class, customers.tax_valid_until) as owner_tax_status
          from customers
          where customers.book_id = $1
            and customers.customer_id = accounts.customer_id
          limit 1
        ) as owner on true
        cross join lateral ${eventsOf('accounts.account_number', ['account.created', 'account.credited', 'account.imported'])} as event
        where book_id = $1
          and ${within('account_number')}
      ) as account
      full join (
        select account_number as entry_account, min(entry_id) as entry_id,
          sum(${sumOfLines('account_number')}) as lines_sum, count(*) filter (where kind = 'ACCOUNT_CREDIT') as credits,
          count(*) filter (where kind = 'IMPORT' and deposit_id is null) as imports
        from ledger_entries
        where book_id = $1
          and ${within('account_number')}
        group by account_number
      ) as entry on entry.entry_account = account.account_number`,
    claims: [
      {
        claim: ENTRY_NAMES,
        ids: ['entry_id'],
        differs: 'account_number is null',
        found: 'entry_account',
        expected: `'records that exist'`,
      },
      {
        claim: 'the balance of an account is the sum of its lines',
        ids: ['account_number'],
        differs: 'balance_minor <> coalesce(lines_sum, 0)',
        found: 'balance_minor::text',
        expected: 'coalesce(lines_sum, 0)::text',
      },
      {
        claim: 'an account has the tax status of its customer',
        ids: ['account_number'],
        differs: 'tax_status <> owner_tax_status',
        found: 'tax_status',
        expected: 'owner_tax_status',
      },
      {
        // One that was taken over empty has no entry, but its event.
        claim: 'an account has one event for its opening and one for each credit',
        ids: ['account_number'],
        differs: `recorded <> all (array[
          case when coalesce(imports, 0) = 0 then concat_ws(' ', 1, coalesce(credits, 0), 0) else '' end,
          concat_ws(' ', 0, coalesce(credits, 0), 1)])`,
        found: 'recorded',
        expected: `concat_ws(' ', 1, coalesce(credits, 0), coalesce(imports, 0))`,
      },
    ],
  },

  customers: {
    key: 'customer_id',
    pageKeys: 20_000,
    facts: (within) => `
      select customer_id, event.*
      from customers
      cross join lateral ${eventsOf('customers.customer_id', ['customer.created'])} as event
      where book_id = $1
        and ${within('customer_id')}`,
    claims: [
      {
        claim: 'a customer has one event for its creation',
        ids: ['customer_id'],
        differs: `recorded <> '1'`,
        found: 'recorded',
        expected: `'1'`,
      },
    ],
  },

  // A row is a deposit and one of its entries, with the liquidation that the entry is of and its event.
  // The liquidations of a deposit are in the order of what they left, because the clocks of two instances may disagree
  // about which was first. What is summed up, is complete in the last row of a deposit. part_left is null of a liquidation
  // that was reversed: it took nothing, and stands before all others.
  deposits: {
    key: 'deposit_id',
    pageKeys: 5_000,
    facts: (within) => `
      select deposit.*, change.*, lien.*, entry.*, event.*,
        deposit_id is not null and is_followed is not true as is_last
      from (
        select ${columnsOf('deposits', depositMap.columns)}, account.*, predecessor.*, payment.*, history.*
        from deposits
        left join lateral (
          select accounts.customer_id || ' ' || accounts.currency as account_owner
          from accounts
          where accounts.book_id = $1
            and accounts.account_number = deposits.account_number
          limit 1
        ) as account on true
        left join lateral (
          select earlier.deposit_id as predecessor_id
          from deposits earlier
          where earlier.book_id = $1
            and earlier.rolled_over_to = deposits.deposit_id
          limit 1
        ) as predecessor on true
        left join lateral (
          select count(*) as payments
          from interest_payments
          where interest_payments.book_id = $1
            and interest_payments.deposit_id = deposits.deposit_id
            and deposits.method in ('PAYOUT', 'UPFRONT')
        ) as payment on true
        left join lateral (
          select deposit_imports.remaining_minor as imported_minor, deposit_imports.paid_minor as imported_paid_minor,
            deposit_imports.tax_minor as imported_tax_minor, deposit_imports.paid_to as imported_paid_to
          from deposit_imports
          where deposit_imports.book_id = $1
            and deposit_imports.deposit_id = deposits.deposit_id
          limit 1
        ) as history on true
        where deposits.book_id = $1
          and ${within('deposits.deposit_id')}
      ) as deposit
      full join (
        select subject_id as told_deposit, min(event_id) as event_id, min(type) as change_type,
          ${countEvents(depositEvents)} as recorded
        from events
        where book_id = $1
          and ${within('subject_id')}
          and subject_id >= '${DEPOSIT_PREFIX}'
          and (type like 'fixed_deposit.%') is true
        group by subject_id
      ) as change on change.told_deposit = deposit.deposit_id
      full join (
        select deposit_id as held_deposit, sum(amount_minor) as held_minor
        from liens
        where book_id = $1
          and ${within('deposit_id')}
          and status = 'ACTIVE'
        group by deposit_id
      ) as lien on lien.held_deposit = deposit.deposit_id
      full join (
        select moved.*,
          lead(true) over in_turn as is_followed,
          sum(line_minor) over in_turn as lines_sum,
          coalesce(sum(part_principal_minor) filter (where part_left is not null) over in_turn, 0)::bigint as taken_minor,
          count(*) filter (where part_liquidation_type = 'FULL') over in_turn as fulls,
          count(*) filter (where part_left = 0) over in_turn as standing_fulls,
          count(part_reversed_at) over in_turn as reversals,
          count(*) filter (where part_liquidation_type = 'PARTIAL') over in_turn as partials,
          count(*) filter (where kind = 'MATURITY') over in_turn as maturities,
          count(*) filter (where part_assessed_by = 'DAY' and part_left is not null) over in_turn as day_parts,
          part_assessed_by = 'DAY' and part_left is not null and lead(true) over in_day is null as is_last_of_days,
          case when part_business_date = lag(part_business_date) over in_day then lag(part_sums) over in_day
            end as sums_before,
          case when part_tax_version is not null and sum(part_tax_minor) over alike is not null then
            array[sum(part_interest_minor) over alike, sum(part_penal_minor) over alike,
              sum(part_tax_minor) over alike]::bigint[] end as taxed_before,
          string_agg(postings, '') filter (where kind in ('DEPOSIT_OPENING', 'IMPORT')) over in_turn as opening_postings,
          string_agg(postings, '') filter (where kind = 'MATURITY') over in_turn as maturity_postings,
          string_agg(postings, '') filter (where kind = 'WITHHOLDING_TAX' and entry_liquidation is null)
            over in_turn as own_tax_postings,
          string_agg(postings, '') filter (where kind = 'INTEREST_PAYOUT') over in_turn as payout_postings,
          string_agg(postings, '') filter (where kind in (${ADJUSTMENT_ENTRIES})) over in_liquidation
            as adjustment_postings,
          coalesce(sum(part_paid_share_minor) filter (where part_left is not null) over in_turn, 0)::bigint
            as paid_shares_minor,
          coalesce(sum(part_tax_share_minor) filter (where part_left is not null) over in_turn, 0)::bigint
            as tax_shares_minor,
          count(*) filter (where kind = 'LIQUIDATION') over in_liquidation as entries_of_liquidation
        from (
          select entry_id, kind, deposit_id as entry_deposit, liquidation_id as entry_liquidation,
            ${sumOfLines('deposit_id')} as line_minor, accounts::text || amounts_minor::text as postings, part.*
          from ledger_entries
          left join lateral (
            select ${liquidationNames.map((column) => `liquidations.${column} as ${PART}${column}`).join(', ')},
              case when reversed_at is null then remaining_minor end as part_left,
              case when earlier_principal_minor is not null then
                array[earlier_principal_minor, earlier_interest_minor, earlier_assessed_minor,
                  earlier_penal_minor, earlier_tax_minor, coalesce(earlier_paid_minor, 0),
                  coalesce(earlier_taxed_minor, 0), coalesce(earlier_unearned_minor, 0),
                  coalesce(earlier_taken_minor, 0), coalesce(earlier_returned_minor, 0)] end as part_earlier,
              array[
                coalesce(earlier_principal_minor, 0) + principal_minor,
                coalesce(earlier_interest_minor, 0) + interest_minor,
                coalesce(earlier_assessed_minor, 0) + assessed_minor,
                coalesce(earlier_penal_minor, 0) + penal_minor,
                coalesce(earlier_tax_minor, 0) + tax_minor,
                coalesce(earlier_paid_minor, 0) + paid_share_minor,
                coalesce(earlier_taxed_minor, 0) + tax_share_minor,
                coalesce(earlier_unearned_minor, 0) + unearned_minor,
                coalesce(earlier_taken_minor, 0) + recovered_minor,
                coalesce(earlier_returned_minor, 0) + tax_returned_minor] as part_sums,
              case when earlier_taxed_tax_minor is not null then
                array[earlier_taxed_interest_minor, earlier_taxed_penal_minor, earlier_taxed_tax_minor]
                end as part_taxed_before
            from liquidations
            where liquidations.book_id = $1
              and liquidations.liquidation_id = ledger_entries.liquidation_id
              and ledger_entries.kind = 'LIQUIDATION'
            limit 1
          ) as part on true
          where ledger_entries.book_id = $1
            and ${within('ledger_entries.deposit_id')}
        ) as moved
        window in_turn as (partition by entry_deposit order by part_left desc nulls first),
          in_day as (partition by entry_deposit, part_assessed_by, part_left is null order by part_left desc nulls first),
          alike as (
            partition by entry_deposit, part_left is null, part_business_date, part_tax_version,
              coalesce(part_tax_class, '${STANDARD_CLASS}')
            order by part_left desc nulls first
            rows between unbounded preceding and 1 preceding),
          in_liquidation as (partition by entry_deposit, entry_liquidation)
      ) as entry on entry.entry_deposit = deposit.deposit_id
      full join (
        select subject_id, occurred_at, type as event_type, data,
          coalesce(
            nullif(split_part(split_part(data, '"liquidation_id":"', 2), '"', 1), ''),
            data::json ->> 'liquidation_id') as told_liquidation
        from events
        where book_id = $1
          and ${within('subject_id')}
          and subject_id >= '${DEPOSIT_PREFIX}'
          and (type in ('fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated')) is true
      ) as event
        on event.told_liquidation = entry.part_liquidation_id
        and event.subject_id = entry.part_deposit_id
        and event.occurred_at = entry.part_liquidated_at`,
    claims: [
      {
        claim: ENTRY_NAMES,
        ids: ['entry_id'],
        differs: `entry_id is not null and deposit_id is null
          or kind = 'LIQUIDATION' and part_deposit_id is distinct from deposit_id
          or kind in (${ADJUSTMENT_ENTRIES}) and entry_liquidation is not null and entries_of_liquidation = 0`,
        found: `concat_ws(' ', kind, entry_deposit, entry_liquidation)`,
        expected: `'records that exist'`,
      },
      {
        claim: 'the remaining principal of a deposit is the sum of its lines',
        ids: ['deposit_id'],
        differs: 'is_last and remaining_minor <> coalesce(lines_sum, 0)',
        found: 'remaining_minor::text',
        expected: 'coalesce(lines_sum, 0)::text',
      },
      {
        claim: 'what is held of a deposit is the sum of its active liens',
        ids: ['deposit_id'],
        differs: 'lien_minor <> coalesce(held_minor, 0)',
        found: 'lien_minor::text',
        expected: 'coalesce(held_minor, 0)::text',
      },
      {
        claim: 'a deposit has the owner and the currency of its account',
        ids: ['deposit_id'],
        differs: `deposit_id is not null and customer_id || ' ' || currency is distinct from account_owner`,
        found: `customer_id || ' ' || currency`,
        expected: `coalesce(account_owner, 'an account')`,
      },
      {
        claim: 'a deposit ended as its liquidations and its maturity entries say',
        ids: ['deposit_id'],
        differs: `is_last and (
          coalesce(standing_fulls, 0) <> case when status = 'LIQUIDATED' then 1 else 0 end
          or coalesce(maturities, 0) <> case when status in ('MATURED', 'ROLLED_OVER') then 1 else 0 end)`,
        found: 'status',
        expected: `standing_fulls || ' FULL liquidations, ' || maturities || ' maturity entries'`,
      },
      {
        claim: 'each liquidation of a deposit left what the one before it left, less its own principal',
        ids: ['deposit_id'],
        differs: 'part_left <> coalesce(imported_minor, principal_minor) - taken_minor',
        found: `part_liquidation_id || ' left ' || part_remaining_minor`,
        expected: '(coalesce(imported_minor, principal_minor) - taken_minor)::text',
      },
      {
        // Liquidations of 0.1.0 were assessed alone, and are not among these.
        claim: 'a liquidation was assessed with what was broken before it on its day',
        ids: ['deposit_id'],
        differs: `part_assessed_by = 'DAY' and part_left is not null and part_earlier is distinct from sums_before`,
        found: `part_liquidation_id || ' after ' || coalesce(array_to_string(part_earlier, ' '), 'nothing')`,
        expected: `coalesce(array_to_string(sums_before, ' '), 'nothing')`,
      },
      {
        // Liquidations of 0.2.0 were taxed with all earlier parts of their day; they count where a later part was taxed alike.
        claim: 'a liquidation was taxed with the earlier parts of its day that were taxed alike',
        ids: ['deposit_id'],
        differs: `part_taxed_with = 'ALIKE' and part_left is not null and part_taxed_before is distinct from taxed_before`,
        found: `part_liquidation_id || ' after ' || coalesce(array_to_string(part_taxed_before, ' '), 'nothing')`,
        expected: `coalesce(array_to_string(taxed_before, ' '), 'nothing')`,
      },
      {
        claim: 'a deposit carries the sums of the last day on which something of it was broken',
        ids: ['deposit_id'],
        differs: `is_last_of_days and (broken_on, ${CARRIED_SUMS}) is distinct from (part_business_date, part_sums)
          or is_last and coalesce(day_parts, 0) = 0 and broken_on is not null`,
        found: `concat_ws(' ', broken_on, array_to_string(${CARRIED_SUMS}, ' '))`,
        expected: `case when is_last_of_days then part_business_date || ' ' || array_to_string(part_sums, ' ')
          else 'nothing' end`,
      },
      {
        claim: 'a deposit has one event for each of its changes',
        ids: ['deposit_id'],
        differs: `is_last and ${RECORDED_OF_DEPOSIT} <> ${CHANGES_OF_DEPOSIT}`,
        found: RECORDED_OF_DEPOSIT,
        expected: CHANGES_OF_DEPOSIT,
      },
      {
        claim: LIQUIDATION_ACCOUNT,
        ids: ['part_liquidation_id', 'deposit_id'],
        differs: `part_liquidation_id is not null
          and (part_account_number, part_currency) is distinct from (account_number, currency)`,
        found: `part_account_number || ', ' || part_currency`,
        expected: `account_number || ', ' || currency`,
      },
      {
        claim: EVENT_SUBJECT,
        ids: ['event_id'],
        differs: 'event_id is not null and deposit_id is null',
        found: `change_type || ' ' || told_deposit`,
        expected: `'a record'`,
      },
    ],
    rows: {
      where: 'is_last or part_liquidation_id is not null',
      columns: [
        ...termsMap.columns.split(', '),
        'predecessor_id',
        'imported_minor',
        'imported_paid_minor',
        'imported_tax_minor',
        'imported_paid_to',
        'taken_minor',
        'opening_postings',
        'maturity_postings',
        'own_tax_postings',
        'payout_postings',
        'paid_shares_minor',
        'tax_shares_minor',
        'is_last',
        ...ownColumns.map(([, column]) => column),
        'postings',
        'adjustment_postings',
        'event_type',
        'data',
      ],
    },
  },

  // In the order of their subjects, so that neighbouring rows are on the same pages. Events of deposits are checked
  // with them, by ids that have their prefix.
  events: {
    key: 'subject_id',
    pageKeys: 20_000,
    facts: (within) => `
      select event_id, type, subject_id,
        case split_part(type, '.', 1)
          when 'fixed_deposit' then case when subject_id >= '${DEPOSIT_PREFIX}' then true end
          when 'customer' then (
            select true from customers
            where customers.book_id = $1 and customers.customer_id = events.subject_id)
          when 'account' then (
            select true from accounts
            where accounts.book_id = $1 and accounts.account_number = events.subject_id)
          when 'tax_rules' then (
            select true from documents
            where documents.book_id = $1 and documents.kind = 'TAX_RULES' and documents.version::text = events.subject_id)
          when 'liquidation_rules' then (
            select true from rule_sets
            where rule_sets.book_id = $1 and rule_sets.version::text = events.subject_id)
          else true
        end as has_subject
      from events
      where book_id = $1
        and ${within('subject_id')}`,
    claims: [
      {
        claim: EVENT_SUBJECT,
        ids: ['event_id'],
        differs: 'has_subject is null',
        found: `type || ' ' || subject_id`,
        expected: `'a record'`,
      },
    ],
  },
}

/** The sum of an entry's lines for an account or a deposit, or of all its lines; most entries have four at most. */
function sumOfLines(account?: string): string {
  const few = [1, 2, 3, 4].map((line) => {
    const amount = `coalesce(amounts_minor[${line}], 0)`
    return account === undefined
      ? amount
      : `case when accounts[${line}] = ${account} then ${amount} else 0 end`
  })
  const condition = account === undefined ? '' : ` where line.account = ${account}`
  return `case when cardinality(accounts) <= 4 then ${few.join(' + ')}
          else (select sum(line.amount) from unnest(accounts, amounts_minor) as line(account, amount)${condition}) end`
}

/** The number of events of each type, as '1 0 2'. */
function countEvents(types: readonly string[]): string {
  const counts = types.map((type) => `count(*) filter (where type = '${type}')`)
  return `concat_ws(' ', ${counts.join(', ')})`
}

function eventsOf(subject: string, types: readonly string[]): string {
  return `(
          select ${countEvents(types)} as recorded
          from events
          where events.book_id = $1
            and events.subject_id = ${subject}
        )`
}

function columnsOf(table: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${table}.$&`)
}

/** `offset 0` keeps the planner from computing an expression again wherever it is used. */
function pageStatement({ facts, claims, rows }: Subject, within: Within): string {
  const choose = (value: (claim: Claim) => string) =>
    `case failed ${claims.map((claim, index) => `when ${index} then ${value(claim)}`).join(' ')} end`
  const columns = new Set([...claims.flatMap(({ ids }) => ids), ...(rows?.columns ?? [])])
  return `
    select ${[...columns].join(', ')}, failed,
      ${choose(({ found }) => found)} as found,
      ${choose(({ expected }) => expected)} as expected
    from (
      select fact.*, case ${claims.map(({ differs }, index) => `when ${differs} then ${index}`).join(' ')} end as failed
      from (${facts(within)}
        offset 0
      ) as fact
      offset 0
    ) as examined
    where failed is not null${rows === undefined ? '' : ` or ${rows.where}`}`
}

/** The end of the next range after $2, and its keys: as many as $3, and those equal to the last one. */
function rangeStatement(table: SubjectName, { key }: Subject): string {
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

const subjectNames = Object.keys(subjects) as SubjectName[]
const rangeStatements = statementOf(rangeStatement)
const boundedStatements = statementOf((_, subject) =>
  pageStatement(subject, (column) => `${column} > $2 and ${column} <= $3`),
)
/** The last range has no end, so that it includes references to records after the last one. */
const openStatements = statementOf((_, subject) => pageStatement(subject, (column) => `${column} > $2`))

function statementOf(write: (table: SubjectName, subject: Subject) => string): Record<SubjectName, string> {
  const written = subjectNames.map((name) => [name, write(name, subjects[name])])
  return Object.fromEntries(written)
}

function named(what: string, texts: Record<SubjectName, string>): Record<string, string> {
  return Object.fromEntries(subjectNames.map((name) => [`${what} ${name}`, texts[name]]))
}

export const statements = {
  ...named('range of', rangeStatements),
  ...named('examine', boundedStatements),
  ...named('examine the last', openStatements),

  // A lateral subquery with a limit is one index lookup for each entry, with and without statistics.
  findTakenParts: `
    select deposit_id, part.*
    from ledger_entries
    cross join lateral (
      select ${takenMap.columns}
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = ledger_entries.liquidation_id
        and reversed_at is null
      limit 1
    ) as part
    where ledger_entries.book_id = $1
      and ledger_entries.deposit_id = any($2::text[])
      and ledger_entries.kind = 'LIQUIDATION'
    order by deposit_id, part.remaining_minor desc`,

  // There are few versions: one for each change of the rules.
  findRuleDifference: `
    select version::text, recorded as found, expected
    from (
      select version, recorded, case when version = 1 then '0' else '1' end as expected,
        row_number() over (order by version) as position
      from rule_sets
      cross join lateral ${eventsOf('version::text', ['liquidation_rules.updated'])} as event
      where book_id = $1
    ) as rule_set
    where recorded <> expected
       or version <> position
    order by position
    limit 1`,

  // No index finds the entry of a liquidation. But each entry is of a liquidation of its deposit, and no two entries of a
  // deposit are of the same one, as its claims say: so where there are as many of both, each liquidation has one.
  countLiquidations: `
    select
      (select count(*) from liquidations where book_id = $1) as made,
      (select count(*) from ledger_entries where book_id = $1 and kind = 'LIQUIDATION') as posted`,

  // All liquidations of the book at once. Grouping a union leaves the planner no choice of joins, and what does not fit into
  // the database's working memory goes to its disk.
  findUnpostedLiquidation: `
    select unposted.*, (
        select true from deposits
        where deposits.book_id = $1 and deposits.deposit_id = unposted.deposit_id) as has_deposit
    from (
      select liquidation_id, min(deposit_id) as deposit_id, sum(posted) as posted
      from (
        select liquidation_id, deposit_id, 0 as posted
        from liquidations
        where book_id = $1
        union all
        select liquidation_id, null, 1
        from ledger_entries
        where book_id = $1
          and kind = 'LIQUIDATION'
      ) as named
      group by liquidation_id
      having count(deposit_id) > 0
         and sum(posted) <> 1
      order by liquidation_id
      limit 1
    ) as unposted`,

  // There are few reversals, found by indexes that contain nothing else.
  findWrongReversal: `
    select reversal.entry_id, reversal.liquidation_id,
      reversal.accounts::text || reversal.amounts_minor::text as found,
      coalesce('the opposite of ' || original.accounts::text || original.amounts_minor::text, 'an entry') as expected
    from ledger_entries reversal
    left join lateral (
      select entry_id, kind, account_number, deposit_id, liquidation_id, accounts, amounts_minor
      from ledger_entries entry
      where entry.book_id = $1
        and entry.entry_id = reversal.reverses
      limit 1
    ) as original on true
    left join lateral (
      select reversed_at
      from liquidations
      where liquidations.book_id = $1
        and liquidations.liquidation_id = reversal.liquidation_id
      limit 1
    ) as liquidation on true
    where reversal.book_id = $1
      and reversal.reverses is not null
      and (
        (original.account_number, original.deposit_id, original.liquidation_id, original.accounts)
          is distinct from
          (reversal.account_number, reversal.deposit_id, reversal.liquidation_id, reversal.accounts)
        or original.kind = 'REVERSAL'
        or liquidation.reversed_at is distinct from reversal.created_at
        or exists (
          select from unnest(original.amounts_minor, reversal.amounts_minor) as line(original, reversal)
          where line.reversal is distinct from -line.original))
    order by reversal.entry_id
    limit 1`,

  // As many as people ask for, so all of a book at once.
  findWrongApproval: `
    select approval_id, is_state_right,
      case when is_state_right then result else concat_ws(' ', status, votes, 'votes', own, 'of its maker', reported, 'events') end
        as found,
      case when is_state_right then operation else concat_ws(' ', approvals_needed, 'votes, one event for its state') end
        as expected
    from (
      select approval_id, status, operation, result, approvals_needed, vote.*, event.*,
        own = 0 and asked = 1
        and votes between case when status = 'APPROVED' then approvals_needed else 0 end
          and case when status = 'APPROVED' then approvals_needed else approvals_needed - 1 end
        and reported = case when status = 'PENDING' then 0 else 1 end
        and ended = reported as is_state_right,
        case
          when status <> 'APPROVED' then true
          when operation = 'liquidateFixedDeposit' then exists (
            select from events
            where events.book_id = $1
              and events.subject_id = approvals.target_id
              and events.occurred_at = approvals.decided_at
              and events.data = approvals.result)
          when operation = 'reverseLiquidation' then exists (
            select from liquidations
            where liquidations.book_id = $1
              and liquidations.liquidation_id = approvals.target_id
              and liquidations.reversed_at = approvals.decided_at)
          else true
        end as is_carried_out
      from approvals
      cross join lateral (
        select count(*) as votes, count(*) filter (where voter = approvals.maker) as own
        from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
      ) as vote
      cross join lateral (
        select count(*) filter (where type = 'approval.requested') as asked,
          count(*) filter (where type = 'approval.' || lower(approvals.status)) as reported,
          count(*) filter (where type not in ('approval.requested', 'approval.voted')) as ended
        from events
        where events.book_id = $1
          and events.subject_id = approvals.approval_id
      ) as event
      where approvals.book_id = $1
    ) as approval
    where not (is_state_right and is_carried_out)
    order by is_state_right, approval_id
    limit 1`,

  findPartlyReversed: `
    select liquidation_id, deposit_id, entries, reversals, recorded
    from liquidations
    cross join lateral (
      select count(*) filter (where kind <> 'REVERSAL') as entries, count(*) filter (where kind = 'REVERSAL') as reversals
      from ledger_entries
      where ledger_entries.book_id = $1
        and ledger_entries.deposit_id = liquidations.deposit_id
        and ledger_entries.liquidation_id = liquidations.liquidation_id
    ) as entry
    cross join lateral (
      select count(*) as recorded
      from events
      where events.book_id = $1
        and events.subject_id = liquidations.deposit_id
        and events.type = 'fixed_deposit.liquidation_reversed'
        and events.occurred_at = liquidations.reversed_at
        and events.data::json ->> 'liquidation_id' = liquidations.liquidation_id
    ) as event
    where book_id = $1
      and reversed_at is not null
      and (reversals <> entries or recorded <> 1)
    order by liquidation_id
    limit 1`,

  findDeposits: `
    select ${depositMap.columns}
    from deposits
    where book_id = $1
      and deposit_id = any($2::text[])`,
}

/** A record for which a claim fails. */
export type Failed = { claim: string; ids: Record<string, string>; found: string; expected: string }

/** The keys after one and up to another, in the order of the database. null: up to the end. */
export type Range = { after: string; upTo: string | null; keys: number }

export async function findRange(
  db: Queries,
  bookId: string,
  name: SubjectName,
  asked: { after: string; limit: number },
): Promise<Range> {
  const { after, limit } = asked
  const [row] = await db.query<{ up_to: string | null; keys: bigint }>(rangeStatements[name], [
    bookId,
    after,
    limit,
  ])
  const keys = Number(row!.keys)
  return { after, upTo: keys < limit ? null : row!.up_to, keys }
}

/** What is found in a part of a range. */
export type Examined = { failed: Failed[]; deposits: PostedDeposit[] }

const BATCH_ROWS = 1_000
const cursor = {
  // JIT compilation of a statement takes longer than running it for a range: it was a third of the database's work.
  interpret: 'set local jit = off',
  bounded: statementOf((name) => `declare page no scroll cursor for ${boundedStatements[name]}`),
  open: statementOf((name) => `declare page no scroll cursor for ${openStatements[name]}`),
  fetch: `fetch ${BATCH_ROWS} from page`,
  close: 'close page',
}

/**
 * Yields the rows of a range, batch by batch, while the database prepares the next batch. The last batch is processed
 * after the transaction has ended, so that the one connection of an embedded engine is free for others.
 */
export async function examineRange(
  db: Pick<Database, 'query' | 'transaction'>,
  asked: { bookId: string; name: SubjectName; range: Range },
  look: (queries: Queries, examined: Examined) => Promise<void>,
): Promise<void> {
  const { bookId, name, range } = asked
  const { after, upTo } = range
  const last = await db.transaction(async (tx) => {
    await tx.query(cursor.interpret)
    if (upTo === null) await tx.query(cursor.open[name], [bookId, after])
    else await tx.query(cursor.bounded[name], [bookId, after, upTo])
    let rows = await tx.query<ExaminedRow>(cursor.fetch)
    while (rows.length === BATCH_ROWS) {
      const next = tx.query<ExaminedRow>(cursor.fetch)
      // A failure is kept until the promise is awaited.
      next.catch(() => {})
      await look(tx, examinedOf(name, rows))
      rows = await next
    }
    await tx.query(cursor.close)
    return rows
  })
  await look(db, examinedOf(name, last))
}

type ExaminedRow = { failed: number | null; found: string; expected: string } & PostedDepositRow

function examinedOf(name: SubjectName, rows: readonly ExaminedRow[]): Examined {
  const { claims } = subjects[name]
  return {
    failed: rows.flatMap((row) => (row.failed === null ? [] : failedOf(claims[row.failed]!, row))),
    deposits: rows.flatMap((row) => (row.failed === null ? postedDepositOf(row) : [])),
  }
}

function failedOf({ claim, ids }: Claim, row: ExaminedRow): Failed {
  const values = row as unknown as Record<string, string>
  const idsOf = ids.map((column) => [column.replace(PART, ''), values[column]!])
  return { claim, ids: Object.fromEntries(idsOf), found: row.found, expected: row.expected }
}

/**
 * A deposit is returned once with each of its liquidations, or once without; its last row has the sums of all its
 * entries.
 */
export type PostedDeposit = {
  deposit: DepositTerms
  isLast: boolean
  predecessorId: string | null
  /** Where it was taken over from another system: what was left then, and what had been paid on that. */
  imported: Omit<ImportedHistory, 'depositId'> | null
  /** The principal that its liquidations took. */
  liquidated: bigint
  openingPostings: string
  maturityPostings: string
  /** Of payments of interest and of the maturity. */
  ownTaxPostings: string
  payoutPostings: string
  /** What liquidations took of the interest paid, and of the tax on that. */
  sharesTaken: { paid: bigint; tax: bigint }
  part: PostedLiquidation | null
}

export type DepositTerms = ReturnType<typeof termsMap.read>

export type TakenPart = ReturnType<typeof takenMap.read>

/** By deposit, in the order in which they were broken; those that were reversed are left out. */
export async function findTakenParts(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, TakenPart[]>> {
  if (depositIds.length === 0) return new Map()
  const rows = await db.query<{ deposit_id: string }>(statements.findTakenParts, [bookId, depositIds])
  const byDeposit = Map.groupBy(rows, ({ deposit_id }) => deposit_id)
  return new Map([...byDeposit].map(([depositId, parts]) => [depositId, parts.map(takenMap.read)]))
}

/** With the lines of its entries, '{account,…}{amount,…}', and its event. */
export type PostedLiquidation = {
  liquidation: KeptLiquidation
  postings: string
  adjustmentPostings: string
  event: { type: string; data: string } | null
}

type PostedDepositRow = {
  deposit_id: string
  account_number: string
  currency: string
  is_last: boolean
  predecessor_id: string | null
  taken_minor: bigint | null
  imported_minor: bigint | null
  imported_paid_minor: bigint | null
  imported_tax_minor: bigint | null
  imported_paid_to: string | null
  opening_postings: string | null
  maturity_postings: string | null
  own_tax_postings: string | null
  payout_postings: string | null
  paid_shares_minor: bigint | null
  tax_shares_minor: bigint | null
  part_liquidation_id: string | null
  postings: string
  adjustment_postings: string | null
  event_type: string | null
  data: string
}

function postedDepositOf(row: PostedDepositRow): PostedDeposit {
  return {
    deposit: termsMap.read(row),
    isLast: row.is_last,
    predecessorId: row.predecessor_id,
    imported: importedOf(row),
    liquidated: row.taken_minor ?? 0n,
    openingPostings: row.opening_postings ?? '',
    maturityPostings: row.maturity_postings ?? '',
    ownTaxPostings: row.own_tax_postings ?? '',
    payoutPostings: row.payout_postings ?? '',
    sharesTaken: { paid: row.paid_shares_minor ?? 0n, tax: row.tax_shares_minor ?? 0n },
    part: row.part_liquidation_id === null ? null : postedLiquidationOf(row),
  }
}

function importedOf(row: PostedDepositRow): PostedDeposit['imported'] {
  if (row.imported_minor === null) return null
  const { imported_paid_to: paidTo } = row
  return {
    remaining: minor(row.imported_minor),
    paid: minor(row.imported_paid_minor!),
    paidTax: minor(row.imported_tax_minor!),
    paidTo: paidTo === null ? null : isoDate(paidTo),
  }
}

function postedLiquidationOf(row: PostedDepositRow): PostedLiquidation {
  const { deposit_id, account_number, currency } = row
  const kept: Record<string, unknown> = { ...blankLiquidation, deposit_id, account_number, currency }
  for (const [name, column] of ownColumns) kept[name] = (row as unknown as Record<string, unknown>)[column]
  return {
    liquidation: liquidationOf(kept as LiquidationRow),
    postings: row.postings,
    adjustmentPostings: row.adjustment_postings ?? '',
    event: row.event_type === null ? null : { type: row.event_type, data: row.data },
  }
}

export async function findRuleDifference(db: Queries, bookId: string): Promise<Failed | null> {
  type Row = { version: string; found: string; expected: string }
  const [row] = await db.query<Row>(statements.findRuleDifference, [bookId])
  if (row === undefined) return null
  const { version, found, expected } = row
  return { claim: RULE_VERSIONS, ids: { version }, found, expected }
}

export async function findUnpostedLiquidation(db: Queries, bookId: string): Promise<Failed | null> {
  const [counts] = await db.query<{ made: bigint; posted: bigint }>(statements.countLiquidations, [bookId])
  if (counts!.made === counts!.posted) return null
  type Row = { liquidation_id: string; deposit_id: string; posted: bigint; has_deposit: true | null }
  const [row] = await db.query<Row>(statements.findUnpostedLiquidation, [bookId])
  if (row === undefined) return null
  const { liquidation_id, deposit_id, posted } = row
  if (row.has_deposit === null) {
    const ids = { liquidation_id }
    return { claim: LIQUIDATION_DEPOSIT, ids, found: deposit_id, expected: 'a deposit' }
  }
  const ids = { liquidation_id, deposit_id }
  return { claim: LIQUIDATION_ENTRY, ids, found: `${posted} entries`, expected: '1 entry' }
}

export async function findApprovalDifference(db: Queries, bookId: string): Promise<Failed | null> {
  type Row = { approval_id: string; is_state_right: boolean; found: string; expected: string }
  const [row] = await db.query<Row>(statements.findWrongApproval, [bookId])
  if (row === undefined) return null
  const { approval_id, is_state_right, found, expected } = row
  return { claim: is_state_right ? APPROVAL_RESULT : APPROVAL_STATE, ids: { approval_id }, found, expected }
}

export async function findReversalDifference(db: Queries, bookId: string): Promise<Failed | null> {
  type Wrong = { entry_id: string; liquidation_id: string; found: string; expected: string }
  const [wrong] = await db.query<Wrong>(statements.findWrongReversal, [bookId])
  if (wrong !== undefined) {
    const { found, expected, ...ids } = wrong
    return { claim: REVERSAL_ENTRY, ids, found, expected }
  }
  type Partly = {
    liquidation_id: string
    deposit_id: string
    entries: bigint
    reversals: bigint
    recorded: bigint
  }
  const [partly] = await db.query<Partly>(statements.findPartlyReversed, [bookId])
  if (partly === undefined) return null
  const { liquidation_id, deposit_id, entries, reversals, recorded } = partly
  return {
    claim: REVERSAL_WHOLE,
    ids: { liquidation_id, deposit_id },
    found: `${reversals} reversals, ${recorded} events`,
    expected: `${entries} reversals, 1 events`,
  }
}

/** Their terms never change, so it does not matter when they are read. */
export async function findDeposits(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Deposit>> {
  if (depositIds.length === 0) return new Map()
  return byId(await db.query<object>(statements.findDeposits, [bookId, depositIds]))
}
