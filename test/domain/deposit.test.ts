import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isoDate } from '../../src/domain/dates.ts'
import {
  type Account,
  accruedInterest,
  decideOpening,
  elapsedDays,
  NOTHING_PAID,
  type OpeningRequest,
  PLAIN_INTEREST,
  WITHOUT_PRODUCT,
} from '../../src/domain/deposit.ts'
import { MINOR_MAX, minor } from '../../src/domain/money.ts'
import { NO_REFERENCE, type TakenNames } from '../../src/domain/own-reference.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'

const AT = new Date('2026-07-01T10:00:00.000Z')
const moment = { at: AT, today: isoDate('2026-07-01') }
const inForce = { version: 7, rules: FIRST_RULES }
const none: TakenNames = new Set()

const account: Account = {
  accountNumber: '1000000001',
  customerId: 'cus_1',
  currency: 'NGN',
  balance: minor(1_000_000_00n),
  createdAt: AT,
  ...NO_REFERENCE,
  taxClass: null,
  taxValidUntil: null,
}

const request: OpeningRequest = {
  depositId: 'fd_1',
  accountNumber: '1000000001',
  amount: minor(1_000_000_00n),
  tenorDays: 90,
  annualRatePpm: 120_000,
  instruction: 'ROLL_OVER',
  startDate: null,
  externalId: 'own-1',
  metadata: { branch: 'Marina' },
}

test('a deposit opens today, pinned to the rules in force', () => {
  assert.deepEqual(decideOpening({ account, inForce, taken: none }, request, moment), {
    outcome: 'opened',
    deposit: {
      ...PLAIN_INTEREST,
      ...WITHOUT_PRODUCT,
      ...NOTHING_PAID,
      depositId: 'fd_1',
      customerId: 'cus_1',
      accountNumber: '1000000001',
      currency: 'NGN',
      status: 'ACTIVE',
      principal: 1_000_000_00n,
      remaining: 1_000_000_00n,
      lien: 0n,
      expectedInterest: 29_589_04n,
      annualRatePpm: 120_000,
      tenorDays: 90,
      startDate: '2026-07-01',
      maturityDate: '2026-09-29',
      instruction: 'ROLL_OVER',
      rolledOverTo: null,
      rollovers: 0,
      brokenDays: 0,
      rulesVersion: 7,
      createdAt: AT,
      updatedAt: AT,
      liquidatedAt: null,
      lastBroken: null,
      externalId: 'own-1',
      metadata: { branch: 'Marina' },
      maturityTaxed: null,
    },
  })
})

test('refusals come in one order: account, external id, start, size, funds', () => {
  const tomorrow = isoDate('2026-07-02')
  const tooLarge = { ...request, amount: minor(MINOR_MAX), startDate: tomorrow }
  const codeOf = (
    account: Account | undefined,
    request: OpeningRequest,
    taken: TakenNames = none,
  ): string => {
    const decided = decideOpening({ account, inForce, taken }, request, moment)
    return decided.outcome === 'refused' ? decided.code : decided.outcome
  }
  assert.equal(codeOf(undefined, tooLarge, new Set(['own-1'])), 'account_not_found')
  assert.equal(codeOf(account, tooLarge, new Set(['own-1'])), 'external_id_taken')
  assert.equal(codeOf(account, tooLarge), 'start_date_in_future')
  assert.equal(codeOf(account, { ...tooLarge, startDate: moment.today }), 'maturity_value_out_of_range')
  assert.equal(codeOf(account, { ...request, amount: minor(1_000_000_01n) }), 'insufficient_funds')
  const early = { ...request, amount: minor(MINOR_MAX), startDate: isoDate('0001-01-01') }
  assert.equal(codeOf(account, early), 'start_date_too_early')
})

test('a start date lies at most 200 years back, and with auto_rollover at most a thousand terms', () => {
  const opened = (asked: Pick<OpeningRequest, 'tenorDays' | 'instruction'>, startDate: string) => {
    const decided = decideOpening(
      { account, inForce, taken: none },
      { ...request, ...asked, startDate: isoDate(startDate) },
      moment,
    )
    return decided.outcome === 'refused' ? [decided.code, decided.details] : decided.outcome
  }
  const limits: [Pick<OpeningRequest, 'tenorDays' | 'instruction'>, number][] = [
    [{ tenorDays: 1, instruction: 'PAY_OUT' }, 73_050],
    [{ tenorDays: 36_500, instruction: 'PAY_OUT' }, 73_050],
    [{ tenorDays: 36_500, instruction: 'ROLL_OVER' }, 73_050],
    [{ tenorDays: 73, instruction: 'ROLL_OVER' }, 73_050],
    // One day more, and the deposit would roll over for the 1,001st time today.
    [{ tenorDays: 1, instruction: 'ROLL_OVER' }, 1_000],
    [{ tenorDays: 30, instruction: 'ROLL_OVER' }, 30_029],
    [{ tenorDays: 72, instruction: 'ROLL_OVER' }, 72_071],
  ]
  for (const [asked, daysBack] of limits) {
    const earliest = addDays(moment.today, -daysBack)
    assert.equal(opened(asked, earliest), 'opened')
    assert.deepEqual(opened(asked, addDays(earliest, -1)), ['start_date_too_early', { earliest }])
  }
})

test('principal and interest at maturity may reach the largest amount, not pass it', () => {
  // A year at 50 percent adds half of the principal, and three halves of this are the largest amount.
  const terms = { ...request, annualRatePpm: 500_000, tenorDays: 365 }
  const rich = { ...account, balance: minor(MINOR_MAX) }
  const largest = (MINOR_MAX * 2n) / 3n
  const opened = decideOpening(
    { account: rich, inForce, taken: none },
    { ...terms, amount: minor(largest) },
    moment,
  )
  assert(opened.outcome === 'opened')
  assert.equal(opened.deposit.principal + opened.deposit.expectedInterest, MINOR_MAX)
  assert.deepEqual(
    decideOpening({ account: rich, inForce, taken: none }, { ...terms, amount: minor(largest + 1n) }, moment),
    {
      outcome: 'refused',
      code: 'maturity_value_out_of_range',
      details: { maximum: MINOR_MAX },
    },
  )
})

test('interest accrues on what remains, from the first day to maturity', () => {
  const opened = decideOpening({ account, inForce, taken: none }, request, moment)
  assert(opened.outcome === 'opened')
  const deposit = { ...opened.deposit, remaining: minor(500_000_00n) }
  const accrued = (days: number) => accruedInterest(deposit, FIRST_RULES, addDays(deposit.startDate, days))
  assert.deepEqual([-1, 0, 1, 89, 90, 91, 36_500].map(accrued), [
    0n,
    0n,
    164_38n,
    14_630_14n,
    14_794_52n,
    14_794_52n,
    14_794_52n,
  ])
  const held = (days: number) => elapsedDays(deposit, addDays(deposit.startDate, days))
  assert.deepEqual([-1, 0, 1, 400].map(held), [0, 0, 1, 400])
})
