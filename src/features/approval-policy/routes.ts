import { found } from '../../wire/failure.ts'
import { type Reply, type Route, reply, replyWith, route, success } from '../../wire/route.ts'
import { findDocument, findNewestDocument, type KeptDocument } from '../documents/store.ts'
import { replaceApprovalPolicy } from './changes.ts'
import { ApprovalPolicyBody, ApprovalPolicyRecord, parsePolicy, policyFrom } from './record.ts'

export const approvalPolicyRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/approval-policy',
    operationId: 'getApprovalPolicy',
    summary: 'Get the approval policy in force',
    tag: 'Approvals',
    scope: 'approvals:read',
    success: { status: 200, data: ApprovalPolicyRecord },
    refusals: ['document_version_not_found'],
    answer: async ({ service, book }) =>
      shown(await findNewestDocument(service.db, book.bookId, 'APPROVAL_POLICY')),
  }),
  route({
    method: 'PUT',
    path: '/v2/approval-policy',
    operationId: 'replaceApprovalPolicy',
    summary: 'Write the next version of the approval policy: which operations wait for other people',
    tag: 'Approvals',
    scope: 'approvals:policy',
    body: ApprovalPolicyBody,
    success: { status: 200, data: ApprovalPolicyRecord },
    refusals: ['approval_required'],
    answer: ({ service, origin, body }) =>
      replyWith(
        replaceApprovalPolicy(
          service,
          origin,
          policyFrom(body),
          success(200, 'The approval policy was replaced.', ApprovalPolicyRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/approval-policy/:version',
    operationId: 'getApprovalPolicyVersion',
    summary: 'Get one version of the approval policy',
    tag: 'Approvals',
    scope: 'approvals:read',
    success: { status: 200, data: ApprovalPolicyRecord },
    refusals: ['document_version_not_found'],
    answer: async ({ service, book, params }) => {
      const version = /^[1-9]\d{0,8}$/.test(params.version!) ? Number(params.version) : 0
      return shown(await findDocument(service.db, book.bookId, 'APPROVAL_POLICY', version))
    },
  }),
]

function shown(kept: KeptDocument | undefined): Reply {
  const { version, text, createdAt } = found(kept, 'document_version_not_found')
  return reply(
    'The approval policy.',
    ApprovalPolicyRecord.write({ version, policy: parsePolicy(text), createdAt }),
  )
}
