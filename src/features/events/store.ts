/** The events that were announced. What is in the audit trail alone is not found here. */
import type { BookEvent } from '../../domain/event.ts'
import type { Queries } from '../../engine/database/database.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'

const columns = 'event_id, type, occurred_at, request_id, data'

export const statements = {
  findAnnouncedEvent: `
    select ${columns}
    from events
    where book_id = $1
      and event_id = $2
      and announced`,

  listAnnouncedEvents: `
    select ordinal, ${columns}
    from events
    where book_id = $1
      and announced
      and ordinal < $2
    order by ordinal desc
    limit $3`,

  listAnnouncedEventsOfType: `
    select ordinal, ${columns}
    from events
    where book_id = $1
      and type = $4
      and announced
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export async function findAnnouncedEvent(
  db: Queries,
  bookId: string,
  eventId: string,
): Promise<BookEvent | undefined> {
  const [row] = await db.query<EventRow>(statements.findAnnouncedEvent, [bookId, eventId])
  return row && eventOf(row)
}

export async function listAnnouncedEvents(
  db: Queries,
  bookId: string,
  filters: { type: string | null },
  page: PageRequest,
): Promise<Page<BookEvent>> {
  type Row = EventRow & { ordinal: bigint }
  const parameters = [bookId, ...pageParameters(page)]
  const rows =
    filters.type === null
      ? await db.query<Row>(statements.listAnnouncedEvents, parameters)
      : await db.query<Row>(statements.listAnnouncedEventsOfType, [...parameters, filters.type])
  return pageOf(rows, page, eventOf)
}

export type EventRow = {
  event_id: string
  type: string
  occurred_at: Date
  request_id: string | null
  data: string
}

export function eventOf(row: EventRow): BookEvent {
  return {
    eventId: row.event_id,
    type: row.type,
    at: row.occurred_at,
    requestId: row.request_id,
    data: row.data,
  }
}
