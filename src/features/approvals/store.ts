/** Requests for approval and the votes on them. */
import type { Actor } from '../../domain/actor.ts'
import type { ApprovableOperation, Approval, ApprovalStatus, Vote } from '../../domain/approvals.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'

const columns = `approval_id, operation, target_id, body, note, status, preview, approvals_needed, maker, requested_by,
      requested_at, expires_at, decided_at, decision_reason, result`

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

export const statements = {
  insertApproval: `
    insert into approvals (book_id, ordinal, ${columns})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,

  findApproval: `
    select ${approvalColumns}
    from approvals
    where book_id = $1
      and approval_id = $2`,

  lockApproval: `
    select approval_id
    from approvals
    where book_id = $1
      and approval_id = $2
    for update`,

  lockPending: `
    select approval_id
    from approvals
    where book_id = $1
      and operation = $2
      and target_id = $3
      and ${excludesOthers}
    for update`,

  findPending: `
    select ${columns}, null as votes
    from approvals
    where book_id = $1
      and operation = $2
      and target_id = $3
      and ${excludesOthers}`,

  findPendingOfTargets: `
    select target_id, approval_id, requested_by, expires_at
    from approvals
    where book_id = $1
      and target_id = any($2::text[])
      and status = 'PENDING'
    order by ordinal`,

  countPending: `
    select count(*)::int4 as pending
    from approvals
    where book_id = $1
      and status = 'PENDING'`,

  // Oldest first. The index of expiring requests contains only pending ones.
  listWaiting: `
    select ${approvalColumns}
    from approvals
    where book_id = $1
      and status = 'PENDING'
      and expires_at > $2
    order by ordinal
    limit $3`,

  countWaiting: `
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
          and voter = $3)`,

  findExpired: `
    select approval_id
    from approvals
    where book_id = $1
      and status = 'PENDING'
      and expires_at <= $2
    order by expires_at
    limit $3`,

  decideApproval: `
    update approvals
    set status = $3, decided_at = $4, decision_reason = $5, result = $6, approvals_needed = $7
    where book_id = $1
      and approval_id = $2`,

  insertVote: `
    insert into approval_votes (book_id, approval_id, voter, actor, voted_at)
    values ($1, $2, $3, $4, $5)`,

  listApprovals: (clauses: string) => `
    select ordinal, ${approvalColumns}
    from approvals
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
}

export type ApprovalFilters = {
  status?: ApprovalStatus
  pendingAt?: Date
  expiredBy?: Date
  operation?: string
  targetId?: string
  maker?: string
  /** Who voted for it. */
  voter?: string
  requestedFrom?: Date
  requestedBefore?: Date
}

export const approvalFilterClauses: Record<keyof ApprovalFilters, (parameter: string) => string> = {
  status: (parameter) => `status = ${parameter}`,
  pendingAt: (parameter) => `status = 'PENDING' and expires_at > ${parameter}`,
  expiredBy: (parameter) => `(status = 'EXPIRED' or status = 'PENDING' and expires_at <= ${parameter})`,
  operation: (parameter) => `operation = ${parameter}`,
  targetId: (parameter) => `target_id = ${parameter}`,
  maker: (parameter) => `maker = ${parameter}`,
  voter: (parameter) => `exists (
        select from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
          and voter = ${parameter})`,
  requestedFrom: (parameter) => `requested_at >= ${parameter}`,
  requestedBefore: (parameter) => `requested_at < ${parameter}`,
}

export function insertApproval(tx: Transaction, bookId: string, approval: Approval): void {
  tx.write(statements.insertApproval, [
    bookId,
    nextOrdinal(),
    approval.approvalId,
    approval.operation,
    approval.targetId ?? '',
    approval.body,
    approval.note,
    approval.status,
    approval.preview,
    approval.approvalsNeeded,
    approval.maker,
    actorText(approval.requestedBy),
    approval.requestedAt,
    approval.expiresAt,
    approval.decidedAt,
    approval.decisionReason,
    approval.result,
  ])
}

/** Writes a decision: status, time, reason, result and the number of approvals that it took. */
export function decideApproval(tx: Transaction, bookId: string, approval: Approval): void {
  const { approvalId, status, decidedAt, decisionReason, result, approvalsNeeded } = approval
  const decided = [status, decidedAt, decisionReason, result, approvalsNeeded]
  tx.write(statements.decideApproval, [bookId, approvalId, ...decided])
}

/** As it is shown: which chain of keys it belongs to is part of the identity beside it. */
function actorText({ kind, id, name }: Actor): string {
  return JSON.stringify({ kind, id, name })
}

