/**
 * The JSON door. The checks run in one documented order and the first failure is the answer: request head, route and
 * method, authentication, rate limit, scope, content type, size, JSON syntax, Idempotency-Key, fields; then the
 * operation decides. Each check has its own file; here they are put in order, in one hook, because each additional hook
 * costs every request. Every answer is an envelope with the same headers, including those of the router, the parser and
 * the socket.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { newId } from '../engine/database/ids.ts'
import type { Log } from '../observe/log.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { traceparentOf } from '../observe/traces.ts'
import type { Route, Service } from '../route/route.ts'
import type { ErrorCode } from '../wire/errors.ts'
import { createAdmission } from './admission.ts'
import { bareFailure, sendFailure, standardHeaders, transportHeaders } from './answers.ts'
import { createAuthenticate, type Keys } from './authentication.ts'
import { type ClientAddresses, createClientAddresses } from './client-address.ts'
import { type ConnectionLimits, continueIfExpected, createNodeServer } from './connections.ts'
import { createDrain } from './drain.ts'
import { createErrorHandler, createFaultLog } from './errors.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import {
  announcesTooLarge,
  parseJsonBodies,
  requireJson,
  requireJsonLines,
  requirePlainBody,
  sendsNoBody,
} from './json-body.ts'
import { watchResponses } from './open-responses.ts'
import { runOperation } from './operation.ts'
import { isProbe, PROBE_PATHS, type Probed, registerProbes } from './probes.ts'
import { createProtocolErrors } from './protocol-errors.ts'
import { type CreateTake, createKeyLimit, createRateLimiter } from './rate-limit.ts'
import { type DemoSamples, REFERENCE_PATHS, registerReference } from './reference.ts'
import { checkHead } from './request-head.ts'
import { createRequestLog } from './request-log.ts'
import { routes } from './routes.ts'
import { requireScope, requireTestMode } from './scope.ts'
import { createUnmatched } from './unmatched.ts'

export type HttpLimits = ConnectionLimits & {
  bodyMaxBytes: number
  /** Requests processed at the same time; more are rejected with 503 immediately. */
  inFlightMax: number
  /** Per key, unless the key has its own; 0 is none. */
  rateLimitPerMinute: number
  /** Per client address; 0 is none. */
  failedAuthenticationsPerMinute: number
}

/** What the routes work with, and what this door needs itself. */
export type ServedByHttp = Service & Probed & { keys: Keys }

/** Another door beside the JSON one, under its own path; it has its own format, within the same limits. */
export type FurtherDoor = {
  path: string
  open: (
    app: FastifyInstance,
    parts: {
      inPlace: InFlight['inPlace']
      codeOf: (error: FastifyError, requestId: string) => ErrorCode
    },
  ) => Promise<void>
}

/** A path segment has no limit of its own: whatever fits into a request line is an identifier, if an unknown one. */
const PARAMETER_MAX_CHARACTERS = 16_384

const { unmatched, registerShadowed } = createUnmatched([
  ...routes,
  ...[...PROBE_PATHS, ...REFERENCE_PATHS].map((path) => ({ method: 'GET', path })),
])

/** Recognised by the end of the path alone, before the request is routed. */
const QUEUED = routes.flatMap(({ method, path, isFull }) =>
  isFull === undefined ? [] : [{ method, end: path.slice(path.lastIndexOf('/')), isFull }],
)

const METHODS = [...new Set(['GET', 'HEAD', ...routes.map((route) => route.method)])]

