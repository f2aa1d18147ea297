/**
 * Requesting approval, deciding, cancelling and expiring. Guarantees: the last vote carries the operation out in its
 * own transaction, with the figures, rules and business date of that moment; if the operation is refused then, that is
 * the answer and the request stays pending; of two concurrent last votes one executes. The approval is locked before
 * the records of the operation.
 */
import { JOB_OF_APPROVALS } from '../../domain/actor.ts'
import {
  type ApprovableOperation,
  type Approval,
  type ApprovalPolicy,
  approvalsNeeded,
  DEFAULT_POLICY,
  type Facts,
  refusePending,
  refuseVote,
  statusAt,
  type Vote,
} from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import type { Minor } from '../../domain/money.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import {
  type AnswerWriter,
  type Change,
  type DecisionContext,
  type EventDraft,
  made,
  type Origin,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { newId } from '../../engine/database/ids.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { type Operation, operations } from './operations.ts'
import { ApprovalEventRecord } from './record.ts'
import {
  countPending,
  decideApproval,
  findApproval,
  findExpired,
  findPending,
  insertApproval,
  insertVote,
  lockApproval,
  lockPending,
} from './store.ts'

/** Pending requests of one book: enough for any desk, few enough that lists of them stay short. */
const PENDING_MAX = 10_000
const HOUR_MS = 3_600_000

type ApprovalRequest = {
  approvalId: string
  operation: ApprovableOperation
  targetId: string | null
  /** As sent, for display and storage. */
  body: string
  /** The operation's request, as read from the body. */
  inner: unknown
  note: string | null
  maker: string
  requestedBy: Origin['actor']
}
type Asked = { approval: Approval; expired: Approval | null }
type KnownWhenAsked = {
  inner: { policy: unknown }
  policy: ApprovalPolicy | null
  earlier: Approval | undefined
  pending: number
}

/** The operation is tried without being carried out, and refused now if it would be. */
const asking = perOperation(
  ({ change, facts, preview }, operation): Change<ApprovalRequest, unknown, KnownWhenAsked, Asked> => ({
    batchMax: 1,
    // One that has expired is written down here too, so it is locked first: one order for all that lock both.
    lock: async (tx, bookId, [request]) => {
      const [, locked] = await Promise.all([
        lockPending(tx, bookId, operation, request!.targetId),
        change.lock(tx, bookId, [request!.inner]),
      ])
      return locked
    },
    read: async (tx, at, locked) => ({
      inner: await change.read(tx, { ...at, requests: [at.requests[0]!.inner] }, locked),
      policy: await readPolicy(tx, at),
      earlier: await findPending(tx, at.book.bookId, operation, at.requests[0]!.targetId),
      pending: await countPending(tx, at.book.bookId),
    }),
    decider: (known, at) => (request) => {
      const tried = change.decider({ ...known.inner, policy: null }, at)(request.inner)
      if (tried.outcome === 'refused') return tried
      const { policy, earlier } = known
      const expired = earlier !== undefined && statusAt(earlier, at.moment.at) === 'EXPIRED' ? earlier : null
      if (earlier !== undefined && expired === null) {
        return refuse('approval_already_pending', { approval_id: earlier.approvalId })
      }
      if (known.pending >= PENDING_MAX) return refuse('too_many_approvals', { maximum: PENDING_MAX })
      const { inner, ...asked } = request
      const { expiresAfterHours } = policy ?? DEFAULT_POLICY
      return made({
        approval: {
          ...asked,
          status: 'PENDING',
          preview: JSON.stringify(preview(tried.value as never)),
          approvalsNeeded: Math.max(1, approvalsNeeded(policy, operation, facts(tried.value as never))),
          requestedAt: at.moment.at,
          expiresAt: new Date(at.moment.at.getTime() + expiresAfterHours * HOUR_MS),
          decidedAt: null,
          decisionReason: null,
          result: null,
          votes: [],
        },
        expired: expired && ended(expired, 'EXPIRED', at),
      })
    },
    write(tx, bookId, [value], recording) {
      const { approval, expired } = value!
      if (expired !== null) decideApproval(tx, bookId, expired)
      insertApproval(tx, bookId, approval)
      record(tx, bookId, recording)
    },
    events: ({ approval, expired }) => [
      ...(expired === null ? [] : [approvalEvent('approval.expired', expired)]),
      approvalEvent('approval.requested', approval),
    ],
  }),
)

/** The identity of a person as maker and voter; a key is identified by the first key it was rolled from. */
export function voterOf(person: { personId: string }): string {
  return `PERSON ${person.personId}`
}

