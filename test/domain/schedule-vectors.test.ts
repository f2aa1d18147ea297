/** Schedules, the day count MONTHS and the interest of all methods, to the cent, by an evaluator that shares no code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  completedMonths,
  daysBetween,
  type IsoDate,
  isoDate,
} from '../../src/domain/dates.ts'
import { DAY_COUNTS, type DayCount, dayCountFraction, eachDay } from '../../src/domain/day-count.ts'
import { interestAtMaturity } from '../../src/domain/deposit.ts'
import {
  add,
  boundedText,
  compare,
  type Fraction,
  fraction,
  roundBounded,
} from '../../src/domain/fraction.ts'
import { contractRate, growth, interestOfPeriod, interestOn } from '../../src/domain/interest.ts'
import { formatAmount, minor, ROUNDINGS, type Rounding } from '../../src/domain/money.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'
import {
  type AgreedTenor,
  agreedMaturityOf,
  boundaryAfter,
  type InterestEvery,
  type InterestMethod,
  periodsBefore,
  wholePeriodsBy,
} from '../../src/domain/schedule.ts'
import { type Terms, termsOf } from '../../src/domain/terms.ts'
import { anyEdgeDate, anyPrincipal } from './arbitraries.ts'

type Agreement = {
  method: InterestMethod
  every?: InterestEvery
  tenor: AgreedTenor
  start: string
  /** Where a holiday moved it. */
  matures?: string
  ratePpm?: number
  currency?: string
  dayCount?: DayCount
  rounding?: Rounding
}

function termsWith(agreed: Agreement): Terms {
  const startDate = isoDate(agreed.start)
  const { dayCount = 'ACT/365F', rounding = 'HALF_UP' } = agreed
  return termsOf(
    {
      currency: agreed.currency ?? 'NGN',
      method: agreed.method,
      every: agreed.every ?? null,
      annualRatePpm: agreed.ratePpm ?? 100_000,
      startDate,
      maturityDate: agreed.matures ? isoDate(agreed.matures) : agreedMaturityOf(startDate, agreed.tenor),
      agreedTenor: agreed.tenor,
      rulesVersion: 1,
    },
    { ...FIRST_RULES, dayCount, rounding },
  )
}

function months(count: number): AgreedTenor {
  return { unit: 'MONTH', count }
}

function days(count: number): AgreedTenor {
  return { unit: 'DAY', count }
}

const schedules: [
  name: string,
  start: string,
  tenor: AgreedTenor,
  every: InterestEvery,
  boundaries: string,
][] = [
  [
    'A1',
    '2026-01-31',
    months(6),
    'MONTH',
    '2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31',
  ],
  ['A2', '2028-02-29', months(12), 'QUARTER', '2028-05-29 2028-08-29 2028-11-29 2029-02-28'],
  ['A3', '2028-02-29', months(24), 'YEAR', '2029-02-28 2030-02-28'],
  ['A4', '2026-08-30', days(100), 'MONTH', '2026-09-30 2026-10-30 2026-11-30 2026-12-08'],
  ['A5', '2026-11-30', months(12), 'QUARTER', '2027-02-28 2027-05-30 2027-08-30 2027-11-30'],
  ['A6', '2026-02-28', months(3), 'MONTH', '2026-03-28 2026-04-28 2026-05-28'],
  ['A7', '2026-05-10', days(20), 'MONTH', '2026-05-30'],
]

for (const [name, start, tenor, every, boundaries] of schedules) {
  test(`${name}: the boundaries from ${start} are ${boundaries}`, () => {
    const terms = termsWith({ method: 'PAYOUT', every, tenor, start })
    const periods = periodsBefore(terms, terms.maturityDate)
    assert.equal(periods.map(({ to }) => to).join(' '), boundaries)
    assert.deepEqual(
      periods.map(({ from }) => from),
      [terms.startDate, ...periods.map(({ to }) => to)].slice(0, -1),
    )
  })
}

const partsOfYear: [
  name: string,
  from: string,
  to: string,
  months: number,
  days: number,
  part: [bigint, bigint],
][] = [
  ['A8', '2026-01-31', '2026-03-15', 1, 15, [109n, 876n]],
  ['A9', '2026-01-31', '2026-02-28', 1, 0, [1n, 12n]],
  ['A10', '2026-01-31', '2026-03-31', 2, 0, [1n, 6n]],
  ['A11', '2026-01-15', '2027-01-15', 12, 0, [1n, 1n]],
  ['A12', '2028-02-29', '2029-02-28', 12, 0, [1n, 1n]],
]

