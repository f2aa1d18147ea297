import type { Book } from '../../domain/book.ts'
import { ALL_EVENTS } from '../../domain/webhook.ts'
import {
  ListQuery,
  listReply,
  type Route,
  reply,
  replyWith,
  route,
  type Service,
  secretSuccess,
  success,
} from '../../route/route.ts'
import { FailureError, found } from '../../wire/failure.ts'
import { Overlap } from '../api-keys/record.ts'
import { PingRecord, RedeliveredEventRecord } from '../events/record.ts'
import {
  changeEndpoint,
  createEndpoint,
  pingEndpoint,
  redeliverEvent,
  removeEndpoint,
  rotateSecret,
} from './changes.ts'
import {
  DeliveryRecord,
  EndpointWithSecretRecord,
  endpointChanges,
  NewWebhookEndpoint,
  WebhookEndpointRecord,
  WebhookEndpointUpdate,
} from './record.ts'
import { findEndpoint, listDeliveries, listEndpoints } from './store.ts'

export const webhookRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/webhook-endpoints',
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint; its secret is shown once',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: NewWebhookEndpoint,
    success: { status: 201, data: EndpointWithSecretRecord },
    answer: async ({ service, book, origin, body }) => {
      await requireAllowed(service, book, body.url)
      return replyWith(
        createEndpoint(
          service,
          origin,
          {
            url: body.url,
            eventTypes: body.event_types ?? [ALL_EVENTS],
            description: body.description ?? null,
          },
          secretSuccess(
            201,
            'The webhook endpoint was created. Its secret is shown only this once.',
            EndpointWithSecretRecord.write,
          ),
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints, newest first',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    query: ListQuery,
    success: { status: 200, data: WebhookEndpointRecord, list: true },
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listWebhookEndpoints',
        message: 'The webhook endpoints.',
        read: (page) => listEndpoints(asked.service.db, asked.book.bookId, page),
        show: WebhookEndpointRecord.write,
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id',
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, book, params }) => {
      const endpoint = await findEndpoint(service.db, book.bookId, params.webhook_endpoint_id!)
      return reply(
        'The webhook endpoint.',
        WebhookEndpointRecord.write(found(endpoint, 'webhook_endpoint_not_found')),
      )
    },
  }),
  route({
    method: 'PUT',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id',
    operationId: 'updateWebhookEndpoint',
    summary: 'Change a webhook endpoint, or disable or enable it; omitted fields stay',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: WebhookEndpointUpdate,
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, book, origin, params, body }) => {
      if (body.url !== undefined) await requireAllowed(service, book, body.url)
      return replyWith(
        changeEndpoint(
          service,
          origin,
          { webhookEndpointId: params.webhook_endpoint_id!, changes: endpointChanges(body) },
          success(200, 'The webhook endpoint was updated.', ({ endpoint }) =>
            WebhookEndpointRecord.write(endpoint),
          ),
        ),
      )
    },
  }),
  route({
    method: 'DELETE',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint; nothing more is sent to it',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: ({ service, origin, params }) =>
      replyWith(
        removeEndpoint(
          service,
          origin,
          { webhookEndpointId: params.webhook_endpoint_id! },
          success(200, 'The webhook endpoint was deleted.', WebhookEndpointRecord.write),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret; for the overlap messages are signed with both',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: Overlap,
    success: { status: 200, data: EndpointWithSecretRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: ({ service, origin, params, body }) =>
      replyWith(
        rotateSecret(
          service,
          origin,
          {
            webhookEndpointId: params.webhook_endpoint_id!,
            overlapSeconds: body.overlap_seconds ?? 0,
          },
          secretSuccess(
            200,
            'The secret was rotated. The new one is shown only this once.',
            EndpointWithSecretRecord.write,
          ),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/ping',
    operationId: 'pingWebhookEndpoint',
    summary: 'Send a ping to a webhook endpoint',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    success: { status: 200, data: PingRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: ({ service, book, origin, params }) =>
      replyWith(
        pingEndpoint(
          service,
          origin,
          { webhookEndpointId: params.webhook_endpoint_id! },
          success(
            200,
            ({ endpoint }) =>
              endpoint.status === 'ENABLED'
                ? 'The ping will be sent immediately.'
                : 'The ping will be sent when the webhook endpoint is enabled.',
            ({ event }) => PingRecord.write({ event, mode: book.mode }),
          ),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List what was sent to a webhook endpoint or is still to be sent, newest first',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    query: ListQuery,
    success: { status: 200, data: DeliveryRecord, list: true },
    refusals: ['webhook_endpoint_not_found'],
    answer: async (asked) => {
      const { service, book, params } = asked
      const webhookEndpointId = params.webhook_endpoint_id!
      const endpoint = await findEndpoint(service.db, book.bookId, webhookEndpointId)
      found(endpoint, 'webhook_endpoint_not_found')
      return listReply(asked, {
        operationId: 'listWebhookDeliveries',
        message: 'The deliveries.',
        read: (page) => listDeliveries(service.db, book.bookId, { webhookEndpointId }, page),
        show: DeliveryRecord.write,
      })
    },
  }),
]

/** Names are looked up before the transaction begins, so that no lock waits for a name server. */
async function requireAllowed(service: Service, book: Book, url: string): Promise<void> {
  const examined = await service.addressGuard(url, book.mode)
  if (examined.outcome === 'allowed') return
  const { code, message } = examined
  throw new FailureError({ code: 'invalid_request', fields: [{ field: 'url', code, message }] })
}

/** Among the operations on events. */
export const redeliveryRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/events/:event_id/redeliver',
    operationId: 'redeliverEvent',
    summary: 'Send an event again to every endpoint that is enabled and subscribed',
    tag: 'Events',
    scope: 'webhooks:write',
    success: { status: 200, data: RedeliveredEventRecord },
    refusals: ['event_not_found'],
    answer: ({ service, book, origin, params }) =>
      replyWith(
        redeliverEvent(
          service,
          origin,
          params.event_id!,
          success(200, 'The event will be sent again.', ({ event, webhookEndpointIds }) =>
            RedeliveredEventRecord.write({ event, mode: book.mode, deliveries: webhookEndpointIds.length }),
          ),
        ),
      ),
  }),
]
