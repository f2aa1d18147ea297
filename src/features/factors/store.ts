/**
 * Second factors of people. A proof is checked before, and used in the transaction that locks the person: of two requests
 * with the same code one is refused.
 */

import { hash, randomBytes } from 'node:crypto'
import type { FactorKind } from '../../domain/factors.ts'
import { RECOVERY_CODES } from '../../domain/factors.ts'
import type { PersonKey } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { type Field, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'

export type Factor = {
  callerId: string
  personId: string
  factorId: string
  kind: FactorKind
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  /** Of an authenticator app. */
  encryptedSecret: string | null
  lastStep: number | null
  /** Of a passkey. */
  credentialId: string | null
  publicKey: string | null
  counter: bigint | null
}

const counter: Field<bigint | null> = {
  columns: { counter: ['bigint', (value) => value] },
  read: (row) => row.counter as bigint | null,
}

const factor = rowMap<Factor>({
  callerId: text('caller_id'),
  personId: text('person_id'),
  factorId: text('factor_id'),
  kind: text<FactorKind>('kind'),
  name: text('name'),
  createdAt: instant('created_at'),
  lastUsedAt: instant<Date | null>('last_used_at'),
  encryptedSecret: text<string | null>('encrypted_secret'),
  lastStep: integer<number | null>('last_step'),
  credentialId: text<string | null>('credential_id'),
  publicKey: text<string | null>('public_key'),
  counter,
})

export const statements = {
  listFactors: `
    select ${factor.columns}
    from person_factors
    where caller_id = $1
      and person_id = $2
    order by created_at, factor_id`,

  findByCredential: `
    select ${factor.columns}
    from person_factors
    where credential_id = $1`,

  insertFactor: `
    insert into person_factors (${factor.columns})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,

  touchFactor: `
    update person_factors
    set last_used_at = $4,
        last_step = coalesce($5::int4, last_step),
        counter = coalesce($6::bigint, counter)
    where caller_id = $1
      and person_id = $2
      and factor_id = $3`,

  removeFactor: `
    delete from person_factors
    where caller_id = $1
      and person_id = $2
      and factor_id = $3`,

  listUnusedCodes: `
    select code_hash
    from person_recovery_codes
    where caller_id = $1
      and person_id = $2
      and used_at is null`,

  insertCode: `
    insert into person_recovery_codes (caller_id, person_id, code_hash, created_at)
    values ($1, $2, $3, $4)`,

  useCode: `
    update person_recovery_codes
    set used_at = $4
    where caller_id = $1
      and person_id = $2
      and code_hash = $3`,

  removeCodes: `
    delete from person_recovery_codes
    where caller_id = $1
      and person_id = $2`,
}

export async function listFactors(db: Queries, { callerId, personId }: PersonKey): Promise<Factor[]> {
  return (await db.query<object>(statements.listFactors, [callerId, personId])).map(factor.read)
}

/** A passkey names itself: of whatever person. */
export async function findFactorByCredential(db: Queries, credentialId: string): Promise<Factor | undefined> {
  const [row] = await db.query<object>(statements.findByCredential, [credentialId])
  return row && factor.read(row)
}

export function insertFactor(tx: Transaction, added: Factor): void {
  tx.write(
    statements.insertFactor,
    Object.values(factor.rows).map(([, write]) => write(added)),
  )
}

export function removeFactor(tx: Transaction, key: PersonKey, factorId: string): void {
  tx.write(statements.removeFactor, [key.callerId, key.personId, factorId])
}

export async function countUnusedCodes(db: Queries, { callerId, personId }: PersonKey): Promise<number> {
  return (await db.query(statements.listUnusedCodes, [callerId, personId])).length
}

/** Eighty random bits, in groups that can be read aloud. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(16)]
      .map((byte) => READABLE[byte % READABLE.length])
      .join('')
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  )
}

/** Thirty-two letters and digits, without those that look alike. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz023456789'

/** As it was shown, or without its hyphens, in whatever case. */
export function hashOfCode(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''))
}

/** The new codes in place of all earlier ones. */
export function replaceCodes(
  tx: Transaction,
  { callerId, personId }: PersonKey,
  { codes, at }: { codes: readonly string[]; at: Date },
): void {
  tx.write(statements.removeCodes, [callerId, personId])
  for (const code of codes) tx.write(statements.insertCode, [callerId, personId, hashOfCode(code), at])
}

/** What a person gave besides the password, checked but not used yet. */
export type Proof =
  | { kind: 'TOTP'; factorId: string; step: number }
  | { kind: 'RECOVERY'; codeHash: string }
  | { kind: 'PASSKEY'; factorId: string; counter: number }

/** `copied`: of a passkey whose counter went back. */
export type ProofState = 'good' | 'refused' | 'copied'

/** Whether it is still good. The person is locked, so nobody else uses it at the same moment. */
export async function stateOfProof(tx: Queries, key: PersonKey, proof: Proof): Promise<ProofState> {
  if (proof.kind === 'RECOVERY') {
    const rows = await tx.query<{ code_hash: string }>(statements.listUnusedCodes, [
      key.callerId,
      key.personId,
    ])
    return rows.some((row) => row.code_hash === proof.codeHash) ? 'good' : 'refused'
  }
  const known = (await listFactors(tx, key)).find(({ factorId }) => factorId === proof.factorId)
  if (known === undefined) return 'refused'
  if (proof.kind === 'TOTP') return known.lastStep! < proof.step ? 'good' : 'refused'
  return isCounterGood(known, proof.counter) ? 'good' : 'copied'
}

/** Many authenticators always say 0. One that counts never repeats a number; a copy of it would. */
function isCounterGood(known: Factor, given: number): boolean {
  return (known.counter === 0n && given === 0) || BigInt(given) > known.counter!
}

export function useProof(tx: Transaction, { callerId, personId }: PersonKey, proof: Proof, at: Date): void {
  if (proof.kind === 'RECOVERY') {
    tx.write(statements.useCode, [callerId, personId, proof.codeHash, at])
    return
  }
  const step = proof.kind === 'TOTP' ? proof.step : null
  const count = proof.kind === 'PASSKEY' ? BigInt(proof.counter) : null
  tx.write(statements.touchFactor, [callerId, personId, proof.factorId, at, step, count])
}
