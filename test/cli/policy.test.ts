import assert from 'node:assert/strict'
import { readConfig } from '../../src/cli/config.ts'
import { createServiceOver, withDatabase } from '../../src/cli/database.ts'
import { JOB_OF_APPROVALS } from '../../src/domain/actor.ts'
import type { ApprovalPolicy } from '../../src/domain/approvals.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { policyDocument } from '../../src/features/policies/changes.ts'
import { type Environment, forEachEnvironment, run } from './program.ts'

const POLICY: ApprovalPolicy = {
  expiresAfterHours: 48,
  deciders: 'ANY',
  rules: [{ operation: 'creditAccount', when: {}, approvals: 3 }],
}

forEachEnvironment(({ test }) => {
  test('the operator clears a policy that nobody can change, and the audit log says so', async (_t, env) => {
    const { caller_id: callerId } = await json(['callers', 'create', '--name', 'Harbour Bank'], env)
    const clear = (mode: string, caller = callerId) => ['policy', 'clear', '--caller', caller, '--mode', mode]
    const none = await run(clear('test'), env)
    assert.equal(none.code, 1)
    assert.match(none.stderr, /has no approval policy/)
    assert.match((await run(clear('test', 'cal_x'), env)).stderr, /There is no caller cal_x/)

    const config = readConfig(env)
    const put = (policy: ApprovalPolicy) =>
      withDatabase(config, async (db) => {
        const book = (await findBook(db, { callerId, mode: 'test' }))!
        const origin = { book, actor: JOB_OF_APPROVALS, requestId: null, idempotency: null }
        return (await policyDocument.replace(createServiceOver(db, config), origin, policy)).outcome
      })
    const lifted = { ...POLICY, rules: [] }
    assert.deepEqual([await put(POLICY), await put(lifted)], ['done', 'refused'])
    assert.equal((await run(clear('live'), env)).code, 1)
    assert.equal(await put(lifted), 'refused')
    const { created_at: _, ...cleared } = await json(clear('test'), env)
    assert.deepEqual(cleared, { version: 2, expires_after_hours: 48, deciders: 'ANY', rules: [] })
    assert.equal(await put(POLICY), 'done')
    const actors = await withDatabase(config, (db) =>
      db.query(`select actor_kind from events where type = 'approval_policy.updated' order by ordinal`),
    )
    assert.deepEqual(
      actors,
      ['JOB', 'OPERATOR', 'JOB'].map((actor_kind) => ({ actor_kind })),
    )
  })
})

async function json(args: readonly string[], env: Environment) {
  const { code, stdout, stderr } = await run([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}
