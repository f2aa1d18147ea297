import { type Static, Type } from 'typebox'
import type { ApiKey } from '../../domain/api-key.ts'
import type { Mode } from '../../domain/book.ts'
import { SCOPES } from '../../domain/scopes.ts'
import { Choice, Instant, ListOf, PlainText, WholeNumber } from '../../wire/fields.ts'
import {
  apiKeyId,
  count,
  createdAt,
  instant,
  kind,
  listOf,
  type Members,
  mode,
  oneOf,
  orNull,
  record,
  text,
} from '../../wire/record.ts'

const NAME = 'A name for people.'
const MAY_DO = 'What the key may do.'
const RATE_LIMIT = 'Requests a minute; 0 is no limit, null the setting of the service.'

export const NewApiKey = Type.Object({
  name: Type.Optional(PlainText({ max: 100, description: NAME })),
  scopes: ListOf(Choice(SCOPES, { title: 'Scope' }), { min: 1, max: SCOPES.length, description: MAY_DO }),
  expires_at: Type.Optional(Instant({ description: 'When it stops working; never if left out.' })),
  rate_limit_per_minute: Type.Optional(WholeNumber({ min: 0, max: 1_000_000, description: RATE_LIMIT })),
})
export type NewApiKey = Static<typeof NewApiKey>

const OVERLAP_MAX_SECONDS = 604_800

/** How long the old key still works after the new one was made. */
export const Overlap = Type.Object({
  overlap_seconds: Type.Optional(
    WholeNumber({
      min: 0,
      max: OVERLAP_MAX_SECONDS,
      description: 'How long the old key still works after the new one was made; 0 if left out.',
    }),
  ),
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

type ShownApiKey = ApiKey & { mode: Mode }

const id: Members<ShownApiKey> = { api_key_id: apiKeyId.of((key) => key.apiKeyId) }

const terms: Members<ShownApiKey> = {
  key_prefix: text.as('Its first characters, to recognise it by.', (key) => key.keyPrefix),
  name: orNull(text).as(NAME, (key) => key.name),
  mode: mode.of((key) => key.mode),
  scopes: listOf(oneOf('Scope', SCOPES)).as(MAY_DO, (key) => key.scopes),
  rate_limit_per_minute: orNull(count).as(RATE_LIMIT, (key) => key.rateLimitPerMinute),
  expires_at: orNull(instant).as('When it stops working, or null.', (key) => key.expiresAt),
  revoked_at: orNull(instant).as('When it was or will be revoked, or null.', (key) => key.revokedAt),
  last_used_at: orNull(instant).as('When it was used last, to the minute, or null.', (key) => key.lastUsedAt),
  created_at: createdAt.of((key) => key.createdAt),
}

export const ApiKeyRecord = record<ShownApiKey>('ApiKey', { ...id, ...terms })

const secretKey = kind<string>(Type.String({ pattern: '^bw_(test|live)_[0-9A-Za-z]{38}$' }), (value) => value)

/** The only answer that contains the key itself. */
export const IssuedApiKeyRecord = record<ShownApiKey & { key: string }>('IssuedApiKey', {
  ...id,
  key: secretKey.as('The key itself, shown only in this answer.', ({ key }) => key),
  ...terms,
})
