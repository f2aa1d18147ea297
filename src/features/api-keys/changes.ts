/**
 * Keys made by keys, by people and by the operator. A key never makes, rolls or revokes a key with more access than its
 * own. A key that a person makes for the live book, and that can move money, rests until a day has passed or a second
 * administrator confirms it. Times of keys are real time, even in a test book whose clock was moved: a key must stop when
 * it is revoked.
 */
import type { Actor } from '../../domain/actor.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { type Authority, refuseEscalation } from '../../domain/authority.ts'
import type { Mode } from '../../domain/book.ts'
import {
  actorsOf,
  byOf,
  type Person,
  type PersonRefusal,
  type Rest,
  refuseConfirmation,
  restAfter,
} from '../../domain/people.ts'
import { refuse } from '../../domain/refusal.ts'
import { movesMoney } from '../../domain/scopes.ts'
import {
  type AnswerWriter,
  type Change,
  type EventDraft,
  made,
  nothing,
  type Origin,
  type ReadingContext,
  type Result,
  whatWasLocked,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { hashSecret, newSecretKey, secretKeyPrefix } from '../../engine/database/secrets.ts'
import { findActor } from '../people/changes.ts'
import { lockCaller } from '../people/store.ts'
import { ApiKeyRecord } from './record.ts'
import { endApiKey, endRest, insertApiKeys, lockApiKey } from './store.ts'

const SECOND_MS = 1000

/** The only place where the key itself is available: afterwards only its hash is stored. */
export type IssuedKey = ApiKey & { key: string; mode: Mode }

type KeyTerms = Pick<ApiKey, 'name' | 'scopes' | 'expiresAt' | 'rateLimitPerMinute'>

/** null: the same expiry or limit as the key that makes it. */
type CreationRequest = KeyTerms & { held: Authority }
/** What a person makes may rest. */
type By = { actor: Actor }
type Maker = Person | undefined

const creation: Change<CreationRequest & By, void, Maker, IssuedKey> = {
  batchMax: 1,
  lock: nothing,
  read: readMaker,
  decider:
    (maker, { book, now }) =>
    ({ held, actor, ...asked }) => {
      const terms = {
        name: asked.name,
        scopes: [...new Set(asked.scopes)],
        expiresAt: asked.expiresAt ?? held.endsAt,
        rateLimitPerMinute: asked.rateLimitPerMinute ?? (held.rateLimitPerMinute || null),
      }
      const refusal = refuseEscalation(held, { ...terms, endsAt: terms.expiresAt })
      if (refusal !== null) return refusal
      if (asked.expiresAt !== null && asked.expiresAt <= now) return refuse('expires_at_in_past')
      const rest = restOf({ scopes: terms.scopes, rest: null }, { actor, maker, mode: book.mode, now })
      return made({ ...newKey(terms, book.mode, now), rest })
    },
  write(tx, bookId, keys, recording) {
    for (const key of keys) insertApiKeys(tx, bookId, [{ ...key, keyHash: hashSecret(key.key) }])
    record(tx, bookId, recording)
  },
  events: (key) => [keyEvent('api_key.created', key, key.mode)],
}

export function createApiKey(
  engine: Engine,
  origin: Origin,
  request: CreationRequest,
  answer?: AnswerWriter<IssuedKey>,
): Promise<Result<IssuedKey>> {
  return engine.submit(creation, origin, { ...request, actor: origin.actor }, answer)
}

type RevocationRequest = { apiKeyId: string; held: Authority }
type Revocation = { key: ApiKey; mode: Mode; wasActive: boolean }

const revocation: Change<RevocationRequest, ApiKey | undefined, ApiKey | undefined, Revocation> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockApiKey(tx, bookId, request!.apiKeyId),
  read: whatWasLocked,
  decider:
    (key, { book, now }) =>
    ({ held }) => {
      if (key === undefined) return refuse('api_key_not_found')
      const refusal = refuseEscalation(held, authorityOf(key))
      if (refusal !== null) return refusal
      const wasActive = key.revokedAt === null || key.revokedAt > now
      return made({ key: wasActive ? { ...key, revokedAt: now } : key, mode: book.mode, wasActive })
    },
  write(tx, bookId, revocations, recording) {
    for (const { key, wasActive } of revocations) {
      if (wasActive) endApiKey(tx, bookId, key)
    }
    record(tx, bookId, recording)
  },
  events: ({ key, mode, wasActive }) => (wasActive ? [keyEvent('api_key.revoked', key, mode)] : []),
}

export function revokeApiKey(
  engine: Engine,
  origin: Origin,
  request: RevocationRequest,
  answer?: AnswerWriter<Revocation>,
): Promise<Result<Revocation>> {
  return engine.submit(revocation, origin, request, answer)
}

type RollRequest = { apiKeyId: string; overlapSeconds: number; held: Authority }
type Roll = { successor: IssuedKey; ended: Pick<ApiKey, 'apiKeyId' | 'revokedAt'> | null }

