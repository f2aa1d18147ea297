/**
 * Prints the OpenAPI 3.1 document from the schemas that also read requests, so the two cannot differ.
 *
 * - Every operation names every error code it can answer: those of the order of checks, and its own refusals.
 * - A record with a title becomes a component; a request body becomes one named after its operation.
 * - What a name means is said once, in glossary.ts; nothing is printed while a name is not explained there.
 */
import { type TSchema, Type } from 'typebox'
import { PING_TYPE } from '../features/events/record.ts'
import { announcedEvents, EventRecord, NothingRecord, PingRecord } from '../wire/replies.ts'
import { TAGS } from '../wire/tags.ts'
import { meaningOf } from './glossary.ts'
import {
  closedObject,
  type Document,
  type DocumentedOperation,
  type Example,
  type Examples,
  type Operation,
  type Parameter,
  type Response,
  refer,
} from './openapi-document.ts'
import {
  errorCodesOf,
  FAILURE,
  FIELD_ERROR,
  printFailureResponses,
  printFailures,
  sharedResponses,
  UNAVAILABLE,
} from './openapi-failures.ts'
import { createSchemaPrinter, type Schema, type SchemaPrinter } from './schema-printer.ts'

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

/** What is served beside the interface, without a key. */
function printPages(printer: SchemaPrinter): Record<string, DocumentedOperation> {
  const page = (operationId: string, summary: string, success: Response) => ({
    operationId,
    summary,
    description: 'No key is needed.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { headers: refer('headers', ['Request-Id']), ...success },
      ...printFailureResponses(['internal_error', ...UNAVAILABLE]),
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
