import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type IsoDate, isLeapYear, isoDate } from '../../src/domain/dates.ts'
import { DAY_COUNTS, type DayCount, dayCountFraction, periodFraction } from '../../src/domain/day-count.ts'
import { add, compare, decimalText, type Fraction, fraction } from '../../src/domain/fraction.ts'
import { anyEdgeDate } from './arbitraries.ts'

test('day-count fractions are those of the standards', () => {
  const cases: [dayCount: DayCount, from: string, to: string, expected: Fraction][] = [
    ['ACT/365F', '2024-01-01', '2025-01-01', fraction(366n, 365n)],
    ['ACT/360', '2024-01-01', '2025-01-01', fraction(366n, 360n)],
    ['ACT/ACT', '2024-01-01', '2025-01-01', fraction(1n, 1n)],
    ['ACT/ACT', '2023-01-01', '2024-01-01', fraction(1n, 1n)],
    ['ACT/ACT', '2024-02-01', '2024-03-01', fraction(29n, 366n)],
    ['ACT/ACT', '2023-12-31', '2024-01-02', add(fraction(1n, 365n), fraction(1n, 366n))],
    ['ACT/ACT', '2023-07-01', '2027-07-01', add(fraction(3n, 1n), fraction(365n, 365n))],
    ['ACT/ACT', '2020-07-01', '2024-07-01', fraction(4n, 1n)],
    ['30/360', '2024-01-01', '2025-01-01', fraction(1n, 1n)],
    ['30/360', '2007-01-31', '2007-03-31', fraction(60n, 360n)],
    ['30/360', '2007-01-30', '2007-03-31', fraction(60n, 360n)],
    ['30/360', '2007-01-29', '2007-03-31', fraction(62n, 360n)],
    ['30/360', '2007-02-28', '2007-08-31', fraction(183n, 360n)],
    ['30/360', '2007-01-30', '2007-01-31', fraction(0n, 360n)],
    ['30/360', '2024-02-29', '2024-03-01', fraction(2n, 360n)],
    ['30E/360', '2007-02-28', '2007-08-31', fraction(182n, 360n)],
    ['30E/360', '2007-01-29', '2007-03-31', fraction(61n, 360n)],
    ['30E/360', '2007-01-31', '2007-02-28', fraction(28n, 360n)],
    ['30E/360', '2007-12-31', '2008-01-01', fraction(1n, 360n)],
  ]
  for (const [dayCount, from, to, expected] of cases) {
    const actual = dayCountFraction(dayCount, isoDate(from), isoDate(to))
    assert.equal(compare(actual, expected), 0, `${dayCount} ${from} to ${to}`)
  }
})

test('ACT/ACT agrees with the ISDA examples in the tests of QuantLib, to the ten digits they are right to', () => {
  const halfOfTheLastDigit = fraction(1n, 2n * 10n ** 10n)
  const rounded = (from: string, to: string) =>
    decimalText(add(dayCountFraction('ACT/ACT', isoDate(from), isoDate(to)), halfOfTheLastDigit), 10)
  assert.equal(rounded('2003-11-01', '2004-05-01'), '0.4977243806')
  assert.equal(rounded('1999-07-01', '2000-07-01'), '1.0013773486')
})

test('no time passes unless the second date is later', () => {
  for (const dayCount of DAY_COUNTS) {
    assert.equal(dayCountFraction(dayCount, isoDate('2026-03-31'), isoDate('2026-03-31')).numerator, 0n)
    assert.equal(dayCountFraction(dayCount, isoDate('2026-03-31'), isoDate('2026-01-01')).numerator, 0n)
  }
})

test('a period of days is of a year of 365 or 360 days', () => {
  const denominators = DAY_COUNTS.map((dayCount) => [dayCount, periodFraction(dayCount, 90)])
  assert.deepEqual(denominators, [
    ['ACT/365F', fraction(90n, 365n)],
    ['ACT/360', fraction(90n, 360n)],
    ['ACT/ACT', fraction(90n, 365n)],
    ['30/360', fraction(90n, 360n)],
    ['30E/360', fraction(90n, 360n)],
    ['MONTHS', fraction(90n, 365n)],
  ])
})

/** The definition itself, one day at a time, on the platform's calendar. */
function actualOverActualByDays(from: IsoDate, days: number): Fraction {
  let commonDays = 0n
  let leapDays = 0n
  const cursor = new Date(`${from}T00:00:00Z`)
  for (let passed = 0; passed < days; passed += 1) {
    if (new Date(Date.UTC(cursor.getUTCFullYear(), 1, 29)).getUTCMonth() === 1) leapDays += 1n
    else commonDays += 1n
    cursor.setUTCDate(cursor.getUTCDate() + 1)
  }
  return add(fraction(commonDays, 365n), fraction(leapDays, 366n))
}

test('ACT/ACT equals counting every day by the length of its year', () => {
  fc.assert(
    fc.property(anyEdgeDate, fc.integer({ min: 1, max: 2500 }), (from, days) => {
      const actual = dayCountFraction('ACT/ACT', from, addDays(from, days))
      assert.equal(compare(actual, actualOverActualByDays(from, days)), 0)
    }),
  )
})

/** Walks day by day over months that are 30 days long: a month's end is stretched or cut to the 30th. */
function europeanThirtyByDays(from: IsoDate, days: number): bigint {
  let counted = 0n
  const cursor = new Date(`${from}T00:00:00Z`)
  for (let passed = 0; passed < days; passed += 1) {
    const today = Math.min(cursor.getUTCDate(), 30)
    cursor.setUTCDate(cursor.getUTCDate() + 1)
    const tomorrow = Math.min(cursor.getUTCDate(), 30)
    counted += BigInt(tomorrow < today ? 30 - today + tomorrow : tomorrow - today)
  }
  return counted
}

test('30E/360 equals walking through months of 30 days', () => {
  fc.assert(
    fc.property(anyEdgeDate, fc.integer({ min: 1, max: 2500 }), (from, days) => {
      const actual = dayCountFraction('30E/360', from, addDays(from, days))
      assert.equal(compare(actual, fraction(europeanThirtyByDays(from, days), 360n)), 0)
    }),
  )
})

test('a later date is never a smaller part of a year, in any day count', () => {
  const anyDayCount = fc.constantFrom(...DAY_COUNTS)
  fc.assert(
    fc.property(anyDayCount, anyEdgeDate, fc.integer({ min: 0, max: 3000 }), (dayCount, from, days) => {
      const today = dayCountFraction(dayCount, from, addDays(from, days))
      const tomorrow = dayCountFraction(dayCount, from, addDays(from, days + 1))
      assert(compare(today, tomorrow) <= 0)
    }),
  )
})

test('leap years are those of the Gregorian calendar', () => {
  const leap = [1600, 1900, 1999, 2000, 2024, 2025, 2100, 2400].filter(isLeapYear)
  assert.deepEqual(leap, [1600, 2000, 2024, 2400])
})
