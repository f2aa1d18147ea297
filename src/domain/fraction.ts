/** Exact rational numbers, so that an amount is rounded once, at the end. The denominator is always positive. */
import assert from 'node:assert/strict'
import { divide, type Rounding } from './money.ts'

export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

export function fraction(numerator: bigint, denominator: bigint): Fraction {
  assert(denominator > 0n, 'a denominator is positive')
  return { numerator, denominator }
}

export function add(left: Fraction, right: Fraction): Fraction {
  return {
    numerator: left.numerator * right.denominator + right.numerator * left.denominator,
    denominator: left.denominator * right.denominator,
  }
}

export function multiply(left: Fraction, right: Fraction): Fraction {
  return {
    numerator: left.numerator * right.numerator,
    denominator: left.denominator * right.denominator,
  }
}

/** Negative when left is smaller, positive when it is greater, zero when they are equal. */
export function compare(left: Fraction, right: Fraction): -1 | 0 | 1 {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** To whole units of a size, as a currency without minor units needs it. */
export function roundFraction(value: Fraction, rounding: Rounding, unit = 1n): bigint {
  return unit * divide(value.numerator, unit * value.denominator, rounding)
}

/**
 * A number between two bounds. They are close enough to round alike almost always; the exact value, which may have a
 * hundred thousand digits, is computed only where they do not.
 */
export type Bounded = { readonly lower: Fraction; readonly upper: Fraction; readonly exact: () => Fraction }

export function exactly(value: Fraction): Bounded {
  return { lower: value, upper: value, exact: () => value }
}

/** The factor is not negative. */
export function scale(value: Bounded, factor: Fraction): Bounded {
  const lower = multiply(value.lower, factor)
  if (value.lower === value.upper) return exactly(lower)
  return { lower, upper: multiply(value.upper, factor), exact: () => multiply(value.exact(), factor) }
}

export function roundBounded(value: Bounded, rounding: Rounding, unit = 1n): bigint {
  return agreed(value, (bound) => roundFraction(bound, rounding, unit))
}

export function boundedText(value: Bounded, digits: number): string {
  return agreed(value, (bound) => decimalText(bound, digits))
}

function agreed<Result>({ lower, upper, exact }: Bounded, of: (value: Fraction) => Result): Result {
  const result = of(lower)
  return lower === upper || of(upper) === result ? result : of(exact())
}

/** The decimal expansion for people, truncated after `digits` fractional digits. */
export function decimalText(value: Fraction, digits: number): string {
  const scaled = (value.numerator * 10n ** BigInt(digits)) / value.denominator
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const whole = `${scaled < 0n ? '-' : ''}${text.slice(0, text.length - digits)}`
  return digits === 0 ? whole : `${whole}.${text.slice(-digits)}`
}
