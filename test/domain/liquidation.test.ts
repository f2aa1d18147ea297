import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import type { Deposit } from '../../src/domain/deposit.ts'
import {
  brokenOnDay,
  type Decision,
  decideLiquidations,
  type ExplainedSettlement,
  type Known,
  type LiquidationRequest,
  liquidationMovements,
  type Part,
  type Settlement,
  settlementOf,
} from '../../src/domain/liquidation.ts'
import { divide, MINOR_MAX, type Minor, minor } from '../../src/domain/money.ts'
import type { Refusal } from '../../src/domain/refusal.ts'
import { FIRST_RULES, type PenalRule, type RuleSet } from '../../src/domain/rules.ts'
import type { Waiver } from '../../src/domain/settlement.ts'
import type { Taxation, TaxedAlike } from '../../src/domain/tax.ts'
import { anyTaxation, anyTerms, taxVersionOf } from './arbitraries.ts'
import { daySumsWith, depositOf, depositWith, type PlainTerms } from './deposits.ts'

const UNTAXED = { taxation: null, taxedParts: [] }
const AT = new Date('2026-07-01T10:00:00.000Z')
const TODAY = isoDate('2026-07-01')

const deposit = depositWith({
  principal: minor(600_000_00n),
  remaining: minor(500_000_00n),
  expectedInterest: minor(60_000_00n),
})

const strict: RuleSet = {
  ...FIRST_RULES,
  minPartialAmount: minor(1_000_00n),
  minRemainingPrincipal: minor(10_000_00n),
}

const fixedCharge: PenalRule = {
  when: {},
  terms: [{ kind: 'FIXED', amount: minor(50_00n) }],
  combine: 'SUM',
  min: minor(0n),
  max: null,
}

function waiving(waived: Partial<Waiver>): Waiver {
  return { percentPpm: null, amount: null, holdingPeriod: false, reason: 'GOODWILL', note: null, ...waived }
}

const full = (amount: bigint | null = null): Part => ({
  type: 'FULL',
  amount: amount === null ? null : minor(amount),
})
const partial = (amount: bigint): Part => ({ type: 'PARTIAL', amount: minor(amount) })

test('a part is settled on its own interest, and the rest remains', () => {
  const decided = settlementOf({
    ...UNTAXED,
    deposit,
    rules: strict,
    balance: 0n,
    part: partial(200_000_00n),
    on: TODAY,
  })
  assert(decided.outcome === 'settled')
  assert.deepEqual(decided.settlement, {
    depositId: 'fd_1',
    type: 'PARTIAL',
    statusAfter: 'ACTIVE',
    principal: 200_000_00n,
    interest: 9_917_81n,
    assessed: 0n,
    waived: 0n,
    penal: 0n,
    total: 209_917_81n,
    adjustments: [],
    net: 209_917_81n,
    waiver: null,
    remaining: 300_000_00n,
    accountNumber: '1000000001',
    currency: 'NGN',
    businessDate: TODAY,
    earlierToday: null,
    taxed: null,
    taxedEarlier: null,
    earlierLiquidations: 0,
    sheetNow: null,
    tax: 0n,
    paidShare: 0n,
    taxShare: 0n,
    unearned: 0n,
    recovered: 0n,
    taxReturned: 0n,
    paidTo: null,
  })
  assert.equal(decided.explain().principal, 200_000_00n)
})

