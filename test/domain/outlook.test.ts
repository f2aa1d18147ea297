/** The days of a term that the console draws are the settlements that quotes show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import { settlementOn } from '../../src/domain/liquidation.ts'
import { minor } from '../../src/domain/money.ts'
import { daysOfTerm } from '../../src/domain/outlook.ts'
import { beforePayments, bringForward, payAtOpening } from '../../src/domain/payments.ts'
import { FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'
import { INTEREST_METHODS } from '../../src/domain/schedule.ts'
import type { Taxation } from '../../src/domain/tax.ts'
import { termsOf } from '../../src/domain/terms.ts'
import { depositWith } from './deposits.ts'

const rules: RuleSet = {
  ...FIRST_RULES,
  penalRules: [
    {
      when: { elapsedPercent: { lt: 400_000 } },
      terms: [{ kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -40_000 } }],
      combine: 'SUM',
      min: minor(0n),
      max: null,
    },
    {
      when: {},
      terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: 250_000 }],
      combine: 'SUM',
      min: minor(0n),
      max: null,
    },
  ],
}

const taxation: Taxation = {
  version: 1,
  taxClass: 'STANDARD',
  ratePpm: 100_000,
  base: 'NET',
  onRecovery: 'RETURN',
  rounding: 'HALF_UP',
}

test('from today on each day is the settlement of that day, for every method', () => {
  const anyDeposit = fc.record({
    method: fc.constantFrom(...INTEREST_METHODS),
    recoverPaidInterest: fc.boolean(),
    principal: fc.bigInt({ min: 100_00n, max: 9_000_000_00n }),
    age: fc.integer({ min: 0, max: 364 }),
    ahead: fc.integer({ min: 0, max: 364 }),
  })
  fc.assert(
    fc.property(anyDeposit, ({ method, recoverPaidInterest, principal, age, ahead }) => {
      const every = method === 'PAYOUT' ? 'MONTH' : method === 'COMPOUND' ? 'QUARTER' : null
      const opened = depositWith({ method, every, recoverPaidInterest, principal: minor(principal) })
      const terms = termsOf(opened, rules)
      const today = addDays(opened.startDate, age)
      const moment = { at: new Date(0), today }
      const context = { terms, moment, taxationOn: () => taxation, balance: 0n }
      const start = payAtOpening(
        { ...opened, ...beforePayments(terms) },
        { ...context, moment: { ...moment, today: opened.startDate } },
      )
      const { deposit } = bringForward(start.deposit, context)
      const shared = { rules, taxationOn: () => taxation, taxedParts: [] }
      const days = daysOfTerm(deposit, {
        ...shared,
        principal: deposit.remaining,
        waiver: null,
        today,
        stepDays: 1,
      })
      assert.equal(days.length, 366)
      const on = addDays(today, Math.min(ahead, 365 - age))
      const settled = settlementOn(on, {
        ...shared,
        deposit,
        part: { type: 'FULL', amount: null },
        balance: 0n,
        moment,
      })
      assert(settled.outcome === 'settled')
      const { settlement } = settled
      const day = days.find((one) => one.on === on)!
      assert.deepEqual(
        [deposit.remaining + day.earned - day.charge - day.tax - day.paid, day.charge],
        [settlement.net, settlement.penal + settlement.recovered],
        `${method} ${on}`,
      )
    }),
    { numRuns: 60 },
  )
})

test('a past day shows what had been earned by then, paid out or not', () => {
  const opened = depositWith({ method: 'PAYOUT', every: 'MONTH' })
  const terms = termsOf(opened, rules)
  const today = isoDate('2026-07-01')
  const moment = { at: new Date(0), today }
  const context = { terms, moment, taxationOn: () => null, balance: 0n }
  const { deposit } = bringForward({ ...opened, ...beforePayments(terms) }, context)
  const known = { rules, principal: deposit.remaining, waiver: null, taxationOn: () => null, taxedParts: [] }
  const days = daysOfTerm(deposit, { ...known, today, stepDays: 1 })
  const on = (day: string) => days.find((one) => one.on === day)!
  // 31 days of 10 percent, then 28 more.
  assert.deepEqual([on('2026-02-01').earned, on('2026-02-01').paid], [849_32n, 849_32n])
  assert.deepEqual([on('2026-03-01').earned, on('2026-02-28').paid], [1_616_44n, 849_32n])
})

test('days before the first sheet of a product are left out where its rules start from the sheet of the day', () => {
  const sheet = { number: 1, effectiveFrom: isoDate('2026-06-01'), tenorUnit: 'DAY' } as const
  const grid = { tenorFrom: [0], amountFrom: [minor(0n)], ratesPpm: [[50_000]] }
  const [rule] = rules.penalRules
  const penalRules = [{ ...rule!, when: {}, terms: [{ kind: 'RERATE', rate: { of: 'CARD_NOW' } }] } as const]
  const deposit = depositWith({ productCode: 'LATER', productVersion: 1 })
  const days = daysOfTerm(deposit, {
    ...{ rules: { ...rules, penalRules, sheets: [{ ...sheet, ...grid }] }, principal: deposit.remaining },
    ...{ waiver: null, taxationOn: () => null, taxedParts: [], today: isoDate('2026-07-01'), stepDays: 1 },
  })
  assert.deepEqual([days[0]!.on, days.at(-1)!.on], ['2026-06-01', deposit.maturityDate])
})
