/**
 * The HTML door: pages for people with a session, at /console.
 *
 * - A write is rejected unless the browser says that it comes from our own pages.
 * - People without a session are asked to sign in; a form that was submitted meanwhile is preserved and can be
 *   submitted afterwards.
 * - No second API: a page calls the same changes and stores as a route, with the person as actor.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants as zlib } from 'node:zlib'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Book, Mode } from '../domain/book.ts'
import { grants } from '../domain/scopes.ts'
import { voterOf } from '../features/approvals/changes.ts'
import { countWaiting } from '../features/approvals/store.ts'
import { listCallers } from '../features/callers/store.ts'
import type { PersonIdentity, SignIn } from '../features/people/sign-in.ts'
import { type Asset, answerAsset, cachingOf, createAsset } from '../wire/assets.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'
import { FailureError } from '../wire/failure.ts'
import { type Html, render } from '../wire/html.ts'
import type { Service } from '../wire/route.ts'
import { cookie, isFromOurselves, isSecure, readCookies } from './browser-check.ts'
import { english, type Language } from './english.ts'
import { FORM_MAX_BYTES, FORM_TYPE, fingerprintOfForm, keptFields, readFields } from './form.ts'
import { type Assets, barePage, framedPage, ICON_FILE } from './frame.ts'
import {
  type DemoPerson,
  failureText,
  type GateNotice,
  sendAgainForm,
  signInForm,
  welcomeForm,
} from './gate.ts'
import type { Asked, Fields, Page, PageAnswer, Section } from './page.ts'
import { pages } from './pages.ts'
import { type Words, wordsFor } from './words.ts'

export const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': CONSOLE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  // Not no-referrer: browsers would then send Origin: null with our own forms.
  'referrer-policy': 'same-origin',
}

export type DoorParts = {
  /** The limit of requests in flight that all doors share. */
  inPlace: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The error code of a fault, logged where necessary. */
  codeOf: (error: FastifyError, requestId: string) => ErrorCode
}

const NO_BOOK = { timeZone: 'UTC', currency: 'USD' }