/** In the order of the checks: each case would also be refused for every later reason that applies to it. */
const refusals: [
  what: string,
  known: Partial<Parameters<typeof settlementOf>[0]>,
  refused: Omit<Refusal, 'outcome'>,
][] = [
  [
    'a deposit that is not active',
    {
      deposit: { ...deposit, status: 'MATURED', remaining: minor(0n) },
      rules: { ...strict, allowPartial: false, minHoldingDays: 400 },
      part: partial(999_999_00n),
    },
    { code: 'deposit_not_active', details: { deposit_status: 'MATURED' } },
  ],
  [
    'a part where only the whole may be broken',
    { rules: { ...strict, allowPartial: false, minHoldingDays: 400 }, part: partial(999_999_00n) },
    { code: 'partial_liquidation_not_allowed', details: {} },
  ],
  [
    'a deposit in its holding period',
    { rules: { ...strict, minHoldingDays: 182 }, part: partial(999_999_00n) },
    { code: 'liquidation_locked', details: { unlocks_on: '2026-07-02' } },
  ],
  [
    'a holding period longer than the term',
    { rules: { ...strict, minHoldingDays: 36_500 }, part: full() },
    { code: 'liquidation_locked', details: { unlocks_on: '2027-01-01' } },
  ],
  [
    'all of it, with an amount that says less',
    { part: full(499_999_99n), balance: MINOR_MAX },
    { code: 'amount_conflicts_with_full', details: { remaining_principal: 500_000_00n } },
  ],
  [
    'more than there is',
    { part: partial(500_000_01n), balance: MINOR_MAX },
    { code: 'amount_exceeds_principal', details: { remaining_principal: 500_000_00n } },
  ],
  [
    'exactly what there is',
    { part: partial(500_000_00n), balance: MINOR_MAX },
    { code: 'amount_equals_principal', details: { remaining_principal: 500_000_00n } },
  ],
  [
    'less than the least part',
    {
      part: partial(999_99n),
      rules: { ...strict, minRemainingPrincipal: minor(500_000_00n) },
      balance: MINOR_MAX,
    },
    { code: 'amount_below_minimum', details: { minimum: 1_000_00n } },
  ],
  [
    'a part that leaves too little',
    { part: partial(490_000_01n), balance: MINOR_MAX },
    {
      code: 'remaining_below_minimum',
      details: { minimum: 10_000_00n, maximum_amount: 490_000_00n },
    },
  ],
  [
    'a part of a deposit that is below the least remainder already',
    {
      deposit: { ...deposit, remaining: minor(9_000_00n) },
      part: partial(1_000_00n),
    },
    { code: 'remaining_below_minimum', details: { minimum: 10_000_00n, maximum_amount: 0n } },
  ],
  [
    'a waiver where nothing is charged',
    { waiver: waiving({ amount: minor(1n) }), balance: MINOR_MAX },
    { code: 'nothing_to_waive', details: {} },
  ],
  [
    'a waiver of more than the charge',
    {
      rules: { ...strict, penalRules: [fixedCharge] },
      waiver: waiving({ amount: minor(50_01n) }),
      balance: MINOR_MAX,
    },
    { code: 'waiver_exceeds_charge', details: { charge: 50_00n } },
  ],
  [
    'a payment that its account cannot hold',
    { part: full(), balance: MINOR_MAX - 524_794_51n },
    { code: 'balance_limit_exceeded', details: { maximum: MINOR_MAX } },
  ],
]

for (const [what, known, refused] of refusals) {
  test(`refused: ${what}`, () => {
    const decided = settlementOf({
      ...UNTAXED,
      deposit,
      rules: strict,
      balance: 0n,
      part: full(),
      on: TODAY,
      ...known,
    })
    assert.deepEqual(decided, { outcome: 'refused', ...refused })
  })
}

test('one cent or one day on the other side of each edge is settled', () => {
  const settled: Partial<Parameters<typeof settlementOf>[0]>[] = [
    { rules: { ...strict, minHoldingDays: 181 } },
    { rules: { ...strict, minHoldingDays: 36_500 }, on: isoDate('2027-01-01') },
    { part: full(500_000_00n) },
    { part: partial(1_000_00n) },
    { part: partial(490_000_00n) },
    { part: partial(499_999_99n), rules: FIRST_RULES },
    { balance: MINOR_MAX - 524_794_52n },
    {
      rules: { ...strict, minHoldingDays: 400, penalRules: [fixedCharge] },
      waiver: waiving({ amount: minor(50_00n), holdingPeriod: true }),
    },
  ]
  for (const known of settled) {
    const decided = settlementOf({
      ...UNTAXED,
      deposit,
      rules: strict,
      balance: 0n,
      part: full(),
      on: TODAY,
      ...known,
    })
    assert.equal(decided.outcome, 'settled')
  }
})

