import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import type { Deposit } from '../../src/domain/deposit.ts'
import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { decideLiquidations, type Liquidation, liquidationMovements } from '../../src/domain/liquidation.ts'
import { MINOR_MAX, minor } from '../../src/domain/money.ts'
import { decideReversal, type KnownOfLiquidation, type StoredLiquidation } from '../../src/domain/reversal.ts'
import type { RuleSet } from '../../src/domain/rules.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'
import type { Waiver } from '../../src/domain/settlement.ts'
import type { Taxation } from '../../src/domain/tax.ts'
import { anyTaxation, anyTerms, taxVersionOf } from './arbitraries.ts'
import { daySumsWith, depositOf, depositWith } from './deposits.ts'

const AT = new Date('2026-07-01T10:00:00.000Z')
const REQUEST = { liquidationId: 'liq_1', reason: 'Wrong deposit', note: null }

const anyWaiver: fc.Arbitrary<Waiver | null> = fc.option(
  fc.record({
    percentPpm: fc.integer({ min: 1, max: 1_000_000 }),
    amount: fc.constant(null),
    holdingPeriod: fc.boolean(),
    reason: fc.constant('GOODWILL'),
    note: fc.constant(null),
  }),
)

const anyParts = fc.array(
  fc.record({
    share: fc.integer({ min: 1, max: 1_000_000 }),
    days: fc.constantFrom(0, 0, 0, 1, 25),
    waiver: anyWaiver,
  }),
  { minLength: 1, maxLength: 6 },
)

