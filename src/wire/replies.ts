/**
 * The records that answers are made of, as schemas. The reference is printed from them, and every answer in the HTTP
 * tests is held to them: each member is always present, and there is no other.
 * A schema with a title is printed once, under that name, and referred to from everywhere else.
 */
import { type TProperties, type TSchema, Type } from 'typebox'
import { MODES } from '../domain/book.ts'
import { EVENT_TYPES, PING_TYPE } from '../domain/event.ts'
import { SCOPES } from '../domain/scopes.ts'

const Instant = Type.String({ format: 'date-time' })
const Words = Type.String()

const apiKey = {
  key_prefix: Words,
  name: orNull(Words),
  mode: oneOf(MODES, 'Mode'),
  scopes: Type.Array(oneOf(SCOPES, 'Scope')),
  rate_limit_per_minute: orNull(Type.Integer({ minimum: 0 })),
  expires_at: orNull(Instant),
  revoked_at: orNull(Instant),
  last_used_at: orNull(Instant),
  created_at: Instant,
}

export const ApiKeyRecord = record('ApiKey', { api_key_id: identifier('key'), ...apiKey })

export const IssuedApiKeyRecord = record('IssuedApiKey', {
  api_key_id: identifier('key'),
  key: Type.String({ pattern: '^bw_(test|live)_[0-9A-Za-z]{38}$' }),
  ...apiKey,
})

const webhookEndpoint = {
  webhook_endpoint_id: identifier('we'),
  url: Words,
  event_types: Type.Array(oneOf(['*', ...EVENT_TYPES], 'SubscribedEventType')),
  description: orNull(Words),
  status: oneOf(['ENABLED', 'DISABLED'], 'EndpointStatus'),
  created_at: Instant,
}

export const WebhookEndpointRecord = record('WebhookEndpoint', webhookEndpoint)

export const EndpointWithSecretRecord = record('EndpointWithSecret', {
  ...webhookEndpoint,
  secret: Type.String({ pattern: '^whsec_[0-9A-Za-z+/]+={0,2}$' }),
})

export const DeliveryRecord = record('WebhookDelivery', {
  event_id: identifier('evt'),
  event_type: oneOf([...EVENT_TYPES, PING_TYPE], 'SentEventType'),
  status: oneOf(['PENDING', 'DELIVERED', 'FAILED'], 'DeliveryStatus'),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: orNull(Instant),
  last_attempt_at: orNull(Instant),
  last_status_code: orNull(Type.Integer()),
  last_error: orNull(Words),
  created_at: Instant,
})

export const NothingRecord = record('Nothing', {})

/** Every member is present, and there is no other. */
export function record(title: string, properties: TProperties) {
  return Type.Object(properties, { title, additionalProperties: false })
}

export function identifier(prefix: string) {
  return Type.String({ pattern: `^${prefix}_[0-9A-Za-z]{24}$` })
}

/** A closed list; with a title it is printed once, under that name. */
export function oneOf(values: readonly string[], title?: string) {
  return Type.Unsafe<string>({ ...(title !== undefined && { title }), type: 'string', enum: values })
}

export function orNull(schema: TSchema) {
  return Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })
}
