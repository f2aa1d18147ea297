/** A cursor is opaque, and belongs to one list of one book with one set of filters. */
import { createHash } from 'node:crypto'
import { FailureError } from './failure.ts'

const CURSOR = /^([\w-]{16})\.(\d{1,19})$/

export type ListIdentity = { operationId: string; bookId: string; filters: object }

export function formatCursor(list: ListIdentity, ordinal: bigint): string {
  return Buffer.from(`${identityOf(list)}.${ordinal}`).toString('base64url')
}

export function readCursor(list: ListIdentity, cursor: string): bigint {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match === null || match[1] !== identityOf(list)) {
    const message = 'Send the next_cursor of an earlier page of this list, with the same filters.'
    throw new FailureError({
      code: 'invalid_request',
      fields: [{ field: 'cursor', code: 'invalid_value', message }],
    })
  }
  return BigInt(match[2]!)
}

function identityOf(list: ListIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify([list.operationId, list.bookId, Object.entries(list.filters).sort()]))
    .digest('base64url')
    .slice(0, 16)
}
