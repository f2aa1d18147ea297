import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { createClientAddresses } from '../../src/http/client-address.ts'
import { forEachEngine } from '../support/engines.ts'
import { startService } from '../support/service.ts'

function addressOf(
  trustedProxies: readonly string[],
  peer: string | undefined,
  forwardedFor?: string,
): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const request = { socket: { remoteAddress: peer }, headers } as IncomingMessage
  return createClientAddresses({ trustedProxies, logged: false }).addressOf(request)
}

const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']

const cases: [name: string, peer: string | undefined, forwardedFor: string | undefined, address: string][] = [
  ['no header', '10.0.0.1', undefined, '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['a client that speaks for itself', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a client behind one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what the client sent before it', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['a client that claims to be a proxy', '10.0.0.1', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
  ['a chain of proxies', '192.0.2.7', '203.0.113.9, 10.1.1.1,2001:db8::5', '203.0.113.9'],
  ['proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the address beside a trusted one', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
  ['a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:DB9::1]:4711', '2001:db9::1'],
  ['a mapped address', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['no address behind one', '10.0.0.1', '203.0.113.9, <script>', '10.0.0.1'],
  ['a connection that is gone', undefined, '203.0.113.9', 'unknown'],
]

for (const [name, peer, forwardedFor, address] of cases) {
  test(`the client address with ${name}`, () => assert.equal(addressOf(PROXIES, peer, forwardedFor), address))
}

test('without trusted proxies X-Forwarded-For is ignored', () => {
  assert.equal(addressOf([], '10.0.0.1', '203.0.113.9'), '10.0.0.1')
})

test('whatever a client sends, it cannot choose the address that its proxy names', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())), (forged) => {
      assert.equal(addressOf(PROXIES, '10.0.0.1', [...forged, '203.0.113.9'].join(',')), '203.0.113.9')
      assert.equal(addressOf(PROXIES, '203.0.113.9', forged.join(',')), '203.0.113.9')
    }),
  )
})

test('the log shows a salted hash, or the address where that is configured', () => {
  const hashed = createClientAddresses({ trustedProxies: [], logged: false })
  const other = createClientAddresses({ trustedProxies: [], logged: false })
  assert.match(hashed.shown('203.0.113.9'), /^[\w-]{16}$/)
  assert.equal(hashed.shown('203.0.113.9'), hashed.shown('203.0.113.9'))
  assert.notEqual(hashed.shown('203.0.113.9'), hashed.shown('203.0.113.8'))
  assert.notEqual(hashed.shown('203.0.113.9'), other.shown('203.0.113.9'))
  assert.equal(createClientAddresses({ trustedProxies: [], logged: true }).shown('::1'), '::1')
})

test('only a trusted proxy says that its client uses TLS', () => {
  const isSecure = (trustedProxies: readonly string[], peer: string, proto?: string) =>
    createClientAddresses({ trustedProxies, logged: false }).isSecure({
      socket: { remoteAddress: peer },
      headers: { ...(proto !== undefined && { 'x-forwarded-proto': proto }), 'x-forwarded-for': '10.0.0.1' },
    } as unknown as IncomingMessage)
  assert.equal(isSecure(PROXIES, '10.0.0.1', 'https'), true)
  assert.equal(isSecure(PROXIES, '::ffff:192.0.2.7', 'https'), true)
  for (const proto of [undefined, 'http', 'HTTPS', 'https, http', '']) {
    assert.equal(isSecure(PROXIES, '10.0.0.1', proto), false, proto)
  }
  for (const stranger of ['203.0.113.9', '192.0.2.8', '11.0.0.1', '127.0.0.1']) {
    assert.equal(isSecure(PROXIES, stranger, 'https'), false, stranger)
  }
  assert.equal(isSecure([], '10.0.0.1', 'https'), false)
})

forEachEngine(({ test }) => {
  test('behind a trusted proxy wrong keys are counted for each client', async (db) => {
    const { askWith, close } = await startService(db, {
      limits: { failedAuthenticationsPerMinute: 2 },
      clients: createClientAddresses({ trustedProxies: ['127.0.0.1'], logged: false }),
    })
    const guessFrom = async (forwardedFor: string) =>
      (await askWith('bw_test_wrong')('GET', '/v2/customer', undefined, { 'x-forwarded-for': forwardedFor }))
        .status
    assert.deepEqual([await guessFrom('203.0.113.9'), await guessFrom('203.0.113.9')], [401, 401])
    assert.equal(await guessFrom('203.0.113.9'), 429)
    assert.equal(await guessFrom('198.51.100.1, 203.0.113.9'), 429)
    assert.equal(await guessFrom('203.0.113.10'), 401)
    await close()
  })

  test('without one they are counted for the connection, whatever it forwards', async (db) => {
    const { askWith, close } = await startService(db, { limits: { failedAuthenticationsPerMinute: 2 } })
    const statuses = []
    for (const forged of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const headers = { 'x-forwarded-for': forged }
      statuses.push((await askWith('bw_test_wrong')('GET', '/v2/customer', undefined, headers)).status)
    }
    assert.deepEqual(statuses, [401, 401, 429])
    await close()
  })
})
