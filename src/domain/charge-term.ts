/**
 * The terms of a penal charge: each is exact until its one rounding, and explains itself in a sentence with every figure
 * that led to it.
 */
import type { IsoDate } from './dates.ts'
import { formatPpm, formatUnits } from './decimal.ts'
import {
  add,
  type Bounded,
  boundedText,
  decimalText,
  exactly,
  type Fraction,
  fraction,
  multiply,
  scale,
} from './fraction.ts'
import { contractRate, growth, interestFor, interestOn, rounded } from './interest.ts'
import { formatAmount, type Minor, minor } from './money.ts'
import { type CardTerms, cardRateOn } from './rate-sheet.ts'
import type { ChargeTerm, Rate } from './rules.ts'
import type { Terms } from './terms.ts'

export type ExplainedTerm = { kind: ChargeTerm['kind']; amount: bigint; sentence: string }

export type DepositHistory = {
  rollovers: number
  /** Earlier business dates on which a part was broken and not reversed. */
  earlierLiquidations: number
  card: Omit<CardTerms, 'startDate'>
  /** The rate sheet in force on the day. */
  sheetNow: number | null
}

/** The history of money that was just deposited, by no product. */
export const NO_HISTORY: DepositHistory = {
  rollovers: 0,
  earlierLiquidations: 0,
  card: { principal: minor(0n), rateSheet: null, bonusPpm: 0 },
  sheetNow: null,
}

/**
 * The totals of everything broken on a business date: its principal is that of the part and the earlier parts together,
 * `accrued` its exact interest, paid out or not, and `earned` that as money.
 */
export type Position = {
  terms: Terms
  on: IsoDate
  principal: Minor
  elapsedDays: number
  termDays: number
  accrued: Bounded
  earned: Minor
  chargedEarlier: Minor
  history: DepositHistory
}

export type AssessedTerm = Omit<ExplainedTerm, 'sentence'> & { sentence: () => string }

export function assessTerm(term: ChargeTerm, position: Position): AssessedTerm {
  switch (term.kind) {
    case 'FIXED':
      return assessFixed(term, position)
    case 'PERCENT':
      return assessPercent(term, position)
    case 'PERIOD_INTEREST':
      return assessPeriodInterest(term, position)
    case 'RERATE':
      return assessRerate(term, position)
    default:
      return term satisfies never
  }
}

function assessFixed(term: Extract<ChargeTerm, { kind: 'FIXED' }>, position: Position): AssessedTerm {
  const amount = wholeUnits(term.amount, position)
  const { rounding } = position.terms.rules
  return {
    kind: term.kind,
    amount,
    sentence: () =>
      amount === term.amount
        ? `A fixed amount of ${formatAmount(amount)}.`
        : `A fixed amount of ${formatAmount(term.amount)}, rounded ${rounding} to ${formatAmount(amount)}.`,
  }
}

/** An amount of the rules, which may name cents that the currency does not have. */
export function wholeUnits(amount: Minor, { terms }: Position): bigint {
  return terms.unit === 1n ? amount : rounded(terms, exactly(fraction(amount, 1n)))
}

function assessPercent(term: Extract<ChargeTerm, { kind: 'PERCENT' }>, position: Position): AssessedTerm {
  const { terms } = position
  const base = percentBase(term, position)
  const exact = scale(base.amount, fraction(BigInt(term.percentPpm), 1_000_000n))
  return {
    kind: term.kind,
    amount: rounded(terms, exact),
    sentence: () =>
      `${formatPpm(term.percentPpm)} % of ${base.name} ${base.text()} is ${roundedText(terms, exact)}.`,
  }
}

function percentBase(
  term: Extract<ChargeTerm, { kind: 'PERCENT' }>,
  { terms, principal, accrued }: Position,
): { name: string; text: () => string; amount: Bounded } {
  switch (term.of) {
    case 'ACCRUED_INTEREST':
      return { name: 'the accrued interest', text: () => exactAmountText(accrued), amount: accrued }
    case 'PRINCIPAL':
      return {
        name: 'the principal',
        text: () => formatAmount(principal),
        amount: exactly(fraction(principal, 1n)),
      }
    case 'TERM_INTEREST': {
      const amount = interestOn(principal, growth(terms, contractRate(terms), terms.maturityDate))
      return { name: 'the interest to maturity', text: () => exactAmountText(amount), amount }
    }
    default:
      return term.of satisfies never
  }
}

function assessPeriodInterest(
  term: Extract<ChargeTerm, { kind: 'PERIOD_INTEREST' }>,
  position: Position,
): AssessedTerm {
  const { terms, on, principal, elapsedDays, termDays } = position
  const rate = resolveRate(term.rate ?? { of: 'CONTRACT' }, position)
  const days = term.period === 'REMAINING' ? termDays - elapsedDays : term.period.days
  const span = term.period === 'REMAINING' ? { from: later(terms.startDate, on) } : { days }
  const { exact, partOfYear } = interestFor(terms, principal, { ratePpm: rate.ppm, span })
  return {
    kind: term.kind,
    amount: rounded(terms, exactly(exact)),
    sentence: () =>
      `Interest on ${formatAmount(principal)} at ${rate.text()} for ` +
      `${term.period === 'REMAINING' ? 'the remaining ' : ''}${countDays(days)} ` +
      `(${partOfYear.numerator}/${partOfYear.denominator} of a year) is ${roundedText(terms, exactly(exact))}.`,
  }
}

