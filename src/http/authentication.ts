/**
 * A bearer key decides the book and the scopes. What was read of a key is trusted for half a second, so that a revoked
 * key stops within one second on every instance while a busy key costs two reads a second instead of thousands.
 */
import type { Scope } from '../contract/scopes.ts'
import { grants } from '../contract/scopes.ts'
import { type Authenticated, findByHash, hashSecretKey, isSecretKey, touchApiKey } from '../store/api-keys.ts'
import type { Queries } from '../store/database.ts'
import { FailureError } from './failure.ts'

const TRUSTED_MS = 500
const REMEMBERED_MAX = 10_000
const TOUCHED_EVERY_MS = 60_000

/** The key itself comes along, to seal what only its holder may read again. */
export type Identity = Authenticated & { secretKey: string }

export function createAuthenticate(db: Queries, clock: () => Date) {
  const remembered = new Map<string, { readAtMs: number; found: Promise<Authenticated | undefined> }>()

  return { authenticate, forget: () => remembered.clear() }

  async function authenticate(authorization: string | undefined): Promise<Identity> {
    if (authorization === undefined) throw unauthorized('missing_authorization')
    const key = bearerToken(authorization)
    if (key === null) throw unauthorized('malformed_authorization')
    const known = isSecretKey(key) ? await lookUp(hashSecretKey(key)) : undefined
    if (known === undefined) throw unauthorized('invalid_api_key')
    if (isPast(known.key.revokedAt)) throw unauthorized('api_key_revoked')
    if (isPast(known.key.expiresAt)) throw unauthorized('api_key_expired')
    return { ...known, secretKey: key }
  }

  function lookUp(keyHash: string): Promise<Authenticated | undefined> {
    const nowMs = performance.now()
    const earlier = remembered.get(keyHash)
    if (earlier !== undefined && nowMs - earlier.readAtMs < TRUSTED_MS) return earlier.found
    const found = findByHash(db, keyHash).then(touch)
    remembered.delete(keyHash)
    remembered.set(keyHash, { readAtMs: nowMs, found })
    if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
    // Neither a failure nor a stranger is remembered: the next request asks again.
    found.then(
      (known) => known ?? remembered.delete(keyHash),
      () => remembered.delete(keyHash),
    )
    return found
  }

  /** When a key was used last is a hint for people: told to the minute, and not worth failing a request for. */
  function touch(known: Authenticated | undefined): Authenticated | undefined {
    const at = clock()
    const lastUsedMs = known?.key.lastUsedAt?.getTime() ?? 0
    if (known !== undefined && at.getTime() - lastUsedMs >= TOUCHED_EVERY_MS) {
      touchApiKey(db, known.book.bookId, { apiKeyId: known.key.apiKeyId, at }).catch(() => undefined)
    }
    return known
  }

  function isPast(instant: Date | null): boolean {
    return instant !== null && instant <= clock()
  }
}

export function requireScope(held: readonly string[], needed: Scope | null): void {
  if (needed === null || grants(held, needed)) return
  throw new FailureError({ code: 'insufficient_scope', details: { required_scope: needed } })
}

/** The scheme's name is case-insensitive; the token is not. */
function bearerToken(authorization: string): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)
  return match?.[1] ?? null
}

function unauthorized(
  code:
    | 'missing_authorization'
    | 'malformed_authorization'
    | 'invalid_api_key'
    | 'api_key_revoked'
    | 'api_key_expired',
): FailureError {
  return new FailureError({ code }, { 'www-authenticate': 'Bearer' })
}
