import {
  ListQuery,
  listReply,
  type Route,
  reply,
  replyWith,
  route,
  secretSuccess,
  success,
} from '../../route/route.ts'
import { authorityOf, createApiKey, revokeApiKey, rollApiKey } from './changes.ts'
import { ApiKeyRecord, IssuedApiKeyRecord, keyTerms, NewApiKey, Overlap } from './record.ts'
import { listApiKeys } from './store.ts'

export const apiKeyRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key that may do at most what yours may; it is shown once',
    tag: 'API keys',
    scope: 'api_keys:write',
    body: NewApiKey,
    success: { status: 201, data: IssuedApiKeyRecord },
    refusals: ['scope_escalation', 'key_escalation', 'expires_at_in_past'],
    answer: ({ service, origin, apiKey, body }) =>
      replyWith(
        createApiKey(
          service,
          origin,
          { ...keyTerms(body), held: authorityOf(apiKey) },
          secretSuccess(201, 'The key was created. It is shown only this once.', IssuedApiKeyRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys, newest first',
    tag: 'API keys',
    scope: 'api_keys:read',
    query: ListQuery,
    success: { status: 200, data: ApiKeyRecord, list: true },
    answer: (asked) =>
      listReply(asked, {
        operationId: 'listApiKeys',
        message: 'The API keys.',
        read: (page) => listApiKeys(asked.service.db, asked.book.bookId, page),
        show: (key) => ApiKeyRecord.write({ ...key, mode: asked.book.mode }),
      }),
  }),
  route({
    method: 'GET',
    path: '/v2/api-keys/current',
    operationId: 'getCurrentApiKey',
    summary: 'Get the API key of this request',
    tag: 'API keys',
    scope: null,
    success: { status: 200, data: ApiKeyRecord },
    answer: async ({ apiKey, book }) =>
      reply('The API key of this request.', ApiKeyRecord.write({ ...apiKey, mode: book.mode })),
  }),
  route({
    method: 'DELETE',
    path: '/v2/api-keys/:api_key_id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key; it stops within one second on every instance',
    tag: 'API keys',
    scope: 'api_keys:write',
    success: { status: 200, data: ApiKeyRecord },
    refusals: ['api_key_not_found', 'scope_escalation', 'key_escalation'],
    answer: async ({ service, origin, apiKey, params, forgetKeys }) => {
      const revoked = await replyWith(
        revokeApiKey(
          service,
          origin,
          { apiKeyId: params.api_key_id!, held: authorityOf(apiKey) },
          success(200, 'The key was revoked.', ({ key, mode }) => ApiKeyRecord.write({ ...key, mode })),
        ),
      )
      forgetKeys()
      return revoked
    },
  }),
  route({
    method: 'POST',
    path: '/v2/api-keys/:api_key_id/roll',
    operationId: 'rollApiKey',
    summary: 'Replace an API key; the old one works until the overlap ends',
    tag: 'API keys',
    scope: 'api_keys:write',
    body: Overlap,
    success: { status: 201, data: IssuedApiKeyRecord },
    refusals: ['api_key_not_found', 'api_key_not_active', 'scope_escalation', 'key_escalation'],
    answer: async ({ service, origin, apiKey, params, body, forgetKeys }) => {
      const rolled = await replyWith(
        rollApiKey(
          service,
          origin,
          {
            apiKeyId: params.api_key_id!,
            overlapSeconds: body.overlap_seconds ?? 0,
            held: authorityOf(apiKey),
          },
          secretSuccess(201, 'The key was rolled. The new one is shown only this once.', ({ successor }) =>
            IssuedApiKeyRecord.write(successor),
          ),
        ),
      )
      forgetKeys()
      return rolled
    },
  }),
]
