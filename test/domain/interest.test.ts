import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import { DAY_COUNTS } from '../../src/domain/day-count.ts'
import { minor } from '../../src/domain/money.ts'
import { anyEdgeDate, anyPrincipal, ROUNDINGS } from './arbitraries.ts'
import { simpleInterest } from './deposits.ts'

test('interest is rounded once, at the end, by the named rounding', () => {
  // 1.00 at 60 percent earns exactly half a cent in 3 days and one and a half in 9.
  const terms = {
    principal: minor(100n),
    annualRatePpm: 600_000,
    dayCount: 'ACT/360',
    from: isoDate('2026-01-01'),
    to: isoDate('2026-01-04'),
  } as const
  const rounded = ROUNDINGS.map((rounding) => simpleInterest({ ...terms, rounding }))
  assert.deepEqual(rounded, [1n, 0n, 0n])
  const next = ROUNDINGS.map((rounding) => simpleInterest({ ...terms, rounding, to: isoDate('2026-01-10') }))
  assert.deepEqual(next, [2n, 2n, 1n])
})

test('the opening day counts and the last day does not', () => {
  const terms = {
    principal: minor(36_500n),
    annualRatePpm: 1_000_000,
    dayCount: 'ACT/365F',
    rounding: 'DOWN',
    from: isoDate('2026-01-01'),
  } as const
  assert.equal(simpleInterest({ ...terms, to: isoDate('2025-12-31') }), 0n)
  assert.equal(simpleInterest({ ...terms, to: isoDate('2026-01-01') }), 0n)
  assert.equal(simpleInterest({ ...terms, to: isoDate('2026-01-02') }), 100n)
})

test('a longer period, a greater principal and a higher rate never earn less', () => {
  fc.assert(
    fc.property(
      anyPrincipal,
      fc.integer({ min: 1, max: 999_999 }),
      anyEdgeDate,
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(...DAY_COUNTS),
      fc.constantFrom(...ROUNDINGS),
      (principal, annualRatePpm, from, days, dayCount, rounding) => {
        const terms = { principal, annualRatePpm, dayCount, rounding, from, to: addDays(from, days) }
        const interest = simpleInterest(terms)
        assert(simpleInterest({ ...terms, to: addDays(from, days + 1) }) >= interest)
        assert(simpleInterest({ ...terms, principal: minor(principal + 1n) }) >= interest)
        assert(simpleInterest({ ...terms, annualRatePpm: annualRatePpm + 1 }) >= interest)
      },
    ),
  )
})
