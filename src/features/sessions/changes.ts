/** What people do themselves: using a link, signing in, changing their password. Times are real time, as in people. */
import {
  actorsOf,
  type Changed,
  isSessionOver,
  type Person,
  type PersonKey,
  type PersonRefusal,
  refusePerson,
  restAfter,
  type Session,
  type SignedIn,
} from '../../domain/people.ts'
import type { Engine } from '../../engine/change/engine.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { hashSecret, newSecret } from '../../engine/database/secrets.ts'
import { type Device, endDevices, insertDevice, touchDevice } from '../devices/store.ts'
import { type Proof, type ProofState, stateOfProof, useProof } from '../factors/store.ts'
import { changed, changeKnown, type Made, withoutSecrets } from '../people/changes.ts'
import {
  findPerson,
  findPersonByLink,
  type LinkPurpose,
  lockCaller,
  lockPerson,
  lockPersonByEmail,
  type StoredPerson,
  touchPerson,
} from '../people/store.ts'
import { forgetSessions, insertSession, lockSession, renewSession as renew } from './store.ts'

/** The person and purpose of a link; undefined if it was used or replaced, or has expired. */
export async function findLink(
  { db, clock }: Engine,
  token: string,
): Promise<{ person: Person; purpose: LinkPurpose } | undefined> {
  const person = await findPersonByLink(db, token)
  return person !== undefined && opens(person, token, clock())
    ? { person: withoutSecrets(person), purpose: person.link!.purpose }
    : undefined
}

/** Uses a link: the person is ACTIVE with this password, and every earlier session has ended. */
export async function setPasswordByLink(
  engine: Engine,
  asked: { token: string; passwordHash: string },
): Promise<Changed | PersonRefusal> {
  const found = await findLink(engine, asked.token)
  if (found === undefined) return refusePerson('link_not_valid')
  const result = await changeKnown(engine, 'itself', found.person, {
    lock: async (tx) => {
      const person = await lockPerson(tx, found.person)
      const by = person?.link?.by ?? null
      const maker = by === null ? undefined : await findPerson(tx, { ...found.person, personId: by })
      return { person, maker }
    },
    decide: (before, at, { maker }) => {
      if (!opens(before, asked.token, at)) return refusePerson('link_not_valid')
      const { by, purpose } = before.link!
      // The maker of the link may have used it, so the rest counts from its use.
      const rest = restAfter(before.rest, actorsOf(by, maker, at), at)
      return {
        outcome: 'made',
        person: { ...before, status: 'ACTIVE', passwordHash: asked.passwordHash, link: null, rest },
        before,
        action: purpose === 'INVITE' ? 'person.activated' : 'person.password_reset',
        endsSessions: 'all',
        also: (tx) => endDevices(tx, before, at),
      }
    },
  })
  return changed(result)
}

/** The first administrator, whose password was set with the same link, gets a name and an address of their own. */
export async function nameFirstAdministrator(
  engine: Engine,
  asked: { token: string; name: string; email: string },
): Promise<Changed | PersonRefusal> {
  const found = await findLink(engine, asked.token)
  if (found === undefined) return refusePerson('link_not_valid')
  const { callerId } = found.person
  const result = await changeKnown(engine, 'itself', found.person, {
    lock: async (tx) => {
      await lockCaller(tx, callerId)
      const [person, other] = await Promise.all([
        lockPerson(tx, found.person),
        lockPersonByEmail(tx, { callerId, email: asked.email }),
      ])
      return { person, other }
    },
    decide: (before, at, { other }) => {
      if (!opens(before, asked.token, at) || before.pendingHash === null)
        return refusePerson('link_not_valid')
      if (other !== undefined) return refusePerson('email_taken')
      const { name, email } = asked
      const active = {
        status: 'ACTIVE',
        passwordHash: before.pendingHash,
        pendingHash: null,
        link: null,
      } as const
      return {
        outcome: 'made',
        person: { ...before, name, email, ...active },
        before,
        action: 'person.activated',
      }
    },
  })
  return changed(result)
}

function opens({ link }: StoredPerson, token: string, now: Date): boolean {
  return link !== null && link.hash === hashSecret(token) && now < link.expiresAt
}

/** `devices`: those of the browser that are known, of whatever person. */
export type SessionBrowser = {
  address: string | null
  userAgent: string | null
  devices: readonly Device[]
}

/** A session that is about to begin, and its device where the browser is not known to the person yet. */
export function newSession(
  { address, userAgent, devices }: SessionBrowser,
  by: Pick<Session, 'method' | 'providerSession'>,
) {
  const [secret, sessionId] = [newSecret(), newId('ses')]
  const newDevice = { deviceId: newId('dev'), secret: newSecret() }
  const deviceOf = ({ callerId, personId }: PersonKey) =>
    devices.find((device) => device.callerId === callerId && device.personId === personId)
  return {
    secret,
    /** undefined: the browser is known to the person. */
    deviceFor: (person: PersonKey) => (deviceOf(person) === undefined ? newDevice.secret : undefined),
    begin(tx: Transaction, person: PersonKey, at: Date): void {
      const { callerId, personId } = person
      forgetSessions(tx, person, new Date(at.getTime() - LISTED_MS))
      const times = { startedAt: at, signedInAt: at, lastSeenAt: at }
      insertSession(tx, { callerId, personId, sessionId, address, userAgent, ...by, ...times, secret })
      touchPerson(tx, person, at)
      const device = deviceOf(person)
      if (device !== undefined) {
        touchDevice(tx, device, at)
        return
      }
      insertDevice(tx, { callerId, personId, userAgent, createdAt: at, lastSeenAt: at, ...newDevice })
    },
  }
}

