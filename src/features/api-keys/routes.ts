import { successBody } from '../../wire/envelope.ts'
import { orRefused } from '../../wire/failure.ts'
import { ApiKeyRecord, IssuedApiKeyRecord } from '../../wire/replies.ts'
import { type Asked, ListQuery, listReply, type Route, route } from '../../wire/route.ts'
import { createApiKey, revokeApiKey, rollApiKey } from './changes.ts'
import { apiKeyData, NewApiKey, Overlap } from './record.ts'
import { listApiKeys } from './store.ts'

export const apiKeyRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key with at most your own scopes; it is shown once',
    tag: 'API keys',
    scope: 'api_keys:write',
    body: NewApiKey,
    query: null,
    success: { status: 201, data: IssuedApiKeyRecord },
    refusals: ['scope_escalation', 'expires_at_in_past'],
    answer: async (asked) => orRefused(await createApiKey(asker(asked), asked.body)),
  }),
  route({
    method: 'GET',
    path: '/v2/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys, newest first',
    tag: 'API keys',
    scope: 'api_keys:read',
    body: null,
    query: ListQuery,
    success: { status: 200, data: ApiKeyRecord, list: true },
    refusals: [],
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listApiKeys',
        message: 'The API keys.',
        read: (page) => listApiKeys(asked.service.db, asked.book.bookId, page),
        show: (key) => apiKeyData(key, asked.book.mode),
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/api-keys/current',
    operationId: 'getCurrentApiKey',
    summary: 'Get the API key of this request',
    tag: 'API keys',
    scope: null,
    body: null,
    query: null,
    success: { status: 200, data: ApiKeyRecord },
    refusals: [],
    answer: async ({ apiKey, book }) => ({
      status: 200,
      body: successBody('The API key of this request.', apiKeyData(apiKey, book.mode)),
      replayed: false,
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v2/api-keys/:api_key_id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key; it stops within one second on every instance',
    tag: 'API keys',
    scope: 'api_keys:write',
    body: null,
    query: null,
    success: { status: 200, data: ApiKeyRecord },
    refusals: ['api_key_not_found'],
    answer: async (asked) => {
      const reply = orRefused(await revokeApiKey(asker(asked), asked.params.api_key_id!))
      asked.forgetKeys()
      return reply
    },
  }),
  route({
    method: 'POST',
    path: '/v2/api-keys/:api_key_id/roll',
    operationId: 'rollApiKey',
    summary: 'Replace an API key; the old one goes on working for the overlap',
    tag: 'API keys',
    scope: 'api_keys:write',
    body: Overlap,
    query: null,
    success: { status: 201, data: IssuedApiKeyRecord },
    refusals: ['api_key_not_found', 'api_key_not_active', 'scope_escalation'],
    answer: async (asked) => {
      const reply = orRefused(
        await rollApiKey(asker(asked), {
          apiKeyId: asked.params.api_key_id!,
          overlapSeconds: asked.body.overlap_seconds ?? 0,
        }),
      )
      asked.forgetKeys()
      return reply
    },
  }),
]

function asker(asked: Pick<Asked<unknown, unknown>, 'service' | 'origin' | 'apiKey'>) {
  return { service: asked.service, origin: asked.origin, heldScopes: asked.apiKey.scopes }
}
