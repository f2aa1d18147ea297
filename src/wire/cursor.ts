/** A cursor is opaque, and belongs to one list of one book with one set of filters. */
import { hash } from 'node:crypto'
import { FailureError } from './failure.ts'

const ORDINAL_MAX = 2n ** 63n - 1n

export type ListIdentity = { operationId: string; bookId: string; filters: object }

export function formatCursor(list: ListIdentity, ordinal: bigint): string {
  return Buffer.from(`${identityOf(list)}.${ordinal}`).toString('base64url')
}

export function readCursor(list: ListIdentity, cursor: string): bigint {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const ordinal = BigInt(/\.(\d{1,19})$/.exec(decoded)?.[1] ?? 0)
  // Decoding passes over what does not belong to the alphabet, so only the very text we gave is taken for ours.
  if (ordinal > ORDINAL_MAX || cursor !== formatCursor(list, ordinal)) {
    const message = 'Send the next_cursor of an earlier page of this list, with the same filters.'
    throw new FailureError({
      code: 'invalid_request',
      fields: [{ field: 'cursor', code: 'invalid_value', message }],
    })
  }
  return ordinal
}

function identityOf(list: ListIdentity): string {
  const names = JSON.stringify([list.operationId, list.bookId, Object.entries(list.filters).sort()])
  return hash('sha256', names, 'base64url').slice(0, 16)
}