/** Call it after the right password and factor were given; refused if the password was changed or the factor used meanwhile. */
export async function startSession(
  engine: Engine,
  checked: StoredPerson,
  browser: { address: string | null; userAgent: string | null; device: Device | null },
  { proof = null, isBreakGlass = false }: { proof?: Proof | null; isBreakGlass?: boolean } = {},
): Promise<SignedIn | PersonRefusal> {
  const devices = browser.device === null ? [] : [browser.device]
  const session = newSession({ ...browser, devices }, { method: 'PASSWORD', providerSession: null })
  const result = await changeKnown(engine, 'itself', checked, {
    needsNoDate: true,
    lock: (tx) => lockWithProof(tx, checked, proof),
    decide: (person, at, { state }) => {
      if (person.passwordHash !== checked.passwordHash) return refusePerson('sign_in_refused')
      if (state !== 'good') return refuseProof(person, proof, state)
      const also = (tx: Transaction) => {
        session.begin(tx, person, at)
        if (proof !== null) useProof(tx, person, proof, at)
      }
      const action = isBreakGlass ? 'person.break_glass_used' : actionOf(proof)
      return { outcome: 'made', person, before: person, action, also }
    },
  })
  return signedIn(result, session)
}

async function lockWithProof(
  tx: Queries,
  key: PersonKey,
  proof: Proof | null,
): Promise<{ person: StoredPerson | undefined; state: ProofState }> {
  const person = await lockPerson(tx, key)
  // Read after the lock: what another request used is seen.
  return { person, state: proof === null ? 'good' : await stateOfProof(tx, key, proof) }
}

/** A copy of a passkey is refused too, but noted: the person has to know of it. */
function refuseProof(person: StoredPerson, proof: Proof | null, state: ProofState): Made | PersonRefusal {
  if (state === 'copied') return { outcome: 'made', person, before: person, action: COPIED }
  return refusePerson(proof?.kind === 'PASSKEY' ? 'passkey_refused' : 'code_refused')
}

const COPIED = 'person.passkey_copied'

function actionOf(proof: Proof | null) {
  return proof?.kind === 'RECOVERY' ? 'person.recovery_code_used' : 'person.signed_in'
}

/** Sessions that ended long ago are deleted when the next one begins. */
const LISTED_MS = 30 * 24 * 60 * 60_000

/**
 * Continues a session under a new identifier after its person gave the password or a passkey again. With a new password, the other
 * sessions of the person end. The maximum duration of a session still counts from its first sign-in.
 */
export async function renewSession(
  engine: Engine,
  session: Session,
  checked: { passwordHash: string | null; newHash?: string; proof: Proof | null },
): Promise<SignedIn | PersonRefusal> {
  const secret = newSecret()
  const result = await changeKnown(engine, 'itself', session, {
    needsNoDate: true,
    lock: async (tx) => {
      const locked = await lockWithProof(tx, session, checked.proof)
      return { ...locked, session: await lockSession(tx, session) }
    },
    decide: (before, at, { session: open, state }): Made | PersonRefusal => {
      if (open === undefined || isSessionOver(open, at)) return refusePerson('session_ended')
      if (before.passwordHash !== checked.passwordHash) return refusePerson('sign_in_refused')
      if (state !== 'good') return refuseProof(before, checked.proof, state)
      const also = (tx: Transaction) => {
        renew(tx, { ...open, signedInAt: at, lastSeenAt: at, secret })
        touchPerson(tx, before, at)
        if (checked.proof !== null) useProof(tx, before, checked.proof, at)
      }
      const { newHash } = checked
      if (newHash === undefined) {
        return { outcome: 'made', person: before, before, action: actionOf(checked.proof), also }
      }
      const person = { ...before, passwordHash: newHash, link: null }
      const endsSessions = { allBut: open.sessionId }
      return { outcome: 'made', person, before, action: 'person.password_changed', endsSessions, also }
    },
  })
  return signedIn(result, { secret, deviceFor: () => undefined })
}

export function signedIn(
  result: Made | PersonRefusal,
  session: { secret: string; deviceFor: (person: PersonKey) => string | undefined },
): SignedIn | PersonRefusal {
  if (result.outcome === 'refused') return result
  if (result.action === COPIED) return refusePerson('passkey_copied')
  const person = withoutSecrets(result.person)
  const device = session.deviceFor(person)
  return { outcome: 'signed_in', person, secret: session.secret, ...(device !== undefined && { device }) }
}
