import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, addMonths, isoDate } from '../../src/domain/dates.ts'
import { type Minor, minor } from '../../src/domain/money.ts'
import {
  cardRate,
  cardRateOn,
  type RateGrid,
  refuseSheet,
  sheetInForce,
} from '../../src/domain/rate-sheet.ts'

const start = isoDate('2026-01-01')

const byDays: RateGrid = {
  effectiveFrom: start,
  tenorUnit: 'DAY',
  tenorFrom: [0, 30, 90, 180, 365],
  amountFrom: [minor(0n), minor(1_000_000_00n)],
  ratesPpm: [
    [0, 0],
    [80_000, 82_500],
    [90_000, 95_000],
    [100_000, 107_500],
    [110_000, 120_000],
  ],
}

const cells: [name: string, days: number, amount: bigint, ratePpm: number][] = [
  ['D1', 29, 500_000_00n, 0],
  ['D2', 30, 500_000_00n, 80_000],
  ['D3', 89, 999_999_99n, 80_000],
  ['D4', 89, 1_000_000_00n, 82_500],
  ['D5', 90, 1n, 90_000],
  ['D6', 364, 1_000_000_00n, 107_500],
  ['D7', 365, 5_000_000_00n, 120_000],
  ['D8', 36_500, 100_00n, 110_000],
]

for (const [name, days, amount, ratePpm] of cells) {
  test(`${name}: ${days} days of ${amount} have ${ratePpm} parts per million`, () => {
    assert.equal(cardRate(byDays, { from: start, to: addDays(start, days), amount: minor(amount) }), ratePpm)
  })
}

const byMonths: RateGrid = {
  effectiveFrom: start,
  tenorUnit: 'MONTH',
  tenorFrom: [0, 1, 7, 13, 19],
  amountFrom: [minor(0n)],
  ratesPpm: [[40_000], [50_000], [60_000], [70_000], [80_000]],
}

const months: [name: string, from: string, to: string, ratePpm: number][] = [
  ['D9', '2026-01-31', '2027-02-28', 70_000],
  ['D10', '2026-01-31', '2027-02-27', 60_000],
  ['D11', '2026-02-28', '2026-03-27', 40_000],
  ['D12', '2026-02-28', '2026-03-28', 50_000],
]

for (const [name, from, to, ratePpm] of months) {
  test(`${name}: from ${from} to ${to} completed months count`, () => {
    assert.equal(cardRate(byMonths, { from: isoDate(from), to: isoDate(to), amount: minor(100n) }), ratePpm)
  })
}

test('every tenor and amount has exactly one rate', () => {
  const anyBounds = fc
    .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { maxLength: 7 })
    .map((bounds) => [0, ...bounds.toSorted((left, right) => left - right)])
  fc.assert(
    fc.property(
      anyBounds,
      anyBounds,
      fc.constantFrom('DAY' as const, 'MONTH' as const),
      fc.integer({ min: 0, max: 1_100 }),
      fc.integer({ min: 0, max: 1_100 }),
      (tenorFrom, amounts, tenorUnit, tenor, amount) => {
        // The rate names its cell.
        const ratesPpm = tenorFrom.map((_, row) => amounts.map((_, column) => 100 * row + column))
        const amountFrom = amounts.map((bound): Minor => minor(BigInt(bound)))
        const sheet: RateGrid = { effectiveFrom: start, tenorUnit, tenorFrom, amountFrom, ratesPpm }
        const to = tenorUnit === 'DAY' ? addDays(start, tenor) : addMonths(start, tenor)
        const rate = cardRate(sheet, { from: start, to, amount: minor(BigInt(amount)) })
        const placeOf = (bounds: readonly number[], value: number) =>
          bounds.filter((bound) => bound <= value).length - 1
        assert.equal(rate, 100 * placeOf(tenorFrom, tenor) + placeOf(amounts, amount))
      },
    ),
  )
})

test('in force is the last number that has begun', () => {
  const sheet = (number: number, effectiveFrom: string) => ({
    ...byDays,
    number,
    effectiveFrom: isoDate(effectiveFrom),
  })
  const sheets = [
    sheet(1, '2026-01-01'),
    sheet(2, '2026-06-01'),
    sheet(3, '2026-06-01'),
    sheet(4, '2027-01-01'),
  ]
  const numberOn = (day: string) => sheetInForce(sheets, isoDate(day))?.number
  assert.deepEqual(
    ['2025-12-31', '2026-01-01', '2026-05-31', '2026-06-01', '2026-12-31', '2027-01-01'].map(numberOn),
    [undefined, 1, 1, 3, 3, 4],
  )
})

test('a sheet never begins before the last one, nor in the past of a product that was sold', () => {
  const last = { ...byDays, number: 1, effectiveFrom: isoDate('2026-06-01') }
  const today = isoDate('2026-07-01')
  const codeOf = (effectiveFrom: string, isSold: boolean) =>
    refuseSheet({ ...byDays, effectiveFrom: isoDate(effectiveFrom) }, { last, isSold }, today)?.code
  assert.equal(codeOf('2026-05-31', false), 'effective_date_before_last')
  assert.equal(codeOf('2026-05-31', true), 'effective_date_before_last')
  assert.equal(codeOf('2026-06-01', false), undefined)
  assert.equal(codeOf('2026-06-30', true), 'effective_date_in_past')
  assert.equal(codeOf('2026-07-01', true), undefined)
})

test('a product has at most 1,000 sheets', () => {
  const after = (number: number) =>
    refuseSheet(byDays, { last: { ...byDays, number }, isSold: false }, start)?.code
  assert.deepEqual([after(999), after(1_000)], [undefined, 'too_many_rate_sheets'])
})

test('the rate for the time a deposit was held has the bonus of its opening', () => {
  const sheets = [
    { ...byDays, number: 1 },
    { ...byMonths, number: 2 },
  ]
  const terms = { startDate: start, principal: minor(500_000_00n), rateSheet: 1, bonusPpm: 2_500 }
  const on = isoDate('2026-04-01')
  assert.deepEqual(
    [1, 2].map((number) => cardRateOn(on, { sheets, number, terms })),
    [92_500, 52_500],
  )
})
