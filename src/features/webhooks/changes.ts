/**
 * Endpoints and messages sent to them on request. A secret is shown only by the answer that made it. Changes of
 * endpoints are in the audit log but are not announced to subscribers.
 */
import { randomBytes } from 'node:crypto'
import { WEBHOOK_SENDER } from '../../domain/actor.ts'
import type { Mode } from '../../domain/book.ts'
import { type BookEvent, PING_TYPE } from '../../domain/event.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Examined, WebhookEndpoint } from '../../domain/webhook.ts'
import {
  type AnswerWriter,
  type Change,
  type EventDraft,
  made,
  nothing,
  type Origin,
  type Result,
  whatWasLocked,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Database, Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { PingDataRecord } from '../events/record.ts'
import { findAnnouncedEvent } from '../events/store.ts'
import { WebhookEndpointRecord } from './record.ts'
import {
  type ClaimedDelivery,
  type DeliveryResult,
  type DueEndpoint,
  deleteEndpoint,
  findSubscribers,
  insertDelivery,
  insertEndpoints,
  lockEndpoint,
  settleDelivery,
  updateEndpoints,
} from './store.ts'

export type AddressGuard = (url: string, mode: Mode) => Promise<Examined>

type Endpoint = WebhookEndpoint | undefined
type EndpointChange<Request, Value> = Change<
  Request & { webhookEndpointId: string },
  Endpoint,
  Endpoint,
  Value
>

/** What the changes of an existing endpoint have in common. */
const onOneEndpoint = {
  batchMax: 1,
  lock: lockEndpointOf,
  read: whatWasLocked,
} as const

type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'description'>

const creation: Change<NewEndpoint, void, void, WebhookEndpoint> = {
  batchMax: 1,
  lock: nothing,
  read: nothing,
  decider:
    (_, { moment }) =>
    (asked) =>
      made({
        webhookEndpointId: newId('we'),
        url: asked.url,
        eventTypes: [...new Set(asked.eventTypes)],
        description: asked.description,
        status: 'ENABLED',
        secret: newSecret(),
        previous: null,
        createdAt: moment.at,
      }),
  write(tx, bookId, endpoints, recording) {
    for (const endpoint of endpoints) insertEndpoints(tx, bookId, [endpoint])
    record(tx, bookId, recording)
  },
  events: (endpoint) => [endpointEvent('webhook_endpoint.created', endpoint)],
}

export function createEndpoint(
  engine: Engine,
  origin: Origin,
  request: NewEndpoint,
  answer?: AnswerWriter<WebhookEndpoint>,
): Promise<Result<WebhookEndpoint>> {
  return engine.submit(creation, origin, request, answer)
}

type UpdateRequest = {
  webhookEndpointId: string
  changes: Partial<Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'description' | 'status'>>
}
type EndpointUpdate = { before: WebhookEndpoint; endpoint: WebhookEndpoint; sent: boolean }

/** Omitted fields stay. Pending messages of a disabled endpoint wait until it is enabled again. */
const update: EndpointChange<UpdateRequest, EndpointUpdate> = {
  ...onOneEndpoint,
  decider:
    (before) =>
    ({ changes }) => {
      if (before === undefined) return refuse('webhook_endpoint_not_found')
      const eventTypes = [...new Set(changes.eventTypes ?? before.eventTypes)]
      const endpoint = { ...before, ...changes, eventTypes }
      return made({ before, endpoint, sent: Object.keys(changes).length > 0 })
    },
  write(tx, bookId, updates, recording) {
    for (const { endpoint, sent } of updates) if (sent) updateEndpoints(tx, bookId, [endpoint])
    record(tx, bookId, recording)
  },
  events: ({ before, endpoint, sent }) =>
    sent ? [endpointEvent('webhook_endpoint.updated', endpoint, before)] : [],
}

export function changeEndpoint(
  engine: Engine,
  origin: Origin,
  request: UpdateRequest,
  answer?: AnswerWriter<EndpointUpdate>,
): Promise<Result<EndpointUpdate>> {
  return engine.submit(update, origin, request, answer)
}

type EndpointRequest = { webhookEndpointId: string }

const removal: EndpointChange<EndpointRequest, WebhookEndpoint> = {
  ...onOneEndpoint,
  decider: (before) => () =>
    before === undefined
      ? refuse('webhook_endpoint_not_found')
      : made<WebhookEndpoint>({ ...before, status: 'DISABLED' }),
  write(tx, bookId, endpoints, recording) {
    for (const { webhookEndpointId } of endpoints) deleteEndpoint(tx, bookId, webhookEndpointId)
    record(tx, bookId, recording)
  },
  events: (endpoint) => [endpointEvent('webhook_endpoint.deleted', endpoint)],
}

export function removeEndpoint(
  engine: Engine,
  origin: Origin,
  request: EndpointRequest,
  answer?: AnswerWriter<WebhookEndpoint>,
): Promise<Result<WebhookEndpoint>> {
  return engine.submit(removal, origin, request, answer)
}

type RotationRequest = { webhookEndpointId: string; overlapSeconds: number }

/** During the overlap messages have both signatures, so that a receiver may switch to the new secret at any time. */
const rotation: EndpointChange<RotationRequest, WebhookEndpoint> = {
  ...onOneEndpoint,
  decider:
    (before, { moment }) =>
    ({ overlapSeconds }) => {
      if (before === undefined) return refuse('webhook_endpoint_not_found')
      const until = new Date(moment.at.getTime() + overlapSeconds * 1000)
      const previous = overlapSeconds === 0 ? null : { secret: before.secret, until }
      return made({ ...before, secret: newSecret(), previous })
    },
  write(tx, bookId, endpoints, recording) {
    for (const endpoint of endpoints) updateEndpoints(tx, bookId, [endpoint])
    record(tx, bookId, recording)
  },
  events: (endpoint) => [endpointEvent('webhook_endpoint.secret_rotated', endpoint)],
}

export function rotateSecret(
  engine: Engine,
  origin: Origin,
  request: RotationRequest,
  answer?: AnswerWriter<WebhookEndpoint>,
): Promise<Result<WebhookEndpoint>> {
  return engine.submit(rotation, origin, request, answer)
}

type PingRequest = { webhookEndpointId: string } & Pick<BookEvent, 'eventId' | 'requestId' | 'actor'>
type Ping = { endpoint: WebhookEndpoint; event: BookEvent }

/** The ping is sent like any event, but to this endpoint alone. */
const ping: EndpointChange<PingRequest, Ping> = {
  ...onOneEndpoint,
  decider:
    (endpoint, { moment }) =>
    ({ webhookEndpointId, ...origin }) => {
      if (endpoint === undefined) return refuse('webhook_endpoint_not_found')
      const data = PingDataRecord.json({ webhookEndpointId })
      return made({ endpoint, event: { ...origin, type: PING_TYPE, at: moment.at, data } })
    },
  write(tx, bookId, pings, recording) {
    record(tx, bookId, recording)
    for (const { endpoint, event } of pings) {
      insertDelivery(tx, bookId, { webhookEndpointId: endpoint.webhookEndpointId, ...event })
    }
  },
  events: ({ endpoint, event: { eventId, type, data } }) => [
    { eventId, type, announced: false, subjectId: endpoint.webhookEndpointId, data, changes: null },
  ],
}

export function pingEndpoint(
  engine: Engine,
  origin: Origin,
  request: EndpointRequest,
  answer?: AnswerWriter<Ping>,
): Promise<Result<Ping>> {
  const { requestId, actor } = origin
  return engine.submit(ping, origin, { ...request, eventId: newId('evt'), requestId, actor }, answer)
}

type Redelivery = { event: BookEvent; webhookEndpointIds: string[]; at: Date }
type Redeliverable = Omit<Redelivery, 'at'> | undefined

/** Sends to every endpoint that is enabled and subscribed now, regardless of earlier deliveries. */
const redelivery: Change<string, void, Redeliverable, Redelivery> = {
  batchMax: 1,
  lock: nothing,
  async read(tx, { book: { bookId }, requests: [eventId] }) {
    const event = await findAnnouncedEvent(tx, bookId, eventId!)
    return event && { event, webhookEndpointIds: await findSubscribers(tx, bookId, event.type) }
  },
  decider:
    (known, { moment }) =>
    () =>
      known === undefined ? refuse('event_not_found') : made({ ...known, at: moment.at }),
  write(tx, bookId, redeliveries, recording) {
    for (const { event, webhookEndpointIds, at } of redeliveries) {
      for (const webhookEndpointId of webhookEndpointIds) {
        insertDelivery(tx, bookId, { webhookEndpointId, eventId: event.eventId, at })
      }
    }
    record(tx, bookId, recording)
  },
  events: ({ event: { eventId }, webhookEndpointIds }) => [
    {
      type: 'event.redelivered',
      announced: false,
      subjectId: eventId,
      data: JSON.stringify({ event_id: eventId, deliveries: webhookEndpointIds.length }),
      changes: null,
    },
  ],
}

export function redeliverEvent(
  engine: Engine,
  origin: Origin,
  eventId: string,
  answer?: AnswerWriter<Redelivery>,
): Promise<Result<Redelivery>> {
  return engine.submit(redelivery, origin, eventId, answer)
}

/**
 * The result of an attempt. An endpoint that is permanently gone is disabled with it, unless its URL was changed
 * meanwhile: then the response was not about the current endpoint.
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
    updateEndpoints(tx, bookId, [disabled])
    const event = endpointEvent('webhook_endpoint.disabled', disabled, kept)
    const disabling = { ...event, eventId: newId('evt'), actor: WEBHOOK_SENDER, requestId: null, at }
    record(tx, bookId, { events: [disabling], answers: [] })
  })
}

function lockEndpointOf(
  tx: Queries,
  bookId: string,
  [request]: readonly EndpointRequest[],
): Promise<Endpoint> {
  return lockEndpoint(tx, bookId, request!.webhookEndpointId)
}

/** Standard Webhooks requires 24 to 64 random bytes. */
const SECRET_BYTES = 32

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

function endpointEvent(type: string, endpoint: WebhookEndpoint, before?: WebhookEndpoint): EventDraft {
  const after = WebhookEndpointRecord.write(endpoint)
  return {
    type,
    announced: false,
    subjectId: endpoint.webhookEndpointId,
    data: JSON.stringify(after),
    changes:
      before === undefined ? null : JSON.stringify({ before: WebhookEndpointRecord.write(before), after }),
  }
}