/** The successor has the access of the key; the key itself stops when the overlap ends. */
const roll: Change<RollRequest & By, ApiKey | undefined, { key: ApiKey | undefined; maker: Maker }, Roll> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockApiKey(tx, bookId, request!.apiKeyId),
  read: async (tx, at, key) => ({ key, maker: await readMaker(tx, at) }),
  decider:
    ({ key, maker }, { book, now }) =>
    ({ overlapSeconds, held, actor }) => {
      if (key === undefined) return refuse('api_key_not_found')
      const ends = [key.revokedAt, key.expiresAt].filter((end) => end !== null)
      if (ends.some((end) => end <= now)) return refuse('api_key_not_active')
      // The successor ends with its own expiry alone, so it would outlive a key that is in its overlap.
      const refusal = refuseEscalation(held, authorityOf({ ...key, revokedAt: null }))
      if (refusal !== null) return refusal
      const at = new Date(now.getTime() + overlapSeconds * SECOND_MS)
      const endsLater = key.revokedAt === null || key.revokedAt > at
      const rest = restOf(key, { actor, maker, mode: book.mode, now })
      return made({
        successor: { ...newKey(key, book.mode, now), rootKeyId: key.rootKeyId ?? key.apiKeyId, rest },
        ended: endsLater ? { apiKeyId: key.apiKeyId, revokedAt: at } : null,
      })
    },
  write(tx, bookId, rolls, recording) {
    for (const { successor, ended } of rolls) {
      if (ended !== null) endApiKey(tx, bookId, ended)
      insertApiKeys(tx, bookId, [{ ...successor, keyHash: hashSecret(successor.key) }])
    }
    record(tx, bookId, recording)
  },
  events: ({ successor }) => [keyEvent('api_key.rolled', successor, successor.mode)],
}

export function rollApiKey(
  engine: Engine,
  origin: Origin,
  request: RollRequest,
  answer?: AnswerWriter<Roll>,
): Promise<Result<Roll>> {
  return engine.submit(roll, origin, { ...request, actor: origin.actor }, answer)
}

/** The rest of a new key. A successor that somebody else makes goes on with that of its predecessor. */
function restOf(
  { scopes, rest }: Pick<ApiKey, 'scopes' | 'rest'>,
  { actor, maker, mode, now }: By & { maker: Maker; mode: Mode; now: Date },
): Rest | null {
  const rests = mode === 'live' && movesMoney(scopes)
  return rests ? restAfter(rest, actorsOf(byOf(actor), maker, now), now) : rest
}

function readMaker(tx: Queries, { book, requests }: Pick<ReadingContext<By>, 'book' | 'requests'>) {
  return findActor(tx, requests[0]!.actor, book.callerId)
}

type ConfirmationRequest = By & { apiKeyId: string; callerId: string }
type KnownConfirmer = { key: ApiKey | undefined; confirmer: Person | undefined }
export type ConfirmedKey = { outcome: 'confirmed'; key: ApiKey; mode: Mode }

/** Its refusals are values: the API has no such operation. */
const confirmation: Change<
  ConfirmationRequest,
  KnownConfirmer,
  KnownConfirmer,
  ConfirmedKey | PersonRefusal
> = {
  batchMax: 1,
  lock: async (tx, bookId, [request]) => {
    const { apiKeyId, callerId, actor } = request!
    const [, key] = await Promise.all([lockCaller(tx, callerId), lockApiKey(tx, bookId, apiKeyId)])
    return { key, confirmer: await findActor(tx, actor, callerId) }
  },
  read: whatWasLocked,
  decider:
    ({ key, confirmer }, { book, now }) =>
    () => {
      if (key === undefined) return refuse('api_key_not_found')
      const refusal = refuseConfirmation(key.rest, confirmer, now)
      return made(refusal ?? { outcome: 'confirmed', key: { ...key, rest: null }, mode: book.mode })
    },
  write(tx, bookId, [value], recording) {
    if (value!.outcome === 'confirmed') endRest(tx, bookId, value!.key.apiKeyId)
    record(tx, bookId, recording)
  },
  events: (value) =>
    value.outcome === 'confirmed' ? [keyEvent('api_key.confirmed', value.key, value.mode)] : [],
}

/** A second administrator confirms: the key changes things from now on. */
export function confirmApiKey(
  engine: Engine,
  origin: Origin,
  apiKeyId: string,
): Promise<Result<ConfirmedKey | PersonRefusal>> {
  const { actor, book } = origin
  return engine.submit(confirmation, origin, { apiKeyId, actor, callerId: book.callerId })
}

export function newKey(terms: KeyTerms, mode: Mode, at: Date): IssuedKey {
  const key = newSecretKey(mode)
  return {
    apiKeyId: newId('key'),
    rootKeyId: null,
    keyPrefix: secretKeyPrefix(key),
    name: terms.name,
    scopes: terms.scopes,
    rateLimitPerMinute: terms.rateLimitPerMinute,
    expiresAt: terms.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: at,
    rest: null,
    key,
    mode,
  }
}

/** A key that was rolled ends with its overlap. */
export function authorityOf(key: ApiKey): Authority {
  const { scopes, expiresAt, revokedAt, rateLimitPerMinute } = key
  const endsAt = expiresAt === null || (revokedAt !== null && revokedAt < expiresAt) ? revokedAt : expiresAt
  return { scopes, endsAt, rateLimitPerMinute }
}

/** The event is for the audit log alone. */
function keyEvent(type: string, key: ApiKey, mode: Mode): EventDraft {
  return {
    type,
    announced: false,
    subjectId: key.apiKeyId,
    data: ApiKeyRecord.json({ ...key, mode }),
    changes: null,
  }
}
