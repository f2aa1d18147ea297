/** A caller has two books, test and live, each with version 1 of its rules; a key belongs to one book. */

import { MODES } from '../../domain/book.ts'
import { FIRST_RULES } from '../../domain/rules.ts'
import type { Database } from '../../engine/database/database.ts'
import { newBookId, newId } from '../../engine/database/ids.ts'
import { hashSecret } from '../../engine/database/secrets.ts'
import { type IssuedKey, newKey } from '../api-keys/changes.ts'
import { insertApiKeys } from '../api-keys/store.ts'
import { formatRuleSet } from '../rules/record.ts'
import { ruleSetStore } from '../rules/store.ts'
import { type Caller, insertBook, insertCaller } from './store.ts'

export function createCaller(
  db: Database,
  asked: { name: string; timeZone: string; currency: string; at: Date },
): Promise<{ caller: Caller; keys: IssuedKey[] }> {
  return db.transaction(async (tx) => {
    const { at, ...profile } = asked
    const caller: Caller = { callerId: newId('cal'), ...profile, createdAt: at }
    await insertCaller(tx, caller)
    const keys: IssuedKey[] = []
    for (const mode of MODES) {
      const bookId = newBookId()
      insertBook(tx, { bookId, callerId: caller.callerId, mode })
      const first = { version: 1, effectiveFrom: null, text: formatRuleSet(FIRST_RULES), createdAt: at }
      ruleSetStore.insert(tx, bookId, first)
      const terms = { name: 'First key', scopes: ['*' as const], expiresAt: null, rateLimitPerMinute: null }
      const issued = newKey(terms, mode, at)
      insertApiKeys(tx, bookId, [{ ...issued, keyHash: hashSecret(issued.key) }])
      keys.push(issued)
    }
    return { caller, keys }
  })
}
