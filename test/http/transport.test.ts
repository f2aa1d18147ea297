/** Spec section 2: what holds for every request and every answer, whatever the route. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { routes } from '../../src/http/routes.ts'
import {
  assertRefused,
  assertStandardHeaders,
  assertUnchanged,
  type ExpectedRefusal,
} from '../support/refusals.ts'
import {
  type Answer,
  type Ask,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
} from '../support/service.ts'

const malformed: ExpectedRefusal = { status: 400, code: 'malformed_json' }

/** Each of these is one way in which a body is not one JSON object in UTF-8. */
const malformedBodies: (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '}',
  '{"email"}',
  '{"email":}',
  '{"email":"a@example.com",}',
  "{'email':'a@example.com'}",
  '{email:"a@example.com"}',
  '{"email":"a@example.com"} {}',
  '{"email":"a@example.com"}x',
  '{"email":undefined}',
  '{"address":"a\nb"}',
  '{"address":"a\\x41"}',
  '{"address":"\\ud800"}',
  '// comment\n{}',
  '{/* comment */}',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[{}]',
  '\ufeff{}',
  '{"a":01}',
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  Buffer.from('{"a":1}', 'utf16le'),
  // The same member twice, plainly and escaped; also deeper down.
  '{"email":"a@example.com","email":"b@example.com"}',
  '{"email":"a@example.com","\\u0065mail":"b@example.com"}',
  '{"__proto__":1,"__proto__":2}',
  '{"a":[{"b":1,"b":2}]}',
]

