/**
 * The rates of a product by tenor and amount. A sheet is a full grid: every tenor and every amount has exactly one rate.
 * Sheets are numbered and never changed; in force on a day is the last one whose first day is not later.
 */
import assert from 'node:assert/strict'
import { completedMonths, daysBetween, type IsoDate } from './dates.ts'
import type { Minor } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { AgreedTenor } from './schedule.ts'

/** Row i is for tenors from tenorFrom[i] to below the next, column j for amounts alike; the last ones are open. */
export type RateGrid = {
  effectiveFrom: IsoDate
  tenorUnit: AgreedTenor['unit']
  tenorFrom: readonly number[]
  amountFrom: readonly Minor[]
  /** 0 is not offered at an opening. */
  ratesPpm: readonly (readonly number[])[]
}

export type RateSheet = RateGrid & { number: number }

export const SHEET_ROWS_MAX = 24
export const SHEET_COLUMNS_MAX = 8
export const SHEETS_MAX = 1_000

/** The rate of money that is agreed, or was held, from one day to another. */
export function cardRate(sheet: RateGrid, held: { from: IsoDate; to: IsoDate; amount: Minor }): number {
  const { from, to, amount } = held
  const tenor = sheet.tenorUnit === 'DAY' ? Math.max(0, daysBetween(from, to)) : completedMonths(from, to)
  const row = sheet.tenorFrom.findLastIndex((first) => first <= tenor)
  const column = sheet.amountFrom.findLastIndex((first) => first <= amount)
  const rate = sheet.ratesPpm[row]?.[column]
  assert(rate !== undefined, 'a rate sheet has a rate for every tenor and amount')
  return rate
}

/** Sheets ascend by number. */
export function sheetInForce(sheets: readonly RateSheet[], on: IsoDate): RateSheet | undefined {
  return sheets.findLast(({ effectiveFrom }) => effectiveFrom <= on)
}

/** Rates that rules may start from besides the deposit's own. */
export const CARD_RATES = ['CARD_AT_OPENING', 'CARD_NOW'] as const
export type CardRate = (typeof CARD_RATES)[number]

/** What the rates of a product's sheets depend on, besides the day: what was agreed at the opening. */
export type CardTerms = {
  startDate: IsoDate
  /** At the opening, also for a part. */
  principal: Minor
  /** The number of the sheet in force at the start. */
  rateSheet: number | null
  bonusPpm: number
}

/** The rate that a deposit would have had by a sheet if it had been agreed for the time it was held. */
export function cardRateOn(
  on: IsoDate,
  { sheets, number, terms }: { sheets: readonly RateSheet[]; number: number | null; terms: CardTerms },
): number {
  const { startDate, principal, bonusPpm } = terms
  const sheet = sheets.find((one) => one.number === number)
  assert(sheet !== undefined, 'the rate sheets of a deposit that was opened by them exist')
  return cardRate(sheet, { from: startDate, to: on, amount: principal }) + bonusPpm
}

/** Why a further sheet cannot be added. Sheets never change what was. */
export function refuseSheet(
  grid: RateGrid,
  known: { last: RateSheet | undefined; isSold: boolean },
  today: IsoDate,
): Refusal | null {
  const { last, isSold } = known
  if (last !== undefined && grid.effectiveFrom < last.effectiveFrom) {
    return refuse('effective_date_before_last', { effective_from: last.effectiveFrom })
  }
  if (isSold && grid.effectiveFrom < today) return refuse('effective_date_in_past', { business_date: today })
  if ((last?.number ?? 0) >= SHEETS_MAX) return refuse('too_many_rate_sheets', { maximum: SHEETS_MAX })
  return null
}
