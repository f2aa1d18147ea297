/**
 * Secret keys. Only the SHA-256 of a key is stored, so a stolen database gives no access. The checksum at the end of a
 * key lets a mistyped key be rejected without a database lookup, and lets scanners recognise a leaked one.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ApiKey, Authenticated } from '../../domain/api-key.ts'
import type { Mode } from '../../domain/book.ts'
import type { Scope } from '../../domain/scopes.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal, randomBase62 } from '../../engine/database/ids.ts'
import type { Page, PageRequest } from '../../engine/database/pages.ts'
import { instant, integer, rowMap, text, texts } from '../../engine/database/row-map.ts'
import { type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { table } from '../../engine/database/table.ts'
import { rest } from '../people/store.ts'

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

const keyMap = rowMap<ApiKey>({
  apiKeyId: text('api_key_id'),
  rootKeyId: text<string | null>('root_key_id'),
  keyPrefix: text('key_prefix'),
  name: text<string | null>('name'),
  scopes: texts<Scope[]>('scopes'),
  rateLimitPerMinute: integer<number | null>('rate_limit_per_minute'),
  expiresAt: instant<Date | null>('expires_at'),
  revokedAt: instant<Date | null>('revoked_at'),
  lastUsedAt: instant<Date | null>('last_used_at'),
  createdAt: instant('created_at'),
  rest,
})
const keys = table('api_keys', keyMap, { key: 'apiKeyId' })
const { find, lock, list } = keys.statements

type NewKey = ApiKey & { keyHash: string }
const newKeyRows: Rows<NewKey> = {
  ordinal: ['bigint', nextOrdinal],
  key_hash: ['text', ({ keyHash }) => keyHash],
  ...keyMap.rows,
}

const insertion = statementOverRows(
  { key: newKeyRows },
  (from, book) => `
    insert into api_keys (book_id, ordinal, key_hash, ${keyMap.columns})
    select ${book.key}, ordinal, key_hash, ${keyMap.columns}
    from ${from.key}`,
)

export const statements = {
  find,
  lock,
  list,
  insertApiKey: insertion,

  // The only statement without a book: the key determines the book.
  findByHash: `
    select key.book_id, ${keyMap.columnsOf('key')}, book.caller_id, book.mode, caller.time_zone, caller.currency
    from api_keys key
    join books book on book.book_id = key.book_id
    join callers caller on caller.caller_id = book.caller_id
    where key.key_hash = $1`,

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
    select ${keyMap.columns}
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
  const [row] = await db.query<object>(statements.findByHash, [keyHash])
  return row && { key: keyMap.read(row), book: bookMap.read(row) }
}

export function insertApiKey(tx: Transaction, bookId: string, key: NewKey): void {
  tx.write(statements.insertApiKey.of(bookId, { key: [key] }))
}

export const findApiKey = keys.findOne
export const lockApiKey = keys.lockOne
const listKeys = keys.list({})

export function listApiKeys(db: Queries, bookId: string, page: PageRequest): Promise<Page<ApiKey>> {
  return listKeys(db, bookId, {}, page)
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
  return (await db.query<object>(statements.listResting, [bookId, asked.now, asked.limit])).map(keyMap.read)
}

async function touchApiKey(db: Queries, bookId: string, used: { apiKeyId: string; at: Date }): Promise<void> {
  await db.query(statements.touchApiKey, [bookId, used.apiKeyId, used.at])
}

/** null: it cannot be a key. */
export function hashIfKey(text: string): string | null {
  return isSecretKey(text) ? hashSecretKey(text) : null
}

/** How a door looks keys up. */
export function keysIn(db: Queries) {
  return {
    hash: hashIfKey,
    find: (keyHash: string) => findByHash(db, keyHash),
    touch: ({ key, book }: Authenticated, at: Date) =>
      touchApiKey(db, book.bookId, { apiKeyId: key.apiKeyId, at }),
  }
}
