/** The rule set of a caller in one JSON format: as sent, stored and shown. */
import assert from 'node:assert/strict'
import { type Static, type TSchema, Type } from 'typebox'
import { DAY_COUNTS } from '../../domain/day-count.ts'
import type { Version } from '../../domain/document.ts'
import { type Minor, minor, ROUNDINGS } from '../../domain/money.ts'
import {
  type ChargeTerm,
  COMBINATIONS,
  type Conditions,
  cardRatesIn,
  PERCENT_BASES,
  type PenalRule,
  RATE_BASES,
  type Range,
  type Rate,
  type RuleSet,
} from '../../domain/rules.ts'
import { money, percent } from '../../wire/envelope.ts'
import {
  Choice,
  Flag,
  ListOf,
  Money,
  Multiplier,
  type Notes,
  Nullable,
  OneOf,
  Percent,
  WholeNumber,
} from '../../wire/fields.ts'
import { type Json, parseJson } from '../../wire/json.ts'
import { AmountRange, PercentRange, RangeOf } from '../../wire/ranges.ts'
import { type FieldError, type Place, readBody, readField } from '../../wire/reader.ts'
import {
  amount,
  count,
  createdAt,
  flag,
  kind,
  knownKind,
  listOf,
  type Members,
  oneOf,
  orNull,
  record,
  rulesVersion,
  within,
} from '../../wire/record.ts'

const DAYS_MAX = 36_500
const COUNT_MAX = 100_000

export const dayCount = knownKind('How days become a share of a year.', oneOf('DayCount', DAY_COUNTS))
export const rounding = knownKind('How an exact amount becomes whole cents.', oneOf('Rounding', ROUNDINGS))
export const combination = knownKind(
  'Whether the terms are added, or the greatest or smallest counts; SUM if left out.',
  oneOf('Combination', COMBINATIONS),
)
const ALLOW_PARTIAL = 'Whether a part of a deposit may be broken.'
const MIN_PARTIAL_AMOUNT = 'Least amount of a PARTIAL.'
const MIN_REMAINING_PRINCIPAL = 'Least principal that a PARTIAL may leave.'
const MIN_HOLDING_DAYS = 'Days from the start before which nothing can be broken.'
const PENAL_RULES = 'Tried in order; the first whose conditions hold makes the charge. None holds: no charge.'
const WHEN = 'Conditions that must all hold; an empty object always holds.'
const TERMS = 'The terms of the charge, each rounded once.'
const MIN = 'Least charge; 0.00 if left out.'
const MAX = 'Greatest charge; null is none.'

const RateBody = Type.Object(
  {
    of: Choice(RATE_BASES, {
      title: 'RateBase',
      description:
        'Where the rate starts from. In the rules of a product also CARD_AT_OPENING, the rate of its sheet for the time ' +
        'the deposit was held, and CARD_NOW, the same by the sheet in force on the day.',
    }),
    value: Type.Optional(Percent({ min: 0, max: 100, description: 'Percent a year; FIXED alone takes it.' })),
    multiply: Type.Optional(
      WordOr('ELAPSED_FRACTION', Multiplier({ min: 0, max: 10 }), {
        description: 'Factor on the rate, or ELAPSED_FRACTION for the elapsed share of the term.',
      }),
    ),
    add: Type.Optional(
      Percent({
        min: -100,
        max: 100,
        description: 'Percentage points on top, after multiplying; the rate never falls below 0.',
      }),
    ),
  },
  {
    title: 'PenalRate',
    description: 'Rate a year; the rate of the contract if left out.',
    refine: (rate: { of?: string; value?: number }): FieldError[] => {
      if (rate.of === 'FIXED' && rate.value === undefined) {
        return [{ field: 'value', code: 'required', message: 'Send the rate: FIXED needs a value.' }]
      }
      if (rate.of !== undefined && rate.of !== 'FIXED' && rate.value !== undefined) {
        return [{ field: 'value', code: 'unknown_field', message: `Leave value out; ${rate.of} takes none.` }]
      }
      return []
    },
  },
)
type RateBody = Static<typeof RateBody>

