/**
 * Encrypts what the service itself has to read again: secrets at rest, and what a browser keeps between two steps of a
 * sign-in. AES-256-GCM with a key for each purpose, derived from a row of the database, so that any instance can open what
 * another encrypted.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../engine/database/database.ts'
import { readServiceKey } from './store.ts'

export type Cipher = {
  encrypt: (purpose: string, text: string) => Promise<string>
  /** null: it was changed, or encrypted for another purpose or by another database. */
  decrypt: (purpose: string, encrypted: string) => Promise<string | null>
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createCipher({ db, clock }: { db: Database; clock: () => Date }): Cipher {
  let secret: Buffer | undefined

  return {
    async encrypt(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, await keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
    },

    async decrypt(purpose, encrypted) {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, await keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([content, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }

  async function keyFor(purpose: string): Promise<Buffer> {
    secret ??= await readServiceKey(db, 'encryption', clock())
    return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
  }
}
