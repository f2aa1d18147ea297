/**
 * Secret keys. Only the SHA-256 of a key is stored, so a stolen database gives no access. The checksum at the end of a
 * key lets a mistyped key be rejected without a database lookup, and lets scanners recognise a leaked one.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKey, Authenticated } from '../../domain/api-key.ts'
import type { Mode } from '../../domain/book.ts'
import type { Scope } from '../../domain/scopes.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal, randomBase62 } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'

const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const SHOWN_CHARACTERS = 12
const KEY_PATTERN = /^bw_(?:test|live)_[0-9A-Za-z]{38}$/

export function newSecretKey(mode: Mode): string {
  const key = `bw_${mode}_${randomBase62(RANDOM_CHARACTERS)}`
  return key + checksum(key)
}

export function isSecretKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

export function hashSecretKey(key: string): string {
  return hash('sha256', key)
}

/** Enough of a key to recognise it, too little to guess it. */
export function secretKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let digit = 0; digit < CHECKSUM_CHARACTERS; digit += 1) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const columns = `api_key_id, root_key_id, key_prefix, name, scopes, rate_limit_per_minute, expires_at, revoked_at, last_used_at,
      created_at, rests_until, rest_by`

export const statements = {
  // The only statement without a book: the key determines the book.
  findByHash: `
    select key.book_id, key.api_key_id, key.root_key_id, key.key_prefix, key.name, key.scopes, key.rate_limit_per_minute,
           key.expires_at, key.revoked_at, key.last_used_at, key.created_at, key.rests_until, key.rest_by,
           book.caller_id, book.mode, caller.time_zone, caller.currency
    from api_keys key
    join books book on book.book_id = key.book_id
    join callers caller on caller.caller_id = book.caller_id
    where key.key_hash = $1`,

  insertApiKey: `
    insert into api_keys (
      book_id, ordinal, key_hash, api_key_id, root_key_id, key_prefix, name, scopes, rate_limit_per_minute,
      expires_at, revoked_at, last_used_at, created_at, rests_until, rest_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,

  findApiKey: `
    select ${columns}
    from api_keys
    where book_id = $1
      and api_key_id = $2`,

  listApiKeys: `
    select ordinal, ${columns}
    from api_keys
    where book_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  lockApiKey: `
    select ${columns}
    from api_keys
    where book_id = $1
      and api_key_id = $2
    for update`,

  endApiKey: `
    update api_keys
    set revoked_at = $3
    where book_id = $1
      and api_key_id = $2`,

  endRest: `
    update api_keys
    set rests_until = null
    where book_id = $1
      and api_key_id = $2`,

  listResting: `
    select ${columns}
    from api_keys
    where book_id = $1
      and rests_until > $2
      and (revoked_at is null or revoked_at > $2)
    order by ordinal desc
    limit $3`,

  touchApiKey: `
    update api_keys
    set last_used_at = $3
    where book_id = $1
      and api_key_id = $2`,
}

export async function findByHash(db: Queries, keyHash: string): Promise<Authenticated | undefined> {
  type Row = ApiKeyRow & {
    book_id: string
    caller_id: string
    mode: Mode
    time_zone: string
    currency: string
  }
  const [row] = await db.query<Row>(statements.findByHash, [keyHash])
  return (
    row && {
      key: apiKeyOf(row),
      book: {
        bookId: row.book_id,
        callerId: row.caller_id,
        mode: row.mode,
        timeZone: row.time_zone,
        currency: row.currency,
      },
    }
  )
}

export function insertApiKey(tx: Transaction, bookId: string, key: ApiKey & { keyHash: string }): void {
  tx.write(statements.insertApiKey, [
    bookId,
    nextOrdinal(),
    key.keyHash,
    key.apiKeyId,
    key.rootKeyId,
    key.keyPrefix,
    key.name,
    key.scopes,
    key.rateLimitPerMinute,
    key.expiresAt,
    key.revokedAt,
    key.lastUsedAt,
    key.createdAt,
    key.rest?.until ?? null,
    key.rest?.actors ?? [],
  ])
}

export async function findApiKey(db: Queries, bookId: string, apiKeyId: string): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKeyRow>(statements.findApiKey, [bookId, apiKeyId])
  return row && apiKeyOf(row)
}

export async function listApiKeys(db: Queries, bookId: string, page: PageRequest): Promise<Page<ApiKey>> {
  const rows = await db.query<ApiKeyRow & { ordinal: bigint }>(statements.listApiKeys, [
    bookId,
    ...pageParameters(page),
  ])
  return pageOf(rows, page, apiKeyOf)
}

export async function lockApiKey(tx: Queries, bookId: string, apiKeyId: string): Promise<ApiKey | undefined> {
  const [row] = await tx.query<ApiKeyRow>(statements.lockApiKey, [bookId, apiKeyId])
  return row && apiKeyOf(row)
}

/** From that time on the key is rejected; it may be in the future, when a successor overlaps. */
export function endApiKey(tx: Transaction, bookId: string, end: { apiKeyId: string; at: Date }): void {
  tx.write(statements.endApiKey, [bookId, end.apiKeyId, end.at])
}

export function endRest(tx: Transaction, bookId: string, apiKeyId: string): void {
  tx.write(statements.endRest, [bookId, apiKeyId])
}

/** Keys that rest, newest first. */
export async function listRestingKeys(
  db: Queries,
  bookId: string,
  asked: { now: Date; limit: number },
): Promise<ApiKey[]> {
  return (await db.query<ApiKeyRow>(statements.listResting, [bookId, asked.now, asked.limit])).map(apiKeyOf)
}

async function touchApiKey(db: Queries, bookId: string, used: { apiKeyId: string; at: Date }): Promise<void> {
  await db.query(statements.touchApiKey, [bookId, used.apiKeyId, used.at])
}

/** How a door looks keys up; hash returns null for what cannot be a key. */
export function keysIn(db: Queries) {
  return {
    hash: (secretKey: string) => (isSecretKey(secretKey) ? hashSecretKey(secretKey) : null),
    find: (keyHash: string) => findByHash(db, keyHash),
    touch: ({ key, book }: Authenticated, at: Date) =>
      touchApiKey(db, book.bookId, { apiKeyId: key.apiKeyId, at }),
  }
}

type ApiKeyRow = {
  api_key_id: string
  root_key_id: string | null
  key_prefix: string
  name: string | null
  scopes: Scope[]
  rate_limit_per_minute: number | null
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  created_at: Date
  rests_until: Date | null
  rest_by: string[]
}

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    apiKeyId: row.api_key_id,
    rootKeyId: row.root_key_id,
    keyPrefix: row.key_prefix,
    name: row.name,
    scopes: row.scopes,
    rateLimitPerMinute: row.rate_limit_per_minute,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    rest: row.rests_until === null ? null : { until: row.rests_until, actors: row.rest_by },
  }
}
