/** A token bucket per name: it holds a minute's worth and refills evenly, so a burst is served and a flood is not. */
import type { FastifyReply } from 'fastify'
import { FailureError } from '../wire/failure.ts'

export type Taken = { allowed: boolean; remaining: number; retryAfterSeconds: number }

/** A promise where several processes count together. Not called where the limit is 0, which is none. */
export type Take = (name: string, perMinute: number) => Taken | Promise<Taken>

/** Names count separately for each of these. */
export type CreateTake = (counted: 'keys' | 'failures' | 'sign-ins') => Take

const MINUTE_MS = 60_000
const BUCKETS_MAX = 100_000

export function createRateLimiter(nowMs: () => number = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>()

  /** Takes as many as are wanted, or as there are; `allowed`: at least one. */
  return function take(name: string, perMinute: number, wanted = 1): Taken & { count: number } {
    const now = nowMs()
    const bucket = buckets.get(name) ?? { tokens: perMinute, filledAtMs: now }
    const refilled = ((now - bucket.filledAtMs) * perMinute) / MINUTE_MS
    const tokens = Math.min(perMinute, bucket.tokens + refilled)
    const count = Math.min(wanted, Math.floor(tokens))
    const allowed = count >= 1
    const left = tokens - count
    // The bucket used longest ago is the fullest: dropping it forgets the least.
    buckets.delete(name)
    buckets.set(name, { tokens: left, filledAtMs: now })
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value!)
    return {
      allowed,
      count,
      remaining: Math.floor(left),
      retryAfterSeconds: allowed ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000),
    }
  }
}

/** The limit of a key, shown in the headers of every response; a key may have its own. */
export function createKeyLimit(perMinuteDefault: number, take: Take) {
  /** A promise where several processes count together. */
  return function limitRate(
    key: { apiKeyId: string; rateLimitPerMinute: number | null },
    reply: FastifyReply,
  ): void | Promise<void> {
    const perMinute = key.rateLimitPerMinute ?? perMinuteDefault
    if (perMinute === 0) return
    const taken = take(key.apiKeyId, perMinute)
    return taken instanceof Promise
      ? taken.then((late) => answer(reply, perMinute, late))
      : answer(reply, perMinute, taken)
  }

  function answer(reply: FastifyReply, perMinute: number, taken: Taken): void {
    reply.header('ratelimit-policy', `"key";q=${perMinute};w=60`)
    reply.header('ratelimit', `"key";r=${taken.remaining};t=${Math.ceil(60 / perMinute)}`)
    if (!taken.allowed) throw rateLimited(taken)
  }
}

export function rateLimited({ retryAfterSeconds }: Taken): FailureError {
  return new FailureError({ code: 'rate_limited' }, { 'retry-after': String(retryAfterSeconds) })
}
