/**
 * The interest and the penal charge of one part of a deposit on one day, with the computation explained.
 * - 0 ≤ charge ≤ interest: a charge takes interest, never principal.
 * - Parts broken on one day are one withdrawal: interest and charge of a part are those of the day's parts together,
 *   less those of the earlier parts. So splitting a withdrawal neither gains roundings nor avoids a charge.
 * - From maturity on, interest does not grow and there is no charge.
 * - Each term is exact until its one rounding; what is summed, limited and capped is whole minor units.
 * - The explanation has every figure that led to the charge, so that it can be checked by hand.
 */
import assert from 'node:assert/strict'
import { daysBetween, type IsoDate } from './dates.ts'
import type { DayCount } from './day-count.ts'
import type { DaySums } from './day-sums.ts'
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
import { contractRate, earnedBy, growth, interestFor, interestOn, rounded } from './interest.ts'
import { formatAmount, type Minor, minor, type Rounding } from './money.ts'
import { type CardTerms, cardRateOn } from './rate-sheet.ts'
import type { Conditions, PenalRule, Range, Rate, Term } from './rules.ts'
import { type InterestEvery, type InterestMethod, wholePeriodsBy } from './schedule.ts'
import type { Terms } from './terms.ts'

/** A part of a deposit, broken on a business date. */
export type BrokenPart = {
  terms: Terms
  on: IsoDate
  /** Of this part. */
  principal: Minor
  earlierToday: DaySums | null
  /** The share that all parts of the day have of the interest paid before, and of the tax on that. */
  shares: { paid: Minor; tax: Minor }
  /** The last boundary up to which interest was paid. */
  paidTo: IsoDate | null
  /** Whether a charge also takes back interest that was paid before. */
  recover: boolean
  /** What rules may ask of the deposit besides its terms. */
  history: DepositHistory
}

export type DepositHistory = {
  rollovers: number
  /** Earlier business dates on which a part was broken and not reversed. */
  earlierLiquidations: number
  card: Omit<CardTerms, 'startDate'>
  /** The rate sheet in force on the day. */
  sheetNow: number | null
}

/** Of money that was just deposited, by no product. */
export const NO_HISTORY: DepositHistory = {
  rollovers: 0,
  earlierLiquidations: 0,
  card: { principal: minor(0n), rateSheet: null, bonusPpm: 0 },
  sheetNow: null,
}

/** What a part has of its own: that of all parts of the day, less what the earlier ones had. */
export type Assessment = {
  interest: Minor
  assessed: Minor
  paidShare: Minor
  taxShare: Minor
  unearned: Minor
  ruleIndex: number | null
  /** Built when it is asked for: most of an assessment's work would be its sentences. */
  explain: () => Explanation
}

export const NO_RULE_REASONS = ['MATURED', 'NO_RULE_MATCHED'] as const
export type NoRuleReason = (typeof NO_RULE_REASONS)[number]

export type Explanation = {
  businessDate: IsoDate
  startDate: IsoDate
  maturityDate: IsoDate
  elapsedDays: number
  termDays: number
  dayCount: DayCount
  rounding: Rounding
  annualRatePpm: number
  principal: Minor
  earlierToday: DaySums | null
  /** Of everything broken on the day, with ten fractional digits, truncated. */
  unroundedInterest: string
  /** Of the part: that interest, rounded, less that of the earlier parts. */
  interest: Minor
  rulesVersion: number
  ruleIndex: number | null
  noRuleReason: NoRuleReason | null
  terms: ExplainedTerm[]
  combine: PenalRule['combine'] | null
  /** After combine, before min and max. */
  combined: bigint | null
  /** After min and max, before the cap. */
  limited: bigint | null
  /** The limited amount less the charge of the earlier parts, when it was more than the part can bear. */
  cappedFrom: bigint | null
  assessed: Minor
  method: InterestMethod
  every: InterestEvery | null
  /** Periods that ended by the day. */
  wholePeriods: number
  /** The interest of 1, with ten fractional digits, truncated. */
  growth: string
  /** Of the part: what it earned, as money, and what of that had been paid before. */
  earned: Minor
  paidShare: Minor
}

