/**
 * The HTML door: pages for people with a session, at /console.
 *
 * - A write is rejected unless the browser says that it comes from our own pages.
 * - People without a session are asked to sign in; a form that was submitted meanwhile is preserved and can be
 *   submitted afterwards.
 * - No second API: a page calls the same changes and stores as a route, with the person as actor.
 */

import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Book, Mode } from '../domain/book.ts'
import { isLanguage, type LanguageCode, languageAccepted } from '../domain/language.ts'
import type { Person, PersonNotice, PersonRefusalCode } from '../domain/people.ts'
import { grants } from '../domain/scopes.ts'
import type { Fields } from '../page/form.ts'
import { type Html, html, render } from '../page/html.ts'
import { createKeep } from '../page/kept.ts'
import { noticeLine } from '../page/notice.ts'
import type { Asked, Page, PageAnswer, Section } from '../page/page.ts'
import type { PersonIdentity, SignIn } from '../page/sign-in.ts'
import type { SignOn } from '../page/sign-on.ts'
import type { Service } from '../route/route.ts'
import { answerAsset, cachingOf } from '../wire/assets.ts'
import { type ErrorCode, errors } from '../wire/errors.ts'
import { FailureError } from '../wire/failure.ts'
import { type Language, languages } from '../words/language.ts'
import { type Words, wordsFor } from '../words/words.ts'
import { cookie, homeOf, isFromOurselves, isSecure, readCookies } from './browser-check.ts'
import { readFiles, sendText } from './files.ts'
import { FORM_MAX_BYTES, FORM_TYPE, fingerprintOfForm, keptFields, queryOf, uploadOf } from './form.ts'
import { barePage, framedPage, tabTitle } from './frame.ts'
import { recognise } from './fresh.ts'
import { type DemoPerson, failureText, freshSignInForm, freshSignOnForm } from './gate.ts'
import { type Gate, registerGate, sendSignIn } from './gate-routes.ts'
import { noticesPart } from './notices.ts'
import { type FoundPage, loadPages, type PageTable } from './page-table.ts'
import { LOGOUT_PATH, leaveProvider, registerSignOn, type SignOnGate } from './sign-on-routes.ts'
import { UPLOAD_TYPE } from './upload.ts'
import { consoleWords } from './words.ts'

export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

function policyWith(origin: string): string {
  return CONSOLE_POLICY.replace("form-action 'self'", `form-action 'self' ${origin}`)
}

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

/** A copy of the database for reads. */
type Standby = Service['db'] & {
  /** What has everything that was committed before the call. */
  current: () => Promise<Service['db']>
  /** How much older than the primary its answers may be. */
  ageMs: () => Promise<number>
}

const NO_BOOK = { timeZone: 'UTC', currency: 'USD' }

/** What the frame of a page shows of nouns. */
export type FrameFacts = {
  bankName: (callerId: string) => Promise<string>
  /** How many requests wait for the person's vote. */
  countWaiting: (person: Person, book: Book, at: Date) => Promise<number>
  /** What the person has not read yet. */
  listNotices: (person: Person) => Promise<PersonNotice[]>
}

