/** Opening deposits by a product. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  firstRules,
  fundedAccount,
  replaceTaxRules,
} from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})
const refusal = (status: number, code: string, details = '{}'): ExpectedRefusal => ({ status, code, details })

const flat = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }

async function sell(
  ask: Ask,
  code: string,
  changes: object = {},
  sheet: object | null = flat,
): Promise<void> {
  const put = await ask('PUT', `/v2/products/${code}`, { ...harbourFix, ...changes })
  assert.equal(put.status, 200, put.text)
  if (sheet === null) return
  const added = await ask('POST', `/v2/products/${code}/rate-sheets`, sheet)
  assert.equal(added.status, 201, added.text)
}

function open(ask: Ask, body: object) {
  return ask('POST', '/v2/fixed-deposits', body)
}

async function opened(ask: Ask, body: object) {
  const answer = await open(ask, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

const bad: [body: object, ...fields: [string, string][]][] = [
  [{ tenor: 90, tenor_months: 3 }, ['tenor_months', 'conflicting_field']],
  [{}, ['tenor', 'required']],
  [{ product_code: undefined, interest_rate: 5, tenor_months: 3 }, ['product_code', 'required']],
  [{ product_code: undefined, interest_rate: 5, tenor: 3, bonuses: [] }, ['product_code', 'required']],
  [{ product_code: undefined, interest_rate: 5, tenor: 3, bonuses: ['STAFF'] }, ['product_code', 'required']],
  [{ product_code: undefined, tenor: 3 }, ['interest_rate', 'required']],
  [
    { tenor_months: 3, auto_rollover: true, maturity_instruction: 'PAY_OUT' },
    ['maturity_instruction', 'conflicting_field'],
  ],
  [{ tenor_months: 3, maturity_instruction: 'KEEP' }, ['maturity_instruction', 'invalid_value']],
  [{ tenor_months: 3, bonuses: ['STAFF', 'STAFF'] }, ['bonuses[1]', 'invalid_value']],
  [{ tenor_months: 3, bonuses: ['STAFF'], interest_rate: 9 }, ['bonuses', 'conflicting_field']],
  [{ tenor_months: 3, expected_interest_rate: 0 }, ['expected_interest_rate', 'out_of_range']],
]

describeService('opening by a product', (running) => {
  test('a deposit keeps what was agreed: versions, sheet, bonuses, tenor, method and instruction', async () => {
    const { ask } = running()
    await sell(ask, 'KEEPS', {}, harbourSheet)
    const { accountNumber: account_number } = await fundedAccount(ask, 2_000_000)
    const wish = { tenor_months: 12, bonuses: ['SENIOR'], start_date: '2026-03-15' }
    const data = await opened(ask, { account_number, amount: 600_000, product_code: 'KEEPS', ...wish })
    const { interest_rate, tenor, maturity_date, rules_version, product_code, product_version, rate_sheet } =
      data
    assert.deepEqual(
      { interest_rate, tenor, maturity_date, rules_version, product_code, product_version, rate_sheet },
      {
        interest_rate: 11.5,
        tenor: 365,
        maturity_date: '2027-03-15',
        rules_version: 1,
        product_code: 'KEEPS',
        product_version: 1,
        rate_sheet: 1,
      },
    )
    const { bonuses, bonus, rules_source, agreed_tenor, interest_method, interest_every } = data
    assert.deepEqual(
      { bonuses, bonus, rules_source, agreed_tenor, interest_method, interest_every },
      {
        bonuses: ['SENIOR'],
        bonus: 0.5,
        rules_source: 'CALLER',
        agreed_tenor: { unit: 'MONTH', count: 12 },
        interest_method: 'PAYOUT',
        interest_every: 'MONTH',
      },
    )
    const { auto_rollover, maturity_instruction, interest_paid_out, interest_paid_to, next_interest_date } =
      data
    // Opened on the first of July: three payments are due, and made.
    assert.deepEqual(
      { auto_rollover, maturity_instruction, interest_paid_out, interest_paid_to, next_interest_date },
      {
        auto_rollover: true,
        maturity_instruction: 'ROLL_OVER',
        interest_paid_out: 17_391.77,
        interest_paid_to: '2026-06-15',
        next_interest_date: '2026-07-15',
      },
    )
    const paid = await ask('GET', `/v2/fixed-deposits/${data.deposit_id}/interest-payments`)
    assert.deepEqual(
      paid.json.data.map(({ to, interest }: { to: string; interest: number }) => `${to} ${interest}`),
      ['2026-06-15 5860.27', '2026-05-15 5671.23', '2026-04-15 5860.27'],
    )
    const account = await ask('GET', `/v2/accounts/${account_number}`)
    assert.equal(account.json.data.balance, 1_417_391.77)
    const plain = { account_number, amount: 1, tenor: 30, interest_rate: 5 }
    await opened(ask, { ...plain, maturity_instruction: 'ROLL_OVER_PRINCIPAL' })
    const listed = await ask('GET', '/v2/fixed-deposits?product_code=KEEPS')
    assert.deepEqual(
      listed.json.data.map(({ deposit_id }: { deposit_id: string }) => deposit_id),
      [data.deposit_id],
    )
    // A later version changes nothing of it.
    await ask('PUT', '/v2/products/KEEPS', { ...harbourFix, rules: firstRules })
    const found = await ask('GET', `/v2/fixed-deposits/${data.deposit_id}`)
    assert.deepEqual([found.json.data.product_version, found.json.data.rules_source], [1, 'CALLER'])
    const later = await opened(ask, {
      account_number,
      amount: 50_000,
      product_code: 'KEEPS',
      tenor_months: 1,
    })
    assert.deepEqual([later.product_version, later.rules_source], [2, 'PRODUCT'])
    // Sheets never change what was.
    const past = { ...harbourSheet, effective_from: '2026-06-30' }
    assert.equal(
      (await ask('POST', '/v2/products/KEEPS/rate-sheets', past)).json.error.code,
      'effective_date_in_past',
    )
  })

  test('interest paid upfront is paid, and taxed, in the transaction of the opening', async () => {
    const { ask } = running()
    await replaceTaxRules(ask)
    const interest = { method: 'UPFRONT', every: null, recover_paid_interest: true }
    const changes = { interest, tenor: { unit: 'DAY', min: 1, max: 400, multiple: 1 } }
    await sell(ask, 'FIRST', changes, { ...flat, rates: [[10]] })
    const { accountNumber: account_number } = await fundedAccount(ask, 500_000)
    const body = {
      account_number,
      amount: 500_000,
      product_code: 'FIRST',
      tenor: 180,
      start_date: '2026-02-01',
    }
    const data = await opened(ask, body)
    assert.equal(data.interest_paid_out, 24_657.53)
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 22_191.78)
    const types = (await ask('GET', '/v2/events?limit=2')).json.data.map(({ type }: { type: string }) => type)
    assert.deepEqual(types.toSorted(), ['fixed_deposit.created', 'fixed_deposit.interest_paid'])
  })

  test('fields that contradict one another are refused', async () => {
    const { ask, db } = running()
    for (const [changes, ...fields] of bad) {
      const body = { account_number: '1', amount: 100, product_code: 'ANY', ...changes }
      await assertRefusedWithoutTrace(db, () => open(ask, body), invalid(...fields))
    }
  })

  test('the refusals of an opening come in their order', async () => {
    const { ask, db } = running()
    const { accountNumber: account_number } = await fundedAccount(ask, 1_000)
    const upfront = { method: 'UPFRONT', every: null, recover_paid_interest: false }
    const days = { unit: 'DAY', min: 10, max: 36_500, multiple: 5 }
    const wide = { min_amount: 100, tenor: days, interest: upfront, bonuses: { STAFF: 1, MINUS: -10 } }
    const sheet = { ...flat, tenor_from: [0, 20], rates: [[0], [10]] }
    await sell(ask, 'CLOSED', { status: 'CLOSED', currency: 'USD' })
    await sell(ask, 'DOLLAR', { ...wide, currency: 'USD' }, null)
    await sell(ask, 'EMPTY', wide, null)
    await sell(ask, 'STRICT', { ...wide, negotiated_rate: null }, sheet)
    await sell(ask, 'WIDE', wide, sheet)
    // Each body has the faults of all rows below it.
    const worst = {
      account_number: '1',
      amount: 99.99,
      product_code: 'NONE',
      tenor: 11,
      start_date: '2027-01-01',
    }
    const own = { ...worst, account_number, external_id: 'TAKEN' }
    assert.equal(
      (await open(ask, { account_number, amount: 1, tenor: 1, interest_rate: 1, external_id: 'TAKEN' }))
        .status,
      201,
    )
    const free = { ...own, external_id: 'FREE' }
    const tenors = '{"minimum":10,"maximum":36500,"unit":"DAY","multiple":5}'
    const started = { ...free, product_code: 'EMPTY', start_date: '2026-07-01' }
    const rows: [body: object, expected: ExpectedRefusal][] = [
      [worst, refusal(404, 'account_not_found')],
      [own, refusal(409, 'external_id_taken')],
      [free, refusal(404, 'product_not_found')],
      [{ ...free, product_code: 'CLOSED' }, refusal(409, 'product_closed')],
      [{ ...free, product_code: 'DOLLAR' }, refusal(422, 'currency_mismatch', '{"currency":"USD"}')],
      [
        { ...free, product_code: 'EMPTY' },
        refusal(422, 'start_date_in_future', '{"business_date":"2026-07-01"}'),
      ],
      [
        { ...started, start_date: '1626-07-01' },
        refusal(422, 'start_date_too_early', '{"earliest":"1996-05-09"}'),
      ],
      [started, refusal(422, 'amount_not_offered', '{"minimum":100.00,"maximum":null}')],
      [{ ...started, amount: 1_000 }, refusal(422, 'tenor_not_offered', tenors)],
      [{ ...started, amount: 1_000, tenor: 15 }, refusal(422, 'no_rate_sheet')],
      [
        { ...started, amount: 1_000, tenor: 15, product_code: 'STRICT', bonuses: ['LOYAL'] },
        refusal(422, 'tenor_not_offered', tenors),
      ],
      [
        { ...started, amount: 1_000, tenor: 20, product_code: 'STRICT', bonuses: ['LOYAL'] },
        refusal(422, 'bonus_not_offered', '{"bonus":"LOYAL"}'),
      ],
      [
        { ...started, amount: 1_000, tenor: 36_500, product_code: 'STRICT', interest_rate: 50 },
        refusal(422, 'rate_not_negotiable'),
      ],
      [
        { ...started, amount: 1_000, tenor: 36_500, product_code: 'WIDE', interest_rate: 50 },
        refusal(422, 'rate_out_of_range', '{"minimum":8,"maximum":15}'),
      ],
      [
        { ...started, amount: 1_000, tenor: 20, product_code: 'WIDE', bonuses: ['MINUS'] },
        refusal(422, 'rate_out_of_range', '{"minimum":0,"maximum":100}'),
      ],
      [
        { ...started, amount: 1_000, tenor: 36_500, product_code: 'WIDE', expected_interest_rate: 1 },
        refusal(422, 'upfront_interest_too_high'),
      ],
      [
        { ...started, amount: 1_000, tenor: 20, product_code: 'WIDE', expected_interest_rate: 1 },
        refusal(422, 'insufficient_funds', '{"balance":999.00}'),
      ],
      [
        { ...started, amount: 900, tenor: 20, product_code: 'WIDE', expected_interest_rate: 1 },
        refusal(409, 'figures_changed', '{"interest_rate":10}'),
      ],
    ]
    for (const [body, expected] of rows) await assertRefusedWithoutTrace(db, () => open(ask, body), expected)
    await opened(ask, {
      ...started,
      amount: 900,
      tenor: 20,
      product_code: 'WIDE',
      expected_interest_rate: 10,
    })
  })

  test('a negotiated rate may wait for approval by its points above the sheet', async () => {
    const { ask } = running()
    await sell(ask, 'POINTS')
    const rules = [{ operation: 'openFixedDeposit', when: { negotiated_points: { gte: 1 } }, approvals: 1 }]
    const policy = { expires_after_hours: 1, deciders: 'ANY', rules }
    assert.equal((await ask('PUT', '/v2/approval-policy', policy)).status, 200)
    const { accountNumber: account_number } = await fundedAccount(ask, 500_000)
    const body = { account_number, amount: 50_000, product_code: 'POINTS', tenor_months: 3 }
    const written = (wish: object) => JSON.stringify(wish).replace('50000', '50000.00')
    const waits = await ask(
      'POST',
      '/v2/fixed-deposits',
      written({ ...body, interest_rate: 13, expected_interest_rate: 1 }),
    )
    assert.equal(waits.json.error.code, 'approval_required')
    await opened(ask, { ...body, interest_rate: 12.9999 })
    await opened(ask, { ...body, bonuses: ['STAFF'] })
    const wished = written({ ...body, interest_rate: 13 })
    const asked = `{"operation": "openFixedDeposit", "body": ${wished}}`
    const requested = await ask('POST', '/v2/approvals', asked)
    assert.equal(requested.status, 201, requested.text)
    assert.equal(requested.json.data.preview.interest_rate, 13)
  })

  test('D20–D23: breaking starts from the sheet of the opening, and from that of the day', async () => {
    const { ask, clock } = running()
    const rules = {
      ...firstRules,
      penal_rules: [
        {
          when: {},
          terms: [{ kind: 'RERATE', rate: { of: 'CARD_AT_OPENING', add: -1 } }],
          combine: 'MAX',
        },
      ],
    }
    const interest = { method: 'AT_MATURITY', every: null, recover_paid_interest: false }
    const changes = {
      rules,
      interest,
      tenor: { unit: 'DAY', min: 1, max: 400, multiple: 1 },
      bonuses: { HALF: 0.5 },
    }
    await sell(ask, 'CARDS', changes, harbourSheet)
    const start_date = '2026-03-23'
    const { accountNumber: account_number } = await fundedAccount(ask, 8_000_000)
    const body = { account_number, amount: 2_000_000, product_code: 'CARDS', tenor: 365, start_date }
    const figures = async (wish: object, part: object) => {
      const { deposit_id } = await opened(ask, { ...body, ...wish })
      const answer = await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, part)
      assert.equal(answer.status, 200, answer.text)
      const { interest_paid, penal_charge, total_credited, liquidation_id } = answer.json.data
      const { explanation } = (await ask('GET', `/v2/liquidations/${liquidation_id}`)).json.data
      assert.equal(explanation.terms[0].amount, penal_charge)
      return [interest_paid, penal_charge, total_credited]
    }
    assert.equal(clock.now.toISOString().slice(0, 10), '2026-07-01')
    const full = { liquidation_type: 'FULL' }
    const part = { liquidation_type: 'PARTIAL', amount: 600_000 }
    // D20 to D23: held 100 days; a part has the band of the opening; 20 days have no rate; the bonus counts.
    assert.deepEqual(await figures({}, full), [65_753.42, 19_178.08, 2_046_575.34])
    assert.deepEqual(await figures({}, part), [19_726.03, 5_753.43, 613_972.6])
    assert.deepEqual(await figures({ start_date: '2026-06-11' }, full), [13_150.68, 13_150.68, 2_000_000])
    assert.deepEqual(await figures({ bonuses: ['HALF'] }, full), [68_493.15, 19_178.08, 2_049_315.07])
  })

  test('an explanation says whose rules counted and which sheets, also later', async () => {
    const { ask } = running()
    const rate = { of: 'CARD_NOW' as const }
    const rules = { ...firstRules, penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate }] }] }
    const interest = { method: 'AT_MATURITY', every: null, recover_paid_interest: false }
    await sell(ask, 'SHOWN-CARDS', { rules, interest })
    await sell(ask, 'SHOWN-PLAIN', { interest })
    const { accountNumber: account_number } = await fundedAccount(ask, 8_000_000)
    const wish = { account_number, amount: 100_000, tenor_months: 12, start_date: '2026-01-05' }
    const byCards = await opened(ask, { ...wish, product_code: 'SHOWN-CARDS' })
    const byCallers = await opened(ask, { ...wish, product_code: 'SHOWN-PLAIN' })
    const terms = { account_number, amount: 100_000, tenor: 365, interest_rate: 12, start_date: '2026-01-05' }
    const withoutProduct = await opened(ask, terms)
    await ask('POST', '/v2/products/SHOWN-CARDS/rate-sheets', {
      ...flat,
      effective_from: '2026-07-01',
      rates: [[7]],
    })

    const sources = async (deposit: { deposit_id: string }) => {
      const path = `/v2/fixed-deposits/${deposit.deposit_id}`
      const quoted = await ask('POST', `${path}/liquidation-quote`, { liquidation_type: 'FULL' })
      const broken = await ask('POST', `${path}/liquidate`, { liquidation_type: 'FULL' })
      await ask('POST', '/v2/products/SHOWN-CARDS/rate-sheets', { ...flat, effective_from: '2026-07-01' })
      const kept = await ask('GET', `/v2/liquidations/${broken.json.data.liquidation_id}`)
      const { explanation } = quoted.json.data
      assert.deepEqual(kept.json.data.explanation, explanation)
      const { rules_source, product_version, rate_sheet, rate_sheet_now } = explanation
      return [rules_source, product_version, rate_sheet, rate_sheet_now]
    }
    assert.deepEqual(await sources(byCards), ['PRODUCT', 1, 1, 2])
    assert.deepEqual(await sources(byCallers), ['CALLER', 1, 1, null])
    assert.deepEqual(await sources(withoutProduct), ['CALLER', null, null, null])
  })
})