export type ExplainedTerm = { kind: Term['kind']; amount: bigint; sentence: string }

export function assess(part: BrokenPart): Assessment {
  const { terms, on, earlierToday, shares, paidTo, recover, history } = part
  const { rules, startDate, maturityDate } = terms
  const principal = minor(part.principal + (earlierToday?.principal ?? 0n))
  const matured = on >= maturityDate
  const grown = growth(terms, contractRate(terms), on)
  const earned = minor(earnedBy(on, terms, { principal, paid: shares.paid, paidTo }))
  const due = difference(earned, shares.paid)
  const unearned = minor(difference(shares.paid, earned) - (earlierToday?.unearned ?? 0n))
  const interest = minor(due - (earlierToday?.interest ?? 0n))
  const paidShare = minor(shares.paid - (earlierToday?.paidShare ?? 0n))
  const position: Position = {
    terms,
    on,
    principal,
    elapsedDays: Math.max(0, daysBetween(startDate, on)),
    termDays: daysBetween(startDate, maturityDate),
    accrued: interestOn(principal, grown),
    earned,
    chargedEarlier: earlierToday?.assessed ?? minor(0n),
    history,
  }
  const cap = minor(recover ? interest + paidShare - unearned : interest)
  const charge = matured ? noCharge('MATURED') : chargeOf(position, cap)
  assert(charge.assessed <= cap, 'a penal charge takes interest, never principal')
  return {
    interest,
    assessed: charge.assessed,
    paidShare,
    taxShare: minor(shares.tax - (earlierToday?.taxShare ?? 0n)),
    unearned,
    ruleIndex: charge.ruleIndex,
    explain: () => ({
      businessDate: on,
      startDate,
      maturityDate,
      elapsedDays: position.elapsedDays,
      termDays: position.termDays,
      dayCount: rules.dayCount,
      rounding: rules.rounding,
      annualRatePpm: terms.annualRatePpm,
      principal: part.principal,
      earlierToday,
      unroundedInterest: exactAmountText(position.accrued),
      interest,
      rulesVersion: terms.rulesVersion,
      method: terms.method,
      every: terms.every,
      wholePeriods: wholePeriodsBy(terms, on),
      growth: boundedText(grown, EXACT_TEXT_DIGITS),
      earned: minor(interest + paidShare - unearned),
      paidShare,
      ...charge,
      terms: charge.terms.map((term) => ({ ...term, sentence: term.sentence() })),
    }),
  }
}

/** Never below zero. */
function difference(left: bigint, right: bigint): bigint {
  return left > right ? left - right : 0n
}

/**
 * The totals of everything broken on a business date: its principal is that of the part and the earlier parts together,
 * `accrued` its exact interest, paid out or not, and `earned` that as money.
 */