for (const [name, from, to, wholeMonths, left, [numerator, denominator]] of partsOfYear) {
  test(`${name}: from ${from} to ${to} are ${wholeMonths} months and ${left} days`, () => {
    const [start, end] = [isoDate(from), isoDate(to)]
    assert.equal(completedMonths(start, end), wholeMonths)
    assert.equal(daysBetween(addMonths(start, wholeMonths), end), left)
    const part = dayCountFraction('MONTHS', start, end)
    assert.equal(compare(part, fraction(numerator, denominator)), 0)
  })
}

const paidOut: [name: string, principal: bigint, agreed: Agreement, payments: string, sum: string][] = [
  [
    'B1',
    100_000_00n,
    { method: 'PAYOUT', every: 'MONTH', tenor: months(6), start: '2026-01-31', ratePpm: 120_000 },
    '920.55 1019.18 986.30 1019.18 986.30 1019.18',
    '5950.69',
  ],
  [
    'B2',
    100_000_00n,
    {
      method: 'PAYOUT',
      every: 'MONTH',
      tenor: months(6),
      start: '2026-01-31',
      ratePpm: 120_000,
      dayCount: 'MONTHS',
    },
    '1000.00 1000.00 1000.00 1000.00 1000.00 1000.00',
    '6000.00',
  ],
  [
    'B3',
    1_000_000_00n,
    { method: 'PAYOUT', every: 'MONTH', tenor: days(100), start: '2026-08-30', ratePpm: 105_000 },
    '8917.81 8630.14 8917.81 2301.37',
    '28767.13',
  ],
  [
    'B4, as comparebanks (PK) publishes it',
    100_000_00n,
    { method: 'PAYOUT', every: 'QUARTER', tenor: months(12), start: '2026-01-15', dayCount: 'MONTHS' },
    '2500.00 2500.00 2500.00 2500.00',
    '10000.00',
  ],
  [
    'B5, as Fineract publishes it',
    100_000_00n,
    {
      method: 'PAYOUT',
      every: 'MONTH',
      tenor: months(12),
      start: '2026-01-15',
      ratePpm: 180_000,
      dayCount: 'MONTHS',
    },
    Array(12).fill('1500.00').join(' '),
    '18000.00',
  ],
  [
    'B6, in whole units',
    1_000_000_00n,
    {
      method: 'PAYOUT',
      every: 'MONTH',
      tenor: months(3),
      start: '2026-01-15',
      ratePpm: 62_500,
      currency: 'XOF',
    },
    '5308.00 4795.00 5308.00',
    '15411.00',
  ],
  [
    'B7, paid at the start',
    500_000_00n,
    { method: 'UPFRONT', tenor: days(180), start: '2026-02-01' },
    '24657.53',
    '24657.53',
  ],
  [
    'N1, moved by a holiday',
    100_000_00n,
    {
      method: 'PAYOUT',
      every: 'MONTH',
      tenor: months(3),
      start: '2026-09-25',
      matures: '2026-12-29',
      ratePpm: 120_000,
    },
    '986.30 1019.18 986.30 131.51',
    '3123.29',
  ],
  [
    'N4, in months and days',
    100_000_00n,
    {
      method: 'PAYOUT',
      every: 'MONTH',
      tenor: months(3),
      start: '2026-09-25',
      matures: '2026-12-29',
      ratePpm: 120_000,
      dayCount: 'MONTHS',
    },
    '1000.00 1000.00 1000.00 131.51',
    '3131.51',
  ],
]

for (const [name, principal, agreed, payments, sum] of paidOut) {
  test(`${name}: payments of ${payments} are ${sum}`, () => {
    const terms = termsWith(agreed)
    const paid = periodsBefore(terms, terms.maturityDate).map((period) =>
      interestOfPeriod(terms, minor(principal), period),
    )
    assert.equal(paid.map(formatAmount).join(' '), payments)
    assert.equal(formatAmount(interestAtMaturity(minor(principal), terms)), sum)
  })
}

const QUARTERLY = {
  method: 'COMPOUND',
  every: 'QUARTER',
  tenor: months(12),
  start: '2026-03-31',
  ratePpm: 90_000,
} as const

