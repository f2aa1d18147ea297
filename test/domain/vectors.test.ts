/** Figures that banks and standards have published, to the cent, each with its source. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import type { DayCount } from '../../src/domain/day-count.ts'
import { formatAmount, minor } from '../../src/domain/money.ts'
import { type ChargeTerm, FIRST_RULES, type PenalRule } from '../../src/domain/rules.ts'
import { assessPlain, simpleInterest } from './deposits.ts'

type InterestCase = {
  source: string
  principal: bigint
  annualRatePpm: number
  from: string
  to: string | { days: number }
  interest: { [dayCount in DayCount]?: string }
}

const interestCases: InterestCase[] = [
  {
    source: 'Defence Bank (AU), early withdrawal page',
    principal: 50_000_00n,
    annualRatePpm: 50_000,
    from: '2025-01-01',
    to: { days: 122 },
    interest: { 'ACT/365F': '835.62' },
  },
  {
    source: 'AMP (AU), 92 days',
    principal: 20_000_00n,
    annualRatePpm: 25_000,
    from: '2015-06-01',
    to: '2015-09-01',
    interest: { 'ACT/365F': '126.03' },
  },
  {
    source: 'AMP (AU), 30 days',
    principal: 1_000_00n,
    annualRatePpm: 30_000,
    from: '2025-01-01',
    to: { days: 30 },
    interest: { 'ACT/365F': '2.47' },
  },
  {
    source: 'phbanking (PH)',
    principal: 100_000_00n,
    annualRatePpm: 30_000,
    from: '2025-01-01',
    to: { days: 60 },
    interest: { 'ACT/365F': '493.15' },
  },
  {
    source: 'microbiz tests (NG)',
    principal: 100_000_00n,
    annualRatePpm: 100_000,
    from: '2025-01-01',
    to: { days: 365 },
    interest: { 'ACT/365F': '10000.00' },
  },
  {
    source: 'derived, over the end of 1999',
    principal: 10_000_00n,
    annualRatePpm: 50_000,
    from: '1999-07-01',
    to: '2000-07-01',
    interest: { 'ACT/365F': '501.37', 'ACT/360': '508.33', 'ACT/ACT': '500.69', '30/360': '500.00' },
  },
  {
    source: 'derived, over the end of 2003',
    principal: 100_000_00n,
    annualRatePpm: 60_000,
    from: '2003-11-01',
    to: '2004-05-01',
    interest: { 'ACT/365F': '2991.78', 'ACT/360': '3033.33', 'ACT/ACT': '2986.35', '30/360': '3000.00' },
  },
  {
    source: 'derived, from the end of February',
    principal: 100_000_00n,
    annualRatePpm: 60_000,
    from: '2007-02-28',
    to: '2007-08-31',
    interest: { 'ACT/365F': '3024.66', '30/360': '3050.00', '30E/360': '3033.33' },
  },
  {
    source: "a deposit's expected interest at opening",
    principal: 1_000_000_00n,
    annualRatePpm: 120_000,
    from: '2025-01-01',
    to: { days: 90 },
    interest: { 'ACT/365F': '29589.04' },
  },
]

for (const { source, principal, annualRatePpm, from, to, interest } of interestCases) {
  for (const [dayCount, expected] of Object.entries(interest) as [DayCount, string][]) {
    test(`interest under ${dayCount} is ${expected}: ${source}`, () => {
      const start = isoDate(from)
      const actual = simpleInterest({
        principal: minor(principal),
        annualRatePpm,
        dayCount,
        rounding: 'HALF_UP',
        from: start,
        to: typeof to === 'string' ? isoDate(to) : addDays(start, to.days),
      })
      assert.equal(formatAmount(actual), expected)
    })
  }
}

function always(...terms: ChargeTerm[]): PenalRule[] {
  return [{ when: {}, terms, combine: 'SUM', min: minor(0n), max: null }]
}

function percentOfAccrued(percentPpm: number): ChargeTerm {
  return { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm }
}

/** Below 20 percent of the term 90 percent of the interest, and so on down to 20 percent of it. */
const defenceBankTiers: PenalRule[] = [
  { lt: 200_000, percentPpm: 900_000 },
  { lt: 400_000, percentPpm: 800_000 },
  { lt: 600_000, percentPpm: 600_000 },
  { lt: 800_000, percentPpm: 400_000 },
  { lt: undefined, percentPpm: 200_000 },
].flatMap(({ lt, percentPpm }) =>
  always(percentOfAccrued(percentPpm)).map((rule) => ({
    ...rule,
    when: lt === undefined ? {} : { elapsedPercent: { lt } },
  })),
)

