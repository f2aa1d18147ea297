/** The headers of every response, and failures as responses, sent through Fastify or without it. */
import type { FastifyReply } from 'fastify'
import { newId } from '../engine/database/ids.ts'
import { type Failure, failureBody } from '../wire/envelope.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'

export function standardHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'request-id': requestId,
  }
}

/**
 * Where browsers reach the service by https, they never use http for it again, nor for its subdomains. On every answer,
 * because it is not known which one a browser sees first.
 */
export function transportHeaders(publicUrl: string | null): Record<string, string> {
  if (publicUrl === null || !publicUrl.startsWith('https:')) return {}
  return { 'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
}

const YEAR_SECONDS = 31_536_000

export function sendFailure(reply: FastifyReply, requestId: string, failure: Failure): FastifyReply {
  return reply
    .code(errors[failure.code].http)
    .headers(standardHeaders(requestId))
    .send(failureBody(failure, requestId))
}

/** A failure that is answered before the request reaches Fastify. */
export function bareFailure(code: ErrorCode) {
  const requestId = newId('req')
  const body = failureBody({ code }, requestId)
  const headers = { ...standardHeaders(requestId), 'content-length': Buffer.byteLength(body) }
  return { requestId, status: errors[code].http, headers, body }
}
