/** Secrets, of which only the SHA-256 is stored: a stolen database gives no access. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../domain/book.ts'
import { randomBase62 } from './ids.ts'

const SECRET_BYTES = 32

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const SHOWN_CHARACTERS = 12
const KEY_PATTERN = /^bw_(?:test|live)_[0-9A-Za-z]{38}$/

/**
 * The checksum at the end of a key lets a mistyped key be rejected without a database lookup, and lets scanners recognise a
 * leaked one.
 */
export function newSecretKey(mode: Mode): string {
  const key = `bw_${mode}_${randomBase62(RANDOM_CHARACTERS)}`
  return key + checksum(key)
}

export function isSecretKey(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

/** Enough of a key to recognise it, too little to guess it. */
export function secretKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let digit = 0; digit < CHECKSUM_CHARACTERS; digit += 1) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
