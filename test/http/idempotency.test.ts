/** Spec section 6 on idempotency: a key makes at most one change, ever, and answers it again to the byte. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import { assertRefused, assertRefusedWithoutTrace, assertUnchanged } from '../support/refusals.ts'
import {
  type Answer,
  type Ask,
  ada,
  describeService,
  firstRules,
  fundedAccount,
  openDeposit,
} from '../support/service.ts'

let counter = 0
const newKey = () => `key ${++counter}`
const reused = { status: 422, code: 'idempotency_key_reused' }

/** Every POST and PUT that changes something and exists in any book; each makes a new request every time. */
const changes: [
  name: string,
  prepare: (ask: Ask) => Promise<[method: 'POST' | 'PUT', url: string, body: object]>,
][] = [
  [
    'liquidating',
    async (ask) => {
      const { depositId } = await openDeposit(ask, { amount: 1000 })
      return [
        'POST',
        `/v2/fixed-deposits/${depositId}/liquidate`,
        { liquidation_type: 'PARTIAL', amount: 10 },
      ]
    },
  ],
  [
    'updating a customer',
    async (ask) => {
      const { customerId } = await fundedAccount(ask, 1)
      return ['PUT', `/v2/customer/${customerId}`, { email: 'new@example.com' }]
    },
  ],
  [
    'an empty update of a customer',
    async (ask) => {
      const { customerId } = await fundedAccount(ask, 1)
      return ['PUT', `/v2/customer/${customerId}`, {}]
    },
  ],
  ['creating a customer', async () => ['POST', '/v2/customer', ada]],
  [
    'opening an account',
    async (ask) => ['POST', '/v2/accounts', { customer_id: (await fundedAccount(ask, 1)).customerId }],
  ],
  [
    'crediting an account',
    async (ask) => [
      'POST',
      `/v2/accounts/${(await fundedAccount(ask, 1)).accountNumber}/credits`,
      { amount: 5 },
    ],
  ],
  [
    'opening a deposit',
    async (ask) => {
      const { accountNumber } = await fundedAccount(ask, 1000)
      return [
        'POST',
        '/v2/fixed-deposits',
        { account_number: accountNumber, amount: 10, tenor: 30, interest_rate: 5 },
      ]
    },
  ],
  ['replacing the rules', async () => ['PUT', '/v2/liquidation-rules', firstRules]],
]

