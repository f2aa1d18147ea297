/**
 * Requesting approval, deciding, cancelling and expiring. Guarantees: the last vote carries the operation out in its
 * own transaction, with the figures, rules and business date of that moment; how many votes that takes is counted again
 * at each of them, and a vote that is not enough any more is kept; if the operation is refused then, that is the answer
 * and the request stays pending; of two concurrent last votes one executes. The approval is locked before the records
 * of the operation.
 */
import { identityOf, JOB_OF_APPROVALS } from '../../domain/actor.ts'
import {
  type ApprovableOperation,
  type Approval,
  type ApprovalPolicy,
  type Count,
  DEFAULT_POLICY,
  refusePending,
  refuseVote,
  statusAt,
  type Vote,
  votesThatCount,
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
  type Refused,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
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
} from '../approval-requests/store.ts'
import { assumingPolicy, readPolicy } from '../holding/changes.ts'
import { readDecidesFrom } from '../people/store.ts'
import { foresee, type Operation, operationOf } from './operations.ts'
import { ApprovalEventRecord } from './record.ts'

/** Pending requests of one book: enough for any desk, few enough that lists of them stay short. */
const PENDING_MAX = 10_000
const HOUR_MS = 3_600_000

type ApprovalRequest = {
  approvalId: string
  operation: ApprovableOperation
  targetId: string | null
  /** The body as sent, for display and storage. */
  body: string
  /** The operation's request, as read from the body. */
  inner: unknown
  /** What it would change for others; null: the preview is its result. */
  foreseen: string | null
  note: string | null
  maker: string
  requestedBy: Origin['actor']
}
type Asked = { approval: Approval; expired: Approval | null }
type KnownWhenAsked = {
  inner: unknown
  policy: ApprovalPolicy
  earlier: Approval | undefined
  pending: number
}