export function createConsole(options: {
  service: Service
  /** What answers the reads of pages that may be a moment behind; by default the service's own database. */
  standby?: Service['db'] | undefined
  signIn: SignIn
  /** The public URL of the service, if it differs from that of the request. */
  publicUrl: string | null
  /** Shown with their passwords; empty where the bank is not a demo. */
  demoPeople: readonly DemoPerson[]
  /** English, if no other is given. */
  language?: Language
}) {
  const { service, signIn, publicUrl, demoPeople, language = english } = options
  const lagging = { ...service, db: options.standby ?? service.db }
  const wordsOfBook = rememberWords(language)
  const plainWords = wordsFor({ ...NO_BOOK, say: language })
  const secure = (request: FastifyRequest) => isSecure(request, publicUrl)
  let bankNames: ReadonlyMap<string, string> = new Map()

  return async function openDoor(app: FastifyInstance, { inPlace, codeOf }: DoorParts): Promise<void> {
    const files = await readFiles()
    const { assets } = files
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    app.setErrorHandler(answerFailure)
    app.setNotFoundHandler(async (request, reply) => sendFailure(request, reply, 404))
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS)
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isFromOurselves(request, publicUrl)) {
        return sendFailure(request, reply, 403, plainWords.say.failures.crossSite)
      }
    })
    for (const file of files.all) {
      app.get<{ Querystring: { v?: string } }>(file.path, async (request, reply) => {
        const answer = answerAsset(file.asset, request.headers, cachingOf(file.asset, request.query.v))
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      })
    }
    registerGate()
    for (const page of pages) {
      app.route({
        method: page.method,
        url: page.path,
        handler: (request, reply) => inPlace(() => answerPage(page, request, reply)),
      })
    }

    async function answerPage(
      page: Page,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      const cookies = readCookies(request.headers.cookie, secure(request))
      const identity = cookies.session === null ? undefined : await signIn.findSession(cookies.session)
      const form = formOf(request)
      if (identity === undefined) return askToSignIn(request, reply, page.method === 'POST' ? form : null)
      const book = chooseBook(identity, cookies.book)
      if (page.scope !== null && !grants(identity.scopes, page.scope)) return sendFailure(request, reply, 403)
      if (page.testModeOnly && book.mode !== 'test') return sendFailure(request, reply, 404)
      const words = wordsOfBook(book)
      const path = request.url.split('?', 1)[0]!
      const part = request.headers['x-part']
      const asked: Asked = {
        service: page.mayLag ? lagging : service,
        book,
        identity,
        signIn,
        secret: cookies.session!,
        may: (scope) => grants(identity.scopes, scope),
        words,
        params: Object.fromEntries(
          Object.entries(request.params as Record<string, string>).map(([name, value]) => [
            name,
            value.replaceAll('\0', '\ufffd'),
          ]),
        ),
        query: queryOf(request),
        form,
        home: publicUrl ?? `${secure(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`,
        part: typeof part === 'string' ? part : null,
        originOf: (key) => ({
          book,
          actor: identity.actor,
          requestId: request.id,
          idempotency: key === null ? null : { key, fingerprint: fingerprintOfForm(path, form) },
        }),
      }
      return send(request, reply, await page.answer(asked), { identity, book, words })
    }

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      answer: PageAnswer,
      { identity, book, words }: { identity: PersonIdentity; book: Book; words: Words },
    ): Promise<FastifyReply> {
      if (answer.secret !== undefined) {
        reply.header('set-cookie', cookie('session', answer.secret, secure(request)))
      }
      switch (answer.kind) {
        case 'not_found':
          return sendFailure(request, reply, 404)
        case 'redirect':
          return reply.code(303).header('location', answer.to).send('')
        case 'file':
          return reply
            .header('content-type', answer.type)
            .header('content-disposition', `attachment; filename="${answer.name}"`)
            .send(answer.content)
        case 'part':
          return sendText(request, reply, render(answer.part))
        case 'page': {
          const { at } = await service.momentIn(book)
          const frame = {
            title: answer.title,
            section: answer.section,
            person: identity.person,
            bank: await bankName(book.callerId),
            mode: book.mode,
            otherModes: identity.books.map(({ mode }) => mode).filter((mode) => mode !== book.mode),
            now: at,
            mayMoveClock: mayOpen(identity.scopes, '/clock'),
            maySearch: mayOpen(identity.scopes, '/search'),
            places: placesOf(identity.scopes),
            waiting: grants(identity.scopes, 'approvals:decide')
              ? await countWaiting(service.db, book.bookId, { at, voter: voterOf(identity.person) })
              : 0,
            words,
            assets,
          }
          return sendText(request, reply.code(answer.status ?? 200), framedPage(frame, answer.main))
        }
        default:
          return answer satisfies never
      }
    }

    function registerGate(): void {
      app.get('/sign-in', async (request, reply) => {
        const query = queryOf(request)
        const notice = { kind: 'tip', text: plainWords.say.signIn.endedPlain } as const
        return sendSignIn(request, reply, {
          next: query.get('next'),
          notice: query.has('next') && !query.has('done') ? notice : null,
        })
      })
      app.post('/sign-in', (request, reply) => inPlace(() => answerSignIn(request, reply)))
      app.post('/sign-out', (request, reply) =>
        inPlace(async () => {
          const { session } = readCookies(request.headers.cookie, secure(request))
          if (session !== null) await signIn.signOut(session)
          // The cookie stays: with an ended session the limit on tries still recognises this browser.
          return reply.code(303).header('location', '/console/sign-in').send('')
        }),
      )
      app.post('/book', async (request, reply) => {
        const mode = formOf(request).get('mode')
        return reply
          .code(303)
          .headers({
            location: '/console',
            'set-cookie': cookie('book', mode === 'live' ? 'live' : 'test', secure(request)),
          })
          .send('')
      })
      app.get('/welcome', async (request, reply) =>
        sendBare(request, reply, plainWords.say.welcome.title, welcomeForm(plainWords, null, '')),
      )
      app.post('/welcome', (request, reply) =>
        inPlace(async () => {
          const form = formOf(request)
          // Without script the whole link may be pasted.
          const token = form.get('token').split('#').at(-1)!.trim()
          const set = await signIn.setPassword({ token, password: form.get('password') })
          if (set.outcome === 'changed') {
            const { person } = set
            const notice = { kind: 'good', text: plainWords.say.welcome.done } as const
            return sendSignIn(request, reply, { email: person.email, notice })
          }
          const notice = plainWords.say.signInRefusals[set.code]
          return sendBare(
            request,
            reply.code(422),
            plainWords.say.welcome.title,
            welcomeForm(plainWords, notice, token),
          )
        }),
      )
    }

    async function answerSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const form = formOf(request)
      const { session } = readCookies(request.headers.cookie, secure(request))
      const asked = { email: form.get('email'), next: form.get('next'), kept: form.get('kept') }
      const callerId = form.get('caller')
      const result = await signIn.signIn({
        email: asked.email,
        password: form.get('password'),
        browser: {
          address: request.clientAddress,
          userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
          earlierSecret: session,
        },
        ...(callerId !== '' && { callerId }),
      })
      if (result.outcome === 'several_callers') {
        const notice = { kind: 'tip', text: plainWords.say.signIn.chooseBank } as const
        return sendSignIn(request, reply.code(401), { ...asked, notice, callers: result.callers })
      }
      if (result.outcome === 'refused') {
        reply.code(result.code === 'too_many_sign_ins' ? 429 : 401)
        const notice = { kind: 'bad', text: plainWords.say.signInRefusals[result.code] } as const
        return sendSignIn(request, reply, { ...asked, notice })
      }
      reply.header('set-cookie', cookie('session', result.secret, secure(request)))
      const next = ownPath(asked.next)
      if (asked.kept !== '') {
        return sendBare(
          request,
          reply,
          plainWords.say.signIn.again,
          sendAgainForm(plainWords, { next, page: pageOf(next), kept: asked.kept }),
        )
      }
      return reply.code(303).header('location', next).send('')
    }

    function askToSignIn(
      request: FastifyRequest,
      reply: FastifyReply,
      form: Fields | null,
    ): FastifyReply | Promise<FastifyReply> {
      if (form === null) {
        const next = request.url === '/console' ? '' : `?next=${encodeURIComponent(request.url)}`
        return reply.code(303).header('location', `/console/sign-in${next}`).send('')
      }
      const kept = keptFields(form)
      const notice = { kind: 'tip', text: plainWords.say.signIn.ended } as const
      return sendSignIn(request, reply.code(401), { next: request.url, kept, notice })
    }

    function sendSignIn(
      request: FastifyRequest,
      reply: FastifyReply,
      asked: {
        notice: GateNotice | null
        email?: string
        next?: string
        kept?: string
        callers?: readonly { callerId: string; name: string }[]
      },
    ): Promise<FastifyReply> {
      const form = { email: '', next: '', kept: '', callers: [], demo: demoPeople, ...asked }
      return sendBare(request, reply, plainWords.say.signIn.title, signInForm(plainWords, form))
    }

    function sendBare(
      request: FastifyRequest,
      reply: FastifyReply,
      title: string,
      main: Html,
    ): Promise<FastifyReply> {
      return sendText(request, reply, barePage({ title, words: plainWords, assets }, main))
    }

    function sendFailure(
      request: FastifyRequest,
      reply: FastifyReply,
      status: 400 | 403 | 404 | 500 | 503,
      text: readonly string[] = plainWords.say.failures[status],
    ): Promise<FastifyReply> {
      reply.headers(HEADERS).code(status)
      return sendBare(request, reply, text[0]!, failureText(plainWords, text))
    }

    function answerFailure(
      error: FastifyError,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      const code = error instanceof FailureError ? error.failure.code : codeOf(error, request.id)
      const { http } = errors[code]
      if (http === 404 || http === 405) return sendFailure(request, reply, 404)
      // It may have been done: only the record can tell.
      if (code === 'outcome_unknown') return sendFailure(request, reply, 500)
      if (http === 503) return sendFailure(request, reply.header('retry-after', '1'), 503)
      return sendFailure(request, reply, http >= 500 ? 500 : 400)
    }
  }

  async function bankName(callerId: string): Promise<string> {
    if (!bankNames.has(callerId)) {
      bankNames = new Map((await listCallers(service.db)).map((caller) => [caller.callerId, caller.name]))
    }
    return bankNames.get(callerId) ?? ''
  }
}

