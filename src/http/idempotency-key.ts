/** The Idempotency-Key header: bare or as a quoted string, and the fingerprint of its request. */
import { hash } from 'node:crypto'
import { FailureError } from '../wire/failure.ts'
import { canonicalJson, type Json } from '../wire/json.ts'
import { isRepeated } from './request-head.ts'

const BARE = /^[\x20-\x7e]{1,255}$/
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

export function readIdempotencyKey(
  value: string | string[] | undefined,
  rawHeaders: readonly string[],
): string | null {
  if (value === undefined) return null
  // A header sent twice arrives joined by a comma, and would look like one key.
  const isOne = typeof value === 'string' && !isRepeated(rawHeaders, 'idempotency-key')
  const key = isOne ? unquoted(value) : undefined
  if (key === undefined || !BARE.test(key)) throw new FailureError({ code: 'invalid_idempotency_key' })
  return key
}

function unquoted(value: string): string | undefined {
  return value.startsWith('"') ? QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1') : value
}

/** The order of members and the spelling of numbers do not matter. */
export function fingerprintOf(request: { method: string; path: string; body: Json }): string {
  return hash('sha256', `${request.method}\n${request.path}\n${canonicalJson(request.body)}`, 'base64url')
}
