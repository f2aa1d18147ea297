import { type Static, Type } from 'typebox'
import type { Mode } from '../../domain/book.ts'
import { SCOPES } from '../../domain/scopes.ts'
import { timestamp } from '../../wire/envelope.ts'
import { Choice, Instant, ListOf, PlainText, WholeNumber } from '../../wire/fields.ts'

export const NewApiKey = Type.Object({
  name: Type.Optional(PlainText({ max: 100 })),
  scopes: ListOf(Choice(SCOPES, { title: 'Scope' }), { min: 1, max: SCOPES.length }),
  expires_at: Type.Optional(Instant()),
  rate_limit_per_minute: Type.Optional(WholeNumber({ min: 0, max: 1_000_000 })),
})
export type NewApiKey = Static<typeof NewApiKey>

const OVERLAP_MAX_SECONDS = 604_800

/** How long the old secret goes on working beside the new one. */
export const Overlap = Type.Object({
  overlap_seconds: Type.Optional(WholeNumber({ min: 0, max: OVERLAP_MAX_SECONDS })),
})
export type Overlap = Static<typeof Overlap>

export function keyTerms(body: NewApiKey) {
  return {
    name: body.name ?? null,
    scopes: body.scopes,
    expiresAt: body.expires_at ?? null,
    rateLimitPerMinute: body.rate_limit_per_minute ?? null,
  }
}

export type ShownApiKey = {
  apiKeyId: string
  keyPrefix: string
  name: string | null
  scopes: readonly string[]
  rateLimitPerMinute: number | null
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
}

export function apiKeyData(key: ShownApiKey, mode: Mode) {
  return {
    api_key_id: key.apiKeyId,
    key_prefix: key.keyPrefix,
    name: key.name,
    mode,
    scopes: key.scopes,
    rate_limit_per_minute: key.rateLimitPerMinute,
    expires_at: timestampOrNull(key.expiresAt),
    revoked_at: timestampOrNull(key.revokedAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    created_at: timestamp(key.createdAt),
  }
}

/** The only answer that holds the key itself. */
export function issuedKeyData(issued: ShownApiKey & { key: string; mode: Mode }) {
  const { api_key_id, ...rest } = apiKeyData(issued, issued.mode)
  return { api_key_id, key: issued.key, ...rest }
}

function timestampOrNull(instant: Date | null): string | null {
  return instant === null ? null : timestamp(instant)
}
