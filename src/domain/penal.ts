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
import { type DayCount, dayCountFraction, periodFraction } from './day-count.ts'
import { formatPpm, formatUnits } from './decimal.ts'
import { add, decimalText, type Fraction, fraction, multiply, roundFraction } from './fraction.ts'
import { exactInterest } from './interest.ts'
import { formatAmount, type Minor, minor, type Rounding } from './money.ts'
import type { Conditions, PenalRule, Range, Rate, RuleSet, Term } from './rules.ts'

/**
 * What was broken of a deposit before, on the same business date; `penal` is the part of `assessed` that was deducted.
 */
export type BrokenEarlier = { principal: Minor; interest: Minor; assessed: Minor; penal: Minor; tax: Minor }

/** `principal` is the part that is assessed, not the whole deposit. */
export type Terms = {
  principal: Minor
  earlierToday: BrokenEarlier | null
  annualRatePpm: number
  startDate: IsoDate
  maturityDate: IsoDate
  rules: RuleSet
  rulesVersion: number
  businessDate: IsoDate
}

type Assessment = {
  interest: Minor
  assessed: Minor
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
  earlierToday: BrokenEarlier | null
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
  /** The limited amount less the charge of the earlier parts, when it was more than the interest of the part. */
  cappedFrom: bigint | null
  assessed: Minor
}

export type ExplainedTerm = { kind: Term['kind']; amount: bigint; sentence: string }

export function assess(terms: Terms): Assessment {
  const { earlierToday, annualRatePpm, startDate, maturityDate, rules, businessDate } = terms
  const together = minor(terms.principal + (earlierToday?.principal ?? 0n))
  const matured = businessDate >= maturityDate
  const earnedTo = matured ? maturityDate : businessDate
  const yearFraction = dayCountFraction(rules.dayCount, startDate, earnedTo)
  const accrued = exactInterest({ principal: together, annualRatePpm, fraction: yearFraction })
  const earned = minor(roundFraction(accrued, rules.rounding))
  const interest = minor(earned - (earlierToday?.interest ?? 0n))
  const elapsedDays = Math.max(0, daysBetween(startDate, businessDate))
  const termDays = daysBetween(startDate, maturityDate)
  const position: Position = {
    terms: { ...terms, principal: together },
    elapsedDays,
    termDays,
    yearFraction,
    accrued,
    earned,
  }
  const charge = matured ? noCharge('MATURED') : chargeOf(position, interest)
  assert(charge.assessed <= interest, 'a penal charge takes interest, never principal')
  return {
    interest,
    assessed: charge.assessed,
    ruleIndex: charge.ruleIndex,
    explain: () => ({
      businessDate,
      startDate,
      maturityDate,
      elapsedDays,
      termDays,
      dayCount: rules.dayCount,
      rounding: rules.rounding,
      annualRatePpm,
      principal: terms.principal,
      earlierToday,
      unroundedInterest: exactAmountText(accrued),
      interest,
      rulesVersion: terms.rulesVersion,
      ...charge,
      terms: charge.terms.map((term) => ({ ...term, sentence: term.sentence() })),
    }),
  }
}

/**
 * The totals of everything broken on a business date: its principal is that of the part and the earlier parts together,
 * `accrued` its exact interest and `earned` that, rounded.
 */
type Position = {
  terms: Terms
  elapsedDays: number
  termDays: number
  yearFraction: Fraction
  accrued: Fraction
  earned: Minor
}

type Charge = Pick<
  Explanation,
  'ruleIndex' | 'noRuleReason' | 'combine' | 'combined' | 'limited' | 'cappedFrom' | 'assessed'
> & { terms: AssessedTerm[] }

type AssessedTerm = Omit<ExplainedTerm, 'sentence'> & { sentence: () => string }

