/** Spec section 6: who may ask, and for what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../src/domain/scopes.ts'
import { newSecretKey } from '../../src/engine/database/secrets.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { routes } from '../../src/http/routes.ts'
import { issueKey } from '../support/keys.ts'
import { assertRefused, assertUnchanged, withoutRequestId } from '../support/refusals.ts'
import { type Answer, ada, describeService, openDeposit, type TestService } from '../support/service.ts'

/** Section 4, line by line; null is any key. */
const scopeByRoute: Record<string, string | null> = {
  'POST /v2/fixed-deposits/:deposit_id/liquidate': 'fixed_deposits:liquidate',
  'POST /v2/fixed-deposits/:deposit_id/liquidation-quote': 'fixed_deposits:read',
  'GET /v2/fixed-deposits/:deposit_id/liquidations': 'fixed_deposits:read',
  'GET /v2/liquidations': 'fixed_deposits:read',
  'GET /v2/liquidations/:liquidation_id': 'fixed_deposits:read',
  'GET /v2/liquidations/:liquidation_id/advice': 'fixed_deposits:read',
  'GET /v2/fixed-deposits/:deposit_id/certificate': 'fixed_deposits:read',
  'GET /v2/fixed-deposits/:deposit_id/statement': 'fixed_deposits:read',
  'GET /v2/reports/liquidations': 'reports:read',
  'GET /v2/reports/tax': 'reports:read',
  'GET /v2/exports/tax': 'reports:read',
  'GET /v2/exports/interest-payments': 'reports:read',
  'GET /v2/exports/approvals': 'reports:read',
  'GET /v2/exports/deposits': 'reports:read',
  'GET /v2/exports/ledger-entries': 'reports:read',
  'GET /v2/exports/liquidations': 'reports:read',
  'POST /v2/liquidations/:liquidation_id/reverse': 'liquidations:reverse',
  'PUT /v2/customer/:customer_id': 'customers:write',
  'POST /v2/customer': 'customers:write',
  'GET /v2/customer': 'customers:read',
  'GET /v2/customer/:customer_id': 'customers:read',
  'POST /v2/accounts': 'accounts:write',
  'GET /v2/accounts': 'accounts:read',
  'GET /v2/accounts/:account_number': 'accounts:read',
  'POST /v2/accounts/:account_number/credits': 'accounts:write',
  'POST /v2/fixed-deposits': 'fixed_deposits:write',
  'GET /v2/fixed-deposits': 'fixed_deposits:read',
  'GET /v2/fixed-deposits/:deposit_id': 'fixed_deposits:read',
  'GET /v2/business-calendar': 'rules:read',
  'GET /v2/accounting': 'accounting:read',
  'PUT /v2/accounting': 'accounting:write',
  'GET /v2/accounting/:version': 'accounting:read',
  'GET /v2/reports/accruals': 'reports:read',
  'PUT /v2/business-calendar': 'rules:write',
  'GET /v2/business-calendar/:version': 'rules:read',
  'PUT /v2/products/:product_code': 'products:write',
  'GET /v2/products': 'products:read',
  'GET /v2/products/:product_code': 'products:read',
  'GET /v2/products/:product_code/versions/:version': 'products:read',
  'POST /v2/products/:product_code/rate-sheets': 'products:write',
  'GET /v2/products/:product_code/rate-sheets': 'products:read',
  'GET /v2/products/:product_code/rate-sheets/:number': 'products:read',
  'POST /v2/products/:product_code/quote': 'products:read',
  'GET /v2/tax-rules': 'tax:read',
  'PUT /v2/tax-rules': 'tax:write',
  'GET /v2/tax-rules/:version': 'tax:read',
  'GET /v2/customer/:customer_id/tax-status': 'tax:read',
  'PUT /v2/customer/:customer_id/tax-status': 'tax:write',
  'POST /v2/fixed-deposits/:deposit_id/liens': 'liens:write',
  'GET /v2/fixed-deposits/:deposit_id/liens': 'liens:read',
  'GET /v2/fixed-deposits/:deposit_id/interest-payments': 'fixed_deposits:read',
  'PUT /v2/fixed-deposits/:deposit_id/maturity-instruction': 'fixed_deposits:write',
  'GET /v2/fixed-deposits/:deposit_id/outlook': 'fixed_deposits:read',
  'GET /v2/customer/:customer_id/interest-certificate': 'fixed_deposits:read',
  'GET /v2/reports/cash-flow': 'reports:read',
  'POST /v2/liquidation-rules/impact': 'rules:read',
  'POST /v2/products/:product_code/impact': 'products:read',
  'POST /v2/approval-policy/impact': 'approvals:read',
  'PUT /v2/fixed-deposits/:deposit_id/parties': 'fixed_deposits:write',
  'GET /v2/fixed-deposits/:deposit_id/parties': 'fixed_deposits:read',
  'GET /v2/liens/:lien_id': 'liens:read',
  'POST /v2/liens/:lien_id/release': 'liens:write',
  'POST /v2/approvals': null,
  'GET /v2/approvals': 'approvals:read',
  'GET /v2/approvals/:approval_id': 'approvals:read',
  'POST /v2/approvals/:approval_id/approve': 'approvals:decide',
  'POST /v2/approvals/:approval_id/reject': 'approvals:decide',
  'POST /v2/approvals/:approval_id/cancel': null,
  'POST /v2/batches': 'batches:write',
  'GET /v2/batches': 'batches:read',
  'GET /v2/batches/:batch_id': 'batches:read',
  'POST /v2/batches/:batch_id/parts/:part': 'batches:write',
  'POST /v2/batches/:batch_id/start': 'batches:write',
  'POST /v2/batches/:batch_id/cancel': 'batches:write',
  'GET /v2/batches/:batch_id/results': 'batches:read',
  'GET /v2/approval-policy': 'approvals:read',
  'PUT /v2/approval-policy': 'approvals:policy',
  'GET /v2/approval-policy/:version': 'approvals:read',
  'GET /v2/liquidation-rules': 'rules:read',
  'PUT /v2/liquidation-rules': 'rules:write',
  'GET /v2/liquidation-rules/:version': 'rules:read',
  'GET /v2/ledger-entries': 'ledger:read',
  'GET /v2/events': 'events:read',
  'GET /v2/events/:event_id': 'events:read',
  'GET /v2/events/:event_id/proof': 'events:read',
  'GET /v2/seals': 'events:read',
  'POST /v2/events/:event_id/redeliver': 'webhooks:write',
  'POST /v2/webhook-endpoints': 'webhooks:write',
  'GET /v2/webhook-endpoints': 'webhooks:read',
  'GET /v2/webhook-endpoints/:webhook_endpoint_id': 'webhooks:read',
  'PUT /v2/webhook-endpoints/:webhook_endpoint_id': 'webhooks:write',
  'DELETE /v2/webhook-endpoints/:webhook_endpoint_id': 'webhooks:write',
  'POST /v2/webhook-endpoints/:webhook_endpoint_id/rotate-secret': 'webhooks:write',
  'POST /v2/webhook-endpoints/:webhook_endpoint_id/ping': 'webhooks:write',
  'GET /v2/webhook-endpoints/:webhook_endpoint_id/deliveries': 'webhooks:read',
  'POST /v2/api-keys': 'api_keys:write',
  'GET /v2/api-keys': 'api_keys:read',
  'GET /v2/api-keys/current': null,
  'DELETE /v2/api-keys/:api_key_id': 'api_keys:write',
  'POST /v2/api-keys/:api_key_id/roll': 'api_keys:write',
  'GET /v2/test-clock': '*',
  'POST /v2/test-clock': '*',
  'GET /v2/audit-log': 'audit:read',
}

