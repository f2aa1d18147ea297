import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assessOn } from '../../src/domain/assessment.ts'
import { addDays, daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import { dayCountFraction, periodFraction } from '../../src/domain/day-count.ts'
import type { BrokenOnDay, Deposit } from '../../src/domain/deposit.ts'
import { type Fraction, fraction, multiply, roundFraction } from '../../src/domain/fraction.ts'
import { formatAmount, minor } from '../../src/domain/money.ts'
import type { RateSheet } from '../../src/domain/rate-sheet.ts'
import {
  type ChargeTerm,
  type Conditions,
  FIRST_RULES,
  type PenalRule,
  type Rate,
} from '../../src/domain/rules.ts'
import { anyTerms } from './arbitraries.ts'
import { assessPlain, daySumsWith, depositWith, type PlainTerms } from './deposits.ts'

const NO_LIMITS = { combine: 'SUM', min: minor(0n), max: null } as const

/** 50,000.00 at 5 percent for the 365 days of 2025, broken after 122 of them: 835.62 of interest. */
function brokenDeposit(penalRules: PenalRule[], changes: Partial<PlainTerms> = {}): PlainTerms {
  return {
    principal: minor(50_000_00n),
    earlierToday: null,
    annualRatePpm: 50_000,
    startDate: isoDate('2025-01-01'),
    maturityDate: isoDate('2026-01-01'),
    rules: { ...FIRST_RULES, penalRules },
    rulesVersion: 3,
    businessDate: isoDate('2025-05-03'),
    ...changes,
  }
}

function fixed(amount: bigint): ChargeTerm {
  return { kind: 'FIXED', amount: minor(amount) }
}

function explained(terms: PlainTerms) {
  const { interest, assessed, explain } = assessPlain(terms)
  return { interest, assessed, explanation: explain() }
}

test('an assessment explains itself in full', () => {
  const rules: PenalRule[] = [
    { when: { elapsedPercent: { lt: 200_000 } }, terms: [fixed(1n)], ...NO_LIMITS },
    {
      when: { elapsedPercent: { gte: 200_000, lt: 400_000 } },
      terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: 800_000 }, fixed(200_00n)],
      combine: 'SUM',
      min: minor(10_00n),
      max: minor(850_00n),
    },
  ]
  assert.deepEqual(explained(brokenDeposit(rules)), {
    interest: 835_62n,
    assessed: 835_62n,
    explanation: {
      businessDate: '2025-05-03',
      startDate: '2025-01-01',
      maturityDate: '2026-01-01',
      elapsedDays: 122,
      termDays: 365,
      dayCount: 'ACT/365F',
      rounding: 'HALF_UP',
      annualRatePpm: 50_000,
      principal: 50_000_00n,
      earlierToday: null,
      unroundedInterest: '835.6164383561',
      interest: 835_62n,
      rulesVersion: 3,
      ruleIndex: 1,
      noRuleReason: null,
      terms: [
        {
          kind: 'PERCENT',
          amount: 668_49n,
          sentence:
            '80 % of the accrued interest 835.6164383561 is 668.4931506849, rounded HALF_UP to 668.49.',
        },
        { kind: 'FIXED', amount: 200_00n, sentence: 'A fixed amount of 200.00.' },
      ],
      combine: 'SUM',
      combined: 868_49n,
      limited: 850_00n,
      cappedFrom: 850_00n,
      assessed: 835_62n,
      method: 'AT_MATURITY',
      every: null,
      wholePeriods: 0,
      growth: '0.0167123287',
      earned: 835_62n,
      paidShare: 0n,
    },
  })
})

