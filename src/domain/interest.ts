/** Simple interest in minor units: principal × annual rate × part of a year, exact until its one rounding. */
import type { IsoDate } from './dates.ts'
import { type DayCount, dayCountFraction } from './day-count.ts'
import { type Fraction, fraction, multiply, roundFraction } from './fraction.ts'
import type { Minor, Rounding } from './money.ts'

const PPM = 1_000_000n

/** The first day counts, the last day does not. */
export function simpleInterest(terms: {
  principal: Minor
  annualRatePpm: number
  dayCount: DayCount
  rounding: Rounding
  from: IsoDate
  to: IsoDate
}): bigint {
  const { principal, annualRatePpm, dayCount, rounding, from, to } = terms
  if (principal === 0n) return 0n
  const elapsed = dayCountFraction(dayCount, from, to)
  return roundFraction(exactInterest({ principal, annualRatePpm, fraction: elapsed }), rounding)
}

export function exactInterest(terms: {
  principal: Minor
  annualRatePpm: Fraction | number
  fraction: Fraction
}): Fraction {
  const { principal, annualRatePpm } = terms
  const ratePpm = typeof annualRatePpm === 'number' ? fraction(BigInt(annualRatePpm), 1n) : annualRatePpm
  const yearly = fraction(principal * ratePpm.numerator, PPM * ratePpm.denominator)
  return multiply(yearly, terms.fraction)
}
