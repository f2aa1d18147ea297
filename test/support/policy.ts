import assert from 'node:assert/strict'
import { OPERATOR } from '../../src/domain/actor.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { clearApprovalPolicy } from '../../src/features/policies/changes.ts'
import type { startService } from './service.ts'

type Running = Pick<Awaited<ReturnType<typeof startService>>, 'service' | 'callerId' | 'ask'>

/** A policy guards itself, so the operator clears the one in force before a test writes its own. */
export async function setPolicy({ service, callerId, ask }: Running, policy: object): Promise<void> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  await clearApprovalPolicy(service, { book, actor: OPERATOR, requestId: null, idempotency: null })
  const answer = await ask('PUT', '/v2/approval-policy', policy)
  assert.equal(answer.status, 200, answer.text)
}
