/** The routes of single sign-on: to the identity provider, back from it, and its own sign-out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignOn, SignOnRefusalCode } from '../page/sign-on.ts'
import { cookie, readCookies, signOnCookie } from './browser-check.ts'
import { formOf } from './form.ts'
import { signOnFailure, signOnRefusal } from './gate.ts'
import { browserOf, enter, type Gate, ownPath } from './gate-routes.ts'
import { consoleWords } from './words.ts'

export type SignOnGate = Gate & {
  signOn: SignOn
  /** The public URL: where the provider sends people back to. */
  home: string
  /** A line of the log without anything that was sent. */
  warn: (event: string, fields: Record<string, string>) => void
}

/** The provider's own sign-out is no form of a browser: its signed token is its proof. */
export const LOGOUT_PATH = '/sign-in/logout'

type Answering = (gate: SignOnGate, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function registerSignOn(
  app: FastifyInstance,
  gate: SignOnGate,
  inPlace: <Result>(work: () => Promise<Result>) => Promise<Result>,
): void {
  const register = (method: 'GET' | 'POST', url: string, answer: Answering) =>
    app.route({ method, url, handler: (request, reply) => inPlace(() => answer(gate, request, reply)) })
  register('POST', '/sign-in/sso', start)
  register('GET', '/sign-in/callback', finish)
  register('POST', LOGOUT_PATH, endSessions)
}

async function start(gate: SignOnGate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request)
  const asked = {
    next: ownPath(form.get('next')),
    kept: form.get('kept'),
    isFresh: form.get('fresh') === 'yes',
  }
  const started = await gate.signOn.start(asked)
  if (started.outcome !== 'started') return sendUnreachable(gate, request, reply)
  reply.header('set-cookie', signOnCookie(started.cookie, gate.secure(request)))
  return reply.code(303).header('location', started.url).send('')
}

async function finish(gate: SignOnGate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const secure = gate.secure(request)
  const { signOn, session } = readCookies(request.headers.cookie, secure)
  const url = gate.home + request.url
  const asked = { url, cookie: signOn, session, browser: browserOf(gate, request) }
  const result = await gate.signOn.finish(asked)
  const gone = signOnCookie(null, secure)
  switch (result.outcome) {
    case 'entered':
      return enter(gate, request, reply, { entered: result.entered, ...result.afterwards, cookies: [gone] })
    case 'refused':
      return sendRefusal(gate, request, reply.header('set-cookie', gone), result.code)
    case 'failed':
      gate.warn('sso_failed', { code: result.code })
      return sendFailed(gate, request, reply.header('set-cookie', gone))
    case 'unreachable':
      return sendUnreachable(gate, request, reply.header('set-cookie', gone))
    default:
      return result satisfies never
  }
}

async function endSessions(
  gate: SignOnGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isGood = await gate.signOn.endSessions(formOf(request).get('logout_token'))
  if (!isGood) gate.warn('sso_failed', { code: 'logout_token' })
  return reply.code(isGood ? 200 : 400).send('')
}

function sendRefusal(
  gate: SignOnGate,
  request: FastifyRequest,
  reply: FastifyReply,
  code: SignOnRefusalCode,
): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const page = signOnRefusal(words, { code, groups: gate.signOn.groups, name: gate.signOn.name })
  return gate.sendBare(request, reply.code(403), words.of(consoleWords).signOn.refusedTitle, page)
}

function sendFailed(gate: SignOnGate, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const { failedTitle, failed } = words.of(consoleWords).signOn
  const page = signOnFailure(words, { title: failedTitle, text: failed, isLocal: false })
  return gate.sendBare(request, reply.code(400), failedTitle, page)
}

function sendUnreachable(
  gate: SignOnGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const words = gate.wordsOf(request)
  const { unreachableTitle, unreachable, unreachableOnly } = words.of(consoleWords).signOn
  const text = gate.signOn.isOnly ? unreachableOnly : unreachable
  const page = signOnFailure(words, { title: unreachableTitle, text, isLocal: true })
  return gate.sendBare(request, reply.code(503), unreachableTitle, page)
}

/** A page of ours, which goes on to that of the provider. */
export async function leaveProvider(
  gate: SignOnGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('set-cookie', cookie('session', null, gate.secure(request)))
  const url = await gate.signOn.signOutUrl()
  if (url === null) return reply.code(303).header('location', '/console/sign-in').send('')
  const words = gate.wordsOf(request)
  const { leftTitle, left, leave } = words.of(consoleWords).signOn
  reply.header('refresh', `0; url=${url}`)
  const page = signOnFailure(words, {
    title: leftTitle,
    text: left,
    isLocal: false,
    link: { url, text: leave },
  })
  return gate.sendBare(request, reply, leftTitle, page)
}
