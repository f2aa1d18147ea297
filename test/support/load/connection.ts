/** A connection of a load generator: a plain socket and ready-made requests keep its share of the machine small. */
import { connect, type Socket } from 'node:net'

export function requestText(request: {
  method: 'POST' | 'PUT'
  path: string
  key: string
  body: string
  idempotencyKey: string | null
}): string {
  const { method, path, key, body, idempotencyKey } = request
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
    `${idempotencyKey === null ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`}\r\n${body}`
  )
}

const HEADERS_END = '\r\n\r\n'
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/** Calls back with the status of each complete answer. A connection carries one request at a time. */
export function openConnection(port: number, answered: (status: number) => void): Socket {
  const buffer = Buffer.allocUnsafe(65_536)
  let received = ''
  return connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        received += buffer.toString('latin1', 0, length)
        const headersEnd = received.indexOf(HEADERS_END)
        if (headersEnd === -1) return true
        if (!isComplete(received, headersEnd + HEADERS_END.length)) return true
        const status = Number(received.slice(9, 12))
        received = ''
        answered(status)
        return true
      },
    },
  })
}

/** A server that does not know the length of its answer beforehand sends it in chunks, the last of which is empty. */
function isComplete(received: string, bodyStart: number): boolean {
  const length = CONTENT_LENGTH.exec(received)?.[1]
  if (length !== undefined) return received.length >= bodyStart + Number(length)
  return CHUNKED.test(received.slice(0, bodyStart)) && LAST_CHUNK.test(received.slice(bodyStart - 2))
}

const CHUNKED = /\r\ntransfer-encoding: chunked/i
const LAST_CHUNK = /\r\n0\r\n\r\n$/
