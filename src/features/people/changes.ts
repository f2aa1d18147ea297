/**
 * Changes of a person: invitation, one-time links, role, password, sessions, disabling. Times are real time, even where
 * a test book's clock was moved: a link must expire and a session must end.
 *
 * Each change adds one line to the audit log, in the live book of the caller if the person works there, otherwise in
 * the test book. So the audit log of a live book shows everything that was done to people with access to live money.
 */
import assert from 'node:assert/strict'
import type { Actor } from '../../domain/actor.ts'
import type { Book, Mode } from '../../domain/book.ts'
import {
  changeRole,
  type Decided,
  disable,
  type Invitation,
  invite,
  isSessionOver,
  LINK_MS,
  type Person,
  type PersonRefusal,
  refusePerson,
} from '../../domain/people.ts'
import { type Change, made, whatWasLocked } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { findBook } from '../callers/store.ts'
import { AuditedPersonRecord, PersonEventRecord } from './record.ts'
import {
  countOtherAdministrators,
  endSessions,
  findPerson,
  findPersonByLink,
  forgetSessions,
  hashSecret,
  insertSession,
  type LinkPurpose,
  lockCaller,
  lockPerson,
  lockPersonByEmail,
  lockSession,
  newSecret,
  type PersonKey,
  renewSession as renew,
  type Session,
  type StoredPerson,
  savePerson,
  touchPerson,
} from './store.ts'

export type Asker = { actor: Actor; requestId: string | null }

/** The only place where the token is available: afterwards only its hash is stored. */
export type Linked = {
  outcome: 'linked'
  person: Person
  link: { token: string; purpose: LinkPurpose; expiresAt: Date }
}
export type Changed = { outcome: 'changed'; person: Person }
/** The secret for the browser, available only here. */
export type SignedIn = { outcome: 'signed_in'; person: Person; secret: string }

/** The part after # is not sent to servers: no proxy and no log sees the token. */
export function linkPath(token: string): string {
  return `/console/welcome#${token}`
}

export async function invitePerson(
  engine: Engine,
  asker: Asker,
  asked: Invitation,
): Promise<Linked | PersonRefusal> {
  const personId = newId('per')
  const token = newSecret()
  const invited = await changePerson(engine, asker, asked, {
    lock: async (tx) => {
      const [, person] = await Promise.all([lockCaller(tx, asked.callerId), lockPersonByEmail(tx, asked)])
      return { person }
    },
    decide: ({ person: known }, at) => {
      const decision = invite(known, { ...asked, personId, at })
      if (decision.outcome === 'refused') return decision
      const person = { ...decision.person, passwordHash: null, link: newLink(token, 'INVITE', at) }
      return { outcome: 'made', person, before: known ?? null, action: 'person.invited' }
    },
  })
  return linked(invited, token)
}

/** For a forgotten password. The old one works until the link is used. */
export async function issueResetLink(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
): Promise<Linked | PersonRefusal> {
  const token = newSecret()
  const issued = await changeKnown(engine, asker, key, {
    lock: async (tx) => ({ person: await lockPerson(tx, key) }),
    decide: (before, at) => {
      if (before.status !== 'ACTIVE') return refusePerson('person_not_active')
      const person = { ...before, link: newLink(token, 'RESET', at) }
      return { outcome: 'made', person, before, action: 'person.reset_link_issued' }
    },
  })
  return linked(issued, token)
}

export function changePersonRole(
  engine: Engine,
  asker: Asker,
  { role, modes, ...key }: Pick<Person, 'callerId' | 'personId' | 'role' | 'modes'>,
): Promise<Changed | PersonRefusal> {
  return administer(engine, asker, key, {
    action: 'person.role_changed',
    modes,
    decide: (person, otherAdministrators) =>
      changeRole({ person, actor: asker.actor, otherAdministrators }, { role, modes }),
  })
}

/** The password is removed too: a person who returns is invited again. */
export function disablePerson(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
): Promise<Changed | PersonRefusal> {
  return administer(engine, asker, key, {
    action: 'person.disabled',
    modes: [],
    decide: (person, otherAdministrators) => disable({ person, actor: asker.actor, otherAdministrators }),
  })
}

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
    lock: async (tx) => ({ person: await lockPerson(tx, found.person) }),
    decide: (before, at) => {
      if (!opens(before, asked.token, at)) return refusePerson('link_not_valid')
      return {
        outcome: 'made',
        person: { ...before, status: 'ACTIVE', passwordHash: asked.passwordHash, link: null },
        before,
        action: before.link!.purpose === 'INVITE' ? 'person.activated' : 'person.password_reset',
        endsSessions: true,
      }
    },
  })
  return changed(result)
}

