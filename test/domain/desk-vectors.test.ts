/** The figures of a bank's desk, worked out to the cent by an evaluator of exact fractions that shares no code with this. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import type { BreakableDeposit, Deposit } from '../../src/domain/deposit.ts'
import type { Movement } from '../../src/domain/ledger.ts'
import {
  brokenOnDay,
  liquidationMovements,
  type Part,
  type Settlement,
  settlementOf,
} from '../../src/domain/liquidation.ts'
import { decideMaturities, maturityMovements } from '../../src/domain/maturity.ts'
import { formatAmount, minor } from '../../src/domain/money.ts'
import { type ChargeTerm, FIRST_RULES, type PenalRule, type RuleSet } from '../../src/domain/rules.ts'
import type { Waiver } from '../../src/domain/settlement.ts'
import type { Taxation, TaxedAlike, TaxRules } from '../../src/domain/tax.ts'
import { depositWith } from './deposits.ts'

const START = isoDate('2026-01-01')
const NO_LIMITS = { combine: 'SUM', min: minor(0n), max: null } as const

function charging(terms: ChargeTerm[], when: PenalRule['when'] = {}): RuleSet {
  return { ...FIRST_RULES, penalRules: [{ when, terms, ...NO_LIMITS }] }
}

function percentOfAccrued(percentPpm: number): ChargeTerm {
  return { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm }
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
    deposit: depositWith({ principal: minor(100_00n), annualRatePpm: 100_000 }),
    days: 1,
    rules: FIRST_RULES,
    parts: '18.25: 0.01 / 0.00 · 18.25: 0.00 / 0.00 · 18.25: 0.01 / 0.00 · 45.25: 0.01 / 0.00',
    full: '0.03 / 0.00',
  },
  {
    name: 'M2: nor are those of a charge by percent',
    deposit: depositWith({ principal: minor(300_00n), annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([percentOfAccrued(400_000)]),
    parts: '0.19: 0.01 / 0.00 · 0.19: 0.00 / 0.00 · 0.19: 0.01 / 0.01 · 299.43: 8.20 / 3.28',
    full: '8.22 / 3.29',
  },
  {
    name: 'M3: a fixed charge is taken once',
    deposit: depositWith({ principal: minor(50_000_00n), annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([{ kind: 'FIXED', amount: minor(50_00n) }]),
    parts: '5000.00: 136.99 / 50.00 · 5000.00: 136.98 / 0.00 · 40000.00: 1095.89 / 0.00',
    full: '1369.86 / 50.00',
  },
  {
    name: 'M4: a charge by amount is not avoided by slicing, but a part bears no more than its own interest',
    deposit: depositWith({ principal: minor(50_000_00n), annualRatePpm: 100_000 }),
    days: 100,
    rules: charging([percentOfAccrued(1_000_000)], { amount: { gte: minor(1_000_00n) } }),
    parts: '980.00: 26.85 / 0.00 · 980.00: 26.85 / 26.85 · 48040.00: 1316.16 / 1316.16',
    full: '1369.86 / 1369.86',
  },
  {
    name: 'M5: a lower rate',
    deposit: depositWith({ principal: minor(77_777_77n), annualRatePpm: 113_000 }),
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

/** Z: 100,000 at 10 percent, broken after 60 days; the rule takes 25 percent of the accrued interest. */
const Z = depositWith({ principal: minor(100_000_00n), annualRatePpm: 100_000 })
const Z_RULES = charging([percentOfAccrued(250_000)])
const Z_DAY = isoDate('2026-03-02')

