/**
 * Which operations wait for other people, and who may let them go on.
 * Guarantees: the most that any matching rule asks for is needed, whatever their order; the maker never decides, and each
 * actor votes once; a decided request stays as it is.
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

/** Who decides: only people, because whoever may make keys could make a second pair of eyes, or keys too. */
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

/** For books without a policy: nothing has to wait, but anything may be asked to. */
export const DEFAULT_POLICY: ApprovalPolicy = { expiresAfterHours: 72, deciders: 'PERSON', rules: [] }

/** What is known of a request; a condition on what is not known does not match. */
export type Facts = {
  amount?: bigint
  netCredited?: bigint
  waivedAmount?: bigint
  /** In parts per million of the charge, as a fraction: what was waived may be no whole number of them. */
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

/** How a direct call is answered that has to wait for others. */
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
  /** JSON text, as it was sent. */
  body: string
  note: string | null
  status: ApprovalStatus
  /** JSON text: what the operation would have answered when it was asked for. */
  preview: string
  approvalsNeeded: number
  /** The same for a key and its successors. */
  maker: string
  requestedBy: Actor
  requestedAt: Date
  expiresAt: Date
  decidedAt: Date | null
  decisionReason: string | null
  /** JSON text: what the operation answered. */
  result: string | null
  votes: readonly Vote[]
}

/** Past its time a request counts as expired, also before the job has written it down. */
export function statusAt(approval: Approval, at: Date): ApprovalStatus {
  return approval.status === 'PENDING' && approval.expiresAt <= at ? 'EXPIRED' : approval.status
}

export function refusePending(approval: Approval | undefined, at: Date): Refusal | null {
  if (approval === undefined) return refuse('approval_not_found')
  const status = statusAt(approval, at)
  return status === 'PENDING' ? null : refuse('approval_not_pending', { approval_status: status })
}

/** Why an actor may not vote on a request that is pending; null: it may. */
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
