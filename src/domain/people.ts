/**
 * People who use the console. A role is a set of scopes and nothing else: a person may do what a key with those scopes
 * may do. This file decides what one person, or the operator, may do to another.
 */
import type { Actor, ActorKind } from './actor.ts'
import { MODES, type Mode } from './book.ts'
import { isAhead } from './clock.ts'
import type { FactorKind } from './factors.ts'
import type { RefusalDetails } from './refusal.ts'

export const ROLES = ['VIEWER', 'CLERK', 'SUPERVISOR', 'ADMINISTRATOR'] as const
export type Role = (typeof ROLES)[number]

export const PERSON_STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'] as const
export type PersonStatus = (typeof PERSON_STATUSES)[number]

const VIEWER = [
  'customers:read',
  'accounts:read',
  'fixed_deposits:read',
  'ledger:read',
  'rules:read',
  'products:read',
]
/**
 * `test_clock:write` and `batches:run` exist for people alone. With the latter, batches may be sent and started whose lines
 * the person may carry out one by one; a key needs `batches:write`, which no role has.
 */
const CLERK = [
  ...VIEWER,
  'customers:write',
  'fixed_deposits:write',
  'fixed_deposits:liquidate',
  'batches:run',
  'test_clock:write',
]
const SUPERVISOR = [
  ...CLERK,
  'accounts:write',
  'rules:write',
  'approvals:read',
  'approvals:decide',
  'approvals:policy',
  'penal_charges:waive',
  'liens:read',
  'liens:write',
  'liquidations:reverse',
  'tax:read',
  'tax:write',
  'reports:read',
  'audit:read',
  'events:read',
  'products:write',
  'batches:read',
  'accounting:read',
]
/** Cannot move money. `people:*` exists for people alone: no key can have it. */
const ADMINISTRATOR = [
  'people:read',
  'people:write',
  'api_keys:read',
  'api_keys:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
]

export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly string[]>> = {
  VIEWER,
  CLERK,
  SUPERVISOR,
  ADMINISTRATOR,
}

export type Person = {
  callerId: string
  personId: string
  name: string
  email: string
  role: Role
  modes: readonly Mode[]
  /** Modes of earlier times. Administrators of those books are still the only ones who may act on the person. */
  hadModes: readonly Mode[]
  status: PersonStatus
  /** null: nobody has acted on the person, or the act was confirmed. */
  rest: Rest | null
  /** The kinds of second factors that the person has. */
  factors: readonly FactorKind[]
  /** How an identity provider names the person; null: it does not. */
  issuer: string | null
  subject: string | null
  /** May always sign in with a password. */
  breakGlass: boolean
  /** GROUPS: none of the groups of the identity provider gave a role. */
  disabledReason: 'GROUPS' | null
  lastSeenAt: Date | null
  createdAt: Date
}

export type PersonKey = Pick<Person, 'callerId' | 'personId'>

/** `actors`: the identifiers of the people whose acts began it. */
export type Rest = { until: Date; actors: readonly string[] }

/** The address of the first administrator, until the link is used to give a name and an address. */
export const FIRST_EMAIL = 'administrator@localhost'

export type PersonRefusalCode =
  | 'person_not_found'
  | 'person_not_active'
  | 'email_taken'
  | 'name_needed'
  | 'own_role'
  | 'last_administrator'
  | 'other_books'
  | 'nothing_to_confirm'
  | 'changed_meanwhile'
  | 'own_act'
  | 'confirmer_rests'
  | 'link_not_valid'
  | 'sign_in_refused'
  | 'too_many_sign_ins'
  | 'session_ended'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_too_common'
  | 'code_refused'
  | 'factor_exists'
  | 'passkey_refused'
  | 'passkey_copied'
  | 'too_many_passkeys'
  | 'factor_not_found'
  | 'own_factors'
  | 'managed_role'
  | 'factor_needed'
  | 'too_many_break_glass'
  | 'no_group'
  | 'roles_conflict'
  | 'email_not_verified'
  | 'email_linked'
  | 'person_disabled'

