/** Random lives of deposits of every method, beside a model that shares no code with the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import { DAY_COUNTS } from '../../src/domain/day-count.ts'
import { accruedInterest, type Deposit, expectedInterest } from '../../src/domain/deposit.ts'
import {
  decideLiquidations,
  type Liquidation,
  liquidationMovements,
  type Part,
} from '../../src/domain/liquidation.ts'
import { decideMaturities } from '../../src/domain/maturity.ts'
import { minor } from '../../src/domain/money.ts'
import {
  beforePayments,
  decidePayments,
  type InterestPayment,
  payAtOpening,
} from '../../src/domain/payments.ts'
import { decideReversal } from '../../src/domain/reversal.ts'
import { type ChargeTerm, FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'
import { agreedMaturityOf } from '../../src/domain/schedule.ts'
import { type TaxedAlike, type TaxVersion, taxationOf } from '../../src/domain/tax.ts'
import { termsOf } from '../../src/domain/terms.ts'
import { boundariesOf, type ExactTerms, earnedOf, unitOf } from '../support/exact-interest.ts'
import { anyEdgeDate, ROUNDINGS } from './arbitraries.ts'
import { depositWith } from './deposits.ts'
import {
  breakModel,
  type ModelCharge,
  type ModelDeposit,
  type ModelState,
  type ModelTax,
  matureModel,
  openModel,
  payModel,
} from './life-model.ts'

const anyInterest = fc.oneof(
  fc.constantFrom(
    { method: 'AT_MATURITY', every: null } as const,
    { method: 'UPFRONT', every: null } as const,
    { method: 'COMPOUND', every: 'DAY' } as const,
  ),
  fc.record({
    method: fc.constantFrom('COMPOUND' as const, 'PAYOUT' as const, 'PAYOUT' as const),
    every: fc.constantFrom('MONTH' as const, 'QUARTER' as const, 'HALF_YEAR' as const, 'YEAR' as const),
  }),
)

const anyCharge: fc.Arbitrary<ModelCharge> = fc.oneof(
  fc.record({ kind: fc.constant('FIXED' as const), amount: fc.bigInt({ min: 0n, max: 200_000n }) }),
  fc.record({
    kind: fc.constant('PERCENT' as const),
    of: fc.constantFrom('ACCRUED_INTEREST' as const, 'PRINCIPAL' as const, 'TERM_INTEREST' as const),
    ppm: fc.bigInt({ min: 0n, max: 1_000_000n }),
  }),
  fc.record({ kind: fc.constant('RERATE' as const), addPpm: fc.bigInt({ min: -200_000n, max: 20_000n }) }),
)

const anyTax: fc.Arbitrary<ModelTax | null> = fc.option(
  fc.record({
    base: fc.constantFrom('NET' as const, 'GROSS' as const),
    onRecovery: fc.constantFrom('KEEP' as const, 'RETURN' as const),
    rounding: fc.constantFrom(...ROUNDINGS),
    ppm: fc.bigInt({ min: 0n, max: 500_000n }),
  }),
)

const anyLife = fc.record({
  interest: anyInterest,
  start: anyEdgeDate.filter((date) => date >= '1970-01-01'),
  tenor: fc.oneof(
    fc.record({ unit: fc.constant('MONTH' as const), count: fc.integer({ min: 1, max: 24 }) }),
    fc.record({ unit: fc.constant('DAY' as const), count: fc.integer({ min: 1, max: 500 }) }),
  ),
  /** How far a holiday moved the maturity. */
  moved: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 })),
  principal: fc.oneof(fc.bigInt({ min: 1n, max: 10_000n }), fc.bigInt({ min: 1n, max: 100_000_000_00n })),
  ratePpm: fc.integer({ min: 1, max: 400_000 }),
  dayCount: fc.constantFrom(...DAY_COUNTS),
  rounding: fc.constantFrom(...ROUNDINGS),
  currency: fc.constantFrom('NGN', 'NGN', 'XOF'),
  recover: fc.boolean(),
  charges: fc.array(anyCharge, { maxLength: 2 }),
  combine: fc.constantFrom('SUM' as const, 'MAX' as const, 'MIN' as const),
  min: fc.bigInt({ min: 0n, max: 1_000n }),
  max: fc.option(fc.bigInt({ min: 1_000n, max: 10_000_000n })),
  tax: anyTax,
  steps: fc.array(
    fc.record({
      days: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
      act: fc.constantFrom(
        'PART' as const,
        'PART' as const,
        'FULL' as const,
        'JOB' as const,
        'UNDO' as const,
      ),
      share: fc.integer({ min: 1, max: 999 }),
      waivedPpm: fc.option(fc.bigInt({ min: 1n, max: 1_000_000n })),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})
type Life = typeof anyLife extends fc.Arbitrary<infer One> ? One : never

const RUNS = { numRuns: 400 }
const LARGEST = { balance: 0n }

function rulesOf({ dayCount, rounding, charges, combine, min, max }: Life): RuleSet {
  const terms = charges.map((charge): ChargeTerm => {
    if (charge.kind === 'FIXED') return { kind: 'FIXED', amount: minor(charge.amount) }
    if (charge.kind === 'RERATE') {
      return { kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: Number(charge.addPpm) } }
    }
    return { kind: 'PERCENT', of: charge.of, percentPpm: Number(charge.ppm) }
  })
  const rule = { when: {}, terms, combine, min: minor(min), max: max === null ? null : minor(max) }
  return { ...FIRST_RULES, dayCount, rounding, penalRules: terms.length === 0 ? [] : [rule] }
}

