/**
 * What verification claims of liquidations: each is what its pinned rules say, follows the one before it, and has its
 * entries and its event.
 *
 * The entries of a deposit come with the liquidation that they are of. The liquidations of a deposit are in the order of
 * what they left, because the clocks of two instances may disagree about which was first. What is summed up is complete
 * in the last row of a deposit. part_left is null of a liquidation that was reversed: it took nothing, and stands before
 * all others.
 */

import { assessAgain } from '../../domain/assessment.ts'
import {
  type Compared,
  type ComputedClaim,
  comparePostings,
  type Failed,
  type PinnedVersions,
} from '../../domain/claim.ts'
import { businessDate } from '../../domain/dates.ts'
import { DAY_SUMS, isLater, SUM_NAMES } from '../../domain/day-sums.ts'
import { liquidationMovements } from '../../domain/liquidation.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import {
  ADJUSTED_SUMS,
  ADJUSTMENT_ENTRIES,
  type Figures,
  figuresOf,
  waivedOf,
} from '../../domain/settlement.ts'
import { STANDARD_CLASS, taxationAgain } from '../../domain/tax.ts'
import type { Queries } from '../../engine/database/database.ts'
import { failureOf, type Relation, type RowClaim } from '../../engine/database/facts.ts'
import { compileLiteral } from '../../engine/database/literal.ts'
import { computed, group, type ItemOf, rowMap, text, textOr } from '../../engine/database/row-map.ts'
import { ofBook, sql } from '../../engine/database/sql.ts'
import { DEPOSIT_PREFIX, type DepositTerms } from '../deposits/claims.ts'
import { ENTRY_NAMES, sumOfLines } from '../ledger/claims.ts'
import { compareRate } from '../tax/claims.ts'
import { LiquidationRecord } from './record.ts'
import { liquidationMap } from './store.ts'

export const LIQUIDATION_DEPOSIT = 'a liquidation is of a deposit that exists'
const LIQUIDATION_ENTRY = 'a liquidation has one entry, with the figures it paid'

const ENTRIES_OF_ADJUSTMENTS = ADJUSTMENT_ENTRIES.map((kind) => `'${kind}'`).join(', ')

/** A deposit and its liquidations have columns of the same names, so those of a liquidation have a prefix. */
export const PART = 'part_'
const liquidationNames = liquidationMap.columns.split(', ')
/** Claimed to be those of the deposit, and not read again. */
const OF_DEPOSIT = ['deposit_id', 'account_number', 'currency']
const ownColumns = liquidationNames.filter((name) => !OF_DEPOSIT.includes(name)).map((name) => PART + name)
/** The columns of a liquidation by their own names. */
const liquidationRow = compileLiteral<object, object>(
  liquidationNames.map((name) => [name, `source.${OF_DEPOSIT.includes(name) ? name : PART + name}`]),
  {},
)

/** The sums of a day's parts in the columns behind a prefix. */
function sumsBehind(prefix: 'broken' | 'earlier'): string {
  const sums = SUM_NAMES.map((name) => {
    const column = `${prefix}_${DAY_SUMS[name].day}_minor`
    return isLater(name) ? `coalesce(${column}, 0)` : column
  })
  return `array[${sums.join(', ')}]`
}

const CARRIED_SUMS = sumsBehind('broken')
const SUMS_WITH_PART = SUM_NAMES.map((name) => {
  const { day, part } = DAY_SUMS[name]
  return `coalesce(earlier_${day}_minor, 0) + ${part}_minor`
})

/** The liquidation of an entry, with the sums of its day before it and after it. */
const PART_OF_ENTRY = `
    select ${liquidationNames.map((column) => `liquidations.${column} as ${PART}${column}`).join(', ')},
      case when reversed_at is null then remaining_minor end as part_left,
      case when earlier_principal_minor is not null then
        ${sumsBehind('earlier')} end as part_earlier,
      array[${SUMS_WITH_PART.join(', ')}] as part_sums,
      case when earlier_taxed_tax_minor is not null then
        array[earlier_taxed_interest_minor, earlier_taxed_penal_minor, earlier_taxed_tax_minor]
        end as part_taxed_before
    from liquidations
    where liquidations.book_id = $1
      and liquidations.liquidation_id = ledger_entries.liquidation_id
      and ledger_entries.kind = 'LIQUIDATION'
    limit 1`