const rerateAtTwoPercent: ChargeTerm = { kind: 'RERATE', rate: { of: 'FIXED', valuePpm: 20_000 } }

type PenalCase = {
  source: string
  principal: bigint
  annualRatePpm: number
  brokenAfterDays: number
  start?: string
  rules: PenalRule[]
  figures: [interest: string, penal: string, total: string]
}

const penalCases: PenalCase[] = [
  {
    source: 'Defence Bank: 80 percent of the unrounded interest; of the rounded it would be 668.50',
    principal: 50_000_00n,
    annualRatePpm: 50_000,
    brokenAfterDays: 122,
    rules: defenceBankTiers,
    figures: ['835.62', '668.49', '50167.13'],
  },
  {
    source: 'microbiz tests: re-rated at 2 percent plus a fixed 50.00, the re-rated interest rounded first',
    principal: 100_000_00n,
    annualRatePpm: 100_000,
    brokenAfterDays: 30,
    rules: always(rerateAtTwoPercent, { kind: 'FIXED', amount: minor(50_00n) }),
    figures: ['821.92', '707.54', '100114.38'],
  },
  {
    source: 'microbiz tests: with a fixed 500.00 the cap bites',
    principal: 100_000_00n,
    annualRatePpm: 100_000,
    brokenAfterDays: 30,
    rules: always(rerateAtTwoPercent, { kind: 'FIXED', amount: minor(500_00n) }),
    figures: ['821.92', '821.92', '100000.00'],
  },
  {
    source: 'microbiz tests: at maturity no rule charges anything',
    principal: 100_000_00n,
    annualRatePpm: 100_000,
    brokenAfterDays: 365,
    rules: always(rerateAtTwoPercent, { kind: 'FIXED', amount: minor(50_00n) }),
    figures: ['10000.00', '0.00', '110000.00'],
  },
  {
    source: "derived from Fineract's WHOLE_TERM case: contract rate minus 2 points",
    principal: 100_000_00n,
    annualRatePpm: 70_000,
    brokenAfterDays: 32,
    start: '2023-01-01',
    rules: always({ kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -20_000 } }),
    figures: ['613.70', '175.34', '100438.36'],
  },
  {
    source: 'derived: the break fee of Cowrywise (NG), 25 percent of accrued interest',
    principal: 1_000_000_00n,
    annualRatePpm: 100_000,
    brokenAfterDays: 90,
    rules: always(percentOfAccrued(250_000)),
    figures: ['24657.53', '6164.38', '1018493.15'],
  },
  {
    source: "calculatorlib (US certificates of deposit): 90 days' interest",
    principal: 10_000_00n,
    annualRatePpm: 45_000,
    brokenAfterDays: 200,
    rules: always({ kind: 'PERIOD_INTEREST', period: { days: 90 } }),
    figures: ['246.58', '110.96', '10135.62'],
  },
]

for (const { source, principal, annualRatePpm, brokenAfterDays, start, rules, figures } of penalCases) {
  test(`interest, charge and total are ${figures.join(', ')}: ${source}`, () => {
    const startDate = isoDate(start ?? '2025-01-01')
    const { interest, assessed: penal } = assessPlain({
      principal: minor(principal),
      earlierToday: null,
      annualRatePpm,
      startDate,
      maturityDate: addDays(startDate, 365),
      rules: { ...FIRST_RULES, penalRules: rules },
      rulesVersion: 1,
      businessDate: addDays(startDate, brokenAfterDays),
    })
    assert.deepEqual([interest, penal, principal + interest - penal].map(formatAmount), figures)
  })
}

test('the tiers of Defence Bank change exactly at their shares of the term', () => {
  const startDate = isoDate('2025-01-01')
  const chargedShare = (days: number) => {
    const { ruleIndex } = assessPlain({
      principal: minor(50_000_00n),
      earlierToday: null,
      annualRatePpm: 50_000,
      startDate,
      maturityDate: addDays(startDate, 365),
      rules: { ...FIRST_RULES, penalRules: defenceBankTiers },
      rulesVersion: 1,
      businessDate: addDays(startDate, days),
    })
    return ruleIndex
  }
  assert.deepEqual([0, 72, 73, 145, 146, 218, 219, 291, 292, 364, 365].map(chargedShare), [
    0,
    0,
    1,
    1,
    2,
    2,
    3,
    3,
    4,
    4,
    null,
  ])
})