export async function buildServer(options: {
  service: ServedByHttp
  limits: HttpLimits
  log: Log
  /** Given where other parts use the metrics too. */
  metrics?: Metrics
  doors?: readonly FurtherDoor[]
  /** Left out, no proxy is trusted. */
  clients?: ClientAddresses
  /** The URL under which browsers reach the service, where it is known. */
  publicUrl?: string | null
  /** Given where several processes count together. */
  createTake?: CreateTake
  /** The samples of the demo bank, where the service has one. */
  demo?: DemoSamples | null
}): Promise<FastifyInstance> {
  const { service, limits, log, metrics = createMetrics(), doors = [] } = options
  const { createTake = () => createRateLimiter() } = options
  const { clients = createClientAddresses({ trustedProxies: [], logged: false }) } = options
  const { authenticate, bookOf, forget } = createAuthenticate(service.keys, {
    clock: service.clock,
    failuresPerMinute: limits.failedAuthenticationsPerMinute,
    takeFailure: createTake('failures'),
  })
  const limitRate = createKeyLimit(limits.rateLimitPerMinute, createTake('keys'))
  const codeOf = createFaultLog(log)
  const inFlight = createInFlight(limits.inFlightMax)
  const requestLog = createRequestLog({ log, metrics, clients })
  const headers = transportHeaders(options.publicUrl ?? null)
  const protocolErrors = createProtocolErrors(METHODS, headers)

  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyMaxBytes,
    serverFactory: (handle) =>
      createNodeServer(
        limits,
        createAdmission({ handle, reject, passesAtOnce: isProbe, isHopeless }),
        headers,
      ),
    routerOptions: { maxParamLength: PARAMETER_MAX_CHARACTERS },
    forceCloseConnections: 'idle',
    // While the service stops, requests on open connections are answered and the connection is closed after them.
    return503OnClosing: false,
    genReqId: () => newId('req'),
    frameworkErrors: (_error, request, reply) =>
      sendFailure(reply, request.id, { code: 'malformed_request' }),
    clientErrorHandler: protocolErrors.answer,
  })
  const responses = watchResponses(app.server)
  protocolErrors.watch(app.server, responses)
  const drain = createDrain(app.server, responses)
  app.decorate('drain', drain)
  app.decorateRequest('authenticated', null)
  app.decorateRequest('traceparent', undefined)
  clients.decorate(app)
  parseJsonBodies(app)
  app.setErrorHandler(createErrorHandler(log))
  requestLog.watch(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id))
    checkHead(request.raw)
    request.traceparent = traceparentOf(request.headers)
    // Before any work, so that rejections stay cheap when there are many.
    if (!isProbe(request)) inFlight.requirePlace()
    // Here and not in a handler, because the body of a request without a route is never read.
    if (request.is404) throw unmatched(request.url)
    done()
  })
  registerShadowed(app)
  for (const route of routes) register(route)
  registerProbes(app, { service, metrics, inFlight, isDraining: drain.isAnnounced })
  registerReference(app, options)
  for (const { path, open } of doors) {
    const parts = { inPlace: inFlight.inPlace, codeOf }
    await app.register((scope) => open(scope, parts), { prefix: path })
  }
  app.addHook('onClose', async () => metrics.stop())
  return app

  function register(route: Route): void {
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.fileMaxBytes ?? limits.bodyMaxBytes,
      onRequest: async (request, reply) => {
        const { headers, clientAddress: address, socket: connection } = request
        // Most answers are known at once: a promise for each would cost every request.
        const found = authenticate({ authorization: headers.authorization, address, connection })
        const identity = found instanceof Promise ? await found : found
        request.authenticated = identity
        const limited = limitRate(identity.key, reply)
        if (limited !== undefined) await limited
        requireScope(identity.key.scopes, route.scope)
        if (route.testModeOnly) requireTestMode(identity.book.mode)
        if (route.body !== null && !(route.bodyOptional && sendsNoBody(request.headers))) {
          requireJson(request.headers)
        }
        if (route.fileMaxBytes !== undefined) requireJsonLines(request.headers)
        if (route.method !== 'GET') requirePlainBody(request.headers)
        if (!announcesTooLarge(request.headers, route.fileMaxBytes ?? limits.bodyMaxBytes))
          continueIfExpected(reply.raw)
      },
      handler: async (request, reply) => {
        const answer = await inFlight.inPlace(() =>
          runOperation(route, request, { service, forgetKeys: forget }),
        )
        if (answer.replayed) reply.header('idempotent-replayed', 'true')
        if (answer.headers) reply.headers(answer.headers)
        const { status, body } = answer
        if (typeof body === 'string') return reply.code(status).send(body)
        // A head shows what a file would be, and reads nothing of it.
        if (request.method === 'HEAD') return reply.code(status).send()
        // Headers have gone out: the client notices by the missing last line, the operator by the log.
        const file = Readable.from(body).on(
          'error',
          (error) => void codeOf(error as FastifyError, request.id),
        )
        return reply.code(status).send(file)
      },
    })
  }

  /** A liquidation of a book whose queue is full. */
  function isHopeless({ method, url, headers }: IncomingMessage): boolean {
    if (!service.isAnyFull()) return false
    const route = QUEUED.find((one) => one.method === method && url!.endsWith(one.end))
    if (route === undefined) return false
    const bookId = bookOf(headers.authorization)
    return bookId !== undefined && route.isFull(service, bookId)
  }

  function reject(request: IncomingMessage, response: ServerResponse, waitedMs: number): void {
    const { requestId, status, headers, body } = bareFailure('service_unavailable')
    response.writeHead(status, { ...headers, 'retry-after': '1' }).end(body)
    requestLog.rejected({ request, requestId, status, elapsedMs: waitedMs })
  }
}
