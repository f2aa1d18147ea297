/** Attacks on a request that already waits: whatever changes after it was made, its approvals are counted again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../../src/features/callers/store.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { forEachEngine } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, describeService, openDeposit, startService } from '../../support/service.ts'

const rule = (when: object, approvals: number, operation = 'liquidateFixedDeposit') => ({
  operation,
  when,
  approvals,
})
const POLICY = {
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: [
    rule({ amount: { gte: 10_000 } }, 1),
    rule({ amount: { gte: 1_000_000 } }, 3),
    rule({ contact_changed_hours: { lt: 48 } }, 2),
  ],
}
/** As text, because answers repeat the body as it was sent. */
const FULL = '{"liquidation_type":"FULL"}'
const partOf = (amount: string) => `{"liquidation_type":"PARTIAL","amount":${amount}}`
const PART = partOf('10000.00')

type Running = Awaited<ReturnType<typeof startService>>

async function checkersOf({ service, callerId, clock, askWith }: Running, count = 3): Promise<Ask[]> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  const keys = Array.from({ length: count }, () =>
    issueKey(service.db, book, { scopes: ['*'], at: clock.now }),
  )
  return (await Promise.all(keys)).map(({ key }) => askWith(key))
}

const requested = async (ask: Ask, depositId: string, body: string) => {
  const about = `"operation":"liquidateFixedDeposit","target_id":"${depositId}"`
  const answer = await ask('POST', '/v2/approvals', `{${about},"body":${body}}`)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}
const vote = (checker: Ask, approvalId: string, body: object = {}) =>
  checker('POST', `/v2/approvals/${approvalId}/approve`, body)
