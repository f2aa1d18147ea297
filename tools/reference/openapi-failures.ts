/** Which errors an operation can return, and how the document lists them: by HTTP status, each with its codes. */
import { docsOf } from '../../src/wire/envelope.ts'
import { type ErrorCode, errors } from '../../src/wire/errors.ts'
import { type Json, type JsonObject, Numeral } from '../../src/wire/json.ts'
import { FIELD_ERRORS } from '../../src/wire/reader.ts'
import {
  closedObject,
  type Document,
  type Examples,
  type Operation,
  type Response,
  refer,
} from './openapi-document.ts'
import type { Reference } from './schema-printer.ts'

/** The codes an operation can return, in the order of the checks. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const sends = operation.method !== 'GET'
  const takesKey = operation.method === 'POST' || operation.method === 'PUT'
  // Where a read scope is enough nothing changes: no key is used, and no outcome can be unknown.
  const changes = sends && operation.scope?.endsWith(':read') !== true
  const codes: (ErrorCode | false)[] = [
    ...MALFORMED,
    ...UNAUTHORIZED,
    'rate_limited',
    operation.scope !== null && 'insufficient_scope',
    operation.testModeOnly === true && 'test_mode_only',
    sends && 'unsupported_media_type',
    sends && 'body_too_large',
    sends && 'malformed_json',
    takesKey && 'invalid_idempotency_key',
    'invalid_request',
    changes && 'key_too_new',
    ...operation.refusals,
    takesKey && changes && 'idempotency_key_reused',
    'internal_error',
    ...UNAVAILABLE,
    changes && 'clock_unsure',
    changes && 'outcome_unknown',
  ]
  return codes.filter((code) => code !== false)
}

const MALFORMED: readonly ErrorCode[] = ['malformed_request', 'request_timeout', 'headers_too_large']
const UNAUTHORIZED: readonly ErrorCode[] = [
  'missing_authorization',
  'malformed_authorization',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
]
const UNAVAILABLE: readonly ErrorCode[] = ['service_unavailable', 'insufficient_storage']

/** Errors of operations that need no key. */
export const PAGE_CODES: readonly ErrorCode[] = [...MALFORMED, 'internal_error', ...UNAVAILABLE]

/** One response per HTTP status, which lists its possible codes. */
export function printFailureResponses(codes: readonly ErrorCode[]): Record<string, Response | Reference> {
  const byStatus = Object.entries(Object.groupBy(codes, (code) => errors[code].http))
  const listed = byStatus.map(([status, group]) => {
    const name = sharedName(group!)
    return [status, name === null ? failureResponse(group!) : { $ref: `#/components/responses/${name}` }]
  })
  return { ...Object.fromEntries(listed), default: { $ref: '#/components/responses/other' } }
}

/** Answered by the router, before there is an operation. */
const UNROUTED: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed']

const OTHER: Response = {
  description: 'Any other failure. Codes may be added: treat an unknown one by its HTTP status.',
  headers: refer('headers', ['Request-Id']),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      examples: refer('examples', UNROUTED),
    },
  },
}

/** Responses that many operations have are printed once. */
export function sharedResponses(operations: readonly Operation[]): Record<string, Response> {
  const responses: Record<string, Response> = { other: OTHER }
  for (const codes of [PAGE_CODES, ...operations.map(errorCodesOf)]) {
    for (const group of Object.values(Object.groupBy(codes, (code) => errors[code].http))) {
      const name = sharedName(group!)
      if (name !== null) responses[name] ??= failureResponse(group!)
    }
  }
  return responses
}

function sharedName(codes: readonly ErrorCode[]): string | null {
  if (codes.length === 1) return codes[0]!
  if (codes.join() === 'malformed_request,invalid_request') return 'bad_request'
  if (codes.join() === UNAUTHORIZED.join()) return 'unauthorized'
  if (codes.join() === UNAVAILABLE.join()) return 'unavailable'
  return codes.join() === [...UNAVAILABLE, 'outcome_unknown'].join() ? 'unavailable_or_unknown' : null
}

function failureResponse(codes: readonly ErrorCode[]): Response {
  const status = errors[codes[0]!].http
  return {
    description: codes.map((code) => `- \`${code}\`: ${errors[code].message}`).join('\n'),
    headers: refer('headers', [
      'Request-Id',
      ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
      ...(status === 429 ? ['RateLimit-Policy', 'RateLimit'] : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: refer('examples', codes),
      },
    },
  }
}

/** Every code that some response refers to. Codes without a recorded example are shown as they would be sent. */
export function printFailures(
  operations: readonly Operation[],
  recorded: Examples['failures'],
): Document['components']['examples'] {
  const answered = new Set([...UNROUTED, ...PAGE_CODES, ...operations.flatMap(errorCodesOf)])
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => answered.has(code))
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: errors[code].message,
        'x-http-status': errors[code].http,
        value: recorded[code] ?? sampleFailure(code),
      },
    ]),
  )
}

/** Of codes that no request of the examples can bring about. */
const SAMPLE_DETAILS: Partial<Record<ErrorCode, JsonObject>> = {
  decider_too_new: { decides_from: '2026-07-02T09:30:00.000Z' },
  too_many_approvals: { maximum: new Numeral('10000') },
}

function sampleFailure(code: ErrorCode): Json {
  const { message, retryable } = errors[code]
  const error = {
    ...{ code, fields: [], details: SAMPLE_DETAILS[code] ?? {}, retryable },
    ...{ request_id: 'req_4f9Kq2ZbV7xT1mNc8RwLs0Ya', docs: docsOf(code) },
  }
  return { status: false, message, data: null, error }
}

export const FIELD_ERROR = closedObject({
  field: { type: 'string', description: 'Path of the field, such as penal_rules[1].terms[0].percent.' },
  code: {
    type: 'string',
    oneOf: Object.entries(FIELD_ERRORS).map(([code, description]) => ({ const: code, description })),
    description: 'What is wrong with it.',
  },
  message: { type: 'string', description: 'What to do about it.' },
})

export const FAILURE = closedObject({
  status: { type: 'boolean', const: false, description: 'Nothing was done, unless code says otherwise.' },
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
        additionalProperties: true,
        description:
          'What belongs to the code, such as remaining_principal: amounts are numbers, all else is text.',
      },
      retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
      request_id: {
        type: 'string',
        pattern: '^req_[0-9A-Za-z]{24}$',
        description: 'As in the Request-Id header.',
      },
      docs: {
        type: 'string',
        pattern: '^/docs#error-[a-z_]+$',
        description: 'Where this service explains the code.',
      },
    }),
  },
})