/** Only places with a page that the person may see. */
function placesOf(scopes: readonly string[]): Section[] {
  return (Object.keys(PLACES) as Section[]).filter((section) => mayOpen(scopes, `/${section}`))
}

function mayOpen(scopes: readonly string[], path: string): boolean {
  return pages.some(
    (page) =>
      page.method === 'GET' && page.path === path && (page.scope === null || grants(scopes, page.scope)),
  )
}

const PLACES: Record<Section, true> = {
  customers: true,
  deposits: true,
  approvals: true,
  report: true,
  rules: true,
  audit: true,
  access: true,
  webhooks: true,
}

/** The live book, unless the person chose the test book in this browser. */
function chooseBook({ books }: PersonIdentity, chosen: string | null): Book {
  const mode: Mode = chosen === 'test' ? 'test' : 'live'
  return books.find((book) => book.mode === mode) ?? books[0]!
}

function formOf(request: FastifyRequest): Fields {
  return readFields(typeof request.body === 'string' ? request.body : '')
}

function queryOf(request: FastifyRequest): Fields {
  const question = request.url.indexOf('?')
  return readFields(question === -1 ? '' : request.url.slice(question + 1))
}

/** A path in the console and nowhere else. */
function ownPath(path: string): string {
  return /^\/console(?:[/?][!-~]*)?$/.test(path) && !path.includes('\\') && !path.includes('//')
    ? path
    : '/console'
}