function taxVersionsOf({ tax }: Life): TaxVersion[] {
  if (tax === null) return []
  const { ppm, ...rules } = tax
  const classes = new Map([['STANDARD', Number(ppm)]])
  const rounding = rules.rounding as (typeof ROUNDINGS)[number]
  return [{ version: 1, rules: { ...rules, rounding, effectiveFrom: isoDate('1900-01-01'), classes } }]
}

/** A life as the service leads it: the same deposit, before and after each step. */
function openedBy(life: Life) {
  const { interest, start: startDate, tenor, moved, currency, recover } = life
  const unit = unitOf(currency)
  const agreed = agreedMaturityOf(startDate, tenor)
  const maturityDate = addDays(agreed, moved)
  const principal = minor(life.principal + unit - 1n - ((life.principal + unit - 1n) % unit))
  const rules = rulesOf(life)
  const unpaid = depositWith({
    ...interest,
    ...{ startDate, maturityDate, currency, principal, agreedTenor: tenor, annualRatePpm: life.ratePpm },
    ...{ tenorDays: daysBetween(startDate, maturityDate), recoverPaidInterest: recover },
    ...{ productCode: 'P', productVersion: 1, instruction: 'PAY_OUT' },
  })
  const terms = termsOf(unpaid, rules)
  const taxVersions = taxVersionsOf(life)
  const taxation = taxationOf(taxVersions, { taxClass: null, taxValidUntil: null }, startDate)
  const moment = { at: new Date(0), today: startDate }
  const opened = payAtOpening(
    { ...unpaid, ...beforePayments(terms) },
    { terms, moment, taxationOn: () => taxation, ...LARGEST },
  )
  const exact: ExactTerms = {
    ...interest,
    ratePpm: BigInt(life.ratePpm),
    ...{
      start: startDate,
      agreed,
      maturity: maturityDate,
      dayCount: life.dayCount,
      rounding: life.rounding,
      unit,
    },
  }
  const { charges, combine, min, max, tax } = life
  const model: ModelDeposit = { terms: exact, rules: { charges, combine, min, max }, tax, recover }
  return { deposit: opened.deposit as Deposit, rules, taxVersions, model }
}

function assertSame(deposit: Deposit, state: ModelState): void {
  const { remaining, paid, paidTax, paidTo } = deposit
  assert.deepEqual(
    { remaining, paid, paidTax, paidTo },
    { remaining: state.remaining, paid: state.paid, paidTax: state.paidTax, paidTo: state.paidTo },
  )
}

