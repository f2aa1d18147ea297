/**
 * Stops a server without failing a request.
 *
 * - From `begin` on, every response closes its connection, so that no client keeps one it could send a further request on
 *   while it is being closed. Requests are accepted as before: a load balancer needs time to notice /readyz. Where another
 *   process takes over the same port, nothing is announced.
 * - `stopListening` closes the listener at a moment when no connection waits to be accepted. The kernel resets those that
 *   do, with the request already on its way, and a proxy must not send a POST again that it may have delivered.
 */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { OpenResponses } from './open-responses.ts'

type Drain = ReturnType<typeof createDrain>

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
  }
}

/** A turn of the event loop as short as this only polled the kernel. */
const QUIET_TURN_MS = 0.1
const QUIET_SEARCH_MAX_MS = 1000

export function createDrain(server: Server, responses: OpenResponses) {
  let hasBegun = false
  let isAnnounced = false
  server.prependListener('request', (_request, response) => {
    if (hasBegun) response.shouldKeepAlive = false
  })

  return {
    isAnnounced: () => isAnnounced,
    begin(options: { isAnnounced: boolean }): void {
      hasBegun = true
      isAnnounced = options.isAnnounced
      for (const response of responses.all()) response.shouldKeepAlive = false
    },
    async stopListening(): Promise<void> {
      await untilNoConnectionWaits()
      // Not the method of the HTTP server, which first closes idle connections: that takes time.
      NetServer.prototype.close.call(server)
    },
  }

  /** Node accepts one connection per turn: if a turn accepted none, none is waiting. */
  async function untilNoConnectionWaits(): Promise<void> {
    let accepted = 0
    const count = () => {
      accepted += 1
    }
    server.on('connection', count)
    const giveUpAtMs = performance.now() + QUIET_SEARCH_MAX_MS
    for (;;) {
      const startedMs = performance.now()
      const before = accepted
      await setImmediate()
      const nowMs = performance.now()
      if ((accepted === before && nowMs - startedMs < QUIET_TURN_MS) || nowMs > giveUpAtMs) break
    }
    server.off('connection', count)
  }
}
