/**
 * Which operations need the approval of others, and who may approve.
 *
 * Guarantees: the strictest matching rule applies, in whatever order; the number of approvals never falls below the one
 * that was needed when the request was made; only votes count that the policy of now lets their actors give; the maker
 * never decides, and each actor votes once; a decided request never changes.
 */
import type { Actor } from './actor.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Range } from './rules.ts'

/** Further ones replace documents, which bring theirs (features/document-kinds). */
export const NAMED_OPERATIONS = [
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
  'putProduct',
  'addRateSheet',
  'startBatch',
] as const
export type NamedOperation = (typeof NAMED_OPERATIONS)[number]
export type DocumentOperation = `replace${string}`
export type ApprovableOperation = NamedOperation | DocumentOperation

/**
 * Who decides: only people, because a holder of a key that can make keys could approve with a second key, or keys too.
 */
export const DECIDERS = ['PERSON', 'ANY'] as const

/** Whose amounts a sum adds up. */
export const SUMS_OF = ['DEPOSIT', 'CUSTOMER', 'ACTOR'] as const

/** The amounts of the last business dates together, today and the request included. */
export type Sum = { of: (typeof SUMS_OF)[number]; days: number }

export type ApprovalConditions = {
  amount?: Range<bigint>
  netCredited?: Range<bigint>
  waivedAmount?: Range<bigint>
  waivedPercent?: Range<number>
  /** In parts per million above the rate of the sheet. */
  negotiatedPoints?: Range<number>
  contactChangedHours?: Range<number>
  waiver?: true
  sum?: Sum & { amount: Range<bigint> }
}

const NO_FACTS: readonly (keyof ApprovalConditions)[] = []

const FACTS_OF: Readonly<Record<NamedOperation, readonly (keyof ApprovalConditions)[]>> = {
  openFixedDeposit: ['amount', 'negotiatedPoints', 'contactChangedHours', 'sum'],
  liquidateFixedDeposit: [
    'amount',
    'netCredited',
    'waivedAmount',
    'waivedPercent',
    'waiver',
    'contactChangedHours',
    'sum',
  ],
  reverseLiquidation: ['amount', 'netCredited'],
  placeLien: ['amount'],
  releaseLien: ['amount'],
  creditAccount: ['amount', 'contactChangedHours', 'sum'],
  replaceRules: NO_FACTS,
  replaceTaxRules: NO_FACTS,
  putTaxStatus: NO_FACTS,
  replaceApprovalPolicy: NO_FACTS,
  putProduct: NO_FACTS,
  addRateSheet: NO_FACTS,
  startBatch: ['amount'],
}

/** The facts that an operation has: a condition on another one would never match. */
export function factsOf(operation: ApprovableOperation): readonly (keyof ApprovalConditions)[] {
  return isNamed(operation) ? FACTS_OF[operation] : NO_FACTS
}

export function isNamed(operation: ApprovableOperation): operation is NamedOperation {
  return Object.hasOwn(FACTS_OF, operation)
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
  negotiatedPpm?: number
  /** Since e-mail or telephone number last changed; undefined: never. */
  contactChangedMs?: number
  waiver?: boolean
  /** The operation of the lines that an approval of this one covers; undefined where it is not waiting for one. */
  covered?: string
  /** undefined where the operation is about nothing of this kind. */
  sumOf?: (sum: Sum) => bigint | undefined
}

/** The votes that a request has, and how many it needed when it was made. A direct call has none. */
export type Votes = { given: readonly Vote[] | 'ALL'; asked: number }

/** How many have to approve, and by which rules. */
export type Count = { needed: number; rules: ApprovalPolicy['rules'] }

const HOUR_MS = 3_600_000
const PPM = 1_000_000n

/**
 * The rules that apply; the facts are asked for only where the policy may say something of the operation. An approval
 * that covers other requests and that no rule asks for takes as many as the largest rule for those: it would otherwise be
 * the cheaper way to the same.
 */
