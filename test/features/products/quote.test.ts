/** What a product would pay, before anything is signed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { type Ask, describeService, firstRules, replaceTaxRules } from '../../support/service.ts'

const atTwelve = {
  ...harbourSheet,
  tenor_from: [0, 1],
  amount_from: [0],
  rates: [[0], [12]],
}

async function sell(ask: Ask, code: string, changes: object, sheet: object = atTwelve): Promise<void> {
  const put = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, min_amount: 1, ...changes })
  assert.equal(put.status, 200, put.text)
  const added = await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)
  assert.equal(added.status, 201, added.text)
}

async function quoted(ask: Ask, code: string, wish: object) {
  const answer = await ask('POST', `/v2/products/${code}/quote`, wish)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})
const refusal = (status: number, code: string, details = '{}'): ExpectedRefusal => ({ status, code, details })
const TENORS = '{"minimum":1,"maximum":36,"unit":"MONTH","multiple":3}'
const RATES = '{"minimum":8,"maximum":15}'
const wish = { amount: 600_000, tenor_months: 12 }

const refused: [wish: object, refusal: ExpectedRefusal][] = [
  [{ amount: 600_000 }, invalid(['tenor', 'required'])],
  [{ ...wish, tenor: 90 }, invalid(['tenor_months', 'conflicting_field'])],
  [{ ...wish, tenor_months: 1_201 }, invalid(['tenor_months', 'out_of_range'])],
  [{ ...wish, bonuses: ['STAFF', 'STAFF'] }, invalid(['bonuses[1]', 'invalid_value'])],
  [{ ...wish, bonuses: ['staff'] }, invalid(['bonuses[0]', 'invalid_format'])],
  [{ ...wish, bonuses: ['STAFF'], interest_rate: 9 }, invalid(['bonuses', 'conflicting_field'])],
  [{ ...wish, interest_rate: 0 }, invalid(['interest_rate', 'out_of_range'])],
  [
    { ...wish, start_date: '2026-07-02' },
    refusal(422, 'start_date_in_future', '{"business_date":"2026-07-01"}'),
  ],
  [
    { ...wish, start_date: '1926-06-30', outlook: true },
    refusal(422, 'start_date_too_early', '{"earliest":"1926-07-01"}'),
  ],
  [{ ...wish, amount: 99.99 }, refusal(422, 'amount_not_offered', '{"minimum":100.00,"maximum":900000.00}')],
  [
    { ...wish, amount: 900_000.01 },
    refusal(422, 'amount_not_offered', '{"minimum":100.00,"maximum":900000.00}'),
  ],
  [{ amount: 600_000, tenor: 12 }, refusal(422, 'tenor_not_offered', TENORS)],
  [{ ...wish, tenor_months: 37 }, refusal(422, 'tenor_not_offered', TENORS)],
  [{ ...wish, tenor_months: 4 }, refusal(422, 'tenor_not_offered', TENORS)],
  // A cell of 0 is not offered, negotiated or not.
  [{ ...wish, tenor_months: 6 }, refusal(422, 'tenor_not_offered', TENORS)],
  [{ ...wish, tenor_months: 6, interest_rate: 9 }, refusal(422, 'tenor_not_offered', TENORS)],
  [{ ...wish, start_date: '2025-12-31' }, refusal(422, 'no_rate_sheet')],
  [{ ...wish, start_date: '2025-12-31', interest_rate: 9 }, refusal(422, 'no_rate_sheet')],
  [{ ...wish, bonuses: ['STAFF', 'LOYAL'] }, refusal(422, 'bonus_not_offered', '{"bonus":"LOYAL"}')],
  [{ ...wish, interest_rate: 7.9999 }, refusal(422, 'rate_out_of_range', RATES)],
  [{ ...wish, interest_rate: 15.0001 }, refusal(422, 'rate_out_of_range', RATES)],
  [{ ...wish, bonuses: ['MINUS'] }, refusal(422, 'rate_out_of_range', '{"minimum":0,"maximum":100}')],
]

describeService('quotes of a product', (running) => {
  test('what is not offered is refused, and nothing is written', async () => {
    const { ask, db } = running()
    const changes = {
      min_amount: 100,
      max_amount: 900_000,
      tenor: { unit: 'MONTH', min: 1, max: 36, multiple: 3 },
      bonuses: { STAFF: 1, MINUS: -9 },
    }
    const sheet = { ...atTwelve, tenor_unit: 'MONTH', tenor_from: [0, 12], rates: [[0], [9]] }
    await sell(ask, 'STRICT', changes, sheet)
    for (const [body, expected] of refused) {
      await assertRefusedWithoutTrace(db, () => ask('POST', '/v2/products/STRICT/quote', body), expected)
    }
    const unknown = () => ask('POST', '/v2/products/UNKNOWN/quote', wish)
    await assertRefusedWithoutTrace(db, unknown, refusal(404, 'product_not_found'))
    await sell(ask, 'CLOSED', { status: 'CLOSED' })
    const closed = () => ask('POST', '/v2/products/CLOSED/quote', wish)
    await assertRefusedWithoutTrace(db, closed, refusal(409, 'product_closed'))
    await sell(ask, 'FIRM', { negotiated_rate: null })
    const firm = () => ask('POST', '/v2/products/FIRM/quote', { ...wish, interest_rate: 12 })
    await assertRefusedWithoutTrace(db, firm, refusal(422, 'rate_not_negotiable'))
    await sell(ask, 'DEAR', {
      interest: { method: 'UPFRONT', every: null, recover_paid_interest: false },
      tenor: { unit: 'MONTH', min: 1, max: 1_200, multiple: 1 },
    })
    const dear = () => ask('POST', '/v2/products/DEAR/quote', { ...wish, tenor_months: 120 })
    await assertRefusedWithoutTrace(db, dear, refusal(422, 'upfront_interest_too_high'))
    const large = () => ask('POST', '/v2/products/FIRM/quote', { ...wish, amount: 9_999_999_999_999 })
    const most = refusal(422, 'maturity_value_out_of_range', '{"maximum":9999999999999.99}')
    await assertRefusedWithoutTrace(db, large, most)
    await sell(ask, 'WHOLE', { currency: 'XOF' })
    const cents = () => ask('POST', '/v2/products/WHOLE/quote', { ...wish, amount: 100.5 })
    await assertRefusedWithoutTrace(db, cents, refusal(422, 'amount_not_whole', '{"currency":"XOF"}'))
  })

  test('interest paid out has a payment for each period, taxed one by one', async () => {
    const { ask } = running()
    await replaceTaxRules(ask)
    await sell(ask, 'MONTHLY', {})
    const wish = { amount: 100_000, tenor_months: 6, start_date: '2026-01-31' }
    const { schedule, ...rest } = await quoted(ask, 'MONTHLY', wish)
    assert.deepEqual(
      schedule.map(({ to, interest }: { to: string; interest: number }) => `${to} ${interest}`),
      [
        ...['2026-02-28 920.55', '2026-03-31 1019.18', '2026-04-30 986.3', '2026-05-31 1019.18'],
        ...['2026-06-30 986.3', '2026-07-31 1019.18'],
      ],
    )
    assert.deepEqual(rest, {
      interest_rate: 12,
      rate_sheet: 1,
      start_date: '2026-01-31',
      maturity_date: '2026-07-31',
      expected_interest: 5_950.69,
      // 92.06 + 101.92 + 98.63 + 101.92 + 98.63 + 101.92
      estimated_tax: 595.08,
      effective_annual_rate: 12.36,
    })
  })

  test('the other methods show what they pay, and when', async () => {
    const { ask } = running()
    const interest = (method: string, every: string | null) => ({
      interest: { method, every, recover_paid_interest: false },
      tenor: { unit: 'DAY', min: 1, max: 36_500, multiple: 1 },
    })
    const days = { amount: 500_000, tenor: 180, start_date: '2026-02-01' }
    await sell(ask, 'UPFRONT', interest('UPFRONT', null), { ...atTwelve, rates: [[0], [10]] })
    const upfront = await quoted(ask, 'UPFRONT', days)
    assert.deepEqual(upfront.schedule, [{ from: '2026-02-01', to: '2026-07-31', interest: 24_657.53 }])
    await sell(ask, 'COMPOUND', interest('COMPOUND', 'DAY'), { ...atTwelve, rates: [[0], [5.25]] })
    const compound = await quoted(ask, 'COMPOUND', { ...days, amount: 1_000, tenor: 365 })
    assert.deepEqual([compound.schedule, compound.expected_interest], [[], 53.9])
    assert.equal(compound.effective_annual_rate, 5.39)
    await sell(ask, 'PLAIN', interest('AT_MATURITY', null), { ...atTwelve, rates: [[0], [10]] })
    const plain = await quoted(ask, 'PLAIN', { ...days, bonuses: ['SENIOR'] })
    assert.equal(plain.interest_rate, 10.5)
    assert.equal(plain.expected_interest, 25_890.41)
  })

  test('the rules of the product count the days, and a whole-unit currency rounds to units', async () => {
    const { ask } = running()
    await sell(ask, 'MONTHS', { rules: { ...firstRules, day_count: 'MONTHS' } })
    const months = { amount: 100_000, tenor_months: 6, start_date: '2026-01-31' }
    assert.equal((await quoted(ask, 'MONTHS', months)).expected_interest, 6_000)
    await sell(ask, 'CFA', { currency: 'XOF' }, { ...atTwelve, rates: [[0], [6.25]] })
    const cfa = await quoted(ask, 'CFA', { amount: 1_000_000, tenor_months: 3, start_date: '2026-01-15' })
    assert.deepEqual(
      cfa.schedule.map(({ interest }: { interest: number }) => interest),
      [5_308, 4_795, 5_308],
    )
  })
})
