import assert from 'node:assert/strict'
import { type Ask, ada } from './service.ts'

/** A product and a rate sheet of the tests, as they are sent. */
export const harbourFix = {
  name: 'Harbour Fix',
  currency: 'NGN',
  status: 'OPEN',
  min_amount: 50_000,
  max_amount: null,
  tenor: { unit: 'MONTH', min: 1, max: 36, multiple: 1 },
  interest: { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true },
  maturity: { on_holiday: 'NEXT_BUSINESS_DAY', instruction: 'ROLL_OVER', rollover_limit: null },
  negotiated_rate: { min: 8, max: 15 },
  bonuses: { SENIOR: 0.5, STAFF: 1 },
  rules: null,
}

export const harbourSheet = {
  effective_from: '2026-01-01',
  tenor_unit: 'DAY',
  tenor_from: [0, 30, 90, 180, 365],
  amount_from: [0, 1_000_000],
  rates: [
    [0, 0],
    [8, 8.25],
    [9, 9.5],
    [10, 10.75],
    [11, 12],
  ],
}

/** A sheet of one rate for every tenor and amount. */
export const sheetAt = (rate: number, effective_from = '2025-01-01') => ({
  ...harbourSheet,
  effective_from,
  tenor_from: [0],
  amount_from: [0],
  rates: [[rate]],
})

/** Writes a product, and adds a rate sheet unless it is null. */
export async function sell(
  ask: Ask,
  code: string,
  changes: object = {},
  sheet: object | null = sheetAt(12),
): Promise<void> {
  const put = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, ...changes })
  assert.equal(put.status, 200, put.text)
  if (sheet === null) return
  const added = await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)
  assert.equal(added.status, 201, added.text)
}

export type OpenedByProduct = { depositId: string; accountNumber: string; data: any }

/** A deposit of its own customer and account, in the currency of the product. */
export async function openByProduct(
  ask: Ask,
  code: string,
  wish: { amount: number; [member: string]: unknown },
): Promise<OpenedByProduct> {
  const { currency } = (await ask('GET', `/v2/products/${code}`)).json.data
  const customer = await ask('POST', '/v2/customer', ada)
  const { customer_id } = customer.json.data
  const account = await ask('POST', '/v2/accounts', { customer_id, currency })
  assert.equal(account.status, 201, account.text)
  const { account_number } = account.json.data
  const { amount } = wish
  assert.equal((await ask('POST', `/v2/accounts/${account_number}/credits`, { amount })).status, 201)
  const opened = await ask('POST', '/v2/fixed-deposits', { account_number, product_code: code, ...wish })
  assert.equal(opened.status, 201, opened.text)
  return { depositId: opened.json.data.deposit_id, accountNumber: account_number, data: opened.json.data }
}