/** What was done to a person, for somebody who has not read it yet. Names are null where there is nobody any more. */
export type PersonNotice = {
  ordinal: bigint
  act: string
  subjectId: string
  subjectName: string | null
  actorKind: ActorKind
  actorName: string | null
  at: Date
}

/** Separate from the refusals of the API, whose clients never see these. */
export type PersonRefusal = { outcome: 'refused'; code: PersonRefusalCode; details: RefusalDetails }

export function refusePerson(code: PersonRefusalCode, details: RefusalDetails = {}): PersonRefusal {
  return { outcome: 'refused', code, details }
}

export type Decided = { outcome: 'decided'; person: Person; changed: boolean }

export type Invitation = Pick<Person, 'callerId' | 'name' | 'email' | 'role' | 'modes'>

/** Who acts, and in which books; `by`: whom a rest names that the act begins (actorsOf), by default the actor alone. */
export type Acting = { actor: Actor; modes: readonly Mode[]; at: Date; by?: readonly string[] }

/**
 * Creates a person, or invites again a person who has not accepted yet or was disabled. Those keep their identifier,
 * because their earlier work is recorded under it.
 */
export function invite(
  known: Person | undefined,
  asked: Invitation & { personId: string },
  acting: Acting,
): Decided | PersonRefusal {
  const { personId, createdAt, lastSeenAt, rest, factors, issuer, subject } = known ?? {
    personId: asked.personId,
    createdAt: acting.at,
    lastSeenAt: null,
    rest: null,
    factors: [],
    issuer: null,
    subject: null,
  }
  const hadModes = known === undefined ? [] : reachOf(known)
  if (!isWithin([...asked.modes, ...hadModes], acting.modes)) return refusePerson('other_books')
  if (known?.status === 'ACTIVE') return refusePerson('email_taken')
  return decided({
    ...{ callerId: asked.callerId, name: asked.name, email: asked.email, role: asked.role },
    ...{ modes: asked.modes, hadModes, personId, createdAt, lastSeenAt, factors, status: 'INVITED' },
    ...{ issuer, subject, breakGlass: false, disabledReason: null },
    // The operator sets everything about the person; what an administrator sets rests when the link is used.
    rest: acting.actor.kind === 'PERSON' ? rest : null,
  })
}

/** `otherAdministrators`: those of the caller who are ACTIVE in each mode, without this person. */
type Standing = Acting & { person: Person; otherAdministrators: Record<Mode, number> }

export function changeRole(
  { person, otherAdministrators, ...acting }: Standing,
  asked: Pick<Person, 'role' | 'modes'>,
): Decided | PersonRefusal {
  if (!isWithin([...reachOf(person), ...asked.modes], acting.modes)) return refusePerson('other_books')
  if (person.status === 'DISABLED') return refusePerson('person_not_active')
  if (isSelf(person, acting.actor)) return refusePerson('own_role')
  if (person.subject !== null) return refusePerson('managed_role')
  const remaining = asked.role === 'ADMINISTRATOR' ? asked.modes : []
  if (isLastAdministrator(person, { otherAdministrators, remaining }))
    return refusePerson('last_administrator')
  if (person.role === asked.role && sameModes(person.modes, asked.modes)) return decided(person, false)
  const changed = { ...person, role: asked.role, modes: asked.modes, hadModes: reachOf(person) }
  return decided({ ...changed, rest: restAfterAct(person, acting) })
}

export function disable({ person, otherAdministrators, ...acting }: Standing): Decided | PersonRefusal {
  if (!isSelf(person, acting.actor) && !isWithin(reachOf(person), acting.modes)) {
    return refusePerson('other_books')
  }
  if (isLastAdministrator(person, { otherAdministrators, remaining: [] })) {
    return refusePerson('last_administrator')
  }
  return decided(
    { ...person, status: 'DISABLED', factors: [], breakGlass: false, disabledReason: null },
    person.status !== 'DISABLED' || person.disabledReason !== null,
  )
}

