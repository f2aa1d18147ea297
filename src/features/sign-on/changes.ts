/**
 * A sign-in by the identity provider, in one transaction: the person is found by the provider's name for it, or by a
 * verified e-mail address and linked once, or made; gets the role and books of its groups; and a session begins.
 */
import type { Actor } from '../../domain/actor.ts'
import { MODES, type Mode } from '../../domain/book.ts'
import { type PersonRefusal, reachOf, refusePerson, type SignedIn } from '../../domain/people.ts'
import { type Granted, type GroupRole, grantedBy, isLastToLeave, withGranted } from '../../domain/sign-on.ts'
import { type Change, made, nothing, whatWasLocked } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { findBook } from '../callers/store.ts'
import { changePerson, type Made } from '../people/changes.ts'
import { readFirstAdministrator } from '../people/record.ts'
import {
  countOtherAdministrators,
  findPeopleByEmail,
  findPersonBySubject,
  lockCaller,
  lockPersonByEmail,
  lockPersonBySubject,
  type StoredPerson,
} from '../people/store.ts'
import { newSession, type SessionBrowser, signedIn } from '../sessions/changes.ts'

/** What the provider says of a person. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  groups: readonly string[]
  session: string | null
}

type Asked = {
  callerId: string
  identity: Identity
  table: readonly GroupRole[]
  browser: SessionBrowser
}

type Known = {
  person: StoredPerson | undefined
  byEmail: StoredPerson | undefined
  otherAdministrators: Record<Mode, number>
}

export async function enterBySignOn(engine: Engine, asked: Asked): Promise<SignedIn | PersonRefusal> {
  const { callerId, identity } = asked
  const { email } = identity
  const newPersonId = newId('per')
  const bySubject = await findPersonBySubject(engine.db, { callerId, ...identity })
  const [byEmail] = email === null ? [] : await findPeopleByEmail(engine.db, { callerId, email })
  const earlier = bySubject ?? byEmail
  const personId = earlier?.personId ?? newPersonId
  const actor: Actor = { kind: 'PERSON', id: personId, name: earlier?.name ?? identity.name ?? email }
  const session = newSession(asked.browser, { method: 'SSO', providerSession: identity.session })
  const result = await changePerson(
    engine,
    { actor, requestId: null },
    { callerId, modes: earlier === undefined ? MODES : [...reachOf(earlier), ...MODES] },
    {
      needsNoDate: true,
      lock: (tx) => lockKnown(tx, { callerId, identity, personId }),
      decide: (known, at): Made | PersonRefusal => {
        const decision = decide(known, { ...asked, newPersonId }, at)
        // Somebody changed the person between the first look and the lock: the actor would be wrong.
        if (decision.outcome === 'made' && decision.person.personId !== personId)
          return refusePerson('sign_in_refused')
        if (decision.outcome === 'refused' || decision.person.status !== 'ACTIVE') return decision
        return { ...decision, also: (tx) => session.begin(tx, decision.person, at) }
      },
    },
  )
  if (result.outcome === 'made' && result.person.status !== 'ACTIVE') return refusePerson('no_group')
  return signedIn(result, session)
}

async function lockKnown(
  tx: Queries,
  asked: { callerId: string; identity: Identity; personId: string },
): Promise<Known> {
  const { callerId, identity, personId } = asked
  const { email } = identity
  await lockCaller(tx, callerId)
  const person = await lockPersonBySubject(tx, { callerId, ...identity })
  const byEmail = email === null ? undefined : await lockPersonByEmail(tx, { callerId, email })
  return { person, byEmail, otherAdministrators: await countOtherAdministrators(tx, { callerId, personId }) }
}

function decide(known: Known, asked: Asked & { newPersonId: string }, at: Date): Made | PersonRefusal {
  const { identity, table } = asked
  const granted = grantedBy(identity.groups, table)
  if (granted === 'roles_conflict') return refusePerson('roles_conflict')
  if (known.person !== undefined) return decideKnown(known.person, granted, known, identity)
  if (granted === 'no_group') return refusePerson('no_group')
  const { byEmail } = known
  if (identity.email === null || !identity.isEmailVerified) return refusePerson('email_not_verified')
  if (byEmail?.subject != null) return refusePerson('email_linked')
  if (byEmail?.status === 'DISABLED') return refusePerson('person_disabled')
  const { issuer, subject } = identity
  if (byEmail === undefined) return provision(granted, asked, at)
  // After this point the person of this address is linked, once.
  const active = {
    issuer,
    subject,
    status: 'ACTIVE',
    link: byEmail.link?.purpose === 'INVITE' ? null : byEmail.link,
  }
  const linked = { ...byEmail, ...active } as StoredPerson
  return follow(byEmail, linked, granted, { known, action: 'person.linked' })
}

function decideKnown(
  person: StoredPerson,
  granted: Granted | 'no_group',
  known: Known,
  identity: Identity,
): Made | PersonRefusal {
  if (person.status === 'DISABLED' && person.disabledReason !== 'GROUPS')
    return refusePerson('person_disabled')
  if (granted === 'no_group') {
    if (person.status === 'DISABLED') return refusePerson('no_group')
    if (isLastToLeave(person, null, known.otherAdministrators)) return keepRole(person)
    const gone = { status: 'DISABLED', disabledReason: 'GROUPS', passwordHash: null, link: null } as const
    const disabled = { ...person, ...gone, breakGlass: false }
    return {
      outcome: 'made',
      person: disabled,
      before: person,
      action: 'person.disabled',
      endsSessions: 'all',
    }
  }
  const isOther = identity.email !== null && identity.isEmailVerified && identity.email !== person.email
  const isFree = known.byEmail === undefined || known.byEmail.personId === person.personId
  const email = isOther && isFree ? identity.email! : person.email
  const back = { ...person, email, status: 'ACTIVE', disabledReason: null } as const
  const noted = isOther && !isFree ? { noted: 'email_taken' } : {}
  return { ...follow(person, back, granted, { known, action: 'person.signed_in' }), ...noted }
}

/** Role and books as the groups say, unless a book would be left without an administrator. */
function follow(
  before: StoredPerson,
  person: StoredPerson,
  granted: Granted,
  { known, action }: { known: Known; action: 'person.linked' | 'person.signed_in' },
): Made {
  if (isLastToLeave(before, granted, known.otherAdministrators))
    return { ...keepRole(before), person, action }
  const isSame = before.role === granted.role && before.modes.join() === granted.modes.join()
  const followed = { ...person, ...withGranted(person, granted) }
  const ends = isSame && before.status === 'ACTIVE' ? {} : ({ endsSessions: 'all' } as const)
  return { outcome: 'made', person: isSame ? person : followed, before, action, ...ends }
}

