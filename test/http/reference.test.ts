import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { createClientAddresses } from '../../src/http/client-address.ts'
import { registerReference } from '../../src/http/reference.ts'
import { release } from '../../src/observe/release.ts'

let app: FastifyInstance
beforeEach(() => {
  app = referenceBehind([])
})

type Shown = Parameters<typeof registerReference>[1]

function referenceBehind(trustedProxies: readonly string[], shown?: Shown): FastifyInstance {
  const server = Fastify()
  createClientAddresses({ trustedProxies, logged: false }).decorate(server)
  registerReference(server, shown)
  return server
}

test('only a reader on the same machine gets the key of the demo bank', async () => {
  const key = 'bw_test_0123456789'
  const server = referenceBehind(['127.0.0.1'], { demo: { key, depositId: 'fd_1', customerId: 'cus_1' } })
  for (const [asked, isShown] of [
    [{}, true],
    [{ headers: { host: '127.0.0.1:8080' } }, true],
    [{ remoteAddress: '192.0.2.1' }, false],
    [{ headers: { host: 'bank.example' } }, false],
    [{ headers: { 'x-forwarded-for': '192.0.2.1' } }, false],
    [{ headers: { 'x-forwarded-for': '127.0.0.1' } }, false],
  ] as const) {
    const { body, headers } = await server.inject({ url: '/docs', ...asked })
    assert.equal(body.includes(`data-demo="${key} fd_1 cus_1"`), isShown, JSON.stringify(asked))
    assert.equal(headers['cache-control'], 'private, no-cache')
  }
  assert(!(await app.inject({ url: '/docs' })).body.includes('data-demo'))
})

test('the page and the document come compressed, and as 304 to a client that has them', async () => {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const { version, commit } = release()
  const served = { ...document, info: { ...document.info, version, ...(commit && { 'x-commit': commit }) } }
  for (const [url, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/v2/openapi.json', 'application/json; charset=utf-8'],
  ] as const) {
    const plain = await app.inject({ url })
    if (url !== '/docs') assert.deepEqual(JSON.parse(plain.body), served)
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': encoding } })
      assert.equal(headers['content-type'], type)
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers['content-length'], String(rawPayload.length))
      assert(rawPayload.length * 8 < plain.rawPayload.length)
      assert(decode(rawPayload).equals(plain.rawPayload))
      const again = await app.inject({
        url,
        headers: { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) },
      })
      assert.equal(again.statusCode, 304)
      assert.equal(again.body, '')
    }
  }
})

test('the script that the page names is cached permanently, and one of another version is revalidated', async () => {
  const { body } = await app.inject({ url: '/docs' })
  const url = /<script type="module" src="([^"]+)"/.exec(body)![1]!
  for (const [asked, caching] of [
    [url, 'public, max-age=31536000, immutable'],
    [`${url}x`, 'no-cache'],
    ['/docs/reference.js', 'no-cache'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url: asked, headers: { 'accept-encoding': 'br' } })
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], caching)
    assert.equal(headers['content-encoding'], 'br')
    assert(Number(headers['content-length']) < 8_192)
  }
})

test('every script that another one imports is served beside it', async () => {
  const { body } = await app.inject({ url: '/docs' })
  const scripts = new Set([/<script type="module" src="([^"]+)"/.exec(body)![1]!])
  for (const url of scripts) {
    const { statusCode, body: script } = await app.inject({ url })
    assert.equal(statusCode, 200, url)
    for (const [, name] of script.matchAll(/ from '\.\/([^']+)'/g)) scripts.add(`/docs/${name}`)
  }
  assert(scripts.has('/docs/search.js'))
})

test('requests on the page go to the host that the browser used', async () => {
  for (const [host, origin] of [
    ['bank.example', 'http://bank.example'],
    ['Bank.Example:80', 'http://bank.example'],
    ['10.0.0.7:8443', 'http://10.0.0.7:8443'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['break_water:9000', 'http://break_water:9000'],
    ['a'.repeat(260), `http://${'a'.repeat(260)}`],
  ] as const) {
    const { body, headers } = await app.inject({ url: '/docs', headers: { host } })
    assert(body.includes(`curl ${origin}/v2/customer`), host)
    assert(!body.includes('127.0.0.1:8080'), host)
    assert.equal(headers['cache-control'], 'private, no-cache')
  }
})

test('where the public URL is known the page shows no other host, and no key goes over plain HTTP', async () => {
  const server = referenceBehind([], { publicUrl: 'https://bank.example' })
  for (const host of ['bank.example', 'evil.example', '127.0.0.1:8080']) {
    const { body } = await server.inject({ url: '/docs', headers: { host } })
    assert(body.includes('curl https://bank.example/v2/customer'), host)
    assert(!/http:\/\/(?:bank|evil)\.example|127\.0\.0\.1:8080/.test(body), host)
  }
})

test('behind a trusted proxy that says so the scheme is https, and never anything but http and https', async () => {
  const proxied = referenceBehind(['127.0.0.1'])
  for (const [server, scheme, origin] of [
    [proxied, 'https', 'https://bank.example'],
    [proxied, 'http', 'http://bank.example'],
    [proxied, 'javascript', 'http://bank.example'],
    [app, 'https', 'http://bank.example'],
  ] as const) {
    const headers = { host: 'bank.example', 'x-forwarded-proto': scheme }
    const { body } = await server.inject({ url: '/docs', headers })
    assert(body.includes(`curl ${origin}/v2/customer`), scheme)
  }
})

test('a host that is no host is not shown', async () => {
  for (const host of [
    '<script>',
    'bank.example"onload=x',
    'bank.example/path',
    'user@bank.example',
    'bank.example;id',
    '$(id)',
    'bank.example:99999',
    'bank.example:',
    '-x',
    '[::1',
    '[::g]',
    'a'.repeat(261),
  ]) {
    const { body } = await app.inject({ url: '/docs', headers: { host } })
    assert(body.includes('curl http://127.0.0.1:8080/v2/customer'), host)
  }
})

test('many hosts do not make many pages: past a bound they share one', async (t) => {
  const now = performance.now()
  t.mock.method(performance, 'now', () => now)
  const origins: string[] = []
  for (let index = 0; index < 13; index += 1) {
    const { body } = await app.inject({ url: '/docs', headers: { host: `host-${index}` } })
    origins.push(/curl (http:\/\/[^/]+)\/v2\/customer/.exec(body)![1]!)
  }
  const made = origins.slice(0, 12).map((_, index) => `http://host-${index}`)
  assert.deepEqual(origins, [...made, 'http://127.0.0.1:8080'])
  const kept = await app.inject({ url: '/docs', headers: { host: 'host-8' } })
  assert(kept.body.includes('curl http://host-8/v2/customer'))
  const dropped = await app.inject({ url: '/docs', headers: { host: 'host-7' } })
  assert(dropped.body.includes('curl http://127.0.0.1:8080/v2/customer'))
})

test('the root leads to the reference, and says so in an envelope', async () => {
  const { statusCode, headers, body } = await app.inject({ url: '/' })
  assert.deepEqual([statusCode, headers.location], [302, '/docs'])
  assert.deepEqual(JSON.parse(body), { status: true, message: 'The reference is at /docs.', data: {} })
})
