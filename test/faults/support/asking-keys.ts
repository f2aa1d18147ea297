/** Keys, as administrators make, confirm, roll and revoke them and as requests use them. */
import type { Service } from '../../../src/cli/compose.ts'
import { type Actor, OPERATOR } from '../../../src/domain/actor.ts'
import { FULL_AUTHORITY } from '../../../src/domain/authority.ts'
import type { Origin } from '../../../src/engine/change/change.ts'
import {
  confirmApiKey,
  createApiKey,
  type IssuedKey,
  revokeApiKey,
  rollApiKey,
} from '../../../src/features/api-keys/changes.ts'
import { FailureError } from '../../../src/wire/failure.ts'
import type { Desk } from './asking-people.ts'
import type { Outcome } from './state.ts'
import type { KeyRequest } from './workload.ts'

const TERMS = { name: null, scopes: ['accounts:write' as const], expiresAt: null, rateLimitPerMinute: null }

export async function onKey(
  service: Service,
  origin: Origin,
  request: KeyRequest,
  { keys, noted }: Desk,
): Promise<Outcome> {
  const actor: Actor = request.by === null ? OPERATOR : { kind: 'PERSON', id: request.by, name: null }
  const by = { ...origin, actor }
  if (request.kind === 'make key') {
    const made = await createApiKey(service, by, { ...TERMS, held: FULL_AUTHORITY })
    if (made.outcome === 'refused') return { kind: 'refused', code: made.code, details: made.details }
    if (made.outcome === 'done') give(made.value)
    return DONE
  }
  const { keyId: apiKeyId } = keys.get(request.of)!
  noted.keyId = apiKeyId
  const result = await carriedOut(request)
  return result.outcome === 'refused' ? { kind: 'refused', code: result.code, details: result.details } : DONE

  async function carriedOut(asked: Exclude<KeyRequest, { kind: 'make key' }>) {
    switch (asked.kind) {
      case 'confirm key': {
        const confirmed = await confirmApiKey(service, by, apiKeyId)
        return confirmed.outcome === 'done' ? confirmed.value : confirmed
      }
      case 'roll key': {
        const { overlapSeconds } = asked
        const rolled = await rollApiKey(service, by, { apiKeyId, overlapSeconds, held: FULL_AUTHORITY })
        if (rolled.outcome === 'done') give(rolled.value.successor)
        return rolled
      }
      case 'revoke key':
        return revokeApiKey(service, by, { apiKeyId, held: FULL_AUTHORITY })
      default:
        return asked satisfies never
    }
  }

  function give({ apiKeyId: keyId, key: secret }: IssuedKey): void {
    keys.set(origin.requestId!, { keyId, secret })
  }
}

const DONE: Outcome = { kind: 'answered', status: 200, body: '{}', replayed: false }

/** What the door of the API reads of a key counts for the whole request; null: it lets nobody in with it. */
export async function usingKey(
  origin: Origin,
  name: string,
  { keys, noted, step, door }: Desk,
): Promise<Origin | null> {
  const { keyId, secret } = keys.get(name)!
  try {
    const authorization = `Bearer ${secret}`
    const { key } = await door.authenticate({ authorization, address: '', connection: {} })
    const worksFrom = key.rest?.until ?? null
    noted.used = { keyId, isEnded: false, worksFrom: worksFrom?.toISOString() ?? null, by: step() }
    const rootId = key.rootKeyId ?? keyId
    return { ...origin, actor: { kind: 'KEY', id: keyId, name: null, rootId }, worksFrom }
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'api_key_revoked') throw error
    noted.used = { keyId, isEnded: true, worksFrom: null, by: step() }
    return null
  }
}
