/** The addresses that events of a book are sent to, and what became of each message. */
import {
  ALL_EVENTS,
  DELIVERY_STATUSES,
  ENDPOINT_STATUSES,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../domain/webhook.ts'
import { inputField, selectField } from '../../page/form.ts'
import { type Html, html, trusted } from '../../page/html.ts'
import { fileColumn, type List, type ListColumn } from '../../page/list.ts'
import type { Asked } from '../../page/page.ts'
import { rowsOfStore } from '../../page/stored-list.ts'
import type { Words } from '../../words/words.ts'
import { type DeliveryFilters, findEndpoint, listDeliveries, listEndpoints } from './store.ts'
import { webhookWords } from './words.ts'

const ENDPOINTS_MAX = { limit: 500, before: null }

export const endpointList: List<WebhookEndpoint> = {
  path: '/webhooks',
  section: 'webhooks',
  scope: 'webhooks:read',
  title: ({ words }) => words.of(webhookWords).webhooks.addresses,
  none: (words) => words.of(webhookWords).webhooks.none,
  filters: ['status', 'find'],
  fields: ({ query, words }) => {
    const { webhooks: say } = words.of(webhookWords)
    const texts = { '': say.all, ...say.statuses }
    return html`${selectField({ name: 'status', label: say.status, texts, value: query.get('status') })}
${inputField({ name: 'find', label: say.find, max: 64, value: query.get('find') })}`
  },
  columns: ({ words }) => endpointColumns(words),
  idOf: ({ webhookEndpointId }) => webhookEndpointId,
  rows: async ({ service, book, query }) => {
    const { items } = await listEndpoints(service.db, book.bookId, ENDPOINTS_MAX)
    const status = ENDPOINT_STATUSES.find((one) => one === query.get('status'))
    const wanted = query.get('find').trim().toLowerCase()
    return items
      .filter((one) => status === undefined || one.status === status)
      .filter(({ url, description }) => `${url} ${description ?? ''}`.toLowerCase().includes(wanted))
  },
}

function endpointColumns(words: Words): ListColumn<WebhookEndpoint>[] {
  const { webhooks: say } = words.of(webhookWords)
  return [
    {
      key: 'url',
      name: say.url,
      cell: ({ webhookEndpointId, url, description }) =>
        html`<a class="long" href="/console/webhooks/${webhookEndpointId}"><b>${url}</b></a>
<small>${description}</small>`,
      text: ({ url }) => url,
      order: ({ url }) => url,
    },
    {
      key: 'events',
      name: say.events,
      cell: ({ eventTypes }) => eventsText(eventTypes, words),
      text: ({ eventTypes }) => eventTypes.join(' '),
      order: ({ eventTypes }) => eventTypes.join(' '),
    },
    {
      key: 'status',
      name: say.status,
      cell: ({ status }) => statusBadge(status, words),
      text: ({ status }) => status,
      order: ({ status }) => status,
    },
    fileColumn('description', ({ description }) => description ?? ''),
    fileColumn('webhook_endpoint_id', ({ webhookEndpointId }) => webhookEndpointId),
    fileColumn('created_at', ({ createdAt }) => createdAt.toISOString()),
  ]
}

export function eventsText(types: readonly string[], words: Words): string {
  return types.includes(ALL_EVENTS) ? words.of(webhookWords).webhooks.every : types.join(', ')
}

export function statusBadge(status: WebhookEndpoint['status'], words: Words): Html {
  const text = words.of(webhookWords).webhooks.statuses[status]
  return html`<span class="badge ${status === 'ENABLED' && trusted('active')}">${text}</span>`
}

/** `sent`: the types of events that an address may be sent. */
export const deliveryList = (sent: readonly string[]): List<WebhookDelivery> => ({
  path: '/webhooks/:webhook_endpoint_id',
  file: '/webhooks/:webhook_endpoint_id/deliveries.csv',
  section: 'webhooks',
  scope: 'webhooks:read',
  exists: async ({ service, book, params }) =>
    (await findEndpoint(service.db, book.bookId, params.webhook_endpoint_id!)) !== undefined,
  title: ({ words }) => words.of(webhookWords).webhooks.deliveries,
  none: (words) => words.of(webhookWords).webhooks.noDeliveries,
  filters: ['status', 'event'],
  fields: ({ query, words }) => {
    const { webhooks: say } = words.of(webhookWords)
    const texts = { '': say.all, ...say.deliveryStatuses }
    const types = { '': say.every, ...Object.fromEntries(sent.map((type) => [type, type])) }
    return html`${selectField({ name: 'status', label: say.status, texts, value: query.get('status') })}
${selectField({ name: 'event', label: say.event, texts: types, value: query.get('event') })}`
  },
  columns: deliveryColumns,
  idOf: ({ ordinal }) => String(ordinal),
  ...rowsOfStore(listDeliveries, deliveryFilters),
  sql: {
    id: 'ordinal::text',
    order: {
      event: 'type',
      created: 'created_at',
      status: 'status',
      attempts: 'attempts',
      last: 'last_attempt_at',
    },
    sums: {},
  },
})

function deliveryFilters({ params, query }: Asked): DeliveryFilters {
  const status = DELIVERY_STATUSES.find((one) => one === query.get('status'))
  const eventType = query.get('event')
  return {
    webhookEndpointId: params.webhook_endpoint_id!,
    ...(status !== undefined && { status }),
    ...(eventType !== '' && { eventType }),
  }
}

const BADGES = { PENDING: 'waiting', DELIVERED: 'done', FAILED: 'refused' } as const

function deliveryColumns({ words, may, params }: Asked): (ListColumn<WebhookDelivery> | false)[] {
  const { webhooks: say } = words.of(webhookWords)
  const instant = (key: string, name: string, of: (one: WebhookDelivery) => Date | null) => ({
    key,
    name,
    cell: (one: WebhookDelivery) => of(one) !== null && words.instant(of(one)!),
    text: (one: WebhookDelivery) => of(one)?.toISOString() ?? '',
  })
  return [
    {
      key: 'event',
      name: say.event,
      cell: ({ eventType, eventId }) => html`<a
href="/console/webhooks/${params.webhook_endpoint_id}/events/${eventId}">${eventType}<small>${eventId}</small></a>`,
      text: ({ eventType }) => eventType,
    },
    instant('created', say.when, ({ createdAt }) => createdAt),
    {
      key: 'status',
      name: say.status,
      cell: ({ status, nextAttemptAt: next }) =>
        html`<span class="badge ${BADGES[status]}">${say.deliveryStatuses[status]}</span>
${next !== null && html`<small>${say.nextAttempt(words.instant(next))}</small>`}`,
      text: ({ status }) => status,
    },
    {
      key: 'attempts',
      name: say.attempts,
      isNumber: true,
      cell: ({ attempts }) => attempts,
      text: ({ attempts }) => String(attempts),
    },
    instant('last', say.last, ({ lastAttemptAt }) => lastAttemptAt),
    {
      key: 'answer',
      name: say.answer,
      cell: ({ lastStatusCode, lastError }) => lastStatusCode ?? lastError,
      text: ({ lastStatusCode, lastError }) => String(lastStatusCode ?? lastError ?? ''),
    },
    fileColumn('next', ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? ''),
    fileColumn('event_id', ({ eventId }) => eventId),
    may('webhooks:write') && {
      key: 'again',
      name: null,
      cell: ({ eventId, eventType }) => html`<form method="post"
action="/console/webhooks/${params.webhook_endpoint_id}/again">
<button class="button" name="event" value="${eventId}" aria-label="${say.againOf(eventType)}">${say.again}</button>
</form>`,
    },
  ]
}