export function createConsole(options: {
  service: Service
  /** What answers the reads of pages that may be a moment behind; by default the service's own database. */
  standby?: Standby | undefined
  signIn: SignIn
  /** The public URL of the service, if it differs from that of the request. */
  publicUrl: string | null
  /** Shown with their passwords; empty where the bank is not a demo. */
  demoPeople: readonly DemoPerson[]
  /** null: people sign in with passwords alone. */
  signOn?: SignOn | null
  /** A line of the log. */
  warn?: SignOnGate['warn']
  /** Instead of the languages that people choose from. */
  language?: Language
  facts: FrameFacts
}) {
  const { service, standby, signIn, publicUrl, demoPeople, facts, signOn = null, warn = () => {} } = options
  const wordsOfBook = rememberWords((code) => options.language ?? languages[code])
  const secure = (request: FastifyRequest) => isSecure(request, publicUrl)
  const plainWords = (request: FastifyRequest) => wordsOfBook(NO_BOOK, languageOf(request))
  const homeFor = (request: FastifyRequest) => publicUrl ?? homeOf(request, secure(request))
  const bankNames = new Map<string, string>()
  const keep = createKeep(service.clock)

  return async function openDoor(app: FastifyInstance, { inPlace, codeOf }: DoorParts): Promise<void> {
    const files = await readFiles()
    const { assets } = files
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    app.addContentTypeParser(UPLOAD_TYPE, (_request, body, done) => done(null, body))
    app.setErrorHandler(answerFailure)
    app.setNotFoundHandler(async (request, reply) => sendFailure(request, reply, 404))
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const isProvider = signOn !== null && request.url === `/console${LOGOUT_PATH}`
      if (!isRead && !isProvider && !isFromOurselves(request, publicUrl)) {
        return sendFailure(request, reply, 403, plainWords(request).of(consoleWords).failures.crossSite)
      }
    })
    for (const file of files.all) {
      app.get<{ Querystring: { v?: string } }>(file.path, async (request, reply) => {
        const answer = answerAsset(file.asset, request.headers, cachingOf(file.asset, request.query.v))
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      })
    }
    const parts = { signIn, wordsOf: plainWords, secure, demoPeople, homeFor, sendBare: sendGate }
    const ofSignOn: SignOnGate | null =
      signOn === null ? null : { ...parts, signOn, leaveProvider: null, home: publicUrl!, warn }
    const leave = (request: FastifyRequest, reply: FastifyReply) => leaveProvider(ofSignOn!, request, reply)
    const gate: Gate = { ...parts, signOn, leaveProvider: ofSignOn === null ? null : leave }
    registerGate(app, gate, inPlace)
    if (ofSignOn !== null) registerSignOn(app, ofSignOn, inPlace)
    for (const url of ['/', '/*']) {
      app.route({ method: ['GET', 'POST'], url, config: { findsRoute: true }, handler: findAndAnswer })
    }

    async function findAndAnswer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const table = await loadPages()
      const path = request.url.split('?', 1)[0]!.slice('/console'.length) || '/'
      const found = table.find(request.method, path)
      if (found === null) return sendFailure(request, reply, 404)
      request.foundRoute = path === '/' ? '/console' : `/console${found.page.path}`
      return inPlace(() => answerPage(table, found, request, reply))
    }

    async function answerPage(
      { pages, cards }: PageTable,
      { page, params }: FoundPage,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> {
      const cookies = readCookies(request.headers.cookie, secure(request))
      const found = cookies.session === null ? undefined : await signIn.findSession(cookies.session)
      const { form: sent, file } = await uploadOf(request, page.takesFile ?? false)
      if (found === undefined) return askToSignIn(request, reply, page.method === 'POST' ? sent : null)
      if (signIn.mustAddFactor(found) && page.isForFactors !== true) {
        return reply.code(303).header('location', FACTORS_PATH).send('')
      }
      const book = chooseBook(found, cookies.book)
      if (page.scope !== null && !grants(found.scopes, page.scope)) return sendFailure(request, reply, 403)
      if (page.testModeOnly && book.mode !== 'test') return sendFailure(request, reply, 404)
      const recognised = await recognise(
        signIn,
        { identity: found, secret: cookies.session!, form: sent, home: homeFor(request) },
        { isNeeded: page.needsRecentSignIn?.(params, found.person) ?? false, now: service.clock() },
      )
      if (recognised.outcome === 'unrecognised')
        return askForPassword(request, reply, { identity: found, form: sent, refused: recognised.refused })
      const { identity, form, secret } = recognised
      const words = wordsOfBook(book, languageOf(request))
      const path = request.url.split('?', 1)[0]!
      const part = request.headers['x-part']
      const asked: Asked = {
        service: { ...service, db: await databaseFor(page, service.db, standby) },
        book,
        identity,
        signIn,
        secret: secret ?? cookies.session!,
        may: (scope) => grants(identity.scopes, scope),
        words,
        params,
        query: queryOf(request),
        form,
        file,
        home: homeFor(request),
        part: typeof part === 'string' ? part : null,
        cards,
        keep,
        originOf: (key) => ({
          book,
          actor: identity.actor,
          requestId: request.id,
          traceparent: request.traceparent,
          idempotency: key === null ? null : { key, fingerprint: fingerprintOfForm(path, form) },
        }),
      }
      // Before the page is read: what it shows may only be newer.
      const ageMs = page.mayLag ? ((await standby?.ageMs()) ?? 0) : 0
      const answer = { ...(secret !== null && { secret }), ...(await page.answer(asked)) }
      const shown = { path: page.path, params, identity, book, words, pages }
      return send(request, reply, withAge(answer, ageMs, words), shown)
    }

    async function askForPassword(
      request: FastifyRequest,
      reply: FastifyReply,
      asker: { identity: PersonIdentity; form: Fields; refused: PersonRefusalCode | null },
    ): Promise<FastifyReply> {
      const { identity, form, refused } = asker
      if (signOn !== null && identity.session.method === 'SSO') return askProvider(request, reply, form)
      const notice = refused === null ? null : plainWords(request).say.signInRefusals[refused]
      const asksForCode = identity.person.factors.length > 0
      const passkey = await signIn.askForPasskey({ home: homeFor(request), person: identity.person })
      const asked = { path: request.url, kept: keptFields(form), notice, asksForCode, passkey }
      reply.code(refused === 'too_many_sign_ins' ? 429 : 401)
      const { title } = plainWords(request).of(consoleWords).fresh
      return sendBare(request, reply, title, freshSignInForm(plainWords(request), asked))
    }

    /** The same by the identity provider: the form comes back afterwards. */
    function askProvider(request: FastifyRequest, reply: FastifyReply, form: Fields): Promise<FastifyReply> {
      const asked = { name: signOn!.name, next: request.url, kept: keptFields(form) }
      const { title } = plainWords(request).of(consoleWords).fresh
      return sendGate(request, reply.code(401), title, freshSignOnForm(plainWords(request), asked))
    }

    /** A page whose forms may lead to the identity provider. */
    function sendGate(
      request: FastifyRequest,
      reply: FastifyReply,
      title: string,
      main: Html,
    ): Promise<FastifyReply> {
      if (signOn !== null) reply.header('content-security-policy', policyWith(signOn.origin))
      return sendBare(request, reply, title, main)
    }

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      answer: PageAnswer,
      shown: Pick<Asked, 'params' | 'identity' | 'book' | 'words'> & { path: string; pages: readonly Page[] },
    ): Promise<FastifyReply> {
      const { path, params, identity, book, words, pages } = shown
      const opens = (path: string) => mayOpen(pages, identity.scopes, path)
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
            .send(typeof answer.content === 'string' ? answer.content : Readable.from(answer.content))
        case 'part':
          return sendText(request, reply, render(answer.part))
        case 'page': {
          const { at } = await service.momentIn(book)
          const { person } = identity
          const mayDecide = grants(identity.scopes, 'approvals:decide')
          const [bank, waiting, unread] = await Promise.all([
            bankName(book.callerId),
            mayDecide ? facts.countWaiting(person, book, at) : 0,
            facts.listNotices(person),
          ])
          const frame = {
            title: tabTitle(answer.title, params),
            section: answer.section,
            path,
            person,
            bank,
            mode: book.mode,
            otherModes: identity.books.map(({ mode }) => mode).filter((mode) => mode !== book.mode),
            now: at,
            mayMoveClock: opens('/clock'),
            maySearch: opens('/search'),
            places: (Object.keys(PLACES) as Section[]).filter((section) => opens(`/${section}`)),
            waiting,
            notices: noticesPart(unread, person, words),
            words,
            assets,
          }
          return sendText(request, reply.code(answer.status ?? 200), framedPage(frame, answer.main))
        }
        default:
          return answer satisfies never
      }
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
      const notice = { kind: 'tip', text: plainWords(request).of(consoleWords).signIn.ended } as const
      return sendSignIn(gate, request, reply.code(401), { next: request.url, kept, notice })
    }

    function sendBare(
      request: FastifyRequest,
      reply: FastifyReply,
      title: string,
      main: Html,
    ): Promise<FastifyReply> {
      return sendText(request, reply, barePage({ title, words: plainWords(request), assets }, main))
    }

    function sendFailure(
      request: FastifyRequest,
      reply: FastifyReply,
      status: 400 | 403 | 404 | 500 | 503,
      text: readonly string[] = plainWords(request).of(consoleWords).failures[status],
    ): Promise<FastifyReply> {
      reply.headers(HEADERS).code(status)
      return sendBare(request, reply, text[0]!, failureText(plainWords(request), text))
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
      const { clockUnsure } = plainWords(request).of(consoleWords).failures
      // For the script: nothing was done, and sending the form again would not help.
      if (code === 'clock_unsure') {
        return sendFailure(request, reply.header('x-refused', code), 503, clockUnsure)
      }
      if (http === 503) return sendFailure(request, reply.header('retry-after', '1'), 503)
      return sendFailure(request, reply, http >= 500 ? 500 : 400)
    }
  }

  /** What the person chose in this browser, or else the language of the browser. */
  function languageOf(request: FastifyRequest): LanguageCode {
    const { language } = readCookies(request.headers.cookie, secure(request))
    if (language !== null && isLanguage(language)) return language
    return languageAccepted(request.headers['accept-language'] ?? '')
  }

  async function bankName(callerId: string): Promise<string> {
    const name = bankNames.get(callerId) ?? (await facts.bankName(callerId))
    bankNames.set(callerId, name)
    return name
  }
}