test('each kind of term says how its amount came about', () => {
  const cases: [term: ChargeTerm, amount: bigint, sentence: string][] = [
    [
      { kind: 'PERCENT', of: 'PRINCIPAL', percentPpm: 1234 },
      61_70n,
      '0.1234 % of the principal 50000.00 is 61.7000000000, rounded HALF_UP to 61.70.',
    ],
    [
      { kind: 'PERCENT', of: 'TERM_INTEREST', percentPpm: 12_345 },
      30_86n,
      '1.2345 % of the interest to maturity 2500.0000000000 is 30.8625000000, rounded HALF_UP to 30.86.',
    ],
    [
      { kind: 'PERIOD_INTEREST', period: { days: 90 } },
      616_44n,
      'Interest on 50000.00 at the contract rate of 5 % for 90 days (90/365 of a year) is 616.4383561643, ' +
        'rounded HALF_UP to 616.44.',
    ],
    [
      { kind: 'PERIOD_INTEREST', period: { days: 1 }, rate: { of: 'FIXED', valuePpm: 15_000 } },
      2_05n,
      'Interest on 50000.00 at the fixed rate of 1.5 % for 1 day (1/365 of a year) is 2.0547945205, ' +
        'rounded HALF_UP to 2.05.',
    ],
    [
      {
        kind: 'PERIOD_INTEREST',
        period: 'REMAINING',
        rate: { of: 'CONTRACT', multiply: 'ELAPSED_FRACTION', addPpm: -5000 },
      },
      389_88n,
      'Interest on 50000.00 at the contract rate of 5 % times 122/365 (elapsed days of the term) minus ' +
        '0.5 percentage points, which is 1.1712328767 %, for the remaining 243 days (243/365 of a year) is ' +
        '389.8761493713, rounded HALF_UP to 389.88.',
    ],
    [
      { kind: 'RERATE', rate: { of: 'FIXED', valuePpm: 20_000, multiply: 1_500_000 } },
      334_25n,
      'Interest at the contract rate of 5 % is 835.6164383561, rounded HALF_UP to 835.62; at the fixed rate ' +
        'of 2 % times 1.5, which is 3 %, it is 501.3698630136, rounded HALF_UP to 501.37; the difference is ' +
        '334.25.',
    ],
    [
      { kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: 10_000 } },
      0n,
      'Interest at the contract rate of 5 % is 835.6164383561, rounded HALF_UP to 835.62; at the contract ' +
        'rate of 5 % plus 1 percentage point, which is 6 %, it is 1002.7397260273, rounded HALF_UP to ' +
        '1002.74; that is no less, so the amount is 0.00.',
    ],
    [
      { kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -90_000 } },
      835_62n,
      'Interest at the contract rate of 5 % is 835.6164383561, rounded HALF_UP to 835.62; at the contract ' +
        'rate of 5 % minus 9 percentage points, which is below zero and taken as 0 %, it is 0.0000000000, ' +
        'rounded HALF_UP to 0.00; the difference is 835.62.',
    ],
  ]
  for (const [term, amount, sentence] of cases) {
    const { explanation } = explained(brokenDeposit([{ when: {}, terms: [term], ...NO_LIMITS }]))
    assert.deepEqual(explanation.terms, [{ kind: term.kind, amount, sentence }])
  }
})

test('the remaining period follows the day count from the business date to maturity', () => {
  const rules: PenalRule[] = [
    { when: {}, terms: [{ kind: 'PERIOD_INTEREST', period: 'REMAINING' }], ...NO_LIMITS },
  ]
  const terms = brokenDeposit(rules, { businessDate: isoDate('2025-12-30') })
  const { explanation } = explained({ ...terms, rules: { ...terms.rules, dayCount: '30E/360' } })
  assert.equal(
    explanation.terms[0]!.sentence,
    'Interest on 50000.00 at the contract rate of 5 % for the remaining 2 days (1/360 of a year) is ' +
      '6.9444444444, rounded HALF_UP to 6.94.',
  )
})

