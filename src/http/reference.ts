/**
 * The reference, served without a key: the page for people, its scripts, the guides beside it, and the document it is
 * made from. None of them contains anything about a book, and all are printed by tools/generate.ts. The page shows
 * requests to PUBLIC_URL, and where that is not set to the host that the browser used; it is kept for each of the last few
 * hosts.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { release } from '../observe/release.ts'
import { type Asset, answerAsset, type Caching, cachingOf, createAsset } from '../wire/assets.ts'
import { successBody } from '../wire/envelope.ts'
import { FailureError } from '../wire/failure.ts'
import { isFromHere } from '../wire/from-here.ts'
import { createRateLimiter } from './rate-limit.ts'

const HTML = 'text/html; charset=utf-8'
/** The page loads the first, which imports the others. */
const SCRIPTS = ['reference.js', 'search.js', 'elements.js']
/** Documents of docs/ that are pages beside the reference. */
export const GUIDES = ['desk', 'products'] as const
export const REFERENCE_PATHS: readonly string[] = [
  ...['/', '/v2/openapi.json', '/docs'],
  ...[...SCRIPTS, ...GUIDES].map((name) => `/docs/${name}`),
]

/** A test key and records of the demo bank, which the samples of the page use for a reader on the same machine. */
export type DemoSamples = { key: string; depositId: string; customerId: string }

export function registerReference(
  app: FastifyInstance,
  { demo = null, publicUrl = null }: { demo?: DemoSamples | null; publicUrl?: string | null } = {},
): void {
  const documentAsset = once(async () =>
    createAsset({ type: 'application/json; charset=utf-8', content: withCommit(await readFile(DOCUMENT)) }),
  )
  const readPage = once(() => readFile(PAGE, 'utf8'))
  const policy = once(async () => policyOf(await readPage()))
  const pageAt = createPages(readPage)
  const demoPage = once(async () =>
    createAsset({ type: HTML, content: Buffer.from(withDemo(await readPage(), demo)) }),
  )

  app.get('/', async (request, reply) => {
    // The router treats an asterisk, which names the server itself, as the root.
    if (request.raw.url === '*') throw new FailureError({ code: 'route_not_found' })
    return reply.code(302).header('location', '/docs').send(successBody('The reference is at /docs.', {}))
  })
  app.get('/v2/openapi.json', async (request, reply) =>
    send(request, reply, await documentAsset(), 'no-cache'),
  )
  for (const name of SCRIPTS) {
    const script = once(async () =>
      createAsset({
        type: 'text/javascript; charset=utf-8',
        content: await readFile(new URL(name, SCRIPT_FOLDER)),
      }),
    )
    app.get<{ Querystring: { v?: string } }>(`/docs/${name}`, async (request, reply) => {
      const asset = await script()
      return send(request, reply, asset, cachingOf(asset, request.query.v))
    })
  }
  app.get('/docs', async (request, reply) => {
    reply.headers({ 'content-security-policy': await policy(), 'referrer-policy': 'no-referrer' })
    // Private, because a cache that ignores the host would show one host's page at another.
    const page = await (demo !== null && isFromHere(request.raw)
      ? demoPage()
      : pageAt(publicUrl ?? originOf(request)))
    return send(request, reply, page, 'private, no-cache')
  })
  for (const name of GUIDES) {
    const guide = once(async () => createAsset({ type: HTML, content: await readFile(guidePage(name)) }))
    app.get(`/docs/${name}`, async (request, reply) => {
      reply.headers({ 'content-security-policy': await policy(), 'referrer-policy': 'no-referrer' })
      return send(request, reply, await guide(), 'no-cache')
    })
  }
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
    return createAsset({ type: HTML, content: Buffer.from(page) })
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

/** The origin that the request was sent to. */
function originOf(request: FastifyRequest): string {
  const host = request.host ?? ''
  if (host.length > HOST_MAX_CHARACTERS || !HOST.test(host)) return DEFAULT_ORIGIN
  return URL.parse(`${request.isSecure ? 'https' : 'http'}://${host}`)?.origin ?? DEFAULT_ORIGIN
}

/** The address at which the service listens by default, and which the printed page shows. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:8080'

/** Tests compare them with what would be printed now. */
const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const PAGE = new URL('../reference/page.html', import.meta.url)
const SCRIPT_FOLDER = new URL('../reference/browser/', import.meta.url)
const guidePage = (name: string) => new URL(`../reference/${name}.html`, import.meta.url)

/** The script of the page puts them into the samples. Neither keys nor ids hold a character that is special in HTML. */
function withDemo(page: string, demo: DemoSamples | null): string {
  if (demo === null) return page
  const { key, depositId, customerId } = demo
  return page.replace('<html ', `<html data-demo="${[key, depositId, customerId].join(' ')}" `)
}

/** Our own script, the one style sheet of the page, the icon that is part of it, and requests to this service. */
function policyOf(page: string): string {
  const style = page.slice(page.indexOf('<style>') + '<style>'.length, page.indexOf('</style>'))
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** The file is the same in every commit; what is served says which one it describes. */
function withCommit(file: Buffer): Buffer {
  const { version, commit } = release()
  const members = [`"version": ${JSON.stringify(version)}`]
  if (commit !== null) members.push(`"x-commit": ${JSON.stringify(commit)}`)
  // The first "version" is that of "info".
  return Buffer.from(file.toString().replace(/"version": "[^"]*"/, members.join(',\n    ')))
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