const PeriodBody = Type.Object(
  { days: WholeNumber({ min: 1, max: DAYS_MAX, description: 'Number of days.' }) },
  { title: 'PenalPeriod' },
)

const TermBody = OneOf(
  'kind',
  {
    FIXED: Type.Object(
      { amount: Money({ zeroAllowed: true, description: 'The amount to charge.' }) },
      { title: 'FixedTerm' },
    ),
    PERCENT: Type.Object(
      {
        of: Choice(PERCENT_BASES, {
          description: 'What the percent is of; TERM_INTEREST is the interest up to maturity.',
        }),
        percent: Percent({ min: 0, max: 100, description: 'Percent of that base.' }),
      },
      { title: 'PercentTerm' },
    ),
    PERIOD_INTEREST: Type.Object(
      {
        period: WordOr('REMAINING', PeriodBody, {
          description: 'Days, or REMAINING for those up to maturity.',
        }),
        rate: Type.Optional(RateBody),
      },
      { title: 'PeriodInterestTerm' },
    ),
    RERATE: Type.Object({ rate: RateBody }, { title: 'RerateTerm' }),
  },
  {
    description:
      'FIXED is an amount, PERCENT a share of a base, PERIOD_INTEREST the interest of a period, RERATE what a lower ' +
      'rate would have earned less.',
  },
)
type TermBody = Static<typeof TermBody>

const ConditionsBody = Type.Object(
  {
    elapsed_days: Type.Optional(DaysRange('Calendar days from the start to the business date.')),
    elapsed_percent: Type.Optional(PercentRange('Elapsed days as percent of the term.')),
    remaining_days: Type.Optional(DaysRange('Calendar days from the business date to maturity.')),
    remaining_percent: Type.Optional(PercentRange('Remaining days as percent of the term.')),
    term_days: Type.Optional(DaysRange('Calendar days from the start to maturity.')),
    amount: Type.Optional(AmountRange('Principal that is broken on the business date, in all its parts.')),
    rollovers: Type.Optional(CountRange('How often the deposit has rolled over, with those before it.')),
    earlier_liquidations: Type.Optional(
      CountRange('Earlier business dates on which a part of the deposit was broken and not reversed.'),
    ),
  },
  { title: 'PenalConditions', description: WHEN },
)

const PenalRuleBody = Type.Object(
  {
    when: ConditionsBody,
    terms: ListOf(TermBody, { min: 1, max: 8, description: TERMS }),
    combine: Type.Optional(
      Choice(COMBINATIONS, { title: 'Combination', description: combination.description }),
    ),
    min: Type.Optional(Money({ zeroAllowed: true, description: MIN })),
    max: Type.Optional(Nullable(Money({ zeroAllowed: true }), { description: MAX })),
  },
  {
    title: 'NewPenalRule',
    refine: ({ min = minor(0n), max }: { min?: Minor; max?: Minor | null }): FieldError[] =>
      max === undefined || max === null || min <= max
        ? []
        : [{ field: 'max', code: 'invalid_value', message: 'Send a max that is not below min.' }],
  },
)
type PenalRuleBody = Static<typeof PenalRuleBody>

const ruleSetFields = {
  day_count: Choice(DAY_COUNTS, { title: 'DayCount', description: dayCount.description }),
  rounding: Choice(ROUNDINGS, { title: 'Rounding', description: rounding.description }),
  allow_partial: Flag({ description: ALLOW_PARTIAL }),
  min_partial_amount: Money({ zeroAllowed: true, description: MIN_PARTIAL_AMOUNT }),
  min_remaining_principal: Money({ zeroAllowed: true, description: MIN_REMAINING_PRINCIPAL }),
  min_holding_days: WholeNumber({ min: 0, max: DAYS_MAX, description: MIN_HOLDING_DAYS }),
  penal_rules: ListOf(PenalRuleBody, { min: 0, max: 20, description: PENAL_RULES }),
}

