/**
 * Interest, exact until its one rounding. Growth is the interest of 1 from the start of a deposit to a date: simple,
 * compound, paid out and upfront interest are four readings of one schedule of dates, and another rate is the same
 * function again. It is linear in the principal, so a part of a deposit earns the part's own.
 *
 * This is the only file that counts days and multiplies by rates. The first day counts, the last day does not.
 */
import type { IsoDate } from './dates.ts'
import { dayCountFraction, eachDay, periodFraction } from './day-count.ts'
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
import { type Period, periodsAfter, periodsBefore } from './schedule.ts'
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
      return exactly(
        atRate(ratePpm, sumOf(periodsUpTo(terms, end).map((period) => partOfYear(terms, period)))),
      )
    case 'COMPOUND':
      return compound(factorsOf(terms, ratePpm, end))
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

/** Whole periods, and the broken one up to the date; from the start, or after what was paid. */
function periodsUpTo(terms: Terms, to: IsoDate, paidTo: IsoDate | null = null): Period[] {
  const periods = paidTo === null ? periodsBefore(terms, to) : periodsAfter(terms, paidTo, to)
  return periods.map((period) => (period.to > to ? { from: period.from, to } : period))
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

/** Most denominators of a schedule are the same; multiplying them out would make numbers of thousands of digits. */
function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((sum, one) =>
    sum.denominator === one.denominator
      ? fraction(sum.numerator + one.numerator, sum.denominator)
      : add(sum, one),
  )
}

/** A period's interest on 1, and how many periods have the same. */
type Factor = { interest: Fraction; times: number }

function factorsOf(terms: Terms, ratePpm: Fraction, end: IsoDate): Factor[] {
  const { startDate, agreedMaturity, rules } = terms
  const once = (period: Period) => ({ interest: atRate(ratePpm, partOfYear(terms, period)), times: 1 })
  if (terms.every !== 'DAY') return periodsUpTo(terms, end).map(once)
  const lastDay = end < agreedMaturity ? end : agreedMaturity
  const days = eachDay(rules.dayCount, startDate, lastDay).map(({ fraction: part, days: times }) => ({
    interest: atRate(ratePpm, part),
    times,
  }))
  // Where a holiday moved the maturity, the days after the agreed one are one period.
  return end > agreedMaturity ? [...days, once({ from: agreedMaturity, to: end })] : days
}

/** Bits after the binary point of the bounds of a compound growth. */
const PRECISION_BITS = 192n
const ONE = 1n << PRECISION_BITS

/** Daily compounding over ten years takes 17 ms as one fraction, and a hundredth of that between bounds. */
function compound(factors: readonly Factor[]): Bounded {
  const bound = (round: (dividend: bigint, divisor: bigint) => bigint): Fraction => {
    const product = factors.reduce((product, { interest, times }) => {
      const factor = round(ONE * (interest.denominator + interest.numerator), interest.denominator)
      return round(product * power(factor, times, round), ONE)
    }, ONE)
    return fraction(product - ONE, ONE)
  }
  return {
    lower: bound((dividend, divisor) => dividend / divisor),
    upper: bound((dividend, divisor) => (dividend + divisor - 1n) / divisor),
    exact: () => exactProduct(factors),
  }
}

function power(base: bigint, times: number, round: (dividend: bigint, divisor: bigint) => bigint): bigint {
  let result = ONE
  let square = base
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = round(result * square, ONE)
    square = round(square * square, ONE)
  }
  return result
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
