/** What a browser sends with each request besides the form: its origin, and its cookies. */
import type { FastifyRequest } from 'fastify'
import type { LanguageCode } from '../domain/language.ts'
import { LOOPBACK_HOST } from '../wire/from-here.ts'

/** `devices`: what the browser is recognised by, of everybody who signed in here. */
export type Cookies = {
  session: string | null
  book: string | null
  devices: readonly string[]
  language: string | null
  /** What belongs to a sign-in at the identity provider that has begun. */
  signOn: string | null
}

/** With this prefix browsers require Secure, this host alone and every path. */
const SECURE_PREFIX = '__Host-'
const NAMES = {
  session: 'session',
  book: 'book',
  devices: 'device',
  language: 'language',
  signOn: 'sso',
} as const

/** More people than this do not share a browser. */
const DEVICES_MAX = 8
const DEVICE_SECONDS = 180 * 24 * 60 * 60
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60

export function isSecure(request: FastifyRequest, publicUrl: string | null): boolean {
  if (publicUrl !== null) return publicUrl.startsWith('https:')
  return request.isSecure
}

export function readCookies(header: string | undefined, secure: boolean): Cookies {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  const read = (name: string) =>
    pairs.find(([found]) => found === (secure ? SECURE_PREFIX : '') + name)?.[1] || null
  const devices = read(NAMES.devices)?.split('.').slice(0, DEVICES_MAX) ?? []
  const [session, book, language] = [read(NAMES.session), read(NAMES.book), read(NAMES.language)]
  return { session, book, devices, language, signOn: read(NAMES.signOn) }
}

/** null removes the cookie. */
export function cookie(name: keyof Cookies, value: string | null, secure: boolean): string {
  const parts = [
    `${secure ? SECURE_PREFIX : ''}${NAMES[name]}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
  ]
  if (secure) parts.push('Secure')
  if (value === null) parts.push('Max-Age=0')
  return parts.join('; ')
}

/** Kept for ten minutes. */
export function signOnCookie(value: string | null, secure: boolean): string {
  const own = cookie('signOn', value, secure)
  return value === null ? own : `${own}; Max-Age=600`
}

/** Kept for 180 days after the last sign-in; the newest person of a shared browser first. */
export function deviceCookie(devices: readonly string[], secure: boolean): string {
  const value = devices.slice(0, DEVICES_MAX).join('.')
  return `${cookie('devices', value, secure)}; Max-Age=${DEVICE_SECONDS}`
}

export function languageCookie(code: LanguageCode, secure: boolean): string {
  return `${cookie('language', code, secure)}; Max-Age=${LANGUAGE_SECONDS}`
}

/** Whether a write comes from our own pages: no other site can make a browser claim that. */
export function isFromOurselves(request: FastifyRequest, publicUrl: string | null): boolean {
  const { 'sec-fetch-site': site, origin, host } = request.headers
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined || host === undefined) return false
  return origin === publicUrl || origin === `${isSecure(request, publicUrl) ? 'https' : 'http'}://${host}`
}

/** The URL of the console on this machine; null for another Host, which anybody could have sent. */
export function homeOf({ headers: { host } }: FastifyRequest, secure: boolean): string | null {
  return host !== undefined && LOOPBACK_HOST.test(host) ? `${secure ? 'https' : 'http'}://${host}` : null
}
