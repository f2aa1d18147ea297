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
import {
  type AssessedTerm,
  assessTerm,
  type DepositHistory,
  EXACT_TEXT_DIGITS,
  type ExplainedTerm,
  exactAmountText,
  type Position,
  wholeUnits,
} from './charge-term.ts'
import { daysBetween, type IsoDate } from './dates.ts'
import type { DayCount } from './day-count.ts'
import type { DaySums } from './day-sums.ts'
import { boundedText } from './fraction.ts'
import { contractRate, earnedBy, growth, interestOn } from './interest.ts'
import { type Minor, minor, type Rounding } from './money.ts'
import type { Conditions, PenalRule, Range } from './rules.ts'
import { type InterestEvery, type InterestMethod, wholePeriodsBy } from './schedule.ts'
import type { Terms } from './terms.ts'

/** A part of a deposit, broken on a business date. */
export type BrokenPart = {
  terms: Terms
  on: IsoDate
  /** The principal of this part. */
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
  /** The interest of everything broken on the day, with ten fractional digits, truncated. */
  unroundedInterest: string
  /** The interest of the part: that interest, rounded, less that of the earlier parts. */
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
  /** What the part earned, as money, and what of that had been paid before. */
  earned: Minor
  paidShare: Minor
}

export function assess(part: BrokenPart): Assessment {
  const { terms, on, earlierToday, shares, paidTo, recover, history } = part
  const { rules, startDate, maturityDate } = terms
  const principal = minor(part.principal + (earlierToday?.principal ?? 0n))
  const matured = on >= maturityDate
  const grown = growth(terms, contractRate(terms), on)
  const accrued = interestOn(principal, grown)
  const earned = minor(earnedBy(on, terms, { principal, paid: shares.paid, paidTo }, accrued))
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
    accrued,
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
      unroundedInterest: exactAmountText(accrued),
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

type Charge = Pick<
  Explanation,
  'ruleIndex' | 'noRuleReason' | 'combine' | 'combined' | 'limited' | 'cappedFrom' | 'assessed'
> & { terms: AssessedTerm[] }

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