const paymentText = ({
  from,
  to,
  interest,
  tax,
}: Pick<InterestPayment, 'from' | 'to' | 'interest' | 'tax'>) => `${from} ${to} ${interest} ${tax}`

/** After tax too, over all parts of a day, where the charge is deducted before tax and returned with it. */
function assertPrincipalAfterTax({ day }: ModelState, { tax }: ModelDeposit): void {
  if (tax === null || tax.base === 'GROSS' || tax.onRecovery === 'KEEP' || day === null) return
  const kept = day.interest - day.penal - day.tax - day.unearned - day.recovered + day.taxReturned
  assert(day.paidShare - day.taxShare + kept >= 0n)
}

/** The sentences that hold of every part, whatever the rules. */
function assertInvariants(part: Liquidation, model: ModelDeposit, earned: bigint): void {
  const { principal, interest, penal, waived, assessed, total, net, recovered, unearned, tax } = part
  const { unit } = model.terms
  assert.equal(total, principal + interest - penal)
  assert(penal >= 0n && penal <= interest)
  assert(penal + recovered + waived <= assessed && assessed <= earned)
  assert(net >= 0n)
  // Over its life, the customer receives the principal at least.
  assert(part.paidShare + net + tax - part.taxReturned >= principal)
  for (const amount of [
    interest,
    penal,
    waived,
    net,
    unearned,
    recovered,
    part.taxReturned,
    part.paidShare,
  ]) {
    assert.equal(amount % unit, 0n)
  }
  for (const { postings } of liquidationMovements(part)) {
    assert.equal(
      postings.reduce((sum, { amount }) => sum + amount, 0n),
      0n,
    )
  }
}

test('boundaries ascend, are those of the model and end at maturity', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const { model } = openedBy(life)
      const boundaries = boundariesOf(model.terms)
      assert.deepEqual(boundaries, [...new Set(boundaries)].sort())
      assert.equal(boundaries.at(-1), model.terms.maturity)
    }),
  )
})

test('every payment, part, tax and maturity of a random life is that of the model, to the cent', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      lead(life)
    }),
    RUNS,
  )
})

