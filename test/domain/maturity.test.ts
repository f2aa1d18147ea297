import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import type { Deposit } from '../../src/domain/deposit.ts'
import { decideMaturities, type KnownAtMaturity, maturityPostings } from '../../src/domain/maturity.ts'
import { MINOR_MAX, minor } from '../../src/domain/money.ts'
import { NO_REFERENCE } from '../../src/domain/own-reference.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'

const at = new Date('2026-07-01T10:00:00.000Z')
const moment = { at, today: isoDate('2026-07-01') }

test('a batch settles each due deposit once, oldest first, and every cent is paid or in a successor', () => {
  const deposits = fc.array(
    fc.record({
      principal: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      startedDaysAgo: fc.integer({ min: 0, max: 400 }),
      tenorDays: fc.integer({ min: 1, max: 200 }),
      annualRatePpm: fc.integer({ min: 1, max: 1_000_000 }),
      autoRollover: fc.boolean(),
      status: fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'LIQUIDATED'),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(deposits, fc.integer({ min: 0, max: 30 }), (made, ids) => {
      const known = knownWith(ids)
      const all = made.map((one, index) =>
        deposit({ ...one, depositId: `fd_${index}`, startDate: addDays(moment.today, -one.startedDaysAgo) }),
      )
      const { maturities, unsettled } = decideMaturities(known, all, moment)
      assert.deepEqual(unsettled, [])

      const settledIds = maturities.map((maturity) => maturity.deposit.depositId)
      assert.equal(new Set(settledIds).size, settledIds.length)
      const dates = maturities.map((maturity) => maturity.deposit.maturityDate)
      const claimed = dates.filter((_, index) => !settledIds[index]!.startsWith('fd_successor'))
      assert.deepEqual(claimed, claimed.toSorted())
      for (const one of all) {
        const due = one.status === 'ACTIVE' && one.maturityDate <= moment.today
        if (!due) assert(!settledIds.includes(one.depositId))
        else assert(settledIds.includes(one.depositId) || one.autoRollover)
      }
      assert(maturities.filter((maturity) => maturity.successor !== null).length <= ids)
      for (const maturity of maturities) {
        const { deposit: after, principal, interest, total, successor } = maturity
        assert.equal(total, principal + interest)
        assert.deepEqual(
          [after.remaining, after.status],
          [0n, successor === null ? 'MATURED' : 'ROLLED_OVER'],
        )
        assert.equal(after.rolledOverTo, successor?.depositId ?? null)
        assert.equal(successor?.principal ?? total, total)
        assert.equal(successor?.startDate ?? after.maturityDate, after.maturityDate)
        const { closing, opening } = maturityPostings(maturity)
        assert.deepEqual(
          [closing, opening ?? []].map((postings) => postings.reduce(addUp, 0n)),
          [0n, 0n],
        )
      }
    }),
  )
})

test('deposits that pay into one account see what the ones before them paid', () => {
  const balances = new Map([['0000000001', MINOR_MAX - 1_500n]])
  const all = ['fd_b', 'fd_a', 'fd_c'].map((depositId) =>
    deposit({
      depositId,
      principal: 1_000n,
      annualRatePpm: 1,
      tenorDays: 1,
      startDate: isoDate('2026-06-01'),
    }),
  )
  const { maturities, unsettled } = decideMaturities({ ...knownWith(0), balances }, all, moment)
  assert.deepEqual(
    maturities.map((maturity) => maturity.deposit.depositId),
    ['fd_a'],
  )
  assert.deepEqual(unsettled, [
    { depositId: 'fd_b', code: 'balance_limit_exceeded' },
    { depositId: 'fd_c', code: 'balance_limit_exceeded' },
  ])
})

test('a payment may fill the account to the largest amount', () => {
  const terms = { annualRatePpm: 1, tenorDays: 1, startDate: isoDate('2026-06-01') }
  const decide = (balance: bigint) =>
    decideMaturities(
      { ...knownWith(0), balances: new Map([['0000000001', balance]]) },
      [deposit({ ...terms, depositId: 'fd_1', principal: 1_000n })],
      moment,
    )
  assert.equal(decide(MINOR_MAX - 1_000n).maturities.length, 1)
  assert.deepEqual(decide(MINOR_MAX - 999n), {
    maturities: [],
    unsettled: [{ depositId: 'fd_1', code: 'balance_limit_exceeded' }],
  })
})

test('the worth of a deposit and that of its successor may reach the largest amount and not pass it', () => {
  const terms = {
    annualRatePpm: 500_000,
    tenorDays: 365,
    startDate: isoDate('2025-07-01'),
    autoRollover: true,
  }
  // Half of it is added at maturity, and half of that by its successor: 9/4 of this is the largest amount.
  const largest = (MINOR_MAX * 4n) / 9n
  const decide = (principal: bigint) =>
    decideMaturities(knownWith(1), [deposit({ ...terms, depositId: 'fd_1', principal })], moment)
  const [rolledOver] = decide(largest).maturities
  const { total, successor } = rolledOver!
  assert.deepEqual([total, total + successor!.expectedInterest], [(largest * 3n) / 2n, MINOR_MAX])
  assert.deepEqual(decide(largest + 1n), {
    maturities: [],
    unsettled: [{ depositId: 'fd_1', code: 'maturity_value_out_of_range' }],
  })
})

function knownWith(ids: number): KnownAtMaturity {
  return {
    rules: new Map([[1, FIRST_RULES]]),
    inForce: { version: 1, rules: FIRST_RULES },
    balances: new Map([['0000000001', 0n]]),
    successorIds: Array.from({ length: ids }, (_, index) => `fd_successor_${index}`),
  }
}

function deposit(terms: {
  depositId: string
  principal: bigint
  annualRatePpm: number
  tenorDays: number
  startDate: Deposit['startDate']
  autoRollover?: boolean
  status?: string
}): Deposit {
  const active = (terms.status ?? 'ACTIVE') === 'ACTIVE'
  return {
    depositId: terms.depositId,
    customerId: 'cus_1',
    accountNumber: '0000000001',
    currency: 'NGN',
    status: active ? 'ACTIVE' : 'LIQUIDATED',
    principal: minor(terms.principal),
    remaining: minor(active ? terms.principal : 0n),
    lien: minor(0n),
    expectedInterest: minor(0n),
    annualRatePpm: terms.annualRatePpm,
    tenorDays: terms.tenorDays,
    startDate: terms.startDate,
    maturityDate: addDays(terms.startDate, terms.tenorDays),
    autoRollover: terms.autoRollover ?? false,
    rolledOverTo: null,
    rulesVersion: 1,
    createdAt: at,
    updatedAt: at,
    liquidatedAt: active ? null : at,
    lastBroken: null,
    ...NO_REFERENCE,
  }
}

function addUp(sum: bigint, posting: { amount: bigint }): bigint {
  return sum + posting.amount
}