const stateOf = ({ status, approvals_needed, votes }: any) => [status, approvals_needed, votes.length]
const shownBy = async (ask: Ask, approvalId: string) => {
  const shown = (await ask('GET', `/v2/approvals/${approvalId}`)).json.data
  const listed = (await ask('GET', '/v2/approvals?limit=100')).json.data
  const same = listed.find((one: { approval_id: string }) => one.approval_id === approvalId)
  assert.deepEqual(stateOf(same), stateOf(shown))
  const exported = (await ask('GET', '/v2/exports/approvals?from=2026-06-30&to=2026-07-31')).text
  const [row] = exported.split('\n').filter((line) => line.includes(`"approval_id":"${approvalId}"`))
  assert.deepEqual(stateOf(JSON.parse(row!)), stateOf(shown))
  return stateOf(shown)
}
const balanceOf = async (ask: Ask, accountNumber: string) =>
  (await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance

/** A deposit of which all but a small rest was paid out, and the request to break that rest. */
async function askForTheRest({ ask }: Running, checkers: readonly Ask[]) {
  const { depositId, accountNumber } = await openDeposit(ask, { amount: 1_010_000 })
  const first = await requested(ask, depositId, partOf('1000000.00'))
  assert.equal(first.approvals_needed, 3)
  let paid = ''
  for (const checker of checkers) {
    paid = (await vote(checker, first.approval_id)).json.data.result?.liquidation_id ?? paid
  }
  const rest = await requested(ask, depositId, FULL)
  assert.equal(rest.approvals_needed, 1)
  const reverse = () => ask('POST', `/v2/liquidations/${paid}/reverse`, { reason: 'Mistake' })
  return { accountNumber, approvalId: rest.approval_id as string, reverse }
}

describeService('approvals that are counted again', (running) => {
  test('reversing an earlier part after asking does not pay all of it on the votes of the rest', async () => {
    const { ask } = running()
    await setPolicy(running(), POLICY)
    const checkers = await checkersOf(running())
    const { accountNumber, approvalId, reverse } = await askForTheRest(running(), checkers)
    assert.deepEqual(await shownBy(ask, approvalId), ['PENDING', 1, 0])
    assert.equal((await reverse()).status, 200)
    assert.deepEqual(await shownBy(ask, approvalId), ['PENDING', 3, 0])
    for (const [index, checker] of checkers.entries()) {
      assert.equal(await balanceOf(ask, accountNumber), 0)
      // What one of the first voters expected is not looked at while others have to vote.
      const counted = await vote(checker, approvalId, index === 0 ? { expected_net_credited: 10_000 } : {})
      const isLast = index === 2
      assert.deepEqual(stateOf(counted.json.data), [isLast ? 'APPROVED' : 'PENDING', 3, index + 1])
    }
    assert.equal(await balanceOf(ask, accountNumber), 1_010_000)
    assert.deepEqual(await shownBy(ask, approvalId), ['APPROVED', 3, 3])
  })

  test('a vote that is the last one protects the approver from other figures', async () => {
    const { ask } = running()
    await setPolicy(running(), POLICY)
    const [checker] = await checkersOf(running(), 1)
    const { depositId } = await openDeposit(ask, { amount: 20_000 })
    const { approval_id } = await requested(ask, depositId, PART)
    assertRefused(await vote(checker!, approval_id, { expected_net_credited: 9_999.99 }), {
      status: 409,
      code: 'figures_changed',
      details: '{"net_credited":10000.00}',
    })
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 1, 0])
    const done = await vote(checker!, approval_id, { expected_net_credited: 10_000 })
    assert.equal(done.json.data.status, 'APPROVED')
  })

  test('a telephone number that changes after asking counts, and so does the end of its time', async () => {
    const { ask } = running()
    await setPolicy(running(), POLICY)
    const [first, second] = await checkersOf(running())
    const { depositId, customerId } = await openDeposit(ask, { amount: 20_000 })
    const { approval_id, approvals_needed } = await requested(ask, depositId, PART)
    assert.equal(approvals_needed, 1)
    await ask('PUT', `/v2/customer/${customerId}`, { phone_number: '+234 801 000 2222' })
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 2, 0])
    assert.deepEqual(stateOf((await vote(first!, approval_id)).json.data), ['PENDING', 2, 1])
    assert.deepEqual(stateOf((await vote(second!, approval_id)).json.data), ['APPROVED', 2, 2])
  })

  test('a tightened policy counts, and a looser one does not help', async () => {
    const { ask } = running()
    const [first, second, third] = await checkersOf(running())
    const ofTwo = { ...POLICY, rules: [rule({ amount: { gte: 10_000 } }, 2)] }
    await setPolicy(running(), ofTwo)
    const { depositId } = await openDeposit(ask, { amount: 20_000 })
    const { approval_id } = await requested(ask, depositId, PART)
    await setPolicy(running(), { ...ofTwo, rules: [] })
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 2, 0])
    assert.deepEqual(stateOf((await vote(first!, approval_id)).json.data), ['PENDING', 2, 1])
    await setPolicy(running(), { ...ofTwo, rules: [rule({}, 3)] })
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 3, 1])
    assert.deepEqual(stateOf((await vote(second!, approval_id)).json.data), ['PENDING', 3, 2])
    // The larger number was that of its moment only.
    await setPolicy(running(), ofTwo)
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 2, 2])
    assert.deepEqual(stateOf((await vote(third!, approval_id)).json.data), ['APPROVED', 2, 3])
  })

  test('a request that is refused for its figures alone shows the number that a vote would need', async () => {
    const { ask, clock } = running()
    await setPolicy(running(), POLICY)
    const checkers = await checkersOf(running())
    const { depositId } = await openDeposit(ask, { amount: 20_000 })
    const body = '{"liquidation_type":"FULL","expected_net_credited":20000.00}'
    const { approval_id } = await requested(ask, depositId, body)
    clock.now = new Date(clock.now.getTime() + 24 * 3_600_000 - 1)
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 1, 0])
    await setPolicy(running(), { ...POLICY, rules: [rule({}, 2)] })
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 2, 0])
    assert.deepEqual(stateOf((await vote(checkers[0]!, approval_id)).json.data), ['PENDING', 2, 1])
    const last = await vote(checkers[1]!, approval_id)
    assert.equal(last.json.error.code, 'figures_changed')
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 2, 1])
  })

  test('verification accepts votes that were kept, whatever the policy asks for by then', async () => {
    const { ask, service, callerId } = running()
    const checkers = await checkersOf(running())
    const asking = (approvals: number) =>
      setPolicy(running(), { ...POLICY, rules: [rule({ amount: { gte: 10_000 } }, approvals)] })
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const differenceNow = async () => (await verify([book], service)).difference
    await asking(1)
    const { depositId } = await openDeposit(ask, { amount: 20_000 })
    const { approval_id } = await requested(ask, depositId, PART)
    await asking(3)
    for (const checker of checkers.slice(0, 2)) {
      assert.equal((await vote(checker, approval_id)).json.data.status, 'PENDING')
      assert.equal(await differenceNow(), null)
    }
    await asking(1)
    assert.deepEqual(await shownBy(ask, approval_id), ['PENDING', 1, 2])
    assert.deepEqual(stateOf((await vote(checkers[2]!, approval_id)).json.data), ['APPROVED', 1, 3])
    assert.equal(await differenceNow(), null)
  })

  test('the policy guards itself, unless its own rule says how', async () => {
    const { ask } = running()
    await setPolicy(running(), POLICY)
    const checkers = await checkersOf(running())
    const none = { ...POLICY, rules: [] }
    const replacement = { operation: 'replaceApprovalPolicy', body: none }
    const refused = await ask('PUT', '/v2/approval-policy', none)
    assertRefused(refused, {
      status: 422,
      code: 'approval_required',
      details: `{"approvals_needed":3,"approval":${JSON.stringify({
        operation: 'replaceApprovalPolicy',
        target_id: null,
        body: none,
      })}}`,
    })
    const asked = (await ask('POST', '/v2/approvals', replacement)).json.data
    assert.equal(asked.approvals_needed, 3)
    for (const checker of checkers) await vote(checker, asked.approval_id)
    assert.deepEqual((await ask('GET', '/v2/approval-policy')).json.data.rules, [])
    await setPolicy(running(), { ...POLICY, rules: [...POLICY.rules, rule({}, 1, 'replaceApprovalPolicy')] })
    const own = (await ask('POST', '/v2/approvals', replacement)).json.data
    assert.equal(own.approvals_needed, 1)
    assert.equal((await vote(checkers[0]!, own.approval_id)).json.data.status, 'APPROVED')
    assert.equal((await ask('PUT', '/v2/approval-policy', none)).status, 200)
  })
})

