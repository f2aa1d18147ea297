import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workedOut } from '../../src/console/settlement.ts'
import { wordsFor } from '../../src/console/words.ts'
import { isoDate } from '../../src/domain/dates.ts'
import { minor } from '../../src/domain/money.ts'
import { assess } from '../../src/domain/penal.ts'
import { FIRST_RULES, type Term } from '../../src/domain/rules.ts'

const words = wordsFor({ timeZone: 'UTC', currency: 'NGN' })

/** 100,000.00 at 10 percent for 365 days, broken after 73: 2,000.00 of interest. */
function sentenceOf(term: Term): string | undefined {
  const principal = minor(100_000_00n)
  const rules = {
    ...FIRST_RULES,
    penalRules: [{ when: {}, terms: [term], combine: 'SUM', min: minor(0n), max: null } as const],
  }
  const { interest, assessed, explain } = assess({
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
    explanation: { ...explain(), tax: null },
  }
  return workedOut(settled, rules, words)[1]
}

test('each kind of penal term has a sentence of its own', () => {
  const sentences: [Term, string][] = [
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
