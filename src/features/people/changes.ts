/**
 * Acts on a person: invitation, links for a new password, role, disabling, confirmation. Times are real time, even where
 * a test book's clock was moved: a link must expire and a rest must end.
 *
 * - Each change adds one line to the audit log of every book that the person works in or worked in before.
 * - What a person sets for another rests in the live book until a day has passed or a second administrator confirms it.
 * - The person and the administrators are notified of every act, and subscribers receive an event without name or e-mail.
 */
import assert from 'node:assert/strict'
import type { Actor } from '../../domain/actor.ts'
import { type Book, MODES, type Mode } from '../../domain/book.ts'
import { momentOf } from '../../domain/moment.ts'
import {
  type Acting,
  actorsOf,
  byOf,
  type Changed,
  changeRole,
  confirm,
  type Decided,
  disable,
  type Invitation,
  invite,
  isWithin,
  LINK_MS,
  type Person,
  type PersonKey,
  type PersonRefusal,
  reachOf,
  refusePerson,
  removeFactors,
  setBreakGlass,
} from '../../domain/people.ts'
import { type Change, made } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { type Recording, readClockOffset, record } from '../../engine/change/recording.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { hashSecret, newSecret } from '../../engine/database/secrets.ts'
import { findBook } from '../callers/store.ts'
import { endDevices } from '../devices/store.ts'
import { insertNotices, insertOwnNotice } from '../notices/store.ts'
import { differenceOf, isAct, isOwnAct, type PersonAction, PersonEventRecord } from './record.ts'
import {
  countOtherAdministrators,
  countOtherBreakGlass,
  endSessions,
  findPeopleByEmail,
  findPerson,
  type LinkPurpose,
  lockCaller,
  lockPerson,
  lockPersonByEmail,
  removeFactors as removeStoredFactors,
  type StoredPerson,
  savePerson,
} from './store.ts'

/** `modes`: the books that a person who asks works in. The operator works in all of them. */
export type Asker = { actor: Actor; requestId: string | null; modes?: readonly Mode[] }

/** The only place where the token is available: afterwards only its hash is stored. */
export type Linked = {
  outcome: 'linked'
  person: Person
  link: { token: string; purpose: LinkPurpose; expiresAt: Date }
}

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
  const [earlier] = await findPeopleByEmail(engine.db, asked)
  const modes = [...asked.modes, ...(earlier === undefined ? [] : reachOf(earlier))]
  const invited = await changePerson(
    engine,
    asker,
    { ...asked, modes },
    {
      lock: async (tx) => {
        const [, person] = await Promise.all([lockCaller(tx, asked.callerId), lockPersonByEmail(tx, asked)])
        return { person }
      },
      decide: ({ person: known }, at) => {
        const decision = invite(known, { ...asked, personId }, actingOf(asker, at))
        if (decision.outcome === 'refused') return decision
        const person = {
          ...decision.person,
          passwordHash: null,
          pendingHash: null,
          link: newLink(token, 'INVITE', { asker, at }),
        }
        const action = known?.status === 'DISABLED' ? 'person.enabled' : 'person.invited'
        return { outcome: 'made', person, before: known ?? null, action }
      },
    },
  )
  return linked(invited, token)
}

