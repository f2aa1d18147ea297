/** Taking over a deposit of a product: what the product must be able to say of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoDate } from '../../src/domain/dates.ts'
import { newAccount } from '../../src/domain/deposit.ts'
import { type DepositImport, decideDepositImport } from '../../src/domain/import.ts'
import { minor } from '../../src/domain/money.ts'
import { NO_REFERENCE } from '../../src/domain/own-reference.ts'
import type { Product } from '../../src/domain/product.ts'
import type { CardRate, RateSheet } from '../../src/domain/rate-sheet.ts'
import { FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'

const moment = { at: new Date('2026-07-01T10:00:00.000Z'), today: isoDate('2026-07-01') }
const account = newAccount({
  ...{ accountNumber: '1000000001', customerId: 'cus_1', currency: 'NGN' },
  ...{ balance: minor(0n), createdAt: moment.at },
})
const request: DepositImport = {
  ...{ ...NO_REFERENCE, depositId: 'fd_1', accountNumber: account.accountNumber, productCode: 'P' },
  ...{ principal: minor(1_000_00n), remaining: minor(1_000_00n), annualRatePpm: 100_000 },
  ...{ tenor: { unit: 'DAY', count: 365 }, startDate: isoDate('2026-03-01'), maturityDate: null },
  ...{ interestPaid: null, interestPaidTo: null, taxWithheld: null },
  ...{ rollovers: 0, bonusCodes: [], instruction: null },
}

function charging(of: CardRate): RuleSet {
  const rule = { when: {}, terms: [{ kind: 'RERATE', rate: { of } }], combine: 'SUM' } as const
  return { ...FIRST_RULES, penalRules: [{ ...rule, min: minor(0n), max: null }] }
}

function imported(changes: Partial<Product>, sheetFrom: string | null): string {
  const product: Product = {
    ...{ name: 'Harbour', currency: 'NGN', status: 'OPEN', minAmount: minor(1n), maxAmount: null },
    tenor: { unit: 'DAY', min: 1, max: 365, multiple: 1 },
    interest: { method: 'AT_MATURITY', every: null, recoverPaidInterest: false },
    maturity: { onHoliday: 'SAME_DAY', instruction: 'PAY_OUT', rolloverLimit: null },
    ...{ negotiatedRate: null, bonuses: new Map(), rules: null },
    ...changes,
  }
  const sheet: RateSheet = {
    ...{ number: 1, effectiveFrom: isoDate(sheetFrom ?? '2026-01-01'), tenorUnit: 'DAY', tenorFrom: [0] },
    ...{ amountFrom: [minor(0n)], ratesPpm: [[100_000]] },
  }
  const decided = decideDepositImport(
    {
      ...{ account, inForce: { version: 1, rules: FIRST_RULES }, taken: new Set<string | null>() },
      version: { productCode: 'P', version: 1, product, createdAt: moment.at },
      sheets: sheetFrom === null ? [] : [sheet],
    },
    request,
    moment,
  )
  return decided.outcome === 'refused' ? decided.code : decided.outcome
}

test('rules that start from the sheet of the opening need one, those of the day only by now', () => {
  const [opening, now] = [{ rules: charging('CARD_AT_OPENING') }, { rules: charging('CARD_NOW') }]
  const found = ['2026-03-01', '2026-03-02', '2026-07-01', '2026-07-02', null].map((from) => [
    imported(opening, from),
    imported(now, from),
    imported({}, from),
  ])
  assert.deepEqual(found, [
    ['imported', 'imported', 'imported'],
    ['no_rate_sheet', 'imported', 'imported'],
    ['no_rate_sheet', 'imported', 'imported'],
    ['no_rate_sheet', 'no_rate_sheet', 'imported'],
    ['no_rate_sheet', 'no_rate_sheet', 'imported'],
  ])
})

test('the account has the currency of the product', () => {
  assert.equal(imported({ currency: 'USD' }, null), 'currency_mismatch')
})
