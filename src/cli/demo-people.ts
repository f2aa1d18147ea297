/**
 * One person of each role for a demo bank, who work in its test book alone. Their passwords are random and stored
 * beside the test key; where that was lost they get new ones.
 */
import { OPERATOR } from '../domain/actor.ts'
import type { Role } from '../domain/people.ts'
import { randomBase62 } from '../engine/database/ids.ts'
import { invitePerson, issueResetLink } from '../features/people/changes.ts'
import { findPeopleByEmail } from '../features/people/store.ts'
import { createSignInOver, type Service } from './compose.ts'

export type DemoPerson = { name: string; email: string; password: string; role: Role }

/** `number` counts the demo banks: each has its own addresses, so that a password is tried for one person only. */
export async function employDemoPeople(
  service: Service,
  bank: { callerId: string; number: number },
): Promise<DemoPerson[]> {
  const { setPassword } = createSignInOver(service, { triesPerAddressPerMinute: 0 })
  return Promise.all(
    DEMO_PEOPLE.map(async ({ name, role }) => {
      const email = `${role.toLowerCase()}${bank.number === 1 ? '' : `-${bank.number}`}@example.com`
      const token = await issueLink(service, { callerId: bank.callerId, name, email, role })
      const password = newPassword()
      const set = await setPassword({ token, password })
      if (set.outcome === 'refused') throw new Error(`The demo bank cannot be made: ${set.code}.`)
      return { name, email, password, role }
    }),
  )
}

const DEMO_PEOPLE = [
  { name: 'Tunde Bakare', role: 'CLERK' },
  { name: 'Halima Sani', role: 'SUPERVISOR' },
  { name: 'Grace Adeyemi', role: 'ADMINISTRATOR' },
  { name: 'Victor Nwosu', role: 'VIEWER' },
] as const

async function issueLink(
  service: Service,
  person: { callerId: string; name: string; email: string; role: Role },
): Promise<string> {
  const asOperator = { actor: OPERATOR, requestId: null }
  const [known] = await findPeopleByEmail(service.db, person)
  const linked =
    known?.status === 'ACTIVE'
      ? await issueResetLink(service, asOperator, known)
      : await invitePerson(service, asOperator, { ...person, modes: ['test'] })
  if (linked.outcome === 'refused') throw new Error(`The demo bank cannot be made: ${linked.code}.`)
  return linked.link.token
}

/** Four groups of five letters and digits, easy to type. */
function newPassword(): string {
  return Array.from({ length: 4 }, () => randomBase62(5)).join('-')
}
