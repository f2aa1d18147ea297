/** The announced events. Events that exist only in the audit log are not found here. */
import { type Actor, type ActorKind, MATURITY_JOB, OPERATOR, WEBHOOK_SENDER } from '../../domain/actor.ts'
import type { BookEvent } from '../../domain/event.ts'
import type { Queries } from '../../engine/database/database.ts'
import {
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { computed, instant, rowMap, text } from '../../engine/database/row-map.ts'

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

export const statements = {
  findAnnouncedEvent: `
    select ${eventColumns}
    from events event
    where book_id = $1
      and event_id = $2
      and announced`,

  findLastEvent: `
    select event_id, occurred_at
    from events
    where book_id = $1
    order by ordinal desc
    limit 1`,

  listAnnouncedEvents: `
    select ordinal, ${eventColumns}
    from events event
    where book_id = $1
      and announced
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  listAnnouncedEventsOfType: `
    select ordinal, ${eventColumns}
    from events event
    where book_id = $1
      and type = $4
      and announced
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

/** Of a row with the columns above. */
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

/** Also one that only the audit log shows. */
export async function findLastEvent(
  db: Queries,
  bookId: string,
): Promise<{ eventId: string; occurredAt: Date } | undefined> {
  const [row] = await db.query<{ event_id: string; occurred_at: Date }>(statements.findLastEvent, [bookId])
  return row && { eventId: row.event_id, occurredAt: row.occurred_at }
}

export async function findAnnouncedEvent(
  db: Queries,
  bookId: string,
  eventId: string,
): Promise<BookEvent | undefined> {
  const [row] = await db.query<object>(statements.findAnnouncedEvent, [bookId, eventId])
  return row && eventMap.read(row)
}

export async function listAnnouncedEvents(
  db: Queries,
  bookId: string,
  filters: { type: string | null },
  page: PageRequest,
): Promise<Page<BookEvent>> {
  const parameters = [bookId, ...pageParameters(page)]
  const rows =
    filters.type === null
      ? await db.query<Placed>(statements.listAnnouncedEvents, parameters)
      : await db.query<Placed>(statements.listAnnouncedEventsOfType, [...parameters, filters.type])
  return pageOf(rows, page, eventMap.read)
}