/** Both interests are rounded before the difference is taken: that is what the customer's two statements show. */
function assessRerate(term: Extract<ChargeTerm, { kind: 'RERATE' }>, position: Position): AssessedTerm {
  const { terms, on, principal, accrued, earned } = position
  const rate = resolveRate(term.rate, position)
  const exact = interestOn(principal, growth(terms, rate.ppm, on))
  const amount = lessThan(earned, exact, terms)
  const lower = amount > 0n
  return {
    kind: term.kind,
    amount,
    sentence: () =>
      `Interest at the contract rate of ${formatPpm(terms.annualRatePpm)} % is ` +
      `${exactAmountText(accrued)}, rounded ${terms.rules.rounding} to ${formatAmount(earned)}; ` +
      `at ${rate.text()} it is ${roundedText(terms, exact)}; ` +
      (lower ? `the difference is ${formatAmount(amount)}.` : 'that is no less, so the amount is 0.00.'),
  }
}

/**
 * How much less than an amount an exact one is, rounded. Where its lower bound is no less, the exact one is not computed:
 * at a higher rate it may have any number of digits.
 */
function lessThan(amount: bigint, exact: Bounded, terms: Terms): bigint {
  const least = rounded(terms, exactly(exact.lower))
  if (least >= amount) return 0n
  const whole = exact.lower === exact.upper ? least : rounded(terms, exact)
  return whole < amount ? amount - whole : 0n
}

/** The exact rate in parts per million, and the steps that led to it. */
function resolveRate(rate: Rate, position: Position): { ppm: Fraction; text: () => string } {
  const startPpm = startOf(rate, position)
  const start = fraction(BigInt(startPpm), 1n)
  const factor = factorOf(rate, position)
  const multiplied = factor === null ? start : multiply(start, factor)
  const ppm = rate.addPpm === undefined ? multiplied : add(multiplied, fraction(BigInt(rate.addPpm), 1n))
  const isNegative = ppm.numerator < 0n
  return {
    ppm: isNegative ? fraction(0n, 1n) : ppm,
    text: () => rateText(rate, position, startPpm) + result(),
  }

  function result(): string {
    if (isNegative) return ', which is below zero and taken as 0 %,'
    return factor === null && rate.addPpm === undefined ? '' : `, which is ${percentText(ppm)} %,`
  }
}

function startOf(rate: Rate, { terms, on, history }: Position): number {
  if (rate.of === 'CONTRACT') return terms.annualRatePpm
  if (rate.of === 'FIXED') return rate.valuePpm
  const { card, sheetNow } = history
  const { startDate, rules } = terms
  const number = rate.of === 'CARD_NOW' ? sheetNow : card.rateSheet
  return cardRateOn(on, { sheets: rules.sheets ?? [], number, terms: { startDate, ...card } })
}

const RATE_NAMES: Record<Rate['of'], string> = {
  CONTRACT: 'the contract rate',
  FIXED: 'the fixed rate',
  CARD_AT_OPENING: 'the rate of the sheet at the opening',
  CARD_NOW: 'the rate of the sheet of the day',
}

function factorOf({ multiply }: Rate, { elapsedDays, termDays }: Position): Fraction | null {
  if (multiply === undefined) return null
  if (multiply === 'ELAPSED_FRACTION') return fraction(BigInt(elapsedDays), BigInt(termDays))
  return fraction(BigInt(multiply), 1_000_000n)
}

function rateText(rate: Rate, { elapsedDays, termDays }: Position, startPpm: number): string {
  let text = `${RATE_NAMES[rate.of]} of ${formatPpm(startPpm)} %`
  if (rate.multiply === 'ELAPSED_FRACTION') {
    text += ` times ${elapsedDays}/${termDays} (elapsed days of the term)`
  } else if (rate.multiply !== undefined) text += ` times ${formatUnits(BigInt(rate.multiply), 6)}`
  if (rate.addPpm !== undefined) {
    const pointsPpm = Math.abs(rate.addPpm)
    text += ` ${rate.addPpm < 0 ? 'minus' : 'plus'} ${formatPpm(pointsPpm)} percentage `
    text += pointsPpm === 10_000 ? 'point' : 'points'
  }
  return text
}

export const EXACT_TEXT_DIGITS = 10

function roundedText(terms: Terms, exact: Bounded): string {
  return `${exactAmountText(exact)}, rounded ${terms.rules.rounding} to ${formatAmount(rounded(terms, exact))}`
}

function percentText(ppm: Fraction): string {
  if (ppm.numerator % ppm.denominator === 0n) return formatPpm(ppm.numerator / ppm.denominator)
  return decimalText(fraction(ppm.numerator, ppm.denominator * 10_000n), EXACT_TEXT_DIGITS)
}

/** Minor units as an amount with ten fractional digits. */
export function exactAmountText(exact: Bounded): string {
  return boundedText(scale(exact, fraction(1n, 100n)), EXACT_TEXT_DIGITS)
}

function countDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

function later(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right
}
