/** What subscribers hear of, in the one shape of the API and of webhooks. Nothing in it is personal. */
import type { Mode } from '../../domain/book.ts'
import { timestamp } from '../../wire/envelope.ts'
import { parseJson } from '../../wire/json.ts'

export const EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'account.credited',
  'fixed_deposit.created',
  'fixed_deposit.liquidated',
  'fixed_deposit.partially_liquidated',
  'fixed_deposit.matured',
  'fixed_deposit.rolled_over',
  'fixed_deposit.lien_placed',
  'fixed_deposit.lien_released',
  'liquidation_rules.updated',
] as const

/** Sent on request to try one endpoint out; not an event of the book, so it is not listed among them. */
export const PING_TYPE = 'ping'

/** data is JSON text; its numbers keep their spelling, so an amount shows both decimals here too. */
export function eventData(
  event: { eventId: string; type: string; at: Date; requestId: string | null; data: string },
  mode: Mode,
) {
  return {
    id: event.eventId,
    type: event.type,
    timestamp: timestamp(event.at),
    mode,
    request_id: event.requestId,
    data: parseJson(event.data),
  }
}
