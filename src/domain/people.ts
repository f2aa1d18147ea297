/**
 * People who use the console. A role is a set of scopes and nothing else: a person may do what a key with those scopes
 * may do. This file decides what one person, or the operator, may do to another.
 */
import type { Actor } from './actor.ts'
import type { Mode } from './book.ts'
import type { RefusalDetails } from './refusal.ts'

export const ROLES = ['VIEWER', 'CLERK', 'SUPERVISOR', 'ADMINISTRATOR'] as const
export type Role = (typeof ROLES)[number]

export const PERSON_STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'] as const
export type PersonStatus = (typeof PERSON_STATUSES)[number]

const VIEWER = ['customers:read', 'accounts:read', 'fixed_deposits:read', 'ledger:read', 'rules:read']
/** `test_clock:write` exists for people alone: a key needs `*`, which no role has. */
const CLERK = [...VIEWER, 'customers:write', 'fixed_deposits:liquidate', 'test_clock:write']
const SUPERVISOR = [
  ...CLERK,
  'rules:write',
  'approvals:read',
  'approvals:decide',
  'penal_charges:waive',
  'liens:read',
  'liens:write',
  'liquidations:reverse',
  'tax:read',
  'reports:read',
  'audit:read',
  'events:read',
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
  status: PersonStatus
  lastSeenAt: Date | null
  createdAt: Date
}

export type PersonRefusalCode =
  | 'person_not_found'
  | 'person_not_active'
  | 'email_taken'
  | 'own_role'
  | 'last_administrator'
  | 'link_not_valid'
  | 'sign_in_refused'
  | 'too_many_sign_ins'
  | 'session_ended'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_too_common'

/** Separate from the refusals of the API, whose clients never see these. */
export type PersonRefusal = { outcome: 'refused'; code: PersonRefusalCode; details: RefusalDetails }

export function refusePerson(code: PersonRefusalCode, details: RefusalDetails = {}): PersonRefusal {
  return { outcome: 'refused', code, details }
}

export type Decided = { outcome: 'decided'; person: Person; changed: boolean }

export type Invitation = Pick<Person, 'callerId' | 'name' | 'email' | 'role' | 'modes'>

/**
 * Creates a person, or invites again a person who has not accepted yet or was disabled. Those keep their identifier,
 * because their earlier work is recorded under it.
 */
export function invite(
  known: Person | undefined,
  asked: Invitation & { personId: string; at: Date },
): Decided | PersonRefusal {
  if (known?.status === 'ACTIVE') return refusePerson('email_taken')
  const { at, ...terms } = asked
  const { personId, createdAt, lastSeenAt } = known ?? {
    personId: asked.personId,
    createdAt: at,
    lastSeenAt: null,
  }
  return decided({ ...terms, personId, createdAt, lastSeenAt, status: 'INVITED' })
}

/** `otherAdministrators`: those of the caller who are ACTIVE, without this person. */
type Standing = { person: Person; actor: Actor; otherAdministrators: number }

export function changeRole(
  { person, actor, otherAdministrators }: Standing,
  asked: Pick<Person, 'role' | 'modes'>,
): Decided | PersonRefusal {
  if (person.status === 'DISABLED') return refusePerson('person_not_active')
  if (isSelf(person, actor)) return refusePerson('own_role')
  if (asked.role !== 'ADMINISTRATOR' && isLastAdministrator(person, otherAdministrators)) {
    return refusePerson('last_administrator')
  }
  const changed = person.role !== asked.role || !sameModes(person.modes, asked.modes)
  return decided({ ...person, role: asked.role, modes: asked.modes }, changed)
}

export function disable({ person, otherAdministrators }: Standing): Decided | PersonRefusal {
  if (isLastAdministrator(person, otherAdministrators)) return refusePerson('last_administrator')
  return decided({ ...person, status: 'DISABLED' }, person.status !== 'DISABLED')
}

/** Addresses are compared case-insensitively, but stored as written. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

const MINUTE_MS = 60_000
const SESSION_IDLE_MS = 15 * MINUTE_MS
const SESSION_MAX_MS = 600 * MINUTE_MS
export const LINK_MS = 30 * MINUTE_MS
const RECENT_SIGN_IN_MS = 15 * MINUTE_MS

export function isSessionOver(session: { startedAt: Date; lastSeenAt: Date }, now: Date): boolean {
  const { startedAt, lastSeenAt } = oldestOpen(now)
  return session.startedAt <= startedAt || session.lastSeenAt <= lastSeenAt
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

function decided(person: Person, changed = true): Decided {
  return { outcome: 'decided', person, changed }
}

function isSelf(person: Person, actor: Actor): boolean {
  return actor.kind === 'PERSON' && actor.id === person.personId
}

function isLastAdministrator(person: Person, otherAdministrators: number): boolean {
  return person.role === 'ADMINISTRATOR' && person.status === 'ACTIVE' && otherAdministrators === 0
}

function sameModes(left: readonly Mode[], right: readonly Mode[]): boolean {
  return left.length === right.length && left.every((mode) => right.includes(mode))
}