type Position = {
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

type Charge = Pick<
  Explanation,
  'ruleIndex' | 'noRuleReason' | 'combine' | 'combined' | 'limited' | 'cappedFrom' | 'assessed'
> & { terms: AssessedTerm[] }

type AssessedTerm = Omit<ExplainedTerm, 'sentence'> & { sentence: () => string }

/** The charge of the day's parts together, less that of the earlier ones, and no more than this one can bear. */
function chargeOf(position: Position, cap: Minor): Charge {
  const { penalRules } = position.terms.rules
  const ruleIndex = penalRules.findIndex((rule) => matches(rule.when, position))
  const rule = penalRules[ruleIndex]
  if (rule === undefined) return noCharge('NO_RULE_MATCHED')
  const terms = rule.terms.map((term) => assessTerm(term, position))
  const combined = combine(rule.combine, terms)
  const min = wholeUnits(rule.min, position)
  const max = rule.max === null ? null : wholeUnits(rule.max, position)
  const raised = combined < min ? min : combined
  const limited = max !== null && raised > max ? max : raised
  const due = difference(limited, position.chargedEarlier)
  const capped = due > cap
  return {
    ruleIndex,
    noRuleReason: null,
    terms,
    combine: rule.combine,
    combined,
    limited,
    cappedFrom: capped ? due : null,
    assessed: capped ? cap : minor(due),
  }
}

function noCharge(noRuleReason: NoRuleReason): Charge {
  return {
    ruleIndex: null,
    noRuleReason,
    terms: [],
    combine: null,
    combined: null,
    limited: null,
    cappedFrom: null,
    assessed: minor(0n),
  }
}

function matches(when: Conditions, { principal, elapsedDays, termDays, history }: Position): boolean {
  const remainingDays = termDays - elapsedDays
  return (
    isWithin(when.elapsedDays, elapsedDays) &&
    isShareWithin(when.elapsedPercent, elapsedDays, termDays) &&
    isWithin(when.remainingDays, remainingDays) &&
    isShareWithin(when.remainingPercent, remainingDays, termDays) &&
    isWithin(when.termDays, termDays) &&
    isWithin(when.amount, principal) &&
    isWithin(when.rollovers, history.rollovers) &&
    isWithin(when.earlierLiquidations, history.earlierLiquidations)
  )
}

function isWithin<Value extends number | bigint>(range: Range<Value> | undefined, value: Value): boolean {
  if (range === undefined) return true
  return (range.gte === undefined || value >= range.gte) && (range.lt === undefined || value < range.lt)
}

/** Compares days ÷ termDays with a range in parts per million, multiplied out because a quotient would be inexact. */
function isShareWithin(range: Range<number> | undefined, days: number, termDays: number): boolean {
  if (range === undefined) return true
  const scaled = days * 1_000_000
  return (
    (range.gte === undefined || scaled >= range.gte * termDays) &&
    (range.lt === undefined || scaled < range.lt * termDays)
  )
}

function combine(how: PenalRule['combine'], terms: readonly AssessedTerm[]): bigint {
  return terms
    .map((term) => term.amount)
    .reduce((left, right) => {
      if (how === 'SUM') return left + right
      const [smaller, greater] = left < right ? [left, right] : [right, left]
      return how === 'MIN' ? smaller : greater
    })
}

function assessTerm(term: Term, position: Position): AssessedTerm {
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

function assessFixed(term: Extract<Term, { kind: 'FIXED' }>, position: Position): AssessedTerm {
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
function wholeUnits(amount: Minor, { terms }: Position): bigint {
  return terms.unit === 1n ? amount : rounded(terms, exactly(fraction(amount, 1n)))
}

function assessPercent(term: Extract<Term, { kind: 'PERCENT' }>, position: Position): AssessedTerm {
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
  term: Extract<Term, { kind: 'PERCENT' }>,
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
  term: Extract<Term, { kind: 'PERIOD_INTEREST' }>,
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
function assessRerate(term: Extract<Term, { kind: 'RERATE' }>, position: Position): AssessedTerm {
  const { terms, on, principal, accrued, earned } = position
  const rate = resolveRate(term.rate, position)
  const exact = interestOn(principal, growth(terms, rate.ppm, on))
  const rerated = rounded(terms, exact)
  const lower = rerated < earned
  const amount = lower ? earned - rerated : 0n
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

const EXACT_TEXT_DIGITS = 10

function roundedText(terms: Terms, exact: Bounded): string {
  return `${exactAmountText(exact)}, rounded ${terms.rules.rounding} to ${formatAmount(rounded(terms, exact))}`
}

function percentText(ppm: Fraction): string {
  if (ppm.numerator % ppm.denominator === 0n) return formatPpm(ppm.numerator / ppm.denominator)
  return decimalText(fraction(ppm.numerator, ppm.denominator * 10_000n), EXACT_TEXT_DIGITS)
}

/** Minor units as an amount with ten fractional digits. */
function exactAmountText(exact: Bounded): string {
  return boundedText(scale(exact, fraction(1n, 100n)), EXACT_TEXT_DIGITS)
}

function countDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

function later(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right
}
