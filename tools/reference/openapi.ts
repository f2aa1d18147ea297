/**
 * Prints the OpenAPI 3.1 document from the schemas that also read requests, so the two cannot differ.
 *
 * - Every operation lists every error code it can return: those of the order of checks, and its own refusals.
 * - A record with a title becomes a component; a request body becomes one named after its operation.
 * - Nothing is printed while a member or a parameter is not described.
 */
import assert from 'node:assert/strict'
import { type TSchema, Type } from 'typebox'
import { PING_TYPE } from '../../src/domain/event.ts'
import { announcedEvents, EventRecord, PingRecord } from '../../src/features/events/record.ts'
import { PATH_PARAMETERS, record } from '../../src/wire/record.ts'
import { TAGS } from '../../src/wire/tags.ts'
import {
  type Content,
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
  PAGE_CODES,
  printFailureResponses,
  printFailures,
  sharedResponses,
} from './openapi-failures.ts'
import { createLinks, type Links } from './openapi-links.ts'
import { createSchemaPrinter, type Reference, type SchemaPrinter } from './schema-printer.ts'

export function printOpenApi(given: {
  version: string
  /** What comes before the operations, in Markdown. */
  guide: string
  operations: readonly Operation[]
  examples: Examples
}): Document {
  const { operations, examples } = given
  const printer = createSchemaPrinter()
  const links = createLinks(operations, examples.operations)
  const paths: Document['paths'] = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    const recorded = examples.operations[operation.operationId] ?? []
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: printOperation(operation, recorded, printer, links),
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
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: BEARER },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      responses: sharedResponses(operations),
      schemas: { ...printer.schemas(), ListMeta: LIST_META, Failure: FAILURE, FieldError: FIELD_ERROR },
      links: links.all(),
      examples: printFailures(operations, examples.failures),
    },
  }
}

function printOperation(
  operation: Operation,
  examples: readonly Example[],
  printer: SchemaPrinter,
  links: Links,
): DocumentedOperation {
  const { operationId, summary, scope, body, success } = operation
  const data = printer.print(success.data.schema, operationId) as Reference
  const parameters = printParameters(operation, examples[0], printer)
  const sent = examples.filter((example) => example.body !== null)
  const linked = links.from(operation)
  return {
    operationId,
    summary,
    description: scopeSentence(operation),
    tags: [operation.tag],
    // Roles of a scheme that is not OAuth are allowed since OpenAPI 3.1, but linters and generators do not expect them.
    security: [{ apiKey: [] }],
    ...(scope !== null && { 'x-scope': scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.fileMaxBytes !== undefined && { requestBody: printFile(sent) }),
    ...(body !== null && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: printer.define(requestName(operationId), body),
            examples: Object.fromEntries(sent.map(({ name, body }) => [name, { value: body! }])),
          },
        },
      },
    }),
    responses: {
      [success.status]: {
        description: describeSuccess(success),
        headers: refer('headers', [
          'Request-Id',
          'RateLimit-Policy',
          'RateLimit',
          ...(operation.method === 'POST' || operation.method === 'PUT' ? ['Idempotent-Replayed'] : []),
        ]),
        content: printContent(success, data, examples, printer),
        ...(Object.keys(linked).length > 0 && { links: linked }),
      },
      ...(operation.fileMaxBytes !== undefined && {
        200: again(printContent(success, data, examples, printer)),
      }),
      ...printFailureResponses(errorCodesOf(operation)),
    },
  }
}

/** A file that was sent before. */
function again(content: Record<string, Content>): Response {
  return { description: 'The same was sent before: nothing changed.', content }
}

function describeSuccess({ list, file }: Operation['success']): string {
  if (file) return 'One record on each line, oldest first; the last line has the number of rows.'
  return list ? 'A page of the list, newest first.' : 'Done.'
}

function printContent(
  { list, page, file }: Operation['success'],
  data: Reference,
  given: readonly Example[],
  printer: SchemaPrinter,
): Record<string, Content> {
  const examples = Object.fromEntries(given.map(({ name, answer }) => [name, { value: answer }]))
  const text = { schema: { type: 'string' } }
  if (file) return { 'application/x-ndjson': { schema: data, examples }, 'text/csv': text }
  const schema = list ? pageOf(data, printer) : envelopeOf(data, printer)
  return { 'application/json': { schema, examples }, ...(page && { 'text/html': text }) }
}

function requestName(operationId: string): string {
  return `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`
}

function scopeSentence({ scope, scopeOfBody }: Operation): string {
  if (scope === null) return 'Any key may call this.'
  const needed = `Needs a key with the scope \`${scope}\`, or with \`*\``
  return scopeOfBody === undefined
    ? `${needed}.`
    : `${needed}; where ${scopeOfBody.when}, also with \`${scopeOfBody.scope}\`.`
}