test('every route needs exactly the scope that the spec gives it', () => {
  const actual = Object.fromEntries(routes.map(({ method, path, scope }) => [`${method} ${path}`, scope]))
  const expected = Object.fromEntries(Object.keys(actual).map((name) => [name, scopeByRoute[name]]))
  assert.deepEqual(actual, expected)
})

describeService('authentication', (running) => {
  test('a header without a key is distinguished from one with a bad key', async () => {
    const { app, testKey } = running()
    const ask = async (authorization: string | undefined, url = '/v2/customer') => {
      const answer = await app.inject({ url, headers: authorization === undefined ? {} : { authorization } })
      return {
        ...answer,
        status: answer.statusCode,
        text: answer.body,
        json: answer.json(),
      } as unknown as Answer
    }
    const middle = testKey.length / 2
    const mistyped =
      testKey.slice(0, middle) + (testKey[middle] === 'a' ? 'b' : 'a') + testKey.slice(middle + 1)
    const refused: [string | undefined, string][] = [
      [undefined, 'missing_authorization'],
      ['', 'malformed_authorization'],
      ['Bearer', 'malformed_authorization'],
      ['Bearer ', 'malformed_authorization'],
      [testKey, 'malformed_authorization'],
      [`Basic ${testKey}`, 'malformed_authorization'],
      [`Bearer ${testKey} ${testKey}`, 'malformed_authorization'],
      [`Bearer: ${testKey}`, 'malformed_authorization'],
      [`Bearer\t${testKey}`, 'malformed_authorization'],
      [`Token ${testKey}`, 'malformed_authorization'],
      ['Bearer x', 'invalid_api_key'],
      [`Bearer ${testKey.toUpperCase()}`, 'invalid_api_key'],
      [`Bearer ${testKey}x`, 'invalid_api_key'],
      [`Bearer ${testKey.slice(0, -1)}`, 'invalid_api_key'],
      [`Bearer ${testKey.replace('bw_test_', 'bw_live_')}`, 'invalid_api_key'],
      [`Bearer ${testKey.replace('bw_test_', 'bw_prod_')}`, 'invalid_api_key'],
      [`Bearer ${mistyped}`, 'invalid_api_key'],
      [`Bearer ${newSecretKey('test')}`, 'invalid_api_key'],
    ]
    const invalidBodies = new Set<string>()
    for (const [authorization, code] of refused) {
      const answer = await ask(authorization)
      assertRefused(answer, { status: 401, code })
      assert.equal(answer.headers['www-authenticate'], 'Bearer', authorization)
      assert(!answer.text.includes(testKey.slice(8, 20)))
      if (code === 'invalid_api_key') invalidBodies.add(withoutRequestId(answer))
    }
    assert.equal(invalidBodies.size, 1)
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
      assert.equal((await ask(`${scheme} ${testKey}`)).status, 200, scheme)
    }
    assertRefused(await ask(undefined, `/v2/customer/cus_1?api_key=${testKey}&access_token=${testKey}`), {
      status: 401,
      code: 'missing_authorization',
    })
  })

  test('a key ends at the instant it expires', async () => {
    const { askWith, clock } = running()
    const expiresAt = new Date(clock.now.getTime() + 1)
    const key = await newKey(running(), { scopes: ['*'], expiresAt })
    const ask = askWith(key)
    assert.equal((await ask('GET', '/v2/customer')).status, 200)
    const before = clock.now
    clock.now = expiresAt
    const answer = await ask('GET', '/v2/customer')
    assertRefused(answer, { status: 401, code: 'api_key_expired' })
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
    clock.now = before
  })

  test('the error of a revoked key says so', async () => {
    const { askWith, clock, db } = running()
    const key = await newKey(running(), { scopes: ['*'] })
    await db.query('update api_keys set revoked_at = $1 where name = $2', [clock.now, key.slice(-8)])
    const answer = await askWith(key)('GET', '/v2/customer')
    assertRefused(answer, { status: 401, code: 'api_key_revoked' })
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  })

  test('the error of a key without the scope of a route names it, before anything else is checked', async () => {
    const { askWith, db } = running()
    await assertUnchanged(db, async () => {
      for (const { method, path, scope } of routes) {
        if (scope === null) continue
        const others = SCOPES.filter((one) => one !== '*' && one !== scope)
        const key = await newKey(running(), { scopes: others })
        const answer = await askWith(key)(method, path.replaceAll(/:\w+/g, 'x'), 'not even JSON', {
          'content-type': 'text/plain',
        })
        assertRefused(answer, {
          status: 403,
          code: 'insufficient_scope',
          details: `{"required_scope":"${scope}"}`,
        })
        assert.equal(
          answer.headers['www-authenticate'],
          `Bearer error="insufficient_scope", scope="${scope}"`,
        )
      }
    })
  })

  test('the scope of a route is enough for it', async () => {
    const { askWith } = running()
    for (const { method, path, scope, body } of routes) {
      const key = await newKey(running(), { scopes: scope === null ? [] : [scope] })
      const answer = await askWith(key)(method, path.replaceAll(/:\w+/g, 'x'), body === null ? undefined : {})
      assert.notEqual(answer.json?.error?.code, 'insufficient_scope', path)
    }
  })

  test('a key that may only liquidate can do just that', async () => {
    const { ask, askWith } = running()
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 1000 })
    const liquidator = askWith(await newKey(running(), { scopes: ['fixed_deposits:liquidate'] }))
    const full = { liquidation_type: 'FULL' }
    const codes: [Answer, number][] = [
      [await liquidator('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, full), 403],
      [await liquidator('GET', `/v2/fixed-deposits/${depositId}`), 403],
      [await liquidator('GET', `/v2/accounts/${accountNumber}`), 403],
      [await liquidator('POST', '/v2/customer', ada), 403],
      [await liquidator('POST', `/v2/fixed-deposits/${depositId}/liquidate`, full), 200],
    ]
    for (const [answer, status] of codes) assert.equal(answer.status, status)
    const writer = askWith(
      await newKey(running(), { scopes: ['fixed_deposits:write', 'fixed_deposits:read'] }),
    )
    const refused = await writer('POST', `/v2/fixed-deposits/${depositId}/liquidate`, full)
    assert.equal(refused.json.error.code, 'insufficient_scope')
  })

  test('the mode of a key decides the book', async () => {
    const { ask, askWith, liveKey } = running()
    const created = await ask('POST', '/v2/customer', ada)
    const { customer_id } = created.json.data
    assertRefused(await askWith(liveKey)('GET', `/v2/customer/${customer_id}`), {
      status: 404,
      code: 'customer_not_found',
    })
    assert.deepEqual((await askWith(liveKey)('GET', '/v2/customer')).json.data, [])
  })
})

/** A further key of the test book; its name is the end of the key, to find its row by. */
async function newKey(running: TestService, asked: { scopes: string[]; expiresAt?: Date }): Promise<string> {
  const { service, callerId, clock } = running
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  const issued = await issueKey(service.db, book, { ...asked, at: clock.now })
  await service.db.query('update api_keys set name = $2 where api_key_id = $1', [
    issued.apiKeyId,
    issued.key.slice(-8),
  ])
  return issued.key
}
