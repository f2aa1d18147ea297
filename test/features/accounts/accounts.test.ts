/** Accounts and how money comes into them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, assertRefusedWithoutTrace, assertUnchanged } from '../../support/refusals.ts'
import { type Ask, ada, describeService, fundedAccount, startService } from '../../support/service.ts'

describeService('accounts', (running) => {
  test('an account starts empty, in the currency of the caller or the requested one', async () => {
    const { ask } = running()
    const customer_id = await newCustomer(ask)
    const opened = await ask('POST', '/v2/accounts', { customer_id })
    assert.equal(opened.status, 201)
    const { account_number } = opened.json.data
    assert.match(account_number, /^\d{10}$/)
    assert.equal(
      opened.text,
      `{"status":true,"message":"The account was opened.","data":{"account_number":"${account_number}",` +
        `"customer_id":"${customer_id}","currency":"NGN","balance":0.00,"created_at":"2026-07-01T10:00:00.000Z",` +
        '"external_id":null,"metadata":{}}}',
    )
    assert.deepEqual((await ask('GET', `/v2/accounts/${account_number}`)).json.data, opened.json.data)
    const euro = await ask('POST', '/v2/accounts', { customer_id, currency: 'EUR' })
    assert.equal(euro.json.data.currency, 'EUR')
  })

  test('an account needs a customer of this book and a currency with two minor digits', async () => {
    const { ask, askWith, liveKey, db } = running()
    const customer_id = await newCustomer(ask)
    const live = await newCustomer(askWith(liveKey))
    await assertUnchanged(db, async () => {
      for (const unknown of ['cus_000000000000000000000000', live, 'abc']) {
        assertRefused(await ask('POST', '/v2/accounts', { customer_id: unknown }), {
          status: 404,
          code: 'customer_not_found',
        })
      }
      for (const [body, field, code] of [
        [{}, 'customer_id', 'required'],
        [{ customer_id: null }, 'customer_id', 'null_not_allowed'],
        [{ customer_id: 'x'.repeat(65) }, 'customer_id', 'too_long'],
        [{ customer_id: 'cus_\u0000' }, 'customer_id', 'invalid_format'],
        [{ customer_id, currency: 'UYI' }, 'currency', 'invalid_value'],
        [{ customer_id, currency: 'KWD' }, 'currency', 'invalid_value'],
        [{ customer_id, currency: 'ngn' }, 'currency', 'invalid_value'],
        [{ customer_id, currency: 'XYZ' }, 'currency', 'invalid_value'],
        [{ customer_id, currency: null }, 'currency', 'null_not_allowed'],
        [{ customer_id, balance: 5 }, 'balance', 'unknown_field'],
      ] as const) {
        assertRefused(await ask('POST', '/v2/accounts', body), {
          status: 400,
          code: 'invalid_request',
          fields: [[field, code]],
        })
      }
    })
  })

  test('a credit raises the balance and answers its ledger entry', async () => {
    const { ask } = running()
    const { accountNumber } = await fundedAccount(ask, '0.10')
    const credit = await ask(
      'POST',
      `/v2/accounts/${accountNumber}/credits`,
      '{"amount":0.20,"narration":"Cash at the counter"}',
    )
    assert.equal(credit.status, 201)
    const { entry_id } = credit.json.data
    assert.match(entry_id, /^le_[0-9A-Za-z]{24}$/)
    assert.equal(
      credit.text,
      `{"status":true,"message":"The account was credited.","data":{"entry_id":"${entry_id}",` +
        `"kind":"ACCOUNT_CREDIT","account_number":"${accountNumber}","deposit_id":null,"liquidation_id":null,` +
        '"narration":"Cash at the counter","created_at":"2026-07-01T10:00:00.000Z","lines":[' +
        `{"account":"cash","amount":-0.20},{"account":"${accountNumber}","amount":0.20}],"reverses":null,"business_date":"2026-07-01"}}`,
    )
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":0\.30,/)
  })

  test('an invalid credit is refused, and changes nothing', async () => {
    const { ask, db } = running()
    const { accountNumber } = await fundedAccount(ask, '5.00')
    const credit = (body: string) => ask('POST', `/v2/accounts/${accountNumber}/credits`, body)
    await assertUnchanged(db, async () => {
      for (const [body, field, code] of [
        ['{}', 'amount', 'required'],
        ['{"amount":0}', 'amount', 'not_positive'],
        ['{"amount":-5}', 'amount', 'not_positive'],
        ['{"amount":"5"}', 'amount', 'invalid_type'],
        ['{"amount":0.005}', 'amount', 'too_precise'],
        ['{"amount":10000000000000}', 'amount', 'out_of_range'],
        ['{"amount":1,"narration":""}', 'narration', 'blank'],
        ['{"amount":1,"narration":"a\\nb"}', 'narration', 'invalid_format'],
        [`{"amount":1,"narration":"${'x'.repeat(141)}"}`, 'narration', 'too_long'],
        ['{"amount":1,"note":"x"}', 'note', 'unknown_field'],
      ] as const) {
        assertRefused(await credit(body), { status: 400, code: 'invalid_request', fields: [[field, code]] })
      }
    })
    await assertRefusedWithoutTrace(db, () => credit('{"amount":9999999999995.00}'), {
      status: 422,
      code: 'balance_limit_exceeded',
      details: '{"maximum":9999999999999.99}',
    })
    assert.equal((await credit('{"amount":9999999999994.99}')).status, 201)
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":9999999999999\.99,/)
  })

  test('concurrent credits all count', async () => {
    const { ask } = running()
    const { accountNumber } = await fundedAccount(ask, '1.00')
    const credits = Array.from({ length: 20 }, () =>
      ask('POST', `/v2/accounts/${accountNumber}/credits`, '{"amount":0.05}'),
    )
    for (const credit of await Promise.all(credits)) assert.equal(credit.status, 201)
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":2\.00,/)
  })

  test('an account that is not in this book is not found, to read or to credit', async () => {
    const { ask, askWith, liveKey, db } = running()
    const live = await fundedAccount(askWith(liveKey), 5)
    const other = await startService(db)
    const foreign = await fundedAccount(other.ask, 5)
    await other.close()
    await assertUnchanged(db, async () => {
      for (const number of [
        '0000000000',
        live.accountNumber,
        foreign.accountNumber,
        'abc',
        '%00',
        '1'.repeat(500),
      ]) {
        const absent = { status: 404, code: 'account_not_found' }
        assertRefused(await ask('GET', `/v2/accounts/${number}`), absent)
        assertRefused(await ask('POST', `/v2/accounts/${number}/credits`, { amount: 5 }), absent)
      }
    })
  })
})

async function newCustomer(ask: Ask): Promise<string> {
  return (await ask('POST', '/v2/customer', ada)).json.data.customer_id
}
