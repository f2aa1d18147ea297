/** The only error handler: a failure is answered as it says, anything else by its row of the error table. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ClockUnsureError, OutcomeUnknownError, UnavailableError } from '../engine/change/faults.ts'
import { DatabaseError, isServerDamage, isServerFault } from '../engine/database/database.ts'
import type { Log } from '../observe/log.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'
import { FailureError } from '../wire/failure.ts'
import { MalformedJsonError } from '../wire/json.ts'
import { sendFailure } from './answers.ts'

export function createErrorHandler(log: Log) {
  const codeOf = createFaultLog(log)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof FailureError) {
      return sendFailure(reply.headers(error.headers), request.id, error.failure)
    }
    if (error instanceof MalformedJsonError) {
      return sendFailure(reply, request.id, { code: 'malformed_json', message: error.message })
    }
    const code = codeOf(error, request.id)
    if (errors[code].http === 503) reply.header('retry-after', '1')
    return sendFailure(reply, request.id, { code })
  }
}

/** The error code of a fault; what operators need to know about it is logged. */
export function createFaultLog(log: Log) {
  return (error: FastifyError, requestId: string): ErrorCode => {
    const code = codeOf(error)
    // Overload is not a fault and must not fill the log: the line of the request shows it. A clock is reported by its watch.
    if (
      errors[code].http >= 500 &&
      !(error instanceof UnavailableError || error instanceof ClockUnsureError)
    ) {
      const fields = { request_id: requestId, code, ...anonymous(error) }
      const level = code === 'internal_error' || isServerDamage(error) ? 'error' : 'warn'
      log(level, 'fault', fields, error)
    }
    return code
  }
}

const DISK_FULL = '53100'

function codeOf(error: FastifyError): ErrorCode {
  if (error instanceof OutcomeUnknownError) return 'outcome_unknown'
  if (error instanceof ClockUnsureError) return 'clock_unsure'
  if (error instanceof DatabaseError && error.sqlState === DISK_FULL) return 'insufficient_storage'
  if (error instanceof UnavailableError || isServerFault(error)) return 'service_unavailable'
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'body_too_large'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type'
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'ECONNRESET': // The client closed the connection while sending, and receives no answer.
      return 'malformed_request'
    default:
      return 'internal_error'
  }
}

/** The part of a fault that may be logged: its kind and its place in the code. Its message may repeat what was sent. */
function anonymous(error: Error): Record<string, string | null> {
  // The message comes before the frames and may have lines that look like them.
  const { stack = '', message } = error
  const traced = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : ''
  const frames = traced.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    error: error.name,
    sql_state: error instanceof DatabaseError ? error.sqlState : null,
    at: frames
      .slice(0, 4)
      .map((frame) => frame.trim())
      .join(' < '),
  }
}
