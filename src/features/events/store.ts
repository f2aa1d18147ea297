/** The announced events. Events that exist only in the audit log are not found here. */
import { type Actor, type ActorKind, MATURITY_JOB, OPERATOR, WEBHOOK_SENDER } from '../../domain/actor.ts'
import type { BookEvent } from '../../domain/event.ts'
import { listOf, where } from '../../engine/database/list.ts'
import { computed, instant, rowMap, text } from '../../engine/database/row-map.ts'
import { idOfBook, ofBook, sql } from '../../engine/database/sql.ts'

/**
 * For the row `event`; $1 is its book. The name of the actor is the current one, because the rows themselves contain
 * nothing personal. It is looked up for each row that is shown, not for those that a list only scans.
 */
export const eventColumns = `event.event_id, event.type, event.occurred_at, event.request_id, event.data,
      event.api_key_id, event.actor_kind, event.actor_id,
      case
        when event.api_key_id is not null then (
          select key.name
          from api_keys key
          where key.book_id = $1
            and key.api_key_id = event.api_key_id)
        when event.actor_kind = 'PERSON' then (
          select person.name
          from books book
          join people person on person.caller_id = book.caller_id
          where book.book_id = $1
            and person.person_id = event.actor_id)
      end as actor_name`

/** Reads the actor from a row with the columns above. */
export function actorOf(row: Record<string, unknown>): Actor {
  const name = row.actor_name as string | null
  if (row.api_key_id !== null) return { kind: 'KEY', id: row.api_key_id as string, name }
  if (row.actor_kind !== null) return { kind: row.actor_kind as ActorKind, id: row.actor_id as string, name }
  // Before actors were recorded, these were the only changes that no key made.
  const type = row.type as string
  if (/^fixed_deposit\.(?:matured|rolled_over)$/.test(type)) return MATURITY_JOB
  return type === 'webhook_endpoint.disabled' ? WEBHOOK_SENDER : OPERATOR
}

export const eventMap = rowMap<BookEvent>({
  eventId: text('event_id'),
  type: text('type'),
  at: instant('occurred_at'),
  requestId: text<string | null>('request_id'),
  data: text('data'),
  actor: computed(actorOf),
})

/** Finds also an event that only the audit log shows. */
export const findLastEvent = sql`
    select event_id, occurred_at
    from events
    where book_id = $1
    order by ordinal desc
    limit 1`.first(rowMap({ eventId: text('event_id'), occurredAt: instant('occurred_at') }), ofBook)

export const findAnnouncedEvent = sql`
    select ${eventColumns}
    from events event
    where book_id = $1
      and event_id = $2
      and announced`.first(eventMap, idOfBook)

export const listAnnouncedEvents = listOf(
  (clauses) => `
    select ordinal, ${eventColumns}
    from events event
    where book_id = $1
      and announced
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
  { type: where<string | null>('type = ?') },
  eventMap,
)