/** For somebody who lost them. Counts as a reset: the person rests. */
export function removeFactors(person: Person, acting: Acting): Decided | PersonRefusal {
  if (!isWithin(reachOf(person), acting.modes)) return refusePerson('other_books')
  if (isSelf(person, acting.actor)) return refusePerson('own_factors')
  if (person.status !== 'ACTIVE') return refusePerson('person_not_active')
  if (person.factors.length === 0) return refusePerson('factor_not_found')
  return decided({
    ...person,
    factors: [],
    breakGlass: false,
    rest: restAfterAct(person, acting),
  })
}

const HOUR_MS = 3_600_000

/** What somebody else sets for a person counts in the live book after this time. */
export const REST_MS = 24 * HOUR_MS

export function isResting(rest: Rest | null, now: Date): rest is Rest {
  return rest !== null && now < rest.until
}

/**
 * The rest of a person, or a key, after an act of somebody else; `by` is empty for the operator, whose acts do not begin
 * one. Those who acted during a rest that is not over yet stay named, because none of them may confirm. So do those who
 * acted on a person of the test book alone: somebody else may let that person into the live book a moment later.
 */
export function restAfter(rest: Rest | null, by: readonly string[], at: Date): Rest | null {
  if (by.length === 0) return rest
  return { until: new Date(at.getTime() + REST_MS), actors: [...new Set([...namedBy(rest, at), ...by])] }
}

function restAfterAct({ rest }: Person, { actor, at, by = actorsOf(byOf(actor), undefined, at) }: Acting) {
  return restAfter(rest, by, at)
}

/**
 * Who is behind an act of this person: also those after whose acts the person rests. Who lets an administrator in, and
 * takes the link, would otherwise confirm what they did themselves as that administrator.
 */
export function actorsOf(
  personId: string | null,
  person: Pick<Person, 'rest'> | undefined,
  at: Date,
): string[] {
  return personId === null ? [] : [personId, ...namedBy(person?.rest ?? null, at)]
}

function namedBy(rest: Rest | null, at: Date): readonly string[] {
  return isResting(rest, at) ? rest.actors : []
}

/** null: the person decides at once in a book of this mode. */
export function decidesFrom({ rest }: Pick<Person, 'rest'>, mode: Mode): Date | null {
  return mode === 'live' && rest !== null ? rest.until : null
}

/** The rest as it is shown and confirmed: of people who work in the live book. */
export function restInLive({ rest, modes }: Pick<Person, 'rest' | 'modes'>): Rest | null {
  return modes.includes('live') ? rest : null
}

/** The person that a rest names as its actor. */
export function byOf(actor: Actor): string | null {
  return actor.kind === 'PERSON' ? actor.id : null
}

/**
 * Ends the rest of a person who has set a password: before that nobody knows who will. `shown` is the end of the rest as
 * the confirmer saw it: an act since then has moved it, and nobody confirms what they have not seen.
 */
export function confirm(
  person: Person,
  confirmer: Person | undefined,
  { shown, ...acting }: Acting & { shown: Date },
): Decided | PersonRefusal {
  const rest = restInLive(person)
  if (!isWithin(reachOf(person), acting.modes)) return refusePerson('other_books')
  if (person.status !== 'ACTIVE') return refusePerson('person_not_active')
  const refused = refuseConfirmation(rest, confirmer, acting.at)
  if (refused !== null) return refused
  if (rest?.until.getTime() !== shown.getTime()) return refusePerson('changed_meanwhile')
  return decided({ ...person, rest: null })
}

/** The access of a person or a key is confirmed by a second administrator, who does not rest. */
export function refuseConfirmation(
  rest: Rest | null,
  confirmer: Person | undefined,
  at: Date,
): PersonRefusal | null {
  if (!isResting(rest, at)) return refusePerson('nothing_to_confirm')
  if (confirmer === undefined || rest.actors.includes(confirmer.personId)) return refusePerson('own_act')
  return isResting(confirmer.rest, at) ? refusePerson('confirmer_rests') : null
}

