/** The three products that the demo bank sells, and a deposit by each of them: interest paid out, grown, and paid first. */

import type { IsoDate } from '../domain/dates.ts'
import { minor } from '../domain/money.ts'
import type { Product } from '../domain/product.ts'
import type { RateGrid } from '../domain/rate-sheet.ts'

type DemoProduct = {
  productCode: string
  product: Product
  grid: RateGrid
  /** The tenors that customers take. */
  tenors: readonly number[]
  /** Its customer is given by a place among those of the demo bank. */
  deposit: { customer: number; amount: bigint; tenor: number; ageDays: number }
}

const SHEET = { effectiveFrom: '2020-01-01' as IsoDate, amountFrom: [minor(0n), minor(1_000_000_00n)] }

const MONTHLY: Product = {
  name: 'Harbour Income',
  currency: 'NGN',
  status: 'OPEN',
  minAmount: minor(50_000_00n),
  maxAmount: null,
  tenor: { unit: 'MONTH', min: 3, max: 36, multiple: 3 },
  interest: { method: 'PAYOUT', every: 'MONTH', recoverPaidInterest: true },
  maturity: { onHoliday: 'SAME_DAY', instruction: 'PAY_OUT', rolloverLimit: null },
  negotiatedRate: null,
  bonuses: new Map([
    ['SENIOR', 5_000],
    ['STAFF', 10_000],
  ]),
  rules: null,
}

export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  {
    productCode: 'HARBOUR-INCOME',
    product: MONTHLY,
    grid: {
      ...SHEET,
      tenorUnit: 'MONTH',
      tenorFrom: [0, 3, 12],
      ratesPpm: [
        [0, 0],
        [90_000, 95_000],
        [110_000, 115_000],
      ],
    },
    tenors: [3, 6, 12, 24],
    deposit: { customer: 1, amount: 500_000_00n, tenor: 12, ageDays: 100 },
  },
  {
    productCode: 'HARBOUR-GROWTH',
    product: {
      ...MONTHLY,
      name: 'Harbour Growth',
      interest: { method: 'COMPOUND', every: 'QUARTER', recoverPaidInterest: false },
      maturity: { onHoliday: 'SAME_DAY', instruction: 'ROLL_OVER', rolloverLimit: 5 },
      negotiatedRate: { minPpm: 80_000, maxPpm: 150_000 },
    },
    grid: {
      ...SHEET,
      tenorUnit: 'MONTH',
      tenorFrom: [0, 6, 12, 24],
      ratesPpm: [
        [0, 0],
        [95_000, 100_000],
        [115_000, 120_000],
        [125_000, 130_000],
      ],
    },
    tenors: [6, 12, 24],
    deposit: { customer: 4, amount: 300_000_00n, tenor: 24, ageDays: 200 },
  },
  {
    productCode: 'HARBOUR-ADVANCE',
    product: {
      ...MONTHLY,
      name: 'Harbour Advance',
      tenor: { unit: 'DAY', min: 30, max: 365, multiple: 1 },
      interest: { method: 'UPFRONT', every: null, recoverPaidInterest: true },
    },
    grid: {
      ...SHEET,
      tenorUnit: 'DAY',
      tenorFrom: [0, 30, 90, 180],
      ratesPpm: [
        [0, 0],
        [70_000, 75_000],
        [85_000, 90_000],
        [95_000, 100_000],
      ],
    },
    tenors: [90, 180, 365],
    deposit: { customer: 6, amount: 400_000_00n, tenor: 180, ageDays: 45 },
  },
]
