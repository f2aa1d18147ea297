/**
 * A bearer key determines the book and the scopes. A key is cached for less than a second, so that a revoked key stops
 * working within one second on every instance, while a busy key costs two reads per second instead of thousands. It is
 * read again before that time is over, so that no request waits for it behind a busy database.
 */

import type { Authenticated } from '../domain/api-key.ts'
import { FailureError } from '../wire/failure.ts'
import { rateLimited, type Take } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    authenticated: Identity | null
  }
}

const READ_AGAIN_MS = 450
const TRUSTED_MS = 900
const REMEMBERED_MAX = 10_000
const TOUCHED_EVERY_MS = 60_000

/** Contains the key itself, to encrypt what only its holder may read again. */
export type Identity = Authenticated & { secretKey: string }

export type Keys = {
  /** null: it cannot be a key. */
  hash: (secretKey: string) => string | null
  find: (keyHash: string) => Promise<Authenticated | undefined>
  touch: (used: Authenticated, at: Date) => Promise<void>
}

type Remembered = {
  readAtMs: number
  found: Promise<Authenticated | undefined>
  /** Set when it was found, so that no request waits for a promise that is fulfilled. */
  known?: Authenticated
  readingAgain: boolean
}

type Sent = { authorization: string | undefined; address: string; connection: object }
type Credentials = { authorization: string; secretKey: string; keyHash: string | null }

export function createAuthenticate(
  keys: Keys,
  options: {
    clock: () => Date
    /** Wrong keys that one client address may try; 0 is no limit. */
    failuresPerMinute: number
    takeFailure: Take
    nowMs?: () => number
  },
) {
  const { clock, failuresPerMinute, takeFailure, nowMs = () => performance.now() } = options
  const memory = createKeyMemory(keys, { clock, nowMs })
  const credentialsOf = createCredentials(keys)

  return { authenticate, bookOf, forget: memory.forget }

  /** A promise where the key has to be read first, or where it is wrong. */
  function authenticate(sent: Sent): Identity | Promise<Identity> {
    try {
      const { keyHash, secretKey } = credentialsOf(sent)
      const known = keyHash === null ? undefined : memory.lookUp(keyHash)
      if (!(known instanceof Promise)) return identityOf(known, secretKey)
      return known.then((found) => identityOf(found, secretKey)).catch((error) => fail(error, sent))
    } catch (error) {
      return fail(error, sent)
    }
  }

  async function fail(error: unknown, { address }: Sent): Promise<never> {
    if (error instanceof FailureError && failuresPerMinute > 0) {
      const taken = await takeFailure(address, failuresPerMinute)
      if (!taken.allowed) throw rateLimited(taken)
    }
    throw error
  }

  function identityOf(known: Authenticated | undefined, secretKey: string): Identity {
    if (known === undefined) throw unauthorized('invalid_api_key')
    if (isPast(known.key.revokedAt)) throw unauthorized('api_key_revoked')
    if (isPast(known.key.expiresAt)) throw unauthorized('api_key_expired')
    return { ...known, secretKey }
  }

  /** The book of a key that was used recently; nothing is looked up. */
  function bookOf(authorization: string | undefined): string | undefined {
    const key = authorization === undefined ? null : bearerToken(authorization)
    const keyHash = key && keys.hash(key)
    return keyHash === null ? undefined : memory.bookOf(keyHash)
  }

  function isPast(instant: Date | null): boolean {
    return instant !== null && instant <= clock()
  }
}

/** A client sends the same key with all requests of a connection, so it is hashed once for each. */
function createCredentials(keys: Pick<Keys, 'hash'>) {
  const lastSent = new WeakMap<object, Credentials>()
  return ({ authorization, connection }: Sent): Credentials => {
    const last = lastSent.get(connection)
    if (last !== undefined && last.authorization === authorization) return last
    if (authorization === undefined) throw unauthorized('missing_authorization')
    const secretKey = bearerToken(authorization)
    if (secretKey === null) throw unauthorized('malformed_authorization')
    const credentials = { authorization, secretKey, keyHash: keys.hash(secretKey) }
    lastSent.set(connection, credentials)
    return credentials
  }
}

/** The keys that were used recently, by their hashes. */
function createKeyMemory(
  keys: Pick<Keys, 'find' | 'touch'>,
  { clock, nowMs }: { clock: () => Date; nowMs: () => number },
) {
  let remembered = new Map<string, Remembered>()

  const bookOf = (keyHash: string) => remembered.get(keyHash)?.known?.book.bookId
  /** A read in progress may be older than the change to be noticed: it is dropped with the map. */
  const forget = () => {
    remembered = new Map()
  }
  return { lookUp, bookOf, forget }

  function lookUp(keyHash: string): Authenticated | Promise<Authenticated | undefined> {
    const earlier = remembered.get(keyHash)
    const ageMs = earlier === undefined ? Number.POSITIVE_INFINITY : nowMs() - earlier.readAtMs
    if (earlier === undefined || ageMs >= TRUSTED_MS) return read(keyHash)
    if (ageMs >= READ_AGAIN_MS && !earlier.readingAgain) {
      earlier.readingAgain = true
      readAgain(keyHash)
    }
    return earlier.known ?? earlier.found
  }

  function read(keyHash: string): Promise<Authenticated | undefined> {
    const known = remembered
    const found = findAndTouch(keys, keyHash, clock)
    const entry: Remembered = { readAtMs: nowMs(), found, readingAgain: false }
    remember(known, keyHash, entry)
    // Neither a failure nor an unknown key is cached: the next request reads again.
    found.then(
      (key) => {
        if (key === undefined) known.delete(keyHash)
        else entry.known = key
      },
      () => known.delete(keyHash),
    )
    return found
  }

  /** The cached key is used until this read ends. */
  function readAgain(keyHash: string): void {
    const known = remembered
    const readAtMs = nowMs()
    findAndTouch(keys, keyHash, clock).then(
      (key) => {
        if (known !== remembered) return
        if (key === undefined) return void known.delete(keyHash)
        remember(known, keyHash, { readAtMs, found: Promise.resolve(key), known: key, readingAgain: false })
      },
      // The cached key stays valid for its time; a request after that reads the key, and fails, itself.
      () => undefined,
    )
  }
}

async function findAndTouch(
  keys: Pick<Keys, 'find' | 'touch'>,
  keyHash: string,
  clock: () => Date,
): Promise<Authenticated | undefined> {
  const known = await keys.find(keyHash)
  touchKey(keys, known, clock())
  return known
}

function remember(remembered: Map<string, Remembered>, keyHash: string, entry: Remembered): void {
  remembered.delete(keyHash)
  remembered.set(keyHash, entry)
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
}

/** `last_used_at` is a hint for people: exact to the minute, and not worth failing a request for. */
function touchKey(keys: Pick<Keys, 'touch'>, known: Authenticated | undefined, at: Date): void {
  const lastUsedMs = known?.key.lastUsedAt?.getTime() ?? 0
  if (known !== undefined && at.getTime() - lastUsedMs >= TOUCHED_EVERY_MS) {
    keys.touch(known, at).catch(() => undefined)
  }
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
