/** Acts on people, and what people do by themselves, as the console carries them out. */
import type { Service } from '../../../src/cli/compose.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import { type Book, MODES } from '../../../src/domain/book.ts'
import type { Changed, PersonRefusal } from '../../../src/domain/people.ts'
import {
  type Asker,
  changePersonRole,
  confirmPerson,
  disablePerson,
  invitePerson,
  issueResetLink,
  type Linked,
} from '../../../src/features/people/changes.ts'
import { findPerson } from '../../../src/features/people/store.ts'
import { setPasswordByLink } from '../../../src/features/sessions/changes.ts'
import type { Sender } from '../../../src/features/webhooks/sender.ts'
import type { createAuthenticate } from '../../../src/http/authentication.ts'
import { emailOf } from './people.ts'
import type { Outcome } from './state.ts'
import type { Noted, Operation, PersonRequest } from './workload.ts'

/** What clients remember besides their requests: which links and keys they were given, and what they saw. */
export type Desk = {
  /** By the operation that was answered with it. */
  links: Map<string, { token: string; expiresAt: string }>
  keys: Map<string, GivenKey>
  noted: Noted
  step: () => number
  sender: Sender
  /** The door of the API. */
  door: Pick<ReturnType<typeof createAuthenticate>, 'authenticate'>
}

export type GivenKey = { keyId: string; secret: string }

export async function onPerson(
  service: Service,
  book: Book,
  { id, request }: Operation & { request: PersonRequest },
  { links, noted }: Desk,
): Promise<Outcome> {
  const { callerId } = book
  const key = { callerId, personId: request.personId }
  switch (request.kind) {
    case 'invite': {
      const terms = { callerId, name: 'Somebody', email: emailOf(request.personId), role: request.role }
      return given(await invitePerson(service, askerOf(request.by, id), { ...terms, modes: MODES }))
    }
    case 'reset':
      return given(await issueResetLink(service, askerOf(request.by, id), key))
    case 'use link': {
      const { token, expiresAt } = links.get(request.of)!
      noted.link = expiresAt
      return outcomeOf(await setPasswordByLink(service, { token, passwordHash: 'another hash' }))
    }
    case 'change role': {
      const role = { ...key, role: request.role, modes: MODES }
      return outcomeOf(await changePersonRole(service, askerOf(request.by, id), role))
    }
    case 'disable':
      return outcomeOf(await disablePerson(service, askerOf(request.by, id), key))
    case 'confirm': {
      const shown = (await findPerson(service.db, key))?.rest?.until ?? new Date(0)
      noted.shown = shown.toISOString()
      return outcomeOf(await confirmPerson(service, askerOf(request.by, id), { ...key, shown }))
    }
    default:
      return request satisfies never
  }

  function given(result: Linked | PersonRefusal): Outcome {
    if (result.outcome === 'refused') return outcomeOf(result)
    const { token, expiresAt } = result.link
    links.set(id, { token, expiresAt: expiresAt.toISOString() })
    return outcomeOf({ outcome: 'changed', person: result.person })
  }
}

/** What the console finds in the session of a person before anything else. False: it does not let them decide. */
export async function mayDecide(
  service: Service,
  { callerId }: Book,
  personId: string,
  { noted, step }: Desk,
): Promise<boolean> {
  const person = await findPerson(service.db, { callerId, personId })
  const { status, role } = person!
  noted.seen = { personId, as: `${status} ${role}`, by: step() }
  return noted.seen.as === DECIDES
}

export const DECIDES = 'ACTIVE SUPERVISOR'

function askerOf(by: string | null, requestId: string): Asker {
  if (by === null) return { actor: OPERATOR, requestId }
  return { actor: { kind: 'PERSON', id: by, name: null }, requestId, modes: MODES }
}

function outcomeOf(result: Changed | PersonRefusal): Outcome {
  if (result.outcome === 'refused') return { kind: 'refused', code: result.code, details: result.details }
  const { status, role, rest } = result.person
  const body = JSON.stringify({ data: { status, role, rests_until: rest?.until ?? null } })
  return { kind: 'answered', status: 200, body, replayed: false }
}