/** After the right password was given; refused if the password was changed meanwhile. */
export async function startSession(
  engine: Engine,
  checked: StoredPerson,
  browser: { address: string | null; userAgent: string | null },
): Promise<SignedIn | PersonRefusal> {
  const secret = newSecret()
  const { callerId, personId } = checked
  const sessionId = newId('ses')
  const result = await changeKnown(engine, 'itself', checked, {
    lock: async (tx) => ({ person: await lockPerson(tx, checked) }),
    decide: (person, at) => {
      if (person.passwordHash !== checked.passwordHash) return refusePerson('sign_in_refused')
      const times = { startedAt: at, signedInAt: at, lastSeenAt: at }
      const started = { callerId, personId, sessionId, ...browser, ...times, secret }
      return { outcome: 'made', person, before: person, action: 'person.signed_in', started }
    },
  })
  return signedIn(result, secret)
}

/**
 * Continues a session under a new identifier after its person gave the password again. With a new password, the other
 * sessions of the person end. The maximum duration of a session still counts from its first sign-in.
 */
export async function renewSession(
  engine: Engine,
  session: Session,
  password: { checkedHash: string; newHash?: string },
): Promise<SignedIn | PersonRefusal> {
  const secret = newSecret()
  const result = await changeKnown(engine, 'itself', session, {
    lock: async (tx) => {
      const [person, open] = await Promise.all([lockPerson(tx, session), lockSession(tx, session)])
      return { person, session: open }
    },
    decide: (before, at, { session: open }) => {
      if (open === undefined || isSessionOver(open, at)) return refusePerson('session_ended')
      if (before.passwordHash !== password.checkedHash) return refusePerson('sign_in_refused')
      const renewed = { ...open, signedInAt: at, lastSeenAt: at, secret }
      const { newHash } = password
      if (newHash === undefined) {
        return { outcome: 'made', person: before, before, action: 'person.signed_in', renewed }
      }
      const person = { ...before, passwordHash: newHash, link: null }
      const action = 'person.password_changed'
      return { outcome: 'made', person, before, action, endsSessions: true, renewed }
    },
  })
  return signedIn(result, secret)
}

type Action =
  | 'person.invited'
  | 'person.activated'
  | 'person.role_changed'
  | 'person.disabled'
  | 'person.reset_link_issued'
  | 'person.password_reset'
  | 'person.password_changed'
  | 'person.signed_in'

/** Everything that a change does to a person; `action` is null where nothing changed. */
type Made = {
  outcome: 'made'
  person: StoredPerson
  before: StoredPerson | null
  action: Action | null
  /** All but the one that is renewed. */
  endsSessions?: true
  started?: Session & { secret: string }
  renewed?: Session & { secret: string }
}

type Known = { person: StoredPerson | undefined; otherAdministrators?: number; session?: Session | undefined }

type Work<Subject> = {
  lock: (tx: Queries) => Promise<Known>
  decide: (subject: Subject, at: Date, known: Known) => Made | PersonRefusal
}

/** Changes by an administrator or the operator, which also check the other administrators. */
async function administer(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
  work: {
    action: Action
    /** Modes that the person gets in addition to its own. */
    modes: readonly Mode[]
    decide: (person: Person, otherAdministrators: number) => Decided | PersonRefusal
  },
): Promise<Changed | PersonRefusal> {
  const result = await changeKnown(
    engine,
    asker,
    key,
    {
      lock: async (tx) => {
        const [, person, otherAdministrators] = await Promise.all([
          lockCaller(tx, key.callerId),
          lockPerson(tx, key),
          countOtherAdministrators(tx, key),
        ])
        return { person, otherAdministrators }
      },
      decide: (before, _at, known) => {
        const decision = work.decide(before, known.otherAdministrators!)
        if (decision.outcome === 'refused') return decision
        const secrets = decision.person.status === 'DISABLED' ? { passwordHash: null, link: null } : null
        const person = { ...before, ...decision.person, ...secrets }
        if (!decision.changed) return { outcome: 'made', person, before, action: null }
        return { outcome: 'made', person, before, action: work.action, endsSessions: true }
      },
    },
    work.modes,
  )
  return changed(result)
}

