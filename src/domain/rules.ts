/** A caller's banking rules as values. The wire format reads and bounds them; penal.ts applies them. */
import type { DayCount } from './day-count.ts'
import { type Minor, minor, type Rounding } from './money.ts'
import { CARD_RATES, type CardRate, type RateSheet } from './rate-sheet.ts'

/** Every penal rule is tried in order; the first whose conditions hold applies, and none means no charge. */
export type RuleSet = {
  dayCount: DayCount
  rounding: Rounding
  allowPartial: boolean
  minPartialAmount: Minor
  minRemainingPrincipal: Minor
  minHoldingDays: number
  penalRules: readonly PenalRule[]
  /** Only of the rules of a product: its rate sheets, by number, where the rules start from them, or none. */
  sheets?: readonly RateSheet[]
}

export const RULES_SOURCES = ['CALLER', 'PRODUCT'] as const
export type RulesSource = (typeof RULES_SOURCES)[number]

/** Whose rules they are: only those of a product come with its rate sheets. */
export function rulesSourceOf({ sheets }: RuleSet): RulesSource {
  return sheets === undefined ? 'CALLER' : 'PRODUCT'
}

export type PenalRule = {
  when: Conditions
  terms: readonly ChargeTerm[]
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
  /** How often the deposit, with those before it, has rolled over. */
  rollovers?: Range<number>
  /** Earlier business dates on which a part of the deposit was broken and not reversed. */
  earlierLiquidations?: Range<number>
}

/** Half open: gte is inclusive, lt is exclusive. */
export type Range<Value> = { gte?: Value; lt?: Value }

export type ChargeTerm =
  | { kind: 'FIXED'; amount: Minor }
  | { kind: 'PERCENT'; of: PercentBase; percentPpm: number }
  | { kind: 'PERIOD_INTEREST'; period: { days: number } | 'REMAINING'; rate?: Rate }
  | { kind: 'RERATE'; rate: Rate }

export const TERM_KINDS = ['FIXED', 'PERCENT', 'PERIOD_INTEREST', 'RERATE'] as const

export const PERCENT_BASES = ['ACCRUED_INTEREST', 'PRINCIPAL', 'TERM_INTEREST'] as const
type PercentBase = (typeof PERCENT_BASES)[number]

export const RATE_BASES = ['CONTRACT', 'FIXED', ...CARD_RATES] as const

/** Start from a rate, multiply it (1_500_000 is 1.5 times), then add percentage points, never below 0. */
export type Rate = ({ of: 'CONTRACT' | CardRate } | { of: 'FIXED'; valuePpm: number }) & {
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

/** Where rules start from a rate of the product's sheets: the paths of such rates. Only rules of a product may. */
export function cardRatesIn({ penalRules }: Pick<RuleSet, 'penalRules'>): string[] {
  return penalRules.flatMap(({ terms }, rule) =>
    terms.flatMap((term, index) =>
      'rate' in term && isCardRate(term.rate?.of) ? [`penal_rules[${rule}].terms[${index}].rate.of`] : [],
    ),
  )
}

export function namesCard({ penalRules }: Pick<RuleSet, 'penalRules'>, card: CardRate): boolean {
  return penalRules.some(({ terms }) => terms.some((term) => 'rate' in term && term.rate?.of === card))
}

function isCardRate(of: string | undefined): of is CardRate {
  return CARD_RATES.some((name) => name === of)
}