test('undo(liquidate(x)) = x, whatever the deposit, its rules, its parts, their waivers and the tax', () => {
  fc.assert(
    fc.property(
      anyTerms,
      anyParts,
      fc.option(anyTaxation),
      fc.boolean(),
      (terms, parts, taxation, endsWhole) => {
        const rules: RuleSet = {
          ...terms.rules,
          allowPartial: true,
          minPartialAmount: minor(0n),
          minRemainingPrincipal: minor(0n),
          minHoldingDays: 0,
        }
        const before: { deposit: Deposit; balance: bigint }[] = []
        const made: StoredLiquidation[] = []
        let [deposit, balance, today] = [depositOf(terms), 0n, terms.businessDate]
        for (const [index, { share, days, waiver }] of parts.entries()) {
          today = addDays(today, days)
          const amount = minor((deposit.remaining * BigInt(share)) / 1_000_001n)
          const isWhole = endsWhole && index === parts.length - 1
          if (deposit.status !== 'ACTIVE' || (amount === 0n && !isWhole)) continue
          const liquidation = liquidate({
            deposit,
            balance,
            rules,
            today,
            waiver,
            taxation,
            amount: isWhole ? null : amount,
          })
          before.push({ deposit, balance })
          made.push(liquidation)
          deposit = afterwards(deposit, liquidation)
          balance += liquidation.net
        }

        while (made.length > 0) {
          const decided = decideReversal(knownOf(made, deposit, balance), REQUEST, { at: AT, today })
          const isTooLate = Date.parse(today) - Date.parse(made.at(-1)!.businessDate) > 30 * 86_400_000
          if (isTooLate) {
            assert.deepEqual(decided, { outcome: 'refused', code: 'reversal_window_closed', details: {} })
            return
          }
          assert(decided.outcome === 'reversed')
          const { entries } = decided.reversal
          deposit = decided.reversal.deposit
          balance += sumOf(entries, deposit.accountNumber)
          assert.deepEqual({ deposit, balance }, before.pop())
          assert.equal(sumOf(entries, deposit.depositId), made.pop()!.principal)
          for (const { postings } of entries) assert.equal(sumOf([{ postings }]), 0n)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

const liquidation = liquidate({
  deposit: depositWith(),
  balance: 0n,
  rules: {
    dayCount: 'ACT/365F',
    rounding: 'HALF_UP',
    allowPartial: true,
    minPartialAmount: minor(1n),
    minRemainingPrincipal: minor(1n),
    minHoldingDays: 0,
    penalRules: [],
  },
  today: isoDate('2026-06-01'),
  waiver: null,
  taxation: null,
  amount: null,
})

const cases: [
  what: string,
  changes: (known: KnownOfLiquidation) => KnownOfLiquidation,
  on: string,
  code: string | null,
][] = [
  [
    'one that was reversed',
    (known) => ({ ...known, liquidation: { ...liquidation, reversedAt: AT } }),
    '2026-06-01',
    'liquidation_already_reversed',
  ],
  [
    'one of a deposit that moved since',
    (known) => ({ ...known, deposit: { ...known.deposit, remaining: minor(1n) } }),
    '2026-06-01',
    'not_latest_movement',
  ],
  [
    'one of a deposit that matured since',
    (known) => ({ ...known, deposit: { ...known.deposit, status: 'MATURED' } }),
    '2026-06-01',
    'not_latest_movement',
  ],
  ['one of 31 days ago', (known) => known, '2026-07-02', 'reversal_window_closed'],
  ['one of 30 days ago', (known) => known, '2026-07-01', null],
  [
    'one whose money is gone by a cent',
    (known) => ({ ...known, balance: liquidation.net - 1n }),
    '2026-06-01',
    'insufficient_funds',
  ],
  // 100,000.00 earn 821.92 in June.
  [
    'one whose missed interest the account has no room for',
    (known) => withMissedInterest(known, 821_91n),
    '2026-07-01',
    'balance_limit_exceeded',
  ],
  [
    'one whose missed interest the account has just the room for',
    (known) => withMissedInterest(known, 821_92n),
    '2026-07-01',
    null,
  ],
  [
    'the first of several reasons',
    (known) => ({ ...known, balance: 0n, liquidation: { ...liquidation, reversedAt: AT } }),
    '2026-09-01',
    'liquidation_already_reversed',
  ],
  [
    'the window before the money',
    (known) => ({ ...known, balance: 0n }),
    '2026-09-01',
    'reversal_window_closed',
  ],
]

for (const [what, changes, on, code] of cases) {
  test(`${code === null ? 'reversed' : 'refused'}: ${what}`, () => {
    const deposit = afterwards(depositWith(), liquidation)
    const known = changes(knownOf([liquidation], deposit, liquidation.net))
    const decided = decideReversal(known, REQUEST, { at: AT, today: isoDate(on) })
    assert.equal(decided.outcome === 'refused' ? decided.code : null, code)
  })
}

test('a liquidation of 0.1.0 leaves the sums of the day as they are', () => {
  const sums = {
    on: isoDate('2026-06-01'),
    ...daySumsWith({ principal: minor(7n), interest: minor(2n), assessed: minor(1n), penal: minor(1n) }),
  }
  const deposit = { ...afterwards(depositWith(), liquidation), lastBroken: sums }
  const known = { ...knownOf([{ ...liquidation, assessedBy: 'PART' }], deposit, liquidation.net) }
  const decided = decideReversal(known, REQUEST, { at: AT, today: isoDate('2026-06-01') })
  assert(decided.outcome === 'reversed')
  assert.deepEqual(decided.reversal.deposit.lastBroken, sums)
})

/** A full account, in which the reversal makes some room. */
function withMissedInterest(known: KnownOfLiquidation, room: bigint): KnownOfLiquidation {
  const paid = { method: 'PAYOUT', every: 'MONTH', paidTo: isoDate('2026-06-01') } as const
  return {
    ...known,
    deposit: { ...known.deposit, ...paid },
    liquidation: { ...liquidation, net: minor(room) },
    balance: MINOR_MAX,
  }
}

type Breaking = {
  deposit: Deposit
  balance: bigint
  rules: RuleSet
  today: Deposit['startDate']
  waiver: Waiver | null
  taxation: Taxation | null
  amount: bigint | null
}

/** Without its waiver where there is nothing to waive. */
function liquidate({
  deposit,
  balance,
  rules,
  today,
  waiver,
  taxation,
  amount,
}: Breaking): StoredLiquidation {
  const decide = decideLiquidations(
    {
      deposits: new Map([[deposit.depositId, deposit]]),
      rulesOf: () => rules,
      balances: new Map([[deposit.accountNumber, balance]]),
      taxVersions: taxation === null ? [] : [taxVersionOf(taxation)],
      taxStatuses: new Map(),
      taxedParts: new Map(),
    },
    { at: AT, today },
  )
  const part =
    amount === null
      ? ({ type: 'FULL', amount: null } as const)
      : ({ type: 'PARTIAL', amount: minor(amount) } as const)
  const request = { liquidationId: 'liq_1', depositId: deposit.depositId, part }
  const waiving = decide({ ...request, waiver })
  const decided = waiving.outcome === 'refused' ? decide(request) : waiving
  assert(decided.outcome === 'liquidated')
  return { ...decided.liquidation, reversedAt: null, assessedBy: 'DAY', taxedWith: 'ALIKE' }
}

/** The state in which a liquidation leaves its deposit, computed independently of the service. */
function afterwards(deposit: Deposit, made: StoredLiquidation): Deposit {
  const earlier = deposit.lastBroken?.on === made.businessDate ? deposit.lastBroken : null
  return {
    ...deposit,
    remaining: made.remaining,
    status: made.remaining === 0n ? 'LIQUIDATED' : 'ACTIVE',
    liquidatedAt: made.remaining === 0n ? AT : null,
    brokenDays: made.earlierLiquidations,
    lastBroken: {
      on: made.businessDate,
      ...daySumsWith({
        principal: minor(made.principal + (earlier?.principal ?? 0n)),
        interest: minor(made.interest + (earlier?.interest ?? 0n)),
        assessed: minor(made.assessed + (earlier?.assessed ?? 0n)),
        penal: minor(made.penal + (earlier?.penal ?? 0n)),
        tax: minor(made.total - made.net + (earlier?.tax ?? 0n)),
      }),
    },
  }
}

function knownOf(made: readonly StoredLiquidation[], deposit: Deposit, balance: bigint): KnownOfLiquidation {
  const last = made.at(-1)!
  const before = made.at(-2) ?? null
  const known = { liquidation: last, deposit, balance, entries: entriesOf(last), before }
  return { ...known, rules: FIRST_RULES, taxation: null }
}

function entriesOf(made: Liquidation): LedgerEntry[] {
  const { accountNumber, depositId, liquidationId } = made
  return liquidationMovements(made).map((movement, index) => ({
    ...movement,
    entryId: `le_${index}`,
    accountNumber,
    depositId,
    liquidationId,
    narration: null,
    createdAt: AT,
  }))
}

function sumOf(entries: readonly Pick<LedgerEntry, 'postings'>[], of?: string): bigint {
  const lines = entries.flatMap(({ postings }) => postings)
  return lines
    .filter(({ account }) => of === undefined || account === of)
    .reduce((sum, { amount }) => sum + amount, 0n)
}
