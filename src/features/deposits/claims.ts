/**
 * What verification claims of deposits: principal, owner, ending and events are what their entries say, and what was
 * agreed is what the pinned rules and the product say.
 */
import { type Calendar, nextBusinessDay, OPEN_EVERY_DAY } from '../../domain/calendar.ts'
import {
  type Compared,
  type ComputedClaim,
  comparePostings,
  type PinnedVersions,
} from '../../domain/claim.ts'
import { interestAtMaturity } from '../../domain/deposit.ts'
import type { ImportedHistory } from '../../domain/import.ts'
import { importPostings, openingPostings, ROLLOVER_CLEARING } from '../../domain/ledger.ts'
import { bonusOf, type Product } from '../../domain/product.ts'
import { cardRate, type RateSheet } from '../../domain/rate-sheet.ts'
import { agreedMaturityOf } from '../../domain/schedule.ts'
import { termsOf } from '../../domain/terms.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import {
  countEvents,
  EVENT_SUBJECT,
  type Lookup,
  lookUp,
  type Relation,
  type RowClaim,
  type Within,
} from '../../engine/database/facts.ts'
import { flag, type ItemOf, nested, rowMap, sumOf, text, textOr } from '../../engine/database/row-map.ts'
import { readCalendars } from '../calendar/changes.ts'
import { nameOf, productNameOf, readProducts, readSheets } from '../products/changes.ts'
import { depositMap, termsMap } from './store.ts'

export const AGREED_RATE =
  'a deposit by a product has the rate of its sheet and bonuses, or a negotiated one, and the maturity of its calendar'

export type DepositTerms = ItemOf<typeof termsMap>

/** A deposit with the sums of its entries. Those and what it is computed from are complete where `isLast`. */
export const postedMap = rowMap({
  deposit: nested(termsMap),
  isLast: flag('is_last'),
  predecessorId: text<string | null>('predecessor_id'),
  /** The principal that its liquidations took. */
  liquidated: sumOf('taken_minor'),
  openingPostings: textOr('opening_postings', ''),
  maturityPostings: textOr('maturity_postings', ''),
  /** The tax withheld of payments of interest and of the maturity. */
  ownTaxPostings: textOr('own_tax_postings', ''),
  payoutPostings: textOr('payout_postings', ''),
  /** What liquidations took of the interest paid, and of the tax on that. */
  sharesTaken: nested(rowMap({ paid: sumOf('paid_shares_minor'), tax: sumOf('tax_shares_minor') })),
})
export type PostedDeposit = ItemOf<typeof postedMap> & {
  /** Where it was taken over from another system: what was left then, and what had been paid on that. */
  imported: Omit<ImportedHistory, 'depositId'> | null
}

const account: Lookup = {
  as: 'account',
  rows: `
    select accounts.customer_id || ' ' || accounts.currency as account_owner
    from accounts
    where accounts.book_id = $1
      and accounts.account_number = deposits.account_number
    limit 1`,
}

const predecessor: Lookup = {
  as: 'predecessor',
  rows: `
    select earlier.deposit_id as predecessor_id
    from deposits earlier
    where earlier.book_id = $1
      and earlier.rolled_over_to = deposits.deposit_id
    limit 1`,
}

/** Each deposit with its owner, its predecessor and what other nouns look up. */
export function depositRows(within: Within, lookups: readonly Lookup[]): string {
  const all = [account, predecessor, ...lookups]
  return `
    select ${depositMap.columnsOf('deposits')}, ${all.map(({ as }) => `${as}.*`).join(', ')}
    from deposits
    ${all.map(lookUp).join('\n        ')}
    where deposits.book_id = $1
      and ${within('deposits.deposit_id')}`
}

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
export const DEPOSIT_PREFIX = 'fd_'

export const changesOfDeposits: Relation = {
  as: 'change',
  rows: (within) => `
    select subject_id as told_deposit, min(event_id) as event_id, min(type) as change_type,
      ${countEvents(depositEvents)} as recorded
    from events
    where book_id = $1
      and ${within('subject_id')}
      and subject_id >= '${DEPOSIT_PREFIX}'
      and (type like 'fixed_deposit.%') is true
    group by subject_id`,
  on: 'change.told_deposit = deposit.deposit_id',
}

/** Over the entries of a deposit in the order of what they left. */
export const sumsOfDeposit = [
  'sum(line_minor) over in_turn as lines_sum',
  `string_agg(postings, '') filter (where kind in ('DEPOSIT_OPENING', 'IMPORT')) over in_turn as opening_postings`,
]

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

export const remainingClaim: RowClaim = {
  claim: 'the remaining principal of a deposit is the sum of its lines',
  differs: 'is_last and remaining_minor <> coalesce(lines_sum, 0)',
  found: 'remaining_minor::text',
  expected: 'coalesce(lines_sum, 0)::text',
}

export const ownerClaim: RowClaim = {
  claim: 'a deposit has the owner and the currency of its account',
  differs: `deposit_id is not null and customer_id || ' ' || currency is distinct from account_owner`,
  found: `customer_id || ' ' || currency`,
  expected: `coalesce(account_owner, 'an account')`,
}