/** The rules of a product, which may start from its rate sheets. */
export const ProductRulesBody = Type.Object(ruleSetFields, { title: 'ProductRules' })
export type RuleSetBody = Static<typeof ProductRulesBody>

/** The rules of a caller, which belong to no product. */
export const RuleSetBody = Type.Object(ruleSetFields, {
  refine: ({ penal_rules: rules = [] }: Partial<RuleSetBody>): FieldError[] =>
    cardRatesIn({ penalRules: rules.map(penalRuleFrom) }).map((field) => ({
      field,
      code: 'invalid_value',
      message: 'Send "CONTRACT" or "FIXED"; only the rules of a product have a rate sheet.',
    })),
})

export function ruleSetFrom(body: RuleSetBody): RuleSet {
  return {
    dayCount: body.day_count,
    rounding: body.rounding,
    allowPartial: body.allow_partial,
    minPartialAmount: body.min_partial_amount,
    minRemainingPrincipal: body.min_remaining_principal,
    minHoldingDays: body.min_holding_days,
    penalRules: body.penal_rules.map(penalRuleFrom),
  }
}

/** The stored text is the text of formatRuleSet, so what was accepted once can always be read again. */
export function parseRuleSet(kept: string): RuleSet {
  const reading = readBody(RuleSetBody, parseJson(kept))
  assert(reading.ok, 'a stored rule set is valid')
  return ruleSetFrom(reading.value)
}

export function formatRuleSet(rules: RuleSet): string {
  return RuleSetRecord.json(rules)
}

/** Shown as written, with defaults filled in. */
const PenalRuleRecord = record<PenalRule>('PenalRule', {
  when: kind<Conditions>(ConditionsBody, conditionsData).as(WHEN, (rule) => rule.when),
  terms: listOf(kind<ChargeTerm>(TermBody, termData)).as(TERMS, (rule) => rule.terms),
  combine: combination.of((rule) => rule.combine),
  min: amount.as(MIN, (rule) => rule.min),
  max: orNull(amount).as(MAX, (rule) => rule.max),
})

const ruleSetMembers: Members<RuleSet> = {
  day_count: dayCount.of((rules) => rules.dayCount),
  rounding: rounding.of((rules) => rules.rounding),
  allow_partial: flag.as(ALLOW_PARTIAL, (rules) => rules.allowPartial),
  min_partial_amount: amount.as(MIN_PARTIAL_AMOUNT, (rules) => rules.minPartialAmount),
  min_remaining_principal: amount.as(MIN_REMAINING_PRINCIPAL, (rules) => rules.minRemainingPrincipal),
  min_holding_days: count.as(MIN_HOLDING_DAYS, (rules) => rules.minHoldingDays),
  penal_rules: listOf(PenalRuleRecord).as(PENAL_RULES, (rules) => rules.penalRules),
}
export const RuleSetRecord = record('RuleSet', ruleSetMembers)

export const RulesRecord = record<Version<RuleSet>>('LiquidationRules', {
  version: rulesVersion.of(({ version }) => version),
  ...within(({ document }) => document, ruleSetMembers),
  created_at: createdAt.of((version) => version.createdAt),
})

/** What subscribers can receive. */
export const rulesEvents = {
  'liquidation_rules.updated': RulesRecord,
}

function penalRuleFrom(body: PenalRuleBody): PenalRule {
  return {
    when: conditionsFrom(body.when),
    terms: body.terms.map(termFrom),
    combine: body.combine ?? 'SUM',
    min: body.min ?? minor(0n),
    max: body.max ?? null,
  }
}

const CONDITION_NAMES = {
  elapsedDays: 'elapsed_days',
  elapsedPercent: 'elapsed_percent',
  remainingDays: 'remaining_days',
  remainingPercent: 'remaining_percent',
  termDays: 'term_days',
  amount: 'amount',
  rollovers: 'rollovers',
  earlierLiquidations: 'earlier_liquidations',
} as const satisfies Record<keyof Conditions, keyof PenalRuleBody['when']>
const CONDITIONS = Object.keys(CONDITION_NAMES) as (keyof Conditions)[]

