/**
 * The JSON door. The checks run in one documented order, and the first failure answers: route, method, authentication,
 * rate limit, scope, content type, size, JSON syntax, Idempotency-Key, fields; then the operation decides.
 * Every answer is an envelope with the same headers, also those of the router, the parser and the socket.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Service } from '../cli/compose.ts'
import { OutcomeUnknownError, UnavailableError } from '../engine/change/faults.ts'
import { DatabaseError, isUnavailable } from '../engine/database/database.ts'
import { newId } from '../engine/database/ids.ts'
import type { Log } from '../observe/log.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { type Failure, failureBody } from '../wire/envelope.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'
import { FailureError } from '../wire/failure.ts'
import { isJsonObject, type Json, MalformedJsonError, parseJson } from '../wire/json.ts'
import { type Reading, readBody, readQuery } from '../wire/reader.ts'
import type { Reply, Route } from '../wire/route.ts'
import { createTurnstile } from './admission.ts'
import { createAuthenticate, type Identity, requireScope } from './authentication.ts'
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts'
import { PAGES, registerPages } from './pages.ts'
import { createBrokenRequests } from './protocol-errors.ts'
import { createRateLimiter } from './rate-limit.ts'
import { REFERENCE_PATHS, registerReference } from './reference.ts'
import { routes } from './routes.ts'
import { createSeal } from './seal.ts'

export type HttpLimits = {
  bodyMaxBytes: number
  requestTimeoutMs: number
  headersTimeoutMs: number
  keepAliveTimeoutMs: number
  /** How long a client may leave an answer unread. */
  answerTimeoutMs: number
  connectionsMax: number
  /** Requests worked on at once; more are answered 503 at once. */
  inFlightMax: number
  /** Per key, unless the key has its own; 0 is none. */
  rateLimitPerMinute: number
  /** Per address. */
  failedAuthenticationsPerMinute: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    observe?: (status: number, elapsedMs: number) => void
  }
  interface FastifyRequest {
    authenticated: Identity | null
  }
}

/** A path segment has no bound of its own: whatever fits into a request line is an identifier, if an unknown one. */
const PARAMETER_MAX_CHARACTERS = 16_384
/** How late a time limit of a connection may be noticed. */
const CONNECTIONS_CHECKED_MS = 1000

