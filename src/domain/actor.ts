/** Who made a change: an API key, a person at the console, the operator at the command line, or a job of the service. */
export const ACTOR_KINDS = ['KEY', 'PERSON', 'OPERATOR', 'JOB'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** name: the display name of a key or a person; null where it has none. */
export type Actor = {
  kind: ActorKind
  id: string
  name: string | null
  /** The first key of the chain of a rolled key. */
  rootId?: string
}

/** The same for a key and its successors, so that nobody becomes a second pair of eyes by rolling a key. */
export function identityOf({ kind, id, rootId = id }: Pick<Actor, 'kind' | 'id' | 'rootId'>): string {
  return `${kind} ${rootId}`
}

export const OPERATOR: Actor = { kind: 'OPERATOR', id: 'operator', name: null }
export const MATURITY_JOB: Actor = { kind: 'JOB', id: 'maturity', name: null }
export const JOB_OF_ACCRUALS: Actor = { kind: 'JOB', id: 'accruals', name: null }
export const JOB_OF_APPROVALS: Actor = { kind: 'JOB', id: 'approvals', name: null }
export const WEBHOOK_SENDER: Actor = { kind: 'JOB', id: 'webhooks', name: null }
export const SEAL_JOB: Actor = { kind: 'JOB', id: 'seals', name: null }
