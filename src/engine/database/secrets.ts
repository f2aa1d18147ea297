/** Secrets of 256 random bits, of which only the SHA-256 is stored: a stolen database gives no access. */
import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}
