import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import type { Deposit } from '../../src/domain/deposit.ts'
import {
  decideMaturities,
  type KnownAtMaturity,
  maturityMovements,
  successionsOf,
} from '../../src/domain/maturity.ts'
import { MINOR_MAX, minor } from '../../src/domain/money.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'
import type { TaxVersion } from '../../src/domain/tax.ts'
import { daySumsWith, depositWith } from './deposits.ts'

const at = new Date('2026-07-01T10:00:00.000Z')
const moment = { at, today: isoDate('2026-07-01') }

test('a batch settles each due deposit once, oldest first, and every cent is paid or in a successor', () => {
  const deposits = fc.array(
    fc.record({
      principal: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      startedDaysAgo: fc.integer({ min: 0, max: 400 }),
      tenorDays: fc.integer({ min: 1, max: 200 }),
      annualRatePpm: fc.integer({ min: 1, max: 1_000_000 }),
      instruction: fc.constantFrom('PAY_OUT' as const, 'ROLL_OVER' as const),
      status: fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'LIQUIDATED'),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(deposits, fc.integer({ min: 0, max: 30 }), (made, ids) => {
      const known = { ...knownWith(ids), taxVersions: [tenPercent('1900-01-01', 1)] }
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
        else assert(settledIds.includes(one.depositId) || one.instruction === 'ROLL_OVER')
      }
      assert(maturities.filter((maturity) => maturity.successor !== null).length <= ids)
      for (const maturity of maturities) {
        const { deposit: after, principal, interest, total, tax, net, successor } = maturity
        assert.equal(total, principal + interest)
        assert.deepEqual([tax, net], [interest / 10n, total - interest / 10n])
        assert.deepEqual(
          [after.remaining, after.status],
          [0n, successor === null ? 'MATURED' : 'ROLLED_OVER'],
        )
        assert.equal(after.rolledOverTo, successor?.depositId ?? null)
        assert.equal(successor?.principal ?? net, net)
        assert.equal(successor?.startDate ?? after.maturityDate, after.maturityDate)
        const { closing, opening } = maturityMovements(maturity)
        const entries = [...closing.map(({ postings }) => postings), opening ?? []]
        assert.deepEqual(
          entries.map((postings) => postings.reduce(addUp, 0n)),
          entries.map(() => 0n),
        )
        const clearing = entries.flat().filter(({ account }) => account === 'rollover_clearing')
        assert.equal(clearing.reduce(addUp, 0n), 0n)
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

test('interest is taxed by the rules of the day on which it is paid, which a test clock may have passed', () => {
  const taxVersions = [tenPercent('2026-06-10', 1), tenPercent('2026-06-20', 2)]
  const due = ['2026-06-01', '2026-06-10', '2026-06-19', '2026-06-20'].map((maturity) =>
    deposit({
      depositId: `fd_${maturity}`,
      principal: 1_000_00n,
      annualRatePpm: 100_000,
      tenorDays: 10,
      startDate: addDays(isoDate(maturity), -10),
    }),
  )
  const versions = (movedFrom: string | null) =>
    decideMaturities(
      { ...knownWith(0), taxVersions, movedFrom: movedFrom === null ? null : isoDate(movedFrom) },
      due,
      moment,
    ).maturities.map(({ deposit: { maturityTaxed } }) => maturityTaxed?.version ?? null)
  assert.deepEqual(versions(null), [2, 2, 2, 2])
  assert.deepEqual(versions('2026-05-01'), [null, 1, 1, 2])
  assert.deepEqual(versions('2026-06-15'), [1, 1, 1, 2])
})

test('interest is taxed at the rate of the class of the account', () => {
  const known = {
    ...knownWith(0),
    taxVersions: [tenPercent('1900-01-01', 1)],
    taxStatuses: new Map([['0000000001', { taxClass: 'EXEMPT', taxValidUntil: isoDate('2026-06-30') }]]),
  }
  const due = deposit({
    depositId: 'fd_1',
    principal: 36_500_00n,
    annualRatePpm: 100_000,
    tenorDays: 10,
    startDate: isoDate('2026-06-01'),
  })
  const taxOn = (today: string) =>
    decideMaturities(known, [due], { at, today: isoDate(today) }).maturities.map(({ tax, net, deposit }) => ({
      tax,
      net,
      ratePpm: deposit.maturityTaxed?.ratePpm,
    }))
  assert.deepEqual(taxOn('2026-06-30'), [{ tax: 0n, net: 36_600_00n, ratePpm: 0 }])
  assert.deepEqual(taxOn('2026-07-01'), [{ tax: 10_00n, net: 36_590_00n, ratePpm: 100_000 }])
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

test('interest of a rollover may fill the account to the largest amount and not pass it', () => {
  const due = depositWith({
    ...{ annualRatePpm: 100_000, tenorDays: 365, instruction: 'ROLL_OVER_PRINCIPAL' },
    ...{ startDate: isoDate('2025-07-01'), maturityDate: moment.today, accountNumber: '0000000001' },
    principal: minor(1_000_00n),
  })
  const decide = (balance: bigint) =>
    decideMaturities({ ...knownWith(1), balances: new Map([['0000000001', balance]]) }, [due], moment)
  assert.equal(decide(MINOR_MAX - 100_00n).maturities[0]?.paidOut, 100_00n)
  assert.deepEqual(decide(MINOR_MAX - 99_99n), {
    maturities: [],
    unsettled: [{ depositId: 'fd_1', code: 'balance_limit_exceeded' }],
  })
})

test('every successor of a chain follows the deposit that the chain began with', () => {
  const due = depositWith({
    ...{ instruction: 'ROLL_OVER', tenorDays: 10 },
    ...{ startDate: isoDate('2026-06-01'), maturityDate: isoDate('2026-06-11') },
  })
  const { maturities } = decideMaturities(knownWith(3), [due], moment)
  assert.deepEqual(
    successionsOf(maturities),
    [0, 1, 2].map((index) => ({ from: 'fd_1', to: `fd_successor_${index}` })),
  )
})

test('nothing that was broken of a deposit counts for its successor', () => {
  const due = depositWith({
    ...{ instruction: 'ROLL_OVER', startDate: isoDate('2025-07-01'), maturityDate: moment.today },
    ...{ lastBroken: { on: moment.today, ...daySumsWith({ principal: minor(1n) }) }, brokenDays: 3 },
  })
  const [maturity] = decideMaturities(knownWith(1), [due], moment).maturities
  const { lastBroken, brokenDays, lien } = maturity!.successor!
  assert.deepEqual({ lastBroken, brokenDays, lien }, { lastBroken: null, brokenDays: 0, lien: 0n })
})

test('the worth of a deposit and that of its successor may reach the largest amount and not pass it', () => {
  const terms = {
    annualRatePpm: 500_000,
    tenorDays: 365,
    startDate: isoDate('2025-07-01'),
    instruction: 'ROLL_OVER' as const,
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
    rulesOf: () => FIRST_RULES,
    inForce: { version: 1, rules: FIRST_RULES },
    balances: new Map([['0000000001', 0n]]),
    productOf: () => undefined,
    successorIds: Array.from({ length: ids }, (_, index) => `fd_successor_${index}`),
    taxVersions: [],
    taxStatuses: new Map(),
    movedFrom: null,
  }
}

function tenPercent(effectiveFrom: string, version: number): TaxVersion {
  return {
    version,
    rules: {
      effectiveFrom: isoDate(effectiveFrom),
      base: 'NET',
      onRecovery: 'KEEP',
      rounding: 'DOWN',
      classes: new Map([
        ['STANDARD', 100_000],
        ['EXEMPT', 0],
      ]),
    },
  }
}

function deposit(terms: {
  depositId: string
  principal: bigint
  annualRatePpm: number
  tenorDays: number
  startDate: Deposit['startDate']
  instruction?: Deposit['instruction']
  status?: string
}): Deposit {
  const active = (terms.status ?? 'ACTIVE') === 'ACTIVE'
  return depositWith({
    ...terms,
    accountNumber: '0000000001',
    createdAt: at,
    status: active ? 'ACTIVE' : 'LIQUIDATED',
    principal: minor(terms.principal),
    remaining: minor(active ? terms.principal : 0n),
    maturityDate: addDays(terms.startDate, terms.tenorDays),
    liquidatedAt: active ? null : at,
  })
}

function addUp(sum: bigint, posting: { amount: bigint }): bigint {
  return sum + posting.amount
}
