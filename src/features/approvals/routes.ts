import { Type } from 'typebox'
import { APPROVAL_STATUSES, type Approval, type ApprovalStatus } from '../../domain/approvals.ts'
import { grants } from '../../domain/scopes.ts'
import { listReply, pageQuery, type Route, reply, replyWith, route, success } from '../../route/route.ts'
import type { ErrorCode } from '../../wire/errors.ts'
import { FailureError, found } from '../../wire/failure.ts'
import { Choice, Text } from '../../wire/fields.ts'
import { type Json, parseJson } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import { type ApprovalFilters, findApproval, listApprovals } from '../approval-requests/store.ts'
import { APPROVABLE_OPERATIONS } from '../document-kinds/document.ts'
import { approve, approveUnknown, asOfNow, cancel, foreseenNow, reject, requestApproval } from './changes.ts'
import { type Operation, operationOf } from './operations.ts'
import { ApprovalRecord, ApprovalRejection, ApprovalVote, NewApproval } from './record.ts'

const ApprovalsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Choice(APPROVAL_STATUSES, { title: 'ApprovalStatus', description: 'Only approvals in this state.' }),
  ),
  operation: Type.Optional(
    Choice(APPROVABLE_OPERATIONS, {
      title: 'ApprovableOperation',
      description: 'Only approvals of this operation.',
    }),
  ),
  target_id: Type.Optional(Text({ min: 1, max: 64, description: 'Only approvals about this record.' })),
})

/** Errors of the operations themselves, when they are tried and when they are carried out. */
const OPERATION_REFUSALS: ErrorCode[] = [
  ...[
    'liquidation_not_found',
    'liquidation_already_reversed',
    'not_latest_movement',
    'reversal_window_closed',
  ],
  ...['customer_not_found', 'account_not_found', 'deposit_not_found', 'lien_not_found'],
  ...['deposit_not_active', 'lien_not_active'],
  ...['partial_liquidation_not_allowed', 'liquidation_locked', 'amount_conflicts_with_full'],
  ...[
    'amount_exceeds_principal',
    'amount_equals_principal',
    'amount_below_minimum',
    'remaining_below_minimum',
  ],
  ...['amount_under_lien', 'deposit_under_lien', 'lien_exceeds_principal', 'too_many_liens'],
  ...['nothing_to_waive', 'waiver_exceeds_charge', 'figures_changed', 'external_id_taken'],
  ...['balance_limit_exceeded', 'insufficient_funds', 'start_date_in_future', 'start_date_too_early'],
  ...['maturity_value_out_of_range', 'too_few_deciders', 'amount_not_whole', 'product_not_found'],
  ...['too_many_products', 'currency_mismatch', 'too_many_rate_sheets'],
  ...['effective_date_before_last', 'effective_date_in_past', 'product_closed', 'no_rate_sheet'],
  ...['amount_not_offered', 'tenor_not_offered', 'bonus_not_offered', 'rate_not_negotiable'],
  ...['rate_out_of_range', 'upfront_interest_too_high'],
  ...['batch_not_found', 'batch_not_uploading', 'control_totals_differ', 'too_many_batches'],
] as ErrorCode[]