function keepRole(person: StoredPerson): Made {
  return { outcome: 'made', person, before: person, action: 'person.signed_in', noted: 'last_administrator' }
}

function provision(
  granted: Granted,
  { callerId, identity, newPersonId }: Asked & { newPersonId: string },
  at: Date,
): Made | PersonRefusal {
  const { issuer, subject, email, name } = identity
  const named = readFirstAdministrator({ name: name ?? email!, email: email! })
  if (named === null) return refusePerson('email_not_verified')
  const person: StoredPerson = {
    ...{ callerId, personId: newPersonId, ...named, ...granted, hadModes: [], status: 'ACTIVE' },
    ...{ rest: null, factors: [], issuer, subject, breakGlass: false, disabledReason: null },
    ...{ lastSeenAt: null, createdAt: at, passwordHash: null, pendingHash: null, link: null },
  }
  return { outcome: 'made', person, before: null, action: 'person.provisioned' }
}

const SIGN_ON: Actor = { kind: 'JOB', id: 'sign-on', name: null }

/** A line in the audit log of the live book, with the reason alone. */
export async function noteRefusal(
  engine: Engine,
  { callerId, reason }: { callerId: string; reason: string },
): Promise<void> {
  const book = await findBook(engine.db, { callerId, mode: 'live' })
  if (book === undefined) return
  await engine.submit(refusalChange, { book, actor: SIGN_ON, requestId: null, idempotency: null }, reason)
}

const refusalChange: Change<string, void, void, string> = {
  batchMax: 1,
  needsNoDate: true,
  lock: nothing,
  read: whatWasLocked,
  decider: () => (reason) => made(reason),
  write: (tx, bookId, _values, recording) => record(tx, bookId, recording),
  events: (reason) => [
    {
      type: 'person.sign_in_refused',
      announced: false,
      subjectId: 'sign-on',
      data: JSON.stringify({ reason }),
      changes: JSON.stringify({ before: null, after: { reason } }),
    },
  ],
}
