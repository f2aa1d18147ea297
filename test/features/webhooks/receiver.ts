/** A subscriber on this machine that answers as configured, and records what it was sent. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: Record<string, string>; body: string }

/** Ends the response, or leaves it open forever. */
export type AnswerAs = (response: ServerResponse, received: Received) => void

export type Receiver = {
  url: string
  port: number
  received: Received[]
  answer: AnswerAs
  close: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: withStatus(204),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return receiver

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const headers = request.headers as Record<string, string>
    const received: Received = { path: request.url!, headers, body }
    receiver.received.push(received)
    receiver.answer(response, received)
  }
}

export function withStatus(statusCode: number, headers: Record<string, string> = {}): AnswerAs {
  return (response) => void response.writeHead(statusCode, headers).end()
}

export const never: AnswerAs = () => {}
