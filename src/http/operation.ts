/** Reads an authenticated request for its route and runs the route's operation. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Asked, Reply, Route } from '../route/route.ts'
import { preferred } from '../wire/accept.ts'
import { FailureError } from '../wire/failure.ts'
import { isJsonObject, type Json } from '../wire/json.ts'
import { type FieldError, type Reading, readBody, readQuery } from '../wire/reader.ts'
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts'
import { requireScope } from './scope.ts'
import { createSeal } from './seal.ts'

export async function runOperation(
  route: Route,
  request: FastifyRequest,
  around: Pick<Asked<unknown, unknown>, 'service' | 'forgetKeys'>,
): Promise<Reply> {
  const { book, key, secretKey } = request.authenticated!
  const body = route.body === null ? null : ((request.body ?? (route.bodyOptional ? {} : null)) as Json)
  if (route.body !== null && !isJsonObject(body)) throw new FailureError({ code: 'malformed_json' })
  const idempotencyKey =
    route.method === 'POST' || route.method === 'PUT'
      ? readIdempotencyKey(request.headers['idempotency-key'], request.raw.rawHeaders)
      : null
  const path = pathOf(request.url)
  const file = route.fileMaxBytes !== undefined && Buffer.isBuffer(request.body) ? request.body : NO_FILE
  const params = readableParams(request.params as Record<string, string>, path)
  const fields = readFields(route, { params, body, query: request.query as Query })
  if (route.scopeOfBody?.isNeeded(fields.body)) requireScope(key.scopes, route.scopeOfBody.scope)
  const asked: Asked<unknown, unknown> = {
    service: around.service,
    forgetKeys: around.forgetKeys,
    book,
    apiKey: key,
    origin: {
      book,
      actor: { kind: 'KEY', id: key.apiKeyId, name: key.name, rootId: key.rootKeyId ?? key.apiKeyId },
      requestId: request.id,
      traceparent: request.traceparent,
      worksFrom: key.rest?.until ?? null,
      idempotency:
        idempotencyKey === null
          ? null
          : {
              key: idempotencyKey,
              fingerprint: fingerprintOf({ method: route.method, path, body: sentOf(body, file) }),
            },
      seal: createSeal(secretKey),
    },
    prefers: (offered) => preferred(request.headers.accept, offered),
    params,
    file,
    body: fields.body,
    query: fields.query,
  }
  try {
    return await route.answer(asked)
  } catch (error) {
    throw isHeld(error) ? heldFailure(error, { route, params, body }) : error
  }
}

function isHeld(error: unknown): error is FailureError {
  return error instanceof FailureError && error.failure.code === 'approval_required'
}

/** What has to wait comes back as the body of a request for approval, ready to be sent. */
function heldFailure(
  { failure }: FailureError,
  { route, params, body }: { route: Route; params: Record<string, string>; body: Json },
): FailureError {
  const [targetId = null] = Object.values(params)
  const approval = { operation: route.operationId, target_id: targetId, body }
  return new FailureError({ ...failure, details: { ...failure.details, approval } })
}

const NO_FILE = Buffer.alloc(0)

function sentOf(body: Json, file: Buffer): Json {
  return file.length === 0 ? body : hash('sha256', file, 'base64url')
}

type Query = Record<string, string | string[] | undefined>

/** A request about money never ignores what it does not know: a route without a query has an empty one. */
const NO_QUERY = Type.Object({})

/** All errors together: those of the path, of the body, of the query. */
function readFields(
  route: Route,
  sent: { params: Record<string, string>; body: Json; query: Query },
): { body: unknown; query: unknown } {
  const ofPath = route.pathErrors?.(sent.params) ?? []
  const body = route.body === null ? NOTHING : readBody(route.body, sent.body)
  const query = readQuery(route.query ?? NO_QUERY, sent.query)
  if (ofPath.length === 0 && body.ok && query.ok) return { body: body.value, query: query.value }
  const fields = [...ofPath, ...errorsOf(body), ...errorsOf(query)]
  throw new FailureError({ code: 'invalid_request', fields })
}

const NOTHING: Reading<undefined> = { ok: true, value: undefined }

function errorsOf(reading: Reading<unknown>): FieldError[] {
  return reading.ok ? [] : reading.fields
}

/** No text in the database holds a NUL; an identifier with one must not be found, instead of failing. */
function readableParams(params: Record<string, string>, path: string): Record<string, string> {
  if (!path.includes('%00')) return params
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  )
}

function pathOf(url: string): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}
