/** What a key may be used for. */
import type { Book } from '../domain/book.ts'
import { grants, type Scope } from '../domain/scopes.ts'
import { FailureError } from '../wire/failure.ts'

export function requireScope(held: readonly string[], needed: Scope | null): void {
  if (needed === null || grants(held, needed)) return
  throw new FailureError(
    { code: 'insufficient_scope', details: { required_scope: needed } },
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` },
  )
}

export function requireTestMode(mode: Book['mode']): void {
  if (mode !== 'test') throw new FailureError({ code: 'test_mode_only' })
}
