import { type Static, Type } from 'typebox'
import { PING_TYPE } from '../../domain/event.ts'
import {
  ALL_EVENTS,
  DELIVERY_STATUSES,
  ENDPOINT_STATUSES,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../domain/webhook.ts'
import { Choice, ListOf, Nullable, PlainText, Text } from '../../wire/fields.ts'
import type { Json } from '../../wire/json.ts'
import { type Place, readField, refuse } from '../../wire/reader.ts'
import {
  count,
  createdAt,
  eventId,
  instant,
  kind,
  listOf,
  type Members,
  oneOf,
  orNull,
  record,
  text,
  webhookEndpointId,
} from '../../wire/record.ts'
import { EVENT_TYPES } from '../events/record.ts'

const SUBSCRIBED_EVENT_TYPES = [ALL_EVENTS, ...EVENT_TYPES]
const SENT_EVENT_TYPES = [...EVENT_TYPES, PING_TYPE]

const URL_OF_ENDPOINT = 'Where messages are sent.'
const NOTE = 'A note for people.'
const STATUS = 'Messages are sent while it is ENABLED.'

const eventTypes = ListOf(Choice(SUBSCRIBED_EVENT_TYPES, { title: 'SubscribedEventType' }), {
  min: 1,
  max: SUBSCRIBED_EVENT_TYPES.length,
  description: 'The types to send; "*" is every type, now and later.',
})
const note = Nullable(PlainText({ max: 500 }), { description: NOTE })

export const NewWebhookEndpoint = Type.Object({
  url: WebhookUrl(),
  event_types: Type.Optional(eventTypes),
  description: Type.Optional(note),
})
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointUpdate = Type.Object(
  {
    url: Type.Optional(WebhookUrl()),
    event_types: Type.Optional(eventTypes),
    description: Type.Optional(note),
    status: Type.Optional(Choice(ENDPOINT_STATUSES, { title: 'EndpointStatus', description: STATUS })),
  },
  { notUpdatable: ['webhook_endpoint_id', 'secret', 'created_at'] },
)
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>

/** The members that were sent, under their domain names. */
export function endpointChanges({ event_types: eventTypes, ...rest }: WebhookEndpointUpdate) {
  return { ...rest, ...(eventTypes !== undefined && { eventTypes }) }
}

type ShownEndpoint = Omit<WebhookEndpoint, 'secret' | 'previous'>

const endpoint: Members<ShownEndpoint> = {
  webhook_endpoint_id: webhookEndpointId.of((endpoint) => endpoint.webhookEndpointId),
  url: text.as(URL_OF_ENDPOINT, (endpoint) => endpoint.url),
  event_types: listOf(oneOf('SubscribedEventType', SUBSCRIBED_EVENT_TYPES)).as(
    'Types that are sent; * is all of them, now and later.',
    (endpoint) => endpoint.eventTypes,
  ),
  description: orNull(text).as(NOTE, (endpoint) => endpoint.description),
  status: oneOf('EndpointStatus', ENDPOINT_STATUSES).as(STATUS, (endpoint) => endpoint.status),
}
const creation: Members<ShownEndpoint> = { created_at: createdAt.of((endpoint) => endpoint.createdAt) }

export const WebhookEndpointRecord = record<ShownEndpoint>('WebhookEndpoint', { ...endpoint, ...creation })

const secret = kind<string>(Type.String({ pattern: '^whsec_[0-9A-Za-z+/]+={0,2}$' }), (value) => value)

/** The only answers that contain the secret: those that made it. */
export const EndpointWithSecretRecord = record<ShownEndpoint & { secret: string }>('EndpointWithSecret', {
  ...endpoint,
  secret: secret.as('Signs the messages; shown only in this answer.', (endpoint) => endpoint.secret),
  ...creation,
})

export const DeliveryRecord = record<WebhookDelivery>('WebhookDelivery', {
  event_id: eventId.of((delivery) => delivery.eventId),
  event_type: oneOf('SentEventType', SENT_EVENT_TYPES).as(
    'Type of the event.',
    (delivery) => delivery.eventType,
  ),
  status: oneOf('DeliveryStatus', DELIVERY_STATUSES).as(
    'PENDING while attempts are left, then DELIVERED or FAILED.',
    (delivery) => delivery.status,
  ),
  attempts: count.as('Attempts so far; there are at most 10.', (delivery) => delivery.attempts),
  next_attempt_at: orNull(instant).as(
    'When it is tried next, or null.',
    (delivery) => delivery.nextAttemptAt,
  ),
  last_attempt_at: orNull(instant).as(
    'When it was tried last, or null.',
    (delivery) => delivery.lastAttemptAt,
  ),
  last_status_code: orNull(count).as(
    'HTTP status of the last attempt, or null where there was none.',
    (delivery) => delivery.lastStatusCode,
  ),
  last_error: orNull(text).as(
    'Why the last attempt failed, in one word, or null.',
    (delivery) => delivery.lastError,
  ),
  created_at: createdAt.of((delivery) => delivery.createdAt),
})

/**
 * An absolute URL, stored as sent. White space and backslashes, which URL parsers silently repair, are rejected, so
 * that people and programs see the same host in it. The address guard decides where it may point.
 */
function WebhookUrl() {
  const text = Text({ min: 1, max: 2048, description: URL_OF_ENDPOINT })
  return Type.Unsafe<string>({
    ...text,
    format: 'uri',
    read: (value: Json, place: Place) => {
      const url = readField(text, value, place)
      if (typeof url !== 'string') return undefined
      if (/[\s\\]/.test(url) || !URL.canParse(url)) {
        return refuse(place, 'invalid_format', 'Send a whole URL, such as https://example.com/webhooks.')
      }
      if (/^https?:\/\//i.test(url)) return url
      return refuse(place, 'invalid_value', 'Send a URL that begins with https://, or http:// in test mode.')
    },
  })
}
