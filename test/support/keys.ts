import type { Mode } from '../../src/domain/book.ts'
import type { Scope } from '../../src/domain/scopes.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { hashSecret } from '../../src/engine/database/secrets.ts'
import { type IssuedKey, newKey } from '../../src/features/api-keys/changes.ts'
import { insertApiKeys } from '../../src/features/api-keys/store.ts'

/** A key as an operator would make it, with any scopes, expiry and limit. */
export function issueKey(
  db: Database,
  book: { bookId: string; mode: Mode },
  asked: { scopes: readonly string[]; at: Date; expiresAt?: Date | null; rateLimitPerMinute?: number | null },
): Promise<IssuedKey> {
  const { at, expiresAt = null, rateLimitPerMinute = null } = asked
  const scopes = asked.scopes as Scope[]
  const issued = newKey({ name: null, scopes, expiresAt, rateLimitPerMinute }, book.mode, at)
  return db.transaction(async (tx) => {
    await tx.query('select 1')
    insertApiKeys(tx, book.bookId, [{ ...issued, keyHash: hashSecret(issued.key) }])
    return issued
  })
}
