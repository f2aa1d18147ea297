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
        const bodyLength = Number(CONTENT_LENGTH.exec(received)?.[1])
        if (!(received.length >= headersEnd + HEADERS_END.length + bodyLength)) return true
        const status = Number(received.slice(9, 12))
        received = ''
        answered(status)
        return true
      },
    },
  })
}