function conditionsFrom(when: PenalRuleBody['when']): Conditions {
  return Object.fromEntries(
    CONDITIONS.filter((name) => when[CONDITION_NAMES[name]] !== undefined).map((name) => [
      name,
      when[CONDITION_NAMES[name]],
    ]),
  )
}

function conditionsData(when: Conditions) {
  return Object.fromEntries(
    CONDITIONS.filter((name) => when[name] !== undefined).map((name) => [
      CONDITION_NAMES[name],
      rangeData(name, when[name]!),
    ]),
  )
}

function rangeData(name: keyof Conditions, range: Range<number | bigint>) {
  const shown = (bound: number | bigint) => {
    if (typeof bound === 'bigint') return money(bound)
    return name.endsWith('Percent') ? percent(bound) : bound
  }
  return {
    ...(range.gte === undefined ? {} : { gte: shown(range.gte) }),
    ...(range.lt === undefined ? {} : { lt: shown(range.lt) }),
  }
}

function termFrom(body: TermBody): ChargeTerm {
  switch (body.kind) {
    case 'FIXED':
      return body
    case 'PERCENT':
      return { kind: body.kind, of: body.of, percentPpm: body.percent }
    case 'PERIOD_INTEREST':
      return {
        kind: body.kind,
        period: body.period,
        ...(body.rate === undefined ? {} : { rate: rateFrom(body.rate) }),
      }
    case 'RERATE':
      return { kind: body.kind, rate: rateFrom(body.rate) }
    default:
      return body satisfies never
  }
}

function termData(term: ChargeTerm) {
  switch (term.kind) {
    case 'FIXED':
      return { kind: term.kind, amount: money(term.amount) }
    case 'PERCENT':
      return { kind: term.kind, of: term.of, percent: percent(term.percentPpm) }
    case 'PERIOD_INTEREST':
      return {
        kind: term.kind,
        period: term.period,
        ...(term.rate === undefined ? {} : { rate: rateData(term.rate) }),
      }
    case 'RERATE':
      return { kind: term.kind, rate: rateData(term.rate) }
    default:
      return term satisfies never
  }
}

function rateFrom(body: RateBody): Rate {
  return {
    ...(body.of === 'FIXED' ? { of: body.of, valuePpm: body.value ?? 0 } : { of: body.of }),
    ...(body.multiply === undefined ? {} : { multiply: body.multiply }),
    ...(body.add === undefined ? {} : { addPpm: body.add }),
  }
}

function rateData(rate: Rate) {
  return {
    of: rate.of,
    ...(rate.of === 'FIXED' ? { value: percent(rate.valuePpm) } : {}),
    ...(rate.multiply === undefined ? {} : { multiply: multiplierData(rate.multiply) }),
    ...(rate.addPpm === undefined ? {} : { add: percent(rate.addPpm) }),
  }
}

/** A multiplier of 1.5 is stored as 1,500,000 parts per million and shown as 1.5, not as 150 percent. */
function multiplierData(multiply: number | 'ELAPSED_FRACTION') {
  return typeof multiply === 'string' ? multiply : percent(multiply / 100)
}

function DaysRange(description: string) {
  const bound = (notes: Notes) => WholeNumber({ min: 0, max: DAYS_MAX, ...notes })
  return RangeOf({ title: 'DaysRange', description }, bound)
}

function CountRange(description: string) {
  const bound = (notes: Notes) => WholeNumber({ min: 0, max: COUNT_MAX, ...notes })
  return RangeOf({ title: 'CountRange', description }, bound)
}

/** One fixed word, or a value of the schema. */
function WordOr<const Word extends string, Other extends TSchema>(word: Word, other: Other, notes: Notes) {
  return Type.Unsafe<Word | Static<Other>>({
    anyOf: [{ type: 'string', const: word }, other],
    ...notes,
    read: (value: Json, place: Place) => (value === word ? word : readField(other, value, place)),
  })
}
