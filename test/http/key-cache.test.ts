/** How long a key that was read is trusted, and how many are remembered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import type { Queries } from '../../src/engine/database/database.ts'
import { newSecretKey } from '../../src/engine/database/secrets.ts'
import { keysIn } from '../../src/features/api-keys/store.ts'
import { createAuthenticate } from '../../src/http/authentication.ts'
import { createRateLimiter } from '../../src/http/rate-limit.ts'

const AT = new Date('2026-07-01T10:00:00.000Z')

/** Knows every key; reads are counted, and fail or wait when the test says so. */
function startCache() {
  let nowMs = 0
  let reads = 0
  let touches = 0
  let answer: () => Promise<void> = async () => {}
  const state = { clock: AT, lastUsedAt: AT as Date | null, revokedAt: null as Date | null }
  const db: Queries = {
    query: async (text) => {
      if (text.includes('update')) {
        touches += 1
        return []
      }
      reads += 1
      const { lastUsedAt, revokedAt } = state
      await answer()
      return [
        {
          api_key_id: 'key_1',
          scopes: ['*'],
          book_id: 'bk_1',
          revoked_at: revokedAt,
          last_used_at: lastUsedAt,
        },
      ] as never[]
    },
  }
  const { authenticate } = createAuthenticate(keysIn(db), {
    takeFailure: createRateLimiter(),
    clock: () => state.clock,
    failuresPerMinute: 0,
    nowMs: () => nowMs,
  })
  return {
    state,
    use: async (key: string, connection = {}) =>
      authenticate({ authorization: `Bearer ${key}`, address: '127.0.0.1', connection }),
    reads: () => reads,
    touches: () => touches,
    at: (ms: number) => {
      nowMs = ms
    },
    answerWith: (next: () => Promise<void>) => {
      answer = next
    },
  }
}

test('each request of a connection is that of the key it was sent with', async () => {
  const { use, reads } = startCache()
  const connection = {}
  const [one, another] = [newSecretKey('test'), newSecretKey('test')]
  for (const key of [one, another, one]) assert.equal((await use(key, connection)).secretKey, key)
  assert.equal(reads(), 2)
  await assert.rejects(use('no key', connection))
  await assert.rejects(use(`${another.slice(0, -1)}-`, connection))
  assert.equal((await use(another, connection)).secretKey, another)
})

test('a key is read again in the background from 450 ms on, once, while what was read before is used', async () => {
  const { use, reads, at, answerWith } = startCache()
  const key = newSecretKey('test')
  await use(key)
  at(449)
  await use(key)
  assert.equal(reads(), 1)

  const slow = Promise.withResolvers<void>()
  answerWith(() => slow.promise)
  at(450)
  await use(key)
  await use(key)
  assert.equal(reads(), 2)
  slow.resolve()
  await settled()
  // It counts from when that read began.
  at(450 + 449)
  await use(key)
  assert.equal(reads(), 2)
})

test('a key is trusted for less than 900 ms: then a request waits for its own read', async () => {
  const { state, use, reads, at, answerWith } = startCache()
  const key = newSecretKey('test')
  await use(key)
  answerWith(() => Promise.reject(new Error('The database is away.')))
  at(899)
  await use(key)
  await settled()
  at(900)
  await assert.rejects(use(key), /away/)
  answerWith(async () => {})
  state.revokedAt = AT
  await assert.rejects(use(key), { failure: { code: 'api_key_revoked' } })
  assert.equal(reads(), 4)
})

test('ten thousand keys are remembered; one more, and the one read longest ago is forgotten', async () => {
  const { use, reads } = startCache()
  const keys = Array.from({ length: 10_001 }, () => newSecretKey('test'))
  for (const key of keys.slice(0, 10_000)) await use(key)
  await use(keys[0]!)
  assert.equal(reads(), 10_000)
  await use(keys[10_000]!)
  await use(keys[1]!)
  assert.equal(reads(), 10_001)
  await use(keys[0]!)
  assert.equal(reads(), 10_002)
})

test('the last use of a key is written when the one before is a minute old', async () => {
  const { state, use, touches } = startCache()
  state.lastUsedAt = new Date(AT.getTime() - 59_999)
  await use(newSecretKey('test'))
  assert.equal(touches(), 0)
  state.lastUsedAt = new Date(AT.getTime() - 60_000)
  await use(newSecretKey('test'))
  assert.equal(touches(), 1)
})
