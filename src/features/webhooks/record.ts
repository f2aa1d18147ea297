import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from '../../domain/event.ts'
import { timestamp } from '../../wire/envelope.ts'
import { Choice, ListOf, type Notes, Nullable, PlainText, Text } from '../../wire/fields.ts'
import type { Json } from '../../wire/json.ts'
import { type Place, readField, refuse } from '../../wire/reader.ts'

export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED'] as const
export const ALL_EVENTS = '*'

const eventTypes = ListOf(Choice([ALL_EVENTS, ...EVENT_TYPES], { title: 'SubscribedEventType' }), {
  min: 1,
  max: EVENT_TYPES.length + 1,
  description: 'The types to send; "*" is every type, now and later.',
})
const description = Nullable(PlainText({ max: 500 }))

export const NewWebhookEndpoint = Type.Object({
  url: WebhookUrl(),
  event_types: Type.Optional(eventTypes),
  description: Type.Optional(description),
})
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointUpdate = Type.Object(
  {
    url: Type.Optional(WebhookUrl()),
    event_types: Type.Optional(eventTypes),
    description: Type.Optional(description),
    status: Type.Optional(Choice(ENDPOINT_STATUSES, { title: 'EndpointStatus' })),
  },
  { notUpdatable: ['webhook_endpoint_id', 'secret', 'created_at'] },
)
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>

/** Members that were sent, under our names. */
export function endpointChanges({ event_types: eventTypes, ...rest }: WebhookEndpointUpdate) {
  return { ...rest, ...(eventTypes !== undefined && { eventTypes }) }
}

export type ShownWebhookEndpoint = {
  webhookEndpointId: string
  url: string
  eventTypes: readonly string[]
  description: string | null
  status: (typeof ENDPOINT_STATUSES)[number]
  createdAt: Date
}

export function webhookEndpointData(endpoint: ShownWebhookEndpoint) {
  return {
    webhook_endpoint_id: endpoint.webhookEndpointId,
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    status: endpoint.status,
    created_at: timestamp(endpoint.createdAt),
  }
}

/** The only answers that hold the secret: those that made it. */
export function issuedSecretData(endpoint: ShownWebhookEndpoint & { secret: string }) {
  const { created_at, ...rest } = webhookEndpointData(endpoint)
  return { ...rest, secret: endpoint.secret, created_at }
}

export function deliveryData(delivery: {
  eventId: string
  eventType: string
  status: string
  attempts: number
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  lastStatusCode: number | null
  lastError: string | null
  createdAt: Date
}) {
  return {
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt === null ? null : timestamp(delivery.nextAttemptAt),
    last_attempt_at: delivery.lastAttemptAt === null ? null : timestamp(delivery.lastAttemptAt),
    last_status_code: delivery.lastStatusCode,
    last_error: delivery.lastError,
    created_at: timestamp(delivery.createdAt),
  }
}

/**
 * An address in full, kept as sent. White space and backslashes, which URL parsers silently repair, are refused, so that
 * people and programs see the same host in it. Where it may point is not a matter of form: see the address guard.
 */
function WebhookUrl(notes: Notes = {}) {
  const text = Text({ min: 1, max: 2048 })
  return Type.Unsafe<string>({
    ...text,
    format: 'uri',
    ...notes,
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
