/** A cursor is opaque, and belongs to one list of one book with one set of filters. */
import { hash } from 'node:crypto'
import { FailureError } from './failure.ts'

const ORDINAL_MAX = 2n ** 63n - 1n

export type ListIdentity = { operationId: string; bookId: string; filters: object }

/** How a position in a list is written; null when read means that it is invalid. */
export type Places<Place> = { write: (place: Place) => string; read: (text: string) => Place | null }

export const ordinals: Places<bigint> = {
  write: String,
  read: (text) => (/^\d{1,19}$/.test(text) && BigInt(text) <= ORDINAL_MAX ? BigInt(text) : null),
}

export function formatCursor<Place>(list: ListIdentity, place: Place, places: Places<Place>): string {
  return Buffer.from(`${identityOf(list)}.${places.write(place)}`).toString('base64url')
}

export function readCursor<Place>(list: ListIdentity, cursor: string, places: Places<Place>): Place {
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1')
  const place = places.read(decoded.slice(decoded.indexOf('.') + 1))
  // Decoding ignores characters outside the alphabet, so only the exact text that we issued is accepted.
  if (place === null || cursor !== formatCursor(list, place, places)) {
    const message = 'Send the next_cursor of an earlier page of this list, with the same filters.'
    throw new FailureError({
      code: 'invalid_request',
      fields: [{ field: 'cursor', code: 'invalid_value', message }],
    })
  }
  return place
}

function identityOf(list: ListIdentity): string {
  const names = JSON.stringify([list.operationId, list.bookId, Object.entries(list.filters).sort()])
  return hash('sha256', names, 'base64url').slice(0, 16)
}