/** `on`: before maturity. */
const compounded: [
  name: string,
  principal: bigint,
  agreed: Omit<Agreement, 'method'>,
  grown: string,
  interest: string,
  on?: string,
][] = [
  ['C1, Reg DD appendix A', 1_000_00n, daily(52_500), '1.0538985832', '53.90'],
  ['C2, Reg DD appendix A', 8_000_00n, daily(55_000), '1.0565362369', '452.29'],
  ['C3, Reg DD appendix A', 20_000_00n, daily(57_500), '1.0591804740', '1183.61'],
  [
    'C4, Fineract',
    10_000_00n,
    { every: 'HALF_YEAR', tenor: months(12), start: '2026-01-15', ratePpm: 50_000, dayCount: 'MONTHS' },
    '1.0506250000',
    '506.25',
  ],
  [
    'C5',
    100_000_00n,
    { every: 'QUARTER', tenor: months(12), start: '2026-01-15', ratePpm: 70_000, dayCount: 'MONTHS' },
    '1.0718590312',
    '7185.90',
  ],
  [
    'C6, in whole units',
    4_000_00n,
    { every: 'QUARTER', tenor: months(12), start: '2026-01-15', dayCount: 'MONTHS', currency: 'XAF' },
    '1.1038128906',
    '415.00',
  ],
  [
    'C7, in whole units, rounded down',
    100_000_00n,
    {
      every: 'YEAR',
      tenor: months(48),
      start: '2026-01-15',
      ratePpm: 58_000,
      dayCount: 'MONTHS',
      rounding: 'DOWN',
      currency: 'JPY',
    },
    '1.2529757644',
    '25297.00',
  ],
  ['C8', 250_000_00n, QUARTERLY, '1.0930832313', '23270.81'],
  ['C9', 250_000_00n, QUARTERLY, '1.0562032130', '14050.80', '2026-11-10'],
  ['C10', 100_000_00n, QUARTERLY, '1.0562032130', '5620.32', '2026-11-10'],
  [
    'C11',
    250_000_00n,
    { ...QUARTERLY, every: 'MONTH', dayCount: 'ACT/360' },
    '1.0573792243',
    '14344.81',
    '2026-11-10',
  ],
  ['C12', 150_000_00n, QUARTERLY, '1.0930832313', '13962.48'],
  [
    'N2, moved by a holiday',
    100_000_00n,
    {
      every: 'QUARTER',
      tenor: days(91),
      start: '2026-09-25',
      matures: '2026-12-29',
      ratePpm: 120_000,
    },
    '1.0312722206',
    '3127.22',
  ],
]

function daily(ratePpm: number): Omit<Agreement, 'method'> {
  return { every: 'DAY', tenor: days(365), start: '2026-01-15', ratePpm }
}

for (const [name, principal, agreed, grown, interest, on] of compounded) {
  test(`${name}: ${formatAmount(principal)} compounds to ${interest} of interest`, () => {
    const terms = termsWith({ ...agreed, method: 'COMPOUND' })
    const factor = growth(terms, contractRate(terms), on === undefined ? terms.maturityDate : isoDate(on))
    const exact = interestOn(minor(principal), factor)
    assert.equal(formatAmount(roundBounded(exact, terms.rules.rounding, terms.unit)), interest)
    assert.equal(boundedText(plusOne(factor), 10), grown)
  })
}

test('N3: a holiday gives simple interest up to the business day', () => {
  const agreed = { start: '2026-09-25', tenor: days(91), matures: '2026-12-29', ratePpm: 120_000 }
  const terms = termsWith({ ...agreed, method: 'AT_MATURITY' })
  assert.equal(formatAmount(interestAtMaturity(minor(100_000_00n), terms)), '3123.29')
})

function plusOne({ lower, upper, exact }: ReturnType<typeof growth>): ReturnType<typeof growth> {
  const one = fraction(1n, 1n)
  return { lower: add(one, lower), upper: add(one, upper), exact: () => add(one, exact()) }
}

