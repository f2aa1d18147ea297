import { Type } from 'typebox'
import { listReply, pageQuery, type Route, reply, route } from '../../route/route.ts'
import { found } from '../../wire/failure.ts'
import { Choice } from '../../wire/fields.ts'
import { EVENT_TYPES, EventRecord } from './record.ts'
import { findAnnouncedEvent, listAnnouncedEvents } from './store.ts'

const EventsQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(Choice(EVENT_TYPES, { title: 'EventType', description: 'Only events of this type.' })),
})

export const eventRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/events',
    operationId: 'listEvents',
    summary: 'List events, newest first',
    tag: 'Events',
    scope: 'events:read',
    query: EventsQuery,
    success: { status: 200, data: EventRecord, list: true },
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listEvents',
        message: 'The events.',
        read: (page) =>
          listAnnouncedEvents(asked.service.db, asked.book.bookId, { type: asked.query.type ?? null }, page),
        show: (event) => EventRecord.write({ event, mode: asked.book.mode }),
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/events/:event_id',
    operationId: 'getEvent',
    summary: 'Get an event',
    tag: 'Events',
    scope: 'events:read',
    success: { status: 200, data: EventRecord },
    refusals: ['event_not_found'],
    answer: async ({ service, book, params }) => {
      const event = await findAnnouncedEvent(service.db, book.bookId, params.event_id!)
      const shown = { event: found(event, 'event_not_found'), mode: book.mode }
      return reply('The event.', EventRecord.write(shown))
    },
  }),
]
