/** Each request is logged as one line and counted once for its route. */
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Fields, Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { traceparentOf } from '../observe/traces.ts'
import type { ClientAddresses } from './client-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    observe?: Observe
    /** Its handler finds the route of each request. */
    findsRoute?: true
  }
  interface FastifyRequest {
    foundRoute: string | null
    /** The trace that came with it. */
    traceparent: string | undefined
  }
}

type Observe = (status: number, elapsedMs: number) => void

export function createRequestLog(options: { log: Log; metrics: Metrics; clients: ClientAddresses }) {
  const { log, metrics, clients } = options
  const observeUnmatched = metrics.observeRoute('ANY', 'unmatched')
  /** Bounded by the pages that there are. */
  const found = new Map<string, Observe>()

  return {
    /** Call it before any route is registered. */
    watch(app: FastifyInstance): void {
      app.decorateRequest('foundRoute', null)
      app.addHook('onRoute', (registered) => {
        const observe = metrics.observeRoute(String(registered.method), registered.url)
        registered.config = { ...registered.config, observe }
      })
      app.addHook('onResponse', (request, reply, done) => {
        const { config, url } = request.routeOptions
        const route = (config.findsRoute === true ? request.foundRoute : url) ?? null
        write({
          request: request.raw,
          requestId: request.id,
          status: reply.statusCode,
          elapsedMs: reply.elapsedTime,
          bookId: request.authenticated?.book.bookId ?? null,
          route,
          observe: observerOf(request.method, route, config),
        })
        done()
      })
    },
    /** A request that was rejected before its route was known. */
    rejected(done: Pick<Done, 'request' | 'requestId' | 'status' | 'elapsedMs'>): void {
      write({ ...done, bookId: null, route: null, observe: observeUnmatched })
    },
  }

  function observerOf(method: string, route: string | null, config: FastifyContextConfig): Observe {
    if (config.findsRoute !== true) return config.observe ?? observeUnmatched
    if (route === null) return observeUnmatched
    const name = `${method} ${route}`
    const observe = found.get(name) ?? metrics.observeRoute(method, route)
    found.set(name, observe)
    return observe
  }

  function write(done: Done): void {
    done.observe(done.status, done.elapsedMs)
    const fields: Fields = {
      request_id: done.requestId,
      book_id: done.bookId,
      method: done.request.method!,
      route: done.route,
      status: done.status,
      duration_ms: Math.round(done.elapsedMs * 10) / 10,
      client: clients.shown(clients.addressOf(done.request)),
    }
    const traceparent = traceparentOf(done.request.headers)
    if (traceparent !== undefined) fields.traceparent = traceparent
    log('info', 'request', fields)
  }
}

type Done = {
  request: IncomingMessage
  requestId: string
  status: number
  elapsedMs: number
  bookId: string | null
  route: string | null
  observe: Observe
}