test('a condition includes its lower edge and excludes its upper one', () => {
  // After 122 days of 365, 243 remain; of a term of 500 days, 100 are exactly 20 percent.
  const year = brokenDeposit([])
  const fiveHundred = brokenDeposit([], {
    maturityDate: addDays(isoDate('2025-01-01'), 500),
    businessDate: addDays(isoDate('2025-01-01'), 100),
  })
  const cases: [terms: PlainTerms, when: Conditions, matches: boolean][] = [
    [year, {}, true],
    [year, { elapsedDays: { gte: 122 } }, true],
    [year, { elapsedDays: { gte: 123 } }, false],
    [year, { elapsedDays: { lt: 122 } }, false],
    [year, { elapsedDays: { lt: 123 } }, true],
    [year, { elapsedDays: { gte: 122, lt: 123 } }, true],
    [year, { remainingDays: { gte: 243 } }, true],
    [year, { remainingDays: { lt: 243 } }, false],
    [year, { termDays: { gte: 365, lt: 366 } }, true],
    [year, { termDays: { gte: 366 } }, false],
    [year, { amount: { gte: minor(50_000_00n) } }, true],
    [year, { amount: { lt: minor(50_000_00n) } }, false],
    [year, { elapsedPercent: { gte: 334_246 } }, true],
    [year, { elapsedPercent: { gte: 334_247 } }, false],
    [year, { elapsedPercent: { lt: 334_246 } }, false],
    [year, { elapsedPercent: { lt: 334_247 } }, true],
    [fiveHundred, { elapsedPercent: { gte: 200_000 } }, true],
    [fiveHundred, { elapsedPercent: { lt: 200_000 } }, false],
    [fiveHundred, { remainingPercent: { gte: 800_000 } }, true],
    [fiveHundred, { remainingPercent: { lt: 800_000 } }, false],
    [fiveHundred, { elapsedDays: { gte: 100 }, amount: { lt: minor(1n) } }, false],
  ]
  for (const [terms, when, matches] of cases) {
    const penalRules = [{ when, terms: [fixed(1n)], ...NO_LIMITS }]
    const { assessed, explanation } = explained({ ...terms, rules: { ...terms.rules, penalRules } })
    assert.equal(
      assessed,
      matches ? 1n : 0n,
      JSON.stringify(when, (_, value) => String(value)),
    )
    assert.equal(explanation.noRuleReason, matches ? null : 'NO_RULE_MATCHED')
  }
})

test('the first rule that matches applies and the others do not', () => {
  const rules: PenalRule[] = [
    { when: { termDays: { lt: 365 } }, terms: [fixed(1n)], ...NO_LIMITS },
    { when: {}, terms: [fixed(2n)], ...NO_LIMITS },
    { when: {}, terms: [fixed(3n)], ...NO_LIMITS },
  ]
  const { assessed, explanation } = explained(brokenDeposit(rules))
  assert.deepEqual([assessed, explanation.ruleIndex], [2n, 1])
})

test('terms combine, then the limits apply, then the cap', () => {
  const terms = [fixed(300n), fixed(100n), fixed(200n)]
  const cases: [changes: Partial<PenalRule>, figures: (bigint | null)[]][] = [
    [{ combine: 'SUM' }, [600n, 600n, null, 600n]],
    [{ combine: 'MAX' }, [300n, 300n, null, 300n]],
    [{ combine: 'MIN' }, [100n, 100n, null, 100n]],
    [{ combine: 'SUM', min: minor(601n) }, [600n, 601n, null, 601n]],
    [{ combine: 'SUM', min: minor(599n) }, [600n, 600n, null, 600n]],
    [{ combine: 'SUM', max: minor(599n) }, [600n, 599n, null, 599n]],
    [{ combine: 'SUM', max: minor(601n) }, [600n, 600n, null, 600n]],
    [{ combine: 'MIN', max: minor(0n) }, [100n, 0n, null, 0n]],
    [{ combine: 'SUM', min: minor(835_62n) }, [600n, 835_62n, null, 835_62n]],
    [{ combine: 'SUM', min: minor(835_63n) }, [600n, 835_63n, 835_63n, 835_62n]],
  ]
  for (const [changes, figures] of cases) {
    const rule = { when: {}, terms, ...NO_LIMITS, ...changes }
    const { explanation } = explained(brokenDeposit([rule]))
    const { combined, limited, cappedFrom, assessed } = explanation
    assert.deepEqual([combined, limited, cappedFrom, assessed], figures)
  }
})