const anyAgreement = fc
  .record({
    start: fc.integer({ min: 0, max: 40_000 }).map((day) => addDays(isoDate('1970-01-01'), day)),
    every: fc.constantFrom<InterestEvery[]>('DAY', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'),
    tenor: fc.oneof(fc.integer({ min: 1, max: 900 }).map(days), fc.integer({ min: 1, max: 40 }).map(months)),
    moved: fc.constantFrom(0, 0, 1, 3, 9),
    ratePpm: fc.integer({ min: 1, max: 1_000_000 }),
    dayCount: fc.constantFrom(...DAY_COUNTS),
    rounding: fc.constantFrom(...ROUNDINGS),
  })
  .map(({ moved, ...agreed }) => {
    const matures = addDays(agreedMaturityOf(agreed.start, agreed.tenor), moved)
    return { ...agreed, matures }
  })

/** Every day by itself, and the product as one fraction. */
function slowGrowth(terms: Terms, to: IsoDate): Fraction {
  const end = to < terms.maturityDate ? to : terms.maturityDate
  let product = fraction(1n, 1n)
  for (let from = terms.startDate; from < end; ) {
    const next = boundaryAfter(terms, from)
    const part = dayCountFraction(terms.rules.dayCount, from, next < end ? next : end, terms.startDate)
    const interest = fraction(BigInt(terms.annualRatePpm) * part.numerator, 1_000_000n * part.denominator)
    const factor = add(fraction(1n, 1n), interest)
    product = fraction(product.numerator * factor.numerator, product.denominator * factor.denominator)
    from = next
  }
  return fraction(product.numerator - product.denominator, product.denominator)
}

test('compound growth equals the product of its periods, one by one, exactly and between its bounds', () => {
  fc.assert(
    fc.property(anyAgreement, fc.integer({ min: 0, max: 1000 }), anyPrincipal, (agreed, lived, principal) => {
      const terms = termsWith({ ...agreed, method: 'COMPOUND' })
      const on = addDays(terms.startDate, lived)
      const slow = slowGrowth(terms, on)
      const fast = growth(terms, contractRate(terms), on)
      assert.equal(compare(fast.exact(), slow), 0)
      assert(compare(fast.lower, slow) <= 0 && compare(slow, fast.upper) <= 0)
      const rounding = terms.rules.rounding
      const exact = { lower: slow, upper: slow, exact: () => slow }
      assert.equal(
        roundBounded(interestOn(principal, fast), rounding),
        roundBounded(interestOn(principal, exact), rounding),
      )
    }),
    { numRuns: 60 },
  )
})

test('where the bounds round differently, the exact fraction decides', () => {
  const half = fraction(1n, 2n)
  const nearly = { lower: fraction(499n, 1000n), upper: fraction(501n, 1000n), exact: () => half }
  assert.deepEqual(
    ROUNDINGS.map((rounding) => roundBounded(nearly, rounding)),
    [1n, 0n, 0n],
  )
  assert.equal(boundedText(nearly, 2), '0.50')
})

test('the single days of a term are as long as the term, under every day count', () => {
  fc.assert(
    fc.property(anyEdgeDate, fc.integer({ min: 1, max: 1500 }), (from, count) => {
      const to = addDays(from, count)
      for (const dayCount of DAY_COUNTS) {
        const left = eachDay(dayCount, from, to).map((alike) => ({ ...alike }))
        for (let day = from; day < to; day = addDays(day, 1)) {
          const part = dayCountFraction(dayCount, day, addDays(day, 1), from)
          const same = left.find((one) => compare(one.part, part) === 0)
          assert(same !== undefined, `${dayCount} has no day like ${day}`)
          same.times -= 1
        }
        assert(
          left.every(({ times }) => times === 0),
          `${dayCount} from ${from} to ${to}`,
        )
      }
    }),
    { numRuns: 25 },
  )
})

test('boundaries ascend, are counted from the start, and end at maturity', () => {
  fc.assert(
    fc.property(anyAgreement, (agreed) => {
      const terms = termsWith({ ...agreed, method: 'COMPOUND' })
      const ends = periodsBefore(terms, terms.maturityDate).map(({ to }) => to)
      assert.deepEqual(ends, [...new Set(ends)].toSorted())
      assert.equal(ends.at(-1), terms.maturityDate)
      const step = { DAY: 0, MONTH: 1, QUARTER: 3, HALF_YEAR: 6, YEAR: 12 }[agreed.every]
      const inside = ends.filter((end) => end < terms.agreedMaturity)
      for (const [index, end] of inside.entries()) {
        const counted =
          step === 0 ? addDays(terms.startDate, index + 1) : addMonths(terms.startDate, step * (index + 1))
        assert.equal(end, counted)
      }
      assert(ends.includes(terms.agreedMaturity))
    }),
    { numRuns: 60 },
  )
})

test('whole periods are counted up to maturity, and the days to a later maturity are one', () => {
  const [startDate, agreedMaturity] = [isoDate('2026-01-01'), isoDate('2026-03-01')]
  const wholeBy = (every: InterestEvery, maturity: string, dates: string[]) =>
    dates.map((date) =>
      wholePeriodsBy({ every, startDate, agreedMaturity, maturityDate: isoDate(maturity) }, isoDate(date)),
    )
  const dates = [
    '2025-12-31',
    '2026-01-01',
    '2026-01-31',
    '2026-02-01',
    '2026-03-01',
    '2026-03-03',
    '2026-04-01',
  ]
  assert.deepEqual(wholeBy('MONTH', '2026-03-01', dates), [0, 0, 0, 1, 2, 2, 2])
  assert.deepEqual(wholeBy('MONTH', '2026-03-03', dates), [0, 0, 0, 1, 2, 3, 3])
  assert.deepEqual(wholeBy('DAY', '2026-03-01', dates), [0, 0, 30, 31, 59, 59, 59])
  assert.deepEqual(wholeBy('DAY', '2026-03-03', dates), [0, 0, 30, 31, 59, 60, 60])
})
