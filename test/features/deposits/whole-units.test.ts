/** Currencies without minor units: every amount of them is whole, and every rounding goes to whole units. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { type Ask, ada, describeService, replaceRules } from '../../support/service.ts'

const NOT_WHOLE: ExpectedRefusal = { status: 422, code: 'amount_not_whole', details: '{"currency":"XOF"}' }

async function accountInXof(ask: Ask, balance: number): Promise<string> {
  const customer_id = (await ask('POST', '/v2/customer', ada)).json.data.customer_id
  const opened = await ask('POST', '/v2/accounts', { customer_id, currency: 'XOF' })
  assert.equal(opened.status, 201, opened.text)
  const { account_number } = opened.json.data
  const credited = await ask('POST', `/v2/accounts/${account_number}/credits`, { amount: balance })
  assert.equal(credited.status, 201, credited.text)
  return account_number
}

const terms = { tenor: 365, interest_rate: 6.25, start_date: '2026-01-15' }

describeService('currencies without minor units', (running) => {
  test('an amount with cents is refused wherever a record tells the currency', async () => {
    const { ask, db } = running()
    const account_number = await accountInXof(ask, 2_000_000)
    await replaceRules(ask, {
      penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }] }],
    })
    const opened = await ask('POST', '/v2/fixed-deposits', { account_number, amount: 1_000_000, ...terms })
    const { deposit_id } = opened.json.data
    const deposit = `/v2/fixed-deposits/${deposit_id}`
    const full = { liquidation_type: 'FULL' }
    const requests: [path: string, body: object][] = [
      [`/v2/accounts/${account_number}/credits`, { amount: 100.5 }],
      ['/v2/fixed-deposits', { account_number, amount: 100.01, ...terms }],
      // Before the other refusals of an amount.
      ['/v2/fixed-deposits', { account_number, amount: 9_000_000.5, ...terms }],
      [`${deposit}/liens`, { amount: 0.5, reason: 'LOAN' }],
      [`${deposit}/liquidate`, { liquidation_type: 'PARTIAL', amount: 2_000_000.5 }],
      [`${deposit}/liquidate`, { liquidation_type: 'FULL', amount: 1_000_000.5 }],
      [`${deposit}/liquidation-quote`, { liquidation_type: 'PARTIAL', amount: 0.5 }],
      [`${deposit}/liquidate`, { ...full, waiver: { amount: 1.5, reason: 'GOODWILL' } }],
    ]
    for (const [path, body] of requests) {
      await assertRefusedWithoutTrace(db, () => ask('POST', path, body), NOT_WHOLE)
    }
  })

  test('interest and charge are rounded to whole units', async () => {
    const { ask } = running()
    const account_number = await accountInXof(ask, 1_000_000)
    await replaceRules(ask, {
      penal_rules: [
        {
          when: {},
          terms: [
            { kind: 'FIXED', amount: 99.5 },
            { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 10 },
          ],
          min: 0.4,
          max: 2_999.5,
        },
      ],
    })
    const opened = await ask('POST', '/v2/fixed-deposits', { account_number, amount: 1_000_000, ...terms })
    const { deposit_id, expected_interest } = opened.json.data
    assert.equal(expected_interest, 62_500)
    const quoted = await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidation-quote`, {
      liquidation_type: 'FULL',
    })
    assert.equal(quoted.status, 200, quoted.text)
    // 167 days: 28,595.89; 100 + 2,859.589 is under the max of 3,000.
    const { interest_paid, penal_charge, net_credited } = quoted.json.data
    assert.deepEqual([interest_paid, penal_charge, net_credited], [28_596, 2_960, 1_025_636])
    const [fixed] = quoted.json.data.explanation.terms
    assert.equal(fixed.sentence, 'A fixed amount of 99.50, rounded HALF_UP to 100.00.')
    assert.equal((await ask('GET', `/v2/fixed-deposits/${deposit_id}`)).json.data.accrued_interest, 28_596)
  })
})
