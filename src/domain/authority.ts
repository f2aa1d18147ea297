/**
 * What a key may do, and for how long. Nobody gives, changes or takes away more than they have: this one rule decides it
 * for everything that hands out access.
 */
import { type Refusal, refuse } from './refusal.ts'
import { grants } from './scopes.ts'

export type Authority = {
  scopes: readonly string[]
  /** When it ends; null: never. */
  endsAt: Date | null
  /** Its own limit. null is none of its own, 0 is none at all: neither holds back what it gives to others. */
  rateLimitPerMinute: number | null
}

/** The operator's, on the command line. */
export const FULL_AUTHORITY: Authority = { scopes: ['*'], endsAt: null, rateLimitPerMinute: null }

/** null: the other may do no more than what is held. */
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
