/** The routes for people who are not signed in: sign-in in one or two steps, sign-out, and the link for a password. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLanguage } from '../domain/language.ts'
import type { Person, PersonRefusalCode, SignedIn } from '../domain/people.ts'
import type { Html } from '../page/html.ts'
import type { Notice } from '../page/notice.ts'
import type { Browser, SignIn } from '../page/sign-in.ts'
import type { SignOn } from '../page/sign-on.ts'
import { isFromHere } from '../wire/from-here.ts'
import type { Words } from '../words/words.ts'
import { cookie, deviceCookie, languageCookie, readCookies } from './browser-check.ts'
import { formOf, queryOf } from './form.ts'
import {
  type DemoPerson,
  factorForm,
  firstAdministratorForm,
  sendAgainForm,
  signInForm,
  welcomeForm,
} from './gate.ts'
import { loadPages } from './page-table.ts'
import { consoleWords } from './words.ts'

export type Gate = {
  signIn: SignIn
  wordsOf: (request: FastifyRequest) => Words
  secure: (request: FastifyRequest) => boolean
  demoPeople: readonly DemoPerson[]
  /** null: people sign in with passwords alone. */
  signOn: SignOn | null
  /** After the sign-out of somebody whom the provider signed in. */
  leaveProvider: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) | null
  /** The URL of the console that the browser sees; null where only its Host header would say it. */
  homeFor: (request: FastifyRequest) => string | null
  sendBare: (request: FastifyRequest, reply: FastifyReply, title: string, main: Html) => Promise<FastifyReply>
}

type Answering = (gate: Gate, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const ROUTES: readonly (readonly ['GET' | 'POST', string, Answering])[] = [
  ['GET', '/sign-in', showSignIn],
  ['POST', '/sign-in', answerSignIn],
  ['POST', '/sign-in/factor', answerFactor],
  ['POST', '/sign-in/passkey', answerPasskey],
  ['POST', '/sign-out', answerSignOut],
  ['POST', '/book', answerBook],
  ['POST', '/language', answerLanguage],
  ['GET', '/welcome', showWelcome],
  ['POST', '/welcome', answerWelcome],
  ['POST', '/welcome/name', answerName],
]

export function registerGate(
  app: FastifyInstance,
  gate: Gate,
  inPlace: <Result>(work: () => Promise<Result>) => Promise<Result>,
): void {
  for (const [method, url, answer] of ROUTES) {
    app.route({ method, url, handler: (request, reply) => inPlace(() => answer(gate, request, reply)) })
  }
}

async function showSignIn(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = queryOf(request)
  const notice = { kind: 'tip', text: gate.wordsOf(request).of(consoleWords).signIn.endedPlain } as const
  return sendSignIn(gate, request, reply, {
    next: query.get('next'),
    notice: query.has('next') && !query.has('done') ? notice : null,
  })
}

async function answerSignIn(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { signIn } = gate
  const words = gate.wordsOf(request)
  const form = formOf(request)
  const asked = { email: form.get('email'), next: form.get('next'), kept: form.get('kept') }
  const callerId = form.get('caller')
  const result = await signIn.signIn({
    email: asked.email,
    password: form.get('password'),
    browser: browserOf(gate, request),
    ...(callerId !== '' && { callerId }),
  })
  switch (result.outcome) {
    case 'several_callers': {
      const notice = { kind: 'tip', text: words.of(consoleWords).signIn.chooseBank } as const
      return sendSignIn(gate, request, reply.code(401), { ...asked, notice, callers: result.callers })
    }
    case 'factor_needed':
      return sendFactor(gate, request, reply, {
        ...asked,
        pending: result.pending,
        factors: result.factors.join(),
        refused: null,
      })
    case 'refused': {
      reply.code(statusOf(result.code))
      const notice = { kind: 'bad', text: words.say.signInRefusals[result.code] } as const
      return sendSignIn(gate, request, reply, { ...asked, notice })
    }
    case 'signed_in':
      return enter(gate, request, reply, { ...asked, entered: result })
    default:
      return result satisfies never
  }
}

async function answerFactor(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request)
  const asked = { pending: form.get('pending'), next: form.get('next'), kept: form.get('kept') }
  const browser = browserOf(gate, request)
  const result = await gate.signIn.finishSignIn({ pending: asked.pending, code: form.get('code'), browser })
  if (result.outcome === 'signed_in') return enter(gate, request, reply, { ...asked, entered: result })
  reply.code(statusOf(result.code))
  if (['code_refused', 'too_many_sign_ins'].includes(result.code)) {
    const factors = form.get('factors')
    return sendFactor(gate, request, reply, { ...asked, factors, refused: result.code })
  }
  const notice = { kind: 'bad', text: gate.wordsOf(request).say.signInRefusals[result.code] } as const
  return sendSignIn(gate, request, reply, { next: asked.next, kept: asked.kept, notice })
}

