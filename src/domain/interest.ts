/**
 * Interest, exact until its one rounding. Growth is the interest of 1 from the start of a deposit to a date: simple,
 * compound, paid out and upfront interest are four readings of one schedule of dates, and another rate is the same
 * function again. It is linear in the principal, so a part of a deposit earns the part's own.
 *
 * This is the only file that counts days and multiplies by rates. The first day counts, the last day does not.
 */
import type { IsoDate } from './dates.ts'
import { dayCountFraction, eachDay, periodFraction, type SpansAlike } from './day-count.ts'
import {
  add,
  type Bounded,
  exactly,
  type Fraction,
  fraction,
  multiply,
  roundBounded,
  roundFraction,
  scale,
} from './fraction.ts'
import type { Minor } from './money.ts'
import { type Period, periodsAfter } from './schedule.ts'
import type { Terms } from './terms.ts'

const PPM = 1_000_000n

/** On 1, at a yearly rate in parts per million, from the start to a date; it ends at maturity. */
export function growth(terms: Terms, ratePpm: Fraction, to: IsoDate): Bounded {
  const end = to < terms.maturityDate ? to : terms.maturityDate
  if (end <= terms.startDate) return exactly(fraction(0n, 1n))
  switch (terms.method) {
    case 'AT_MATURITY':
    case 'UPFRONT':
      return exactly(atRate(ratePpm, partOfYear(terms, { from: terms.startDate, to: end })))
    case 'PAYOUT':
      return exactly(atRate(ratePpm, sumOf(spansUpTo(terms, end))))
    case 'COMPOUND':
      return compound(
        spansUpTo(terms, end).map(({ part, times }) => ({ interest: atRate(ratePpm, part), times })),
      )
    default:
      return terms.method satisfies never
  }
}

/** On a principal, in minor units. */
export function interestOn(principal: Minor, grown: Bounded): Bounded {
  return scale(grown, fraction(principal, 1n))
}

/**
 * What a principal and the interest already paid on it have earned by a date, as money. `accrued` is its exact interest,
 * where it is known.
 */
export function earnedBy(
  to: IsoDate,
  terms: Terms,
  { principal, paid, paidTo }: { principal: Minor; paid: Minor; paidTo: IsoDate | null },
  accrued: Bounded | null = null,
): bigint {
  if (principal === 0n) return 0n
  switch (terms.method) {
    case 'AT_MATURITY':
    case 'COMPOUND':
      return rounded(terms, accrued ?? interestOn(principal, growth(terms, contractRate(terms), to)))
    case 'PAYOUT':
      return periodsUpTo(terms, to, paidTo).reduce(
        (sum, period) => sum + interestOfPeriod(terms, principal, period),
        paid as bigint,
      )
    case 'UPFRONT':
      return upfrontEarned(to, terms, paid)
    default:
      return terms.method satisfies never
  }
}

/** The interest of one period that is paid by itself, or of the whole term where it is paid at the start. */
export function interestOfPeriod(terms: Terms, principal: Minor, period: Period): bigint {
  const exact = multiply(fraction(principal, 1n), atRate(contractRate(terms), partOfYear(terms, period)))
  return roundFraction(exact, terms.rules.rounding, terms.unit)
}

/** What a principal earns at a rate in a number of days, or from a date to maturity; and as which part of a year. */
export function interestFor(
  terms: Terms,
  principal: Minor,
  { ratePpm, span }: { ratePpm: Fraction; span: { days: number } | { from: IsoDate } },
): { exact: Fraction; partOfYear: Fraction } {
  const part =
    'days' in span
      ? periodFraction(terms.rules.dayCount, span.days)
      : partOfYear(terms, { from: span.from, to: terms.maturityDate })
  return { exact: multiply(fraction(principal, 1n), atRate(ratePpm, part)), partOfYear: part }
}

export function contractRate({ annualRatePpm }: Pick<Terms, 'annualRatePpm'>): Fraction {
  return fraction(BigInt(annualRatePpm), 1n)
}

/** By the rules of a deposit, to the smallest amount of its currency. */
export function rounded({ rules, unit }: Pick<Terms, 'rules' | 'unit'>, exact: Bounded): bigint {
  return roundBounded(exact, rules.rounding, unit)
}

/** Interest paid at the start is earned day by day. */
function upfrontEarned(to: IsoDate, terms: Terms, paid: Minor): bigint {
  const { startDate, maturityDate, rules, unit } = terms
  if (to >= maturityDate) return paid
  const whole = partOfYear(terms, { from: startDate, to: maturityDate })
  const held = partOfYear(terms, { from: startDate, to })
  if (whole.numerator === 0n) return paid
  const share = fraction(paid * held.numerator * whole.denominator, held.denominator * whole.numerator)
  return roundFraction(share, rules.rounding, unit)
}

