/**
 * Webhook endpoints, and the queue of deliveries to them.
 *
 * Guarantees of the queue:
 * - A delivery is claimed by one sender at a time. The claim is a lease: it moves the next attempt into the future, so
 *   that what a crashed sender held is claimed again, and what was sent but not recorded is sent again.
 * - Only the latest claim records its result: by attempts a sender notices that its lease was taken over.
 * - Claims are per endpoint and oldest first, so a backlog of one endpoint never hides the work of another.
 */
import type { Mode } from '../../domain/book.ts'
import { PING_TYPE } from '../../domain/event.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../domain/webhook.ts'
import { booksReadTogether, type Database } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { pagesOf } from '../../engine/database/list.ts'
import { type PageRequest, pageParameters } from '../../engine/database/pages.ts'
import {
  count,
  group,
  type ItemOf,
  instant,
  integer,
  nested,
  ordinal,
  rowMap,
  text,
  texts,
} from '../../engine/database/row-map.ts'
import { idOfBook, membersInBook, sql } from '../../engine/database/sql.ts'
import { table } from '../../engine/database/table.ts'
import { listBooks } from '../callers/store.ts'
import { eventColumns, eventMap } from '../events/store.ts'

const previous = group({ secret: text('previous_secret'), until: instant('previous_secret_until') })

const endpointMap = rowMap<WebhookEndpoint>({
  webhookEndpointId: text('webhook_endpoint_id'),
  url: text('url'),
  eventTypes: texts<WebhookEndpoint['eventTypes']>('event_types'),
  description: text<string | null>('description'),
  status: text<WebhookEndpoint['status']>('status'),
  secret: text('secret'),
  previous,
  createdAt: instant('created_at'),
})
const endpoints = table('webhook_endpoints', endpointMap, { key: 'webhookEndpointId' })

const deliveryMap = rowMap<WebhookDelivery>({
  ordinal: ordinal('ordinal'),
  eventId: text('event_id'),
  eventType: text<WebhookDelivery['eventType']>('type'),
  status: text<WebhookDelivery['status']>('status'),
  attempts: integer('attempts'),
  nextAttemptAt: instant<Date | null>('next_attempt_at'),
  lastAttemptAt: instant<Date | null>('last_attempt_at'),
  lastStatusCode: integer<number | null>('last_status_code'),
  lastError: text<string | null>('last_error'),
  createdAt: instant('created_at'),
})

const dueMap = rowMap({
  bookId: text('book_id'),
  webhookEndpointId: text('webhook_endpoint_id'),
  url: text('url'),
  secret: text('secret'),
  previous,
  mode: text<Mode>('mode'),
  clockOffsetMs: count('clock_offset_ms'),
  dueAt: instant('due_at'),
  turn: ordinal('turn'),
})
/** An endpoint with due deliveries, and what is needed to send them. */
export type DueEndpoint = Omit<ItemOf<typeof dueMap>, 'dueAt' | 'turn'>

export const updateEndpoints = endpoints.assign(
  'url',
  'eventTypes',
  'description',
  'status',
  'secret',
  'previous',
)
export const {
  insert: insertEndpoints,
  findOne: findEndpoint,
  lockOne: lockEndpoint,
  page: listEndpoints,
} = endpoints

export const deleteEndpoint = sql`
    delete from webhook_endpoints
    where book_id = $1
      and webhook_endpoint_id = $2`.write(idOfBook)

type NewDelivery = { webhookEndpointId: string; eventId: string; at: Date }

export const insertDelivery = sql`
    insert into webhook_deliveries (
      book_id, webhook_endpoint_id, ordinal, event_id, status, attempts, next_attempt_at, created_at)
    values ($1, $2, $3, $4, 'PENDING', 0, $5, $5)`.write(
  (bookId: string, { webhookEndpointId, eventId, at }: NewDelivery) => [
    ...[bookId, webhookEndpointId, nextOrdinal(), eventId, at],
  ],
)

// The same subscribers as when an event is recorded: see recordingCtes in recording.ts.
export const findSubscribers = sql`
    select webhook_endpoint_id
    from webhook_endpoints
    where book_id = $1
      and status = 'ENABLED'
      and event_types && array['*', $2::text]
    order by webhook_endpoint_id`.all(text('webhook_endpoint_id'), idOfBook)

export type DeliveryFilters = {
  webhookEndpointId: string
  status?: WebhookDelivery['status'] | null
  eventType?: string | null
}

function deliveryWindow(
  bookId: string,
  { webhookEndpointId, status = null, eventType = null }: DeliveryFilters,
  page: PageRequest,
) {
  const values = [bookId, ...pageParameters(page), webhookEndpointId, status, eventType]
  return { text: statements.listDeliveries, values }
}
export const listDeliveries = pagesOf(deliveryWindow, deliveryMap)

/** What was or would be sent to an endpoint. A test message is announced to nobody else. */
export const findSentEvent = sql`
    select ${eventColumns}
    from events event
    where book_id = $1
      and event_id = $2
      and (announced or type = '${PING_TYPE}' and subject_id = $3)`.first(
  eventMap,
  membersInBook<Omit<NewDelivery, 'at'>>('eventId', 'webhookEndpointId'),
)

