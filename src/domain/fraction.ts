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

export function roundFraction(value: Fraction, rounding: Rounding): bigint {
  return divide(value.numerator, value.denominator, rounding)
}

/** The decimal expansion for people, truncated after `digits` fractional digits. */
export function decimalText(value: Fraction, digits: number): string {
  const scaled = (value.numerator * 10n ** BigInt(digits)) / value.denominator
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const whole = `${scaled < 0n ? '-' : ''}${text.slice(0, text.length - digits)}`
  return digits === 0 ? whole : `${whole}.${text.slice(-digits)}`
}