describeService('idempotency', (running) => {
  for (const [name, prepare] of changes) {
    test(`${name}: the same key and request give the same bytes and no second change`, async () => {
      const { ask, clock, db } = running()
      const [method, url, body] = await prepare(ask)
      const headers = { 'idempotency-key': newKey() }
      const first = await ask(method, url, body, headers)
      assert(first.status === 200 || first.status === 201, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      clock.now = new Date(clock.now.getTime() + 60_000)
      await assertUnchanged(db, async () => {
        const again = await ask(method, url, body, headers)
        assert.deepEqual([again.status, again.text], [first.status, first.text])
        assert.equal(again.headers['idempotent-replayed'], 'true')
        assert.notEqual(again.headers['request-id'], first.headers['request-id'])
        const other = { ...body, ...(method === 'PUT' ? { email: 'x@example.com' } : { amount: 1 }) }
        const refused = await ask(method, url, other, headers)
        // Where the other body is invalid for this route, its fields are reported first.
        if (refused.json.error.code !== 'invalid_request') assertRefused(refused, reused)
      })
    })

    test(`${name}: concurrent requests with one key make one change and get equal answers`, async () => {
      const { ask } = running()
      const [method, url, body] = await prepare(ask)
      const headers = { 'idempotency-key': newKey() }
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask(method, url, body, headers)))
      assert.equal(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size, 1)
      assert(answers[0]!.json.status, answers[0]!.text)
      const replayed = answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')
      assert.equal(replayed.length, 4)
    })
  }

  test('every POST and PUT refuses a key that is none', async () => {
    const { ask, db } = running()
    await assertUnchanged(db, async () => {
      for (const { method, path, body, fileMaxBytes } of routes) {
        if (method !== 'POST' && method !== 'PUT') continue
        const url = path.replaceAll(/:\w+/g, 'x')
        const file = fileMaxBytes !== undefined
        const type = file ? { 'content-type': 'application/x-ndjson' } : {}
        const sent = file ? '{}\n' : body === null ? undefined : {}
        const answer = await ask(method, url, sent, { ...type, 'idempotency-key': '' })
        assertRefused(answer, { status: 400, code: 'invalid_idempotency_key' })
      }
    })
  })

  test('a key is 1 to 255 printable ASCII characters', async () => {
    const { ask } = running()
    const create = (key: string) => ask('POST', '/v2/customer', ada, { 'idempotency-key': key })
    const long = 'k'.repeat(255)
    for (const key of [
      'a',
      '~',
      'a b',
      'a,b',
      'a"b',
      "it's",
      '3f2b:/?#[]@!$&()*+;=',
      long,
      '"q"',
      '"say \\"a\\" \\\\"',
    ]) {
      assert.equal((await create(key)).status, 201, key)
    }
    for (const key of [
      '',
      '""',
      `${long}k`,
      `"${long}k"`,
      'é',
      'a\u007f',
      'a\tb',
      '"a',
      '"a"b',
      '"a\\x"',
      '"',
      'ключ',
    ]) {
      const bytes = Buffer.from(key, 'utf8').toString('latin1')
      assertRefused(await create(bytes), { status: 400, code: 'invalid_idempotency_key' })
    }
    assert.equal((await create(`"${long}"`)).headers['idempotent-replayed'], 'true')
  })

  test('quoted or bare is the same key', async () => {
    const { ask } = running()
    const key = newKey()
    const bare = await ask('POST', '/v2/customer', ada, { 'idempotency-key': key })
    const quoted = await ask('POST', '/v2/customer', ada, { 'idempotency-key': `"${key}"` })
    assert.deepEqual([quoted.status, quoted.text], [bare.status, bare.text])
    assert.equal(quoted.headers['idempotent-replayed'], 'true')
  })

  test('order, spacing, escapes and the spelling of numbers do not make another request', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const headers = { 'idempotency-key': newKey() }
    const first = await ask('POST', url, '{"liquidation_type":"PARTIAL","amount":100}', headers)
    assert.equal(first.status, 200)
    for (const body of [
      '{"amount":100,"liquidation_type":"PARTIAL"}',
      ' { "liquidation_type" : "PARTIAL" ,\n "amount" : 100.00 } ',
      '{"liquidation_type":"PARTIAL","amount":1e2}',
      '{"liquidation_type":"\\u0050ARTIAL","\\u0061mount":1000E-1}',
    ]) {
      const again = await ask('POST', url, body, headers)
      assert.deepEqual([again.status, again.text], [200, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
  })

  test('another body, path or method under the same key is refused', async () => {
    const { ask, db } = running()
    const { depositId, accountNumber, customerId } = await openDeposit(ask, { amount: 1000 })
    const twin = await openDeposit(ask, { amount: 1000 })
    const headers = { 'idempotency-key': newKey() }
    const body = { liquidation_type: 'PARTIAL', amount: 100 }
    const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body, headers)
    assert.equal(made.status, 200)
    const others: [method: 'POST' | 'PUT', url: string, body: unknown][] = [
      ['POST', `/v2/fixed-deposits/${depositId}/liquidate`, { ...body, amount: 100.01 }],
      ['POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' }],
      ['POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL', amount: null }],
      ['POST', `/v2/fixed-deposits/${twin.depositId}/liquidate`, body],
      // The key is looked at before the resource.
      ['POST', '/v2/fixed-deposits/fd_1/liquidate', body],
      ['POST', `/v2/accounts/${accountNumber}/credits`, { amount: 100 }],
      ['PUT', `/v2/customer/${customerId}`, { email: 'a@example.com' }],
      ['POST', '/v2/customer', ada],
    ]
    for (const [method, url, other] of others) {
      await assertRefusedWithoutTrace(db, () => ask(method, url, other, headers), reused)
    }
    assertRefused(await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {}, headers), {
      status: 400,
      code: 'invalid_request',
      fields: [['liquidation_type', 'required']],
    })
  })

  test('a refusal does not stick to its key', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const headers = { 'idempotency-key': newKey() }
    const attempts: [body: unknown, status: number][] = [
      ['{', 400],
      [{ liquidation_type: 'PARTIAL' }, 400],
      [{ liquidation_type: 'PARTIAL', amount: 2000 }, 422],
      [{ liquidation_type: 'PARTIAL', amount: 400 }, 200],
    ]
    for (const [body, status] of attempts)
      assert.equal((await ask('POST', url, body, headers)).status, status)
    const unknown = await ask(
      'POST',
      '/v2/fixed-deposits/fd_1/liquidate',
      { liquidation_type: 'FULL' },
      {
        'idempotency-key': 'later',
      },
    )
    assert.equal(unknown.status, 404)
    const rest = await ask('POST', url, { liquidation_type: 'FULL' }, { 'idempotency-key': 'later' })
    assert.equal(rest.status, 200)
    // A refused request that becomes possible under its key is carried out then.
    const funded = await fundedAccount(ask, 1)
    const opening = { account_number: funded.accountNumber, amount: 5, tenor: 1, interest_rate: 1 }
    const open = () => ask('POST', '/v2/fixed-deposits', opening, { 'idempotency-key': 'opening' })
    assert.equal((await open()).status, 422)
    await ask('POST', `/v2/accounts/${funded.accountNumber}/credits`, { amount: 4 })
    assert.equal((await open()).status, 201)
  })

  test('the answer is replayed even when the deposit has since moved on', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const headers = { 'idempotency-key': newKey() }
    const partial = { liquidation_type: 'PARTIAL', amount: 400 }
    const first = await ask('POST', url, partial, headers)
    assert.equal((await ask('POST', url, { liquidation_type: 'FULL' })).status, 200)
    const again = await ask('POST', url, partial, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal((await ask('POST', url, partial)).status, 409)
  })

  test('keys belong to a book: the other mode has its own, every key of the book shares them', async () => {
    const { ask, askWith, liveKey } = running()
    const headers = { 'idempotency-key': newKey() }
    const inTest = await ask('POST', '/v2/customer', ada, headers)
    const inLive = await askWith(liveKey)('POST', '/v2/customer', ada, headers)
    assert.deepEqual([inTest.status, inLive.status], [201, 201])
    assert.notEqual(inLive.json.data.customer_id, inTest.json.data.customer_id)
    const second = await ask('POST', '/v2/api-keys', { scopes: ['customers:write'] })
    assert.equal(second.status, 201, second.text)
    const shared = await askWith(second.json.data.key)('POST', '/v2/customer', ada, headers)
    assert.equal(shared.text, inTest.text)
    assert.equal(shared.headers['idempotent-replayed'], 'true')
  })

  test('a quote takes a key and remembers nothing: there is no work to repeat', async () => {
    const { ask, db } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const headers = { 'idempotency-key': newKey() }
    const url = `/v2/fixed-deposits/${depositId}/liquidation-quote`
    await assertUnchanged(db, async () => {
      for (const amount of [10, 20]) {
        const answer = await ask('POST', url, { liquidation_type: 'PARTIAL', amount }, headers)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers['idempotent-replayed'], undefined)
      }
    })
  })

  test('without a key the state of the deposit guards: the second FULL is refused', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const full = (): Promise<Answer> =>
      ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assert.equal((await full()).status, 200)
    assertRefused(await full(), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
  })

  test('GET takes no notice of a key', async () => {
    const { ask } = running()
    const answer = await ask('GET', '/v2/customer', undefined, { 'idempotency-key': '' })
    assert.equal(answer.status, 200)
  })
})
