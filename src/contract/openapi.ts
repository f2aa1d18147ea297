/**
 * Prints the OpenAPI 3.1 document from the schemas that also read requests, so the two cannot differ.
 *
 * - Every operation names every error code it can answer: those of the order of checks, and its own refusals.
 * - A record with a title becomes a component; a request body becomes one named after its operation.
 * - What a name means is said once, in glossary.ts; nothing is printed while a name is not explained there.
 */
import { type TSchema, Type } from 'typebox'
import { type ErrorCode, errors } from './errors.ts'
import { PING_TYPE } from './events.ts'
import { FIELD_ERRORS, meaningOf } from './glossary.ts'
import type { Json } from './json.ts'
import { announcedEvents, EventRecord, NothingRecord, PingRecord } from './replies.ts'
import { createSchemaPrinter, type Reference, type Schema, type SchemaPrinter } from './schema-printer.ts'
import type { Scope } from './scopes.ts'
import { TAGS, type Tag } from './tags.ts'

/** What the document says of a route. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  operationId: string
  summary: string
  tag: Tag
  scope: Scope | null
  testModeOnly?: true
  body: TSchema | null
  query: TSchema | null
  success: { status: 200 | 201; data: TSchema; list?: true }
  refusals: readonly ErrorCode[]
}

/** A real request and its real answer. */
export type Example = {
  name: string
  parameters: Record<string, string>
  body: Json | null
  answer: Json
}

export type Examples = {
  operations: Record<string, readonly Example[]>
  failures: Partial<Record<ErrorCode, Json>>
  events: Record<string, Json>
}

export type Document = {
  openapi: string
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: Omit<DocumentedOperation, 'operationId'> }>
  components: {
    securitySchemes: Record<string, object>
    parameters: Record<string, Parameter>
    headers: Record<string, object>
    responses: Record<string, Response>
    schemas: Record<string, Schema>
    examples: Record<string, FailureExample>
  }
}

export type DocumentedOperation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: true; content: Record<string, Content> }
  responses: Record<string, Response | Reference>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: string
}

export type Response = {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Content>
}
export type FailureExample = { summary: string; 'x-http-status': number; value: Json }
export type Content = { schema: Schema; examples?: Record<string, Reference | { value: Json }> }

export function printOpenApi(given: {
  version: string
  /** What goes before the operations, in Markdown. */
  guide: string
  operations: readonly Operation[]
  examples: Examples
}): Document {
  const { operations, examples } = given
  const printer = createSchemaPrinter()
  const paths: Document['paths'] = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    const recorded = examples.operations[operation.operationId] ?? []
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: printOperation(operation, recorded, printer),
    }
  }
  for (const [path, page] of Object.entries(printPages(printer))) paths[path] = { get: page }
  const webhooks = printWebhooks(examples.events, printer)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Breakwater',
      version: given.version,
      summary: 'Breaks fixed deposits and keeps customer profiles, to the cent.',
      description: given.guide,
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: BEARER },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, ...WEBHOOK_HEADERS },
      headers: HEADERS,
      responses: sharedResponses(operations),
      schemas: { ...printer.schemas, ListMeta: LIST_META, Failure: FAILURE, FieldError: FIELD_ERROR },
      examples: printFailures(examples.failures),
    },
  }
}

