/** Interest that is paid before maturity: what an almost full account takes, and how it is taxed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../src/domain/dates.ts'
import { settlementOn } from '../../src/domain/liquidation.ts'
import { MINOR_MAX, minor } from '../../src/domain/money.ts'
import { bringForward, decidePayments, payAtOpening } from '../../src/domain/payments.ts'
import { FIRST_RULES } from '../../src/domain/rules.ts'
import { type Taxation, taxedBy } from '../../src/domain/tax.ts'
import { termsOf } from '../../src/domain/terms.ts'
import { depositWith } from './deposits.ts'

const moment = { at: new Date('2026-02-01T10:00:00.000Z'), today: isoDate('2026-02-01') }
const TENTH: Taxation = {
  ...{ version: 1, taxClass: 'STANDARD', ratePpm: 100_000 },
  ...{ base: 'NET', onRecovery: 'KEEP', rounding: 'HALF_UP' },
}
const context = (balance: bigint) => ({ moment, taxationOn: () => TENTH, balance })

/** 310.00 for January. */
const monthly = depositWith({
  ...{ principal: minor(36_500_00n), method: 'PAYOUT', every: 'MONTH' },
  nextInterestDate: isoDate('2026-02-01'),
})

test('a payment may fill the account before tax, and not pass the largest amount', () => {
  const terms = termsOf(monthly, FIRST_RULES)
  const room = (of: bigint) => {
    const { payments, blocked, balance } = bringForward(monthly, { ...context(MINOR_MAX - of), terms })
    return [payments.length, blocked, MINOR_MAX - balance]
  }
  assert.deepEqual(room(310_00n), [1, false, 31_00n])
  assert.deepEqual(room(309_99n), [0, true, 309_99n])
})

test('upfront interest may fill the account before tax, and not pass the largest amount', () => {
  const upfront = depositWith({ principal: minor(36_500_00n), method: 'UPFRONT' })
  const terms = termsOf(upfront, FIRST_RULES)
  const room = (of: bigint) => {
    const taxationOn = (due: string) => (due === upfront.startDate ? TENTH : null)
    const { payments, blocked } = payAtOpening(upfront, { ...context(MINOR_MAX - of), terms, taxationOn })
    return [payments.map(({ interest, tax, taxed }) => ({ interest, tax, taxed })), blocked]
  }
  const payment = { interest: 3_650_00n, tax: 365_00n, taxed: taxedBy(TENTH) }
  assert.deepEqual(room(3_650_00n), [[payment], false])
  assert.deepEqual(room(3_649_99n), [[], true])
})

test('a payment leaves less room for the next deposit of its account', () => {
  const known = {
    ...{ rulesOf: () => FIRST_RULES, taxVersions: [], taxStatuses: new Map(), movedFrom: null },
    balances: new Map([[monthly.accountNumber, MINOR_MAX - 619_99n]]),
  }
  const deposits = [monthly, { ...monthly, depositId: 'fd_2' }]
  const { paid, unpaid } = decidePayments(known, { deposits, max: 1 }, moment)
  assert.deepEqual([paid.map(({ deposit }) => deposit.depositId), unpaid], [['fd_1'], ['fd_2']])
})

test('a quote taxes overdue interest as of today, and later payments as of their day', () => {
  const today = isoDate('2026-02-10')
  const taxOf = (on: string) => {
    const settled = settlementOn(isoDate(on), {
      ...{ deposit: monthly, rules: FIRST_RULES, part: { type: 'FULL', amount: null } },
      ...{ balance: 0n, taxedParts: [], moment: { at: moment.at, today } },
      taxationOn: (day) => (day >= today && day < '2026-03-01' ? TENTH : null),
    })
    assert(settled.outcome === 'settled')
    return settled.settlement.taxShare
  }
  assert.deepEqual([taxOf('2026-02-10'), taxOf('2026-03-01')], [31_00n, 31_00n])
})