test('a term may exceed any amount of money before the cap', () => {
  const term: ChargeTerm = {
    kind: 'PERIOD_INTEREST',
    period: { days: 36_500 },
    rate: { of: 'FIXED', valuePpm: 1_000_000, multiply: 10_000_000, addPpm: 1_000_000 },
  }
  const principal = minor(999_999_999_999_999n)
  const { interest, assessed, explanation } = explained(
    brokenDeposit([{ when: {}, terms: [term], ...NO_LIMITS }], { principal }),
  )
  assert.equal(explanation.cappedFrom, principal * 1100n)
  assert.equal(assessed, interest)
})

test('from maturity on nothing is charged and nothing more is earned', () => {
  const rules: PenalRule[] = [{ when: {}, terms: [fixed(1n)], ...NO_LIMITS }]
  const on = (date: string) => {
    const { interest, assessed, explanation } = explained(
      brokenDeposit(rules, { businessDate: isoDate(date) }),
    )
    return [interest, assessed, explanation.noRuleReason, explanation.elapsedDays]
  }
  assert.deepEqual(on('2025-12-31'), [249_315n, 1n, null, 364])
  assert.deepEqual(on('2026-01-01'), [250_000n, 0n, 'MATURED', 365])
  assert.deepEqual(on('2026-07-01'), [250_000n, 0n, 'MATURED', 546])
})

test('on its first day and before it a deposit has earned nothing and can be charged nothing', () => {
  const rules: PenalRule[] = [{ when: { elapsedDays: { lt: 1 } }, terms: [fixed(500n)], ...NO_LIMITS }]
  for (const date of ['2025-01-01', '2024-12-31', '2020-01-01']) {
    const { interest, assessed, explanation } = explained(
      brokenDeposit(rules, { businessDate: isoDate(date) }),
    )
    assert.deepEqual([interest, assessed], [0n, 0n])
    assert.deepEqual([explanation.elapsedDays, explanation.ruleIndex, explanation.cappedFrom], [0, 0, 500n])
  }
})

test('a charge is never below zero, above the interest, or made after maturity', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const { interest, assessed } = assessPlain(terms)
      assert(assessed >= 0n && assessed <= interest)
      if (terms.businessDate >= terms.maturityDate) assert.equal(assessed, 0n)
    }),
    { numRuns: 2000 },
  )
})

test('a later day never earns less, and from maturity on every day earns the same', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 1, max: 500 }), (terms, days) => {
      const today = assessPlain(terms)
      const later = assessPlain({ ...terms, businessDate: addDays(terms.businessDate, days) })
      assert(later.interest >= today.interest)
      if (terms.businessDate >= terms.maturityDate) assert.equal(later.interest, today.interest)
    }),
    { numRuns: 1000 },
  )
})

test('the parts of a deposit earn what the whole earns, but for the rounding of each part', () => {
  const anyParts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 10n }).map(minor), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(anyTerms, anyParts, (terms, parts) => {
      const count = BigInt(parts.length)
      const principal = minor(parts.reduce((sum, part) => sum + part, 0n))
      const whole = assessPlain({ ...terms, principal }).interest
      const apart = parts
        .map((part): bigint => assessPlain({ ...terms, principal: part }).interest)
        .reduce((sum, part) => sum + part, 0n)
      if (terms.rules.rounding === 'DOWN') {
        // Each part loses less than a cent, and the whole loses no more than its parts together.
        assert(whole - apart >= 0n && whole - apart <= count - 1n)
      } else {
        // Each of the parts and the whole are at most half a cent off the exact interest.
        const twiceTheDifference = 2n * (whole > apart ? whole - apart : apart - whole)
        assert(twiceTheDifference <= count + 1n)
      }
    }),
    { numRuns: 1000 },
  )
})