/** The page that a form was sent from: at its own path, or at the one above. */
function pageOf(path: string): string {
  const own = path.split('?', 1)[0]!
  const isPage = (asked: string) =>
    pages.some(
      ({ method, path: pattern }) =>
        method === 'GET' && new RegExp(`^/console${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(asked),
    )
  return [own, own.slice(0, own.lastIndexOf('/'))].find(isPage) ?? '/console'
}

const compress = promisify(brotliCompress)
const COMPRESSED_MIN = 1_024

async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (text.length < COMPRESSED_MIN || !/\bbr\b/.test(accepted)) return reply.send(text)
  const body = await compress(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
  return reply.header('content-encoding', 'br').send(body)
}

type File = { path: string; asset: Asset }

async function readFiles(): Promise<{ assets: Assets; all: File[] }> {
  const read = async (path: string, type: string, content: Promise<Buffer> | Buffer): Promise<File> => ({
    path,
    asset: await createAsset({ type, content: await content }),
  })
  const [style, early, script, icon] = await Promise.all([
    read(
      '/console.css',
      'text/css; charset=utf-8',
      readFile(new URL('./browser/console.css', import.meta.url)),
    ),
    read(
      '/early.js',
      'text/javascript; charset=utf-8',
      readFile(new URL('./browser/early.js', import.meta.url)),
    ),
    read(
      '/console.js',
      'text/javascript; charset=utf-8',
      readFile(new URL('./browser/console.js', import.meta.url)),
    ),
    read('/icon.svg', 'image/svg+xml', Buffer.from(ICON_FILE)),
  ])
  const urlOf = ({ path, asset }: File) => `/console${path}?v=${asset.version}`
  return {
    assets: { style: urlOf(style), early: urlOf(early), script: urlOf(script), icon: urlOf(icon) },
    all: [style, early, script, icon],
  }
}

/** Creating formatters takes longer than rendering a page; there is one set for each time zone and currency. */
function rememberWords(say: Language): (book: Book) => Words {
  const known = new Map<string, Words>()
  return ({ timeZone, currency }) => {
    const name = `${timeZone} ${currency}`
    const words = known.get(name) ?? wordsFor({ timeZone, currency, say })
    known.set(name, words)
    return words
  }
}
