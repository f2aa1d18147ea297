/** Acts on people, the rest that follows them and its confirmation, as the model has them. */
import {
  type BookState,
  DAY_MS,
  type Evidence,
  isRefusal,
  type PersonState,
  type RestState,
  readData,
  shows,
} from './state.ts'
import type { Noted, PersonRequest } from './workload.ts'

const LINK_MS = 30 * 60_000

/** Whether a time has come: at the event where there is one; otherwise within the time of the request, perhaps. */
export function hasCome(time: string, { event, fromMs, toMs }: Evidence): boolean | 'perhaps' {
  const ms = Date.parse(time)
  if (event !== undefined) return Date.parse(event.at) >= ms
  return fromMs >= ms ? true : toMs < ms ? false : 'perhaps'
}

export function stepPerson(
  state: BookState,
  request: PersonRequest,
  noted: Noted,
  evidence: Evidence,
): BookState | null {
  const person = state.people.get(request.personId)!
  const after = personAfter(state, person, request, noted, evidence)
  if (after === 'refused') return state
  if (after === null || evidence.outcome.kind === 'refused') return null
  if (after === person) return evidence.event === undefined ? state : null
  if (evidence.event === undefined) return null
  const data = readData(`{"data":${evidence.event.data}}`)
  const { status, role } = after
  if (!shows(data, { person_id: request.personId, status, role })) return null
  if (evidence.body !== null) {
    const shown = readData(evidence.body)
    if (!shows(shown, { status, role }) || shown.rests_until !== after.restsUntil) return null
  }
  return { ...state, people: new Map(state.people).set(request.personId, after) }
}

/** The person afterwards; null: nothing explains the answer. */
function personAfter(
  state: BookState,
  person: PersonState,
  request: PersonRequest,
  noted: Noted,
  evidence: Evidence,
): PersonState | 'refused' | null {
  const { outcome, event } = evidence
  const refusedWith = (code: string) => (isRefusal(outcome, code) ? 'refused' : null)
  const link = (purpose: string, by: string | null) => {
    const expiresAt = new Date(Date.parse(event?.at ?? '1970-01-01T00:00:00.000Z') + LINK_MS).toISOString()
    return { link: { purpose, by, expiresAt } }
  }
  switch (request.kind) {
    case 'invite': {
      if (person.status === 'ACTIVE') return refusedWith('email_taken')
      const rest = request.by === null ? { restsUntil: null, restBy: [] } : {}
      const type = person.status === 'DISABLED' ? 'person.enabled' : 'person.invited'
      if (event !== undefined && event.of[type] === undefined) return null
      return { ...person, ...rest, ...link('INVITE', request.by), status: 'INVITED', role: request.role }
    }
    case 'reset':
      if (person.status !== 'ACTIVE') return refusedWith('person_not_active')
      return { ...person, ...link('RESET', request.by) }
    case 'use link': {
      if (person.link?.expiresAt !== noted.link) return refusedWith('link_not_valid')
      const isOver = hasCome(person.link!.expiresAt, evidence)
      if (isOver === true || outcome.kind === 'refused') return isOver ? refusedWith('link_not_valid') : null
      return {
        ...person,
        ...restAfter(state, person, person.link!.by, evidence),
        link: null,
        status: 'ACTIVE',
      }
    }
    case 'change role':
      if (person.status === 'DISABLED') return refusedWith('person_not_active')
      if (person.role === request.role) return person
      return { ...person, ...restAfter(state, person, request.by, evidence), role: request.role }
    case 'disable':
      return person.status === 'DISABLED' ? person : { ...person, status: 'DISABLED', link: null }
    case 'confirm':
      return confirmed(state, person, { by: request.by, shown: noted.shown }, evidence)
    default:
      return request satisfies never
  }
}

/** Of a person or a key: everybody here works in the live book. Who acted on somebody who rests is behind their acts too. */
export function restAfter(
  { people }: BookState,
  { restsUntil, restBy }: RestState,
  by: string | null,
  evidence: Evidence,
): RestState {
  const { event } = evidence
  if (by === null || event === undefined) return { restsUntil, restBy }
  const until = new Date(Date.parse(event.at) + DAY_MS).toISOString()
  const named = (rest: RestState) => {
    const isOver = rest.restsUntil === null || hasCome(rest.restsUntil, evidence) === true
    return isOver ? [] : rest.restBy
  }
  const actors = [...named({ restsUntil, restBy }), by, ...named(people.get(by)!)]
  return { restsUntil: until, restBy: [...new Set(actors)] }
}

function confirmed(
  state: BookState,
  person: PersonState,
  { by, shown }: { by: string; shown: string | undefined },
  evidence: Evidence,
): PersonState | 'refused' | null {
  const { outcome } = evidence
  const refusedWith = (code: string) => (isRefusal(outcome, code) ? 'refused' : null)
  if (person.status !== 'ACTIVE') return refusedWith('person_not_active')
  const isOver = person.restsUntil === null ? true : hasCome(person.restsUntil, evidence)
  if (isOver === true) return refusedWith('nothing_to_confirm')
  if (isOver === 'perhaps' && isRefusal(outcome, 'nothing_to_confirm')) return 'refused'
  if (person.restBy.includes(by)) return refusedWith('own_act')
  const ownRest = state.people.get(by)!.restsUntil
  const isRested = ownRest === null ? true : hasCome(ownRest, evidence)
  if (isRested === false) return refusedWith('confirmer_rests')
  if (isRested === 'perhaps' && isRefusal(outcome, 'confirmer_rests')) return 'refused'
  if (person.restsUntil !== shown) return refusedWith('changed_meanwhile')
  return { ...person, restsUntil: null, restBy: [] }
}