/** The spec's own formula for a term, with no figure taken from the assessment but the rounded interest. */
function termAmount(term: ChargeTerm, terms: PlainTerms, interest: bigint): bigint {
  const { principal, annualRatePpm, startDate, maturityDate, businessDate, rules } = terms
  const { dayCount, rounding } = rules
  const today = businessDate > startDate ? businessDate : startDate
  const elapsed = BigInt(daysBetween(startDate, today))
  const termDays = BigInt(daysBetween(startDate, maturityDate))
  const interestAt = (rate: Fraction, years: Fraction) =>
    multiply(multiply(fraction(principal, 1n), rate), years)
  const contract = fraction(BigInt(annualRatePpm), 1_000_000n)
  const between = (from: IsoDate, to: IsoDate) => dayCountFraction(dayCount, from, to, startDate)
  const rateOf = (rate: Rate): Fraction => {
    const start = rate.of === 'FIXED' ? rate.valuePpm : annualRatePpm
    const [numerator, denominator] =
      rate.multiply === 'ELAPSED_FRACTION'
        ? [elapsed, termDays]
        : [BigInt(rate.multiply ?? 1_000_000), 1_000_000n]
    const ppm = BigInt(start) * numerator + BigInt(rate.addPpm ?? 0) * denominator
    return fraction(ppm > 0n ? ppm : 0n, denominator * 1_000_000n)
  }
  switch (term.kind) {
    case 'FIXED':
      return term.amount
    case 'PERCENT': {
      const base = {
        ACCRUED_INTEREST: interestAt(contract, between(startDate, today)),
        TERM_INTEREST: interestAt(contract, between(startDate, maturityDate)),
        PRINCIPAL: fraction(principal, 1n),
      }[term.of]
      return roundFraction(multiply(base, fraction(BigInt(term.percentPpm), 1_000_000n)), rounding)
    }
    case 'PERIOD_INTEREST': {
      const rate = term.rate === undefined ? contract : rateOf(term.rate)
      const years =
        term.period === 'REMAINING'
          ? between(today, maturityDate)
          : periodFraction(dayCount, term.period.days)
      return roundFraction(interestAt(rate, years), rounding)
    }
    case 'RERATE': {
      const rerated = roundFraction(interestAt(rateOf(term.rate), between(startDate, today)), rounding)
      return rerated < interest ? interest - rerated : 0n
    }
  }
}

test('the figures of an explanation lead to its charge', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const { interest, assessed, explanation } = explained(terms)
      assert.deepEqual([explanation.interest, explanation.assessed], [interest, assessed])
      if (explanation.ruleIndex === null) {
        const matured = terms.businessDate >= terms.maturityDate
        assert.equal(explanation.noRuleReason, matured ? 'MATURED' : 'NO_RULE_MATCHED')
        assert.deepEqual([assessed, explanation.terms], [0n, []])
        return
      }
      const rule = terms.rules.penalRules[explanation.ruleIndex]!
      const amounts = rule.terms.map((term) => termAmount(term, terms, interest))
      assert.deepEqual(
        explanation.terms.map((term) => term.amount),
        amounts,
      )
      for (const term of explanation.terms) assert(term.sentence.endsWith(` ${formatAmount(term.amount)}.`))
      const sorted = amounts.toSorted((left, right) => (left < right ? -1 : 1))
      const combined = {
        SUM: amounts.reduce((sum, amount) => sum + amount, 0n),
        MIN: sorted.at(0)!,
        MAX: sorted.at(-1)!,
      }[rule.combine]
      const raised = combined > rule.min ? combined : rule.min
      const limited = rule.max === null || raised < rule.max ? raised : rule.max
      assert.deepEqual([explanation.combined, explanation.limited], [combined, limited])
      assert.equal(explanation.cappedFrom, limited > interest ? limited : null)
      assert.equal(assessed, limited > interest ? interest : limited)
    }),
    { numRuns: 2000 },
  )
})

