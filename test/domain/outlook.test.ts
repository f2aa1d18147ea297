/** The days to come, and those of a term that the console draws, are the settlements that quotes show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import { DAY_COUNTS } from '../../src/domain/day-count.ts'
import { settlementOn } from '../../src/domain/liquidation.ts'
import { minor } from '../../src/domain/money.ts'
import { daysOfTerm, type Foreseen, foreseeByDay } from '../../src/domain/outlook.ts'
import { beforePayments, bringForward, payAtOpening } from '../../src/domain/payments.ts'
import { type ChargeTerm, FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'
import { INTEREST_METHODS, INTEREST_PERIODS } from '../../src/domain/schedule.ts'
import type { Taxation } from '../../src/domain/tax.ts'
import { termsOf } from '../../src/domain/terms.ts'
import { ROUNDINGS } from './arbitraries.ts'
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

const anyCharge: fc.Arbitrary<ChargeTerm> = fc.oneof(
  fc.record({ kind: fc.constant('FIXED' as const), amount: fc.bigInt({ min: 0n, max: 500_00n }).map(minor) }),
  fc.record({
    kind: fc.constant('PERCENT' as const),
    of: fc.constantFrom('ACCRUED_INTEREST' as const, 'TERM_INTEREST' as const),
    percentPpm: fc.integer({ min: 0, max: 900_000 }),
  }),
  fc.record({
    kind: fc.constant('RERATE' as const),
    rate: fc.record({
      of: fc.constant('CONTRACT' as const),
      multiply: fc.constantFrom('ELAPSED_FRACTION' as const, 500_000, 1_000_000, 10_000_000),
      addPpm: fc.constantFrom(-200_000, -10_000, 0, 1_000_000),
    }),
  }),
)

const anyLife = fc.record({
  method: fc.constantFrom(...INTEREST_METHODS),
  every: fc.constantFrom(...INTEREST_PERIODS),
  dayCount: fc.constantFrom(...DAY_COUNTS),
  rounding: fc.constantFrom(...ROUNDINGS),
  start: fc.constantFrom('2026-01-31', '2027-12-15', '2028-02-29').map(isoDate),
  tenor: fc.integer({ min: 1, max: 800 }),
  moved: fc.constantFrom(0, 3),
  lived: fc.double({ min: 0, max: 1, noNaN: true }),
  principal: fc.bigInt({ min: 5_000_00n, max: 9_000_000_00n }),
  recoverPaidInterest: fc.boolean(),
  annualRatePpm: fc.constantFrom(35_000, 120_000, 250_000),
  until: fc.integer({ min: 1, max: 999_999 }),
  charges: fc.tuple(anyCharge, anyCharge),
  taxed: fc.boolean(),
})

function foreseen(...asked: Parameters<typeof foreseeByDay>): Foreseen {
  const steps = foreseeByDay(...asked)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('each point of an outlook is the settlement of its day, and the first day ahead is found among all days', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const { method, start: startDate, tenor, moved, principal, until, charges, taxed } = life
      const isPeriodic = method === 'COMPOUND' || method === 'PAYOUT'
      const every = !isPeriodic ? null : method === 'PAYOUT' && life.every === 'DAY' ? 'MONTH' : life.every
      const { dayCount, rounding, recoverPaidInterest, annualRatePpm } = life
      const [early, late] = charges.map((term) => ({
        terms: [term],
        combine: 'SUM' as const,
        min: minor(0n),
        max: null,
      }))
      const penalRules = [
        { ...early!, when: { elapsedPercent: { lt: until } } },
        { ...late!, when: {} },
      ]
      const own: RuleSet = { ...FIRST_RULES, dayCount, rounding, penalRules }
      const tenorDays = tenor + moved
      const agreed = { startDate, tenorDays, maturityDate: addDays(startDate, tenorDays), annualRatePpm }
      const agreedTenor = { unit: 'DAY', count: tenor } as const
      const interest = { method, every, recoverPaidInterest, agreedTenor }
      const opened = depositWith({ ...agreed, ...interest, principal: minor(principal) })
      const terms = termsOf(opened, own)
      const today = addDays(startDate, Math.floor(life.lived * tenorDays))
      const taxationOn = () => (taxed ? taxation : null)
      const context = { terms, taxationOn, balance: 0n }
      const paying = { ...opened, ...beforePayments(terms) }
      const start = payAtOpening(paying, { ...context, moment: { at: new Date(0), today: startDate } })
      const moment = { at: new Date(0), today }
      const { deposit } = bringForward(start.deposit, { ...context, moment })
      const known = { rules: own, taxationOn, taxedParts: [], balance: 0n, moment }
      const settle = (on: IsoDate) => {
        const settled = settlementOn(on, { ...known, deposit, part: { type: 'FULL', amount: null } })
        assert(settled.outcome === 'settled')
        return settled.settlement
      }
      const result = foreseen(deposit, { ...known, amount: null, taxDays: [] })
      assert(result.outcome === 'foreseen')
      const { points, breakEvenOn } = result.outlook
      for (const point of points) {
        const { net, penal, tax, interest, paidShare, unearned, recovered } = settle(point.on)
        const interestKept = interest + paidShare - unearned - penal - recovered
        assert.deepEqual(point, { on: point.on, net, penal, tax, interestKept })
      }
      const isAhead = (on: IsoDate) => {
        const { net, paidShare, taxShare, principal: broken } = settle(on)
        return net + paidShare - taxShare > broken
      }
      const all = Array.from({ length: daysBetween(today, opened.maturityDate) + 1 }, (_, day) =>
        addDays(today, day),
      )
      assert.equal(breakEvenOn, all.find(isAhead) ?? null)
    }),
    { numRuns: Number(process.env.RUNS ?? 60) },
  )
})

test('a hundred years of monthly compounding are foreseen in a moment, where nothing is ever gained', () => {
  const penalRules = [
    {
      when: {},
      terms: [{ kind: 'RERATE', rate: { of: 'FIXED', valuePpm: 0 } } as const],
      combine: 'SUM' as const,
      min: minor(0n),
      max: null,
    },
  ]
  const startDate = isoDate('2026-01-31')
  const tenorDays = 36_500
  const agreed = { startDate, tenorDays, maturityDate: addDays(startDate, tenorDays), annualRatePpm: 50_000 }
  const deposit = depositWith({ ...agreed, method: 'COMPOUND', every: 'MONTH' })
  const moment = { at: new Date(0), today: startDate }
  const known = { rules: { ...FIRST_RULES, penalRules }, taxationOn: () => null, taxedParts: [], balance: 0n }
  const begun = process.cpuUsage()
  const result = foreseen(deposit, { ...known, moment, amount: null, taxDays: [] })
  const usedMs = process.cpuUsage(begun).user / 1000
  assert(result.outcome === 'foreseen')
  assert.equal(result.outlook.breakEvenOn, agreed.maturityDate)
  // Each day by itself, it takes more than ten seconds.
  assert(usedMs < 4_000, `${usedMs} ms`)
})
