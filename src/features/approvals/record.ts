import { type Static, Type } from 'typebox'
import { APPROVAL_STATUSES, type Approval, statusAt, type Vote } from '../../domain/approvals.ts'
import { AnyObject, Choice, Money, Nullable, PlainText, Text } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import {
  actor,
  approvalId,
  count,
  instant,
  kind,
  listOf,
  oneOf,
  orNull,
  record,
  text,
} from '../../wire/record.ts'
import { APPROVABLE_OPERATIONS } from '../document-kinds/document.ts'

const NOTE = 'A line for the approvers. Events do not contain it.'
const operationName = Choice(APPROVABLE_OPERATIONS, { title: 'ApprovableOperation' })

export const NewApproval = Type.Object({
  operation: Choice(APPROVABLE_OPERATIONS, {
    title: 'ApprovableOperation',
    description:
      'The operationId of the operation that is to wait. One request at a time may wait for an operation and target, ' +
      'but any number of openFixedDeposit, because each is about a new deposit.',
  }),
  target_id: Type.Optional(
    Nullable(Text({ min: 1, max: 64 }), {
      description: 'What its path names; left out where its path names nothing.',
    }),
  ),
  body: AnyObject({ description: 'The body of the operation, as in the direct call.' }),
  note: Type.Optional(Nullable(PlainText({ max: 200 }), { description: NOTE })),
})
export type NewApproval = Static<typeof NewApproval>

export const ApprovalVote = Type.Object({
  expected_net_credited: Type.Optional(
    Nullable(Money(), {
      description: 'For a liquidation: what the approver agrees to; another figure is refused.',
    }),
  ),
})
export type ApprovalVote = Static<typeof ApprovalVote>

export const ApprovalRejection = Type.Object({
  reason: PlainText({ max: 200, description: 'Why the request is rejected.' }),
})
export type ApprovalRejection = Static<typeof ApprovalRejection>

const VoteRecord = record<Vote>('ApprovalVoteCast', {
  actor: actor.of((vote) => vote.actor),
  at: instant.as('When.', (vote) => vote.at),
})

/** JSON text that was stored before: the body of an operation, or its result. */
const json = kind<string>(AnyObject(), (kept) => parseJson(kept))

/** `at` is the book's time: after its expiry a request is shown as EXPIRED. */
type Shown = { approval: Approval; at: Date }

export const ApprovalRecord = record<Shown>('Approval', {
  approval_id: approvalId.of(({ approval }) => approval.approvalId),
  operation: kind<string>(operationName, (name) => name).as(
    'The operation that waits.',
    ({ approval }) => approval.operation,
  ),
  target_id: orNull(text).as(
    'What the operation is about; null where nothing.',
    ({ approval }) => approval.targetId,
  ),
  body: json.as('The body of the operation.', ({ approval }) => approval.body),
  note: orNull(text).as(NOTE, ({ approval }) => approval.note),
  status: oneOf('ApprovalStatus', APPROVAL_STATUSES).as(
    'PENDING until it is decided, cancelled or expired; then it stays as it is.',
    ({ approval, at }) => statusAt(approval, at),
  ),
  preview: json.as(
    'The expected result of the operation, or the impact of rules, a product or a policy: now, for a pending one; ' +
      'otherwise when it was requested, or {} where the bank no longer keeps it.',
    ({ approval }) => approval.preview,
  ),
  approvals_needed: count.as(
    'How many have to approve: by the policy and figures of now, and never fewer than when it was requested.',
    ({ approval }) => approval.approvalsNeeded,
  ),
  votes: listOf(VoteRecord).as(
    'Who approved so far; while it is pending, those whose votes count by the policy of now.',
    ({ approval }) => approval.votes,
  ),
  requested_by: actor.of(({ approval }) => approval.requestedBy),
  requested_at: instant.as('When it was requested.', ({ approval }) => approval.requestedAt),
  expires_at: instant.as(
    'When it expires, unless it is decided before.',
    ({ approval }) => approval.expiresAt,
  ),
  decided_at: orNull(instant).as('When it was decided.', ({ approval }) => approval.decidedAt),
  result: orNull(json).as('What the operation answered.', ({ approval }) => approval.result),
  decision_reason: orNull(text).as('Why it was rejected.', ({ approval }) => approval.decisionReason),
})

/** The data for subscribers: no notes, and nothing of the body, which may contain personal data. */
export const ApprovalEventRecord = record<Approval>('ApprovalEventData', {
  approval_id: approvalId.of((approval) => approval.approvalId),
  operation: kind<string>(operationName, (name) => name).as(
    'The operation.',
    (approval) => approval.operation,
  ),
  target_id: orNull(text).as('What it is about.', (approval) => approval.targetId),
  status: oneOf('ApprovalStatus', APPROVAL_STATUSES).as('What became of it.', (approval) => approval.status),
  approvals_needed: count.as('How many have to approve.', (approval) => approval.approvalsNeeded),
  votes: count.as('How many approved whose votes count.', (approval) => approval.votes.length),
})

/** What subscribers can receive. */
export const approvalEvents = {
  'approval.requested': ApprovalEventRecord,
  'approval.voted': ApprovalEventRecord,
  'approval.approved': ApprovalEventRecord,
  'approval.rejected': ApprovalEventRecord,
  'approval.cancelled': ApprovalEventRecord,
  'approval.expired': ApprovalEventRecord,
}