/** Only places with a page that the person may see are shown. */
function mayOpen(pages: readonly Page[], scopes: readonly string[], path: string): boolean {
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
  products: true,
  rules: true,
  batches: true,
  audit: true,
  access: true,
  webhooks: true,
}

/** The live book, unless the person chose the test book in this browser. */
function chooseBook({ books }: PersonIdentity, chosen: string | null): Book {
  const mode: Mode = chosen === 'test' ? 'test' : 'live'
  return books.find((book) => book.mode === mode) ?? books[0]!
}

/** Creating formatters takes longer than rendering a page; there is one set for each language, time zone and currency. */
function rememberWords(languageFor: (code: LanguageCode) => Language) {
  const known = new Map<string, Words>()
  return ({ timeZone, currency }: Pick<Book, 'timeZone' | 'currency'>, code: LanguageCode): Words => {
    const name = `${code} ${timeZone} ${currency}`
    const words = known.get(name) ?? wordsFor({ timeZone, currency, language: languageFor(code) })
    known.set(name, words)
    return words
  }
}

async function databaseFor(
  page: Page,
  primary: Service['db'],
  standby: Standby | undefined,
): Promise<Service['db']> {
  if (standby === undefined) return primary
  if (page.certifies) return standby.current()
  return page.mayLag ? standby : primary
}

/** Staff may take a list for the present state, so one that is older says so. */
function withAge(answer: PageAnswer, ageMs: number, words: Words): PageAnswer {
  if (answer.kind !== 'page' || ageMs <= AGE_UNSAID_MS) return answer
  const age = words.of(consoleWords).frame.age(Math.round(ageMs / 1000))
  const notice = noticeLine('tip', age)
  return { ...answer, main: html`${notice}${answer.main}` }
}

const AGE_UNSAID_MS = 1000
/** Where people add the second factor that they must have. */
const FACTORS_PATH = '/console/me/factors'
