/**
 * The reference, served without a key: the page for people, its script, and the document it is made from. None of them
 * contains anything about a book. The page shows requests to the host that the browser used; it is rendered once for
 * each of the last few hosts.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from '../reference/openapi-document.ts'
import { REFERENCE_POLICY, renderReference } from '../reference/page.ts'
import { DEFAULT_ORIGIN } from '../reference/samples.ts'
import { type Asset, answerAsset, type Caching, cachingOf, createAsset } from '../wire/assets.ts'
import { successBody } from '../wire/envelope.ts'
import { FailureError } from '../wire/failure.ts'
import { parseJson } from '../wire/json.ts'
import { createRateLimiter } from './rate-limit.ts'

const SCRIPT_PATH = '/docs/reference.js'
export const REFERENCE_PATHS = ['/', '/v2/openapi.json', '/docs', SCRIPT_PATH] as const

export function registerReference(app: FastifyInstance): void {
  const readDocument = once(() => readFile(DOCUMENT))
  const documentAsset = once(async () =>
    createAsset({ type: 'application/json; charset=utf-8', content: await readDocument() }),
  )
  const scriptAsset = once(async () =>
    createAsset({ type: 'text/javascript; charset=utf-8', content: await readFile(SCRIPT) }),
  )
  const pageAt = createPages(
    once(async () => {
      const scriptUrl = `${SCRIPT_PATH}?v=${(await scriptAsset()).version}`
      return renderReference(parseDocument(await readDocument()), scriptUrl)
    }),
  )

  app.get('/', async (request, reply) => {
    // The router treats an asterisk, which names the server itself, as the root.
    if (request.raw.url === '*') throw new FailureError({ code: 'route_not_found' })
    return reply.code(302).header('location', '/docs').send(successBody('The reference is at /docs.', {}))
  })
  app.get('/v2/openapi.json', async (request, reply) =>
    send(request, reply, await documentAsset(), 'no-cache'),
  )
  app.get<{ Querystring: { v?: string } }>(SCRIPT_PATH, async (request, reply) => {
    const asset = await scriptAsset()
    return send(request, reply, asset, cachingOf(asset, request.query.v))
  })
  app.get('/docs', async (request, reply) => {
    reply.headers({ 'content-security-policy': REFERENCE_POLICY, 'referrer-policy': 'no-referrer' })
    // Private, because a cache that ignores the host would show one host's page at another.
    return send(request, reply, await pageAt(originOf(request)), 'private, no-cache')
  })
}

function send(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  asset: Asset,
  caching: Caching,
): FastifyReply {
  const { status, headers, body } = answerAsset(asset, request.headers, caching)
  return reply.code(status).headers(headers).send(body)
}

const ORIGINS_MAX = 4
const NEW_ORIGINS_PER_MINUTE = 12

/**
 * Pages by origin. Any client can send any host, so both the cached pages and the pages rendered per minute are
 * bounded; beyond that a host gets the page with the default origin.
 */
function createPages(readPage: () => Promise<string>): (origin: string) => Promise<Asset> {
  const pages = new Map<string, () => Promise<Asset>>()
  const take = createRateLimiter()
  const make = async (origin: string) => {
    const page = (await readPage()).replaceAll(DEFAULT_ORIGIN, origin)
    return createAsset({ type: 'text/html; charset=utf-8', content: Buffer.from(page) })
  }
  const defaultPage = once(() => make(DEFAULT_ORIGIN))

  return async (origin) => {
    if (origin === DEFAULT_ORIGIN) return defaultPage()
    const known = pages.get(origin)
    if (known === undefined && !take('new origins', NEW_ORIGINS_PER_MINUTE).allowed) return defaultPage()
    const page = known ?? once(() => make(origin))
    pages.delete(origin)
    pages.set(origin, page)
    if (pages.size > ORIGINS_MAX) pages.delete(pages.keys().next().value!)
    return page()
  }
}

const HOST_MAX_CHARACTERS = 260
/** A name or an address, optionally with a port, without characters that are special in a shell, a language or HTML. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * The origin that the request was sent to. Any client may claim to use TLS, but that only affects the page it gets
 * itself.
 */
function originOf(request: FastifyRequest): string {
  const host = request.host ?? ''
  if (host.length > HOST_MAX_CHARACTERS || !HOST.test(host)) return DEFAULT_ORIGIN
  const isSecure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  return URL.parse(`${isSecure ? 'https' : 'http'}://${host}`)?.origin ?? DEFAULT_ORIGIN
}

/** Printed by tools/generate.ts; a test compares it with the routes. */
const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const SCRIPT = new URL('../reference/browser/reference.js', import.meta.url)
const DEPTH_MAX = 64

/** Numbers keep their spelling, so that an amount shows both decimals on the page too. */
function parseDocument(bytes: Buffer): Document {
  return parseJson(bytes, { depthMax: DEPTH_MAX }) as unknown as Document
}

/** A failure is not cached: the next request tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}
