import { ApprovalPolicyBody, policyFrom } from '../approval-policy/record.ts'
import { documentRoutes } from '../documents/routes.ts'
import { policyDocument } from './changes.ts'

export const approvalPolicyRoutes = documentRoutes(policyDocument, {
  path: '/v2/approval-policy',
  tag: 'Approvals',
  body: ApprovalPolicyBody,
  from: policyFrom,
  scopes: { read: 'approvals:read', write: 'approvals:policy' },
  get: { operationId: 'getApprovalPolicy', summary: 'Get the approval policy in force' },
  replace: {
    operationId: 'replaceApprovalPolicy',
    summary: 'Write the next version of the approval policy: which operations wait for other people',
    refusals: ['too_few_deciders'],
  },
  version: { operationId: 'getApprovalPolicyVersion', summary: 'Get one version of the approval policy' },
  shown: 'The approval policy.',
  replaced: 'The approval policy was replaced.',
})
