/** The figures of a bank's desk, worked out to the cent by an evaluator of exact fractions that shares no code with this. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import type { BreakableDeposit } from '../../src/domain/deposit.ts'
import { brokenOnDay, type Part, type Settlement, settle } from '../../src/domain/liquidation.ts'
import { formatAmount, minor } from '../../src/domain/money.ts'
import { FIRST_RULES, type PenalRule, type RuleSet, type Term } from '../../src/domain/rules.ts'

const START = isoDate('2026-01-01')
const NO_LIMITS = { combine: 'SUM', min: minor(0n), max: null } as const

function charging(terms: Term[], when: PenalRule['when'] = {}): RuleSet {
  return { ...FIRST_RULES, penalRules: [{ when, terms, ...NO_LIMITS }] }
}

function percentOfAccrued(percentPpm: number): Term {
  return { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm }
}

function depositOf(terms: { principal: bigint; annualRatePpm: number }): BreakableDeposit {
  return {
    depositId: 'fd_1',
    accountNumber: '1000000001',
    currency: 'NGN',
    status: 'ACTIVE',
    remaining: minor(terms.principal),
    annualRatePpm: terms.annualRatePpm,
    tenorDays: 365,
    startDate: START,
    maturityDate: addDays(START, 365),
    rulesVersion: 1,
    lien: minor(0n),
    lastBroken: null,
  }
}

/** Parts of one day, each as `amount: interest / charge`; the last one takes the rest. */
const partsOfOneDay: {
  name: string
  deposit: BreakableDeposit
  days: number
  rules: RuleSet
  parts: string
  full: string
}[] = [
  {
    name: 'M1: roundings are not gained part by part',
    deposit: depositOf({ principal: 100_00n, annualRatePpm: 100_000 }),
    days: 1,
    rules: FIRST_RULES,
    parts: '18.25: 0.01 / 0.00 · 18.25: 0.00 / 0.00 · 18.25: 0.01 / 0.00 · 45.25: 0.01 / 0.00',
    full: '0.03 / 0.00',
  },
  {
    name: 'M2: nor are those of a charge by percent',
    deposit: depositOf({ principal: 300_00n, annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([percentOfAccrued(400_000)]),
    parts: '0.19: 0.01 / 0.00 · 0.19: 0.00 / 0.00 · 0.19: 0.01 / 0.01 · 299.43: 8.20 / 3.28',
    full: '8.22 / 3.29',
  },
  {
    name: 'M3: a fixed charge is taken once',
    deposit: depositOf({ principal: 50_000_00n, annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([{ kind: 'FIXED', amount: minor(50_00n) }]),
    parts: '5000.00: 136.99 / 50.00 · 5000.00: 136.98 / 0.00 · 40000.00: 1095.89 / 0.00',
    full: '1369.86 / 50.00',
  },
  {
    name: 'M4: a charge by amount is not avoided by slicing, but a part bears no more than its own interest',
    deposit: depositOf({ principal: 50_000_00n, annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([percentOfAccrued(1_000_000)], { amount: { gte: minor(1_000_00n) } }),
    parts: '980.00: 26.85 / 0.00 · 980.00: 26.85 / 26.85 · 48040.00: 1316.16 / 1316.16',
    full: '1369.86 / 1369.86',
  },
  {
    name: 'M5: a lower rate',
    deposit: depositOf({ principal: 77_777_77n, annualRatePpm: 113_000 }),
    days: 133,
    rules: charging([{ kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -30_000 } }]),
    parts: '1234.56: 50.83 / 13.49 · 0.07: 0.01 / 0.01 · 76543.14: 3151.69 / 836.73',
    full: '3202.53 / 850.23',
  },
]

for (const { name, deposit, days, rules, parts, full } of partsOfOneDay) {
  test(name, () => {
    const on = addDays(START, days)
    const asked = parts.split(' · ')
    let left = deposit
    const made = asked.map((text, index) => {
      const amount = minor(BigInt(text.slice(0, text.indexOf(':')).replace('.', '')))
      const last = index === asked.length - 1
      const settlement = settled(
        left,
        rules,
        last ? { type: 'FULL', amount } : { type: 'PARTIAL', amount },
        on,
      )
      left = { ...left, remaining: settlement.remaining, lastBroken: brokenOnDay(settlement) }
      return `${formatAmount(settlement.principal)}: ${figures(settlement)}`
    })
    assert.deepEqual(made, asked)
    assert.equal(figures(settled(deposit, rules, { type: 'FULL', amount: null }, on)), full)
  })
}

function settled(deposit: BreakableDeposit, rules: RuleSet, part: Part, on: BreakableDeposit['startDate']) {
  const decided = settle({ deposit, rules, balance: 0n, part, on })
  assert(decided.outcome === 'settled')
  return decided.settlement
}

function figures({ interest, penal }: Settlement): string {
  return `${formatAmount(interest)} / ${formatAmount(penal)}`
}