const waivers: {
  name: string
  waived: Partial<Waiver> | null
  /** assessed, waived, principal, interest, charge, total, net */
  figures: string
  lines: string
}[] = [
  {
    name: 'F1: no waiver',
    waived: null,
    figures: '410.96 0.00 100000.00 1643.84 410.96 101232.88 101232.88',
    lines: 'fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · 1000000001 101232.88',
  },
  {
    name: 'F2: 100 percent',
    waived: { percentPpm: 1_000_000 },
    figures: '410.96 410.96 100000.00 1643.84 0.00 101643.84 101643.84',
    lines:
      'fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -410.96 · 1000000001 101643.84',
  },
  {
    name: 'F3: 50 percent',
    waived: { percentPpm: 500_000 },
    figures: '410.96 205.48 100000.00 1643.84 205.48 101438.36 101438.36',
    lines:
      'fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -205.48 · 1000000001 101438.36',
  },
  {
    name: 'F4: an amount of 100.00',
    waived: { amount: minor(100_00n) },
    figures: '410.96 100.00 100000.00 1643.84 310.96 101332.88 101332.88',
    lines:
      'fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -100.00 · 1000000001 101332.88',
  },
  {
    name: 'F5: 33.3333 percent',
    waived: { percentPpm: 333_333 },
    figures: '410.96 136.99 100000.00 1643.84 273.97 101369.87 101369.87',
    lines:
      'fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -136.99 · 1000000001 101369.87',
  },
]

for (const { name, waived, figures: expected, lines } of waivers) {
  test(`${name} of the charge on Z`, () => {
    const settlement = settled(Z, Z_RULES, { type: 'FULL', amount: null }, Z_DAY, waived && waiving(waived))
    const { assessed, principal, interest, penal, total, net } = settlement
    assert.equal(
      [assessed, settlement.waived, principal, interest, penal, total, net].map(formatAmount).join(' '),
      expected,
    )
    const [movement] = liquidationMovements(settlement)
    assert.equal(
      movement!.postings.map(({ account, amount }) => `${account} ${formatAmount(amount)}`).join(' · '),
      lines,
    )
  })
}

const refusedWaivers: [name: string, waived: Partial<Waiver>, on: string, code: string, details: object][] = [
  [
    'F8: more than the charge',
    { amount: minor(1_000_00n) },
    '2026-03-02',
    'waiver_exceeds_charge',
    { charge: 410_96n },
  ],
  [
    'a cent more than the charge',
    { amount: minor(410_97n) },
    '2026-03-02',
    'waiver_exceeds_charge',
    { charge: 410_96n },
  ],
  ['F9: a percent at maturity', { percentPpm: 1 }, '2027-01-01', 'nothing_to_waive', {}],
  ['F9: an amount after maturity', { amount: minor(1n) }, '2027-01-02', 'nothing_to_waive', {}],
  ['F9: a holding period at maturity', { holdingPeriod: true }, '2027-01-01', 'nothing_to_waive', {}],
  ['a percent of no charge', { percentPpm: 1_000_000 }, '2026-01-01', 'nothing_to_waive', {}],
  [
    'an amount of no charge',
    { amount: minor(1n), holdingPeriod: true },
    '2026-01-01',
    'nothing_to_waive',
    {},
  ],
]

for (const [name, waived, on, code, details] of refusedWaivers) {
  test(`refused: ${name}`, () => {
    const decided = settlementOf({
      deposit: Z,
      rules: Z_RULES,
      balance: 0n,
      part: { type: 'FULL', amount: null },
      waiver: waiving(waived),
      taxation: null,
      taxedParts: [],
      on: isoDate(on),
    })
    assert.deepEqual(decided, { outcome: 'refused', code, details })
  })
}

test('the whole charge may be waived by its amount, and a holding period where nothing is charged', () => {
  const full: Part = { type: 'FULL', amount: null }
  const whole = settled(Z, Z_RULES, full, Z_DAY, waiving({ amount: minor(410_96n) }))
  assert.deepEqual([whole.waived, whole.penal], [410_96n, 0n])
  const early = settled(Z, { ...Z_RULES, minHoldingDays: 365 }, full, START, waiving({ holdingPeriod: true }))
  assert.deepEqual([early.assessed, early.net], [0n, 100_000_00n])
})

test('a charge that was waived is not assessed again on the next part of the day', () => {
  const rules = charging([{ kind: 'FIXED', amount: minor(50_00n) }])
  const first = settled(
    Z,
    rules,
    { type: 'PARTIAL', amount: minor(40_000_00n) },
    Z_DAY,
    waiving({ percentPpm: 1_000_000 }),
  )
  const left = { ...Z, remaining: first.remaining, lastBroken: brokenOnDay(first) }
  const second = settled(left, rules, { type: 'FULL', amount: null }, Z_DAY)
  assert.deepEqual([first.assessed, first.waived, second.assessed, second.penal], [50_00n, 50_00n, 0n, 0n])
})