async function changeKnown(
  engine: Engine,
  asker: Asker | 'itself',
  key: PersonKey,
  work: Work<StoredPerson>,
  furtherModes: readonly Mode[] = [],
): Promise<Made | PersonRefusal> {
  const { callerId, personId } = key
  const person = await findPerson(engine.db, { callerId, personId })
  if (person === undefined) return refusePerson('person_not_found')
  const itself: Asker = { actor: { kind: 'PERSON', id: personId, name: person.name }, requestId: null }
  const modes = [...person.modes, ...furtherModes]
  return changePerson(
    engine,
    asker === 'itself' ? itself : asker,
    { callerId, modes },
    {
      lock: work.lock,
      decide: (known, at) =>
        known.person === undefined ? refusePerson('person_not_found') : work.decide(known.person, at, known),
    },
  )
}

async function changePerson(
  engine: Engine,
  asker: Asker,
  place: { callerId: string; modes: readonly Mode[] },
  work: Work<Known>,
): Promise<Made | PersonRefusal> {
  const book = await auditBookOf(engine.db, place)
  const result = await engine.submit(personChange, { ...asker, book, idempotency: null }, work)
  assert(result.outcome === 'done', 'a person is refused by a value, and never replayed')
  return result.value.made
}

type Value = { made: Made | PersonRefusal; at: Date }

/** Refusals are values here, because those of the engine are answers of the API, which has no operations on people. */
const personChange: Change<Work<Known>, Known, Known, Value> = {
  batchMax: 1,
  lock: (tx, _bookId, [work]) => work!.lock(tx),
  read: whatWasLocked,
  decider:
    (known, { now }) =>
    (work) =>
      made({ made: work.decide(known, now, known), at: now }),
  write(tx, bookId, [value], recording) {
    if (value!.made.outcome === 'made') write(tx, value!.made, value!.at)
    record(tx, bookId, recording)
  },
  events({ made: change }) {
    if (change.outcome === 'refused' || change.action === null) return []
    return [
      {
        type: change.action,
        announced: false,
        subjectId: change.person.personId,
        data: PersonEventRecord.json(change.person),
        changes: differenceOf(change),
      },
    ]
  },
}

/** Sessions that ended long ago are deleted when the next one begins. */
const KNOWN_BROWSER_MS = 30 * 24 * 60 * 60_000

function write(
  tx: Transaction,
  { person, before, action, endsSessions, started, renewed }: Made,
  at: Date,
): void {
  if (action !== null && person !== before) savePerson(tx, person)
  if (endsSessions) endSessions(tx, person, { at, except: renewed ?? null })
  if (renewed !== undefined) renew(tx, renewed)
  if (started !== undefined) {
    forgetSessions(tx, person, new Date(at.getTime() - KNOWN_BROWSER_MS))
    insertSession(tx, started)
  }
  if (started !== undefined || renewed !== undefined) touchPerson(tx, person, at)
}

/** Old and new values, where the record of the person has changed. */
function differenceOf({ person, before }: Made): string | null {
  const after = AuditedPersonRecord.write(person)
  const earlier = before && AuditedPersonRecord.write(before)
  const values = { before: earlier, after }
  return JSON.stringify(earlier) === JSON.stringify(after) ? null : JSON.stringify(values)
}

async function auditBookOf(
  db: Queries,
  { callerId, modes }: { callerId: string; modes: readonly Mode[] },
): Promise<Book> {
  const book = await findBook(db, { callerId, mode: modes.includes('live') ? 'live' : 'test' })
  if (book === undefined) throw new Error(`There is no caller ${callerId}.`)
  return book
}

function newLink(token: string, purpose: LinkPurpose, at: Date) {
  return { hash: hashSecret(token), purpose, expiresAt: new Date(at.getTime() + LINK_MS) }
}

function opens({ link }: StoredPerson, token: string, now: Date): boolean {
  return link !== null && link.hash === hashSecret(token) && now < link.expiresAt
}

function linked(result: Made | PersonRefusal, token: string): Linked | PersonRefusal {
  if (result.outcome === 'refused') return result
  const { purpose, expiresAt } = result.person.link!
  return { outcome: 'linked', person: withoutSecrets(result.person), link: { token, purpose, expiresAt } }
}

function changed(result: Made | PersonRefusal): Changed | PersonRefusal {
  return result.outcome === 'refused' ? result : { outcome: 'changed', person: withoutSecrets(result.person) }
}

function signedIn(result: Made | PersonRefusal, secret: string): SignedIn | PersonRefusal {
  return result.outcome === 'refused'
    ? result
    : { outcome: 'signed_in', person: withoutSecrets(result.person), secret }
}

function withoutSecrets({ passwordHash: _hash, link: _link, ...person }: StoredPerson): Person {
  return person
}