export async function buildServer(options: {
  service: Service
  limits: HttpLimits
  log: Log
  /** Given where others count too; left out, the server counts for itself. */
  metrics?: Metrics
}): Promise<FastifyInstance> {
  const { service, limits, log, metrics = createMetrics() } = options
  const observeUnmatched = metrics.observeRoute('ANY', 'unmatched')
  const { authenticate, bookOf, forget } = createAuthenticate(service.db, service.clock)
  const takeRequest = createRateLimiter()
  const takeFailure = createRateLimiter()
  const brokenRequests = createBrokenRequests(answerOnSocket)
  let inFlight = 0

  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyMaxBytes,
    serverFactory: (handle) =>
      createServer(
        {
          requestTimeout: limits.requestTimeoutMs,
          headersTimeout: limits.headersTimeoutMs,
          keepAliveTimeout: limits.keepAliveTimeoutMs,
          connectionsCheckingInterval: CONNECTIONS_CHECKED_MS,
          // Left to itself the server answers a request without Host with an empty body; the hook below answers it.
          requireHostHeader: false,
        },
        createTurnstile({ handle, refuse: refuseAtOnce, passesAtOnce: isProbe, isHopeless }),
      ),
    routerOptions: { maxParamLength: PARAMETER_MAX_CHARACTERS },
    forceCloseConnections: 'idle',
    // What still comes over an open connection while the service stops is answered, and the connection closed after it.
    return503OnClosing: false,
    genReqId: () => newId('req'),
    frameworkErrors: (_error, request, reply) =>
      sendFailure(reply, request.id, { code: 'malformed_request' }),
    clientErrorHandler: brokenRequests.answer,
  })
  brokenRequests.watch(app.server)
  app.server.maxConnections = limits.connectionsMax
  app.server.on('request', (request, response) => {
    // From when an answer is on its way; when it has been read, the time of an idle connection begins.
    response.once('prefinish', () => request.socket.setTimeout(limits.answerTimeoutMs))
    if (limits.keepAliveTimeoutMs === 0) response.once('finish', () => request.socket.setTimeout(0))
  })
  // Nobody promised to meet another expectation than 100-continue, and none is needed to answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('authenticated', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Nothing sent is no body; a route that needs one refuses it later, the others take it as it is.
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(standardHeaders(request.id))
    if (lacksHost(request)) throw new FailureError({ code: 'malformed_request' })
    // Told before anything is done for it, so that a refusal stays cheap when there are many.
    if (inFlight >= limits.inFlightMax && !isProbe(request)) throw TOO_MANY
    // Here and not in a handler, because the body of a request that leads nowhere is never read.
    if (request.is404) throw nothingHere(request)
  })
  app.addHook('onRoute', (registered) => {
    const observe = metrics.observeRoute(String(registered.method), registered.url)
    registered.config = { ...registered.config, observe }
  })
  app.addHook('onResponse', async (request, reply) => {
    const observe = request.routeOptions.config.observe ?? observeUnmatched
    observe(reply.statusCode, reply.elapsedTime)
    logRequest({
      requestId: request.id,
      method: request.method,
      status: reply.statusCode,
      elapsedMs: reply.elapsedTime,
      bookId: request.authenticated?.book.bookId,
      route: request.routeOptions.url,
    })
  })
  app.setErrorHandler(answerError)

  for (const route of routes) register(route)
  registerReference(app)
  registerPages(app, { service, metrics, inFlight: () => inFlight, inPlace })
  app.addHook('onClose', async () => metrics.stop())
  return app

  function register(route: Route): void {
    app.route({
      method: route.method,
      url: route.path,
      onRequest: async (request, reply) => {
        request.authenticated = await authenticateOrLimit(request)
        limitRate(request.authenticated, reply)
        requireScope(request.authenticated.key.scopes, route.scope)
        if (route.testModeOnly && request.authenticated.book.mode !== 'test') {
          throw new FailureError({ code: 'test_mode_only' })
        }
        if (route.body !== null) requireJson(request)
      },
      handler: async (request, reply) => {
        const answer = await inPlace(() => answerRoute(route, request))
        if (answer.replayed) reply.header('idempotent-replayed', 'true')
        return reply.code(answer.status).send(answer.body)
      },
    })
  }

  /**
   * A place is held for as long as somebody's work takes, which is bounded; not while a request trickles in or its answer
   * is left unread, which would let few connections take all places.
   */
  async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    if (inFlight >= limits.inFlightMax) throw TOO_MANY
    inFlight += 1
    try {
      return await work()
    } finally {
      inFlight -= 1
    }
  }

  /** A liquidation of a book whose queue is full. */
  function isHopeless({ method, url, headers }: IncomingMessage): boolean {
    if (!service.isAnyFull() || method !== 'POST' || !url!.endsWith('/liquidate')) return false
    const bookId = bookOf(headers.authorization)
    return bookId !== undefined && service.isFull(bookId)
  }

  /** Before anything is known of it but that there is too much to do. */
  function refuseAtOnce(request: IncomingMessage, response: ServerResponse, waitedMs: number): void {
    const { requestId, status, headers, body } = bareFailure('service_unavailable')
    response.writeHead(status, { ...headers, 'retry-after': '1' }).end(body)
    observeUnmatched(status, waitedMs)
    logRequest({ requestId, method: request.method!, status, elapsedMs: waitedMs })
  }

  function logRequest(done: {
    requestId: string
    method: string
    status: number
    elapsedMs: number
    bookId?: string | undefined
    route?: string | undefined
  }): void {
    log('info', 'request', {
      request_id: done.requestId,
      book_id: done.bookId ?? null,
      method: done.method,
      route: done.route ?? null,
      status: done.status,
      duration_ms: Math.round(done.elapsedMs * 10) / 10,
    })
  }

  async function authenticateOrLimit(request: FastifyRequest): Promise<Identity> {
    try {
      return await authenticate(request.headers.authorization)
    } catch (error) {
      if (error instanceof FailureError && limits.failedAuthenticationsPerMinute > 0) {
        const taken = takeFailure(request.ip, limits.failedAuthenticationsPerMinute)
        if (!taken.allowed) throw rateLimited(taken.retryAfterSeconds)
      }
      throw error
    }
  }

  function limitRate({ key }: Identity, reply: FastifyReply): void {
    const perMinute = key.rateLimitPerMinute ?? limits.rateLimitPerMinute
    if (perMinute === 0) return
    const taken = takeRequest(key.apiKeyId, perMinute)
    reply.header('ratelimit-policy', `"key";q=${perMinute};w=60`)
    reply.header('ratelimit', `"key";r=${taken.remaining};t=${Math.ceil(60 / perMinute)}`)
    if (!taken.allowed) throw rateLimited(taken.retryAfterSeconds)
  }

  async function answerRoute(route: Route, request: FastifyRequest): Promise<Reply> {
    const { book, key, secretKey } = request.authenticated!
    const body = route.body === null ? null : (request.body as Json)
    if (route.body !== null && !isJsonObject(body)) throw new FailureError({ code: 'malformed_json' })
    const idempotencyKey =
      route.method === 'POST' || route.method === 'PUT'
        ? readIdempotencyKey(request.headers['idempotency-key'], request.raw.rawHeaders)
        : null
    const path = pathOf(request.url)
    return route.answer({
      service,
      book,
      apiKey: key,
      origin: {
        book,
        apiKeyId: key.apiKeyId,
        requestId: request.id,
        idempotency:
          idempotencyKey === null
            ? null
            : {
                key: idempotencyKey,
                fingerprint: fingerprintOf({ method: route.method, path, body }),
              },
        seal: createSeal(secretKey),
      },
      params: readableParams(request.params as Record<string, string>),
      body: route.body === null ? undefined : orInvalid(readBody(route.body, body)),
      query: route.query === null ? undefined : readQueryOf(route.query, request),
      forgetKeys: forget,
    })
  }

  function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof FailureError) {
      return sendFailure(reply.headers(error.headers), request.id, error.failure)
    }
    if (error instanceof MalformedJsonError) {
      return sendFailure(reply, request.id, { code: 'malformed_json', message: error.message })
    }
    const code = codeOf(error)
    if (errors[code].http === 503) reply.header('retry-after', '1')
    // Too much to do is no fault, and must not fill the log on top: the line of the request says it.
    if (errors[code].http >= 500 && !(error instanceof UnavailableError)) {
      log(code === 'internal_error' ? 'error' : 'warn', 'fault', {
        request_id: request.id,
        code,
        ...anonymous(error),
      })
    }
    return sendFailure(reply, request.id, { code })
  }
}

