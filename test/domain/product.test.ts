/** What a product offers, at the ends of its limits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Calendar, OPEN_EVERY_DAY } from '../../src/domain/calendar.ts'
import { isoDate } from '../../src/domain/dates.ts'
import { minor } from '../../src/domain/money.ts'
import { offerFor, type Product, type Wish } from '../../src/domain/product.ts'
import type { RateSheet } from '../../src/domain/rate-sheet.ts'

const startDate = isoDate('2026-01-01')
const product: Product = {
  ...{ name: 'Harbour', currency: 'NGN', status: 'OPEN' },
  ...{ minAmount: minor(100n), maxAmount: minor(1_000n) },
  tenor: { unit: 'DAY', min: 30, max: 90, multiple: 30 },
  interest: { method: 'AT_MATURITY', every: null, recoverPaidInterest: false },
  maturity: { onHoliday: 'SAME_DAY', instruction: 'PAY_OUT', rolloverLimit: null },
  negotiatedRate: { minPpm: 90_000, maxPpm: 120_000 },
  bonuses: new Map([['STAFF', 5_000]]),
  rules: null,
}
const sheet: RateSheet = {
  ...{ number: 1, effectiveFrom: startDate, tenorUnit: 'DAY', tenorFrom: [0] },
  ...{ amountFrom: [minor(0n)], ratesPpm: [[100_000]] },
}

function offer(
  wish: Partial<Wish>,
  changes: { product?: Partial<Product>; sheet?: Partial<RateSheet>; calendar?: Calendar } = {},
): string | { ratePpm: number; pointsPpm: number | null } {
  const asked: Wish = {
    ...{
      amount: minor(500n),
      tenor: { unit: 'DAY', count: 60 },
      startDate,
      bonusCodes: [],
      negotiatedPpm: null,
    },
    ...wish,
  }
  const offered = offerFor(asked, {
    product: { ...product, ...changes.product },
    sheets: [{ ...sheet, ...changes.sheet }],
    calendar: changes.calendar ?? OPEN_EVERY_DAY,
  })
  if (offered.outcome === 'refused') return offered.code
  return { ratePpm: offered.offer.annualRatePpm, pointsPpm: offered.offer.negotiatedPointsPpm }
}

test('the smallest and the largest amount are offered, and none beside them', () => {
  const plain = { ratePpm: 100_000, pointsPpm: null }
  const offers = [99n, 100n, 1_000n, 1_001n].map((amount) => offer({ amount: minor(amount) }))
  assert.deepEqual(offers, ['amount_not_offered', plain, plain, 'amount_not_offered'])
})

test('a rate is negotiated within its range, and its points are counted from the sheet, bonuses and all', () => {
  const rates = [89_999, 90_000, 120_000, 120_001].map((negotiatedPpm) => offer({ negotiatedPpm }))
  assert.deepEqual(rates, [
    'rate_out_of_range',
    { ratePpm: 90_000, pointsPpm: -10_000 },
    { ratePpm: 120_000, pointsPpm: 20_000 },
    'rate_out_of_range',
  ])
  const withBonus = { bonusCodes: ['STAFF'], negotiatedPpm: 110_000 }
  assert.deepEqual(offer(withBonus), { ratePpm: 110_000, pointsPpm: 10_000 })
  assert.deepEqual(offer({ bonusCodes: ['STAFF'] }), { ratePpm: 105_000, pointsPpm: null })
})

test('a tenor is offered in the unit of the product alone', () => {
  assert.equal(offer({ tenor: { unit: 'MONTH', count: 60 } }), 'tenor_not_offered')
})

test('all bonuses count, and the rate is above nothing and at most 100 %', () => {
  const bonuses = new Map([
    ['STAFF', 5_000],
    ['LOYAL', 2_500],
    ['WHOLE', 900_000],
    ['MORE', 900_001],
    ['LESS', -99_999],
    ['NOTHING', -100_000],
  ])
  const rates = [['STAFF', 'LOYAL'], ['LOYAL', 'STAFF'], ['WHOLE'], ['MORE'], ['LESS'], ['NOTHING']].map(
    (bonusCodes) => {
      const offered = offer({ bonusCodes }, { product: { bonuses } })
      return typeof offered === 'string' ? offered : offered.ratePpm
    },
  )
  assert.deepEqual(rates, [107_500, 107_500, 1_000_000, 'rate_out_of_range', 1, 'rate_out_of_range'])
})

test('the sheet is read for the agreed tenor, wherever a holiday moves the maturity', () => {
  const calendar: Calendar = { weekend: [], holidays: [isoDate('2026-03-02')] }
  const nextDay = { product: { maturity: { ...product.maturity, onHoliday: 'NEXT_BUSINESS_DAY' as const } } }
  const moreLater = { tenorFrom: [0, 61], ratesPpm: [[100_000], [200_000]] }
  assert.deepEqual(offer({}, { ...nextDay, calendar, sheet: moreLater }), {
    ratePpm: 100_000,
    pointsPpm: null,
  })
})
