/** Money as whole minor units. Arithmetic is plain bigint; every stored amount passes through minor(). */
import assert from 'node:assert/strict'

export type Minor = bigint & { readonly unit: 'minor' }

/** 13 digits and 2 decimals are 15 significant digits: still exact as a double in any client. */
export const MINOR_MAX = 999_999_999_999_999n

export function minor(value: bigint): Minor {
  if (value < 0n) assert.fail(`money below zero: ${value}`)
  if (value > MINOR_MAX) assert.fail(`money above the limit: ${value}`)
  return value as Minor
}

export const ROUNDINGS = ['HALF_UP', 'HALF_EVEN', 'DOWN'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/** The only rounding division in the domain: the caller names the rounding. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  assert(dividend >= 0n, 'a rounded dividend is not negative')
  assert(divisor > 0n, 'a divisor is positive')
  const quotient = dividend / divisor
  if (rounding === 'DOWN') return quotient
  const twiceRemainder = 2n * (dividend % divisor)
  if (twiceRemainder > divisor) return quotient + 1n
  if (twiceRemainder < divisor) return quotient
  return rounding === 'HALF_UP' || quotient % 2n === 1n ? quotient + 1n : quotient
}

/** ISO 4217: those without minor units. Amounts of them are written with two digits as well, but are always whole. */
export const WHOLE_UNIT_CURRENCIES: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
)

/** The smallest amount of a currency, in minor units: whatever is rounded becomes a multiple of it. */
export function smallestAmount(currency: string): bigint {
  return WHOLE_UNIT_CURRENCIES.has(currency) ? 100n : 1n
}

/** Whether an amount exists in a currency. */
export function existsIn(currency: string, amount: Minor): boolean {
  return amount % smallestAmount(currency) === 0n
}

/** Always two fractional digits, with a sign only below zero: 150050n is '1500.50', -5n is '-0.05'. */
export function formatAmount(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