export const endingClaim: RowClaim = {
  claim: 'a deposit ended as its liquidations and its maturity entries say',
  differs: `is_last and (
    coalesce(standing_fulls, 0) <> case when status = 'LIQUIDATED' then 1 else 0 end
    or coalesce(maturities, 0) <> case when status in ('MATURED', 'ROLLED_OVER') then 1 else 0 end)`,
  found: 'status',
  expected: `standing_fulls || ' FULL liquidations, ' || maturities || ' maturity entries'`,
}

export const changesClaim: RowClaim = {
  claim: 'a deposit has one event for each of its changes',
  differs: `is_last and ${RECORDED_OF_DEPOSIT} <> ${CHANGES_OF_DEPOSIT}`,
  found: RECORDED_OF_DEPOSIT,
  expected: CHANGES_OF_DEPOSIT,
}

export const eventsClaim: RowClaim = {
  claim: EVENT_SUBJECT,
  ids: ['event_id'],
  differs: 'event_id is not null and deposit_id is null',
  found: `change_type || ' ' || told_deposit`,
  expected: `'a record'`,
}

/** The products, sheets and calendars by which deposits were opened. */
export type SoldBy = {
  /** Products by the names of their versions. */
  products: ReadonlyMap<string, Product>
  /** Rate sheets by the codes of their products. */
  sheets: ReadonlyMap<string, readonly RateSheet[]>
  calendars: ReadonlyMap<number, Calendar>
}

/** Where no deposit has a product, nothing is read. */
export async function readSoldBy(
  queries: Queries,
  { bookId, cache }: { bookId: string; cache: VersionCache },
  deposits: readonly DepositTerms[],
): Promise<SoldBy> {
  const names = deposits.flatMap((deposit) => productNameOf(deposit) ?? [])
  if (names.length === 0) return { products: new Map(), sheets: new Map(), calendars: new Map() }
  const codes = names.map(({ productCode }) => productCode)
  const calendars = new Set(deposits.flatMap(({ calendarVersion }) => calendarVersion || []))
  return {
    products: await readProducts(queries, cache, bookId, names),
    sheets: await readSheets(queries, cache, bookId, codes),
    calendars: await readCalendars(queries, cache, bookId, [...calendars]),
  }
}

export const depositClaims: ComputedClaim<PostedDeposit, PinnedVersions & SoldBy>[] = [
  {
    claim: 'a deposit has one entry for its opening, with its principal',
    compare: ({ deposit, predecessorId, imported, openingPostings: found }) => {
      if (imported !== null)
        return comparePostings(found, importPostings(deposit.depositId, imported.remaining))
      const fundedFrom = predecessorId === null ? deposit.accountNumber : ROLLOVER_CLEARING
      const { depositId, principal } = deposit
      return comparePostings(found, openingPostings({ depositId, principal, fundedFrom }))
    },
  },
  {
    claim: 'the expected interest of a deposit is what its pinned rules say',
    compare: ({ deposit }, known) => ({
      found: [deposit.expectedInterest],
      expected: [interestAtMaturity(deposit.principal, termsOf(deposit, known.rulesOf(deposit)))],
    }),
  },
  {
    claim: AGREED_RATE,
    compare: (posted, known) => (posted.isLast ? compareAgreed(posted, known) : null),
  },
]

/** Rates that were taken over are not asked; one that was renewed is never negotiated. */
function compareAgreed(posted: PostedDeposit, known: SoldBy): Compared | null {
  const { deposit, predecessorId, imported } = posted
  const name = productNameOf(deposit)
  if (name === null || imported !== null) return null
  const { startDate, principal, annualRatePpm, agreedTenor, calendarVersion, bonusCodes } = deposit
  const product = known.products.get(nameOf(name))
  const sheet = known.sheets.get(name.productCode)?.find(({ number }) => number === deposit.rateSheet)
  if (product === undefined || sheet === undefined || sheet.effectiveFrom > startDate) {
    return {
      found: [`sheet ${deposit.rateSheet}`],
      expected: ['a product and a sheet in force at the start'],
    }
  }
  const agreed = agreedMaturityOf(startDate, agreedTenor!)
  const bonusPpm = bonusOf(product, bonusCodes)
  const ofSheet = cardRate(sheet, { from: startDate, to: agreed, amount: principal }) + bonusPpm
  const calendar = known.calendars.get(calendarVersion ?? 0) ?? OPEN_EVERY_DAY
  const moves = product.maturity.onHoliday === 'NEXT_BUSINESS_DAY'
  const isNegotiated = predecessorId === null && isNegotiable(product, deposit)
  return {
    found: [annualRatePpm, deposit.bonusPpm, deposit.maturityDate],
    expected: [
      isNegotiated ? annualRatePpm : ofSheet,
      bonusPpm,
      moves ? nextBusinessDay(calendar, agreed) : agreed,
    ],
  }
}

/** Of a deposit that an earlier version opened it is not known whether its rate was negotiated: it may have been. */
function isNegotiable(
  { negotiatedRate }: Product,
  { annualRatePpm, bonusCodes, negotiated }: DepositTerms,
): boolean {
  if (negotiatedRate === null || bonusCodes.length > 0 || negotiated === false) return false
  return annualRatePpm >= negotiatedRate.minPpm && annualRatePpm <= negotiatedRate.maxPpm
}

export function isSettled({ status }: DepositTerms): boolean {
  return status === 'MATURED' || status === 'ROLLED_OVER'
}
