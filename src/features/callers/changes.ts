/** A caller comes with two books, test and live, each with version 1 of its rules; keys open a book. */

import { MODES, type Mode } from '../../domain/book.ts'
import { FIRST_RULES } from '../../domain/rules.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import { newBookId, newId } from '../../engine/database/ids.ts'
import { type ApiKey, hashSecretKey, insertApiKey, newSecretKey, secretKeyPrefix } from '../api-keys/store.ts'
import { formatRuleSet } from '../rules/record.ts'
import { insertRuleSet } from '../rules/store.ts'
import { type Caller, insertBook, insertCaller } from './store.ts'

/** The only time a key is seen: afterwards just its hash is kept. */
export type IssuedKey = ApiKey & { key: string; mode: Mode }

export function createCaller(
  db: Database,
  asked: { name: string; timeZone: string; currency: string; at: Date },
): Promise<{ caller: Caller; keys: IssuedKey[] }> {
  return db.transaction(async (tx) => {
    const { at, ...terms } = asked
    const caller: Caller = { callerId: newId('cal'), ...terms, createdAt: at }
    await insertCaller(tx, caller)
    const keys: IssuedKey[] = []
    for (const mode of MODES) {
      const bookId = newBookId()
      insertBook(tx, { bookId, callerId: caller.callerId, mode })
      insertRuleSet(tx, bookId, { version: 1, rules: formatRuleSet(FIRST_RULES), created_at: at })
      keys.push(await issueKey(tx, { bookId, mode }, { name: 'First key', scopes: ['*'], at }))
    }
    return { caller, keys }
  })
}

export async function issueKey(
  tx: Queries,
  book: { bookId: string; mode: Mode },
  asked: {
    name: string | null
    scopes: string[]
    at: Date
    expiresAt?: Date | null
    rateLimitPerMinute?: number | null
  },
): Promise<IssuedKey> {
  const key = newSecretKey(book.mode)
  const kept: ApiKey = {
    apiKeyId: newId('key'),
    keyPrefix: secretKeyPrefix(key),
    name: asked.name,
    scopes: asked.scopes,
    rateLimitPerMinute: asked.rateLimitPerMinute ?? null,
    expiresAt: asked.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: asked.at,
  }
  await insertApiKey(tx, book.bookId, { ...kept, keyHash: hashSecretKey(key) })
  return { ...kept, key, mode: book.mode }
}
