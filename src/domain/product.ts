/**
 * What a bank sells: a product fixes currency, amounts, tenors, interest, maturity, bonuses and rules of the deposits
 * opened by it. A version is written whole and never changed, and a deposit keeps the version it was opened by.
 */
import { type Calendar, nextBusinessDay } from './calendar.ts'
import type { IsoDate } from './dates.ts'
import type { MaturityInstruction } from './deposit.ts'
import type { Minor } from './money.ts'
import { cardRate, type RateSheet, sheetInForce } from './rate-sheet.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import { type AgreedTenor, agreedMaturityOf, type InterestEvery, type InterestMethod } from './schedule.ts'

export const PRODUCT_STATUSES = ['OPEN', 'CLOSED'] as const
export const HOLIDAY_RULES = ['SAME_DAY', 'NEXT_BUSINESS_DAY'] as const
export const PRODUCT_CODE = '^[A-Z0-9][A-Z0-9_-]{0,31}$'
export const PRODUCTS_MAX = 200

export type Product = {
  name: string
  currency: string
  /** CLOSED: no deposit is opened by it any more; what was opened continues. */
  status: (typeof PRODUCT_STATUSES)[number]
  minAmount: Minor
  maxAmount: Minor | null
  tenor: { unit: AgreedTenor['unit']; min: number; max: number; multiple: number }
  interest: { method: InterestMethod; every: InterestEvery | null; recoverPaidInterest: boolean }
  maturity: {
    onHoliday: (typeof HOLIDAY_RULES)[number]
    instruction: MaturityInstruction
    /** How often a deposit may roll over; null: without limit. */
    rolloverLimit: number | null
  }
  /** null: only the rate of the sheet. */
  negotiatedRate: { minPpm: number; maxPpm: number } | null
  /** Points by code, added to the rate of the sheet. */
  bonuses: ReadonlyMap<string, number>
  /** null: the caller's, in force at the opening. */
  rules: RuleSet | null
}

export type ProductVersion = { productCode: string; version: number; product: Product; createdAt: Date }

/** What a customer asks for. */
export type Wish = {
  amount: Minor
  tenor: AgreedTenor
  startDate: IsoDate
  bonusCodes: readonly string[]
  /** null: the rate of the sheet. */
  negotiatedPpm: number | null
}

/** What the product offers for it. */
export type Offer = {
  annualRatePpm: number
  rateSheet: number
  bonusPpm: number
  /** Percentage points above the sheet, in parts per million; null: the rate was not negotiated. */
  negotiatedPointsPpm: number | null
  maturityDate: IsoDate
}

const RATE_PPM_MAX = 1_000_000

/** The refusals that an opening, a quote and a rollover share, in their order. */
export function offerFor(
  wish: Wish,
  known: { product: Product; sheets: readonly RateSheet[]; calendar: Calendar },
): { outcome: 'offered'; offer: Offer } | Refusal {
  const { product, sheets, calendar } = known
  const { amount, tenor, startDate, bonusCodes } = wish
  const { minAmount, maxAmount } = product
  if (amount < minAmount || (maxAmount !== null && amount > maxAmount)) {
    return refuse('amount_not_offered', { minimum: minAmount, maximum: maxAmount })
  }
  if (!isTenorOffered(product, tenor)) return tenorNotOffered(product)
  const sheet = sheetInForce(sheets, startDate)
  if (sheet === undefined) return refuse('no_rate_sheet')
  const agreedMaturity = agreedMaturityOf(startDate, tenor)
  const sheetPpm = cardRate(sheet, { from: startDate, to: agreedMaturity, amount })
  if (sheetPpm === 0) return tenorNotOffered(product)
  const unknown = bonusCodes.find((code) => !product.bonuses.has(code))
  if (unknown !== undefined) return refuse('bonus_not_offered', { bonus: unknown })
  const bonusPpm = bonusOf(product, bonusCodes)
  const rate = rateFor(wish, product, sheetPpm + bonusPpm)
  if (typeof rate !== 'number') return rate

  // After this point it is offered.
  return {
    outcome: 'offered',
    offer: {
      annualRatePpm: rate,
      rateSheet: sheet.number,
      bonusPpm,
      negotiatedPointsPpm: wish.negotiatedPpm === null ? null : rate - sheetPpm,
      maturityDate:
        product.maturity.onHoliday === 'SAME_DAY'
          ? agreedMaturity
          : nextBusinessDay(calendar, agreedMaturity),
    },
  }
}

/** The points of all codes together; a code that the product lost has none. */
export function bonusOf({ bonuses }: Product, codes: readonly string[]): number {
  return codes.reduce((sum, code) => sum + (bonuses.get(code) ?? 0), 0)
}

function isTenorOffered({ tenor: { unit, min, max, multiple } }: Product, wished: AgreedTenor): boolean {
  return wished.unit === unit && wished.count >= min && wished.count <= max && wished.count % multiple === 0
}

function tenorNotOffered({ tenor: { unit, min, max, multiple } }: Product): Refusal {
  return refuse('tenor_not_offered', { minimum: min, maximum: max, unit, multiple })
}

function rateFor({ negotiatedPpm }: Wish, { negotiatedRate }: Product, offeredPpm: number): number | Refusal {
  if (negotiatedPpm === null) {
    if (offeredPpm > 0 && offeredPpm <= RATE_PPM_MAX) return offeredPpm
    return refuse('rate_out_of_range', { minimum: 0, maximum: 100 })
  }
  if (negotiatedRate === null) return refuse('rate_not_negotiable')
  const { minPpm, maxPpm } = negotiatedRate
  if (negotiatedPpm >= minPpm && negotiatedPpm <= maxPpm) return negotiatedPpm
  return refuse('rate_out_of_range', { minimum: minPpm / 10_000, maximum: maxPpm / 10_000 })
}
