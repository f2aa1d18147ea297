/** Writing the approval policy: which operations of a book wait for other people. */
import assert from 'node:assert/strict'
import { type ApprovalPolicy, refuseTooFewDeciders } from '../../domain/approvals.ts'
import type { Version } from '../../domain/document.ts'
import { SCOPES_OF_ROLE } from '../../domain/people.ts'
import type { Origin } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { ApprovalPolicyRecord, formatPolicy, parsePolicy } from '../approval-policy/record.ts'
import { defineDocument } from '../documents/changes.ts'
import { policyReader, policyStore } from '../holding/changes.ts'
import { countDeciders } from './store.ts'

/** Everybody with such a role may vote. */
const DECIDING_ROLES = Object.entries(SCOPES_OF_ROLE)
  .filter(([, scopes]) => scopes.includes('approvals:decide'))
  .map(([role]) => role)

export const policyDocument = defineDocument<ApprovalPolicy, number>({
  kind: 'APPROVAL_POLICY',
  operation: 'replaceApprovalPolicy',
  event: 'approval_policy.updated',
  record: ApprovalPolicyRecord,
  format: formatPolicy,
  parse: parsePolicy,
  store: policyStore,
  reader: policyReader,
  readFacts: (tx, at) => countDeciders(tx, at.book.bookId, DECIDING_ROLES),
  refuse: refuseTooFewDeciders,
})

/**
 * The operator's way out of a policy that its own people cannot change: the next version has no rules. Undefined where
 * the book has no policy.
 */
export async function clearApprovalPolicy(
  engine: Engine,
  origin: Origin,
): Promise<Version<ApprovalPolicy> | undefined> {
  const current = await policyReader.readNewest(engine.db, engine.versions, origin.book.bookId)
  if (current === undefined) return undefined
  const result = await engine.perform(policyDocument.writing, origin, { ...current.document, rules: [] })
  assert(result.outcome === 'done', 'clearing a policy is never refused')
  return result.value
}