/** JSON lines: the example is a file of one. */
function printFile(sent: readonly Example[]) {
  return {
    required: true as const,
    content: {
      'application/x-ndjson': {
        schema: { type: 'string', description: 'One JSON object a line, in UTF-8.' },
        examples: Object.fromEntries(
          sent.map(({ name, body }) => [name, { value: `${JSON.stringify(body)}\n` }]),
        ),
      },
    },
  }
}

function printParameters(operation: Operation, example: Example | undefined, printer: SchemaPrinter) {
  const { operationId, path, query, method } = operation
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const describe = (name: string, where: 'path' | 'query', schema: TSchema): Parameter => {
    const { description, ...printed } = printer.print(schema, `${operationId}.${name}`)
    assert(typeof description === 'string', `${name} of ${operationId} has a description`)
    const shown = example?.parameters[name]
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      description,
      schema: printed,
      ...(shown !== undefined && { example: isNumeric(printed) ? Number(shown) : shown }),
    }
  }
  return [
    ...inPath.map((name) => describe(name, 'path', pathParameter(name))),
    ...Object.entries(properties).map(([name, schema]) => describe(name, 'query', schema)),
    ...(method === 'POST' || method === 'PUT' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

/** A path may contain anything; an unknown identifier is not found. */
function pathParameter(name: string): TSchema {
  const known = PATH_PARAMETERS[name]
  assert(known !== undefined, `${name} is one of PATH_PARAMETERS`)
  return Type.String({ description: known.description })
}

/** Named after its record, so that a generated client has one type for all operations that return it. */
function envelopeOf(record: Reference, printer: SchemaPrinter): Reference {
  const data = { ...record, description: 'The record.' }
  return printer.keep(`${nameOf(record)}Response`, closedObject({ ...ENVELOPE, data }))
}

function pageOf(record: Reference, printer: SchemaPrinter): Reference {
  const data = { type: 'array', items: record, description: 'The records.' }
  const meta = { $ref: '#/components/schemas/ListMeta', description: 'Where the page ends.' }
  return printer.keep(`${nameOf(record)}Page`, closedObject({ ...ENVELOPE, data, meta }))
}

const ENVELOPE = {
  status: { type: 'boolean', const: true, description: 'It succeeded.' },
  message: { type: 'string', description: 'A sentence for people. It may change.' },
}

function nameOf({ $ref }: Reference): string {
  return $ref.split('/').at(-1)!
}

/** What is served beside the API, without a key. */
function printPages(printer: SchemaPrinter): Record<string, DocumentedOperation> {
  const page = (operationId: string, summary: string, success: Response) => ({
    operationId,
    summary,
    description: 'No key is needed.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { headers: refer('headers', ['Request-Id']), ...success },
      ...printFailureResponses(PAGE_CODES),
    },
  })
  const alive = envelopeOf(printer.print(record('Nothing', {}).schema, 'Nothing') as Reference, printer)
  const text = (type: string) => ({ [type]: { schema: { type: 'string' } } })
  return {
    '/v2/openapi.json': page('getOpenApi', 'Get this document', {
      description: 'The document.',
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
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
  printer.print(EventRecord.schema, 'Event')
  return Object.fromEntries(
    [...announcedEvents, { type: PING_TYPE, record: PingRecord }].map(({ type, record }) => [
      type,
      {
        post: {
          operationId: `receive${record.title}`,
          summary: type,
          description:
            type === PING_TYPE
              ? 'Sent on request, to one endpoint.'
              : 'Sent at least once to every endpoint that is enabled and subscribed to this type.',
          tags: ['Webhook endpoints'],
          security: [],
          parameters: WEBHOOK_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: printer.print(record.schema, 'Event'),
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

/** Repeated in each webhook: oapi-codegen drops components that only webhooks refer to. */
const WEBHOOK_HEADERS: Parameter[] = [
  webhookHeader('webhook-id', 'Identifier of the event; the same in every attempt.'),
  webhookHeader('webhook-timestamp', 'Unix time of the attempt, in seconds.'),
  webhookHeader(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several, after a rotation, with a space between.',
  ),
]

function webhookHeader(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

const HEADERS: Record<string, object> = {
  'Request-Id': header('Identifier of the request. Name it when you ask for help.'),
  'RateLimit-Policy': header('How many requests the key may send in how many seconds.'),
  RateLimit: header('How many are left, and after how many seconds there is another one.'),
  'Retry-After': header('Seconds to wait before the next attempt.'),
  'WWW-Authenticate': header('`Bearer`; where a scope is missing, also which one.'),
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

function isNumeric({ type }: { type?: unknown }): boolean {
  return type === 'integer' || type === 'number'
}