function lead(life: Life): void {
  const { deposit: first, rules, taxVersions, model } = openedBy(life)
  let deposit = first
  let state = openModel(model, deposit.principal)
  let today: IsoDate = life.start
  let taxedParts: TaxedAlike[] = []
  const standing: { liquidation: Liquidation; before: Deposit; state: ModelState; taxed: TaxedAlike[] }[] = []
  const undecided = { rulesOf: () => rules, taxVersions, taxStatuses: new Map() }
  assertSame(deposit, state)

  for (const { days, act, share, waivedPpm } of life.steps) {
    today = addDays(today, days)
    const moment = { at: new Date(0), today }
    if (deposit.status !== 'ACTIVE' && act !== 'UNDO') continue
    if (act === 'JOB') runJob(moment)
    else if (act === 'UNDO') undo(moment)
    else breakPart(act, { share, waivedPpm, moment })
    assertSame(deposit, state)
    assertShown(deposit, state)
  }
  if (deposit.status === 'ACTIVE') settleAtMaturity()

  function runJob(moment: { at: Date; today: IsoDate }): void {
    const balances = new Map([[deposit.accountNumber, 0n]])
    const known = { ...undecided, balances, movedFrom: null }
    const { paid } = decidePayments(known, { deposits: [deposit], max: 1_000 }, moment)
    const expected = payModel(model, state, today)
    assert.deepEqual(
      paid.flatMap(({ payments }) => payments).map(paymentText),
      expected.payments.map((one) => paymentText(one as InterestPayment)),
    )
    deposit = paid[0]?.deposit ?? deposit
    state = expected.state
  }

  function breakPart(
    type: 'PART' | 'FULL',
    {
      share,
      waivedPpm,
      moment,
    }: { share: number; waivedPpm: bigint | null; moment: { at: Date; today: IsoDate } },
  ): void {
    const { unit } = model.terms
    const amount = ((deposit.remaining * BigInt(share)) / 1_000n / unit) * unit
    const isPart = type === 'PART' && amount > 0n && amount < deposit.remaining
    const part: Part = isPart ? { type: 'PARTIAL', amount: minor(amount) } : { type: 'FULL', amount: null }
    const waiver =
      waivedPpm === null
        ? null
        : { percentPpm: Number(waivedPpm), amount: null, holdingPeriod: false, reason: 'R', note: null }
    const known = {
      ...undecided,
      deposits: new Map([[deposit.depositId, deposit]]),
      balances: new Map([[deposit.accountNumber, 0n]]),
      taxedParts: new Map([[deposit.depositId, taxedParts]]),
    }
    const asked = { liquidationId: 'liq_1', depositId: deposit.depositId, part, waiver }
    let decided = decideLiquidations(known, moment)(asked)
    if (decided.outcome === 'refused') {
      assert.equal(decided.code, 'nothing_to_waive')
      decided = decideLiquidations(known, moment)({ ...asked, waiver: null })
    }
    assert(decided.outcome === 'liquidated')
    const { liquidation, payments } = decided
    const forward = payModel(model, state, today)
    assert.deepEqual(
      payments.map(paymentText),
      forward.payments.map((one) => paymentText(one as InterestPayment)),
    )
    const expected = breakModel(model, forward.state, {
      part: liquidation.principal,
      on: today,
      waivedPpm: liquidation.waiver === null ? null : waivedPpm,
    })
    const { earned, ...figures } = expected.figures
    const names = Object.keys(figures) as (keyof typeof figures)[]
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, liquidation[name]])), figures)
    assertInvariants(liquidation, model, earned)
    assertPrincipalAfterTax(expected.state, model)
    const before: Deposit = { ...deposit, ...decidedBefore(payments) }
    standing.push({ liquidation, before, state: forward.state, taxed: taxedParts })
    const isFirst = liquidation.earlierToday === null
    const { taxed, interest, penal, tax } = liquidation
    if (taxed !== null) taxedParts = [...(isFirst ? [] : taxedParts), { ...taxed, interest, penal, tax }]
    deposit = { ...deposit, ...decided.deposit }
    state = expected.state
  }

  /** The deposit after the payments that a liquidation made first: they are not undone. */
  function decidedBefore(payments: readonly InterestPayment[]): Partial<Deposit> {
    const last = payments.at(-1)
    if (last === undefined) return {}
    const sum = (member: 'interest' | 'tax') => payments.reduce((total, one) => total + one[member], 0n)
    const boundaries = boundariesOf(model.terms)
    return {
      paid: minor(deposit.paid + sum('interest')),
      paidTax: minor(deposit.paidTax + sum('tax')),
      paidTo: last.to,
      nextInterestDate: boundaries[boundaries.indexOf(last.to) + 1] as IsoDate,
    }
  }

  /** undo(liquidate(x)) = x, but for payments that fell due since. */
  function undo(moment: { at: Date; today: IsoDate }): void {
    const last = standing.at(-1)
    if (last === undefined) return
    const before = standing.at(-2)?.liquidation ?? null
    const made = { reversedAt: null, assessedBy: 'DAY', taxedWith: 'ALIKE' } as const
    const taxation = taxationOf(taxVersions, { taxClass: null, taxValidUntil: null }, today)
    const decided = decideReversal(
      {
        liquidation: { ...last.liquidation, ...made },
        before: before && { ...before, ...made },
        ...{ deposit, balance: 10n ** 15n, entries: [], rules, taxation },
      },
      { liquidationId: 'liq_1', reason: 'r', note: null },
      moment,
    )
    if (decided.outcome === 'refused') {
      assert(
        ['not_latest_movement', 'reversal_window_closed', 'balance_limit_exceeded'].includes(decided.code),
      )
      return
    }
    standing.pop()
    const missed = payModel(model, last.state, today)
    const { payments } = decided.reversal
    assert.deepEqual(
      payments.map(paymentText),
      missed.payments.map((one) => paymentText(one as InterestPayment)),
    )
    if (payments.length === 0) {
      const { updatedAt: _, ...reopened } = decided.reversal.deposit
      const { updatedAt: __, ...expected } = last.before
      assert.deepEqual(reopened, expected)
    }
    deposit = decided.reversal.deposit
    state = missed.state
    taxedParts = last.taxed
  }

  function assertShown(shown: Deposit, { paid, paidTo, remaining: principal }: ModelState): void {
    const held = { principal, paid, paidTo }
    assert.equal(expectedInterest(shown, rules), earnedOf(model.terms, held, model.terms.maturity))
    const earned = earnedOf(model.terms, held, today)
    assert.equal(accruedInterest(shown, rules, today), earned > paid ? earned - paid : 0n)
  }

  function settleAtMaturity(): void {
    const on = deposit.maturityDate > today ? deposit.maturityDate : today
    const balances = new Map([[deposit.accountNumber, 0n]])
    const { maturities } = decideMaturities(
      {
        ...undecided,
        ...{ balances, movedFrom: null, successorIds: [], productOf: () => undefined },
        inForce: { version: 1, rules },
      },
      [deposit],
      { at: new Date(0), today: on },
    )
    const [matured] = maturities
    const forward = payModel(model, state, on)
    const expected = matureModel(model, forward.state)
    assert.deepEqual([matured!.interest, matured!.tax], [expected.interest, expected.tax])
    if (model.terms.method === 'UPFRONT') assert.equal(matured!.interest, 0n)
    const paid = matured!.deposit.paid + matured!.interest
    assert.equal(paid, earnedOf(model.terms, { ...forward.state, principal: forward.state.remaining }, on))
    if (standing.length === 0) assert.equal(paid, expectedInterest(first, rules))
  }
}