export function countApprovals(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
  facts: () => Facts,
): Count {
  if (isFree(policy, operation)) return { needed: 0, rules: [] }
  const known = facts()
  const own = rulesOf(policy, operation).filter(({ when }) => matches(when, known))
  const rules = own.length > 0 ? own : policy!.rules.filter((rule) => rule.operation === known.covered)
  return { needed: mostOf(rules), rules }
}

/** Whether the policy holds no request of the operation, whatever it is about. */
export function isFree(policy: ApprovalPolicy | null, operation: ApprovableOperation): boolean {
  const coversOthers = operation === 'startBatch' && policy !== null && policy.rules.length > 0
  return rulesOf(policy, operation).length === 0 && !coversOthers
}

/**
 * The policy guards itself: where it has no rule for its own replacement, that needs as many approvals as its largest
 * rule.
 */
export function rulesOf(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
): ApprovalPolicy['rules'] {
  const rules = policy?.rules ?? []
  const own = rules.filter((rule) => rule.operation === operation)
  if (operation !== 'replaceApprovalPolicy' || own.length > 0 || rules.length === 0) return own
  return [{ operation, when: {}, approvals: mostOf(rules) }]
}

/** Whether a request may have to wait, by the amounts that are known of it; what is not known excludes no rule. */
export function mayNeedApproval(
  policy: ApprovalPolicy | null,
  operation: ApprovableOperation,
  { amount, netCredited }: Pick<Facts, 'amount' | 'netCredited'>,
): boolean {
  return rulesOf(policy, operation).some(
    ({ when }) =>
      (amount === undefined || within(when.amount, amount)) &&
      (netCredited === undefined || within(when.netCredited, netCredited)),
  )
}

/** Refuses a request that has too few votes; a direct call that needs any. */
export function holdFor({ needed }: Count, { given, asked }: Votes, policy: WhoDecides): Refusal | null {
  const all = Math.max(needed, asked)
  const isEnough = given === 'ALL' || votesThatCount(given, policy).length >= all
  return isEnough ? null : refuse('approval_required', { approvals_needed: all })
}

export type WhoDecides = Pick<ApprovalPolicy, 'deciders'>

/** Those that their actors could still give by the policy of now; the others are kept, and count again with a looser one. */
export function votesThatCount(votes: readonly Vote[], policy: WhoDecides): Vote[] {
  return votes.filter(({ actor }) => mayDecide(actor, policy))
}

function mayDecide({ kind }: Actor, { deciders }: WhoDecides): boolean {
  return deciders === 'ANY' || kind === 'PERSON'
}

/** A policy that nobody could satisfy would stop the bank. */
export function refuseTooFewDeciders(policy: ApprovalPolicy, deciders: number): Refusal | null {
  const enough = policy.deciders !== 'PERSON' || mostOf(policy.rules) <= deciders
  return enough ? null : refuse('too_few_deciders', { deciders })
}

function mostOf(rules: ApprovalPolicy['rules']): number {
  return Math.max(0, ...rules.map(({ approvals }) => approvals))
}

function matches(when: ApprovalConditions, facts: Facts): boolean {
  const { waivedShare, contactChangedMs } = facts
  return (
    within(when.amount, facts.amount) &&
    within(when.netCredited, facts.netCredited) &&
    within(when.waivedAmount, facts.waivedAmount) &&
    shareWithin(when.waivedPercent, waivedShare) &&
    within(when.negotiatedPoints, facts.negotiatedPpm) &&
    within(scaled(when.contactChangedHours, HOUR_MS), contactChangedMs) &&
    (when.waiver === undefined || facts.waiver === true) &&
    (when.sum === undefined || within(when.sum.amount, facts.sumOf?.(when.sum)))
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
  voter: { voter: string; actor: Actor; decidesFrom?: Date | null },
  now: Date,
): Refusal | null {
  if (voter.voter === approval.maker) return refuse('maker_cannot_approve')
  if (!mayDecide(voter.actor, policy)) return refuse('person_required')
  if (voter.decidesFrom != null && now < voter.decidesFrom) {
    return refuse('decider_too_new', { decides_from: voter.decidesFrom.toISOString() })
  }
  if (approval.votes.some((vote) => vote.voter === voter.voter)) return refuse('already_voted')
  return null
}