type AskedFor = {
  operation: ApprovableOperation
  targetId: string | null
  body: unknown
  /** The body as its operation reads it. */
  value: unknown
  note: string | null
  maker: string
}

export function requestApproval(
  engine: Engine,
  origin: Origin,
  asked: AskedFor,
  answer?: AnswerWriter<Asked>,
): Promise<Result<Asked>> {
  const { value, body, ...rest } = asked
  const request: ApprovalRequest = {
    ...rest,
    approvalId: newId('apr'),
    body: JSON.stringify(body),
    inner: operations[asked.operation].request(asked.targetId ?? '', value as never, null),
    requestedBy: origin.actor,
  }
  return engine.submit(asking(asked.operation), origin, request, answer)
}

type VoteRequest = { approvalId: string; inner: unknown; voter: string; actor: Origin['actor'] }
type KnownWhenVoted = {
  approval: Approval | undefined
  inner: { policy: unknown }
  policy: ApprovalPolicy | null
}
/** executed: what the operation made, where this was the last vote. */
export type Voted = { approval: Approval; vote: Vote; executed: { value: unknown } | null }

const voting = perOperation(
  ({ change, data }): Change<VoteRequest, unknown, KnownWhenVoted, Voted> => ({
    batchMax: 1,
    // The approval first, then the records of the operation: one order for all changes that lock both.
    lock: async (tx, bookId, [request]) => {
      const [, locked] = await Promise.all([
        lockApproval(tx, bookId, request!.approvalId),
        change.lock(tx, bookId, [request!.inner]),
      ])
      return locked
    },
    read: async (tx, at, locked) => ({
      approval: await findApproval(tx, at.book.bookId, at.requests[0]!.approvalId),
      inner: await change.read(tx, { ...at, requests: [at.requests[0]!.inner] }, locked),
      policy: await readPolicy(tx, at),
    }),
    decider: (known, at) => (request) => {
      const { approval, policy } = known
      const { voter, actor } = request
      const notPending = refusePending(approval, at.moment.at)
      if (approval === undefined || notPending !== null) return notPending!
      const refused = refuseVote(approval, policy ?? DEFAULT_POLICY, { voter, actor })
      if (refused !== null) return refused
      const vote: Vote = { voter, actor, at: at.moment.at }
      const voted = { ...approval, votes: [...approval.votes, vote] }
      if (voted.votes.length < approval.approvalsNeeded)
        return made({ approval: voted, vote, executed: null })
      const executed = change.decider({ ...known.inner, policy: null }, at)(request.inner)
      if (executed.outcome === 'refused') return executed
      const result = JSON.stringify(data(executed.value as never))
      return made({
        approval: { ...ended(voted, 'APPROVED', at), result },
        vote,
        executed: { value: executed.value },
      })
    },
    write(tx, bookId, [value], recording) {
      const { approval, vote, executed } = value!
      insertVote(tx, bookId, approval.approvalId, vote)
      if (executed === null) record(tx, bookId, recording)
      else {
        decideApproval(tx, bookId, approval)
        change.write(tx, bookId, [executed.value], recording)
      }
    },
    events: ({ approval, executed }, at) =>
      executed === null
        ? [approvalEvent('approval.voted', approval)]
        : [...change.events(executed.value, at), approvalEvent('approval.approved', approval)],
  }),
)

/** `kept` is the request as read before: what it requests never changes. */
export function approve(
  engine: Engine,
  origin: Origin,
  asked: { kept: Approval; value: unknown; voter: string; expectedNet: Minor | null },
  answer?: AnswerWriter<Voted>,
): Promise<Result<Voted>> {
  const { kept, value, voter, expectedNet } = asked
  const inner = operations[kept.operation].request(kept.targetId ?? '', value as never, expectedNet)
  const request = { approvalId: kept.approvalId, inner, voter, actor: origin.actor }
  return engine.submit(voting(kept.operation), origin, request, answer)
}

/** Through the write path like any other vote: an earlier answer to its idempotency key comes before the refusal. */
const voteOnNothing: Change<null, void, void, never> = {
  batchMax: 1,
  lock: async () => {},
  read: async () => {},
  decider: () => () => refuse('approval_not_found'),
  write: () => {},
  events: () => [],
}

export function approveUnknown(engine: Engine, origin: Origin): Promise<Result<never>> {
  return engine.submit(voteOnNothing, origin, null)
}

type EndRequest = { approvalId: string; actor: Origin['actor']; voter: string }
type KnownWhenEnded = { approval: Approval | undefined; policy: ApprovalPolicy | null }