/** The operation is tried without being carried out, and refused now if it would be. */
const asking = perOperation(
  ({ change, preview }, operation): Change<ApprovalRequest, unknown, KnownWhenAsked, Asked> => ({
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
      policy: await policyFor(tx, at),
      earlier: await findPending(tx, at.book.bookId, operation, at.requests[0]!.targetId),
      pending: await countPending(tx, at.book.bookId),
    }),
    decider: (known, at) => (request) => {
      const tried = change.decider(known.inner, at)(request.inner, triedBy(request))
      if (tried.outcome === 'refused') return tried
      const { policy, earlier } = known
      const expired = earlier !== undefined && statusAt(earlier, at.moment.at) === 'EXPIRED' ? earlier : null
      if (earlier !== undefined && expired === null) {
        return refuse('approval_already_pending', { approval_id: earlier.approvalId })
      }
      if (known.pending >= PENDING_MAX) return refuse('too_many_approvals', { maximum: PENDING_MAX })
      const { inner, foreseen, ...asked } = request
      return made({
        approval: {
          ...asked,
          status: 'PENDING',
          preview: foreseen ?? JSON.stringify(preview(tried.value)),
          approvalsNeeded: tried.count!.needed,
          requestedAt: at.moment.at,
          expiresAt: new Date(at.moment.at.getTime() + policy.expiresAfterHours * HOUR_MS),
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

/** How long requests wait and who decides about them, also in a book without a policy. */
async function policyFor(tx: Queries, at: Parameters<typeof readPolicy>[1]): Promise<ApprovalPolicy> {
  return (await readPolicy(tx, at)) ?? DEFAULT_POLICY
}

/** Tried as if all had approved, to learn what it comes to and how many have to: one at least, whatever a policy says. */
function triedBy({ maker, approvalsNeeded = 1 }: { maker: string; approvalsNeeded?: number }) {
  return { identity: maker, votes: { given: 'ALL' as const, asked: approvalsNeeded } }
}

type AskedFor = {
  operation: ApprovableOperation
  targetId: string | null
  body: unknown
  /** The body as its operation reads it. */
  value: unknown
  note: string | null
}

export async function requestApproval(
  engine: Engine,
  origin: Origin,
  asked: AskedFor,
  answer?: AnswerWriter<Asked>,
): Promise<Result<Asked>> {
  const { value, body, ...rest } = asked
  const inner = operationOf(asked.operation).request(asked.targetId ?? '', value, null, origin.actor)
  const request: ApprovalRequest = {
    ...rest,
    approvalId: newId('apr'),
    body: JSON.stringify(body),
    inner,
    // Read before anything is locked: it may look at many deposits.
    foreseen: await foresee(engine, origin.book, { operation: asked.operation, request: inner }),
    maker: identityOf(origin.actor),
    requestedBy: origin.actor,
  }
  return engine.submit(asking(asked.operation), origin, request, answer)
}

type VoteRequest = { approvalId: string; maker: string; inner: unknown; actor: Origin['actor'] }
/** decidesFrom: of a person on whom somebody else acted. */
type KnownWhenEnded = { approval: Approval | undefined; policy: ApprovalPolicy; decidesFrom: Date | null }
type KnownWhenVoted = KnownWhenEnded & { inner: unknown }
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
    async read(tx, at, locked) {
      const { approvalId, inner, maker, actor } = at.requests[0]!
      const ofInner = { ...at, requests: [inner], requesters: [{ identity: maker }] }
      return {
        approval: await findApproval(tx, at.book.bookId, approvalId),
        inner: await change.read(tx, ofInner, locked),
        policy: await policyFor(tx, at),
        decidesFrom: await readDecidesFrom(tx, at.book, actor),
      }
    },
    decider: (known, at) => (request) => {
      const { approval, policy, decidesFrom } = known
      const { actor } = request
      const voter = identityOf(actor)
      const notPending = refusePending(approval, at.moment.at)
      if (approval === undefined || notPending !== null) return notPending!
      const refused = refuseVote(approval, policy, { voter, actor, decidesFrom }, at.now)
      if (refused !== null) return refused
      const vote: Vote = { voter, actor, at: at.moment.at }
      const voted = { ...approval, votes: [...approval.votes, vote] }
      const by = { identity: approval.maker, votes: { given: voted.votes, asked: approval.approvalsNeeded } }
      const executed = change.decider(known.inner, at)(request.inner, by)
      if (executed.outcome === 'refused') {
        const counted = countedBy(voted, { ...executed, policy })
        if (counted.votes.length >= counted.approvalsNeeded) return executed
        return made({ approval: counted, vote, executed: null })
      }
      const done = { ...ended(voted, 'APPROVED', at), approvalsNeeded: executed.count!.needed }
      const result = JSON.stringify(data(executed.value))
      return made({ approval: { ...done, result }, vote, executed: { value: executed.value } })
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

/** With the votes that count, and how many have to approve; as when it was requested where that was not counted. */
function countedBy(kept: Approval, now: { policy: ApprovalPolicy; count?: Count }): Approval {
  const approvalsNeeded = now.count?.needed ?? kept.approvalsNeeded
  return { ...kept, votes: votesThatCount(kept.votes, now.policy), approvalsNeeded }
}

/** `kept` is the request as read before: what it requests never changes. */
export function approve(
  engine: Engine,
  origin: Origin,
  asked: { kept: Approval; value: unknown; expectedNet: Minor | null },
  answer?: AnswerWriter<Voted>,
): Promise<Result<Voted>> {
  const { kept, value, expectedNet } = asked
  const { approvalId, maker } = kept
  const inner = operationOf(kept.operation).request(kept.targetId ?? '', value, expectedNet, kept.requestedBy)
  const request = { approvalId, maker, inner, actor: origin.actor }
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

type EndRequest = { approvalId: string; actor: Origin['actor'] }

/** Ends a request without carrying it out. */
function ending<Request extends EndRequest>(
  type: string,
  decide: (
    approval: Approval,
    request: Request,
    at: DecisionContext,
    known: Omit<KnownWhenEnded, 'approval'>,
  ) => Approval | Refusal,
): Change<Request, void, KnownWhenEnded, Approval> {
  return {
    batchMax: 1,
    lock: (tx, bookId, [request]) => lockApproval(tx, bookId, request!.approvalId),
    read: async (tx, at) => {
      const { approvalId, actor } = at.requests[0]!
      return {
        approval: await findApproval(tx, at.book.bookId, approvalId),
        policy: await policyFor(tx, at),
        decidesFrom: await readDecidesFrom(tx, at.book, actor),
      }
    },
    decider:
      ({ approval, ...known }, at) =>
      (request) => {
        if (approval === undefined) return refuse('approval_not_found')
        const decided = decide(approval, request, at, known)
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
  (approval, { reason, actor }, at, { policy, decidesFrom }) =>
    refusePending(approval, at.moment.at) ??
    refuseVote(
      { ...approval, votes: [] },
      policy,
      { voter: identityOf(actor), actor, decidesFrom },
      at.now,
    ) ?? {
      ...ended(approval, 'REJECTED', at),
      decisionReason: reason,
    },
)

export function reject(
  engine: Engine,
  origin: Origin,
  asked: { approvalId: string; reason: string },
  answer?: AnswerWriter<Approval>,
): Promise<Result<Approval>> {
  return engine.submit(rejection, origin, { ...asked, actor: origin.actor }, answer)
}

const cancellation = ending<EndRequest>('approval.cancelled', (approval, { actor }, at) => {
  if (identityOf(actor) !== approval.maker) return refuse('not_your_request')
  return refusePending(approval, at.moment.at) ?? ended(approval, 'CANCELLED', at)
})

export function cancel(
  engine: Engine,
  origin: Origin,
  asked: { approvalId: string },
  answer?: AnswerWriter<Approval>,
): Promise<Result<Approval>> {
  return engine.submit(cancellation, origin, { ...asked, actor: origin.actor }, answer)
}

const expiry = ending<EndRequest>('approval.expired', (approval, _, at) =>
  approval.status === 'PENDING' && approval.expiresAt <= at.moment.at
    ? ended(approval, 'EXPIRED', at)
    : refuse('approval_not_pending', { approval_status: approval.status }),
)

/** Records what has expired in a book, a bounded number at a time. */
export async function expireApprovals(engine: Engine, book: Book, max: number): Promise<number> {
  const { at } = await engine.momentIn(book)
  const origin = { book, actor: JOB_OF_APPROVALS, requestId: null, idempotency: null }
  const expired = await findExpired(engine.db, book.bookId, { at, limit: max })
  for (const approvalId of expired) await engine.perform(expiry, origin, { approvalId, actor: origin.actor })
  return expired.length
}

/** What a pending request comes to now: its result, how many have to approve it, and by which policy and rules. */
export type Preview = { outcome: 'tried'; preview: string; count: Count; policy: ApprovalPolicy }
type Live = Preview | (Refused & { policy: ApprovalPolicy })

/** Tries the request now: its result, or why it would be refused; by another policy where one is assumed. */
export async function previewNow(
  engine: Engine,
  book: Book,
  kept: Approval,
  value: unknown,
  assumed?: ApprovalPolicy,
): Promise<Live> {
  const { change, request, preview } = operationOf(kept.operation)
  let policy = DEFAULT_POLICY
  const read: typeof change.read = async (tx, now, locked) => {
    const at = assumed === undefined ? now : assumingPolicy(now, assumed)
    policy = await policyFor(tx, at)
    return change.read(tx, at, locked)
  }
  const inner = request(kept.targetId ?? '', value, null, kept.requestedBy)
  const tried = await engine.tryOut({ ...change, read }, book, inner, triedBy(kept))
  if (tried.outcome === 'refused') return { ...tried, policy }
  return { outcome: 'tried', preview: JSON.stringify(preview(tried.value)), count: tried.count!, policy }
}

/** A pending request with its votes and the number of approvals of this moment; live is null where it waits no more. */
export async function asOfNow(
  engine: Engine,
  { book, at }: { book: Book; at: Date },
  kept: Approval,
  value: () => unknown,
): Promise<{ approval: Approval; live: Live | null }> {
  if (statusAt(kept, at) !== 'PENDING') return { approval: kept, live: null }
  const live = await previewNow(engine, book, kept, value())
  return { approval: countedBy(kept, live), live }
}

/** The same for one that is looked at by itself: with what a document would change, which may take reading much. */
export async function foreseenNow(
  engine: Engine,
  now: { book: Book; at: Date },
  kept: Approval,
  value: () => unknown,
): Promise<Approval> {
  const { approval, live } = await asOfNow(engine, now, kept, value)
  if (live === null) return approval
  const { operation, targetId, requestedBy } = kept
  const request = operationOf(operation).request(targetId ?? '', value(), null, requestedBy)
  const preview = live.outcome === 'tried' ? live.preview : kept.preview
  return { ...approval, preview: (await foresee(engine, now.book, { operation, request })) ?? preview }
}

/** One change for each operation, because requests of one change share batches and locks. */
function perOperation<Made>(make: (operation: Operation, name: ApprovableOperation) => Made) {
  const changes = new Map<ApprovableOperation, Made>()
  return (name: ApprovableOperation): Made => {
    const known = changes.get(name) ?? make(operationOf(name), name)
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