/** The codes an operation can answer, in the order of the checks. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const sends = operation.method !== 'GET'
  const takesKey = operation.method === 'POST' || operation.method === 'PUT'
  // Where a read scope is enough nothing changes: no key is used up, and no outcome can be in doubt.
  const changes = sends && operation.scope?.endsWith(':read') !== true
  const codes: (ErrorCode | false)[] = [
    'malformed_request',
    'request_timeout',
    'headers_too_large',
    ...UNAUTHORIZED,
    'rate_limited',
    operation.scope !== null && 'insufficient_scope',
    operation.testModeOnly === true && 'test_mode_only',
    sends && 'unsupported_media_type',
    sends && 'body_too_large',
    sends && 'malformed_json',
    takesKey && 'invalid_idempotency_key',
    (operation.body !== null || operation.query !== null) && 'invalid_request',
    ...operation.refusals,
    takesKey && changes && 'idempotency_key_reused',
    'internal_error',
    ...(changes ? UNAVAILABLE_FOR_CHANGES : (['service_unavailable'] as const)),
  ]
  return codes.filter((code) => code !== false)
}

const UNAUTHORIZED: readonly ErrorCode[] = [
  'missing_authorization',
  'malformed_authorization',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
]
const UNAVAILABLE_FOR_CHANGES: readonly ErrorCode[] = [
  'service_unavailable',
  'insufficient_storage',
  'outcome_unknown',
]

function printOperation(
  operation: Operation,
  examples: readonly Example[],
  printer: SchemaPrinter,
): DocumentedOperation {
  const { operationId, summary, scope, body, success } = operation
  const data = printer.print(success.data, operationId)
  const parameters = printParameters(operation, examples[0], printer)
  const sent = examples.filter((example) => example.body !== null)
  return {
    operationId,
    summary,
    description:
      scope === null ? 'Any key may call this.' : `Needs a key with the scope \`${scope}\`, or with \`*\`.`,
    tags: [operation.tag],
    security: [{ apiKey: scope === null ? [] : [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: printer.define(requestName(operationId), body, operationId),
            examples: Object.fromEntries(sent.map(({ name, body }) => [name, { value: body! }])),
          },
        },
      },
    }),
    responses: {
      [success.status]: {
        description: success.list ? 'A page of the list, newest first.' : 'Done.',
        headers: refer('headers', [
          'Request-Id',
          'RateLimit-Policy',
          'RateLimit',
          ...(operation.method === 'POST' || operation.method === 'PUT' ? ['Idempotent-Replayed'] : []),
        ]),
        content: {
          'application/json': {
            schema: success.list ? pageOf(data) : envelopeOf(data),
            examples: Object.fromEntries(examples.map(({ name, answer }) => [name, { value: answer }])),
          },
        },
      },
      ...printFailureResponses(errorCodesOf(operation)),
    },
  }
}

function requestName(operationId: string): string {
  return `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`
}

function printParameters(operation: Operation, example: Example | undefined, printer: SchemaPrinter) {
  const { operationId, path, query, method } = operation
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const describe = (name: string, where: 'path' | 'query', schema: TSchema): Parameter => {
    const { description, ...printed } = printer.print(schema, operationId)
    const shown = example?.parameters[name]
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description: String(description ?? meaningOf(operationId, name)),
      schema: printed,
      ...(shown !== undefined && { example: shown }),
    }
  }
  return [
    ...inPath.map((name) => describe(name, 'path', Type.String())),
    ...Object.entries(properties).map(([name, schema]) => describe(name, 'query', schema)),
    ...(method === 'POST' || method === 'PUT' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function envelopeOf(data: Schema): Schema {
  return closedObject({ status: { const: true }, message: { type: 'string' }, data })
}

function pageOf(record: Schema): Schema {
  const data = { type: 'array', items: record }
  return closedObject({
    status: { const: true },
    message: { type: 'string' },
    data,
    meta: { $ref: '#/components/schemas/ListMeta' },
  })
}

function closedObject(properties: Record<string, Schema>): Schema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false }
}

/** One response per HTTP status, which names the codes it may carry. */
function printFailureResponses(codes: readonly ErrorCode[]): Record<string, Response | Reference> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => errors[code].http)).map(([status, group]) => {
      const name = sharedName(group!)
      return [status, name === null ? failureResponse(group!) : { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Responses that many operations have are printed once. */
function sharedResponses(operations: readonly Operation[]): Record<string, Response> {
  const responses: Record<string, Response> = {}
  for (const operation of operations) {
    for (const group of Object.values(Object.groupBy(errorCodesOf(operation), (code) => errors[code].http))) {
      const name = sharedName(group!)
      if (name !== null) responses[name] ??= failureResponse(group!)
    }
  }
  return responses
}

function sharedName(codes: readonly ErrorCode[]): string | null {
  if (codes.length === 1) return codes[0]!
  if (codes.join() === UNAUTHORIZED.join()) return 'unauthorized'
  return codes.join() === UNAVAILABLE_FOR_CHANGES.join() ? 'unavailable' : null
}

function failureResponse(codes: readonly ErrorCode[]): Response {
  const status = errors[codes[0]!].http
  return {
    description: codes.map((code) => `- \`${code}\`: ${errors[code].message}`).join('\n'),
    headers: refer('headers', [
      'Request-Id',
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 429 ? ['RateLimit-Policy', 'RateLimit'] : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Failure' },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
        examples: refer('examples', codes),
      },
    },
  }
}

/** The codes that were not provoked are shown as they would be sent. */
function printFailures(recorded: Examples['failures']): Document['components']['examples'] {
  return Object.fromEntries(
    Object.entries(errors).map(([code, { message, http }]) => [
      code,
      {
        summary: message,
        'x-http-status': http,
        value: recorded[code as ErrorCode] ?? sampleFailure(code as ErrorCode),
      },
    ]),
  )
}

function sampleFailure(code: ErrorCode): Json {
  const { message, retryable } = errors[code]
  const error = { code, fields: [], details: {}, retryable, request_id: 'req_4f9Kq2ZbV7xT1mNc8RwLs0Ya' }
  return { status: false, message, data: null, error }
}

/** What is served beside the interface, without a key. */
function printPages(printer: SchemaPrinter): Record<string, DocumentedOperation> {
  const page = (operationId: string, summary: string, success: Response, codes: ErrorCode[] = []) => ({
    operationId,
    summary,
    description: 'No key is needed.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { headers: refer('headers', ['Request-Id']), ...success },
      ...printFailureResponses([...codes, 'internal_error', 'service_unavailable']),
    },
  })
  const alive = envelopeOf(printer.print(NothingRecord, 'Service'))
  const text = (type: string) => ({ [type]: { schema: { type: 'string' } } })
  return {
    '/v2/openapi.json': page('getOpenApi', 'Get this document', {
      description: 'The document.',
      content: { 'application/json': { schema: { type: 'object', required: ['openapi', 'paths'] } } },
    }),
    '/docs': page('getReference', 'Read this document as a page', {
      description: 'A page for people.',
      content: text('text/html'),
    }),
    '/healthz': page('getHealth', 'Ask whether the process is alive', {
      description: 'The process is alive.',
      content: { 'application/json': { schema: alive } },
    }),
    '/readyz': page('getReadiness', 'Ask whether the service takes requests', {
      description: 'The service reaches its database.',
      content: { 'application/json': { schema: alive } },
    }),
    '/metrics': page('getMetrics', 'Get figures for Prometheus', {
      description: 'Figures about the process; nothing about any book.',
      content: text('text/plain'),
    }),
  }
}

function printWebhooks(examples: Examples['events'], printer: SchemaPrinter): Document['webhooks'] {
  printer.print(EventRecord, 'Event')
  return Object.fromEntries(
    [...announcedEvents, { type: PING_TYPE, schema: PingRecord }].map(({ type, schema }) => [
      type,
      {
        post: {
          summary: type,
          description:
            type === PING_TYPE
              ? 'Sent on request, to one endpoint.'
              : 'Sent at least once to every endpoint that is enabled and subscribed to this type.',
          tags: ['Webhook endpoints'],
          security: [],
          parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: printer.print(schema, 'Event'),
                ...(examples[type] !== undefined && { examples: { example: { value: examples[type] } } }),
              },
            },
          },
          responses: {
            '2XX': {
              description: 'Received. Anything else, or no answer within 15 seconds, is tried again.',
            },
            410: { description: 'Nobody is there any more: the endpoint is disabled.' },
          },
        },
      },
    ]),
  )
}

