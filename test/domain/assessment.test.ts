import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSheetMissing } from '../../src/domain/assessment.ts'
import { isoDate } from '../../src/domain/dates.ts'
import { minor } from '../../src/domain/money.ts'
import { FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'

test('rules that start from a rate sheet need one until the day before maturity', () => {
  const rule = { when: {}, terms: [{ kind: 'RERATE', rate: { of: 'CARD_NOW' } }], combine: 'SUM' } as const
  const rules: RuleSet = {
    ...{ ...FIRST_RULES, sheets: [] },
    penalRules: [{ ...rule, min: minor(0n), max: null }],
  }
  const deposit = { rateSheet: null, maturityDate: isoDate('2026-07-01') }
  const missing = ['2026-06-30', '2026-07-01', '2026-07-02'].map((on) =>
    isSheetMissing(isoDate(on), deposit, rules),
  )
  assert.deepEqual(missing, [true, false, false])
})
