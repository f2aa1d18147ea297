/**
 * A bearer key decides the book and the scopes. What was read of a key is trusted for less than a second, so that a revoked
 * key stops within one second on every instance while a busy key costs two reads a second instead of thousands. It is
 * read anew before it expires, so that nobody waits for it behind a busy database.
 */

import type { Queries } from '../engine/database/database.ts'
import {
  type Authenticated,
  findByHash,
  hashSecretKey,
  isSecretKey,
  touchApiKey,
} from '../features/api-keys/store.ts'
import { FailureError } from '../wire/failure.ts'
import type { Scope } from '../wire/scopes.ts'
import { grants } from '../wire/scopes.ts'

const READ_AGAIN_MS = 450
const TRUSTED_MS = 900
const REMEMBERED_MAX = 10_000
const TOUCHED_EVERY_MS = 60_000

/** The key itself comes along, to seal what only its holder may read again. */
export type Identity = Authenticated & { secretKey: string }

type Remembered = {
  readAtMs: number
  found: Promise<Authenticated | undefined>
  /** Once it was found. */
  bookId?: string | undefined
  readingAgain: boolean
}

export function createAuthenticate(db: Queries, clock: () => Date) {
  let remembered = new Map<string, Remembered>()

  return { authenticate, bookOf, forget }

  /** What is being read now may be older than the change that is to be noticed: it goes with the map. */
  function forget(): void {
    remembered = new Map()
  }

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

  /** Of a key that was used of late; nothing is looked up for it. */
  function bookOf(authorization: string | undefined): string | undefined {
    const key = authorization === undefined ? null : bearerToken(authorization)
    return key === null ? undefined : remembered.get(hashSecretKey(key))?.bookId
  }

  function lookUp(keyHash: string): Promise<Authenticated | undefined> {
    const earlier = remembered.get(keyHash)
    const ageMs = earlier === undefined ? Number.POSITIVE_INFINITY : performance.now() - earlier.readAtMs
    if (earlier === undefined || ageMs >= TRUSTED_MS) return read(keyHash)
    if (ageMs >= READ_AGAIN_MS && !earlier.readingAgain) {
      earlier.readingAgain = true
      readAgain(keyHash)
    }
    return earlier.found
  }

  function read(keyHash: string): Promise<Authenticated | undefined> {
    const known = remembered
    const found = findByHash(db, keyHash).then(touch)
    const entry: Remembered = { readAtMs: performance.now(), found, readingAgain: false }
    remember(keyHash, entry)
    // Neither a failure nor a stranger is remembered: the next request asks again.
    found.then(
      (key) => {
        if (key === undefined) known.delete(keyHash)
        else entry.bookId = key.book.bookId
      },
      () => known.delete(keyHash),
    )
    return found
  }

  /** What was read before goes on being used until there is something newer. */
  function readAgain(keyHash: string): void {
    const known = remembered
    const readAtMs = performance.now()
    findByHash(db, keyHash)
      .then(touch)
      .then(
        (key) => {
          if (known !== remembered) return
          if (key === undefined) known.delete(keyHash)
          else {
            const { bookId } = key.book
            remember(keyHash, { readAtMs, found: Promise.resolve(key), bookId, readingAgain: false })
          }
        },
        // What is known stays known for as long as it is trusted; whoever asks after that is told of a failure.
        () => undefined,
      )
  }

  function remember(keyHash: string, entry: Remembered): void {
    remembered.delete(keyHash)
    remembered.set(keyHash, entry)
    if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
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
