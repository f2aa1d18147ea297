import { type Static, Type } from 'typebox'
import { MODES } from '../../domain/book.ts'
import { PERSON_STATUSES, type Person, type PersonRefusalCode, ROLES } from '../../domain/people.ts'
import { Choice, Email, ListOf, PersonName } from '../../wire/fields.ts'
import { readBody } from '../../wire/reader.ts'
import { instant, listOf, type Members, oneOf, orNull, personId, record, text } from '../../wire/record.ts'

export const NewPerson = Type.Object({
  name: PersonName(),
  email: Email(),
  role: Choice(ROLES),
  modes: ListOf(Choice(MODES), { min: 1, max: MODES.length }),
})
export type NewPerson = Static<typeof NewPerson>

const access: Members<Person> = {
  role: oneOf('Role', ROLES).as('What the person may do.', (person) => person.role),
  modes: listOf(oneOf('Mode', MODES)).as('The books that the person works in.', (person) =>
    MODES.filter((mode) => person.modes.includes(mode)),
  ),
  status: oneOf('PersonStatus', PERSON_STATUSES).as(
    'INVITED until a password is set, DISABLED when the person may no longer sign in.',
    (person) => person.status,
  ),
}
const contact: Members<Person> = {
  name: text.as('What the person is called.', (person) => person.name),
  email: text.as('What the person signs in with.', (person) => person.email),
}

export const PersonRecord = record<Person>('Person', {
  person_id: personId.of((person) => person.personId),
  ...contact,
  ...access,
  last_seen_at: orNull(instant).as('When the person was there last, or null.', (person) => person.lastSeenAt),
})

/** The event data of a person: nothing personal. */
export const PersonEventRecord = record<Person>('PersonEvent', {
  person_id: personId.of((person) => person.personId),
  ...access,
})

const FirstAdministrator = Type.Object({ name: PersonName(), email: Email() })

/** null: one of them is missing or not valid. */
export function readFirstAdministrator(asked: {
  name: string
  email: string
}): { name: string; email: string } | null {
  const read = readBody(FirstAdministrator, { name: asked.name.trim(), email: asked.email.trim() })
  return read.ok ? read.value : null
}

/** What administrators and the operator do to people. */
export const personEvents = {
  'person.invited': PersonEventRecord,
  'person.role_changed': PersonEventRecord,
  'person.reset': PersonEventRecord,
  'person.disabled': PersonEventRecord,
  'person.enabled': PersonEventRecord,
  'person.confirmed': PersonEventRecord,
  'person.factors_removed': PersonEventRecord,
  'person.break_glass_used': PersonEventRecord,
}

/** What the audit log alone shows. */
export const AuditedPersonRecord = record<Person>('AuditedPerson', { ...contact, ...access })

/** Messages for refusals, and what to do about them. */
export const REFUSED: Record<PersonRefusalCode, string> = {
  person_not_found: 'There is no such person.',
  person_not_active: 'The person is not active. Invite them again.',
  email_taken:
    'Somebody with this e-mail address is active already. Disable them first, or use another address.',
  name_needed: 'Give a name and an e-mail address.',
  own_role: 'Nobody can change their own role. Ask another administrator.',
  last_administrator: 'The last active administrator must remain. Make another one first.',
  other_books: 'The person works, or worked, in a book that you do not work in.',
  nothing_to_confirm: 'There is nothing to confirm.',
  changed_meanwhile: 'Something was changed meanwhile. Look again, and then confirm.',
  own_act: 'Somebody else has to confirm what you did. Ask another administrator.',
  confirmer_rests:
    'You cannot confirm anything yet, because your own access was changed within the last day.',
  link_not_valid: 'The link has expired or was used. Ask for a new one.',
  sign_in_refused: 'The e-mail address or the password is not right.',
  too_many_sign_ins: 'There were too many tries. Wait a moment, then try again.',
  session_ended: 'The session has ended. Sign in again.',
  password_too_short: 'The password is too short. Use at least 12 characters.',
  password_too_long: 'The password is too long. Use at most 256 characters.',
  password_too_common: 'The password is one of the most common ones. Use another.',
  code_refused: 'The code is not right, or was used before.',
  factor_exists: 'There is an authenticator app already. Remove it first.',
  passkey_refused: 'The passkey was not accepted.',
  passkey_copied: 'The passkey was not accepted, because there seems to be a copy of it.',
  too_many_passkeys: 'There are ten passkeys already. Remove one first.',
  factor_not_found: 'There is no such second factor.',
  own_factors: 'Nobody can remove their own second factors here.',
  managed_role: 'The identity provider manages the role of this person.',
  factor_needed: 'The person has no second factor. It has to be added first.',
  too_many_break_glass: 'Three people may break the glass already. Take it from one of them first.',
  no_group: 'None of the groups gives a role.',
  roles_conflict: 'The groups give an administrator another role as well.',
  email_not_verified: 'The identity provider gave no verified e-mail address.',
  email_linked: 'The e-mail address belongs to somebody else of the identity provider.',
  person_disabled: 'The person is disabled.',
}

/** What happens to a person, or is done by one. */
export type PersonAction =
  | 'person.invited'
  | 'person.enabled'
  | 'person.activated'
  | 'person.role_changed'
  | 'person.disabled'
  | 'person.confirmed'
  | 'person.reset'
  | 'person.password_reset'
  | 'person.password_changed'
  | 'person.signed_in'
  | 'person.factor_added'
  | 'person.factor_removed'
  | 'person.factors_removed'
  | 'person.recovery_codes_made'
  | 'person.recovery_code_used'
  | 'person.passkey_copied'
  | 'person.linked'
  | 'person.provisioned'
  | 'person.break_glass_set'
  | 'person.break_glass_used'

/** Acts on people are announced, in contrast to what people do themselves. */
export function isAct(action: PersonAction): boolean {
  return Object.hasOwn(personEvents, action)
}

/** What the person did, or somebody with the person's session: the person sees it at the next page. */
export function isOwnAct(action: PersonAction): boolean {
  return OWN_ACTS.includes(action)
}

const OWN_ACTS: readonly PersonAction[] = [
  'person.factor_added',
  'person.factor_removed',
  'person.recovery_code_used',
  'person.passkey_copied',
]

/** Old and new values, where the record of the person has changed. */
export function differenceOf({
  person,
  before,
  noted,
}: {
  person: Person
  before: Person | null
  noted?: string
}): string | null {
  const after = AuditedPersonRecord.write(person)
  const earlier = before && AuditedPersonRecord.write(before)
  const values = { before: earlier, after, ...(noted !== undefined && { noted }) }
  const isSame = JSON.stringify(earlier) === JSON.stringify(after)
  return isSame && noted === undefined ? null : JSON.stringify(values)
}
