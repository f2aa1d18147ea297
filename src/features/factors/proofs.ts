/** Checks what a person gives besides the password. It is used, and so good once, in the transaction that signs in. */
import type { PersonKey } from '../../domain/people.ts'
import type { Queries } from '../../engine/database/database.ts'
import type { Cipher } from '../service-keys/cipher.ts'
import { hashOfCode, listFactors, type Proof } from './store.ts'
import { stepOfCode } from './totp.ts'

/** A code of the authenticator app, or a recovery code. null: it is neither. */
export async function proofOfCode(
  { db, cipher, now }: { db: Queries; cipher: Cipher; now: Date },
  person: PersonKey,
  given: string,
): Promise<Proof | null> {
  const code = given.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return { kind: 'RECOVERY', codeHash: hashOfCode(code) }
  const app = (await listFactors(db, person)).find(({ kind }) => kind === 'TOTP')
  if (app === undefined) return null
  const secret = await cipher.decrypt(purposeOfSecret(person), app.encryptedSecret!)
  const step = secret === null ? null : stepOfCode(secret, code, now)
  return step === null ? null : { kind: 'TOTP', factorId: app.factorId, step }
}

/** Names the person, so that a secret copied to the row of another cannot be opened. */
export function purposeOfSecret({ callerId, personId }: PersonKey): string {
  return `totp ${callerId} ${personId}`
}