test('a waiver takes at most the charge away, and the customer gets what it takes', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 1, max: 1_000_000 }), (terms, percentPpm) => {
      const known = { ...UNTAXED, deposit: depositOf(terms), rules: permissive(terms.rules), balance: 0n }
      const asked = { part: full(), on: terms.businessDate }
      const without = settledAt(terms, asked)
      const decided = settlementOf({ ...known, ...asked, waiver: waiving({ percentPpm }) })
      if (decided.outcome === 'refused') {
        assert.deepEqual([decided.code, without.assessed], ['nothing_to_waive', 0n])
        return
      }
      const { interest, assessed, waived, penal, total, net } = decided.settlement
      assert.deepEqual([interest, assessed], [without.interest, without.assessed])
      assert(waived >= 0n && waived <= assessed)
      assert.equal(penal + waived, assessed)
      assert.deepEqual([total, net], [without.total + waived, without.net + waived])
      const atOnce = settlementOf({ ...known, ...asked, waiver: waiving({ amount: waived }) })
      if (waived > 0n) assert.deepEqual(atOnce.outcome, 'settled')
    }),
    { numRuns: 1000 },
  )
})

test('a settlement adds up, charges interest only and before maturity only, whatever the rules and the day', () => {
  fc.assert(
    fc.property(anyTerms, anyShare, fc.option(anyTaxation), (terms, share, taxation) => {
      const broken = depositOf(terms)
      const part = partOf(broken, share)
      const decided = settlementOf({
        taxation,
        taxedParts: [],
        deposit: broken,
        rules: terms.rules,
        balance: 0n,
        part,
        on: terms.businessDate,
      })
      if (decided.outcome === 'refused') return
      const { settlement } = decided
      assert.equal(settlement.total, settlement.principal + settlement.interest - settlement.penal)
      assert(settlement.penal >= 0n && settlement.penal <= settlement.interest)
      const adjusted = settlement.adjustments.reduce((sum, { amount }) => sum + amount, 0n)
      assert.equal(settlement.net, settlement.total + adjusted)
      // Where the base is GROSS, tax on interest that the charge took comes out of the principal.
      const least = taxation?.base === 'GROSS' ? 0n : settlement.principal
      assert(settlement.net >= least && settlement.net <= settlement.total)
      assert(settlement.adjustments.every(({ amount }) => amount < 0n))
      assert.equal(settlement.principal + settlement.remaining, broken.remaining)
      assert.equal(settlement.statusAfter, settlement.remaining === 0n ? 'LIQUIDATED' : 'ACTIVE')
      if (terms.businessDate < terms.maturityDate) return
      const atMaturity = settledAt(terms, { part, on: terms.maturityDate })
      assert.deepEqual([settlement.penal, settlement.interest], [0n, atMaturity.interest])
    }),
    { numRuns: 1000 },
  )
})

test('parts of one day pay the principal and the interest of one FULL, to the cent, and its charge where no bound holds', () => {
  fc.assert(
    fc.property(anyTerms, fc.array(anyShare, { minLength: 1, maxLength: 6 }), (terms, shares) => {
      const whole = settledAt(terms, { part: full(), on: terms.businessDate })
      const made = brokenInParts(terms, shares)
      const sum = (figure: 'principal' | 'interest' | 'penal') =>
        made.reduce((total, settlement) => total + settlement[figure], 0n)
      assert.equal(sum('principal'), whole.principal)
      assert.equal(sum('interest'), whole.interest)
      const last = made.at(-1)!
      // A part bears no more than its own interest; whatever it leaves uncharged, the next one is charged.
      assert(sum('penal') >= whole.penal || last.penal === last.interest)
      const bound = made.some(({ penal, interest, explanation }, index) => {
        const before = made.slice(0, index).reduce((total, one) => total + one.penal, 0n)
        return penal === interest || (explanation.limited ?? 0n) < before
      })
      if (!bound) assert.equal(sum('penal'), whole.penal)
    }),
    { numRuns: 1000 },
  )
})

test('the tax of the parts of one day is the tax of what they paid together', () => {
  const shares = fc.array(anyShare, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(anyTerms, shares, anyTaxation, (terms, shares, taxation) => {
      const whole = settledAt(terms, { part: full(), on: terms.businessDate, taxation })
      const made = brokenInParts(terms, shares, taxation)
      const penal = made.reduce((sum, one) => sum + one.penal, 0n)
      const tax = made.reduce((sum, one) => sum + one.tax, 0n)
      const taxable = taxation.base === 'GROSS' ? whole.interest : whole.interest - penal
      const due = divide(taxable * BigInt(taxation.ratePpm), 1_000_000n, taxation.rounding)
      const capped = made.some(({ net }) => net === 0n)
      assert(capped ? tax <= due : tax === due)
      if (!capped && penal === whole.penal) assert.equal(tax, whole.tax)
      for (const one of made) {
        assert.equal(one.net, one.total - one.tax)
        assert(one.net >= 0n)
        const movements = liquidationMovements(one)
        assert.deepEqual(
          movements.map(({ kind }) => kind),
          one.tax === 0n ? ['LIQUIDATION'] : ['LIQUIDATION', 'WITHHOLDING_TAX'],
        )
      }
    }),
    { numRuns: 1000 },
  )
})

