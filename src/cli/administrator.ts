/** Where nobody can sign in yet, a start on a terminal prints a link for an administrator. */
import { OPERATOR } from '../domain/actor.ts'
import { MODES } from '../domain/book.ts'
import { FIRST_EMAIL } from '../domain/people.ts'
import { ClockUnsureError } from '../engine/change/faults.ts'
import { listCallers } from '../features/callers/store.ts'
import { invitePerson, linkPath } from '../features/people/changes.ts'
import { listPeople } from '../features/people/store.ts'
import type { Service } from './compose.ts'

/** The person who opens the link gives a name and an own address. */
const FIRST = { name: 'Administrator', email: FIRST_EMAIL, role: 'ADMINISTRATOR' } as const

/** The caller without people; null where there is no caller yet, or where somebody was invited already. */
export async function findCallerWithoutPeople(service: Service): Promise<string | null> {
  const [caller] = await listCallers(service.db)
  if (caller === undefined) return null
  const { callerId } = caller
  const { items } = await listPeople(service.db, callerId, { limit: 2, before: null })
  // An unused link is replaced at the next start.
  return items.some(({ email, status }) => email !== FIRST.email || status !== 'INVITED') ? null : callerId
}

/** What the operator runs where there is no terminal to print a link to. */
export function inviteCommand(callerId: string): string {
  return `breakwater people invite --caller ${callerId} --role ADMINISTRATOR --email EMAIL --name NAME`
}

/** The path of the link. */
export async function inviteFirstAdministrator(service: Service, callerId: string): Promise<string | null> {
  const asker = { actor: OPERATOR, requestId: null }
  try {
    const linked = await invitePerson(service, asker, { ...FIRST, callerId, modes: MODES })
    return linked.outcome === 'linked' ? linkPath(linked.link.token) : null
  } catch (error) {
    // The service starts also where the clock has to be confirmed first; the next start prints a link.
    if (error instanceof ClockUnsureError) return null
    throw error
  }
}
