/**
 * Requests whose end two readers could see in different places. Behind each stands a second request, which a proxy might
 * have taken for a part of the first: it is either never answered, or it follows a first one that was whole.
 */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { engines, type TestDatabase } from '../support/engines.ts'
import { assertUnchanged } from '../support/refusals.ts'
import { type Answer, ada, startService, type TestService } from '../support/service.ts'
import { converse } from './support/wire.ts'

const body = JSON.stringify(ada)
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

describe('request smuggling', () => {
  let db: TestDatabase
  let service: TestService
  let port: number
  /** What a smuggler wants to have answered: it would create a customer. */
  let second: string
  let head: string
  before(async () => {
    db = await engines[0]!.open()
    service = await startService(db, { limits: { requestTimeoutMs: 1000, headersTimeoutMs: 1000 } })
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    port = (service.app.server.address() as AddressInfo).port
    const authorization = `Authorization: Bearer ${service.testKey}\r\nContent-Type: application/json\r\n`
    head = `POST /v2/customer HTTP/1.1\r\nHost: x\r\n${authorization}`
    second = `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  })
  after(async () => {
    await service?.close()
    await db?.close()
  })

  const refused: Record<string, () => string> = {
    'Content-Length and Transfer-Encoding': () => `Content-Length: 4\r\n${CHUNKED}\r\n0\r\n\r\n`,
    'Transfer-Encoding and Content-Length': () => `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n`,
    'two lengths': () => `Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'the same length twice': () => `Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    'a list of lengths': () => 'Content-Length: 2, 2\r\n\r\n{}',
    'a length with a sign': () => 'Content-Length: +2\r\n\r\n{}',
    'a negative length': () => 'Content-Length: -2\r\n\r\n{}',
    'a hexadecimal length': () => 'Content-Length: 0x2\r\n\r\n{}',
    'a length with a fraction': () => 'Content-Length: 2.0\r\n\r\n{}',
    'a length beyond any number': () => `Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`,
    'an empty length': () => 'Content-Length: \r\n\r\n{}',
    'a space before the colon': () => 'Content-Length : 2\r\n\r\n{}',
    'a space before Transfer-Encoding': () => `Transfer-Encoding : chunked\r\n\r\n${chunk('{}')}0\r\n\r\n`,
    'a header folded over two lines': () => 'Content-Length:\r\n 2\r\n\r\n{}',
    'a folded Transfer-Encoding': () => `Transfer-Encoding:\r\n chunked\r\n\r\n${chunk('{}')}0\r\n\r\n`,
    'a fold in another header': () => 'X-Any: a\r\n b\r\nContent-Length: 2\r\n\r\n{}',
    'a line that ends with a bare LF': () => 'X-Any: a\nContent-Length: 2\r\n\r\n{}',
    'a head that ends with bare LFs': () => 'Content-Length: 2\n\n{}',
    'a bare CR in a header': () => 'X-Any: a\rContent-Length: 0\r\nContent-Length: 2\r\n\r\n{}',
    'a NUL in a header': () => 'X-Any: a\u0000\r\nContent-Length: 2\r\n\r\n{}',
    'a header without a name': () => ': a\r\nContent-Length: 2\r\n\r\n{}',
    'a header without a colon': () => 'Any\r\nContent-Length: 2\r\n\r\n{}',
    'an encoding that is not known': () => 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'an encoding after chunked': () => 'Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'chunked twice': () => 'Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'two encodings': () => `${CHUNKED}Transfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'an encoding behind a control character': () =>
      'Transfer-Encoding: \u000bchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'a chunk size with 0x': () => `${CHUNKED}\r\n0x2\r\n{}\r\n0\r\n\r\n`,
    'a chunk size with a sign': () => `${CHUNKED}\r\n+2\r\n{}\r\n0\r\n\r\n`,
    'a negative chunk size': () => `${CHUNKED}\r\n-2\r\n{}\r\n0\r\n\r\n`,
    'a chunk size beyond any number': () => `${CHUNKED}\r\n${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`,
    'an empty chunk size': () => `${CHUNKED}\r\n\r\n{}\r\n0\r\n\r\n`,
    'a chunk size behind a space': () => `${CHUNKED}\r\n 2\r\n{}\r\n0\r\n\r\n`,
    'a chunk size that ends with a bare LF': () => `${CHUNKED}\r\n2\n{}\r\n0\r\n\r\n`,
    'a chunk that ends with a bare LF': () => `${CHUNKED}\r\n2\r\n{}\n0\r\n\r\n`,
    'a chunk longer than it says': () => `${CHUNKED}\r\n1\r\n{}\r\n0\r\n\r\n`,
    'a chunk extension with a bare LF': () => `${CHUNKED}\r\n2;a\n0\r\n\r\n{}\r\n0\r\n\r\n`,
  }

  for (const [name, rest] of Object.entries(refused)) {
    test(`${name}: refused, and nothing behind it is answered`, () => refuseOnce(head + rest()))
  }
  test('a request of HTTP/0.9: refused, and nothing behind it is answered', () =>
    refuseOnce('GET /v2/customer\r\n'))

  test('behind a request that ends the connection nothing is answered', async () => {
    const closing = [
      `${head.replace('HTTP/1.1', 'HTTP/1.0')}${CHUNKED}\r\n${chunk('{}')}0\r\n\r\n`,
      `${head.replace('HTTP/1.1', 'HTTP/1.0')}Content-Length: 2\r\n\r\n{}`,
      `${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
    ]
    await assertUnchanged(db, async () => {
      for (const first of closing) {
        const answers = await converse(port, [first + second])
        assert.deepEqual(answers.map(statusAndCode), [[400, 'invalid_request']])
      }
    })
  })

  async function refuseOnce(first: string): Promise<void> {
    await assertUnchanged(db, async () => {
      const answers = await converse(port, [first + second])
      assert.deepEqual(answers.map(statusAndCode), [[400, 'malformed_request']])
      assert.equal(answers[0]!.headers.connection, 'close')
    })
  }

  test('requests that are whole are answered one by one, in their order', async () => {
    const first = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    const inChunks = `${head}${CHUNKED}\r\n${chunk(body.slice(0, 7))}${chunk(body.slice(7))}0\r\nTrailer: a\r\n\r\n`
    const get = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`
    const before = await countCustomers()
    const answers = await converse(port, [first + get + inChunks + first + second])
    assert.deepEqual(
      answers.map(statusAndCode),
      [201, 200, 201, 201, 201].map((status) => [status, undefined]),
    )
    assert.equal((await countCustomers()) - before, 4)
  })

  test('behind a request that was refused before its body was read, the next one is answered as itself', async () => {
    const hidden = `GET /v2/api-keys HTTP/1.1\r\nHost: x\r\n\r\n`
    const refusals: [head: string, status: number][] = [
      [head.replace('/v2/customer', '/v2/nothing'), 404],
      [head.replace('POST', 'PATCH'), 405],
      [head.replace(/Authorization.*\r\n/, ''), 401],
      [head.replace('application/json', 'text/plain'), 415],
    ]
    for (const [refusedHead, status] of refusals) {
      const answers = await converse(port, [
        `${refusedHead}Content-Length: ${hidden.length}\r\n\r\n${hidden}${second}`,
      ])
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [status, 201],
      )
    }
  })

  test('behind a body that is too large nothing is answered as a request that was part of it', async () => {
    const large = `${' '.repeat(70_000)}${second}`
    await assertUnchanged(db, async () => {
      for (const framed of [
        `${head}Content-Length: ${large.length}\r\n\r\n${large}`,
        `${head}${CHUNKED}\r\n${chunk(large)}0\r\n\r\n`,
      ]) {
        const [first, ...more] = await converse(port, [framed])
        assert.deepEqual([statusAndCode(first!), more], [[413, 'body_too_large'], []])
      }
    })
  })

  test('an answer that is due is never preceded by the refusal of what came after it', async () => {
    const whole = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    const brokenBehind = [
      'garbage\r\n\r\n',
      `${head}${CHUNKED}\r\n0x2\r\n`,
      'POST / HTTP/1.1\r\nA : b\r\n\r\n',
    ]
    for (const broken of brokenBehind) {
      const before = await countCustomers()
      const answers = await converse(port, [whole + whole + broken + second])
      assert.deepEqual(answers.map(statusAndCode), [
        [201, undefined],
        [201, undefined],
        [400, 'malformed_request'],
      ])
      assert.equal((await countCustomers()) - before, 2)
    }
  })

  test('a request that was answered before its body broke is not answered twice', async () => {
    const unauthorized = head.replace(/Authorization.*\r\n/, '')
    const answers = await converse(port, [`${unauthorized}${CHUNKED}\r\n`, `0x2\r\n${second}`])
    assert.deepEqual(answers.map(statusAndCode), [[401, 'missing_authorization']])
  })

  test('a request that expects 100 Continue gets it once, and is answered once', async () => {
    const expecting = `${head}Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    const answers = await converse(port, [expecting, body])
    assert.deepEqual(answers.map(statusAndCode), [[201, undefined]])
  })

  test('an offer to speak another protocol, or to be a tunnel, is not taken up', async () => {
    const upgrade = `GET /v2/customer HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n`
    for (const offer of ['Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n', 'Upgrade: websocket\r\n']) {
      const answers = await converse(port, [`${upgrade}${offer}\r\n`, second])
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [401, 201],
      )
    }
    const connect = await converse(port, [`CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n`, second])
    assert.deepEqual(connect.map(statusAndCode), [[405, 'method_not_allowed']])
  })

  async function countCustomers(): Promise<number> {
    const [row] = await db.query<{ count: number }>('select count(*)::int4 as count from customers')
    return row!.count
  }
})

function statusAndCode({ status, json }: Answer): [number, string | undefined] {
  return [status, json?.error?.code]
}