/** Breaks a deposit of 24,794.52 interest in parts on one day, each with its own taxation. */
function taxesOfDay(...parts: [amount: bigint | null, taxation: Taxation | null][]): bigint[] {
  let [left, taxedParts]: [Deposit, readonly TaxedAlike[]] = [deposit, []]
  return parts.map(([amount, taxation]) => {
    const part = amount === null ? full() : partial(amount)
    const after = settledAfter(left, part, TODAY, { taxation, taxedParts })
    ;({ left, taxedParts } = after)
    return after.settlement.tax
  })
}

const TEN_PERCENT: Taxation = {
  version: 1,
  taxClass: 'STANDARD',
  ratePpm: 100_000,
  base: 'NET',
  onRecovery: 'KEEP',
  rounding: 'HALF_UP',
}

test('parts of a day that other rules, another class or no rules taxed are left out', () => {
  // Their interest is 12397.26 and 247.95; 10 percent are 1239.73 and, alone, 24.80.
  const [morning, afternoon] = [250_000_00n, 5_000_00n]
  const exempt = { ...TEN_PERCENT, taxClass: 'EXEMPT', ratePpm: 0 }
  const next = { ...TEN_PERCENT, version: 2, ratePpm: 200_000 }
  const cases: [what: string, parts: Parameters<typeof taxesOfDay>, taxes: bigint[]][] = [
    [
      'rules written at noon',
      [
        [morning, null],
        [afternoon, TEN_PERCENT],
      ],
      [0n, 24_80n],
    ],
    [
      'a class that ended at noon',
      [
        [morning, exempt],
        [afternoon, TEN_PERCENT],
      ],
      [0n, 24_80n],
    ],
    [
      'a higher rate from noon',
      [
        [morning, TEN_PERCENT],
        [afternoon, next],
      ],
      [1_239_73n, 49_59n],
    ],
    [
      'a lower rate from noon',
      [
        [morning, next],
        [afternoon, TEN_PERCENT],
      ],
      [2_479_45n, 24_80n],
    ],
    [
      'an exempt part after a taxed one',
      [
        [morning, TEN_PERCENT],
        [afternoon, exempt],
      ],
      [1_239_73n, 0n],
    ],
    // 10 percent of both together are 1264.52.
    [
      'the same rules',
      [
        [morning, TEN_PERCENT],
        [afternoon, TEN_PERCENT],
      ],
      [1_239_73n, 24_79n],
    ],
  ]
  for (const [what, parts, taxes] of cases) assert.deepEqual(taxesOfDay(...parts), taxes, what)
})

test('what was taxed on an earlier day does not count for the parts of a batch', () => {
  const yesterday = { principal: minor(250_000_00n), interest: minor(12_397_26n) }
  const before = { ...deposit, lastBroken: { on: addDays(TODAY, -1), ...daySumsWith(yesterday) } }
  const untaxed = {
    ...{ version: 1, taxClass: 'STANDARD', interest: yesterday.interest },
    ...{ penal: minor(0n), tax: minor(0n) },
  }
  const known = knowing({
    deposits: new Map([[before.depositId, before]]),
    taxVersions: [taxVersionOf(TEN_PERCENT)],
    taxedParts: new Map([[before.depositId, [untaxed]]]),
  })
  const parts = [0, 1].map((index) => request(index, { part: partial(5_000_00n) }))
  const taxes = parts.map(decideLiquidations(known, { at: AT, today: TODAY })).map((decided) => {
    assert(decided.outcome === 'liquidated')
    return decided.liquidation.tax
  })
  // 10 percent of 247.95 and, of both together, of 495.89.
  assert.deepEqual(taxes, [24_80n, 24_79n])
})

