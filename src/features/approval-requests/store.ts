/** Requests for approval and the votes on them. */
import type { Actor } from '../../domain/actor.ts'
import type { ApprovableOperation, Approval, ApprovalStatus, Vote } from '../../domain/approvals.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import { computed, instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { table } from '../../engine/database/table.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from '../../engine/database/window.ts'

/** As it is shown: which chain of keys it belongs to is part of the identity beside it. */
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
  insertApproval: approvals.statements.insert,

  decideApproval: approvals.assign('status', 'decidedAt', 'decisionReason', 'result', 'approvalsNeeded'),

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
    select ${pendingMap.columns}
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

  insertVote: `
    insert into approval_votes (book_id, approval_id, voter, actor, voted_at)
    values ($1, $2, $3, $4, $5)`,

  // A refusal is no vote: who refused is known from the audit log.
  findRefusers: `
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
      and type = 'approval.rejected'`,

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
  /** Who voted for it or refused it. */
  decider?: string
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
  decider: (parameter) => `(exists (
        select from approval_votes
        where approval_votes.book_id = $1
          and approval_votes.approval_id = approvals.approval_id
          and voter = ${parameter})
      or status = 'REJECTED' and exists (
        select from events
        where events.book_id = $1
          and events.subject_id = approvals.approval_id
          and events.type = 'approval.rejected'
          and coalesce('KEY ' || events.api_key_id, events.actor_kind || ' ' || events.actor_id) = ${parameter}))`,
  requestedFrom: (parameter) => `requested_at >= ${parameter}`,
  requestedBefore: (parameter) => `requested_at < ${parameter}`,
}

export function insertApproval(tx: Transaction, bookId: string, approval: Approval): void {
  approvals.insert(tx, bookId, [approval])
}

/** Writes a decision: status, time, reason, result and the number of approvals that it took. */
export function decideApproval(tx: Transaction, bookId: string, approval: Approval): void {
  tx.write(statements.decideApproval.of(bookId, { changed: [approval] }))
}

export function insertVote(tx: Transaction, bookId: string, approvalId: string, vote: Vote): void {
  tx.write(statements.insertVote, [bookId, approvalId, vote.voter, actorText(vote.actor), vote.at])
}

export async function findApproval(
  db: Queries,
  bookId: string,
  approvalId: string,
): Promise<Approval | undefined> {
  const [row] = await db.query<object>(statements.findApproval, [bookId, approvalId])
  return row && approvalMap.read(row)
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
  const [row] = await db.query<object>(statements.findPending, [bookId, operation, targetId ?? ''])
  return row && approvalMap.read(row)
}

export type Waiting = Pick<Approval, 'approvalId' | 'requestedBy'>

/** The approval that each target waits for at a time; the newest where several operations are pending. */
export async function findPendingOfTargets(
  db: Queries,
  bookId: string,
  targetIds: readonly string[],
): Promise<(targetId: string, at: Date) => Waiting | undefined> {
  const rows = await db.query<object>(statements.findPendingOfTargets, [bookId, targetIds])
  const ofTarget = Map.groupBy(rows.map(pendingMap.read), ({ targetId }) => targetId)
  return (targetId, at) => {
    const found = ofTarget.get(targetId)?.findLast(({ expiresAt }) => expiresAt > at)
    return found && { approvalId: found.approvalId, requestedBy: found.requestedBy }
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
  return (await db.query<object>(statements.listWaiting, [bookId, at, limit])).map(approvalMap.read)
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
  const rows = await readWindow<Placed>(db, approvalWindow(bookId, filters, page))
  return pageOf(rows, page, approvalMap.read)
}

/** Who refused each of these requests, as far as somebody did. */
export async function findRefusers(
  db: Queries,
  bookId: string,
  approvalIds: readonly string[],
): Promise<Map<string, Actor>> {
  const values = [bookId, approvalIds]
  const rows = await db.query<Actor & { approval_id: string }>(statements.findRefusers, values)
  return new Map(rows.map(({ approval_id, ...actor }) => [approval_id, actor]))
}

/** Without a page: the newest that people sort and count. */
export function approvalWindow(
  bookId: string,
  filters: ApprovalFilters,
  page: PageRequest = NEWEST_ROWS,
): ListWindow {
  const { text, values } = filterClauses(filters, approvalFilterClauses, 4)
  return { text: statements.listApprovals(text), values: [bookId, ...pageParameters(page), ...values] }
}
