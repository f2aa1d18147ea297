/** What the head of a request decides, over real connections: nothing is done for a request that two readers could read differently. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { routes } from '../../src/http/routes.ts'
import { converse, exchange } from '../hostile/support/wire.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { assertRefused, assertUnchanged, type ExpectedRefusal } from '../support/refusals.ts'
import { ada, openDeposit, startService, type TestService } from '../support/service.ts'

const body = JSON.stringify(ada)
const chunked = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
const malformed: ExpectedRefusal = { status: 400, code: 'malformed_request' }
const unsupported: ExpectedRefusal = { status: 415, code: 'unsupported_media_type' }

describe('the head of a request', () => {
  let db: TestDatabase
  let service: TestService
  let port: number
  before(async () => {
    db = await engines[0]!.open()
    service = await startService(db)
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    port = (service.app.server.address() as AddressInfo).port
  })
  after(async () => {
    await service?.close()
    await db?.close()
  })

  const head = (lines: Record<string, string> = {}, target = '/v2/customer', method = 'POST') => {
    const sent = {
      Host: 'x',
      Authorization: `Bearer ${service.testKey}`,
      'Content-Type': 'application/json',
      ...lines,
    }
    const headers = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
    return `${method} ${target} HTTP/1.1\r\n${headers.join('')}`
  }
  const whole = (more: string, connection = 'Connection: close\r\n') =>
    `${head()}${more}${connection}Content-Length: ${body.length}\r\n\r\n${body}`

  test('Host, Authorization and Content-Type are sent once, also where both say the same', async () => {
    await assertUnchanged(db, async () => {
      for (const repeated of [
        'Host: x\r\n',
        'hOST: y\r\n',
        `Authorization: Bearer ${service.testKey}\r\n`,
        `authorization: Bearer ${service.liveKey}\r\n`,
        'Content-Type: application/json\r\n',
        'content-type: text/plain\r\n',
      ]) {
        const [answer, ...more] = await converse(port, [whole(repeated, '') + whole('')])
        assertRefused(answer!, malformed)
        assert.match(answer!.json.message, /^Send the (Host|Authorization|Content-Type) header only once\.$/)
        assert.deepEqual([answer!.headers.connection, more], ['close', []], repeated)
      }
    })
    assert.equal((await exchange(port, whole('Accept: a\r\nAccept: b\r\n'))).status, 201)
  })

  test('no transfer coding but chunked is accepted, and nothing behind it is answered', async () => {
    await assertUnchanged(db, async () => {
      for (const coding of ['gzip, chunked', 'identity, chunked', 'deflate, chunked', 'gzip', 'identity']) {
        const [answer, ...more] = await converse(port, [
          `${head()}Transfer-Encoding: ${coding}\r\n\r\n${chunked}${whole('')}`,
        ])
        assertRefused(answer!, malformed)
        assert.deepEqual([answer!.headers.connection, more], ['close', []], coding)
      }
    })
    for (const coding of ['chunked', 'Chunked']) {
      const sent = `${head({ Connection: 'close', 'Transfer-Encoding': coding })}\r\n${chunked}`
      assert.equal((await exchange(port, sent)).status, 201, coding)
    }
  })

  test('a body with a content coding is 415, and is not decoded', async () => {
    await assertUnchanged(db, async () => {
      for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'unknown']) {
        const answer = await exchange(port, whole(`Content-Encoding: ${coding}\r\n`))
        assertRefused(answer, unsupported)
        assert.equal(answer.headers['accept-encoding'], 'identity')
      }
      const compressed = gzipSync(body)
      const lines = {
        'Content-Encoding': 'gzip',
        Connection: 'close',
        'Content-Length': `${compressed.length}`,
      }
      assertRefused(
        await exchange(port, Buffer.concat([Buffer.from(`${head(lines)}\r\n`), compressed])),
        unsupported,
      )
      // Also where the operation takes no body.
      const ping = head({ ...lines, 'Content-Length': '0' }, '/v2/webhook-endpoints/we_1/ping')
      assertRefused(await exchange(port, `${ping}\r\n`), unsupported)
    })
    for (const coding of ['identity', 'Identity']) {
      assert.equal((await exchange(port, whole(`Content-Encoding: ${coding}\r\n`))).status, 201, coding)
    }
  })

  test('CONNECT is answered with an envelope, after the answers that are due before it', async () => {
    const connect = 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'
    const [answer, ...more] = await converse(port, [`${connect}${whole('')}`])
    assertRefused(answer!, { status: 405, code: 'method_not_allowed' })
    assert.deepEqual(
      [answer!.headers.allow, answer!.headers.connection, more],
      ['GET, HEAD, POST, PUT, DELETE', 'close', []],
    )
    const behind = await converse(port, [`${head()}Content-Length: ${body.length}\r\n\r\n${body}${connect}`])
    assert.deepEqual(
      behind.map(({ status }) => status),
      [201, 405],
    )
  })

  test('100 Continue is sent only where neither the head nor the size rejects the request', async () => {
    const expecting = { Expect: '100-continue' }
    const length = { 'Content-Length': String(body.length) }
    const rejected: [sent: string, refusal: ExpectedRefusal][] = [
      [head({ ...expecting, ...length }, '/v2/nothing'), { status: 404, code: 'route_not_found' }],
      [
        head({ ...expecting, ...length }, '/v2/customer', 'PATCH'),
        { status: 405, code: 'method_not_allowed' },
      ],
      [
        head({ ...expecting, ...length, Authorization: 'Bearer x' }),
        { status: 401, code: 'invalid_api_key' },
      ],
      [head({ ...expecting, ...length, 'Content-Type': 'text/plain' }), unsupported],
      [head({ ...expecting, ...length, 'Content-Encoding': 'gzip' }), unsupported],
      [head({ ...expecting, 'Content-Length': '65537' }), { status: 413, code: 'body_too_large' }],
      [`${head({ ...expecting, ...length })}Host: y\r\n`, malformed],
    ]
    await assertUnchanged(db, async () => {
      for (const [sent, refusal] of rejected) {
        const interim = { count: 0 }
        const [answer, ...more] = await converse(port, [`${sent}\r\n`], interim)
        assertRefused(answer!, refusal)
        assert.deepEqual([interim.count, answer!.headers.connection, more], [0, 'close', []], refusal.code)
      }
    })
    for (const announced of [length, { 'Transfer-Encoding': 'chunked' }]) {
      const interim = { count: 0 }
      const sent = `${head({ ...expecting, ...announced, Connection: 'close' })}\r\n`
      const [answer] = await converse(port, [sent, 'Content-Length' in announced ? body : chunked], interim)
      assert.deepEqual([answer!.status, interim.count], [201, 1])
    }
  })

  test('a request whose body is never sent after a rejection leaves nothing for the next one to be read into', async () => {
    const rejected = `${head({ Expect: '100-continue', 'Content-Length': '65537' })}\r\n`
    const answers = await converse(port, [rejected, whole('')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413],
    )
  })

  test('a query is 400 where the operation has none, and nothing is done', async () => {
    const { ask } = service
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    const liquidate = `/v2/fixed-deposits/${depositId}/liquidate`
    await assertUnchanged(db, async () => {
      const dryRun = await ask('POST', `${liquidate}?dry_run=true`, { liquidation_type: 'FULL' })
      assertRefused(dryRun, { status: 400, code: 'invalid_request', fields: [['dry_run', 'unknown_field']] })
      const both = await ask('POST', `${liquidate}?dry_run=true&dry_run=false&__proto__=1`, { amount: 'x' })
      assertRefused(both, {
        status: 400,
        code: 'invalid_request',
        fields: [
          ['liquidation_type', 'required'],
          ['amount', 'invalid_type'],
          ['dry_run', 'unknown_field'],
          ['__proto__', 'unknown_field'],
        ],
      })
      for (const { method, path, query, body: schema, fileMaxBytes } of routes) {
        if (query !== null) continue
        const url = `${path.replaceAll(/:\w+/g, 'x')}?unknown=1`
        const file = fileMaxBytes !== undefined
        const type = file ? { 'content-type': 'application/x-ndjson' } : {}
        const answer = await ask(method, url, file ? '{}\n' : schema === null ? undefined : {}, type)
        assert.deepEqual(
          [answer.status, answer.json.error.code, answer.json.error.fields.at(-1)?.field],
          [400, 'invalid_request', 'unknown'],
          url,
        )
      }
    })
    assert.equal((await ask('POST', `${liquidate}?`, { liquidation_type: 'FULL' })).status, 200)
  })

  test('a fixed path does not accept the methods of the path with a parameter beside it', async () => {
    const { ask } = service
    for (const method of ['DELETE', 'POST', 'PUT', 'PATCH'] as const) {
      for (const headers of [{}, { authorization: 'none' }]) {
        const answer = await ask(method, '/v2/api-keys/current', undefined, headers)
        assertRefused(answer, { status: 405, code: 'method_not_allowed' })
        assert.equal(answer.headers.allow, 'GET, HEAD')
      }
    }
    assert.equal((await ask('PUT', '/v2/api-keys/key_1')).headers.allow, 'DELETE')
    assert.equal((await ask('DELETE', '/v2/api-keys/key_1')).json.error.code, 'api_key_not_found')
  })
})