const brokenNothing = daySumsWith({})

test('rules may ask how often a deposit was broken before, and how often it has rolled over', () => {
  const on = isoDate('2026-07-01')
  const charged = (when: Conditions, said: Partial<Deposit>): boolean => {
    const rules = { ...FIRST_RULES, penalRules: [{ when, terms: [fixed(100n)], ...NO_LIMITS }] }
    return assessOn(on, { deposit: depositWith(said), principal: minor(1_000_00n), rules }).ruleIndex === 0
  }
  const first = { earlierLiquidations: { lt: 1 } }
  const second = { earlierLiquidations: { gte: 1, lt: 2 } }
  const brokenOn = (day: string): BrokenOnDay => ({ ...brokenNothing, on: isoDate(day) })
  assert.deepEqual([charged(first, {}), charged(second, {})], [true, false])
  const yesterday = { lastBroken: brokenOn('2026-06-30') }
  assert.deepEqual([charged(first, yesterday), charged(second, yesterday)], [false, true])
  // Parts of one day are one withdrawal.
  const today = { lastBroken: brokenOn('2026-07-01') }
  assert.deepEqual([charged(first, today), charged(second, today)], [true, false])
  const twice = { lastBroken: brokenOn('2026-06-30'), brokenDays: 1 }
  assert.deepEqual([charged(first, twice), charged(second, twice)], [false, false])
  const renewed = { rollovers: { gte: 1 } }
  assert.deepEqual([charged(renewed, {}), charged(renewed, { rollovers: 1 })], [false, true])
})

test('rules of a product may start from its rate sheets', () => {
  const sheet = (number: number, effectiveFrom: string, ratesPpm: number[]): RateSheet => ({
    number,
    effectiveFrom: isoDate(effectiveFrom),
    tenorUnit: 'DAY',
    tenorFrom: [0, 90, 180],
    amountFrom: [minor(0n), minor(100_000_00n)],
    ratesPpm: ratesPpm.map((rate) => [0, rate]),
  })
  const sheets = [
    sheet(1, '2026-01-01', [20_000, 41_000, 50_000]),
    sheet(2, '2026-05-01', [10_000, 37_500, 90_000]),
    sheet(3, '2027-01-01', [0, 0, 0]),
  ]
  const rerate = (rate: Rate): ChargeTerm => ({ kind: 'RERATE', rate })
  const rules = {
    ...FIRST_RULES,
    sheets,
    penalRules: [
      {
        when: {},
        terms: [
          rerate({ of: 'CARD_AT_OPENING', addPpm: -20_000 }),
          rerate({ of: 'CARD_NOW', addPpm: -20_000 }),
        ],
        ...NO_LIMITS,
        combine: 'MAX' as const,
      },
    ],
  }
  const deposit = depositWith({ rateSheet: 1, bonusPpm: 5_000, annualRatePpm: 50_000 })
  const on = addDays(deposit.startDate, 151)
  // A part has the band of the principal at the opening.
  const { explain, looked } = assessOn(on, { deposit, principal: minor(10_000_00n), rules })
  const { terms, interest, assessed } = explain()
  assert.equal(looked.sheetNow, 2)
  assert.deepEqual([interest, assessed], [206_85n, 113_77n])
  assert.match(
    terms[0]!.sentence,
    /at the rate of the sheet at the opening of 4.6 % minus 2 percentage points/,
  )
  assert.match(terms[1]!.sentence, /at the rate of the sheet of the day of 4.25 % minus 2 percentage points/)
})
