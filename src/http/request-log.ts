/** Each request is one line of the log and one count of its route. */
import type { FastifyInstance } from 'fastify'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    observe?: (status: number, elapsedMs: number) => void
  }
}

export function createRequestLog(log: Log, metrics: Metrics) {
  const observeUnmatched = metrics.observeRoute('ANY', 'unmatched')

  return {
    /** Before any route is registered. */
    watch(app: FastifyInstance): void {
      app.addHook('onRoute', (registered) => {
        const observe = metrics.observeRoute(String(registered.method), registered.url)
        registered.config = { ...registered.config, observe }
      })
      app.addHook('onResponse', async (request, reply) => {
        const { config, url } = request.routeOptions
        write({
          requestId: request.id,
          method: request.method,
          status: reply.statusCode,
          elapsedMs: reply.elapsedTime,
          bookId: request.authenticated?.book.bookId ?? null,
          route: url ?? null,
          observe: config.observe ?? observeUnmatched,
        })
      })
    },
    /** A request that was rejected before its route was known. */
    rejected(request: { requestId: string; method: string; status: number; elapsedMs: number }): void {
      write({ ...request, bookId: null, route: null, observe: observeUnmatched })
    },
  }

  function write(done: {
    requestId: string
    method: string
    status: number
    elapsedMs: number
    bookId: string | null
    route: string | null
    observe: (status: number, elapsedMs: number) => void
  }): void {
    done.observe(done.status, done.elapsedMs)
    log('info', 'request', {
      request_id: done.requestId,
      book_id: done.bookId,
      method: done.method,
      route: done.route,
      status: done.status,
      duration_ms: Math.round(done.elapsedMs * 10) / 10,
    })
  }
}