describeService('transport', (running) => {
  test('an unknown path is 404, whatever is sent there by any client', async () => {
    const { ask } = running()
    const nowhere: ExpectedRefusal = { status: 404, code: 'route_not_found' }
    for (const path of ['/v2', '/v1/customer', '/v2/customers', '/V2/customer', '//', '/v2/customer/a/b']) {
      assertRefused(await ask('GET', path), nowhere)
    }
    for (const path of ['/v2/fixed-deposits/fd_1/liquidate/', '/v2/fixed-deposits/a/b/liquidate']) {
      assertRefused(await ask('POST', path, { liquidation_type: 'FULL' }), nowhere)
    }
    assertRefused(await ask('POST', '/v2/nothing', '{'), nowhere)
    assertRefused(await ask('POST', '/v2/nothing', ' '.repeat(70_000)), nowhere)
    assertRefused(await ask('POST', '/v2/nothing', 'x', { 'content-type': 'text/plain' }), nowhere)
    assertRefused(await ask('GET', '/v2/nothing', undefined, { authorization: 'none' }), nowhere)
  })

  test('a wrong method is 405 with the methods the path takes', async () => {
    const { ask } = running()
    const wrong: [Parameters<Ask>[0], string, string][] = [
      ['GET', '/v2/fixed-deposits/fd_1/liquidate', 'POST'],
      ['PUT', '/v2/fixed-deposits/fd_1/liquidate', 'POST'],
      ['HEAD', '/v2/fixed-deposits/fd_1/liquidate', 'POST'],
      ['OPTIONS', '/v2/fixed-deposits/fd_1/liquidate', 'POST'],
      ['PATCH', '/v2/customer/cus_1', 'PUT, GET, HEAD'],
      ['POST', '/v2/customer/cus_1', 'PUT, GET, HEAD'],
      ['DELETE', '/v2/customer/cus_1', 'PUT, GET, HEAD'],
      ['PUT', '/v2/customer', 'POST, GET, HEAD'],
      ['POST', '/v2/liquidation-rules', 'GET, PUT, HEAD'],
      ['POST', '/healthz', 'GET, HEAD'],
    ]
    for (const [method, path, allowed] of wrong) {
      for (const headers of [{}, { authorization: 'none' }]) {
        const answer = await ask(method, path, undefined, headers)
        assert.equal(answer.headers.allow, allowed)
        if (method === 'HEAD') assert.equal(answer.status, 405)
        else assertRefused(answer, { status: 405, code: 'method_not_allowed' })
      }
      if (method === 'HEAD') continue
      const withBody = await ask(method, path, '{', { 'content-type': 'text/plain' })
      assertRefused(withBody, { status: 405, code: 'method_not_allowed' })
    }
  })

  test('every route answers with the same headers, on success and on refusal', async () => {
    const { ask } = running()
    for (const { method, path, body } of routes) {
      const url = path.replaceAll(/:\w+/g, 'x')
      assertStandardHeaders(await ask(method, url, body === null ? undefined : {}))
    }
    assertStandardHeaders(await ask('GET', '/healthz'))
    assertStandardHeaders(await ask('GET', '/readyz'))
  })

  test('success is exactly status, message and data, and a list adds meta', async () => {
    const { ask } = running()
    const created = await ask('POST', '/v2/customer', ada)
    assert.equal(created.status, 201)
    assert.deepEqual(Object.keys(created.json), ['status', 'message', 'data'])
    const list = await ask('GET', '/v2/customer')
    assert.deepEqual(Object.keys(list.json), ['status', 'message', 'data', 'meta'])
    assert.deepEqual(list.json.meta, { limit: 50, has_more: false, next_cursor: null })
  })

  test('HEAD answers as GET does, without the body', async () => {
    const { ask } = running()
    const read = await ask('GET', '/v2/liquidation-rules/1')
    const head = await ask('HEAD', '/v2/liquidation-rules/1')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(read.text)))
    assertStandardHeaders(head)
    const absent = await ask('HEAD', '/v2/customer/cus_1')
    assert.deepEqual([absent.status, absent.text], [404, ''])
  })

  test('the body must be declared as JSON', async () => {
    const { ask, db } = running()
    const { customerId } = await fundedAccount(ask, 1)
    const put = (type: string) =>
      ask('PUT', `/v2/customer/${customerId}`, '{"email":"new@example.com"}', { 'content-type': type })
    await assertUnchanged(db, async () => {
      for (const type of [
        '',
        'text/plain',
        'text/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        'application/json-patch+json',
        'application/vnd.api+json',
        'application/json; charset=utf-16',
        'application/json; charset=iso-8859-1',
        'application/json, text/plain',
        'json',
      ]) {
        assertRefused(await put(type), { status: 415, code: 'unsupported_media_type' })
      }
    })
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json; charset=UTF-8',
      'application/json; charset="utf-8"',
    ]) {
      assert.equal((await put(type)).status, 200, type)
    }
  })

  test('a body that is not declared at all is 415', async () => {
    const { app, testKey } = running()
    const answer = await app.inject({
      method: 'POST',
      url: '/v2/customer',
      headers: { authorization: `Bearer ${testKey}` },
    })
    assert.deepEqual([answer.statusCode, answer.json().error.code], [415, 'unsupported_media_type'])
  })

  test('a body that is not one JSON object is refused, and changes nothing', async () => {
    const { ask, db } = running()
    const { customerId } = await fundedAccount(ask, 1)
    await assertUnchanged(db, async () => {
      for (const body of malformedBodies) {
        assertRefused(await ask('PUT', `/v2/customer/${customerId}`, body), malformed)
      }
    })
  })

  test('no response repeats the content of a malformed body', async () => {
    const { ask } = running()
    const answer = await ask('PUT', '/v2/customer/cus_1', '{"email":"secret@example.com"')
    assert.doesNotMatch(answer.text, /secret/)
  })

  test('a body is read down to depth 16 and no further', async () => {
    const { ask } = running()
    const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    assertRefused(await ask('PUT', '/v2/customer/cus_1', nested(16)), {
      status: 400,
      code: 'invalid_request',
      fields: [['x', 'unknown_field']],
    })
    assertRefused(await ask('PUT', '/v2/customer/cus_1', nested(17)), malformed)
    assertRefused(await ask('PUT', '/v2/customer/cus_1', nested(10_000)), malformed)
  })

  test('__proto__ is just an unknown field', async () => {
    const { ask } = running()
    const answer = await ask('PUT', '/v2/customer/cus_1', '{"__proto__":{"email":"a@example.com"}}')
    assertRefused(answer, { status: 400, code: 'invalid_request', fields: [['__proto__', 'unknown_field']] })
  })

  test('a body may have 64 KiB and not a byte more', async () => {
    const { ask } = running()
    const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
    assertRefused(await ask('PUT', '/v2/customer/cus_1', padded(65_536)), {
      status: 404,
      code: 'customer_not_found',
    })
    assertRefused(await ask('PUT', '/v2/customer/cus_1', padded(65_537)), {
      status: 413,
      code: 'body_too_large',
    })
  })

  test('a path whose escapes are broken is malformed', async () => {
    const { ask } = running()
    assertRefused(await ask('GET', '/v2/customer/%ZZ'), { status: 400, code: 'malformed_request' })
    assertRefused(await ask('GET', '/v2/customer/%E0%A4%A'), { status: 400, code: 'malformed_request' })
  })

  test('the probes need no key', async () => {
    const { ask } = running()
    for (const path of ['/healthz', '/readyz']) {
      const answer = await ask('GET', path, undefined, { authorization: 'none' })
      assert.deepEqual([answer.status, answer.json.status, answer.json.data], [200, true, {}])
    }
  })

  test('on a real connection, too, every answer is an envelope', async () => {
    const { db } = running()
    const started = await startService(db)
    await started.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = started.app.server.address() as AddressInfo
    const authorization = `Authorization: Bearer ${started.testKey}\r\n`
    const post = `POST /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}`
    const json = 'Content-Type: application/json\r\n'
    const chunk = `ffff\r\n${' '.repeat(0xffff)}\r\n`
    const sent: [request: string, refusal: ExpectedRefusal][] = [
      ['garbage\r\n\r\n', { status: 400, code: 'malformed_request' }],
      ['GET / HTTP/9.9\r\n\r\n', { status: 400, code: 'malformed_request' }],
      ['GET /healthz\r\n\r\n', { status: 400, code: 'malformed_request' }],
      ['GET /healthz HTTP/0.9\r\n\r\n', { status: 400, code: 'malformed_request' }],
      ['GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n', { status: 400, code: 'malformed_request' }],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', { status: 400, code: 'malformed_request' }],
      [
        'GET /healthz HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
        { status: 400, code: 'malformed_request' },
      ],
      ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', { status: 400, code: 'malformed_request' }],
      [
        `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
        { status: 400, code: 'malformed_request' },
      ],
      [
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
        { status: 431, code: 'headers_too_large' },
      ],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, { status: 431, code: 'headers_too_large' }],
      [`${post}${json}Content-Length: 65537\r\n\r\n`, { status: 413, code: 'body_too_large' }],
      [
        `${post}${json}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
        { status: 413, code: 'body_too_large' },
      ],
      [`${post}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`, malformed],
      [
        `${post}${json}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}`,
        { status: 400, code: 'invalid_idempotency_key' },
      ],
      [`${post}Content-Length: 2\r\n\r\n{}`, { status: 415, code: 'unsupported_media_type' }],
      [
        'PROPFIND /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        { status: 405, code: 'method_not_allowed' },
      ],
      [
        'TRACE /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        { status: 405, code: 'method_not_allowed' },
      ],
      [
        'GET /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: wonders\r\n\r\n',
        { status: 401, code: 'missing_authorization' },
      ],
      [
        'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        { status: 400, code: 'malformed_request' },
      ],
    ]
    try {
      for (const [request, refusal] of sent) assertRefused(await exchange(port, request), refusal)
      // A probe may speak HTTP/1.0, which knows no Host.
      assert.equal((await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
    } finally {
      await started.close()
    }
  })

  test('where browsers use https every answer tells them to stay there, and elsewhere none does', async () => {
    const expected = 'max-age=31536000; includeSubDomains'
    for (const [publicUrl, header] of [
      ['https://bank.example', expected],
      ['http://bank.example', undefined],
      [null, undefined],
    ] as const) {
      const started = await startService(running().db, { publicUrl, limits: { inFlightMax: 1 } })
      await started.app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = started.app.server.address() as AddressInfo
      const get = (path: string) =>
        exchange(
          port,
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${started.testKey}\r\n\r\n`,
        )
      const answers = [
        ...(await Promise.all(['/healthz', '/v2/openapi.json', '/none', '/v2/liens/x'].map(get))),
        await get('/v2/customer'),
        await exchange(port, 'garbage\r\n\r\n'),
        await exchange(port, 'CONNECT bank:443 HTTP/1.1\r\nHost: bank\r\n\r\n'),
      ]
      assert.deepEqual(
        answers.map(({ headers }) => headers['strict-transport-security']),
        answers.map(() => header),
      )
      await started.close()
    }
  })

  test('a request whose caller went away does not hold its place', async () => {
    const { db } = running()
    const started = await startService(db, { limits: { inFlightMax: 1 } })
    await started.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = started.app.server.address() as AddressInfo
    const head =
      `POST /v2/customer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${started.testKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"first_name":'
    try {
      for (let times = 0; times < 3; times += 1) {
        const socket = connect(port, '127.0.0.1')
        const closed = once(started.app.server, 'connection').then(([accepted]) => once(accepted, 'close'))
        const arrived = once(started.app.server, 'request')
        socket.write(head)
        await arrived
        socket.destroy()
        await closed
        const answer = await exchange(
          port,
          `GET /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${started.testKey}\r\n\r\n`,
        )
        assert.equal(answer.status, 200)
      }
    } finally {
      await started.close()
    }
  })

  test('the answer to HEAD has no body, also when it is a refusal', async () => {
    const { db } = running()
    const started = await startService(db)
    const address = await started.app.listen({ host: '127.0.0.1', port: 0 })
    try {
      const answer = await fetch(`${address}/v2/fixed-deposits/fd_1/liquidate`, { method: 'HEAD' })
      assert.deepEqual([answer.status, await answer.text()], [405, ''])
      assert.notEqual(answer.headers.get('content-length'), '0')
    } finally {
      await started.close()
    }
  })

  test('a full queue rejects immediately with 503, and nothing was done', async () => {
    const { db } = running()
    const started = await startService(db, { workers: 1, batchMax: 1, queueMax: 3 })
    const deposits: string[] = []
    for (let made = 0; made < 12; made += 1) {
      deposits.push((await openDeposit(started.ask, { amount: 100 })).depositId)
    }
    const answers = await Promise.all(
      deposits.map((id) =>
        started.ask('POST', `/v2/fixed-deposits/${id}/liquidate`, { liquidation_type: 'FULL' }),
      ),
    )
    const refused = answers.filter((answer) => answer.status === 503)
    assert(refused.length > 0)
    for (const answer of refused) {
      assertRefused(answer, { status: 503, code: 'service_unavailable', retryable: true })
      assert.equal(answer.headers['retry-after'], '1')
    }
    for (const [index, id] of deposits.entries()) {
      const { status } = (await started.ask('GET', `/v2/fixed-deposits/${id}`)).json.data
      assert.equal(status, answers[index]!.status === 200 ? 'LIQUIDATED' : 'ACTIVE')
    }
    await started.close()
  })

  test('over a connection, a liquidation for a full queue is refused before its body is looked at', async () => {
    const { db } = running()
    let [open, release] = [Promise.resolve(), () => {}]
    let underWay = 0
    const transaction: typeof db.transaction = async (work) => {
      underWay += 1
      await open
      return db.transaction(work)
    }
    const started = await startService({ ...db, transaction }, { workers: 1, batchMax: 1, queueMax: 1 })
    await started.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = started.app.server.address() as AddressInfo
    const { depositId } = await openDeposit(started.ask, { amount: 100 })
    const path = `/v2/fixed-deposits/${depositId}/liquidate`
    const send = (key: string) =>
      exchange(
        port,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
      )
    assertRefused(await send(started.testKey), malformed)
    ;({ promise: open, resolve: release } = Promise.withResolvers<void>())
    const one = () => started.ask('POST', path, { liquidation_type: 'PARTIAL', amount: 1 })
    underWay = 0
    const served = [one()]
    while (underWay === 0) await setImmediate()
    served.push(one())
    while (started.service.waiting() === 0) await setImmediate()
    const refused = await send(started.testKey)
    assertRefused(refused, { status: 503, code: 'service_unavailable', retryable: true })
    assertStandardHeaders(refused)
    assert.equal(refused.headers['retry-after'], '1')
    // Another book's queue is not full.
    assertRefused(await send(started.liveKey), malformed)
    release()
    assert.deepEqual(
      (await Promise.all(served)).map((answer) => answer.status),
      [200, 200],
    )
    await started.close()
  })

  test('more concurrent requests than the limit are rejected immediately with 503', async () => {
    const { db } = running()
    const started = await startService(db, { limits: { inFlightMax: 2 } })
    const answers = await Promise.all(Array.from({ length: 5 }, () => started.ask('GET', '/v2/customer')))
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 503, 503, 503])
    const refused = answers.find((answer) => answer.status === 503)!
    assertRefused(refused, { status: 503, code: 'service_unavailable', retryable: true })
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await started.ask('GET', '/v2/customer')).status, 200)
    await started.close()
  })
})

/** Sends bytes over a connection of its own and reads the answer until the server closes it. */
async function exchange(port: number, request: string): Promise<Answer> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  let received = ''
  for await (const piece of socket.setEncoding('utf8')) received += piece
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const text = received.slice(end + 4)
  assert.equal(headers['content-length'], String(Buffer.byteLength(text)), received)
  return { status: Number(statusLine.split(' ')[1]), headers, text, json: JSON.parse(text) }
}
