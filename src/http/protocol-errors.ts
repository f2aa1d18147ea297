/**
 * Answers what arrives on a connection and is not a request to the service: a malformed head, a malformed body, nothing in
 * time, or CONNECT, which Node keeps from request listeners.
 *
 * Responses on one connection are matched to requests by their order alone. So this answer waits for the responses that
 * are due before it, or a client would take a change that was made for rejected; and no request is answered twice.
 */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import type { ErrorCode } from '../wire/errors.ts'
import { bareFailure } from './answers.ts'
import type { OpenResponses } from './open-responses.ts'

/** `headers` are sent with every answer. */
export function createProtocolErrors(methods: readonly string[], headers: Readonly<Record<string, string>>) {
  let due: OpenResponses
  const broken = new WeakSet<Socket>()

  return {
    watch(server: Server, responses: OpenResponses): void {
      due = responses
      server.on('connect', (_request, socket: Socket) => {
        // Node has removed its own listeners from the connection.
        socket.on('error', () => socket.destroy())
        afterDue(due.of(socket), () =>
          answerOnSocket(socket, 'method_not_allowed', { ...headers, allow: methods.join(', ') }),
        )
      })
    },
    answer(error: NodeJS.ErrnoException, socket: Socket): void {
      // A broken connection is reported again with every piece that arrives on it.
      if (broken.has(socket)) return
      broken.add(socket)
      const responses = due.of(socket)
      const newest = responses.at(-1)
      const inBody = newest !== undefined && !newest.req.complete
      const isAnswered = inBody && newest.headersSent
      const before = responses.slice(0, inBody && !isAnswered ? -1 : undefined)
      const end = () => {
        if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
        else if (isAnswered) socket.end()
        else answerOnSocket(socket, codeOf(error), headers)
      }
      afterDue(before, end)
    },
  }
}

function afterDue(responses: readonly ServerResponse[], end: () => void): void {
  const last = responses.findLast((response) => !response.writableFinished)
  if (last === undefined) end()
  else finished(last, end)
}

function codeOf({ code }: NodeJS.ErrnoException): ErrorCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout'
    default:
      return 'malformed_request'
  }
}

function answerOnSocket(socket: Socket, code: ErrorCode, more: Readonly<Record<string, string>>): void {
  const { status, headers, body } = bareFailure(code)
  const head = Object.entries({ ...headers, ...more, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${code}\r\n${head.join('')}\r\n${body}`)
}
