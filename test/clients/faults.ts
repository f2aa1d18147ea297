/**
 * A proxy in front of a service that fails as networks do. The first part of the path says how; what was sent is kept,
 * so that a test can compare the attempts of one call.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Sent = { key: string | undefined; body: string; path: string }

export type FaultyProxy = { url: string; sent: Map<string, Sent[]>; close: () => Promise<void> }

export async function startFaultyProxy(service: string): Promise<FaultyProxy> {
  const sent = new Map<string, Sent[]>()
  const server = createServer((request, response) => void forward(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, mode = '', ...rest] = request.url!.split('/')
    const path = `/${rest.join('/')}`
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const key = request.headers['idempotency-key'] as string | undefined
    const attempts = sent.get(mode) ?? []
    sent.set(mode, [...attempts, { key, body, path }])
    // /cut-typescript fails once, for the first user.
    const isFirst = attempts.length === 0
    const [fault] = mode.split('-')
    if (fault === 'busy' && isFirst) return answer(response, 429, { 'retry-after': '1' }, 'rate_limited')
    if (fault === 'never') return answer(response, 503, { 'retry-after': '0' }, 'service_unavailable')
    if (fault === 'long') return answer(response, 503, { 'retry-after': '31' }, 'service_unavailable')
    if (fault === 'moved') return void response.writeHead(302, { location: '/elsewhere' }).end('Moved.')
    const { authorization = '', 'content-type': type } = request.headers
    const answered = await fetch(service + path, {
      method: request.method!,
      headers: {
        authorization,
        ...(type !== undefined && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== '' && { body }),
    })
    const text = await answered.text()
    // The change is committed, but the client does not learn of it.
    if (fault === 'cut' && isFirst) return void request.socket.destroy()
    if (fault === 'unknown' && isFirst)
      return answer(response, 503, { 'retry-after': '0' }, 'outcome_unknown')
    if (fault === 'torn' && isFirst) return tear(response, text)
    const replayed = answered.headers.get('idempotent-replayed')
    response.writeHead(answered.status, {
      'content-type': 'application/json',
      'request-id': answered.headers.get('request-id') ?? '',
      ...(replayed !== null && { 'idempotent-replayed': replayed }),
    })
    response.end(text)
  }
}

/** The first half of an answer arrives. */
function tear(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  code: string,
): void {
  const error = { code, fields: [], details: {}, retryable: true, request_id: 'req_0' }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ status: false, message: 'Try again.', data: null, error }))
}
