import { type Static, Type } from 'typebox'
import { MODES, type Mode } from '../../domain/book.ts'
import { type Person, type PersonRefusalCode, ROLES } from '../../domain/people.ts'
import { timestamp } from '../../wire/envelope.ts'
import { Choice, Email, ListOf, PersonName } from '../../wire/fields.ts'

export const NewPerson = Type.Object({
  name: PersonName(),
  email: Email(),
  role: Choice(ROLES),
  modes: ListOf(Choice(MODES), { min: 1, max: MODES.length }),
})
export type NewPerson = Static<typeof NewPerson>

export function personData(person: Person) {
  const { name, email } = person
  const { person_id, role, modes, status } = personEventData(person)
  return {
    person_id,
    name,
    email,
    role,
    modes,
    status,
    last_seen_at: person.lastSeenAt === null ? null : timestamp(person.lastSeenAt),
  }
}

/** What an event tells of a person: nothing personal. */
export function personEventData({ personId, role, modes, status }: Person) {
  return { person_id: personId, role, modes: inOrder(modes), status }
}

/** For the audit log alone. */
export function personAuditData({ name, email, role, modes, status }: Person) {
  return { name, email, role, modes: inOrder(modes), status }
}

export function sessionData(session: {
  sessionId: string
  address: string | null
  userAgent: string | null
  startedAt: Date
  signedInAt: Date
  lastSeenAt: Date
}) {
  return {
    session_id: session.sessionId,
    address: session.address,
    user_agent: session.userAgent,
    started_at: timestamp(session.startedAt),
    signed_in_at: timestamp(session.signedInAt),
    last_seen_at: timestamp(session.lastSeenAt),
  }
}

function inOrder(modes: readonly Mode[]): Mode[] {
  return MODES.filter((mode) => modes.includes(mode))
}

/** What the refused are told, and what to do about it. */
export const REFUSED: Record<PersonRefusalCode, string> = {
  person_not_found: 'There is no such person.',
  person_not_active: 'The person is not active. Invite them again.',
  email_taken:
    'Somebody with this e-mail address is active already. Disable them first, or use another address.',
  own_role: 'Nobody can change their own role. Ask another administrator.',
  last_administrator: 'The last active administrator must remain. Make another one first.',
  link_not_valid: 'The link has expired or was used. Ask for a new one.',
  sign_in_refused: 'The e-mail address or the password is not right.',
  too_many_sign_ins: 'There were too many tries. Wait a moment, then try again.',
  session_ended: 'The session has ended. Sign in again.',
  password_too_short: 'The password is too short. Use at least 12 characters.',
  password_too_long: 'The password is too long. Use at most 256 characters.',
  password_too_common: 'The password is one of the most common ones. Use another.',
}
