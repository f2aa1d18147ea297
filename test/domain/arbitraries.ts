/** Random dates, rule sets and deposits, as wide as the contract lets them be. */
import fc from 'fast-check'
import { addDays, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import { DAY_COUNTS } from '../../src/domain/day-count.ts'
import { type Minor, minor } from '../../src/domain/money.ts'
import type { ChargeTerm, Conditions, PenalRule, Range, Rate, RuleSet } from '../../src/domain/rules.ts'
import { TAX_BASES, TAX_ON_RECOVERY, type Taxation, type TaxVersion } from '../../src/domain/tax.ts'
import type { PlainTerms } from './deposits.ts'

export const ROUNDINGS = ['HALF_UP', 'HALF_EVEN', 'DOWN'] as const

/** Days of the years 1900 to 2199: leap centuries and common ones. */
export const anyDate: fc.Arbitrary<IsoDate> = fc
  .integer({ min: 0, max: 109_571 })
  .map((days) => addDays(isoDate('1900-01-01'), days))

/** Half of the days are a month's first or last ones, where day counts differ. */
export const anyEdgeDate: fc.Arbitrary<IsoDate> = fc.oneof(
  anyDate,
  fc
    .tuple(anyDate, fc.integer({ min: -3, max: 2 }))
    .map(([date, days]) => addDays(isoDate(`${date.slice(0, 7)}-01`), days)),
)

export const anyPrincipal: fc.Arbitrary<Minor> = fc
  .oneof(fc.bigInt({ min: 1n, max: 100_000n }), fc.bigInt({ min: 1n, max: 1_000_000_000_000n }))
  .map(minor)

const anySmallAmount: fc.Arbitrary<Minor> = fc.bigInt({ min: 0n, max: 1_000_000n }).map(minor)
const anyShare = fc.integer({ min: 0, max: 1_000_000 })
const anyDays = fc.integer({ min: 1, max: 36_500 })

const anyRate: fc.Arbitrary<Rate> = fc
  .tuple(
    fc.oneof(
      fc.constant({ of: 'CONTRACT' } as const),
      fc.record({ of: fc.constant('FIXED' as const), valuePpm: anyShare }),
    ),
    fc.record(
      {
        multiply: fc.oneof(fc.integer({ min: 0, max: 10_000_000 }), fc.constant('ELAPSED_FRACTION' as const)),
        addPpm: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([start, steps]) => ({ ...start, ...steps }))

const anyTerm: fc.Arbitrary<ChargeTerm> = fc.oneof(
  fc.record({ kind: fc.constant('FIXED' as const), amount: anySmallAmount }),
  fc.record({
    kind: fc.constant('PERCENT' as const),
    of: fc.constantFrom('ACCRUED_INTEREST' as const, 'PRINCIPAL' as const, 'TERM_INTEREST' as const),
    percentPpm: anyShare,
  }),
  fc.record(
    {
      kind: fc.constant('PERIOD_INTEREST' as const),
      period: fc.oneof(fc.record({ days: anyDays }), fc.constant('REMAINING' as const)),
      rate: anyRate,
    },
    { requiredKeys: ['kind', 'period'] },
  ),
  fc.record({ kind: fc.constant('RERATE' as const), rate: anyRate }),
)

export const anyTaxation: fc.Arbitrary<Taxation> = fc.record({
  version: fc.constant(1),
  taxClass: fc.constant('STANDARD'),
  ratePpm: fc.oneof(anyShare, fc.constantFrom(0, 100_000, 1_000_000)),
  base: fc.constantFrom(...TAX_BASES),
  onRecovery: fc.constantFrom(...TAX_ON_RECOVERY),
  rounding: fc.constantFrom(...ROUNDINGS),
})

/** STANDARD pays the rate, OTHER half of it. */
export function taxVersionOf({ version, ratePpm, base, rounding }: Taxation): TaxVersion {
  const classes = new Map([
    ['STANDARD', ratePpm],
    ['OTHER', Math.floor(ratePpm / 2)],
  ])
  return {
    version,
    rules: { effectiveFrom: isoDate('1900-01-01'), base, onRecovery: 'KEEP', rounding, classes },
  }
}

function rangeOf<Value extends number | bigint>(value: fc.Arbitrary<Value>): fc.Arbitrary<Range<Value>> {
  const both = fc
    .tuple(value, value)
    .filter(([left, right]) => left !== right)
    .map(([left, right]) => (left < right ? { gte: left, lt: right } : { gte: right, lt: left }))
  return fc.oneof(fc.record({ gte: value }), fc.record({ lt: value }), both)
}

const anyConditions: fc.Arbitrary<Conditions> = fc.record(
  {
    elapsedDays: rangeOf(anyDays),
    elapsedPercent: rangeOf(anyShare),
    remainingDays: rangeOf(anyDays),
    remainingPercent: rangeOf(anyShare),
    termDays: rangeOf(anyDays),
    amount: rangeOf(anyPrincipal),
  },
  { requiredKeys: [] },
)

const anyPenalRule: fc.Arbitrary<PenalRule> = fc
  .record({
    when: fc.oneof(fc.constant({}), anyConditions),
    terms: fc.array(anyTerm, { minLength: 1, maxLength: 8 }),
    combine: fc.constantFrom('SUM' as const, 'MAX' as const, 'MIN' as const),
    limits: fc.tuple(anySmallAmount, fc.option(anySmallAmount)),
  })
  .map(({ limits: [min, aboveMin], ...rule }) => ({
    ...rule,
    min,
    max: aboveMin === null ? null : minor(min + aboveMin),
  }))

const anyRuleSet: fc.Arbitrary<RuleSet> = fc.record({
  dayCount: fc.constantFrom(...DAY_COUNTS),
  rounding: fc.constantFrom(...ROUNDINGS),
  allowPartial: fc.boolean(),
  minPartialAmount: anySmallAmount,
  minRemainingPrincipal: anySmallAmount,
  minHoldingDays: fc.integer({ min: 0, max: 400 }),
  penalRules: fc.array(anyPenalRule, { maxLength: 4 }),
})

/** Business dates fall before the start, within the term, on both its ends and after it. */
export const anyTerms: fc.Arbitrary<PlainTerms> = fc
  .record({
    principal: anyPrincipal,
    annualRatePpm: fc.integer({ min: 1, max: 1_000_000 }),
    startDate: anyEdgeDate,
    tenor: fc.oneof(fc.integer({ min: 1, max: 800 }), anyDays),
    rules: anyRuleSet,
    rulesVersion: fc.integer({ min: 1, max: 1000 }),
    lived: fc.integer({ min: -50_000, max: 1_100_000 }),
  })
  .map(({ tenor, lived, ...terms }) => ({
    ...terms,
    earlierToday: null,
    maturityDate: addDays(terms.startDate, tenor),
    businessDate: addDays(terms.startDate, Math.round((lived * tenor) / 1_000_000)),
  }))
