/**
 * Keys made by keys. A key never makes or rolls one that may do more than itself. Times of keys are real time also in a
 * test book whose clock was moved: a key must stop when it is revoked.
 */

import type { Service } from '../../cli/compose.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Answered, Made, Origin } from '../../engine/change/change.ts'
import { successBody } from '../../wire/envelope.ts'
import { grants, type Scope } from '../../wire/scopes.ts'
import { issueKey } from '../callers/changes.ts'
import { apiKeyData, issuedKeyData, type NewApiKey } from './record.ts'
import { type ApiKey, endApiKey, lockApiKey } from './store.ts'

const SECOND_MS = 1000

type Asker = { service: Service; origin: Origin; heldScopes: readonly string[] }

export function createApiKey(
  { service, origin, heldScopes }: Asker,
  body: NewApiKey,
): Promise<Answered | Refusal> {
  return service.perform(origin, {
    lock: async () => undefined,
    decide: async (tx) => {
      const at = service.clock()
      const scopes = [...new Set(body.scopes)]
      if (!mayGive(heldScopes, scopes)) return refuse('scope_escalation')
      if (body.expires_at !== undefined && body.expires_at <= at) return refuse('expires_at_in_past')
      const issued = await issueKey(tx, origin.book, {
        name: body.name ?? null,
        scopes,
        at,
        expiresAt: body.expires_at ?? null,
        rateLimitPerMinute: body.rate_limit_per_minute ?? null,
      })
      return {
        outcome: 'made',
        status: 201,
        body: successBody('The key was created. It is shown only this once.', issuedKeyData(issued)),
        sealed: true,
        event: keyEvent('api_key.created', issued, origin),
      }
    },
  })
}

export function revokeApiKey({ service, origin }: Asker, apiKeyId: string): Promise<Answered | Refusal> {
  return service.perform(origin, {
    lock: (tx) => lockApiKey(tx, origin.book.bookId, apiKeyId),
    decide: async (tx, key) => {
      if (key === undefined) return refuse('api_key_not_found')
      const at = service.clock()
      const ended = key.revokedAt !== null && key.revokedAt <= at
      const revoked = ended ? key : { ...key, revokedAt: at }
      if (!ended) endApiKey(tx, origin.book.bookId, { apiKeyId, at })
      return {
        outcome: 'made',
        status: 200,
        body: successBody('The key was revoked.', apiKeyData(revoked, origin.book.mode)),
        event: ended ? null : keyEvent('api_key.revoked', revoked, origin),
      }
    },
  })
}

/** The successor may do what the key may; the key itself stops when the overlap is over. */
export function rollApiKey(
  { service, origin, heldScopes }: Asker,
  asked: { apiKeyId: string; overlapSeconds: number },
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  return service.perform(origin, {
    lock: (tx) => lockApiKey(tx, bookId, asked.apiKeyId),
    decide: async (tx, key) => {
      if (key === undefined) return refuse('api_key_not_found')
      const at = service.clock()
      const ends = [key.revokedAt, key.expiresAt].filter((end) => end !== null)
      if (ends.some((end) => end <= at)) return refuse('api_key_not_active')
      if (!mayGive(heldScopes, key.scopes)) return refuse('scope_escalation')
      const overlapEnd = new Date(at.getTime() + asked.overlapSeconds * SECOND_MS)
      if (key.revokedAt === null || key.revokedAt > overlapEnd) {
        endApiKey(tx, bookId, { apiKeyId: key.apiKeyId, at: overlapEnd })
      }
      const successor = await issueKey(tx, origin.book, { ...key, at })
      return {
        outcome: 'made',
        status: 201,
        body: successBody(
          'The key was rolled. The new one is shown only this once.',
          issuedKeyData(successor),
        ),
        sealed: true,
        event: keyEvent('api_key.rolled', successor, origin),
      }
    },
  })
}

function mayGive(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => grants(held, scope as Scope))
}

/** Told to nobody but the audit log. */
function keyEvent(type: string, key: ApiKey, origin: Origin): Made['event'] {
  return {
    type,
    announced: false,
    subjectId: key.apiKeyId,
    data: JSON.stringify(apiKeyData(key, origin.book.mode)),
    changes: null,
  }
}
