/** A decision under way is waited for, by votes and rejections alike, and counts. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { findBook } from '../../../src/features/callers/store.ts'
import { forEachEngine, type TestDatabase } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Answer, openDeposit, startService } from '../../support/service.ts'

const POLICY = {
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: [{ operation: 'liquidateFixedDeposit', when: {}, approvals: 2 }],
}
const FULL = { liquidation_type: 'FULL' }

async function pendingRequest(db: TestDatabase) {
  const started = await startService(db)
  const { service, callerId, clock, ask, askWith } = started
  await setPolicy(started, POLICY)
  const { depositId, accountNumber } = await openDeposit(ask, { amount: 1_000 })
  const asked = { operation: 'liquidateFixedDeposit', target_id: depositId, body: FULL }
  const { approval_id: approvalId } = (await ask('POST', '/v2/approvals', asked)).json.data
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  const issue = async () => askWith((await issueKey(db, book, { scopes: ['*'], at: clock.now })).key)
  const [first, second] = [await issue(), await issue()]
  return { ...started, accountNumber, approvalId, first, second, path: `/v2/approvals/${approvalId}` }
}

/** Another session decides; the request comes when that is written and not committed. */
async function whileDecided(
  db: TestDatabase,
  { approvalId, assignments }: { approvalId: string; assignments: string },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const other = new pg.Client(db.url!)
  await other.connect()
  try {
    const decide = `update approvals set ${assignments}, decided_at = now() where approval_id = $1`
    await other.query('begin')
    assert.equal((await other.query(decide, [approvalId])).rowCount, 1)
    let isAnswered = false
    const answer = send().finally(() => {
      isAnswered = true
    })
    while (!isAnswered && (await other.query(countLockWaits)).rows[0].waiting === 0);
    await other.query('commit')
    return await answer
  } finally {
    await other.end()
  }
}

forEachEngine(({ test, name }) => {
  test('who has voted may still reject', async (db) => {
    const { first, path, close } = await pendingRequest(db)
    assert.equal((await first('POST', `${path}/approve`, {})).json.data.status, 'PENDING')
    const rejected = await first('POST', `${path}/reject`, { reason: 'The signature differs' })
    assert.deepEqual([rejected.status, rejected.json.data?.status], [200, 'REJECTED'], rejected.text)
    await close()
  })

  // The embedded engine has one session: nothing is under way there.
  if (name === 'PGlite') return

  test('the last vote waits for a rejection under way, and pays nothing', async (db) => {
    const { ask, first, second, path, approvalId, accountNumber, close } = await pendingRequest(db)
    await first('POST', `${path}/approve`, {})
    const assignments = `status = 'REJECTED', decision_reason = 'No'`
    const voted = await whileDecided(db, { approvalId, assignments }, () =>
      second('POST', `${path}/approve`, {}),
    )
    const details = '{"approval_status":"REJECTED"}'
    assertRefused(voted, { status: 409, code: 'approval_not_pending', details })
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 0)
    await close()
  })

  test('a rejection waits for a cancellation under way, and changes nothing', async (db) => {
    const { ask, first, path, approvalId, close } = await pendingRequest(db)
    const assignments = `status = 'CANCELLED'`
    const rejected = await whileDecided(db, { approvalId, assignments }, () =>
      first('POST', `${path}/reject`, { reason: 'No' }),
    )
    const details = '{"approval_status":"CANCELLED"}'
    assertRefused(rejected, { status: 409, code: 'approval_not_pending', details })
    assert.equal((await ask('GET', path)).json.data.status, 'CANCELLED')
    await close()
  })
})
