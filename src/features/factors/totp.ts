/** Codes of authenticator apps: RFC 6238 with SHA-1, six digits and 30 seconds, which every app has. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { acceptedSteps, STEP_SECONDS } from '../../domain/factors.ts'

/** The length of SHA-1's output, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const DIGITS = 6
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret as apps read it: base 32 without padding. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step that a code belongs to; null: it is not one of the codes that are good now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const given = Buffer.from(code)
  if (given.length !== DIGITS) return null
  return acceptedSteps(now).find((step) => timingSafeEqual(given, Buffer.from(codeAt(secret, step)))) ?? null
}

/** What the picture holds: apps read the secret, and the names that they list it under. */
export function totpUri(secret: string, names: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(names.issuer)}:${encodeURIComponent(names.account)}`
  const query = new URLSearchParams({
    secret,
    issuer: names.issuer,
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  })
  // Some apps show a plus as it is.
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => BASE_32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE_32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)))
}
