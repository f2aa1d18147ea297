/** The rule set of a caller, as it is sent, kept and shown: one JSON form for all three. */
import assert from 'node:assert/strict'
import { type Static, type TSchema, Type } from 'typebox'
import { DAY_COUNTS } from '../../domain/day-count.ts'
import { type Minor, minor } from '../../domain/money.ts'
import type { Conditions, PenalRule, Range, Rate, RuleSet, Term } from '../../domain/rules.ts'
import { money, percent, timestamp } from '../../wire/envelope.ts'
import {
  Choice,
  Flag,
  ListOf,
  Money,
  Multiplier,
  Nullable,
  OneOf,
  Percent,
  WholeNumber,
} from '../../wire/fields.ts'
import { type Json, parseJson } from '../../wire/json.ts'
import { type FieldError, type Place, readBody, readField } from '../../wire/reader.ts'

const DAYS_MAX = 36_500

const RateBody = Type.Object(
  {
    of: Choice(['CONTRACT', 'FIXED']),
    value: Type.Optional(Percent({ min: 0, max: 100 })),
    multiply: Type.Optional(WordOr('ELAPSED_FRACTION', Multiplier({ min: 0, max: 10 }))),
    add: Type.Optional(Percent({ min: -100, max: 100 })),
  },
  {
    title: 'PenalRate',
    refine: (rate: { of?: string; value?: number }): FieldError[] => {
      if (rate.of === 'FIXED' && rate.value === undefined) {
        return [{ field: 'value', code: 'required', message: 'Send the rate: FIXED needs a value.' }]
      }
      if (rate.of === 'CONTRACT' && rate.value !== undefined) {
        return [{ field: 'value', code: 'unknown_field', message: 'Leave value out; CONTRACT takes none.' }]
      }
      return []
    },
  },
)
type RateBody = Static<typeof RateBody>

const PeriodBody = Type.Object({ days: WholeNumber({ min: 1, max: DAYS_MAX }) }, { title: 'PenalPeriod' })

const TermBody = OneOf('kind', {
  FIXED: Type.Object({ amount: Money({ zeroAllowed: true }) }, { title: 'FixedTerm' }),
  PERCENT: Type.Object(
    {
      of: Choice(['ACCRUED_INTEREST', 'PRINCIPAL', 'TERM_INTEREST']),
      percent: Percent({ min: 0, max: 100 }),
    },
    { title: 'PercentTerm' },
  ),
  PERIOD_INTEREST: Type.Object(
    { period: WordOr('REMAINING', PeriodBody), rate: Type.Optional(RateBody) },
    { title: 'PeriodInterestTerm' },
  ),
  RERATE: Type.Object({ rate: RateBody }, { title: 'RerateTerm' }),
})
type TermBody = Static<typeof TermBody>

const DaysRange = RangeOf('DaysRange', WholeNumber({ min: 0, max: DAYS_MAX }))
const PercentRange = RangeOf('PercentRange', Percent({ min: 0, max: 100 }))
const AmountRange = RangeOf('AmountRange', Money({ zeroAllowed: true }))

const PenalRuleBody = Type.Object(
  {
    when: Type.Object(
      {
        elapsed_days: Type.Optional(DaysRange),
        elapsed_percent: Type.Optional(PercentRange),
        remaining_days: Type.Optional(DaysRange),
        remaining_percent: Type.Optional(PercentRange),
        term_days: Type.Optional(DaysRange),
        amount: Type.Optional(AmountRange),
      },
      { title: 'PenalConditions' },
    ),
    terms: ListOf(TermBody, { min: 1, max: 8 }),
    combine: Type.Optional(Choice(['SUM', 'MAX', 'MIN'], { title: 'Combination' })),
    min: Type.Optional(Money({ zeroAllowed: true })),
    max: Type.Optional(Nullable(Money({ zeroAllowed: true }))),
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

export const RuleSetBody = Type.Object({
  day_count: Choice(DAY_COUNTS, { title: 'DayCount' }),
  rounding: Choice(['HALF_UP', 'HALF_EVEN', 'DOWN'], { title: 'Rounding' }),
  allow_partial: Flag(),
  min_partial_amount: Money({ zeroAllowed: true }),
  min_remaining_principal: Money({ zeroAllowed: true }),
  min_holding_days: WholeNumber({ min: 0, max: DAYS_MAX }),
  penal_rules: ListOf(PenalRuleBody, { min: 0, max: 20 }),
})
export type RuleSetBody = Static<typeof RuleSetBody>

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

/** The text that is kept is the text of ruleSetData, so what was accepted once reads well for ever. */
export function parseRuleSet(kept: string): RuleSet {
  const reading = readBody(RuleSetBody, parseJson(kept))
  assert(reading.ok, 'a rule set that was kept reads well')
  return ruleSetFrom(reading.value)
}

export function formatRuleSet(rules: RuleSet): string {
  return JSON.stringify(ruleSetData(rules))
}

export function ruleSetData(rules: RuleSet) {
  return {
    day_count: rules.dayCount,
    rounding: rules.rounding,
    allow_partial: rules.allowPartial,
    min_partial_amount: money(rules.minPartialAmount),
    min_remaining_principal: money(rules.minRemainingPrincipal),
    min_holding_days: rules.minHoldingDays,
    penal_rules: rules.penalRules.map((rule) => ({
      when: conditionsData(rule.when),
      terms: rule.terms.map(termData),
      combine: rule.combine,
      min: money(rule.min),
      max: rule.max === null ? null : money(rule.max),
    })),
  }
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

function termFrom(body: TermBody): Term {
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

function termData(term: Term) {
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

/** A multiplier of 1.5 is kept as 1,500,000 parts per million and shown as 1.5, not as 150 percent. */
function multiplierData(multiply: number | 'ELAPSED_FRACTION') {
  return typeof multiply === 'string' ? multiply : percent(multiply / 100)
}

/** A half-open range: gte belongs to it, lt does not. */
function RangeOf<Bound extends TSchema>(title: string, bound: Bound) {
  return Type.Object(
    { gte: Type.Optional(bound), lt: Type.Optional(bound) },
    {
      title,
      refine: ({ gte, lt }: Range<number | bigint>, sent: object): FieldError[] => {
        // A bound that did not read well was named all the same, and has its error already.
        if (!Object.hasOwn(sent, 'gte') && !Object.hasOwn(sent, 'lt')) {
          return [{ field: 'gte', code: 'required', message: 'Name gte, lt or both.' }]
        }
        if (gte === undefined || lt === undefined || gte < lt) return []
        return [{ field: 'lt', code: 'invalid_value', message: 'Send an lt that is above gte.' }]
      },
    },
  )
}

/** One fixed word, or a value of the schema. */
function WordOr<const Word extends string, Other extends TSchema>(word: Word, other: Other) {
  return Type.Unsafe<Word | Static<Other>>({
    anyOf: [{ type: 'string', const: word }, other],
    read: (value: Json, place: Place) => (value === word ? word : readField(other, value, place)),
  })
}

export function rulesVersionData(kept: { version: number; rules: RuleSet; createdAt: Date }) {
  return { version: kept.version, ...ruleSetData(kept.rules), created_at: timestamp(kept.createdAt) }
}
