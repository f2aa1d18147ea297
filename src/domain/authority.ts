/**
 * What a key may do, and until when. Nobody can grant, change or revoke more access than they have: this one rule
 * covers everything that grants access.
 */
import { type Refusal, refuse } from './refusal.ts'
import { grants } from './scopes.ts'

export type Authority = {
  scopes: readonly string[]
  /** When it ends; null: never. */
  endsAt: Date | null
  /** Its own rate limit; null: none of its own; 0: unlimited. Neither restricts what it may grant. */
  rateLimitPerMinute: number | null
}

/** The operator's authority, on the command line. */
export const FULL_AUTHORITY: Authority = { scopes: ['*'], endsAt: null, rateLimitPerMinute: null }

/** null: the other key has no more access than this one. */
export function refuseEscalation(held: Authority, other: Authority): Refusal | null {
  if (!other.scopes.every((scope) => grants(held.scopes, scope))) return refuse('scope_escalation')
  if (held.endsAt !== null && (other.endsAt === null || other.endsAt > held.endsAt)) {
    return refuse('key_escalation', { expires_at: held.endsAt.toISOString() })
  }
  if (limitOf(other) > limitOf(held)) {
    return refuse('key_escalation', { rate_limit_per_minute: String(held.rateLimitPerMinute) })
  }
  return null
}

function limitOf({ rateLimitPerMinute }: Authority): number {
  return rateLimitPerMinute || Number.POSITIVE_INFINITY
}