/** Whole periods after what was paid, and the broken one up to the date. */
function periodsUpTo(terms: Terms, to: IsoDate, paidTo: IsoDate | null): Period[] {
  return periodsAfter(terms, paidTo ?? terms.startDate, to).map((period) =>
    period.to > to ? { from: period.from, to } : period,
  )
}

function partOfYear({ rules, startDate }: Terms, { from, to }: Period): Fraction {
  return dayCountFraction(rules.dayCount, from, to, startDate)
}

function atRate(ratePpm: Fraction, partOfYear: Fraction): Fraction {
  return fraction(
    ratePpm.numerator * partOfYear.numerator,
    PPM * ratePpm.denominator * partOfYear.denominator,
  )
}

/** Few denominators are different; multiplying out those of all spans would make numbers of thousands of digits. */
function sumOf(spans: readonly SpansAlike[]): Fraction {
  const sums = new Map<bigint, bigint>()
  for (const { part, times } of spans) {
    sums.set(part.denominator, (sums.get(part.denominator) ?? 0n) + part.numerator * BigInt(times))
  }
  return [...sums].map(([denominator, numerator]) => fraction(numerator, denominator)).reduce(add)
}

/** The same terms, for interest on many days in order: each takes up the count of the day before. */
export function walking(terms: Terms): Terms {
  return { ...terms, walk: { spansBy: new Map(), mark: null } }
}

/** Whole periods from the start and the broken one up to a date, those of equal length together. */
function spansUpTo(terms: Terms, end: IsoDate): readonly SpansAlike[] {
  const kept = terms.walk?.spansBy.get(end)
  if (kept !== undefined) return kept
  const spans = terms.every === 'DAY' ? spansOfDays(terms, end) : spansOfPeriods(terms, end)
  terms.walk?.spansBy.set(end, spans)
  return spans
}

function spansOfPeriods(terms: Terms, end: IsoDate): SpansAlike[] {
  const { walk, startDate } = terms
  const mark = walk?.mark && walk.mark.on <= end ? walk.mark : { on: startDate, spans: [] }
  const spans = mark.spans.map((alike) => ({ ...alike }))
  let { on } = mark
  let broken: SpansAlike[] = []
  for (const { from, to } of periodsAfter(terms, on, end)) {
    if (to > end) broken = [{ part: partOfYear(terms, { from, to: end }), times: 1 }]
    else {
      countSpan(spans, partOfYear(terms, { from, to }))
      on = to
    }
  }
  if (walk !== undefined) walk.mark = { on, spans }
  return [...spans, ...broken]
}

function countSpan(spans: SpansAlike[], part: Fraction): void {
  const alike = spans.find(
    (one) => one.part.numerator === part.numerator && one.part.denominator === part.denominator,
  )
  if (alike === undefined) spans.push({ part, times: 1 })
  else alike.times += 1
}

/** Every day is a period; where a holiday moved the maturity, the days after the agreed one are one more. */
function spansOfDays(terms: Terms, end: IsoDate): SpansAlike[] {
  const { startDate, agreedMaturity, rules } = terms
  const lastDay = end < agreedMaturity ? end : agreedMaturity
  const days = eachDay(rules.dayCount, startDate, lastDay)
  if (end <= agreedMaturity) return days
  return [...days, { part: partOfYear(terms, { from: agreedMaturity, to: end }), times: 1 }]
}

/** A period's interest on 1, and how many periods have the same. */
type Factor = { interest: Fraction; times: number }

/** Bits after the binary point of the bounds of a compound growth. */
const PRECISION_BITS = 192n
const ONE = 1n << PRECISION_BITS

/** Daily compounding over ten years takes 17 ms as one fraction, and a hundredth of that between bounds. */
function compound(factors: readonly Factor[]): Bounded {
  const bound = (roundingUp: bigint): Fraction => {
    const product = factors.reduce((product, { interest: { numerator, denominator }, times }) => {
      const dividend = ONE * (denominator + numerator) + roundingUp * (denominator - 1n)
      return multiplied(product, power(dividend / denominator, times, roundingUp), roundingUp)
    }, ONE)
    return fraction(product - ONE, ONE)
  }
  return { lower: bound(0n), upper: bound(1n), exact: () => exactProduct(factors) }
}

function power(base: bigint, times: number, roundingUp: bigint): bigint {
  let result = ONE
  let square = base
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplied(result, square, roundingUp)
    if (left > 1) square = multiplied(square, square, roundingUp)
  }
  return result
}

/** Rounding up is 1 for an upper bound, 0 for a lower one. */
function multiplied(left: bigint, right: bigint, roundingUp: bigint): bigint {
  return (left * right + roundingUp * (ONE - 1n)) >> PRECISION_BITS
}

function exactProduct(factors: readonly Factor[]): Fraction {
  const product = factors
    .map(({ interest: { numerator, denominator }, times }) => ({
      numerator: (denominator + numerator) ** BigInt(times),
      denominator: denominator ** BigInt(times),
    }))
    .reduce(multiply)
  return fraction(product.numerator - product.denominator, product.denominator)
}
