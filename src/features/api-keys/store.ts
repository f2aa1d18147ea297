import type { ApiKey, Authenticated } from '../../domain/api-key.ts'
import type { Scope } from '../../domain/scopes.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries } from '../../engine/database/database.ts'
import { computed, instant, integer, rowMap, text, texts } from '../../engine/database/row-map.ts'
import { hashSecret, isSecretKey } from '../../engine/database/secrets.ts'
import { idOfBook, membersInBook, sql } from '../../engine/database/sql.ts'
import { assignOne, table } from '../../engine/database/table.ts'
import { rest } from '../people/store.ts'

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

export const { findOne: findApiKey, lockOne: lockApiKey, page: listApiKeys } = keys

const newKeyMap = rowMap({ keyHash: text('key_hash'), ...keyMap.fields })
export const { insert: insertApiKeys } = table('api_keys', newKeyMap, { key: 'apiKeyId' })

/** The only statement without a book: the key determines the book. */
export const findByHash = sql`
    select key.book_id, ${keyMap.columnsOf('key')}, book.caller_id, book.mode, caller.time_zone, caller.currency
    from api_keys key
    join books book on book.book_id = key.book_id
    join callers caller on caller.caller_id = book.caller_id
    where key.key_hash = $1`.first(
  rowMap<Authenticated>({ key: computed(keyMap.read), book: computed(bookMap.read) }),
  (keyHash: string) => [keyHash],
)

/** The key is rejected from `revokedAt` on, which may be in the future, when a successor overlaps. */
export const endApiKey = assignOne('api_keys', keyMap.pick('apiKeyId', 'revokedAt')).write

export const endRest = sql`
    update api_keys
    set rests_until = null
    where book_id = $1
      and api_key_id = $2`.write(idOfBook)

/** Keys that rest, newest first. */
export const listRestingKeys = sql`
    select ${keyMap.columns}
    from api_keys
    where book_id = $1
      and rests_until > $2
      and (revoked_at is null or revoked_at > $2)
    order by ordinal desc
    limit $3`.all(keyMap, membersInBook<{ now: Date; limit: number }>('now', 'limit'))

export const touchApiKey = assignOne('api_keys', keyMap.pick('apiKeyId', 'lastUsedAt')).run

/** How a door looks keys up. */
export function keysIn(db: Queries) {
  return {
    /** null: it cannot be a key. */
    hash: (text: string) => (isSecretKey(text) ? hashSecret(text) : null),
    find: (keyHash: string) => findByHash(db, keyHash),
    touch: ({ key: { apiKeyId }, book }: Authenticated, lastUsedAt: Date) =>
      touchApiKey(db, book.bookId, { apiKeyId, lastUsedAt }),
  }
}
