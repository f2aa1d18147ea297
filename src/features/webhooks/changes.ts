/**
 * Endpoints and what is sent to them on request. A secret is shown by the answer that made it and never again. Changes of
 * endpoints are in the audit trail but are not announced: nobody subscribes to their own subscriptions.
 */
import { randomBytes } from 'node:crypto'
import type { Mode } from '../../domain/book.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Answered, Made, Origin, Perform } from '../../engine/change/change.ts'
import { recordChange } from '../../engine/change/recording.ts'
import type { Database } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { successBody } from '../../wire/envelope.ts'
import { eventData, PING_TYPE } from '../events/record.ts'
import { findAnnouncedEvent } from '../events/store.ts'
import {
  ALL_EVENTS,
  issuedSecretData,
  type NewWebhookEndpoint,
  type WebhookEndpointUpdate,
  webhookEndpointData,
} from './record.ts'
import {
  type ClaimedDelivery,
  type DeliveryResult,
  type DueEndpoint,
  deleteEndpoint,
  insertDelivery,
  insertEndpoint,
  lockEndpoint,
  redeliver,
  settleDelivery,
  updateEndpoint,
  type WebhookEndpoint,
} from './store.ts'

/** Whether a book may send to a URL, and the very addresses to connect to; none where the name does not resolve now. */
export type AddressGuard = (url: string, mode: Mode) => Promise<Examined>
export type Examined =
  | { outcome: 'allowed'; addresses: { address: string; family: 4 | 6 }[] }
  | { outcome: 'forbidden'; code: 'forbidden_address' | 'invalid_value'; message: string }

export function createEndpoint(
  perform: Perform,
  origin: Origin,
  body: NewWebhookEndpoint,
): Promise<Answered | Refusal> {
  const webhookEndpointId = newId('we')
  const secret = newSecret()
  return perform(origin, {
    lock: async () => undefined,
    decide: async (tx, _, moment) => {
      const endpoint: WebhookEndpoint = {
        webhookEndpointId,
        url: body.url,
        eventTypes: [...new Set(body.event_types ?? [ALL_EVENTS])],
        description: body.description ?? null,
        status: 'ENABLED',
        secret,
        previous: null,
        createdAt: moment.at,
      }
      insertEndpoint(tx, origin.book.bookId, endpoint)
      return {
        outcome: 'made',
        status: 201,
        body: successBody(
          'The webhook endpoint was created. Its secret is shown only this once.',
          issuedSecretData(endpoint),
        ),
        sealed: true,
        event: endpointEvent('webhook_endpoint.created', endpoint),
      }
    },
  })
}

/** Omitted fields stay. What is pending for a disabled endpoint waits until it is enabled again. */
export function changeEndpoint(
  perform: Perform,
  origin: Origin,
  asked: { webhookEndpointId: string; changes: WebhookEndpointUpdate },
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  const { changes } = asked
  return perform(origin, {
    lock: (tx) => lockEndpoint(tx, bookId, asked.webhookEndpointId),
    decide: async (tx, before) => {
      if (before === undefined) return refuse('webhook_endpoint_not_found')
      const endpoint: WebhookEndpoint = {
        ...before,
        url: changes.url ?? before.url,
        eventTypes: [...new Set(changes.event_types ?? before.eventTypes)],
        description: changes.description === undefined ? before.description : changes.description,
        status: changes.status ?? before.status,
      }
      const body = successBody('The webhook endpoint was updated.', webhookEndpointData(endpoint))
      if (Object.keys(changes).length === 0) return { outcome: 'made', status: 200, body, event: null }
      updateEndpoint(tx, bookId, endpoint)
      const event = endpointEvent('webhook_endpoint.updated', endpoint, before)
      return { outcome: 'made', status: 200, body, event }
    },
  })
}

export function removeEndpoint(
  perform: Perform,
  origin: Origin,
  webhookEndpointId: string,
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  return perform(origin, {
    lock: (tx) => lockEndpoint(tx, bookId, webhookEndpointId),
    decide: async (tx, before) => {
      if (before === undefined) return refuse('webhook_endpoint_not_found')
      const endpoint: WebhookEndpoint = { ...before, status: 'DISABLED' }
      deleteEndpoint(tx, bookId, webhookEndpointId)
      return {
        outcome: 'made',
        status: 200,
        body: successBody('The webhook endpoint was deleted.', webhookEndpointData(endpoint)),
        event: endpointEvent('webhook_endpoint.deleted', endpoint),
      }
    },
  })
}

