/** What a product would pay for money that is deposited by it, before anything is signed. */

import { addMonths, daysBetween, type IsoDate } from './dates.ts'
import { earliestStart, interestAtMaturity, type MaturityInstruction } from './deposit.ts'
import { interestOfPeriod } from './interest.ts'
import type { Moment } from './moment.ts'
import { existsIn, MINOR_MAX, type Minor, minor } from './money.ts'
import { type Offer, offerFor, type Product, type Wish } from './product.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import { agreedMaturityOf, monthsOf, type Period, periodsBefore } from './schedule.ts'
import { type Taxation, withholdingTax } from './tax.ts'
import { type Terms, termsOf } from './terms.ts'

export type ProductQuote = {
  offer: Offer
  startDate: IsoDate
  schedule: (Period & { interest: Minor })[]
  expectedInterest: Minor
  estimatedTax: Minor
  /** Percent a year, to two digits. */
  effectiveRate: number
}

export function quoteProduct(
  wish: Omit<Wish, 'startDate'> & { startDate: IsoDate | null },
  known: Parameters<typeof offerFor>[1] & { rules: RuleSet; taxation: Taxation | null },
  moment: Moment,
): { outcome: 'quoted'; quote: ProductQuote } | Refusal {
  const { product, rules, taxation } = known
  const { amount } = wish
  const { currency } = product
  const startDate = wish.startDate ?? moment.today
  if (product.status === 'CLOSED') return refuse('product_closed')
  if (!existsIn(currency, amount)) return refuse('amount_not_whole', { currency })
  const { instruction } = product.maturity
  const wrongStart = refuseStart({ startDate, instruction, tenor: wish.tenor }, product, moment.today)
  if (wrongStart !== null) return wrongStart
  const offered = offerFor({ ...wish, startDate }, known)
  if (offered.outcome === 'refused') return offered
  const { offer } = offered
  const terms = termsByOffer(offer, { ...wish, startDate }, { product, rules, rulesVersion: 0 })
  const expected = interestAtMaturity(amount, terms)
  const refused = refuseValue(product, amount, expected)
  if (refused !== null) return refused
  const schedule = scheduleOf(terms, amount, minor(expected))
  const taxed = schedule.length === 0 ? [minor(expected)] : schedule.map(({ interest }) => interest)
  const taxOf = (interest: Minor): bigint =>
    withholdingTax(taxation, { interest, penal: 0n, total: interest, unit: terms.unit })
  return {
    outcome: 'quoted',
    quote: {
      offer,
      startDate,
      schedule,
      expectedInterest: minor(expected),
      estimatedTax: minor(taxed.reduce((sum, interest) => sum + taxOf(interest), 0n)),
      effectiveRate: effectiveRate(amount, expected, daysBetween(startDate, offer.maturityDate)),
    },
  }
}

/** The terms of a deposit that is opened by an offer. */
export function termsByOffer(
  offer: Offer,
  { tenor, startDate }: Pick<Wish, 'tenor' | 'startDate'>,
  { product, rules, rulesVersion }: { product: Product; rules: RuleSet; rulesVersion: number },
): Terms {
  const { method, every } = product.interest
  const { annualRatePpm, maturityDate } = offer
  const agreed = { currency: product.currency, method, every, annualRatePpm, startDate, maturityDate }
  return termsOf({ ...agreed, agreedTenor: tenor, rulesVersion }, rules)
}

/** Payments that an opening with an earlier start may make at once. */
const PAYMENTS_AT_OPENING_MAX = 1_200

/** Openings and quotes are refused alike. */
export function refuseStart(
  { startDate, instruction, tenor }: Pick<Wish, 'startDate' | 'tenor'> & { instruction: MaturityInstruction },
  { interest }: Product,
  today: IsoDate,
): Refusal | null {
  if (startDate > today) return refuse('start_date_in_future', { business_date: today })
  const tenorDays = daysBetween(startDate, agreedMaturityOf(startDate, tenor))
  const ofTerms = earliestStart({ instruction, tenorDays }, today)
  const { method, every } = interest
  const ofPayments =
    method === 'PAYOUT' ? addMonths(today, -PAYMENTS_AT_OPENING_MAX * monthsOf(every!)) : ofTerms
  const earliest = ofTerms > ofPayments ? ofTerms : ofPayments
  return startDate < earliest ? refuse('start_date_too_early', { earliest }) : null
}

/** Openings, quotes and rollovers are refused alike. */
export function refuseValue({ interest }: Product, amount: Minor, expected: bigint): Refusal | null {
  if (interest.method === 'UPFRONT' && expected >= amount) return refuse('upfront_interest_too_high')
  if (amount + expected > MINOR_MAX) return refuse('maturity_value_out_of_range', { maximum: MINOR_MAX })
  return null
}

function scheduleOf(terms: Terms, principal: Minor, expected: Minor): ProductQuote['schedule'] {
  if (terms.method === 'COMPOUND') return []
  const { startDate: from, maturityDate: to } = terms
  if (terms.method !== 'PAYOUT') return [{ from, to, interest: expected }]
  return periodsBefore(terms, to).map((period) => ({
    ...period,
    interest: minor(interestOfPeriod(terms, principal, period)),
  }))
}

/** For comparison alone, so a double will do. */
function effectiveRate(principal: Minor, interest: bigint, days: number): number {
  const growth = (1 + Number(interest) / Number(principal)) ** (365 / days) - 1
  return Math.round(growth * 10_000) / 100
}