/** The link is for a forgotten password. The old one works until the link is used. */
export async function issueResetLink(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
): Promise<Linked | PersonRefusal> {
  const token = newSecret()
  const issued = await changeKnown(engine, asker, key, {
    lock: async (tx) => ({ person: await lockPerson(tx, key) }),
    decide: (before, at) => {
      if (!isWithin(reachOf(before), actingOf(asker, at).modes)) return refusePerson('other_books')
      if (before.status !== 'ACTIVE') return refusePerson('person_not_active')
      const person = { ...before, link: newLink(token, 'RESET', { asker, at }) }
      return { outcome: 'made', person, before, action: 'person.reset' }
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
    decide: (standing) => changeRole(standing, { role, modes }),
  })
}

/** The password is removed too: a person who returns is invited again. */
export function disablePerson(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
): Promise<Changed | PersonRefusal> {
  const work = { action: 'person.disabled', modes: [], needsNoDate: true, decide: disable } as const
  return administer(engine, asker, key, work)
}

/** A second administrator confirms: what another one set for the person counts from now on. */
export async function confirmPerson(
  engine: Engine,
  asker: Asker,
  { shown, ...key }: PersonKey & { shown: Date },
): Promise<Changed | PersonRefusal> {
  const result = await changeKnown(engine, asker, key, {
    lock: async (tx) => {
      const [, person] = await Promise.all([lockCaller(tx, key.callerId), lockPerson(tx, key)])
      return { person, confirmer: await findActor(tx, asker.actor, key.callerId) }
    },
    decide: (before, at, { confirmer }) => {
      const decision = confirm(before, confirmer, { ...actingOf(asker, at), shown })
      if (decision.outcome === 'refused') return decision
      const person = { ...before, ...decision.person }
      return { outcome: 'made', person, before, action: 'person.confirmed' }
    },
  })
  return changed(result)
}

/** The operator lets the person sign in with a password, also where the identity provider is down. */
export async function setBreakGlassOf(
  engine: Engine,
  asker: Asker,
  { isOn, ...key }: PersonKey & { isOn: boolean },
): Promise<Changed | PersonRefusal> {
  const result = await changeKnown(engine, asker, key, {
    lock: async (tx) => {
      await lockCaller(tx, key.callerId)
      return { person: await lockPerson(tx, key), others: await countOtherBreakGlass(tx, key) }
    },
    decide: (before, _at, { others }) => {
      const decision = setBreakGlass(before, isOn, others)
      if (decision.outcome === 'refused') return decision
      const person = { ...before, ...decision.person }
      return { outcome: 'made', person, before, action: decision.changed ? 'person.break_glass_set' : null }
    },
  })
  return changed(result)
}

/** An administrator or the operator removes lost factors: the person signs in with the password alone. */
export async function removeFactorsOf(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
): Promise<Changed | PersonRefusal> {
  const result = await changeKnown(engine, asker, key, {
    lock: async (tx) => ({
      person: await lockPerson(tx, key),
      by: await findActor(tx, asker.actor, key.callerId),
    }),
    decide: (before, at, { by }) => {
      const decision = removeFactors(before, actingOf(asker, at, by))
      if (decision.outcome === 'refused') return decision
      const person = { ...before, ...decision.person }
      const also = (tx: Transaction) => removeStoredFactors(tx, person)
      return { outcome: 'made', person, before, action: 'person.factors_removed', endsSessions: 'all', also }
    },
  })
  return changed(result)
}

/** undefined: no person. Read while the caller is locked where it confirms: an act on the confirmer comes before or after that. */
export async function findActor(
  tx: Queries,
  actor: Actor,
  callerId: string,
): Promise<StoredPerson | undefined> {
  const personId = byOf(actor)
  return personId === null ? undefined : findPerson(tx, { callerId, personId })
}

/** Everything that a change does to a person; `action` is null where nothing changed. */
export type Made = {
  outcome: 'made'
  person: StoredPerson
  before: StoredPerson | null
  action: PersonAction | null
  endsSessions?: 'all' | { allBut: string }
  /** What was decided otherwise than asked for, for the audit log. */
  noted?: string
  /** What else it writes. */
  also?: (tx: Transaction) => void
}

type Known = {
  person: StoredPerson | undefined
  otherAdministrators?: Record<Mode, number>
  confirmer?: StoredPerson | undefined
}

type Work<Subject, Locked extends Known = Known> = {
  /**
   * For what gives nobody new access, such as signing in and disabling. The rest of the changes wait until the date is
   * sure: by a clock that is behind, a rest would end too early.
   */
  needsNoDate?: true
  lock: (tx: Queries) => Promise<Locked>
  decide: (subject: Subject, at: Date, known: Locked) => Made | PersonRefusal
}

/** Changes by an administrator or the operator, which also check the other administrators. */
async function administer(
  engine: Engine,
  asker: Asker,
  key: PersonKey,
  work: {
    action: PersonAction
    /** Modes that the person gets in addition to its own. */
    modes: readonly Mode[]
    needsNoDate?: true
    decide: (
      standing: Acting & { person: Person; otherAdministrators: Record<Mode, number> },
    ) => Decided | PersonRefusal
  },
): Promise<Changed | PersonRefusal> {
  const result = await changeKnown(
    engine,
    asker,
    key,
    {
      ...(work.needsNoDate && { needsNoDate: true as const }),
      lock: async (tx) => {
        const [, person, otherAdministrators, by] = await Promise.all([
          lockCaller(tx, key.callerId),
          lockPerson(tx, key),
          countOtherAdministrators(tx, key),
          findActor(tx, asker.actor, key.callerId),
        ])
        return { person, otherAdministrators, by }
      },
      decide: (before, at, { otherAdministrators, by }) => {
        const decision = work.decide({ ...actingOf(asker, at, by), person: before, otherAdministrators })
        if (decision.outcome === 'refused') return decision
        const secrets = decision.person.status === 'DISABLED' ? { passwordHash: null, link: null } : null
        const person = { ...before, ...decision.person, ...secrets }
        if (!decision.changed) return { outcome: 'made', person, before, action: null }
        const also = (tx: Transaction) => {
          if (person.status !== 'DISABLED') return
          endDevices(tx, person, at)
          removeStoredFactors(tx, person)
        }
        return { outcome: 'made', person, before, action: work.action, endsSessions: 'all', also }
      },
    },
    work.modes,
  )
  return changed(result)
}

function actingOf({ actor, modes = [] }: Asker, at: Date, person?: Person): Acting {
  const by = actorsOf(byOf(actor), person, at)
  return { actor, at, modes: actor.kind === 'OPERATOR' ? MODES : modes, by }
}

export async function changeKnown<Locked extends Known>(
  engine: Engine,
  asker: Asker | 'itself',
  key: PersonKey,
  work: Work<StoredPerson, Locked>,
  furtherModes: readonly Mode[] = [],
): Promise<Made | PersonRefusal> {
  const { callerId, personId } = key
  const person = await findPerson(engine.db, { callerId, personId })
  if (person === undefined) return refusePerson('person_not_found')
  const itself: Asker = { actor: { kind: 'PERSON', id: personId, name: person.name }, requestId: null }
  const modes = [...reachOf(person), ...furtherModes]
  return changePerson(
    engine,
    asker === 'itself' ? itself : asker,
    { callerId, modes },
    {
      ...work,
      decide: (known, at) =>
        known.person === undefined ? refusePerson('person_not_found') : work.decide(known.person, at, known),
    },
  )
}

export async function changePerson<Locked extends Known>(
  engine: Engine,
  { actor, requestId }: Asker,
  { callerId, modes }: { callerId: string; modes: readonly Mode[] },
  work: Work<Locked, Locked>,
): Promise<Made | PersonRefusal> {
  const books = await Promise.all(MODES.map((mode) => findBook(engine.db, { callerId, mode })))
  const [test, live] = books
  if (test === undefined || live === undefined) throw new Error(`There is no caller ${callerId}.`)
  const book = modes.includes('live') ? live : test
  const other = book === live ? test : live
  const { needsNoDate, ...rest } = work
  const request = { ...rest, actor, other } as unknown as PersonRequest
  const change = needsNoDate ? personChangeAtAnyDate : personChange
  const result = await engine.submit(change, { book, actor, requestId, idempotency: null }, request)
  assert(result.outcome === 'done', 'a person is refused by a value, and never replayed')
  return result.value.made
}

type PersonRequest = Work<Known> & {
  actor: Actor
  /** The other book of the caller, whose audit log may get a line too. */
  other: Book
}
type Read = { known: Known; otherOffsetMs: number }
type Value = {
  made: Made | PersonRefusal
  at: Date
  actor: Actor
  /** Another book that gets a line, and the time in it. */
  alsoIn: { bookId: string; at: Date } | null
}

/** Refusals are values here, because those of the engine are answers of the API, which has no operations on people. */
const personChange: Change<PersonRequest, Known, Read, Value> = {
  batchMax: 1,
  lock: (tx, _bookId, [work]) => work!.lock(tx),
  read: async (tx, { requests: [request] }, known) => {
    const { other } = request!
    return { known, otherOffsetMs: other.mode === 'live' ? 0 : await readClockOffset(tx, other.bookId) }
  },
  decider:
    ({ known, otherOffsetMs }, { now }) =>
    ({ decide, actor, other }) => {
      const result = decide(known, now, known)
      const isInOther = result.outcome === 'made' && reachOf(result.person).includes(other.mode)
      const alsoIn = isInOther ? { bookId: other.bookId, at: momentOf(other, now, otherOffsetMs).at } : null
      return made({ made: result, at: now, actor, alsoIn })
    },
  write(tx, bookId, [value], recording) {
    const { made: result, at, actor, alsoIn } = value!
    if (result.outcome === 'made') write(tx, result, { at, actor })
    record(tx, bookId, recording)
    if (alsoIn !== null) record(tx, alsoIn.bookId, copyOf(recording, alsoIn.at))
  },
  events({ made: change }) {
    if (change.outcome === 'refused' || change.action === null) return []
    return [
      {
        type: change.action,
        announced: isAct(change.action),
        subjectId: change.person.personId,
        data: PersonEventRecord.json(change.person),
        changes: differenceOf(change),
      },
    ]
  },
}

const personChangeAtAnyDate: typeof personChange = { ...personChange, needsNoDate: true }

/** The same events in another book, at its own time. */
function copyOf({ events }: Recording, at: Date): Recording {
  return { events: events.map((event) => ({ ...event, eventId: newId('evt'), at })), answers: [] }
}

function write(
  tx: Transaction,
  { person, before, action, endsSessions, also }: Made,
  { at, actor }: { at: Date; actor: Actor },
): void {
  if (action !== null && person !== before) savePerson(tx, person)
  if (endsSessions !== undefined) {
    endSessions(tx, person, { at, except: endsSessions === 'all' ? null : endsSessions.allBut })
  }
  also?.(tx)
  if (action === null) return
  const { callerId, personId: subjectId } = person
  if (isAct(action)) insertNotices(tx, { callerId, subjectId, act: action, actor, at })
  if (isOwnAct(action)) insertOwnNotice(tx, { callerId, subjectId, act: action, actor, at })
}

function newLink(token: string, purpose: LinkPurpose, { asker, at }: { asker: Asker; at: Date }) {
  const expiresAt = new Date(at.getTime() + LINK_MS)
  return { hash: hashSecret(token), purpose, expiresAt, by: byOf(asker.actor) }
}

function linked(result: Made | PersonRefusal, token: string): Linked | PersonRefusal {
  if (result.outcome === 'refused') return result
  const { purpose, expiresAt } = result.person.link!
  return { outcome: 'linked', person: withoutSecrets(result.person), link: { token, purpose, expiresAt } }
}

export function changed(result: Made | PersonRefusal): Changed | PersonRefusal {
  return result.outcome === 'refused' ? result : { outcome: 'changed', person: withoutSecrets(result.person) }
}

export function withoutSecrets({
  passwordHash: _hash,
  pendingHash: _pending,
  link: _link,
  ...person
}: StoredPerson): Person {
  return person
}