export function insertVote(tx: Transaction, bookId: string, approvalId: string, vote: Vote): void {
  tx.write(statements.insertVote, [bookId, approvalId, vote.voter, actorText(vote.actor), vote.at])
}

export async function findApproval(
  db: Queries,
  bookId: string,
  approvalId: string,
): Promise<Approval | undefined> {
  const [row] = await db.query<ApprovalRow>(statements.findApproval, [bookId, approvalId])
  return row && approvalOf(row)
}

/** Only the lock: the row and its votes are read in a separate statement, after the wait. */
export async function lockApproval(tx: Queries, bookId: string, approvalId: string): Promise<void> {
  await tx.query(statements.lockApproval, [bookId, approvalId])
}

export async function lockPending(
  tx: Queries,
  bookId: string,
  operation: ApprovableOperation,
  targetId: string | null,
): Promise<void> {
  await tx.query(statements.lockPending, [bookId, operation, targetId ?? ''])
}

/** Never an opening: any number of those may wait. */
export async function findPending(
  db: Queries,
  bookId: string,
  operation: ApprovableOperation,
  targetId: string | null,
): Promise<Approval | undefined> {
  const [row] = await db.query<ApprovalRow>(statements.findPending, [bookId, operation, targetId ?? ''])
  return row && approvalOf(row)
}

export type Waiting = Pick<Approval, 'approvalId' | 'requestedBy'>

/** The approval that each target waits for at a time; the newest where several operations are pending. */
export async function findPendingOfTargets(
  db: Queries,
  bookId: string,
  targetIds: readonly string[],
): Promise<(targetId: string, at: Date) => Waiting | undefined> {
  type Row = Pick<ApprovalRow, 'target_id' | 'approval_id' | 'requested_by' | 'expires_at'>
  const rows = await db.query<Row>(statements.findPendingOfTargets, [bookId, targetIds])
  const ofTarget = Map.groupBy(rows, (row) => row.target_id)
  return (targetId, at) => {
    const row = ofTarget.get(targetId)?.findLast(({ expires_at }) => expires_at > at)
    return row && { approvalId: row.approval_id, requestedBy: JSON.parse(row.requested_by) as Actor }
  }
}

export async function countPending(db: Queries, bookId: string): Promise<number> {
  const [row] = await db.query<{ pending: number }>(statements.countPending, [bookId])
  return row?.pending ?? 0
}

export async function listWaiting(
  db: Queries,
  bookId: string,
  { at, limit }: { at: Date; limit: number },
): Promise<Approval[]> {
  return (await db.query<ApprovalRow>(statements.listWaiting, [bookId, at, limit])).map(approvalOf)
}

/** What waits for the vote of this actor. */
export async function countWaiting(
  db: Queries,
  bookId: string,
  { at, voter }: { at: Date; voter: string },
): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(statements.countWaiting, [bookId, at, voter])
  return row?.waiting ?? 0
}

export async function findExpired(db: Queries, bookId: string, at: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ approval_id: string }>(statements.findExpired, [bookId, at, limit])
  return rows.map((row) => row.approval_id)
}

export async function listApprovals(
  db: Queries,
  bookId: string,
  filters: ApprovalFilters,
  page: PageRequest,
): Promise<Page<Approval>> {
  const { text, values } = filterClauses(filters, approvalFilterClauses, 4)
  const rows = await db.query<ApprovalRow & { ordinal: bigint }>(statements.listApprovals(text), [
    bookId,
    ...pageParameters(page),
    ...values,
  ])
  return pageOf(rows, page, approvalOf)
}

export type ApprovalRow = {
  approval_id: string
  operation: ApprovableOperation
  target_id: string
  body: string
  note: string | null
  status: ApprovalStatus
  preview: string
  approvals_needed: number
  maker: string
  requested_by: string
  requested_at: Date
  expires_at: Date
  decided_at: Date | null
  decision_reason: string | null
  result: string | null
  votes: string | null
}

export function approvalOf(row: ApprovalRow): Approval {
  return {
    approvalId: row.approval_id,
    operation: row.operation,
    targetId: row.target_id === '' ? null : row.target_id,
    body: row.body,
    note: row.note,
    status: row.status,
    preview: row.preview,
    approvalsNeeded: row.approvals_needed,
    maker: row.maker,
    requestedBy: JSON.parse(row.requested_by),
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    decisionReason: row.decision_reason,
    result: row.result,
    votes: row.votes === null ? [] : (JSON.parse(row.votes) as KeptVote[]).map(voteOf),
  }
}

type KeptVote = { voter: string; actor: string; at: string }

function voteOf({ voter, actor, at }: KeptVote): Vote {
  return { voter, actor: JSON.parse(actor) as Actor, at: new Date(at) }
}