forEachEngine(({ test }) => {
  test('a vote and a reversal at the same moment never pay the whole on one vote', async (db) => {
    for (let round = 0; round < 4; round += 1) {
      const started = await startService(db, { workers: 4 })
      const { ask, close } = started
      await setPolicy(started, POLICY)
      const checkers = await checkersOf(started)
      const { accountNumber, approvalId, reverse } = await askForTheRest(started, checkers)
      const [voted, reversed] = await Promise.all([vote(checkers[0]!, approvalId), reverse()])
      assert.equal(voted.status, 200, voted.text)
      const state = stateOf(voted.json.data)
      // Either the rest was paid first, and its part is the last movement then; or nothing was paid on the vote.
      if (state[0] === 'APPROVED') assert.equal(reversed.status, 409, reversed.text)
      else assert.deepEqual([state, reversed.status], [['PENDING', 3, 1], 200])
      assert.equal(await balanceOf(ask, accountNumber), state[0] === 'APPROVED' ? 1_010_000 : 0)
      await close()
    }
  })

  test('a vote and a stricter policy at the same moment: the one that comes first counts', async (db) => {
    const started = await startService(db, { workers: 4 })
    const { ask } = started
    await setPolicy(started, POLICY)
    const checkers = await checkersOf(started)
    const own = { ...POLICY, rules: [rule({}, 1), rule({}, 1, 'replaceApprovalPolicy')] }
    await setPolicy(started, own)
    for (let round = 0; round < 4; round += 1) {
      const { depositId } = await openDeposit(ask, { amount: 20_000 })
      const { approval_id } = await requested(ask, depositId, PART)
      const stricter = { ...own, rules: [rule({}, 3), ...own.rules] }
      const body = { operation: 'replaceApprovalPolicy', body: stricter }
      const policy = (await ask('POST', '/v2/approvals', body)).json.data
      const [voted] = await Promise.all([
        vote(checkers[0]!, approval_id),
        vote(checkers[1]!, policy.approval_id),
      ])
      const state = stateOf(voted.json.data)
      assert(
        [
          ['APPROVED', 1, 1],
          ['PENDING', 3, 1],
        ].some((possible) => possible.join() === state.join()),
        voted.text,
      )
      await setPolicy(started, own)
    }
    await started.close()
  })

  test('of several votes at once that are needed together, the last one executes, once', async (db) => {
    const started = await startService(db, { workers: 4 })
    const { ask } = started
    await setPolicy(started, POLICY)
    const checkers = await checkersOf(started, 5)
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 1_000_000 })
    const { approval_id } = await requested(ask, depositId, FULL)
    const answers = await Promise.all(checkers.map((checker) => vote(checker, approval_id)))
    const states = answers.map(({ json }) => json.data?.status ?? json.error.code).sort()
    assert.deepEqual(states, [
      'APPROVED',
      'PENDING',
      'PENDING',
      'approval_not_pending',
      'approval_not_pending',
    ])
    assert.equal(await balanceOf(ask, accountNumber), 1_000_000)
    await started.close()
  })
})
