import type { Service } from '../../cli/compose.ts'
import type { Book } from '../../domain/book.ts'
import { successBody } from '../../wire/envelope.ts'
import { FailureError, found, orRefused } from '../../wire/failure.ts'
import {
  DeliveryRecord,
  EndpointWithSecretRecord,
  PingRecord,
  WebhookEndpointRecord,
} from '../../wire/replies.ts'
import { ListQuery, listReply, type Route, route } from '../../wire/route.ts'
import { Overlap } from '../api-keys/record.ts'
import { changeEndpoint, createEndpoint, pingEndpoint, removeEndpoint, rotateSecret } from './changes.ts'
import { deliveryData, NewWebhookEndpoint, WebhookEndpointUpdate, webhookEndpointData } from './record.ts'
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
    query: null,
    success: { status: 201, data: EndpointWithSecretRecord },
    refusals: [],
    answer: async ({ service, book, origin, body }) => {
      await requireAllowed(service, book, body.url)
      return orRefused(await createEndpoint(service.perform, origin, body))
    },
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints, newest first',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    body: null,
    query: ListQuery,
    success: { status: 200, data: WebhookEndpointRecord, list: true },
    refusals: [],
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listWebhookEndpoints',
        message: 'The webhook endpoints.',
        read: (page) => listEndpoints(asked.service.db, asked.book.bookId, page),
        show: webhookEndpointData,
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id',
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    body: null,
    query: null,
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, book, params }) => {
      const endpoint = await findEndpoint(service.db, book.bookId, params.webhook_endpoint_id!)
      const data = webhookEndpointData(found(endpoint, 'webhook_endpoint_not_found'))
      return { status: 200, body: successBody('The webhook endpoint.', data), replayed: false }
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
    query: null,
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, book, origin, params, body }) => {
      if (body.url !== undefined) await requireAllowed(service, book, body.url)
      const asked = { webhookEndpointId: params.webhook_endpoint_id!, changes: body }
      return orRefused(await changeEndpoint(service.perform, origin, asked))
    },
  }),
  route({
    method: 'DELETE',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint; nothing more is sent to it',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: null,
    query: null,
    success: { status: 200, data: WebhookEndpointRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, origin, params }) =>
      orRefused(await removeEndpoint(service.perform, origin, params.webhook_endpoint_id!)),
  }),
  route({
    method: 'POST',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret; for the overlap messages are signed with both',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: Overlap,
    query: null,
    success: { status: 200, data: EndpointWithSecretRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, origin, params, body }) =>
      orRefused(
        await rotateSecret(service.perform, origin, {
          webhookEndpointId: params.webhook_endpoint_id!,
          overlapSeconds: body.overlap_seconds ?? 0,
        }),
      ),
  }),
  route({
    method: 'POST',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/ping',
    operationId: 'pingWebhookEndpoint',
    summary: 'Send a ping to a webhook endpoint',
    tag: 'Webhook endpoints',
    scope: 'webhooks:write',
    body: null,
    query: null,
    success: { status: 200, data: PingRecord },
    refusals: ['webhook_endpoint_not_found'],
    answer: async ({ service, origin, params }) =>
      orRefused(await pingEndpoint(service.perform, origin, params.webhook_endpoint_id!)),
  }),
  route({
    method: 'GET',
    path: '/v2/webhook-endpoints/:webhook_endpoint_id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List what was sent to a webhook endpoint or is still to be sent, newest first',
    tag: 'Webhook endpoints',
    scope: 'webhooks:read',
    body: null,
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
        read: (page) => listDeliveries(service.db, book.bookId, webhookEndpointId, page),
        show: deliveryData,
      })
    },
  }),
]

/** Names are looked up before the transaction begins: no lock waits for a name server. */
async function requireAllowed(service: Service, book: Book, url: string): Promise<void> {
  const examined = await service.addressGuard(url, book.mode)
  if (examined.outcome === 'allowed') return
  const { code, message } = examined
  throw new FailureError({ code: 'invalid_request', fields: [{ field: 'url', code, message }] })
}