export const approvalRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/approvals',
    operationId: 'requestApproval',
    summary: 'Ask for the approval of an operation; it is tried, and carried out when others have approved',
    tag: 'Approvals',
    scope: null,
    body: NewApproval,
    success: { status: 201, data: ApprovalRecord },
    refusals: [...OPERATION_REFUSALS, 'insufficient_scope', 'approval_already_pending', 'too_many_approvals'],
    answer: async (asked) => {
      const { service, origin, apiKey, body, book } = asked
      const operation = operationOf(body.operation)
      const targetId = body.target_id ?? null
      const value = readInner(operation, body.body, targetErrors(operation, targetId))
      const ofTarget = await operation.scopesOfTarget?.(service.db, book.bookId, targetId ?? '')
      for (const scope of [...operation.scopes(value), ...(ofTarget ?? [])]) {
        if (!grants(apiKey.scopes, scope)) {
          throw new FailureError({ code: 'insufficient_scope', details: { required_scope: scope } })
        }
      }
      const { at } = await service.momentIn(book)
      return replyWith(
        requestApproval(
          service,
          origin,
          {
            operation: body.operation,
            targetId,
            body: body.body,
            value,
            note: body.note ?? null,
          },
          success(201, 'The operation waits for approval. Nothing was changed yet.', ({ approval }) =>
            ApprovalRecord.write({ approval, at }),
          ),
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/v2/approvals',
    operationId: 'listApprovals',
    summary: 'List approvals, newest first',
    tag: 'Approvals',
    scope: 'approvals:read',
    query: ApprovalsQuery,
    success: { status: 200, data: ApprovalRecord, list: true },
    answer: async (asked) => {
      const { service, book, query } = asked
      const { at } = await service.momentIn(book)
      const filters: ApprovalFilters = {
        ...(query.status !== undefined && inStatus(query.status, at)),
        ...(query.operation !== undefined && { operation: query.operation }),
        ...(query.target_id !== undefined && { targetId: query.target_id }),
      }
      return listReply(asked, {
        operationId: 'listApprovals',
        message: 'The approvals.',
        read: async (page) => {
          const { items, next } = await listApprovals(service.db, book.bookId, filters, page)
          const counted = items.map((kept) => asOfNow(service, { book, at }, kept, () => bodyOf(kept)))
          return { items: (await Promise.all(counted)).map(({ approval }) => approval), next }
        },
        show: (approval) => ApprovalRecord.write({ approval, at }),
      })
    },
  }),
  route({
    method: 'GET',
    path: '/v2/approvals/:approval_id',
    operationId: 'getApproval',
    summary: 'Get an approval, with what the operation would come to now',
    tag: 'Approvals',
    scope: 'approvals:read',
    success: { status: 200, data: ApprovalRecord },
    refusals: ['approval_not_found'],
    answer: async ({ service, book, params }) => {
      const kept = found(
        await findApproval(service.db, book.bookId, params.approval_id!),
        'approval_not_found',
      )
      const { at } = await service.momentIn(book)
      const approval = await foreseenNow(service, { book, at }, kept, () => bodyOf(kept))
      return reply('The approval.', ApprovalRecord.write({ approval, at }))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/approvals/:approval_id/approve',
    operationId: 'approveApproval',
    summary: 'Approve; the last vote carries the operation out, with the figures of that moment',
    tag: 'Approvals',
    scope: 'approvals:decide',
    body: ApprovalVote,
    bodyOptional: true,
    success: { status: 200, data: ApprovalRecord },
    refusals: [
      ...OPERATION_REFUSALS,
      'approval_not_found',
      'approval_not_pending',
      'maker_cannot_approve',
      'person_required',
      'decider_too_new',
      'already_voted',
    ],
    answer: async (asked) => {
      const { service, book, origin, params, body } = asked
      const kept = await findApproval(service.db, book.bookId, params.approval_id!)
      if (kept === undefined) return replyWith(approveUnknown(service, origin))
      const vote = {
        kept,
        value: bodyOf(kept),
        expectedNet: body.expected_net_credited ?? null,
      }
      const { at } = await service.momentIn(book)
      return replyWith(
        approve(
          service,
          origin,
          vote,
          success(
            200,
            ({ executed }) =>
              executed === null
                ? 'Your approval was counted. Others have to approve too.'
                : 'The operation was approved and carried out.',
            ({ approval }) => ApprovalRecord.write({ approval, at }),
          ),
        ),
      )
    },
  }),
  route({
    method: 'POST',
    path: '/v2/approvals/:approval_id/reject',
    operationId: 'rejectApproval',
    summary: 'Reject; the operation is not carried out',
    tag: 'Approvals',
    scope: 'approvals:decide',
    body: ApprovalRejection,
    success: { status: 200, data: ApprovalRecord },
    refusals: [
      'approval_not_found',
      'approval_not_pending',
      'maker_cannot_approve',
      'person_required',
      'decider_too_new',
    ],
    answer: async (asked) => {
      const { service, book, origin, params, body } = asked
      const { at } = await service.momentIn(book)
      return replyWith(
        reject(
          service,
          origin,
          { approvalId: params.approval_id!, reason: body.reason },
          success(200, 'The operation was rejected.', (approval) => ApprovalRecord.write({ approval, at })),
        ),
      )
    },
  }),
  route({
    method: 'POST',
    path: '/v2/approvals/:approval_id/cancel',
    operationId: 'cancelApproval',
    summary: 'Take your own request back',
    tag: 'Approvals',
    scope: null,
    success: { status: 200, data: ApprovalRecord },
    refusals: ['approval_not_found', 'approval_not_pending', 'not_your_request'],
    answer: async (asked) => {
      const { service, book, origin, params } = asked
      const { at } = await service.momentIn(book)
      return replyWith(
        cancel(
          service,
          origin,
          { approvalId: params.approval_id! },
          success(200, 'The request was cancelled.', (approval) => ApprovalRecord.write({ approval, at })),
        ),
      )
    },
  }),
]

/** A request past its expiry counts as EXPIRED, even before the job has written that. */
function inStatus(status: ApprovalStatus, at: Date): ApprovalFilters {
  if (status === 'PENDING') return { pendingAt: at }
  return status === 'EXPIRED' ? { expiredBy: at } : { status }
}

function targetErrors({ hasTarget, targetErrors }: Operation, targetId: string | null): FieldError[] {
  if (hasTarget === (targetId !== null)) return (hasTarget && targetErrors?.(targetId!)) || []
  const [code, message] = hasTarget
    ? (['required', 'Name the record that the operation is about.'] as const)
    : (['unknown_field', 'Leave target_id out: this operation is about no record.'] as const)
  return [{ field: 'target_id', code, message }]
}

/** Read as in the direct call; errors name the members of body, and are returned together with those found before. */
function readInner(
  { body: schema }: Operation,
  body: { [name: string]: Json },
  errors: readonly FieldError[] = [],
): unknown {
  const reading = readBody(schema, body)
  if (reading.ok && errors.length === 0) return reading.value
  const inner = reading.ok ? [] : reading.fields
  const fields = [...errors, ...inner.map((error) => ({ ...error, field: `body.${error.field}` }))]
  throw new FailureError({ code: 'invalid_request', fields })
}

/** What was accepted once is read again in the same way. */
function bodyOf(kept: Approval): unknown {
  return readInner(operationOf(kept.operation), parseJson(kept.body) as { [name: string]: Json })
}
