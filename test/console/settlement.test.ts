import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../src/domain/dates.ts'
import { minor } from '../../src/domain/money.ts'
import { type ChargeTerm, type Conditions, FIRST_RULES } from '../../src/domain/rules.ts'
import { forCustomer, workedOut } from '../../src/features/liquidation/words.ts'
import { wordsFor } from '../../src/words/words.ts'
import { assessPlain } from '../domain/deposits.ts'

const words = wordsFor({ timeZone: 'UTC', currency: 'NGN' })

/** 100,000.00 at 10 percent for 365 days, broken after 73: 2,000.00 of interest. `before`: of a rule that is tried first. */
function explained(term: ChargeTerm, when: Conditions = {}, before?: Conditions) {
  const principal = minor(100_000_00n)
  const rule = { terms: [term], combine: 'SUM', min: minor(0n), max: null } as const
  const rules = {
    ...FIRST_RULES,
    penalRules: [...(before === undefined ? [] : [{ ...rule, when: before }]), { ...rule, when }],
  }
  const { interest, assessed, explain } = assessPlain({
    principal,
    earlierToday: null,
    annualRatePpm: 100_000,
    startDate: isoDate('2025-01-01'),
    maturityDate: isoDate('2026-01-01'),
    rules,
    rulesVersion: 1,
    businessDate: isoDate('2025-03-15'),
  })
  const settled = {
    ...{ principal, interest, assessed, penal: assessed },
    waived: minor(0n),
    adjustments: [],
    net: minor(principal + interest - assessed),
    tax: minor(0n),
    explanation: {
      ...explain(),
      tax: null,
      chargedToAccrued: assessed,
      chargedToPaid: minor(0n),
      uncollected: minor(0n),
      rulesSource: 'CALLER' as const,
      productVersion: null,
      rateSheet: null,
      sheetNow: null,
    },
  }
  return { settled, rules }
}

function sentenceOf(term: ChargeTerm): string | undefined {
  const { settled, rules } = explained(term)
  return workedOut(settled, rules, words)[1]
}

test('each kind of penal term has a sentence of its own', () => {
  const sentences: [ChargeTerm, string][] = [
    [{ kind: 'FIXED', amount: minor(50_00n) }, 'A fixed charge: ₦50.00.'],
    [
      { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: 250_000 },
      '25 % of the interest earned so far: ₦500.00.',
    ],
    [{ kind: 'PERIOD_INTEREST', period: { days: 30 } }, 'The interest of a period: ₦821.92.'],
    [
      { kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -10_000 } },
      'The difference to a lower rate for the days that passed: ₦200.00.',
    ],
  ]
  for (const [term, sentence] of sentences) assert.equal(sentenceOf(term), sentence)
})

test('the charge is said to the customer in one paragraph, with the span of the rule', () => {
  const share: ChargeTerm = { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: 800_000 }
  const held = 'You have held 73 of 365 days, which is 20 %.'
  const keeps = 'the bank keeps 80 % of the interest earned so far: ₦1,600.00 of ₦2,000.00.'
  const receives = 'You receive ₦100,400.00.'
  const spans: [Conditions, string][] = [
    [{ elapsedPercent: { gte: 200_000, lt: 400_000 } }, 'Between 20 and 40 %'],
    [{ elapsedPercent: { gte: 0, lt: 400_000 } }, 'Below 40 %'],
    [{ elapsedPercent: { gte: 200_000 } }, 'From 20 % on'],
    [{}, 'Now'],
  ]
  for (const [when, span] of spans) {
    const { settled, rules } = explained(share, when)
    assert.equal(forCustomer(settled, rules, words), `${held} ${span} ${keeps} ${receives}`)
  }
  // Rules are tried in order: one before it that looks at the term alone ends where this one begins.
  const before: [Conditions, string][] = [
    [{ elapsedPercent: { lt: 150_000 } }, 'Between 15 and 40 %'],
    [{ elapsedPercent: { lt: 200_000 } }, 'Between 20 and 40 %'],
    [{ elapsedPercent: { lt: 200_000 }, amount: { lt: minor(1n) } }, 'Below 40 %'],
    [{ elapsedPercent: { gte: 300_000 } }, 'Below 40 %'],
  ]
  for (const [when, span] of before) {
    const { settled, rules } = explained(share, { elapsedPercent: { lt: 400_000 } }, when)
    assert.equal(forCustomer(settled, rules, words), `${held} ${span} ${keeps} ${receives}`)
  }
  const fixed = explained({ kind: 'FIXED', amount: minor(50_00n) })
  assert.equal(
    forCustomer(fixed.settled, fixed.rules, words),
    `${held} Now the bank charges ₦50.00; the interest earned so far is ₦2,000.00. You receive ₦101,950.00.`,
  )
})
