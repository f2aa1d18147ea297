/** Requests for approval and the votes on them. */
import type { Actor, ActorKind } from '../../domain/actor.ts'
import type { ApprovableOperation, Approval, ApprovalStatus, Vote } from '../../domain/approvals.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { onceInTurn } from '../../engine/database/gathering.ts'
import { type FiltersOf, listOf, newestOf, where } from '../../engine/database/list.ts'
import { computed, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { idOfBook, idsOfBook, membersInBook, ofBook, sql } from '../../engine/database/sql.ts'
import { table } from '../../engine/database/table.ts'

/** The actor as it is shown: which chain of keys it belongs to is part of the identity beside it. */
function actorText({ kind, id, name }: Actor): string {
  return JSON.stringify({ kind, id, name })
}

type StoredVote = { voter: string; actor: string; at: string }

export const approvalMap = rowMap<Approval>({
  approvalId: text('approval_id'),
  operation: text<ApprovableOperation>('operation'),
  targetId: {
    columns: { target_id: ['text', (targetId) => targetId ?? ''] },
    read: ({ target_id: targetId }) => (targetId === '' ? null : (targetId as string)),
  },
  body: text('body'),
  note: text<string | null>('note'),
  status: text<ApprovalStatus>('status'),
  preview: text('preview'),
  approvalsNeeded: integer('approvals_needed'),
  maker: text('maker'),
  requestedBy: {
    columns: { requested_by: ['text', actorText] },
    read: (row) => JSON.parse(row.requested_by as string),
  },
  requestedAt: instant('requested_at'),
  expiresAt: instant('expires_at'),
  decidedAt: instant<Date | null>('decided_at'),
  decisionReason: text<string | null>('decision_reason'),
  result: text<string | null>('result'),
  votes: computed<readonly Vote[]>((row) =>
    (JSON.parse((row.votes as string | null) ?? '[]') as StoredVote[]).map(voteOf),
  ),
})
const { columns } = approvalMap

function voteOf({ voter, actor, at }: StoredVote): Vote {
  return { voter, actor: JSON.parse(actor) as Actor, at: new Date(at) }
}

/** The votes of a request, oldest first, as one JSON text. */
const votes = `(
      select json_agg(json_build_object('voter', voter, 'actor', actor, 'at', voted_at) order by voted_at, voter)
      from approval_votes
      where approval_votes.book_id = $1
        and approval_votes.approval_id = approvals.approval_id)::text as votes`

/** The columns that are read of `approvals`; $1 is the book. */
export const approvalColumns = `${columns}, ${votes}`

/**
 * A request that no second one for its operation and target may join. Openings wait side by side, because each is about
 * a new deposit. As in the index `approvals_pending`, which serves only statements that repeat its condition.
 */
const excludesOthers = `status = 'PENDING'
      and operation <> 'openFixedDeposit'`

const pendingMap = approvalMap.pick('targetId', 'approvalId', 'requestedBy', 'expiresAt')
const approvals = table('approvals', approvalMap, { key: 'approvalId' })

export const statements = {
  insertApproval: approvals.insert,

  decideApproval: approvals.assign('status', 'decidedAt', 'decisionReason', 'result', 'approvalsNeeded'),

  findPendingOfTargets: sql`
    select ${pendingMap.columns}
    from approvals
    where book_id = $1
      and target_id = any($2::text[])
      and status = 'PENDING'
    order by ordinal`.all(pendingMap, idsOfBook),
}

export function insertApproval(tx: Transaction, bookId: string, approval: Approval): void {
  statements.insertApproval(tx, bookId, [approval])
}

/** Writes a decision: status, time, reason, result and the number of approvals that it took. */
export function decideApproval(tx: Transaction, bookId: string, approval: Approval): void {
  statements.decideApproval(tx, bookId, [approval])
}

export const insertVote = sql`
    insert into approval_votes (book_id, approval_id, voter, actor, voted_at)
    values ($1, $2, $3, $4, $5)`.write((bookId: string, approvalId: string, vote: Vote) => [
  ...[bookId, approvalId, vote.voter, actorText(vote.actor), vote.at],
])

export const findApproval = sql`
    select ${approvalColumns}
    from approvals
    where book_id = $1
      and approval_id = $2`.first(approvalMap, idOfBook)

/** Takes the lock alone: the row and its votes are read in a separate statement, after the wait. */
export const lockApproval = sql`
    select approval_id
    from approvals
    where book_id = $1
      and approval_id = $2
    for update`.run(idOfBook)

const ofTarget = (bookId: string, operation: ApprovableOperation, targetId: string | null) => [
  ...[bookId, operation, targetId ?? ''],
]

export const lockPending = sql`
    select approval_id
    from approvals
    where book_id = $1
      and operation = $2
      and target_id = $3
      and ${excludesOthers}
    for update`.run(ofTarget)

/** Never an opening: any number of those may wait. */
export const findPending = sql`
    select ${columns}, null as votes
    from approvals
    where book_id = $1
      and operation = $2
      and target_id = $3
      and ${excludesOthers}`.first(approvalMap, ofTarget)

/** The liquidation of a deposit that waits. */
export const findPendingBreak = onceInTurn((db, bookId, depositId) =>
  findPending(db, bookId, 'liquidateFixedDeposit', depositId),
)

export type Waiting = Pick<Approval, 'approvalId' | 'requestedBy'>

/** The approval that each target waits for at a time; the newest where several operations are pending. */
export async function findPendingOfTargets(
  db: Queries,
  bookId: string,
  targetIds: readonly string[],
): Promise<(targetId: string, at: Date) => Waiting | undefined> {
  const pending = await statements.findPendingOfTargets(db, bookId, targetIds)
  const byTarget = Map.groupBy(pending, ({ targetId }) => targetId)
  return (targetId, at) => {
    const found = byTarget.get(targetId)?.findLast(({ expiresAt }) => expiresAt > at)
    return found && { approvalId: found.approvalId, requestedBy: found.requestedBy }
  }
}

export const countPending = sql`
    select count(*)::int4 as pending
    from approvals
    where book_id = $1
      and status = 'PENDING'`.only(integer('pending'), ofBook)

type WaitingAt = { at: Date; limit: number }

// Oldest first. The index of expiring requests contains only pending ones.
export const listWaiting = sql`
    select ${approvalColumns}
    from approvals
    where book_id = $1
      and status = 'PENDING'
      and expires_at > $2
    order by ordinal
    limit $3`.all(approvalMap, membersInBook<WaitingAt>('at', 'limit'))

/** What waits for the vote of this actor. */
export const countWaiting = sql`
    select count(*)::int4 as waiting
    from approvals
    where book_id = $1
      and status = 'PENDING'
      and expires_at > $2
      and maker <> $3
      and not exists (
        select from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
          and voter = $3)`.only(integer('waiting'), membersInBook<{ at: Date; voter: string }>('at', 'voter'))

export const findExpired = sql`
    select approval_id
    from approvals
    where book_id = $1
      and status = 'PENDING'
      and expires_at <= $2
    order by expires_at
    limit $3`.all(text('approval_id'), membersInBook<WaitingAt>('at', 'limit'))

/** Who refused each of these requests, as far as somebody did. */
// A refusal is no vote: who refused is known from the audit log.
export const findRefusers = sql`
    select subject_id as approval_id,
           case when api_key_id is null then actor_kind else 'KEY' end as kind,
           coalesce(api_key_id, actor_id) as id,
           coalesce((
             select name
             from api_keys
             where api_keys.book_id = $1
               and api_keys.api_key_id = events.api_key_id), (
             select people.name
             from books
             join people on people.caller_id = books.caller_id
             where books.book_id = $1
               and people.person_id = events.actor_id)) as name
    from events
    where book_id = $1
      and subject_id = any($2::text[])
      and type = 'approval.rejected'`.map(
  text('approval_id'),
  rowMap({ kind: text<ActorKind>('kind'), id: text('id'), name: text<string | null>('name') }),
  idsOfBook,
)

export const listApprovals = listOf(
  newestOf(`ordinal, ${approvalColumns}`, 'approvals'),
  {
    status: where<ApprovalStatus>('status = ?'),
    pendingAt: where<Date>(`status = 'PENDING' and expires_at > ?`),
    expiredBy: where<Date>(`(status = 'EXPIRED' or status = 'PENDING' and expires_at <= ?)`),
    operation: where('operation = ?'),
    targetId: where('target_id = ?'),
    maker: where('maker = ?'),
    /** Who voted for it or refused it. */
    decider: where(`(exists (
        select from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
          and voter = ?)
      or status = 'REJECTED' and exists (
        select from events
        where events.book_id = $1
          and events.subject_id = approvals.approval_id
          and events.type = 'approval.rejected'
          and coalesce('KEY ' || events.api_key_id, events.actor_kind || ' ' || events.actor_id) = ?))`),
    requestedFrom: where<Date>('requested_at >= ?'),
    requestedBefore: where<Date>('requested_at < ?'),
  },
  approvalMap,
)
export type ApprovalFilters = FiltersOf<typeof listApprovals>
export const approvalWindow = listApprovals.window