const SUMS_OF_PARTS = [
  'lead(true) over in_turn as is_followed',
  'coalesce(sum(part_principal_minor) filter (where part_left is not null) over in_turn, 0)::bigint as taken_minor',
  `count(*) filter (where part_liquidation_type = 'FULL') over in_turn as fulls`,
  'count(*) filter (where part_left = 0) over in_turn as standing_fulls',
  'count(part_reversed_at) over in_turn as reversals',
  `count(*) filter (where part_liquidation_type = 'PARTIAL') over in_turn as partials`,
  `count(*) filter (where part_assessed_by = 'DAY' and part_left is not null) over in_turn as day_parts`,
  `part_assessed_by = 'DAY' and part_left is not null and lead(true) over in_day is null as is_last_of_days`,
  `case when part_business_date = lag(part_business_date) over in_day then lag(part_sums) over in_day
            end as sums_before`,
  `case when part_tax_version is not null and sum(part_tax_minor) over alike is not null then
            array[sum(part_interest_minor) over alike, sum(part_penal_minor) over alike,
              sum(part_tax_minor) over alike]::bigint[] end as taxed_before`,
  `string_agg(postings, '') filter (where kind in (${ENTRIES_OF_ADJUSTMENTS})) over in_liquidation
            as adjustment_postings`,
  `count(*) filter (where kind = 'LIQUIDATION') over in_liquidation as entries_of_liquidation`,
]

/** The entries of deposits, with the sums that liquidations and other nouns need of them. */
export function entriesOfDeposits(sums: readonly string[]): Relation {
  return {
    as: 'entry',
    rows: (within) => `
    select moved.*,
      ${[...SUMS_OF_PARTS, ...sums].join(',\n          ')}
    from (
      select entry_id, kind, deposit_id as entry_deposit, liquidation_id as entry_liquidation,
        ${sumOfLines('deposit_id')} as line_minor, accounts::text || amounts_minor::text as postings, part.*
      from ledger_entries
      left join lateral (${PART_OF_ENTRY}
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
      in_liquidation as (partition by entry_deposit, entry_liquidation)`,
    on: 'entry.entry_deposit = deposit.deposit_id',
  }
}

export const eventsOfLiquidations: Relation = {
  as: 'event',
  rows: (within) => `
    select subject_id, occurred_at, type as event_type, data,
      coalesce(
        nullif(split_part(split_part(data, '"liquidation_id":"', 2), '"', 1), ''),
        data::json ->> 'liquidation_id') as told_liquidation
    from events
    where book_id = $1
      and ${within('subject_id')}
      and subject_id >= '${DEPOSIT_PREFIX}'
      and (type in ('fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated')) is true`,
  on: `event.told_liquidation = entry.part_liquidation_id
        and event.subject_id = entry.part_deposit_id
        and event.occurred_at = entry.part_liquidated_at`,
}

export const namesClaim: RowClaim = {
  claim: ENTRY_NAMES,
  ids: ['entry_id'],
  differs: `entry_id is not null and deposit_id is null
    or kind = 'LIQUIDATION' and part_deposit_id is distinct from deposit_id
    or kind in (${ENTRIES_OF_ADJUSTMENTS}) and entry_liquidation is not null and entries_of_liquidation = 0`,
  found: `concat_ws(' ', kind, entry_deposit, entry_liquidation)`,
  expected: `'records that exist'`,
}

