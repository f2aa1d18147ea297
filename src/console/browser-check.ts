/** What a browser sends with each request besides the form: its origin, and its cookies. */
import type { FastifyRequest } from 'fastify'

export type Cookies = { session: string | null; book: string | null }

/** With this prefix browsers require Secure, this host alone and every path. */
const SECURE_PREFIX = '__Host-'
const NAMES = { session: 'session', book: 'book' } as const

export function isSecure(request: FastifyRequest, publicUrl: string | null): boolean {
  if (publicUrl !== null) return publicUrl.startsWith('https:')
  return request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
}

export function readCookies(header: string | undefined, secure: boolean): Cookies {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2))
  const read = (name: string) =>
    pairs.find(([found]) => found === (secure ? SECURE_PREFIX : '') + name)?.[1] || null
  return { session: read(NAMES.session), book: read(NAMES.book) }
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

/** Whether a write comes from our own pages: no other site can make a browser claim that. */
export function isFromOurselves(request: FastifyRequest, publicUrl: string | null): boolean {
  const { 'sec-fetch-site': site, origin, host } = request.headers
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined || host === undefined) return false
  return origin === publicUrl || origin === `${isSecure(request, publicUrl) ? 'https' : 'http'}://${host}`
}
