import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divide, formatAmount, MINOR_MAX, minor, type Rounding } from '../../src/domain/money.ts'
import { ROUNDINGS } from './arbitraries.ts'

test('the gate lets through zero to 9,999,999,999,999.99 and nothing beyond', () => {
  assert.equal(minor(0n), 0n)
  assert.equal(minor(MINOR_MAX), 999_999_999_999_999n)
  assert.throws(() => minor(-1n), /money below zero: -1/)
  assert.throws(() => minor(MINOR_MAX + 1n), /money above the limit: 1000000000000000/)
})

test('a division uses the named rounding, also at a tie', () => {
  const cases: [dividend: bigint, divisor: bigint, halfUp: bigint, halfEven: bigint, down: bigint][] = [
    [0n, 2n, 0n, 0n, 0n],
    [1n, 2n, 1n, 0n, 0n],
    [3n, 2n, 2n, 2n, 1n],
    [5n, 2n, 3n, 2n, 2n],
    [7n, 2n, 4n, 4n, 3n],
    [49n, 100n, 0n, 0n, 0n],
    [51n, 100n, 1n, 1n, 0n],
    [249n, 100n, 2n, 2n, 2n],
    [250n, 100n, 3n, 2n, 2n],
    [251n, 100n, 3n, 3n, 2n],
    [1n, 3n, 0n, 0n, 0n],
    [2n, 3n, 1n, 1n, 0n],
    [6n, 3n, 2n, 2n, 2n],
  ]
  for (const [dividend, divisor, halfUp, halfEven, down] of cases) {
    const rounded = ROUNDINGS.map((rounding) => divide(dividend, divisor, rounding))
    assert.deepEqual(rounded, [halfUp, halfEven, down], `${dividend}/${divisor}`)
  }
})

test('a rounded quotient is off by at most half a unit, and by less than one when rounded down', () => {
  const anyRounding = fc.constantFrom<Rounding>(...ROUNDINGS)
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n }),
      fc.bigInt({ min: 1n }),
      anyRounding,
      (dividend, divisor, rounding) => {
        const error = divide(dividend, divisor, rounding) * divisor - dividend
        if (rounding === 'DOWN') assert(error <= 0n && error > -divisor)
        else assert(2n * error <= divisor && 2n * error >= -divisor)
      },
    ),
  )
})

test('a division refuses a negative dividend and a divisor that is not positive', () => {
  assert.throws(() => divide(-1n, 2n, 'DOWN'), /not negative/)
  assert.throws(() => divide(1n, 0n, 'DOWN'), /positive/)
  assert.throws(() => divide(1n, -1n, 'DOWN'), /positive/)
})

test('an amount prints with two fractional digits and its sign', () => {
  const texts = [0n, 1n, 5n, -5n, 10n, 99n, 100n, -100n, 150_050n, MINOR_MAX, -123_456_789n].map(formatAmount)
  assert.deepEqual(texts, [
    '0.00',
    '0.01',
    '0.05',
    '-0.05',
    '0.10',
    '0.99',
    '1.00',
    '-1.00',
    '1500.50',
    '9999999999999.99',
    '-1234567.89',
  ])
})
