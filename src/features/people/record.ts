import { type Static, Type } from 'typebox'
import { MODES, type Mode } from '../../domain/book.ts'
import { type Person, ROLES } from '../../domain/people.ts'
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
