/**
 * What people do to their own second factors. The person is locked; the other sessions of the person end, and the person
 * sees a notice at the next page.
 */
import { type FactorKind, PASSKEYS_MAX } from '../../domain/factors.ts'
import { type PersonKey, type PersonRefusal, refusePerson } from '../../domain/people.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { changeKnown } from '../people/changes.ts'
import { lockPerson, removeFactors } from '../people/store.ts'
import {
  type Factor,
  findFactorByCredential,
  insertFactor,
  listFactors,
  newRecoveryCodes,
  removeFactor as removeStored,
  replaceCodes,
} from './store.ts'

export type NewFactor = Pick<Factor, 'kind' | 'name' | 'encryptedSecret' | 'lastStep' | 'credentialId'> &
  Pick<Factor, 'publicKey' | 'counter'>

/** `codes`: the recovery codes that come with the first factor, available only here. */
export type FactorAdded = { outcome: 'added'; codes: readonly string[] | null }
type Owner = PersonKey & { sessionId: string }

export async function addFactor(
  engine: Engine,
  owner: Owner,
  added: NewFactor,
): Promise<FactorAdded | PersonRefusal> {
  const { callerId, personId } = owner
  const codes = newRecoveryCodes()
  const result = await changeKnown(engine, 'itself', owner, {
    lock: async (tx) => ({ ...(await lockFactors(tx, owner)), isTaken: await isTaken(tx, added) }),
    decide: (before, at, { factors, isTaken }) => {
      const { max, refusal } = LIMITS[added.kind]
      if (factors.filter(({ kind }) => kind === added.kind).length >= max) return refusePerson(refusal)
      if (isTaken) return refusePerson('passkey_refused')
      const also = (tx: Transaction) => {
        insertFactor(tx, {
          ...added,
          callerId,
          personId,
          factorId: newId('fac'),
          createdAt: at,
          lastUsedAt: null,
        })
        if (factors.length === 0) replaceCodes(tx, owner, { codes, at })
      }
      const person = { ...before, factors: kindsOf([...factors, added]) }
      const endsSessions = { allBut: owner.sessionId }
      return { outcome: 'made', person, before, action: 'person.factor_added', endsSessions, also }
    },
  })
  if (result.outcome === 'refused') return result
  return { outcome: 'added', codes: result.before!.factors.length === 0 ? codes : null }
}

const LIMITS = {
  TOTP: { max: 1, refusal: 'factor_exists' },
  PASSKEY: { max: PASSKEYS_MAX, refusal: 'too_many_passkeys' },
} as const satisfies Record<FactorKind, object>

/** A passkey belongs to one person, and was added once. */
async function isTaken(tx: Queries, { credentialId }: NewFactor): Promise<boolean> {
  return credentialId !== null && (await findFactorByCredential(tx, credentialId)) !== undefined
}

/** The recovery codes go with the last factor. */
export async function removeFactor(
  engine: Engine,
  owner: Owner,
  factorId: string,
): Promise<{ outcome: 'removed' } | PersonRefusal> {
  const result = await changeKnown(engine, 'itself', owner, {
    lock: (tx) => lockFactors(tx, owner),
    decide: (before, _at, { factors }) => {
      const left = factors.filter((factor) => factor.factorId !== factorId)
      if (left.length === factors.length) return refusePerson('factor_not_found')
      const also = (tx: Transaction) =>
        left.length === 0 ? removeFactors(tx, owner) : removeStored(tx, owner, factorId)
      const breakGlass = before.breakGlass && left.length > 0
      const person = { ...before, factors: kindsOf(left), breakGlass }
      const endsSessions = { allBut: owner.sessionId }
      return { outcome: 'made', person, before, action: 'person.factor_removed', endsSessions, also }
    },
  })
  return result.outcome === 'refused' ? result : { outcome: 'removed' }
}

/** The new codes replace the earlier ones. */
export async function makeRecoveryCodes(
  engine: Engine,
  owner: PersonKey,
): Promise<{ outcome: 'made'; codes: readonly string[] } | PersonRefusal> {
  const codes = newRecoveryCodes()
  const result = await changeKnown(engine, 'itself', owner, {
    lock: async (tx) => ({ person: await lockPerson(tx, owner) }),
    decide: (before, at) => {
      if (before.factors.length === 0) return refusePerson('factor_not_found')
      const also = (tx: Transaction) => replaceCodes(tx, owner, { codes, at })
      return { outcome: 'made', person: before, before, action: 'person.recovery_codes_made', also }
    },
  })
  return result.outcome === 'refused' ? result : { outcome: 'made', codes }
}

async function lockFactors(tx: Parameters<typeof lockPerson>[0], key: PersonKey) {
  const person = await lockPerson(tx, key)
  return { person, factors: await listFactors(tx, key) }
}

function kindsOf(factors: readonly { kind: FactorKind }[]): FactorKind[] {
  return [...new Set(factors.map(({ kind }) => kind))].sort()
}