const FULL: Part = { type: 'FULL', amount: null }

function taxing(changes: Partial<Taxation> = {}): Taxation {
  const rules = { base: 'NET', onRecovery: 'KEEP', rounding: 'HALF_UP' } as const
  return { version: 1, taxClass: 'STANDARD', ratePpm: 100_000, ...rules, ...changes }
}

const taxed: {
  name: string
  rules: RuleSet
  taxation: Taxation
  deposit?: BreakableDeposit
  waiver?: Waiver
  /** interest, charge, tax, net */
  figures: string
  lines: string[]
}[] = [
  {
    name: 'G1: the base NET',
    rules: Z_RULES,
    taxation: taxing(),
    figures: '1643.84 410.96 123.29 101109.59',
    lines: [
      'LIQUIDATION: fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · 1000000001 101232.88',
      'WITHHOLDING_TAX: 1000000001 -123.29 · tax_payable 123.29',
    ],
  },
  {
    name: 'G2: the base GROSS',
    rules: Z_RULES,
    taxation: taxing({ base: 'GROSS' }),
    figures: '1643.84 410.96 164.38 101068.50',
    lines: [
      'LIQUIDATION: fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · 1000000001 101232.88',
      'WITHHOLDING_TAX: 1000000001 -164.38 · tax_payable 164.38',
    ],
  },
  {
    name: 'G3: a charge that takes all interest',
    rules: charging([{ kind: 'FIXED', amount: minor(5_000_00n) }]),
    taxation: taxing(),
    figures: '1643.84 1643.84 0.00 100000.00',
    lines: [
      'LIQUIDATION: fd_1 -100000.00 · interest_expense -1643.84 · penal_income 1643.84 · 1000000001 100000.00',
    ],
  },
  {
    name: 'G5: 20 percent, no charge',
    rules: FIRST_RULES,
    taxation: taxing({ ratePpm: 200_000 }),
    deposit: depositWith({ principal: minor(100_000_00n), annualRatePpm: 30_000 }),
    figures: '493.15 0.00 98.63 100394.52',
    lines: [
      'LIQUIDATION: fd_1 -100000.00 · interest_expense -493.15 · 1000000001 100493.15',
      'WITHHOLDING_TAX: 1000000001 -98.63 · tax_payable 98.63',
    ],
  },
  {
    name: 'J6: half of the charge waived',
    rules: Z_RULES,
    taxation: taxing(),
    waiver: waiving({ percentPpm: 500_000 }),
    figures: '1643.84 205.48 143.84 101294.52',
    lines: [
      'LIQUIDATION: fd_1 -100000.00 · interest_expense -1643.84 · penal_income 410.96 · penal_waived -205.48 · ' +
        '1000000001 101438.36',
      'WITHHOLDING_TAX: 1000000001 -143.84 · tax_payable 143.84',
    ],
  },
]

for (const { name, rules, taxation, deposit = Z, waiver = null, figures: expected, lines } of taxed) {
  test(`${name}, taxed`, () => {
    const settlement = settled(deposit, rules, FULL, Z_DAY, waiver, taxation)
    const { interest, penal, net } = settlement
    assert.equal([interest, penal, settlement.tax, net].map(formatAmount).join(' '), expected)
    assert.deepEqual(liquidationMovements(settlement).map(entryText), lines)
  })
}

test('parts of one day are taxed together: the last one bears what rounding left', () => {
  let left = Z
  const taxedParts: TaxedAlike[] = []
  const made = [0.01, 33_333.33, 66_666.66].map((amount) => {
    const part = { amount: minor(BigInt(Math.round(amount * 100))) }
    const type = part.amount === left.remaining ? 'FULL' : 'PARTIAL'
    const settlement = settled(left, Z_RULES, { type, ...part }, Z_DAY, null, taxing(), taxedParts)
    left = { ...left, remaining: settlement.remaining, lastBroken: brokenOnDay(settlement) }
    const { interest, penal, taxed } = settlement
    taxedParts.push({ ...taxed!, interest, penal, tax: settlement.tax })
    return settlement
  })
  assert.equal(
    made.reduce((sum, one) => sum + one.tax, 0n),
    123_29n,
  )
  const { explanation } = made.at(-1)!
  assert.deepEqual(explanation.tax, {
    version: 1,
    ratePpm: 100_000,
    base: 'NET',
    taxable: 1_232_88n,
    withheldEarlier: 41_10n,
  })
})