function answerOnSocket(socket: Socket, error: NodeJS.ErrnoException): void {
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'malformed_request'
  const { status, headers, body } = bareFailure(code)
  const head = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${code}\r\n${head.join('')}\r\n${body}`)
}

/** An answer that is given past the router. */
function bareFailure(code: ErrorCode) {
  const requestId = newId('req')
  const body = failureBody({ code }, requestId)
  const headers = { ...standardHeaders(requestId), 'content-length': Buffer.byteLength(body) }
  return { requestId, status: errors[code].http, headers, body }
}

function sendFailure(reply: FastifyReply, requestId: string, failure: Failure): FastifyReply {
  return reply
    .code(errors[failure.code].http)
    .headers(standardHeaders(requestId))
    .send(failureBody(failure, requestId))
}

function standardHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'request-id': requestId,
  }
}

const DISK_FULL = '53100'

function codeOf(error: FastifyError): ErrorCode {
  if (error instanceof OutcomeUnknownError) return 'outcome_unknown'
  if (error instanceof DatabaseError && error.sqlState === DISK_FULL) return 'insufficient_storage'
  if (error instanceof UnavailableError || isUnavailable(error)) return 'service_unavailable'
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'body_too_large'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type'
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'ECONNRESET': // The caller went away while sending, and hears no answer.
      return 'malformed_request'
    default:
      return 'internal_error'
  }
}

/** What a log may know of a fault: its kind and its place in the code. Its message may hold what was sent. */
function anonymous(error: Error): Record<string, string | null> {
  // The message goes before the frames and may have lines that look like them.
  const { stack = '', message } = error
  const traced = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : ''
  const frames = traced.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return {
    error: error.name,
    sql_state: error instanceof DatabaseError ? error.sqlState : null,
    at: frames
      .slice(0, 4)
      .map((frame) => frame.trim())
      .join(' < '),
  }
}

/** One for all: to trace where each comes from would cost more than all the rest of a refusal. */
const TOO_MANY = new UnavailableError('Too many requests under way.')

function rateLimited(retryAfterSeconds: number): FailureError {
  return new FailureError({ code: 'rate_limited' }, { 'retry-after': String(retryAfterSeconds) })
}

const JSON_TYPE = /^application\/json *(?:; *charset=(?:utf-8|"utf-8") *)?;? *$/i

function requireJson(request: FastifyRequest): void {
  if (JSON_TYPE.test(request.headers['content-type'] ?? '')) return
  throw new FailureError({ code: 'unsupported_media_type' })
}

function orInvalid<Value>(reading: Reading<Value>): Value {
  if (reading.ok) return reading.value
  throw new FailureError({ code: 'invalid_request', fields: reading.fields })
}

function readQueryOf(schema: TSchema, request: FastifyRequest): unknown {
  return orInvalid(readQuery(schema, request.query as Record<string, string | string[] | undefined>))
}

/** No database text holds a NUL; an identifier with one must name nothing, not fail. */
function readableParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  )
}

/** HTTP/1.1 asks for it; HTTP/1.0, which probes still speak, does not. */
function lacksHost(request: FastifyRequest): boolean {
  return request.headers.host === undefined && request.raw.httpVersion === '1.1'
}

function pathOf(url: string): string {
  const question = url.indexOf('?')
  return question === -1 ? url : url.slice(0, question)
}

/** What an operator looks at when there is too much to do must not be refused because there is too much to do. */
function isProbe({ url }: { url?: string | undefined }): boolean {
  return url === '/healthz' || url === '/metrics'
}

const paths = [...routes, ...[...PAGES, ...REFERENCE_PATHS].map((path) => ({ method: 'GET', path }))].map(
  ({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]*')}$`),
  }),
)

function nothingHere(request: FastifyRequest): FailureError {
  const allowed = methodsAt(request.url)
  if (allowed.length === 0) return new FailureError({ code: 'route_not_found' })
  return new FailureError({ code: 'method_not_allowed' }, { allow: allowed.join(', ') })
}

/**
 * Which methods a path takes, so that a wrong method is told apart from a wrong path. A path is read as the router reads
 * it, which has refused escapes that cannot be decoded before.
 */
function methodsAt(url: string): string[] {
  const path = decodeURI(url.replace(/[?#].*$/s, ''))
  const methods = paths.filter((route) => route.pattern.test(path)).map((route) => route.method)
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}