/** The books that acts on the person concern: those it works in and those it worked in before. */
export function reachOf({ modes, hadModes }: Pick<Person, 'modes' | 'hadModes'>): Mode[] {
  return MODES.filter((mode) => modes.includes(mode) || hadModes.includes(mode))
}

/** Nobody acts on a person of a book that they do not work in themselves. */
export function isWithin(modes: readonly Mode[], own: readonly Mode[]): boolean {
  return modes.every((mode) => own.includes(mode))
}

const MINUTE_MS = 60_000
const SESSION_IDLE_MS = 15 * MINUTE_MS
const SESSION_MAX_MS = 600 * MINUTE_MS
export const LINK_MS = 30 * MINUTE_MS
/** A browser in which nobody signed in for this long is no longer known. */
export const DEVICE_MS = 180 * 24 * 60 * MINUTE_MS
const RECENT_SIGN_IN_MS = 15 * MINUTE_MS

export function isSessionOver(session: { startedAt: Date; lastSeenAt: Date }, now: Date): boolean {
  const { startedAt, lastSeenAt } = oldestOpen(now)
  return (
    session.startedAt <= startedAt || session.lastSeenAt <= lastSeenAt || isAhead(session.lastSeenAt, now)
  )
}

/** A session that began, or was used last, at or before these times is over. */
export function oldestOpen(now: Date): { startedAt: Date; lastSeenAt: Date } {
  return {
    startedAt: new Date(now.getTime() - SESSION_MAX_MS),
    lastSeenAt: new Date(now.getTime() - SESSION_IDLE_MS),
  }
}

/** Some actions, such as approving, need the password to have been entered recently. */
export function signedInRecently(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() < RECENT_SIGN_IN_MS
}

/** Without a second factor and without an identity provider. */
export function signsInByPasswordAlone({ factors, subject }: Pick<Person, 'factors' | 'subject'>): boolean {
  return factors.length === 0 && subject === null
}

const BREAK_GLASS_MAX = 3

/** `others`: how many people of the caller may do so already. */
export function setBreakGlass(person: Person, isOn: boolean, others: number): Decided | PersonRefusal {
  if (person.status !== 'ACTIVE') return refusePerson('person_not_active')
  if (isOn && person.factors.length === 0) return refusePerson('factor_needed')
  if (isOn && others >= BREAK_GLASS_MAX) return refusePerson('too_many_break_glass')
  return decided({ ...person, breakGlass: isOn }, person.breakGlass !== isOn)
}

function decided(person: Person, changed = true): Decided {
  return { outcome: 'decided', person, changed }
}

function isSelf(person: Person, actor: Actor): boolean {
  return actor.kind === 'PERSON' && actor.id === person.personId
}

/** Whether one of the books would be left without an administrator; `remaining`: where the person stays one. */
function isLastAdministrator(
  person: Person,
  {
    otherAdministrators,
    remaining,
  }: { otherAdministrators: Record<Mode, number>; remaining: readonly Mode[] },
): boolean {
  if (person.role !== 'ADMINISTRATOR' || person.status !== 'ACTIVE') return false
  return person.modes.some((mode) => otherAdministrators[mode] === 0 && !remaining.includes(mode))
}

function sameModes(left: readonly Mode[], right: readonly Mode[]): boolean {
  return left.length === right.length && left.every((mode) => right.includes(mode))
}

export type Session = {
  callerId: string
  personId: string
  sessionId: string
  address: string | null
  userAgent: string | null
  startedAt: Date
  method: 'PASSWORD' | 'SSO'
  /** How the identity provider names its own session. */
  providerSession: string | null
  /** When the password was last given. */
  signedInAt: Date
  lastSeenAt: Date
}

export type Changed = { outcome: 'changed'; person: Person }
/** The secret for the browser, available only here. */
export type SignedIn = {
  outcome: 'signed_in'
  person: Person
  secret: string
  /** Where the browser was not known to the person yet: what it is recognised by from now on. */
  device?: string
}
