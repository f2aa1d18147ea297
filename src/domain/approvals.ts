/**
 * Which operations need the approval of others, and who may approve.
 *
 * Guarantees: the strictest matching rule applies, in whatever order; the maker never decides, and each actor votes
 * once; a decided request never changes.
 */
import type { Actor } from './actor.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Range } from './rules.ts'

export const APPROVABLE_OPERATIONS = [
  'openFixedDeposit',
  'liquidateFixedDeposit',
  'reverseLiquidation',
  'placeLien',
  'releaseLien',
  'creditAccount',
  'replaceRules',
  'replaceTaxRules',
  'putTaxStatus',
  'replaceApprovalPolicy',
] as const
export type ApprovableOperation = (typeof APPROVABLE_OPERATIONS)[number]

/**
 * Who decides: only people, because a holder of a key that can make keys could approve with a second key, or keys too.
 */
export const DECIDERS = ['PERSON', 'ANY'] as const

export type ApprovalConditions = {
  amount?: Range<bigint>
  netCredited?: Range<bigint>
  waivedAmount?: Range<bigint>
  waivedPercent?: Range<number>
  contactChangedHours?: Range<number>
  waiver?: true
}

export type ApprovalPolicy = {
  expiresAfterHours: number
  deciders: (typeof DECIDERS)[number]
  rules: { operation: ApprovableOperation; when: ApprovalConditions; approvals: number }[]
}

/** For books without a policy: nothing needs approval, but it can be requested for anything. */
export const DEFAULT_POLICY: ApprovalPolicy = { expiresAfterHours: 72, deciders: 'PERSON', rules: [] }

/** The facts of a request; a condition on an unknown fact does not match. */
export type Facts = {
  amount?: bigint
  netCredited?: bigint
  waivedAmount?: bigint
  /** In parts per million of the charge, as a fraction, because the waived share may not be a whole number of them. */
  waivedShare?: { numerator: bigint; denominator: bigint }
  /** Since e-mail or telephone number last changed; undefined: never. */
  contactChangedMs?: number
  waiver?: boolean
}

const HOUR_MS = 3_600_000
const PPM = 1_000_000n

export function approvalsNeeded(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
  facts: Facts,
): number {
  return Math.max(0, ...matchingRules(policy, operation, facts).map(({ approvals }) => approvals))
}

/** Why it has to wait. */
export function matchingRules(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
  facts: Facts,
): ApprovalPolicy['rules'] {
  return (policy?.rules ?? []).filter((rule) => rule.operation === operation && matches(rule.when, facts))
}

/** The refusal of a direct call that needs approval. */
export function heldForApproval(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
  facts: Facts,
): Refusal | null {
  const needed = approvalsNeeded(policy, operation, facts)
  return needed === 0 ? null : refuse('approval_required', { approvals_needed: needed })
}

function matches(when: ApprovalConditions, facts: Facts): boolean {
  const { waivedShare, contactChangedMs } = facts
  return (
    within(when.amount, facts.amount) &&
    within(when.netCredited, facts.netCredited) &&
    within(when.waivedAmount, facts.waivedAmount) &&
    shareWithin(when.waivedPercent, waivedShare) &&
    within(scaled(when.contactChangedHours, HOUR_MS), contactChangedMs) &&
    (when.waiver === undefined || facts.waiver === true)
  )
}

function within<Value extends number | bigint>(
  range: Range<Value> | undefined,
  value: Value | undefined,
): boolean {
  if (range === undefined) return true
  if (value === undefined) return false
  return (range.gte === undefined || value >= range.gte) && (range.lt === undefined || value < range.lt)
}

function shareWithin(range: Range<number> | undefined, share: Facts['waivedShare']): boolean {
  if (range === undefined) return true
  if (share === undefined) return false
  const { gte, lt } = range
  const value = share.numerator * PPM
  return (
    (gte === undefined || value >= BigInt(gte) * share.denominator) &&
    (lt === undefined || value < BigInt(lt) * share.denominator)
  )
}

function scaled(range: Range<number> | undefined, by: number): Range<number> | undefined {
  if (range === undefined) return undefined
  const { gte, lt } = range
  return { ...(gte !== undefined && { gte: gte * by }), ...(lt !== undefined && { lt: lt * by }) }
}

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export type Vote = { voter: string; actor: Actor; at: Date }

export type Approval = {
  approvalId: string
  operation: ApprovableOperation
  targetId: string | null
  /** JSON text, as sent. */
  body: string
  note: string | null
  status: ApprovalStatus
  /** JSON text: the expected result of the operation when it was requested. */
  preview: string
  approvalsNeeded: number
  /** The same for a key and its successors. */
  maker: string
  requestedBy: Actor
  requestedAt: Date
  expiresAt: Date
  decidedAt: Date | null
  decisionReason: string | null
  /** JSON text: the result of the operation. */
  result: string | null
  votes: readonly Vote[]
}

/** After its expiry a request counts as expired, even before the job has recorded it. */
export function statusAt(approval: Approval, at: Date): ApprovalStatus {
  return approval.status === 'PENDING' && approval.expiresAt <= at ? 'EXPIRED' : approval.status
}

export function refusePending(approval: Approval | undefined, at: Date): Refusal | null {
  if (approval === undefined) return refuse('approval_not_found')
  const status = statusAt(approval, at)
  return status === 'PENDING' ? null : refuse('approval_not_pending', { approval_status: status })
}

/** Why an actor may not vote on a pending request; null: it may. */
export function refuseVote(
  approval: Approval,
  policy: ApprovalPolicy,
  voter: { voter: string; actor: Actor },
): Refusal | null {
  if (voter.voter === approval.maker) return refuse('maker_cannot_approve')
  if (policy.deciders === 'PERSON' && voter.actor.kind !== 'PERSON') return refuse('person_required')
  if (approval.votes.some((vote) => vote.voter === voter.voter)) return refuse('already_voted')
  return null
}
