/** Acts of the operator and of administrators on people, as the console carries them out. */
import type { Service } from '../../../src/cli/compose.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { MODES } from '../../../src/domain/book.ts'
import type { Role } from '../../../src/domain/people.ts'
import {
  type Asker,
  changePersonRole,
  confirmPerson,
  disablePerson,
  invitePerson,
  issueResetLink,
} from '../../../src/features/people/changes.ts'
import { findPerson } from '../../../src/features/people/store.ts'
import { setPasswordByLink } from '../../../src/features/sessions/changes.ts'

/** `by`: the administrator; null: the operator. */
export type PersonAct = { by: string | null; callerId: string } & (
  | { name: 'invite'; email: string; role: Role }
  | { name: 'accept'; token: string }
  | { name: 'change role'; personId: string; role: Role }
  | { name: 'confirm' | 'reset' | 'disable'; personId: string }
)

export type PersonActed = { code: string; personId: string; token: string }

export async function actOnPerson(service: Service, act: PersonAct): Promise<PersonActed> {
  const { callerId } = act
  const actor = act.by === null ? OPERATOR : ({ kind: 'PERSON', id: act.by, name: null } as const)
  const asker: Asker = { actor, requestId: null, modes: MODES }
  const result = await carriedOut()
  if (result.outcome === 'refused') return { code: result.code, personId: '', token: '' }
  const token = result.outcome === 'linked' ? result.link.token : ''
  return { code: result.outcome, personId: result.person.personId, token }

  async function carriedOut() {
    switch (act.name) {
      case 'invite': {
        const { email, role } = act
        return invitePerson(service, asker, { callerId, name: 'Ada Obi', email, role, modes: MODES })
      }
      case 'accept':
        return setPasswordByLink(service, { token: act.token, passwordHash: 'a hash' })
      case 'change role':
        return changePersonRole(service, asker, { ...act, modes: MODES })
      case 'confirm':
        return confirmPerson(service, asker, { ...act, shown: await restOf(service, act) })
      case 'reset':
        return issueResetLink(service, asker, act)
      case 'disable':
        return disablePerson(service, asker, act)
      default:
        return act satisfies never
    }
  }
}

async function restOf({ db }: Service, act: { callerId: string; personId: string }): Promise<Date> {
  return (await findPerson(db, act))?.rest?.until ?? new Date(0)
}