async function answerPasskey(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request)
  const asked = { next: form.get('next'), kept: form.get('kept') }
  const result = await gate.signIn.signInByPasskey({
    home: gate.homeFor(request),
    challenge: form.get('challenge'),
    credential: form.get('credential'),
    browser: browserOf(gate, request),
  })
  if (result.outcome === 'signed_in') return enter(gate, request, reply, { ...asked, entered: result })
  reply.code(statusOf(result.code))
  const notice = { kind: 'bad', text: gate.wordsOf(request).say.signInRefusals[result.code] } as const
  return sendSignIn(gate, request, reply, { ...asked, email: '', notice })
}

function statusOf(refused: PersonRefusalCode): number {
  return refused === 'too_many_sign_ins' ? 429 : 401
}

export function browserOf(gate: Gate, request: FastifyRequest): Browser {
  const { devices } = readCookies(request.headers.cookie, gate.secure(request))
  const userAgent = request.headers['user-agent']?.slice(0, 200) ?? null
  return { address: request.clientAddress, userAgent, devices }
}

/** Gives the browser its session, and goes to where the person wanted to. */
export async function enter(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { entered: SignedIn; next: string; kept: string; cookies?: readonly string[] },
): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const { secret, device } = asked.entered
  const secure = gate.secure(request)
  const { devices } = readCookies(request.headers.cookie, secure)
  const known = device === undefined ? devices : [device, ...devices]
  reply.header('set-cookie', [
    ...(asked.cookies ?? []),
    cookie('session', secret, secure),
    deviceCookie(known, secure),
  ])
  const next = ownPath(asked.next)
  if (asked.kept === '') return reply.code(303).header('location', next).send('')
  const form = sendAgainForm(words, { next, page: await pageOf(next), kept: asked.kept })
  return gate.sendBare(request, reply, words.of(consoleWords).signIn.again, form)
}

async function answerSignOut(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { session } = readCookies(request.headers.cookie, gate.secure(request))
  const left = session === null ? undefined : await gate.signIn.signOut(session)
  if (left === 'SSO' && gate.leaveProvider !== null) return gate.leaveProvider(request, reply)
  reply.header('set-cookie', cookie('session', null, gate.secure(request)))
  return reply.code(303).header('location', '/console/sign-in').send('')
}

async function answerBook(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const mode = formOf(request).get('mode') === 'live' ? 'live' : 'test'
  reply.headers({ location: '/console', 'set-cookie': cookie('book', mode, gate.secure(request)) })
  return reply.code(303).send('')
}

async function answerLanguage(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const chosen = formOf(request).get('language')
  const language = languageCookie(isLanguage(chosen) ? chosen : 'en', gate.secure(request))
  reply.headers({ location: ownPath(pathBefore(request)), 'set-cookie': language })
  return reply.code(303).send('')
}

