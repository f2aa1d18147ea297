/**
 * Second factors of people. A proof is checked before, and used in the transaction that locks the person: of two requests
 * with the same code one is refused.
 */

import { hash, randomBytes } from 'node:crypto'
import type { FactorKind } from '../../domain/factors.ts'
import { RECOVERY_CODES } from '../../domain/factors.ts'
import type { PersonKey } from '../../domain/people.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { type Field, type ItemOf, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { membersOf, sql } from '../../engine/database/sql.ts'
import { insertOne } from '../../engine/database/table.ts'

const counter: Field<bigint | null> = {
  columns: { counter: ['bigint', (value) => value] },
  read: (row) => row.counter as bigint | null,
}

const factor = rowMap({
  callerId: text('caller_id'),
  personId: text('person_id'),
  factorId: text('factor_id'),
  kind: text<FactorKind>('kind'),
  name: text('name'),
  createdAt: instant('created_at'),
  lastUsedAt: instant<Date | null>('last_used_at'),
  /** An authenticator app has these two. */
  encryptedSecret: text<string | null>('encrypted_secret'),
  lastStep: integer<number | null>('last_step'),
  /** A passkey has these three. */
  credentialId: text<string | null>('credential_id'),
  publicKey: text<string | null>('public_key'),
  counter,
})
export type Factor = ItemOf<typeof factor>

const personOf = membersOf<PersonKey>('callerId', 'personId')
const namedOf = (person: PersonKey, name: string) => [...personOf(person), name]

export const listFactors = sql`
    select ${factor.columns}
    from person_factors
    where caller_id = $1
      and person_id = $2
    order by created_at, factor_id`.all(factor, personOf)

/** A passkey names itself, so its person need not be known. */
export const findFactorByCredential = sql`
    select ${factor.columns}
    from person_factors
    where credential_id = $1`.first(factor, (credentialId: string) => [credentialId])

export const insertFactor = insertOne('person_factors', factor).write

export const removeFactor = sql`
    delete from person_factors
    where caller_id = $1
      and person_id = $2
      and factor_id = $3`.write(namedOf)

type Used = { at: Date; step: number | null; count: bigint | null }

export const statements = {
  touchFactor: sql`
    update person_factors
    set last_used_at = $4,
        last_step = coalesce($5::int4, last_step),
        counter = coalesce($6::bigint, counter)
    where caller_id = $1
      and person_id = $2
      and factor_id = $3`.write((person: PersonKey, factorId: string, { at, step, count }: Used) => [
    ...[...namedOf(person, factorId), at, step, count],
  ]),

  listUnusedCodes: sql`
    select code_hash
    from person_recovery_codes
    where caller_id = $1
      and person_id = $2
      and used_at is null`.all(text('code_hash'), personOf),

  insertCode: sql`
    insert into person_recovery_codes (caller_id, person_id, code_hash, created_at)
    values ($1, $2, $3, $4)`.write((person: PersonKey, code: string, at: Date) => [
    ...[...namedOf(person, hashOfCode(code)), at],
  ]),

  useCode: sql`
    update person_recovery_codes
    set used_at = $4
    where caller_id = $1
      and person_id = $2
      and code_hash = $3`.write((person: PersonKey, codeHash: string, at: Date) => [
    ...[...namedOf(person, codeHash), at],
  ]),

  removeCodes: sql`
    delete from person_recovery_codes
    where caller_id = $1
      and person_id = $2`.write(personOf),
}

export async function countUnusedCodes(db: Queries, person: PersonKey): Promise<number> {
  return (await statements.listUnusedCodes(db, person)).length
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

/** The code may be written as it was shown, or without its hyphens, in whatever case. */
export function hashOfCode(code: string): string {
  return hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''))
}

/** The new codes in place of all earlier ones. */
export function replaceCodes(
  tx: Transaction,
  person: PersonKey,
  { codes, at }: { codes: readonly string[]; at: Date },
): void {
  statements.removeCodes(tx, person)
  for (const code of codes) statements.insertCode(tx, person, code, at)
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
    return (await statements.listUnusedCodes(tx, key)).includes(proof.codeHash) ? 'good' : 'refused'
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

export function useProof(tx: Transaction, person: PersonKey, proof: Proof, at: Date): void {
  if (proof.kind === 'RECOVERY') {
    statements.useCode(tx, person, proof.codeHash, at)
    return
  }
  const step = proof.kind === 'TOTP' ? proof.step : null
  const count = proof.kind === 'PASSKEY' ? BigInt(proof.counter) : null
  statements.touchFactor(tx, person, proof.factorId, { at, step, count })
}
