/** A token bucket per name: it holds a minute's worth and refills evenly, so a burst is served and a flood is not. */
import type { FastifyReply } from 'fastify'
import { FailureError } from '../wire/failure.ts'

export type Taken = { allowed: boolean; remaining: number; retryAfterSeconds: number }

const MINUTE_MS = 60_000
const BUCKETS_MAX = 100_000

export function createRateLimiter(nowMs: () => number = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>()

  /** Not called where the limit is 0, which is none. */
  return function take(name: string, perMinute: number): Taken {
    const now = nowMs()
    const bucket = buckets.get(name) ?? { tokens: perMinute, filledAtMs: now }
    const refilled = ((now - bucket.filledAtMs) * perMinute) / MINUTE_MS
    const tokens = Math.min(perMinute, bucket.tokens + refilled)
    const allowed = tokens >= 1
    const left = allowed ? tokens - 1 : tokens
    // The bucket used longest ago is the fullest: dropping it forgets the least.
    buckets.delete(name)
    buckets.set(name, { tokens: left, filledAtMs: now })
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value!)
    return {
      allowed,
      remaining: Math.floor(left),
      retryAfterSeconds: allowed ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000),
    }
  }
}

/** The limit of a key, shown in the headers of every response; a key may have its own. */
export function createKeyLimit(perMinuteDefault: number) {
  const take = createRateLimiter()
  return function limitRate(
    key: { apiKeyId: string; rateLimitPerMinute: number | null },
    reply: FastifyReply,
  ): void {
    const perMinute = key.rateLimitPerMinute ?? perMinuteDefault
    if (perMinute === 0) return
    const taken = take(key.apiKeyId, perMinute)
    reply.header('ratelimit-policy', `"key";q=${perMinute};w=60`)
    reply.header('ratelimit', `"key";r=${taken.remaining};t=${Math.ceil(60 / perMinute)}`)
    if (!taken.allowed) throw rateLimited(taken)
  }
}

export function rateLimited({ retryAfterSeconds }: Taken): FailureError {
  return new FailureError({ code: 'rate_limited' }, { 'retry-after': String(retryAfterSeconds) })
}
