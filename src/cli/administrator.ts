/** Where nobody can sign in yet, the first start prints a link for an administrator. */
import { OPERATOR } from '../domain/actor.ts'
import { MODES } from '../domain/book.ts'
import { listCallers } from '../features/callers/store.ts'
import { invitePerson, linkPath } from '../features/people/changes.ts'
import { listPeople } from '../features/people/store.ts'
import type { Service } from './compose.ts'

/** The administrator only uses it to invite people under their own addresses. */
const FIRST = { name: 'Administrator', email: 'administrator@localhost', role: 'ADMINISTRATOR' } as const

/** The path of the link; null where there is no caller yet, or where people were already invited. */
export async function inviteFirstAdministrator(service: Service): Promise<string | null> {
  const [caller] = await listCallers(service.db)
  if (caller === undefined) return null
  const { callerId } = caller
  const { items } = await listPeople(service.db, callerId, { limit: 2, before: null })
  // An unused link is replaced at the next start.
  if (items.some(({ email, status }) => email !== FIRST.email || status !== 'INVITED')) return null
  const asker = { actor: OPERATOR, requestId: null }
  const linked = await invitePerson(service, asker, { ...FIRST, callerId, modes: MODES })
  return linked.outcome === 'linked' ? linkPath(linked.link.token) : null
}