/** The charge of the day's parts together, less that of the earlier ones, and no more than the interest of this one. */
function chargeOf(position: Position, interest: Minor): Charge {
  const { penalRules } = position.terms.rules
  const ruleIndex = penalRules.findIndex((rule) => matches(rule.when, position))
  const rule = penalRules[ruleIndex]
  if (rule === undefined) return noCharge('NO_RULE_MATCHED')
  const terms = rule.terms.map((term) => assessTerm(term, position))
  const combined = combine(rule.combine, terms)
  const raised = combined < rule.min ? rule.min : combined
  const limited = rule.max !== null && raised > rule.max ? rule.max : raised
  const before = position.terms.earlierToday?.assessed ?? 0n
  const due = limited > before ? limited - before : 0n
  const capped = due > interest
  return {
    ruleIndex,
    noRuleReason: null,
    terms,
    combine: rule.combine,
    combined,
    limited,
    cappedFrom: capped ? due : null,
    assessed: capped ? interest : minor(due),
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

function matches(when: Conditions, { terms, elapsedDays, termDays }: Position): boolean {
  const remainingDays = termDays - elapsedDays
  return (
    isWithin(when.elapsedDays, elapsedDays) &&
    isShareWithin(when.elapsedPercent, elapsedDays, termDays) &&
    isWithin(when.remainingDays, remainingDays) &&
    isShareWithin(when.remainingPercent, remainingDays, termDays) &&
    isWithin(when.termDays, termDays) &&
    isWithin(when.amount, terms.principal)
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
      return {
        kind: term.kind,
        amount: term.amount,
        sentence: () => `A fixed amount of ${formatAmount(term.amount)}.`,
      }
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

function assessPercent(term: Extract<Term, { kind: 'PERCENT' }>, position: Position): AssessedTerm {
  const base = percentBase(term, position)
  const exact = multiply(base.amount, fraction(BigInt(term.percentPpm), 1_000_000n))
  const { rounding } = position.terms.rules
  return {
    kind: term.kind,
    amount: roundFraction(exact, rounding),
    sentence: () =>
      `${formatPpm(term.percentPpm)} % of ${base.name} ${base.text()} is ${roundedText(exact, rounding)}.`,
  }
}

function percentBase(
  term: Extract<Term, { kind: 'PERCENT' }>,
  { terms, accrued }: Position,
): { name: string; text: () => string; amount: Fraction } {
  const { principal, annualRatePpm, startDate, maturityDate, rules } = terms
  switch (term.of) {
    case 'ACCRUED_INTEREST':
      return { name: 'the accrued interest', text: () => exactAmountText(accrued), amount: accrued }
    case 'PRINCIPAL':
      return { name: 'the principal', text: () => formatAmount(principal), amount: fraction(principal, 1n) }
    case 'TERM_INTEREST': {
      const yearFraction = dayCountFraction(rules.dayCount, startDate, maturityDate)
      const amount = exactInterest({ principal, annualRatePpm, fraction: yearFraction })
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
  const { terms, elapsedDays, termDays } = position
  const { dayCount, rounding } = terms.rules
  const rate = resolveRate(term.rate ?? { of: 'CONTRACT' }, position)
  const days = term.period === 'REMAINING' ? termDays - elapsedDays : term.period.days
  const period =
    term.period === 'REMAINING'
      ? dayCountFraction(dayCount, later(terms.startDate, terms.businessDate), terms.maturityDate)
      : periodFraction(dayCount, days)
  const exact = exactInterest({ principal: terms.principal, annualRatePpm: rate.ppm, fraction: period })
  return {
    kind: term.kind,
    amount: roundFraction(exact, rounding),
    sentence: () =>
      `Interest on ${formatAmount(terms.principal)} at ${rate.text()} for ` +
      `${term.period === 'REMAINING' ? 'the remaining ' : ''}${countDays(days)} ` +
      `(${period.numerator}/${period.denominator} of a year) is ${roundedText(exact, rounding)}.`,
  }
}

/** Both interests are rounded before the difference is taken: that is what the customer's two statements show. */
function assessRerate(term: Extract<Term, { kind: 'RERATE' }>, position: Position): AssessedTerm {
  const { terms, accrued, earned, yearFraction } = position
  const { principal, annualRatePpm, rules } = terms
  const rate = resolveRate(term.rate, position)
  const exact = exactInterest({ principal, annualRatePpm: rate.ppm, fraction: yearFraction })
  const rerated = roundFraction(exact, rules.rounding)
  const lower = rerated < earned
  const amount = lower ? earned - rerated : 0n
  return {
    kind: term.kind,
    amount,
    sentence: () =>
      `Interest at the contract rate of ${formatPpm(annualRatePpm)} % is ` +
      `${roundedText(accrued, rules.rounding)}; at ${rate.text()} it is ${roundedText(exact, rules.rounding)}; ` +
      (lower ? `the difference is ${formatAmount(amount)}.` : 'that is no less, so the amount is 0.00.'),
  }
}

/** The exact rate in parts per million, and the steps that led to it. */
function resolveRate(rate: Rate, position: Position): { ppm: Fraction; text: () => string } {
  const startPpm = rate.of === 'CONTRACT' ? position.terms.annualRatePpm : rate.valuePpm
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

function factorOf({ multiply }: Rate, { elapsedDays, termDays }: Position): Fraction | null {
  if (multiply === undefined) return null
  if (multiply === 'ELAPSED_FRACTION') return fraction(BigInt(elapsedDays), BigInt(termDays))
  return fraction(BigInt(multiply), 1_000_000n)
}

function rateText(rate: Rate, { elapsedDays, termDays }: Position, startPpm: number): string {
  let text = `${rate.of === 'CONTRACT' ? 'the contract rate' : 'the fixed rate'} of ${formatPpm(startPpm)} %`
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

function roundedText(exact: Fraction, rounding: Rounding): string {
  return `${exactAmountText(exact)}, rounded ${rounding} to ${formatAmount(roundFraction(exact, rounding))}`
}

function percentText(ppm: Fraction): string {
  if (ppm.numerator % ppm.denominator === 0n) return formatPpm(ppm.numerator / ppm.denominator)
  return decimalText(fraction(ppm.numerator, ppm.denominator * 10_000n), EXACT_TEXT_DIGITS)
}

/** Minor units as an amount with ten fractional digits. */
function exactAmountText(exact: Fraction): string {
  return decimalText(fraction(exact.numerator, exact.denominator * 100n), EXACT_TEXT_DIGITS)
}

function countDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

function later(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right
}
