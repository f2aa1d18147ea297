import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from '../../src/http/rate-limit.ts'
import { forEachEngine } from '../support/engines.ts'
import { startService } from '../support/service.ts'

test('a bucket serves the requests of a minute in a burst, then one per refill', () => {
  let nowMs = 0
  const take = createRateLimiter(() => nowMs)
  for (let n = 59; n >= 0; n -= 1) {
    assert.deepEqual(take('key', 60), { allowed: true, count: 1, remaining: n, retryAfterSeconds: 0 })
  }
  assert.deepEqual(take('key', 60), { allowed: false, count: 0, remaining: 0, retryAfterSeconds: 1 })
  nowMs = 999
  assert.equal(take('key', 60).allowed, false)
  nowMs = 1000
  assert.equal(take('key', 60).allowed, true)
  assert.equal(take('key', 60).allowed, false)
  assert.equal(take('other', 60).allowed, true, 'each name has its own bucket')
  nowMs = 10 * 60_000
  assert.equal(take('key', 60).remaining, 59, 'a bucket never holds more than a minute')
})

test('several are given at once, or as many as there are', () => {
  const take = createRateLimiter(() => 0)
  assert.deepEqual(take('key', 5, 3), { allowed: true, count: 3, remaining: 2, retryAfterSeconds: 0 })
  assert.deepEqual(take('key', 5, 3), { allowed: true, count: 2, remaining: 0, retryAfterSeconds: 0 })
  assert.deepEqual(take('key', 5, 3), { allowed: false, count: 0, remaining: 0, retryAfterSeconds: 12 })
})

test('a hundred thousand buckets are kept; the next one replaces the one used longest ago', () => {
  const take = createRateLimiter(() => 0)
  const fill = (from: number, to: number) => {
    for (let name = from; name < to; name += 1) take(String(name), 1)
  }
  fill(0, 100_000)
  // Asking makes it the one used last, and 1 the one used longest ago.
  assert.equal(take('0', 1).allowed, false)
  fill(100_000, 100_001)
  assert.equal(take('0', 1).allowed, false)
  assert.equal(take('1', 1).allowed, true)
})

forEachEngine(({ test }) => {
  test('a key is limited by the service, unless it has a limit of its own', async (db) => {
    const { ask, askWith } = await startService(db, { limits: { rateLimitPerMinute: 3 } })
    const first = await ask('GET', '/v2/api-keys/current')
    assert.equal(first.headers['ratelimit-policy'], '"key";q=3;w=60')
    assert.equal(first.headers.ratelimit, '"key";r=2;t=20')
    const body = { scopes: ['*'], rate_limit_per_minute: 0 }
    const free = askWith((await ask('POST', '/v2/api-keys', body)).json.data.key)
    assert.equal((await ask('GET', '/v2/customer')).status, 200)
    const refused = await ask('GET', '/v2/customer')
    assert.deepEqual([refused.status, refused.json.error.code], [429, 'rate_limited'])
    assert.equal(refused.json.error.retryable, true)
    assert.match(String(refused.headers['retry-after']), /^(19|20)$/)
    for (let n = 0; n < 10; n += 1) {
      const answer = await free('GET', '/v2/customer')
      assert.deepEqual([answer.status, answer.headers.ratelimit], [200, undefined])
    }
  })

  test('the limit comes after authentication and before the scope', async (db) => {
    const { ask, askWith } = await startService(db, { limits: { rateLimitPerMinute: 2 } })
    const { key } = (await ask('POST', '/v2/api-keys', { scopes: ['ledger:read'] })).json.data
    const narrow = askWith(key)
    assert.equal((await narrow('GET', '/v2/customer')).status, 403)
    assert.equal((await narrow('GET', '/v2/customer')).status, 403)
    assert.equal((await narrow('GET', '/v2/customer')).status, 429)
    assert.equal((await askWith('bw_test_wrong')('GET', '/v2/customer')).status, 401)
  })

  test('an address that keeps guessing keys is rejected, and a good key still works from it', async (db) => {
    const { ask, askWith } = await startService(db, { limits: { failedAuthenticationsPerMinute: 5 } })
    const guess = askWith('bw_test_wrong')
    for (let n = 0; n < 5; n += 1) assert.equal((await guess('GET', '/v2/customer')).status, 401)
    const refused = await guess('GET', '/v2/customer')
    assert.deepEqual([refused.status, refused.json.error.code], [429, 'rate_limited'])
    assert.equal((await ask('GET', '/v2/customer')).status, 200)
  })
})