/** How the liquidations of a deposit follow one another. */
export const partClaims: readonly RowClaim[] = [
  {
    claim: 'each liquidation of a deposit left what the one before it left, less its own principal',
    differs: 'part_left <> coalesce(imported_minor, principal_minor) - taken_minor',
    found: `part_liquidation_id || ' left ' || part_remaining_minor`,
    expected: '(coalesce(imported_minor, principal_minor) - taken_minor)::text',
  },
  {
    // Liquidations of 0.1.0 were assessed alone, and are not among these.
    claim: 'a liquidation was assessed with what was broken before it on its day',
    differs: `part_assessed_by = 'DAY' and part_left is not null and part_earlier is distinct from sums_before`,
    found: `part_liquidation_id || ' after ' || coalesce(array_to_string(part_earlier, ' '), 'nothing')`,
    expected: `coalesce(array_to_string(sums_before, ' '), 'nothing')`,
  },
  {
    // Liquidations of 0.2.0 were taxed with all earlier parts of their day; they count where a later part was taxed alike.
    claim: 'a liquidation was taxed with the earlier parts of its day that were taxed alike',
    differs: `part_taxed_with = 'ALIKE' and part_left is not null and part_taxed_before is distinct from taxed_before`,
    found: `part_liquidation_id || ' after ' || coalesce(array_to_string(part_taxed_before, ' '), 'nothing')`,
    expected: `coalesce(array_to_string(taxed_before, ' '), 'nothing')`,
  },
  {
    claim: 'a deposit carries the sums of the last day on which something of it was broken',
    differs: `is_last_of_days and (broken_on, ${CARRIED_SUMS}) is distinct from (part_business_date, part_sums)
      or is_last and coalesce(day_parts, 0) = 0 and broken_on is not null`,
    found: `concat_ws(' ', broken_on, array_to_string(${CARRIED_SUMS}, ' '))`,
    expected: `case when is_last_of_days then part_business_date || ' ' || array_to_string(part_sums, ' ')
      else 'nothing' end`,
  },
]

export const creditedClaim: RowClaim = {
  claim: 'a liquidation credits the account of its deposit',
  ids: ['part_liquidation_id', 'deposit_id'],
  differs: `part_liquidation_id is not null
    and (part_account_number, part_currency) is distinct from (account_number, currency)`,
  found: `part_account_number || ', ' || part_currency`,
  expected: `account_number || ', ' || currency`,
}

type Event = { type: string; data: string }

const postedMap = rowMap({
  postings: text('postings'),
  adjustmentPostings: textOr('adjustment_postings', ''),
  event: group<Event>({ type: text('event_type'), data: text('data') }),
})

/** A liquidation with the lines of its entries, '{account,…}{amount,…}', and its event. */
type PostedLiquidation = ItemOf<typeof postedMap> & { liquidation: StoredLiquidation }

export const partColumns = [...ownColumns, ...postedMap.columns.split(', ')]

export function postedLiquidationOf(row: Record<string, unknown>): PostedLiquidation {
  return { liquidation: liquidationMap.read(liquidationRow(row)), ...postedMap.read(row) }
}

type BrokenDeposit = PostedLiquidation & { deposit: DepositTerms }