/** Ends a request without carrying it out. */
function ending<Request extends { approvalId: string }>(
  type: string,
  decide: (
    approval: Approval,
    request: Request,
    at: DecisionContext,
    policy: ApprovalPolicy,
  ) => Approval | Refusal,
): Change<Request, void, KnownWhenEnded, Approval> {
  return {
    batchMax: 1,
    lock: (tx, bookId, [request]) => lockApproval(tx, bookId, request!.approvalId),
    read: async (tx, at) => ({
      approval: await findApproval(tx, at.book.bookId, at.requests[0]!.approvalId),
      policy: await readPolicy(tx, at),
    }),
    decider:
      ({ approval, policy }, at) =>
      (request) => {
        if (approval === undefined) return refuse('approval_not_found')
        const decided = decide(approval, request, at, policy ?? DEFAULT_POLICY)
        return 'outcome' in decided ? decided : made(decided)
      },
    write(tx, bookId, [approval], recording) {
      decideApproval(tx, bookId, approval!)
      record(tx, bookId, recording)
    },
    events: (approval) => [approvalEvent(type, approval)],
  }
}

const rejection = ending<EndRequest & { reason: string }>(
  'approval.rejected',
  (approval, { reason, ...voter }, at, policy) =>
    refusePending(approval, at.moment.at) ??
    refuseVote({ ...approval, votes: [] }, policy, voter) ?? {
      ...ended(approval, 'REJECTED', at),
      decisionReason: reason,
    },
)

export function reject(
  engine: Engine,
  origin: Origin,
  asked: { approvalId: string; voter: string; reason: string },
  answer?: AnswerWriter<Approval>,
): Promise<Result<Approval>> {
  return engine.submit(rejection, origin, { ...asked, actor: origin.actor }, answer)
}

const cancellation = ending<EndRequest>('approval.cancelled', (approval, { voter }, at) => {
  if (voter !== approval.maker) return refuse('not_your_request')
  return refusePending(approval, at.moment.at) ?? ended(approval, 'CANCELLED', at)
})

export function cancel(
  engine: Engine,
  origin: Origin,
  asked: { approvalId: string; voter: string },
  answer?: AnswerWriter<Approval>,
): Promise<Result<Approval>> {
  return engine.submit(cancellation, origin, { ...asked, actor: origin.actor }, answer)
}

const expiry = ending<{ approvalId: string }>('approval.expired', (approval, _, at) =>
  approval.status === 'PENDING' && approval.expiresAt <= at.moment.at
    ? ended(approval, 'EXPIRED', at)
    : refuse('approval_not_pending', { approval_status: approval.status }),
)

/** Records what has expired in a book, a bounded number at a time. */
export async function expireApprovals(engine: Engine, book: Book, max: number): Promise<number> {
  const { at } = await engine.momentIn(book)
  const origin = { book, actor: JOB_OF_APPROVALS, requestId: null, idempotency: null }
  const expired = await findExpired(engine.db, book.bookId, at, max)
  for (const approvalId of expired) await engine.perform(expiry, origin, { approvalId })
  return expired.length
}

export type Preview = { outcome: 'tried'; preview: string; facts: Facts }

/** The result of the operation now, or why it would be refused. */
export async function previewNow(
  engine: Engine,
  book: Book,
  kept: Approval,
  value: unknown,
): Promise<Preview | Refusal> {
  const { change, request, preview, facts } = operations[kept.operation]
  const tried = await engine.tryOut(
    change,
    book,
    request(kept.targetId ?? '', value as never, null),
    (known) => ({ ...known, policy: null }),
  )
  if (tried.outcome === 'refused') return tried
  const made = tried.value as never
  return { outcome: 'tried', preview: JSON.stringify(preview(made)), facts: facts(made) }
}

/** One change for each operation, because requests of one change share batches and locks. */
function perOperation<Made>(make: (operation: Operation, name: ApprovableOperation) => Made) {
  const changes = new Map<ApprovableOperation, Made>()
  return (name: ApprovableOperation): Made => {
    const known = changes.get(name) ?? make(operations[name], name)
    changes.set(name, known)
    return known
  }
}

function ended(approval: Approval, status: Approval['status'], at: DecisionContext): Approval {
  return { ...approval, status, decidedAt: at.moment.at }
}

/** Who requested and who voted is in the audit log; events contain no notes and no personal data. */
function approvalEvent(type: string, approval: Approval): EventDraft {
  return {
    type,
    announced: true,
    subjectId: approval.approvalId,
    data: ApprovalEventRecord.json(approval),
    changes: JSON.stringify({
      after: {
        requested_by: approval.requestedBy,
        votes: approval.votes.map(({ actor }) => actor),
        note: approval.note,
        reason: approval.decisionReason,
      },
    }),
  }
}
