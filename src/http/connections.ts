/** The Node server under Fastify: the number of connections, and the time limits of each. */
import type { RequestListener, Server, ServerResponse } from 'node:http'

// Not imported: an import reads every member of the module, and that of WebSocket loads Node's client for the web, which
// took 43 ms of CPU time and 13 MB of each start.
const { createServer } = process.getBuiltinModule('node:http')

export type ConnectionLimits = {
  requestTimeoutMs: number
  headersTimeoutMs: number
  keepAliveTimeoutMs: number
  /** How long a client may leave a response unread. */
  answerTimeoutMs: number
  connectionsMax: number
}

/** How late a timeout of a connection may be noticed. */
const CHECKED_EVERY_MS = 1000

/** `headers` are sent with every answer, before anything else is known of the request. */
export function createNodeServer(
  limits: ConnectionLimits,
  listener: RequestListener,
  headers: Readonly<Record<string, string>>,
): Server {
  const sent = Object.entries(headers)
  const server = createServer(
    {
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      // Node answers a request without Host with an empty body; request-head.ts answers it with an envelope.
      requireHostHeader: false,
    },
    listener,
  )
  server.maxConnections = limits.connectionsMax
  // Node caches the address once it is read; after the connection is closed it could not be read any more.
  server.on('connection', (socket) => void socket.remoteAddress)
  server.prependListener('request', (_request, response) => {
    for (const [name, value] of sent) response.setHeader(name, value)
  })
  server.on('request', (request, response) => {
    // Starts when a response is sent; when it has been read, the keep-alive timeout takes over.
    // A file that is sent in pieces starts with the first of them.
    response.once('pipe', () => request.socket.setTimeout(limits.answerTimeoutMs))
    response.once('prefinish', () => request.socket.setTimeout(limits.answerTimeoutMs))
    if (limits.keepAliveTimeoutMs === 0) response.once('finish', () => request.socket.setTimeout(0))
  })
  server.on('checkContinue', (request, response) => {
    awaitingContinue.add(response)
    server.emit('request', request, response)
  })
  // Expectations other than 100-continue are ignored: none is needed to respond.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

const awaitingContinue = new WeakSet<ServerResponse>()

/**
 * Sends 100 Continue where the client waits for it. Called when nothing in the head rejects the request, so that a body
 * is not sent in vain; Node closes the connection after a response without it.
 */
export function continueIfExpected(response: ServerResponse): void {
  if (awaitingContinue.delete(response)) response.writeContinue()
}