export const liquidationClaims: ComputedClaim<BrokenDeposit, PinnedVersions>[] = [
  {
    claim: 'a liquidation was taxed by a version and at a rate of the tax rules',
    compare: ({ liquidation }, known) => compareRate(liquidation.taxed, known),
  },
  {
    claim: 'a liquidation pays what its pinned rules, its waiver and the tax rules say',
    compare: ({ liquidation, deposit }, known) => {
      const rules = known.rulesOf(deposit)
      const { terms, ...assessment } = assessAgain(liquidation, deposit, rules)
      const { assessed } = assessment
      const waived = waivedOf(assessed, liquidation.waiver, terms)
      // A waiver of more than the charge would not have been accepted.
      if (waived > assessed) return { found: [`waived ${waived}`], expected: [`at most ${assessed}`] }
      const { principal, taxed, taxedWith, taxedEarlier, earlierToday } = liquidation
      const taxation = taxationAgain(taxed, known.taxRules, taxedWith === 'DAY' ? 'TOTAL' : undefined)
      const part = { principal, waived, ...assessment }
      const figures = figuresOf(part, { taxation, earlierToday, taxedEarlier, unit: terms.unit })
      return hasFigures(liquidation, figures)
        ? null
        : { found: shownFigures(liquidation), expected: shownFigures(figures) }
    },
  },
  {
    claim: 'a liquidation is dated by the business date of its time',
    compare: ({ liquidation }, { book }) => ({
      found: [liquidation.businessDate],
      expected: [businessDate(liquidation.at, book.timeZone)],
    }),
  },
  {
    claim: LIQUIDATION_ENTRY,
    compare: ({ liquidation, postings }) =>
      comparePostings(postings, liquidationMovements(liquidation)[0]!.postings),
  },
  {
    claim: 'a liquidation has one entry for each kind of its adjustments',
    compare: ({ liquidation, adjustmentPostings }) => {
      const [, ...adjustments] = liquidationMovements(liquidation).map(({ postings }) => postings)
      return comparePostings(adjustmentPostings, adjustments.flat())
    },
  },
  {
    claim: 'a liquidation has one event with what it paid',
    compare: ({ liquidation, event }) => {
      const type = `fixed_deposit.${liquidation.type === 'FULL' ? '' : 'partially_'}liquidated`
      const data = LiquidationRecord.json(liquidation)
      if (event?.type === type && event.data === data) return null
      return event === null ? { found: [], expected: [type] } : compareEvents(event, { type, data })
    },
  },
]

const FIGURES = ['interest', 'assessed', 'waived', 'penal', 'total', ...ADJUSTED_SUMS, 'net'] as const

function hasFigures(found: Figures, expected: Figures): boolean {
  return FIGURES.every((name) => found[name] === expected[name])
}

function shownFigures(figures: Figures): string[] {
  return FIGURES.map((name) => `${name === 'penal' ? 'charge' : inWords(name)} ${figures[name]}`)
}

/** taxReturned: tax returned */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** The members that every version of the event has had. */
const FIRST_MEMBERS = [
  'deposit_id',
  'status',
  'principal_returned',
  'interest_paid',
  'penal_charge',
  'total_credited',
  'credited_account',
  'liquidated_at',
  'liquidation_id',
  'remaining_principal',
]

/**
 * An event keeps the format in which it was written: those of 0.1.0 lack later members. Every member it has is
 * compared.
 */
function compareEvents(stored: Event, computed: Event): Compared {
  const [found, expected] = [JSON.parse(stored.data), JSON.parse(computed.data)] as Record<string, unknown>[]
  const names = [...new Set([...FIRST_MEMBERS, ...Object.keys(found!)])]
  const members = (event: Event, data: Record<string, unknown>) => [
    event.type,
    ...names.map((name) => `${name} ${JSON.stringify(data[name])}`),
  ]
  return { found: members(stored, found!), expected: members(computed, expected!) }
}

export const statements = {
  // No index finds the entry of a liquidation. But each entry is of a liquidation of its deposit, and no two entries of a
  // deposit are of the same one, as its claims say: so where there are as many of both, each liquidation has one.
  areAsManyPosted: sql`
    select
      (select count(*) from liquidations where book_id = $1) as made,
      (select count(*) from ledger_entries where book_id = $1 and kind = 'LIQUIDATION') as posted`.only(
    computed(({ made, posted }) => made === posted),
    ofBook,
  ),

  // All liquidations of the book at once. Grouping a union leaves the planner no choice of joins, and what does not fit into
  // the database's working memory goes to its disk.
  findUnposted: sql`
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
    ) as unposted`.first(
    computed(({ posted, has_deposit, ...ids }) => {
      const { liquidation_id, deposit_id: found } = ids
      return has_deposit === null
        ? failureOf(LIQUIDATION_DEPOSIT).read({ liquidation_id, found, expected: 'a deposit' })
        : failureOf(LIQUIDATION_ENTRY).read({ ...ids, found: `${posted} entries`, expected: '1 entry' })
    }),
    ofBook,
  ),
}

export async function findUnpostedLiquidation(db: Queries, bookId: string): Promise<Failed | undefined> {
  if (await statements.areAsManyPosted(db, bookId)) return undefined
  return statements.findUnposted(db, bookId)
}
