/** Keys that are made, rolled and revoked, the rest that follows and its confirmation, as the model has them. */
import { hasCome, restAfter } from './model-of-people.ts'
import { type BookState, type Evidence, isRefusal, readData } from './state.ts'
import type { KeyRequest, Noted, SeenKey } from './workload.ts'

export function stepKey(
  state: BookState,
  request: KeyRequest,
  noted: Noted,
  evidence: Evidence,
): BookState | null {
  switch (request.kind) {
    case 'make key':
      return stepMaking(state, request, evidence)
    case 'confirm key':
      return stepEnd(state, request, noted, evidence)
    case 'roll key':
      return stepRoll(state, request, noted, evidence)
    case 'revoke key':
      return stepRevocation(state, noted, evidence)
    default:
      return request satisfies never
  }
}

type Of<Kind extends KeyRequest['kind']> = Extract<KeyRequest, { kind: Kind }>

const NO_REST = { restsUntil: null, restBy: [] }

function stepMaking(state: BookState, { by }: Of<'make key'>, evidence: Evidence): BookState | null {
  const { outcome, event } = evidence
  if (outcome.kind === 'refused') return null
  const apiKeyId = String(readData(`{"data":${event!.data}}`).api_key_id)
  const key = { ...restAfter(state, NO_REST, by, evidence), endsAt: null, root: null }
  return { ...state, apiKeys: new Map(state.apiKeys).set(apiKeyId, key) }
}

/** The successor rests as the key does, and anew where a person rolled it; the key ends after the overlap, not later. */
function stepRoll(
  state: BookState,
  { by, overlapSeconds }: Of<'roll key'>,
  { keyId }: Noted,
  evidence: Evidence,
): BookState | null {
  const { outcome, event } = evidence
  const key = state.apiKeys.get(keyId!)!
  const isOver = key.endsAt === null ? false : hasCome(key.endsAt, evidence)
  if (isOver !== false && isRefusal(outcome, 'api_key_not_active')) return state
  if (isOver === true || outcome.kind === 'refused') return null
  const at = new Date(Date.parse(event!.at) + overlapSeconds * 1_000).toISOString()
  const endsAt = key.endsAt !== null && key.endsAt <= at ? key.endsAt : at
  const successor = { ...restAfter(state, key, by, evidence), endsAt: null, root: key.root ?? keyId! }
  const successorId = String(readData(`{"data":${event!.data}}`).api_key_id)
  const apiKeys = new Map(state.apiKeys).set(keyId!, { ...key, endsAt }).set(successorId, successor)
  return { ...state, apiKeys }
}

/** A key that has ended stays as it is. */
function stepRevocation(state: BookState, { keyId }: Noted, evidence: Evidence): BookState | null {
  const { outcome, event } = evidence
  if (outcome.kind === 'refused') return null
  const key = state.apiKeys.get(keyId!)!
  const isOver = key.endsAt === null ? false : hasCome(key.endsAt, evidence)
  if (isOver !== false) return event === undefined ? state : null
  if (event === undefined) return null
  return { ...state, apiKeys: new Map(state.apiKeys).set(keyId!, { ...key, endsAt: event.at }) }
}

/** The rest ends by the word of an administrator who did not make the key and does not rest. */
function stepEnd(
  state: BookState,
  { by }: Of<'confirm key'>,
  { keyId }: Noted,
  evidence: Evidence,
): BookState | null {
  const { outcome } = evidence
  const key = state.apiKeys.get(keyId!)!
  const { restsUntil, restBy } = key
  const refusedWith = (code: string) => (isRefusal(outcome, code) ? state : null)
  const isOver = restsUntil === null ? true : hasCome(restsUntil, evidence)
  if (isOver === true) return refusedWith('nothing_to_confirm')
  if (isOver === 'perhaps' && isRefusal(outcome, 'nothing_to_confirm')) return state
  if (restBy.includes(by)) return refusedWith('own_act')
  const ownRest = state.people.get(by)!.restsUntil
  const isRested = ownRest === null ? true : hasCome(ownRest, evidence)
  if (isRested === false) return refusedWith('confirmer_rests')
  if (isRested === 'perhaps' && isRefusal(outcome, 'confirmer_rests')) return state
  if (outcome.kind === 'refused') return null
  return { ...state, apiKeys: new Map(state.apiKeys).set(keyId!, { ...key, ...NO_REST }) }
}

/** Whether a key may change things yet; null: nothing explains the answer. */
export function worksYet(worksFrom: string | null, evidence: Evidence): boolean | null {
  const { outcome } = evidence
  const isTooNew = isRefusal(outcome, 'key_too_new', { works_from: worksFrom })
  const hasRested = worksFrom === null ? true : hasCome(worksFrom, evidence)
  if (hasRested === 'perhaps') return !isTooNew
  return isTooNew === hasRested ? null : hasRested
}

/** Whether a key was at the end of a look what the door found it to be. */
export function wasSeen(
  { apiKeys }: BookState,
  { keyId, isEnded, worksFrom }: SeenKey & { keyId: string },
  { toMs }: Evidence,
): boolean {
  const { endsAt, restsUntil } = apiKeys.get(keyId)!
  const hasEnded = endsAt !== null && Date.parse(endsAt) <= toMs
  return hasEnded === isEnded && (isEnded || restsUntil === worksFrom)
}
