import type { Book } from './book.ts'
import type { Rest } from './people.ts'
import type { Scope } from './scopes.ts'

/** A key as it is shown: of its secret only a hash is stored. */
export type ApiKey = {
  apiKeyId: string
  /** The first of the keys that this one was rolled from; null where it is the first. */
  rootKeyId: string | null
  keyPrefix: string
  name: string | null
  scopes: Scope[]
  rateLimitPerMinute: number | null
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  /** null: it changes things at once, or its rest was confirmed. */
  rest: Rest | null
}

export type Authenticated = { key: ApiKey; book: Book }