/** The path of the page that a form was on, with its query; the first page where the browser does not say it. */
function pathBefore({ headers: { referer = '' } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return '/console'
  const { pathname, search } = new URL(referer)
  return pathname + search
}

async function showWelcome(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { title } = gate.wordsOf(request).of(consoleWords).welcome
  return gate.sendBare(request, reply, title, welcomeForm(gate.wordsOf(request), null, ''))
}

async function answerWelcome(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { signIn } = gate
  const words = gate.wordsOf(request)
  const form = formOf(request)
  // Without script the whole link may be pasted.
  const token = form.get('token').split('#').at(-1)!.trim()
  const set = await signIn.setPassword({ token, password: form.get('password') })
  if (set.outcome === 'changed') return sendWelcomed(gate, request, reply, set.person)
  if (set.outcome === 'unnamed') {
    return sendWho(gate, request, reply, { token, name: '', email: '', notice: null })
  }
  const { title } = words.of(consoleWords).welcome
  const notice = words.say.signInRefusals[set.code]
  return gate.sendBare(request, reply.code(422), title, welcomeForm(words, notice, token))
}

async function answerName(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request)
  const asked = { token: form.get('token'), name: form.get('name'), email: form.get('email') }
  const named = await gate.signIn.nameFirst(asked)
  if (named.outcome === 'changed') return sendWelcomed(gate, request, reply, named.person)
  const notice = gate.wordsOf(request).say.signInRefusals[named.code]
  return sendWho(gate, request, reply.code(422), { ...asked, notice })
}

function sendWelcomed(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Person,
): Promise<FastifyReply> {
  const notice = { kind: 'good', text: gate.wordsOf(request).of(consoleWords).welcome.done } as const
  return sendSignIn(gate, request, reply, { email, notice })
}

function sendWho(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Parameters<typeof firstAdministratorForm>[1],
): Promise<FastifyReply> {
  const { title } = gate.wordsOf(request).of(consoleWords).welcome
  return gate.sendBare(request, reply, title, firstAdministratorForm(gate.wordsOf(request), asked))
}

async function sendFactor(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: {
    pending: string
    next: string
    kept: string
    /** The kinds that the person has, which decide what is shown and nothing else. */
    factors: string
    refused: PersonRefusalCode | null
  },
): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const notice = asked.refused === null ? null : words.say.signInRefusals[asked.refused]
  const home = gate.homeFor(request)
  const passkey = asked.factors.includes('PASSKEY') ? await gate.signIn.askForPasskey({ home }) : null
  const form = factorForm(words, { ...asked, notice, passkey })
  return gate.sendBare(request, reply, words.of(consoleWords).factor.title, form)
}

export async function sendSignIn(
  gate: Gate,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: {
    notice: Notice | null
    email?: string
    next?: string
    kept?: string
    callers?: readonly { callerId: string; name: string }[]
  },
): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const { demoPeople } = gate
  const demo = isFromHere(request.raw) ? demoPeople : []
  const { signOn } = gate
  const isLocal = signOn?.isOnly !== true || queryOf(request).has('local') || asked.email !== undefined
  const passkey = await gate.signIn.askForPasskey({ home: gate.homeFor(request) })
  const shown = { signOn: signOn?.name ?? null, isLocal, passkey }
  const form = { email: '', next: '', kept: '', callers: [], demo, ...shown, ...asked }
  return gate.sendBare(request, reply, words.of(consoleWords).signIn.title, signInForm(words, form))
}

/** A path in the console and nowhere else. */
export function ownPath(path: string): string {
  return /^\/console(?:[/?][!-~]*)?$/.test(path) && !path.includes('\\') && !path.includes('//')
    ? path
    : '/console'
}

/** The page that a form was sent from: at its own path, or at the one above. */
async function pageOf(path: string): Promise<string> {
  const own = path.split('?', 1)[0]!
  const { find } = await loadPages()
  const isPage = (asked: string) => find('GET', asked.slice('/console'.length) || '/') !== null
  return [own, own.slice(0, own.lastIndexOf('/'))].find(isPage) ?? '/console'
}
