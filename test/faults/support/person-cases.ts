/** Acts on people that are interrupted, and what has to be left of each. */
import assert from 'node:assert/strict'
import type { Queries } from '../../../src/engine/database/database.ts'
import type { PersonAct, PersonActed } from './person-acts.ts'

type Office = { act: (act: WithoutCaller) => Promise<PersonActed> }
export type WithoutCaller = PersonAct extends infer Act
  ? Act extends PersonAct
    ? Omit<Act, 'callerId'>
    : never
  : never
export type PersonCase = {
  name: string
  /** Prepares a person, and answers the act that is interrupted. */
  draw: (office: Office, who: { first: string; second: string; email: string }) => Promise<WithoutCaller>
  event: string
  /** How the person stands, see standing. */
  before: string
  after: string
  answer: 'changed' | 'linked'
  /** The answer of the same act after it was committed. */
  again: string
  /** The same act again is another one: somebody gets a new link. */
  repeats?: true
}

export const personCases: readonly PersonCase[] = [
  {
    name: 'the use of a link',
    draw: async (office, { first, email }) => {
      const { token } = await office.act({ name: 'invite', by: first, email, role: 'SUPERVISOR' })
      return { name: 'accept', by: null, token }
    },
    ...{ before: 'SUPERVISOR INVITED, has a link to INVITE', after: 'SUPERVISOR ACTIVE, rests' },
    ...{ event: 'person.activated', answer: 'changed', again: 'link_not_valid' },
  },
  {
    name: 'another role',
    draw: async (office, { first, email }) => ({
      ...{ name: 'change role', by: first, role: 'SUPERVISOR' },
      personId: await employ(office, null, email),
    }),
    ...{ before: 'CLERK ACTIVE', after: 'SUPERVISOR ACTIVE, rests' },
    // The same again changes nothing.
    ...{ event: 'person.role_changed', answer: 'changed', again: 'changed' },
  },
  {
    name: 'a confirmation',
    draw: async (office, { first, second, email }) => ({
      ...{ name: 'confirm', by: second },
      personId: await employ(office, first, email),
    }),
    ...{ before: 'CLERK ACTIVE, rests', after: 'CLERK ACTIVE' },
    ...{ event: 'person.confirmed', answer: 'changed', again: 'nothing_to_confirm' },
  },
  {
    name: 'an invitation',
    draw: async (_, { first, email }) => ({ name: 'invite', by: first, email, role: 'CLERK' }),
    ...{ before: 'unknown', after: 'CLERK INVITED, has a link to INVITE' },
    ...{ event: 'person.invited', answer: 'linked', again: 'linked', repeats: true },
  },
  {
    name: 'a reset',
    draw: async (office, { first, email }) => ({
      ...{ name: 'reset', by: first },
      personId: await employ(office, null, email),
    }),
    ...{ before: 'CLERK ACTIVE', after: 'CLERK ACTIVE, has a link to RESET' },
    ...{ event: 'person.reset', answer: 'linked', again: 'linked', repeats: true },
  },
  {
    name: 'disabling somebody',
    draw: async (office, { first, email }) => ({
      ...{ name: 'disable', by: first },
      personId: await employ(office, first, email),
    }),
    ...{ before: 'CLERK ACTIVE, rests', after: 'CLERK DISABLED, rests' },
    ...{ event: 'person.disabled', answer: 'changed', again: 'changed' },
  },
]

let employed = 0

export function newEmail(): string {
  employed += 1
  return `person-${employed}@example.com`
}

/** With a password; invited by the operator, or by an administrator, whose act makes the person rest. */
export async function employ(office: Office, by: string | null, email?: string): Promise<string> {
  const name = email ?? newEmail()
  const role = email === undefined ? 'ADMINISTRATOR' : 'CLERK'
  const { token } = await office.act({ name: 'invite', by, email: name, role })
  const { code, personId } = await office.act({ name: 'accept', by: null, token })
  assert.equal(code, 'changed')
  return personId
}

/** How somebody stands, and how many lines an act has left in the audit logs of both books. */
export async function standing(
  db: Queries,
  email: string,
  event: string,
): Promise<{ stands: string; lines: number }> {
  const [row] = await db.query<{ stands: string; lines: number }>(
    `select concat(
         role, ' ', status,
         case when rests_until is not null then ', rests' end,
         ', has a link to ' || link_purpose) as stands,
       (select count(*)::int4 from events where subject_id = person_id and type = $2) as lines
     from people
     where email = $1`,
    [email, event],
  )
  return row ?? { stands: 'unknown', lines: 0 }
}

/** What is left of an act after so many times. */
export function leftOf({ before, after }: PersonCase, times: number): { stands: string; lines: number } {
  return { stands: times === 0 ? before : after, lines: 2 * times }
}
