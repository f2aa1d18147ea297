/** A caller's banking rules as values. The wire format reads and bounds them; penal.ts applies them. */
import type { DayCount } from './day-count.ts'
import { type Minor, minor, type Rounding } from './money.ts'

/** Every penal rule is tried in order; the first whose conditions hold applies, and none means no charge. */
export type RuleSet = {
  dayCount: DayCount
  rounding: Rounding
  allowPartial: boolean
  minPartialAmount: Minor
  minRemainingPrincipal: Minor
  minHoldingDays: number
  penalRules: readonly PenalRule[]
}

export type PenalRule = {
  when: Conditions
  terms: readonly Term[]
  combine: Combination
  min: Minor
  max: Minor | null
}

export const COMBINATIONS = ['SUM', 'MAX', 'MIN'] as const
export type Combination = (typeof COMBINATIONS)[number]

/** Percents are parts per million of the term: 20 percent is 200_000. */
export type Conditions = {
  elapsedDays?: Range<number>
  elapsedPercent?: Range<number>
  remainingDays?: Range<number>
  remainingPercent?: Range<number>
  termDays?: Range<number>
  amount?: Range<Minor>
}

/** Half open: gte is inclusive, lt is exclusive. */
export type Range<Value> = { gte?: Value; lt?: Value }

export type Term =
  | { kind: 'FIXED'; amount: Minor }
  | { kind: 'PERCENT'; of: PercentBase; percentPpm: number }
  | { kind: 'PERIOD_INTEREST'; period: { days: number } | 'REMAINING'; rate?: Rate }
  | { kind: 'RERATE'; rate: Rate }

export const TERM_KINDS = ['FIXED', 'PERCENT', 'PERIOD_INTEREST', 'RERATE'] as const

export const PERCENT_BASES = ['ACCRUED_INTEREST', 'PRINCIPAL', 'TERM_INTEREST'] as const
type PercentBase = (typeof PERCENT_BASES)[number]

export const RATE_BASES = ['CONTRACT', 'FIXED'] as const

/** Start from a rate, multiply it (1_500_000 is 1.5 times), then add percentage points, never below 0. */
export type Rate = ({ of: 'CONTRACT' } | { of: 'FIXED'; valuePpm: number }) & {
  multiply?: number | 'ELAPSED_FRACTION'
  addPpm?: number
}

/** Version 1 of a new book. */
export const FIRST_RULES: RuleSet = {
  dayCount: 'ACT/365F',
  rounding: 'HALF_UP',
  allowPartial: true,
  minPartialAmount: minor(1n),
  minRemainingPrincipal: minor(1n),
  minHoldingDays: 0,
  penalRules: [],
}
