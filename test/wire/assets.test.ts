import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { answerAsset, cachingOf, createAsset } from '../../src/wire/assets.ts'

const content = Buffer.from('a deposit is broken, '.repeat(100))
const asset = await createAsset({ type: 'text/plain', content })

test('the answer is encoded as the client prefers, and the smaller way where it prefers none', () => {
  for (const [accepted, encoding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP ; Q=0.5 , BR ; Q=0.4', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['br;q=high', undefined],
  ]) {
    const { headers, body } = answerAsset(asset, { 'accept-encoding': accepted }, 'no-cache')
    assert.equal(headers['content-encoding'], encoding, accepted)
    assert.equal(headers.vary, 'accept-encoding')
    const decoded =
      encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    assert(decoded.equals(content), accepted)
    assert.equal(body.length < content.length, encoding !== undefined)
  }
})

test('a client that has these bytes is answered 304 without them, and any other gets them', () => {
  const br = answerAsset(asset, { 'accept-encoding': 'br' }, 'no-cache').headers.etag!
  const plain = answerAsset(asset, {}, 'no-cache').headers.etag!
  assert.notEqual(br, plain)
  for (const [known, status] of [
    [br, 304],
    [`W/${br}`, 304],
    [`"another", ${br}`, 304],
    ['*', 304],
    [plain, 200],
    ['"another"', 200],
    ['', 200],
  ] as const) {
    const answer = answerAsset(asset, { 'accept-encoding': 'br', 'if-none-match': known }, 'no-cache')
    assert.equal(answer.status, status, known)
    assert.equal(answer.body.length === 0, status === 304)
    assert.equal(answer.headers.etag, br)
    assert.equal(answer.headers['cache-control'], 'no-cache')
  }
})

test('only the version that the URL names may be cached permanently', async () => {
  const other = await createAsset({ type: 'text/plain', content: Buffer.from('another') })
  assert.equal(cachingOf(asset, asset.version), 'public, max-age=31536000, immutable')
  assert.equal(cachingOf(asset, other.version), 'no-cache')
  assert.equal(cachingOf(asset, undefined), 'no-cache')
})