test('parts of a day pay together what one withdrawal pays, where no cap binds', () => {
  fc.assert(
    fc.property(anyLife, fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 4 }), (life, shares) => {
      // Tax is returned in whole cents, never less than nothing: that is a cap of its own.
      const tax = life.tax && { ...life.tax, onRecovery: 'KEEP' as const }
      const opened = openedBy({ ...life, charges: [], recover: true, tax })
      const on = addDays(life.start, life.steps[0]!.days)
      const { unit } = opened.model.terms
      let left: bigint = opened.deposit.remaining
      const parts = shares.flatMap((share): Part[] => {
        const amount = ((left * BigInt(share)) / 1_000n / unit) * unit
        if (amount === 0n || amount === left) return []
        left -= amount
        return [{ type: 'PARTIAL', amount: minor(amount) }]
      })
      const whole = sumsOfParts(opened, on, [{ type: 'FULL', amount: null }])
      assert.deepEqual(sumsOfParts(opened, on, [...parts, { type: 'FULL', amount: null }]), whole)
    }),
    RUNS,
  )
})

function sumsOfParts(
  { deposit, rules, taxVersions }: ReturnType<typeof openedBy>,
  on: IsoDate,
  parts: Part[],
) {
  const { depositId, accountNumber } = deposit
  const decide = decideLiquidations(
    {
      rulesOf: () => rules,
      deposits: new Map([[depositId, deposit]]),
      balances: new Map([[accountNumber, 0n]]),
      ...{ taxVersions, taxStatuses: new Map(), taxedParts: new Map() },
    },
    { at: new Date(0), today: on },
  )
  const sums = { principal: 0n, interest: 0n, unearned: 0n, paidShare: 0n, taxShare: 0n, tax: 0n, net: 0n }
  for (const part of parts) {
    const decided = decide({ liquidationId: 'liq_1', depositId, part })
    assert(decided.outcome === 'liquidated')
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += decided.liquidation[name]
  }
  return sums
}