/** During the overlap messages carry both signatures, so that a receiver may change its secret at any time in it. */
export function rotateSecret(
  perform: Perform,
  origin: Origin,
  asked: { webhookEndpointId: string; overlapSeconds: number },
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  const secret = newSecret()
  return perform(origin, {
    lock: (tx) => lockEndpoint(tx, bookId, asked.webhookEndpointId),
    decide: async (tx, before, moment) => {
      if (before === undefined) return refuse('webhook_endpoint_not_found')
      const until = new Date(moment.at.getTime() + asked.overlapSeconds * 1000)
      const endpoint: WebhookEndpoint = {
        ...before,
        secret,
        previous: asked.overlapSeconds === 0 ? null : { secret: before.secret, until },
      }
      updateEndpoint(tx, bookId, endpoint)
      return {
        outcome: 'made',
        status: 200,
        body: successBody(
          'The secret was rotated. The new one is shown only this once.',
          issuedSecretData(endpoint),
        ),
        sealed: true,
        event: endpointEvent('webhook_endpoint.secret_rotated', endpoint),
      }
    },
  })
}

/** The ping goes the way of every event, but to this endpoint alone; its own row is the record of the change. */
export function pingEndpoint(
  perform: Perform,
  origin: Origin,
  webhookEndpointId: string,
): Promise<Answered | Refusal> {
  const { bookId, mode } = origin.book
  const eventId = newId('evt')
  return perform(origin, {
    lock: (tx) => lockEndpoint(tx, bookId, webhookEndpointId),
    decide: async (tx, endpoint, { at }) => {
      if (endpoint === undefined) return refuse('webhook_endpoint_not_found')
      const ping = {
        eventId,
        type: PING_TYPE,
        at,
        requestId: origin.requestId,
        data: JSON.stringify({ webhook_endpoint_id: webhookEndpointId }),
      }
      const { apiKeyId } = origin
      const event = { ...ping, announced: false, subjectId: webhookEndpointId, apiKeyId, changes: null }
      recordChange(tx, bookId, { event, answer: null })
      insertDelivery(tx, bookId, { webhookEndpointId, eventId, at })
      const message =
        endpoint.status === 'ENABLED'
          ? 'The ping will be sent at once.'
          : 'The ping will be sent when the webhook endpoint is enabled.'
      return { outcome: 'made', status: 200, body: successBody(message, eventData(ping, mode)), event: null }
    },
  })
}

/** To every endpoint that is enabled and subscribed now, whatever became of earlier deliveries. */
export function redeliverEvent(
  perform: Perform,
  origin: Origin,
  eventId: string,
): Promise<Answered | Refusal> {
  const { bookId, mode } = origin.book
  return perform(origin, {
    lock: async () => undefined,
    decide: async (tx, _, { at }) => {
      const event = await findAnnouncedEvent(tx, bookId, eventId)
      if (event === undefined) return refuse('event_not_found')
      const deliveries = await redeliver(tx, bookId, { event, at })
      return {
        outcome: 'made',
        status: 200,
        body: successBody('The event will be sent again.', { ...eventData(event, mode), deliveries }),
        event: {
          type: 'event.redelivered',
          announced: false,
          subjectId: eventId,
          data: JSON.stringify({ event_id: eventId, deliveries }),
          changes: null,
        },
      }
    },
  })
}

/**
 * What became of an attempt. An endpoint that is gone for good is disabled with it, unless its URL was changed meanwhile:
 * then the answer was not about the endpoint as it is now.
 */
export async function recordAttempt(
  db: Database,
  endpoint: DueEndpoint,
  attempt: { delivery: ClaimedDelivery; result: DeliveryResult; gone: boolean; at: Date },
): Promise<void> {
  const { bookId, webhookEndpointId } = endpoint
  const { delivery, result, at } = attempt
  if (!attempt.gone) {
    await settleDelivery(db, endpoint, delivery, result)
    return
  }
  await db.transaction(async (tx) => {
    const kept = await lockEndpoint(tx, bookId, webhookEndpointId)
    await settleDelivery(tx, endpoint, delivery, result)
    if (kept === undefined || kept.url !== endpoint.url || kept.status === 'DISABLED') return
    const disabled: WebhookEndpoint = { ...kept, status: 'DISABLED' }
    updateEndpoint(tx, bookId, disabled)
    const event = endpointEvent('webhook_endpoint.disabled', disabled, kept)
    recordChange(tx, bookId, {
      event: { ...event, eventId: newId('evt'), apiKeyId: null, requestId: null, at },
      answer: null,
    })
  })
}

/** Standard Webhooks asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

function endpointEvent(
  type: string,
  endpoint: WebhookEndpoint,
  before?: WebhookEndpoint,
): NonNullable<Made['event']> {
  const after = webhookEndpointData(endpoint)
  return {
    type,
    announced: false,
    subjectId: endpoint.webhookEndpointId,
    data: JSON.stringify(after),
    changes: before === undefined ? null : JSON.stringify({ before: webhookEndpointData(before), after }),
  }
}