const matured: [
  name: string,
  instruction: Deposit['instruction'],
  taxation: Taxation | null,
  lines: string[],
][] = [
  [
    'G4: Z is paid out at maturity',
    'PAY_OUT',
    taxing(),
    [
      'MATURITY: fd_1 -100000.00 · interest_expense -10000.00 · 1000000001 110000.00',
      'WITHHOLDING_TAX: 1000000001 -1000.00 · tax_payable 1000.00',
    ],
  ],
  [
    'H1: Z is rolled over without tax',
    'ROLL_OVER',
    null,
    [
      'MATURITY: fd_1 -100000.00 · interest_expense -10000.00 · rollover_clearing 110000.00',
      'DEPOSIT_OPENING: rollover_clearing -110000.00 · fd_2 110000.00',
    ],
  ],
  [
    'H2: Z is rolled over with tax',
    'ROLL_OVER',
    taxing(),
    [
      'MATURITY: fd_1 -100000.00 · interest_expense -10000.00 · rollover_clearing 110000.00',
      'WITHHOLDING_TAX: rollover_clearing -1000.00 · tax_payable 1000.00',
      'DEPOSIT_OPENING: rollover_clearing -109000.00 · fd_2 109000.00',
    ],
  ],
]

for (const [name, instruction, taxation, lines] of matured) {
  test(name, () => {
    const inForce = { version: 1, rules: Z_RULES }
    const at = new Date('2027-01-01T10:00:00.000Z')
    const whole = { ...Z, expectedInterest: minor(10_000_00n), instruction, createdAt: at, updatedAt: at }
    const known = {
      rulesOf: () => Z_RULES,
      inForce,
      balances: new Map([[Z.accountNumber, 0n]]),
      productOf: () => undefined,
      successorIds: ['fd_2'],
      taxVersions: taxation === null ? [] : [{ version: 1, rules: taxRulesOf(taxation) }],
      taxStatuses: new Map(),
      movedFrom: null,
    }
    const [maturity] = decideMaturities(known, [whole], { at, today: whole.maturityDate }).maturities
    const { closing, opening } = maturityMovements(maturity!)
    const opened: Movement[] = opening === null ? [] : [{ kind: 'DEPOSIT_OPENING', postings: opening }]
    assert.deepEqual([...closing, ...opened].map(entryText), lines)
    const net = taxation === null ? 110_000_00n : 109_000_00n
    assert.deepEqual([maturity!.net, maturity!.successor?.principal ?? net], [net, net])
    assert.deepEqual(
      maturity!.deposit.maturityTaxed,
      taxation && { version: 1, taxClass: 'STANDARD', ratePpm: 100_000 },
    )
  })
}

function taxRulesOf({ base, rounding, ratePpm }: Taxation): TaxRules {
  return {
    effectiveFrom: START,
    base,
    rounding,
    onRecovery: 'KEEP',
    classes: new Map([['STANDARD', ratePpm]]),
  }
}

function entryText({ kind, postings }: Movement): string {
  return `${kind}: ${postings.map(({ account, amount }) => `${account} ${formatAmount(amount)}`).join(' · ')}`
}

function waiving(waived: Partial<Waiver>): Waiver {
  return { percentPpm: null, amount: null, holdingPeriod: false, reason: 'GOODWILL', note: null, ...waived }
}

function settled(
  deposit: BreakableDeposit,
  rules: RuleSet,
  part: Part,
  on: IsoDate,
  waiver: Waiver | null = null,
  taxation: Taxation | null = null,
  taxedParts: readonly TaxedAlike[] = [],
) {
  const decided = settlementOf({ deposit, rules, balance: 0n, part, waiver, taxation, taxedParts, on })
  assert(decided.outcome === 'settled')
  return { ...decided.settlement, explanation: decided.explain() }
}

function figures({ interest, penal }: Settlement): string {
  return `${formatAmount(interest)} / ${formatAmount(penal)}`
}