export const statements = {
  listDeliveries: `
    select delivery.ordinal, delivery.event_id, event.type, delivery.status, delivery.attempts,
           delivery.next_attempt_at, delivery.last_attempt_at, delivery.last_status_code, delivery.last_error,
           delivery.created_at
    from webhook_deliveries delivery
    join events event on event.book_id = delivery.book_id and event.event_id = delivery.event_id
    where delivery.book_id = $1
      and delivery.webhook_endpoint_id = $4
      and delivery.ordinal < $2
      and ($5::text is null or delivery.status = $5)
      and ($6::text is null or event.type = $6)
    order by delivery.ordinal desc
    limit $3`,

  // Reads only the first entry of each endpoint's queue: an endpoint costs one index probe, however long its backlog.
  // $2 is real time; a test book's own clock may be ahead of it. Both tables name the books, so that a sharded database
  // finds the worker of a single one.
  findDueEndpoints: sql`
    select ${dueMap.columns}
    from (
      select endpoint.*, book.mode, book.clock_offset_ms, oldest.due_at,
             row_number() over (partition by endpoint.book_id order by oldest.due_at) as turn
      from webhook_endpoints endpoint
      join books book on book.book_id = endpoint.book_id
      cross join lateral (
        select delivery.next_attempt_at - book.clock_offset_ms * interval '1 millisecond' as due_at
        from webhook_deliveries delivery
        where delivery.book_id = any($1::text[])
          and delivery.book_id = endpoint.book_id
          and delivery.webhook_endpoint_id = endpoint.webhook_endpoint_id
          and delivery.status = 'PENDING'
        order by delivery.next_attempt_at
        limit 1
      ) oldest
      where endpoint.book_id = any($1::text[])
        and endpoint.status = 'ENABLED'
        and oldest.due_at <= $2
    ) as due
    where turn <= $3`.all(dueMap, (...asked: [bookIds: readonly string[], now: Date, max: number]) => asked),
}

/** Books take turns, and in each book those that have waited longest come first. */
export async function findDueEndpoints(
  db: Database,
  asked: { now: Date; perBookMax: number; onFailure: (error: unknown) => void },
): Promise<DueEndpoint[]> {
  const books = (await listBooks(db)).map((book) => book.bookId)
  const due: ReturnType<typeof dueMap.read>[] = []
  for (const bookIds of booksReadTogether(db, books)) {
    due.push(...(await statements.findDueEndpoints(db, bookIds, asked.now, asked.perBookMax).catch(missing)))
  }
  return due.sort(
    (one, other) => Number(one.turn - other.turn) || one.dueAt.getTime() - other.dueAt.getTime(),
  )

  function missing(error: unknown): never[] {
    asked.onFailure(error)
    return []
  }
}

/** attempts includes the one that the claim is for; the trace is that of the request which made the change. */
const claimedMap = rowMap({
  ordinal: ordinal('ordinal'),
  attempts: integer('attempts'),
  traceparent: text<string | null>('traceparent'),
  event: nested(eventMap),
})
export type ClaimedDelivery = ItemOf<typeof claimedMap>
type EndpointKey = Pick<DueEndpoint, 'bookId' | 'webhookEndpointId'>
type Claim = { at: Date; leaseEndsAt: Date; max: number }

// skip locked: two concurrent senders take different deliveries instead of waiting for each other. The update names
// its endpoint by due alone: with the condition repeated, PostgreSQL without fresh statistics scans the whole backlog
// instead of joining by key (15 ms instead of 0.8 ms for eight of ten thousand).
export const claimDeliveries = sql`
    with due as (
      select webhook_endpoint_id, ordinal
      from webhook_deliveries
      where book_id = $1
        and webhook_endpoint_id = $2
        and status = 'PENDING'
        and next_attempt_at <= $3
      order by next_attempt_at, ordinal
      limit $5
      for update skip locked
    ),
    claimed as (
      update webhook_deliveries delivery
      set attempts = delivery.attempts + 1, last_attempt_at = $3, next_attempt_at = $4
      from due
      where delivery.book_id = $1
        and delivery.webhook_endpoint_id = due.webhook_endpoint_id
        and delivery.ordinal = due.ordinal
      returning delivery.ordinal, delivery.event_id, delivery.attempts
    )
    select claimed.ordinal, claimed.attempts, ${eventColumns}, (select traceparent from request_traces trace
           where trace.book_id = $1 and trace.request_id = event.request_id) as traceparent
    from claimed
    join events event on event.book_id = $1 and event.event_id = claimed.event_id
    order by claimed.ordinal`.all(claimedMap, (endpoint: EndpointKey, claim: Claim) => [
  ...[endpoint.bookId, endpoint.webhookEndpointId, claim.at, claim.leaseEndsAt, claim.max],
])

type DeliveryKey = Pick<ClaimedDelivery, 'ordinal' | 'attempts'>
export type DeliveryResult = Pick<
  WebhookDelivery,
  'status' | 'nextAttemptAt' | 'lastStatusCode' | 'lastError'
>

/** Nothing is written when the lease ended and another sender has claimed the delivery. */
export const settleDelivery = sql`
    update webhook_deliveries
    set status = $5, next_attempt_at = $6, last_status_code = $7, last_error = $8
    where book_id = $1
      and webhook_endpoint_id = $2
      and ordinal = $3
      and attempts = $4
      and status = 'PENDING'`.run(
  (endpoint: EndpointKey, { ordinal, attempts }: DeliveryKey, result: DeliveryResult) => [
    ...[endpoint.bookId, endpoint.webhookEndpointId, ordinal, attempts],
    ...[result.status, result.nextAttemptAt, result.lastStatusCode, result.lastError],
  ],
)

/** Pending deliveries, in all books. */
export const countPending = sql`
    select count(*) as pending
    from webhook_deliveries delivery
    join webhook_endpoints endpoint
      on endpoint.book_id = delivery.book_id
      and endpoint.webhook_endpoint_id = delivery.webhook_endpoint_id
    where delivery.status = 'PENDING'`.only(count('pending'))