function refer(section: 'headers' | 'examples', names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${section}/${name}` }]))
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A secret key, `bw_test_…` or `bw_live_…`, sent from your servers only. It decides the book and the scopes.',
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes it safe to send the request again: the same key and request get the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
}

const WEBHOOK_HEADERS: Record<string, Parameter> = {
  WebhookId: webhookHeader('webhook-id', 'Identifier of the event; the same in every attempt.'),
  WebhookTimestamp: webhookHeader('webhook-timestamp', 'Unix time of the attempt, in seconds.'),
  WebhookSignature: webhookHeader(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several, after a rotation, with a space between.',
  ),
}

function webhookHeader(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

const HEADERS: Record<string, object> = {
  'Request-Id': header('Identifier of the request. Name it when you ask for help.'),
  'RateLimit-Policy': header('How many requests the key may send in how many seconds.'),
  RateLimit: header('How many are left, and after how many seconds there is another one.'),
  'Retry-After': header('Seconds to wait before the next attempt.'),
  'WWW-Authenticate': header('Bearer.'),
  'Idempotent-Replayed': header('true where this is the answer to an earlier request with the same key.'),
}

function header(description: string): object {
  return { description, schema: { type: 'string' } }
}

const LIST_META = closedObject({
  limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most records on a page.' },
  has_more: { type: 'boolean', description: 'Whether there is another page.' },
  next_cursor: { type: ['string', 'null'], description: 'What to send as cursor to get it.' },
})

const FIELD_ERROR = closedObject({
  field: { type: 'string', description: 'Path of the field, such as penal_rules[1].terms[0].percent.' },
  code: {
    type: 'string',
    oneOf: Object.entries(FIELD_ERRORS).map(([code, description]) => ({ const: code, description })),
    description: 'What is wrong with it.',
  },
  message: { type: 'string', description: 'What to do about it.' },
})

const FAILURE = closedObject({
  status: { const: false, description: 'Nothing was done, unless code says otherwise.' },
  message: { type: 'string', description: 'A sentence that says what to do. It may change; codes do not.' },
  data: { type: 'null', description: 'Nothing.' },
  error: {
    description: 'What went wrong.',
    ...closedObject({
      code: { type: 'string', enum: Object.keys(errors), description: 'What to branch on.' },
      fields: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
        description: 'Every field that is wrong; empty unless code is invalid_request.',
      },
      details: {
        type: 'object',
        additionalProperties: { type: ['number', 'string'] },
        description: 'Figures that belong to the code, such as remaining_principal.',
      },
      retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
      request_id: {
        type: 'string',
        pattern: '^req_[0-9A-Za-z]{24}$',
        description: 'As in the Request-Id header.',
      },
    }),
  },
})