test('parts taxed alike count together, also with another one between them', () => {
  // Interest of 0.10 each: 10 percent are 0.01, of all three together 0.03, with half a cent never rounded twice.
  const cent = { ...TEN_PERCENT, ratePpm: 50_000 }
  const other = { ...cent, taxClass: 'COMPANY' }
  const part = 2_02n
  const interests = taxesOfDay([part, { ...cent, ratePpm: 1_000_000 }])
  assert.deepEqual(interests, [10n])
  assert.deepEqual(taxesOfDay([part, cent], [part, cent], [part, cent]), [1n, 0n, 1n])
  assert.deepEqual(taxesOfDay([part, cent], [part, other], [part, cent], [part, other]), [1n, 1n, 0n, 0n])
})

test('the tax of a part is never more than its own base', () => {
  fc.assert(
    fc.property(
      anyTerms,
      anyTaxation,
      fc.array(fc.tuple(anyShare, fc.constantFrom(0n, 1n, 2n), fc.boolean()), { minLength: 1, maxLength: 6 }),
      (terms, taxation, parts) => {
        const known = { rules: permissive(terms.rules) }
        let left = depositOf(terms)
        let taxedParts: readonly TaxedAlike[] = []
        for (const [share, undertaxed, isOther] of parts) {
          if (left.remaining === 0n) break
          const own = isOther ? { ...taxation, version: 2 } : taxation
          const after = settledAfter(left, partOf(left, share), terms.businessDate, {
            ...known,
            taxation: own,
            taxedParts,
          })
          const { interest, penal, total } = after.settlement
          const tax = after.settlement.tax
          assert(tax <= (own.base === 'GROSS' ? interest : interest - penal))
          assert(tax <= total)
          // Parts of 0.2.0 may have borne less than their share.
          taxedParts = after.taxedParts.map((one) => ({
            ...one,
            tax: minor(one.tax > undertaxed ? one.tax - undertaxed : 0n),
          }))
          left = after.left
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('parts of another day are a withdrawal of their own', () => {
  const first = settledAfter(deposit, partial(100_000_00n), TODAY)
  assert.deepEqual(first.left.lastBroken, {
    on: TODAY,
    ...daySumsWith({ principal: minor(100_000_00n), interest: minor(4_958_90n) }),
  })
  const second = settledAfter(first.left, partial(100_000_00n), TODAY)
  assert.deepEqual(second.settlement.explanation.earlierToday, first.left.lastBroken)
  // Together 9917.808…
  assert.equal(second.settlement.interest, 4_958_91n)
  const later = settledAfter(second.left, partial(100_000_00n), addDays(TODAY, 1))
  assert.equal(later.settlement.explanation.earlierToday, null)
  assert.equal(later.left.lastBroken?.principal, 100_000_00n)
})

test('a later day never earns less', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 0, max: 500 }), (terms, days) => {
      const later = addDays(terms.businessDate, days)
      const [first, second] = [terms.businessDate, later].map((on) => settledAt(terms, { part: full(), on }))
      assert(first!.interest <= second!.interest)
    }),
    { numRuns: 1000 },
  )
})

test('a batch is decided as the same requests are one at a time, in order', () => {
  fc.assert(
    fc.property(anyBatch, ({ known, requests, today }) => {
      const moment = { at: AT, today }
      const { rulesOf, ...state } = known
      const before = structuredClone(state)
      const together = requests.map(decideLiquidations(known, moment))
      assert.deepEqual(together.map(explained), oneAtATime(known, requests, moment).map(explained))
      assert.deepEqual(state, before)
    }),
    { numRuns: 300 },
  )
})

test('another net amount than the one that was agreed to is refused last, and changes nothing', () => {
  const agreed = (expectedNet: bigint) => request(0, { part: full(), expectedNet: minor(expectedNet) })
  const held: Refusal = { outcome: 'refused', code: 'approval_required', details: {} }
  const decide = decideLiquidations(knowing({}), { at: AT, today: TODAY })
  const decideHeld = decideLiquidations(knowing({}), { at: AT, today: TODAY }, () => held)
  assert.deepEqual(decideHeld(agreed(524_794_51n)), held)
  assert.deepEqual(summary(decide(agreed(524_794_51n))), [
    'refused',
    'figures_changed',
    { net_credited: 524_794_52n },
  ])
  assert.deepEqual(summary(decide(agreed(524_794_52n))), ['liquidated', 500_000_00n, 0n])
})

test('two requests on one deposit see each other', () => {
  const requests = [partial(200_000_00n), full(), partial(1n), full()].map((part, index) =>
    request(index, { part }),
  )
  const decisions = requests.map(decideLiquidations(knowing({}), { at: AT, today: TODAY }))
  assert.deepEqual(decisions.map(summary), [
    ['liquidated', 200_000_00n, 300_000_00n],
    ['liquidated', 300_000_00n, 0n],
    ['refused', 'deposit_not_active', { deposit_status: 'LIQUIDATED' }],
    ['refused', 'deposit_not_active', { deposit_status: 'LIQUIDATED' }],
  ])
})

test('a balance grows within a batch, up to its limit', () => {
  const known = knowing({ balances: new Map([['1000000001', MINOR_MAX - 300_000_00n]]) })
  const requests = [200_000_00n, 200_000_00n, 50_000_00n].map((amount, index) =>
    request(index, { part: partial(amount) }),
  )
  const decisions = requests.map(decideLiquidations(known, { at: AT, today: deposit.startDate }))
  assert.deepEqual(decisions.map(summary), [
    ['liquidated', 200_000_00n, 300_000_00n],
    ['refused', 'balance_limit_exceeded', { maximum: MINOR_MAX }],
    ['liquidated', 50_000_00n, 250_000_00n],
  ])
})

const anyShare = fc.integer({ min: 1, max: 1_000_000 })

/** A share of the remaining principal, at least one cent; the whole is requested as FULL. */
function partOf({ remaining }: Deposit, shareMillionths: number): Part {
  const amount = (remaining * BigInt(shareMillionths)) / 1_000_000n
  return amount === remaining || remaining === 1n ? full() : partial(amount === 0n ? 1n : amount)
}

/** Each part is a share of what the one before it left; the last takes the rest. */
function brokenInParts(
  terms: PlainTerms,
  shares: readonly number[],
  taxation: Taxation | null = null,
): ExplainedSettlement[] {
  const known = { rules: permissive(terms.rules), taxation }
  const made: ExplainedSettlement[] = []
  let left = depositOf(terms)
  let taxedParts: readonly TaxedAlike[] = []
  for (const share of [...shares, 1_000_000]) {
    if (left.remaining === 0n) break
    const after = settledAfter(left, partOf(left, share), terms.businessDate, { ...known, taxedParts })
    made.push(after.settlement)
    left = after.left
    taxedParts = after.taxedParts
  }
  return made
}

function settledAfter(
  broken: Deposit,
  part: Part,
  on: IsoDate,
  known: { rules?: RuleSet; taxation?: Taxation | null; taxedParts?: readonly TaxedAlike[] } = {},
) {
  const { rules = FIRST_RULES, taxation = null, taxedParts = [] } = known
  const decided = settlementOf({ deposit: broken, rules, balance: 0n, part, on, taxation, taxedParts })
  assert(decided.outcome === 'settled')
  const settlement = { ...decided.settlement, explanation: decided.explain() }
  const left: Deposit = {
    ...broken,
    remaining: settlement.remaining,
    status: settlement.statusAfter,
    lastBroken: brokenOnDay(settlement),
  }
  return { settlement, left, taxedParts: [...taxedParts, ...taxedPartsOf(settlement)] }
}

function taxedPartsOf(settlement: Settlement): TaxedAlike[] {
  const { taxed, interest, penal } = settlement
  return taxed === null ? [] : [{ ...taxed, interest, penal, tax: settlement.tax }]
}

/** The same arithmetic, without the rules that refuse. */
function permissive(rules: RuleSet): RuleSet {
  const { allowPartial, minPartialAmount, minRemainingPrincipal, minHoldingDays } = FIRST_RULES
  return { ...rules, allowPartial, minPartialAmount, minRemainingPrincipal, minHoldingDays }
}

function settledAt(
  terms: PlainTerms,
  asked: { part: Part; on: IsoDate; taxation?: Taxation | null },
): Settlement {
  const rules = permissive(terms.rules)
  const decided = settlementOf({ ...UNTAXED, deposit: depositOf(terms), rules, balance: 0n, ...asked })
  assert(decided.outcome === 'settled')
  return decided.settlement
}

function explained(decision: Decision) {
  return decision.outcome === 'refused' ? decision : { ...decision, explain: decision.explain() }
}

function knowing(changes: Partial<Known>): Known {
  return {
    deposits: new Map([[deposit.depositId, deposit]]),
    rulesOf: () => FIRST_RULES,
    balances: new Map([[deposit.accountNumber, 0n]]),
    taxVersions: [],
    taxStatuses: new Map(),
    taxedParts: new Map(),
    ...changes,
  }
}

function request(index: number, asked: Partial<LiquidationRequest>): LiquidationRequest {
  return { liquidationId: `liq_${index}`, depositId: 'fd_1', part: full(), ...asked }
}

function summary(decision: Decision): unknown[] {
  switch (decision.outcome) {
    case 'refused':
      return [decision.outcome, decision.code, decision.details]
    case 'liquidated':
      return [decision.outcome, decision.liquidation.principal, decision.liquidation.remaining]
    default:
      return decision satisfies never
  }
}

/** What is known grows by each answer before the next request is decided. */
function oneAtATime(
  known: Known,
  requests: readonly LiquidationRequest[],
  moment: { at: Date; today: IsoDate },
): Decision[] {
  const deposits = new Map(known.deposits)
  const balances = new Map(known.balances)
  const taxedParts = new Map(known.taxedParts)
  return requests.map((one) => {
    const decision = decideLiquidations({ ...known, deposits, balances, taxedParts }, moment)(one)
    if (decision.outcome !== 'liquidated') return decision
    taxedParts.set(one.depositId, [
      ...(taxedParts.get(one.depositId) ?? []),
      ...taxedPartsOf(decision.liquidation),
    ])
    const { depositId, accountNumber, principal, interest, penal, adjustments } = decision.liquidation
    const tax = -(adjustments[0]?.amount ?? 0n)
    const earlier = deposits.get(depositId)!
    const remaining = minor(earlier.remaining - principal)
    const status = remaining === 0n ? 'LIQUIDATED' : 'ACTIVE'
    const broken = earlier.lastBroken ?? {
      principal: 0n,
      interest: 0n,
      assessed: 0n,
      penal: 0n,
      tax: 0n,
    }
    const lastBroken = {
      on: moment.today,
      ...daySumsWith({
        principal: minor(broken.principal + principal),
        interest: minor(broken.interest + interest),
        assessed: minor(broken.assessed + penal),
        penal: minor(broken.penal + penal),
        tax: minor(broken.tax + tax),
      }),
    }
    deposits.set(depositId, { ...earlier, remaining, status, lastBroken })
    balances.set(accountNumber, balances.get(accountNumber)! + principal + interest - penal - tax)
    return decision
  })
}

/** Few deposits and accounts, so that requests meet; some deposits do not exist. */
const anyBatch = fc
  .record({
    terms: fc.array(anyTerms, { minLength: 1, maxLength: 3 }),
    roomMillionths: fc.option(fc.integer({ min: 0, max: 3_000_000 })),
    requests: fc.array(
      fc.record({
        deposit: fc.integer({ min: 0, max: 3 }),
        share: fc.oneof(anyShare, fc.constantFrom(0, 500_000, 1_000_000, 1_500_000)),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    taxation: fc.option(anyTaxation),
  })
  .map(({ terms, roomMillionths, requests, taxation }) => {
    const deposits = terms.map((one, index) => ({
      ...depositOf(one),
      depositId: `fd_${index}`,
      // The first two share an account.
      accountNumber: `100000000${Math.max(0, index - 1)}`,
      rulesVersion: index,
    }))
    // Some accounts have room for a part of what their deposits hold.
    const room =
      roomMillionths === null ? MINOR_MAX : (deposits[0]!.principal * BigInt(roomMillionths)) / 1_000_000n
    const balance = MINOR_MAX - room
    const known: Known = {
      deposits: new Map(deposits.map((one) => [one.depositId, one])),
      rulesOf: ({ rulesVersion: index }) => {
        const { rules } = terms[index]!
        return index < 2 ? permissive(rules) : rules
      },
      balances: new Map(deposits.map((one) => [one.accountNumber, balance])),
      taxVersions: taxation === null ? [] : [taxVersionOf(taxation)],
      taxStatuses: new Map([['1000000000', { taxClass: 'OTHER', taxValidUntil: null }]]),
      taxedParts: new Map(),
    }
    return {
      known,
      today: terms[0]!.businessDate,
      requests: requests.map(({ deposit: index, share }, position) => {
        const principal = deposits[index]?.principal ?? 100n
        const amount = (principal * BigInt(share)) / 1_000_000n
        return request(position, {
          depositId: `fd_${index}`,
          part: share === 0 || amount === 0n ? full() : { type: 'PARTIAL', amount: amount as Minor },
        })
      }),
    }
  })
