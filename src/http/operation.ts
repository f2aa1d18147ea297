/** Reads an authenticated request for its route and runs the route's operation. */
import type { FastifyRequest } from 'fastify'
import { FailureError } from '../wire/failure.ts'
import { isJsonObject, type Json } from '../wire/json.ts'
import { type Reading, readBody, readQuery } from '../wire/reader.ts'
import type { Asked, Reply, Route } from '../wire/route.ts'
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts'
import { createSeal } from './seal.ts'

export async function runOperation(
  route: Route,
  request: FastifyRequest,
  around: Pick<Asked<unknown, unknown>, 'service' | 'forgetKeys'>,
): Promise<Reply> {
  const { book, key, secretKey } = request.authenticated!
  const body = route.body === null ? null : (request.body as Json)
  if (route.body !== null && !isJsonObject(body)) throw new FailureError({ code: 'malformed_json' })
  const idempotencyKey =
    route.method === 'POST' || route.method === 'PUT'
      ? readIdempotencyKey(request.headers['idempotency-key'], request.raw.rawHeaders)
      : null
  const path = pathOf(request.url)
  const query = request.query as Record<string, string | string[] | undefined>
  return route.answer({
    ...around,
    book,
    apiKey: key,
    origin: {
      book,
      actor: { kind: 'KEY', id: key.apiKeyId, name: key.name },
      requestId: request.id,
      idempotency:
        idempotencyKey === null
          ? null
          : { key: idempotencyKey, fingerprint: fingerprintOf({ method: route.method, path, body }) },
      seal: createSeal(secretKey),
    },
    params: readableParams(request.params as Record<string, string>),
    body: route.body === null ? undefined : orInvalid(readBody(route.body, body)),
    query: route.query === null ? undefined : orInvalid(readQuery(route.query, query)),
  })
}

function orInvalid<Value>(reading: Reading<Value>): Value {
  if (reading.ok) return reading.value
  throw new FailureError({ code: 'invalid_request', fields: reading.fields })
}

/** No database text holds a NUL; an identifier with one must name nothing, not fail. */
function readableParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  )
}

function pathOf(url: string): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}
