/** Approvals: what waits, who decides, and what happens when the last one has approved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSignInOver } from '../../../src/cli/compose.ts'
import { OPERATOR } from '../../../src/domain/actor.ts'
import type { Mode } from '../../../src/domain/book.ts'
import type { Role } from '../../../src/domain/people.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { newId } from '../../../src/engine/database/ids.ts'
import { expireApprovals } from '../../../src/features/approvals/changes.ts'
import { startApprovalJob } from '../../../src/features/approvals/job.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { APPROVABLE_OPERATIONS } from '../../../src/features/document-kinds/document.ts'
import { invitePerson } from '../../../src/features/people/changes.ts'
import { routes } from '../../../src/http/routes.ts'
import { forEachEngine } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused, assertUnchanged } from '../../support/refusals.ts'
import {
  type Ask,
  actorOf,
  describeService,
  firstRules,
  fundedAccount,
  openDeposit,
  startService,
  tenPercent,
} from '../../support/service.ts'

const rule = (operation: string, when: object, approvals = 1) => ({ operation, when, approvals })
const LIMITS = {
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: [
    rule('liquidateFixedDeposit', { amount: { gte: 1_000_000 } }),
    rule('liquidateFixedDeposit', { amount: { gte: 5_000_000 } }, 2),
    rule('liquidateFixedDeposit', { contact_changed_hours: { lt: 48 } }),
    rule('placeLien', { amount: { gte: 100 } }),
  ],
}
const FULL = { liquidation_type: 'FULL' }
const liquidate = (ask: Ask, depositId: string, headers?: Record<string, string>) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL, headers)
const request = (ask: Ask, depositId: string, more: object = {}) =>
  ask('POST', '/v2/approvals', {
    operation: 'liquidateFixedDeposit',
    target_id: depositId,
    body: FULL,
    ...more,
  })
const requestOpening = (ask: Ask, accountNumber: string, amount: number) =>
  ask('POST', '/v2/approvals', {
    operation: 'openFixedDeposit',
    body: { account_number: accountNumber, amount, tenor: 365, interest_rate: 10 },
  })
const approve = (ask: Ask, approvalId: string, body: object = {}) =>
  ask('POST', `/v2/approvals/${approvalId}/approve`, body)

type Running = Awaited<ReturnType<typeof startService>>

async function employ({ service, callerId }: Running, role: Role, modes: Mode[] = ['test']): Promise<void> {
  const who = { callerId, name: 'Halima Sani', email: `${newId('per')}@example.com`, role, modes }
  const invited = await invitePerson(service, { actor: OPERATOR, requestId: null }, who)
  assert(invited.outcome === 'linked', JSON.stringify(invited))
  const { setPassword } = createSignInOver(service, { triesPerAddressPerMinute: 0 })
  const set = await setPassword({ token: invited.link.token, password: 'harbour at dawn' })
  assert.notEqual(set.outcome, 'refused')
}

/** Two keys besides the maker's own, with all scopes. */
async function deciders({ service, callerId, clock, askWith }: Running): Promise<[Ask, Ask]> {
  const book = (await findBook(service.db, { callerId, mode: 'test' }))!
  const issue = () => issueKey(service.db, book, { scopes: ['*'], at: clock.now })
  return [askWith((await issue()).key), askWith((await issue()).key)]
}

test('asking for an operation and carrying it out list every refusal of its direct call', () => {
  const refusalsOf = (operationId: string) =>
    routes.find((route) => route.operationId === operationId)!.refusals as string[]
  for (const operation of APPROVABLE_OPERATIONS) {
    const direct = refusalsOf(operation).filter((code) => code !== 'approval_required')
    for (const asking of ['requestApproval', 'approveApproval']) {
      const missing = direct.filter((code) => !refusalsOf(asking).includes(code))
      assert.deepEqual(missing, [], `${asking} of ${operation}`)
    }
  }
})

describeService('approvals', (running) => {
  test('above the limit nothing is paid until somebody else approves', async () => {
    const { ask, db } = running()
    const [checker] = await deciders(running())
    await setPolicy(running(), LIMITS)
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 2_000_000 })
    const waiting = { operation: 'liquidateFixedDeposit', target_id: depositId, body: FULL }
    await assertUnchanged(db, async () => {
      assertRefused(await liquidate(ask, depositId, { 'idempotency-key': 'free' }), {
        status: 422,
        code: 'approval_required',
        details: `{"approvals_needed":1,"approval":${JSON.stringify(waiting)}}`,
      })
    })
    assertRefused(await ask('POST', '/v2/approvals', { ...waiting, operation: 'closeBank' }), {
      status: 400,
      code: 'invalid_request',
      fields: [['operation', 'invalid_value']],
    })
    const asked = await ask('POST', '/v2/approvals', { ...waiting, note: 'Customer is moving abroad' })
    assert.equal(asked.status, 201, asked.text)
    const { approval_id } = asked.json.data
    assert.match(approval_id, /^apr_[0-9A-Za-z]{24}$/)
    assert.deepEqual(
      {
        ...asked.json.data,
        preview: asked.json.data.preview.total_credited,
        requested_by: asked.json.data.requested_by.kind,
      },
      {
        approval_id,
        operation: 'liquidateFixedDeposit',
        target_id: depositId,
        body: FULL,
        note: 'Customer is moving abroad',
        status: 'PENDING',
        preview: 2_000_000,
        approvals_needed: 1,
        votes: [],
        requested_by: 'KEY',
        requested_at: '2026-07-01T10:00:00.000Z',
        expires_at: '2026-07-02T10:00:00.000Z',
        decided_at: null,
        result: null,
        decision_reason: null,
      },
    )
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 0)
    assertRefused(await approve(ask, approval_id), { status: 403, code: 'maker_cannot_approve' })

    const approved = await approve(checker, approval_id)
    assert.equal(approved.status, 200, approved.text)
    const { status, result, votes, decided_at } = approved.json.data
    assert.deepEqual([status, result.status, result.total_credited], ['APPROVED', 'LIQUIDATED', 2_000_000])
    assert.deepEqual([votes.length, decided_at], [1, '2026-07-01T10:00:00.000Z'])
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 2_000_000)
    assert.deepEqual((await ask('GET', `/v2/approvals/${approval_id}`)).json.data, approved.json.data)
    const events = (await ask('GET', '/v2/events?limit=3')).json.data
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['approval.approved', 'fixed_deposit.liquidated', 'approval.requested'],
    )
    assert(!JSON.stringify(events).includes('abroad'))
    assertRefused(await approve(checker, approval_id), {
      status: 409,
      code: 'approval_not_pending',
      details: '{"approval_status":"APPROVED"}',
    })
  })

  test('two approvals are two different actors, and a rolled key is the same one', async () => {
    const { ask, askWith } = running()
    await setPolicy(running(), LIMITS)
    const [first, second] = await deciders(running())
    const { depositId } = await openDeposit(ask, { amount: 5_000_000 })
    const { approval_id, approvals_needed } = (await request(ask, depositId)).json.data
    assert.equal(approvals_needed, 2)
    const counted = await approve(first, approval_id)
    assert.deepEqual([counted.json.data.status, counted.json.data.votes.length], ['PENDING', 1])
    assertRefused(await approve(first, approval_id), { status: 409, code: 'already_voted' })
    const { api_key_id } = (await first('GET', '/v2/api-keys/current')).json.data
    const rolled = await first('POST', `/v2/api-keys/${api_key_id}/roll`, { overlap_seconds: 60 })
    assertRefused(await approve(askWith(rolled.json.data.key), approval_id), {
      status: 409,
      code: 'already_voted',
    })
    assert.equal((await approve(second, approval_id)).json.data.status, 'APPROVED')
    const [voted] = (await ask('GET', '/v2/events?type=approval.voted&limit=1')).json.data
    assert.deepEqual([voted.data.approval_id, voted.data.status], [approval_id, 'PENDING'])
  })

  test('a quote shows that approval is needed, and the deposit shows what waits and who requested it', async () => {
    const started = running()
    const { ask, clock } = started
    await setPolicy(running(), LIMITS)
    const [checker] = await deciders(started)
    const { depositId, accountNumber, customerId } = await openDeposit(ask, { amount: 2_000_000 })
    const quoted = async (body: object) => {
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data.approval_required
    }
    const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
    assert.deepEqual([await quoted(part(999_999.99)), await quoted(part(1_000_000))], [false, true])
    await ask('PUT', `/v2/customer/${customerId}`, { email: 'new@example.com' })
    assert.equal(await quoted(part(1)), true)

    const shown = async () => {
      const deposit = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
      const listed = (await ask('GET', `/v2/fixed-deposits?account_number=${accountNumber}`)).json.data
      assert.deepEqual(listed, [deposit])
      return [deposit.pending_approval_id, deposit.pending_approval_requested_by]
    }
    assert.deepEqual(await shown(), [null, null])
    const { approval_id } = (await request(ask, depositId)).json.data
    assert.deepEqual(await shown(), [approval_id, await actorOf(ask)])
    clock.now = new Date(clock.now.getTime() + 24 * 3_600_000)
    assert.deepEqual(await shown(), [null, null])
    const again = (await request(ask, depositId)).json.data.approval_id
    assert.deepEqual((await shown())[0], again)
    for (const decider of [checker, ...(await deciders(started))]) await approve(decider, again)
    assert.deepEqual(await shown(), [null, null])
    clock.now = new Date('2026-07-01T10:00:00.000Z')
  })

  test('the figures are those of the day of the last vote', async () => {
    const { ask } = running()
    await setPolicy(running(), { ...LIMITS, expires_after_hours: 720 })
    const [checker] = await deciders(running())
    const { depositId } = await openDeposit(ask, { amount: 1_000_000, interest_rate: 10, tenor: 365 })
    const { approval_id, preview } = (await request(ask, depositId)).json.data
    assert.equal(preview.interest_paid, 0)
    await ask('POST', '/v2/test-clock', { now: '2026-07-11T10:00:00Z' })
    const live = (await ask('GET', `/v2/approvals/${approval_id}`)).json.data
    assert.equal(live.preview.interest_paid, 2739.73)
    const approved = (await approve(checker, approval_id)).json.data
    assert.deepEqual([approved.result.interest_paid, approved.preview.interest_paid], [2739.73, 0])
  })

  test('one request waits for each operation and target; after a refused execution it stays pending', async () => {
    const { ask } = running()
    await setPolicy(running(), LIMITS)
    const [checker] = await deciders(running())
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const { approval_id } = (await request(ask, depositId)).json.data
    assertRefused(await request(ask, depositId), {
      status: 409,
      code: 'approval_already_pending',
      details: `{"approval_id":"${approval_id}"}`,
    })
    const lien = (await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 5, reason: 'x' })).json
      .data
    assertRefused(await approve(checker, approval_id), {
      status: 422,
      code: 'deposit_under_lien',
      details: '{"lien_amount":5.00}',
    })
    assert.equal((await ask('GET', `/v2/approvals/${approval_id}`)).json.data.status, 'PENDING')
    await ask('POST', `/v2/liens/${lien.lien_id}/release`, { reason: 'x' })
    assert.equal((await approve(checker, approval_id)).json.data.status, 'APPROVED')
    assert.equal((await request(ask, depositId)).json.error.code, 'deposit_not_active')
  })

  test('openings of one account wait side by side and are executed one by one, while there is money', async () => {
    const { ask, db } = running()
    await setPolicy(running(), LIMITS)
    const [checker] = await deciders(running())
    const { accountNumber } = await fundedAccount(ask, 1_000_000)
    const asked = []
    for (const amount of [300_000.25, 699_999.75, 400_000.25])
      asked.push(await requestOpening(ask, accountNumber, amount))
    assert.deepEqual(
      asked.map(({ status, json }) => [status, json.data.target_id, json.data.preview.principal]),
      [300_000.25, 699_999.75, 400_000.25].map((amount) => [201, null, amount]),
    )
    const [first, second, third] = asked.map(({ json }) => json.data.approval_id)
    for (const [approvalId, amount] of [
      [second, 699_999.75],
      [first, 300_000.25],
    ]) {
      const { status, result } = (await approve(checker, approvalId)).json.data
      assert.deepEqual([status, result.status, result.principal], ['APPROVED', 'ACTIVE', amount])
    }
    await assertUnchanged(db, async () => {
      assert.equal((await approve(checker, third)).json.error.code, 'insufficient_funds')
    })
    assert.equal((await ask('GET', `/v2/approvals/${third}`)).json.data.status, 'PENDING')
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 0)
  })

  test('rules and policies of the book wait one at a time', async () => {
    const { ask } = running()
    for (const [operation, body] of [
      ['replaceRules', firstRules],
      ['replaceTaxRules', tenPercent],
      ['replaceApprovalPolicy', LIMITS],
    ] as const) {
      const first = await ask('POST', '/v2/approvals', { operation, body })
      assert.equal(first.status, 201, first.text)
      assertRefused(await ask('POST', '/v2/approvals', { operation, body }), {
        status: 409,
        code: 'approval_already_pending',
        details: `{"approval_id":"${first.json.data.approval_id}"}`,
      })
    }
  })

  test('rejecting needs a reason, only the maker cancels, and a decision is final', async () => {
    const { ask } = running()
    await setPolicy(running(), LIMITS)
    const [checker] = await deciders(running())
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const first = (await request(ask, depositId)).json.data.approval_id
    assertRefused(await checker('POST', `/v2/approvals/${first}/reject`, {}), {
      status: 400,
      code: 'invalid_request',
      fields: [['reason', 'required']],
    })
    assertRefused(await ask('POST', `/v2/approvals/${first}/reject`, { reason: 'No' }), {
      status: 403,
      code: 'maker_cannot_approve',
    })
    const rejected = await checker('POST', `/v2/approvals/${first}/reject`, { reason: 'Not identified' })
    assert.deepEqual(
      [rejected.json.data.status, rejected.json.data.decision_reason],
      ['REJECTED', 'Not identified'],
    )
    const second = (await request(ask, depositId)).json.data.approval_id
    assertRefused(await checker('POST', `/v2/approvals/${second}/cancel`), {
      status: 403,
      code: 'not_your_request',
    })
    assert.equal((await ask('POST', `/v2/approvals/${second}/cancel`)).json.data.status, 'CANCELLED')
    const events = (await ask('GET', '/v2/events?limit=4')).json.data
    assert.deepEqual(
      events.map(({ type, data }: any) => [type, data.approval_id]),
      [
        ['approval.cancelled', second],
        ['approval.requested', second],
        ['approval.rejected', first],
        ['approval.requested', first],
      ],
    )
    assert(!JSON.stringify(events).includes('Not identified'))
    for (const [approvalId, status] of [
      [first, 'REJECTED'],
      [second, 'CANCELLED'],
    ]) {
      assertRefused(await approve(checker, approvalId!), {
        status: 409,
        code: 'approval_not_pending',
        details: `{"approval_status":"${status}"}`,
      })
    }
    const list = await ask('GET', `/v2/approvals?target_id=${depositId}&status=REJECTED`)
    assert.deepEqual(
      list.json.data.map((one: { approval_id: string }) => one.approval_id),
      [first],
    )
  })

  test('a used idempotency key is refused before an unknown approval is', async () => {
    const { ask } = running()
    const used = { 'idempotency-key': 'used' }
    await ask('PUT', '/v2/liquidation-rules', firstRules, used)
    for (const [verb, body] of [
      ['approve', {}],
      ['reject', { reason: 'No' }],
      ['cancel', undefined],
    ] as const) {
      assertRefused(await ask('POST', `/v2/approvals/apr_x/${verb}`, body, used), {
        status: 422,
        code: 'idempotency_key_reused',
      })
    }
  })

  test('a request past its expiry is listed as EXPIRED and not as PENDING, before the job has run', async () => {
    const { ask, clock } = running()
    await setPolicy(running(), LIMITS)
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const { approval_id } = (await request(ask, depositId)).json.data
    const listed = async (status: string) => {
      const { json } = await ask('GET', `/v2/approvals?target_id=${depositId}&status=${status}`)
      return json.data.map((one: { approval_id: string; status: string }) => [one.approval_id, one.status])
    }
    assert.deepEqual([await listed('PENDING'), await listed('EXPIRED')], [[[approval_id, 'PENDING']], []])
    const before = clock.now
    clock.now = new Date(before.getTime() + 24 * 3_600_000)
    assert.deepEqual([await listed('PENDING'), await listed('EXPIRED')], [[], [[approval_id, 'EXPIRED']]])
    clock.now = before
  })

  test('only people decide unless the policy says otherwise, and never fewer than it asks for', async () => {
    const { ask } = running()
    await setPolicy(running(), { ...LIMITS, rules: [] })
    const { deciders: _, ...people } = LIMITS
    const tooFew = async (deciders: number) =>
      assertRefused(await ask('PUT', '/v2/approval-policy', people), {
        status: 422,
        code: 'too_few_deciders',
        details: `{"deciders":${deciders}}`,
      })
    await tooFew(0)
    await employ(running(), 'SUPERVISOR', ['live'])
    await employ(running(), 'CLERK')
    await tooFew(0)
    await employ(running(), 'SUPERVISOR')
    await tooFew(1)
    await employ(running(), 'SUPERVISOR')
    await setPolicy(running(), people)
    assert.equal((await ask('GET', '/v2/approval-policy')).json.data.deciders, 'PERSON')
    const [checker] = await deciders(running())
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const { approval_id } = (await request(ask, depositId)).json.data
    assertRefused(await approve(checker, approval_id), { status: 403, code: 'person_required' })
    await setPolicy(running(), LIMITS)
    assert.equal((await approve(checker, approval_id)).status, 200)
  })

  test('a changed telephone number makes a liquidation wait, an unchanged profile does not', async () => {
    const { ask } = running()
    await setPolicy(running(), LIMITS)
    const { depositId, customerId } = await openDeposit(ask, { amount: 500 })
    const other = await openDeposit(ask, { amount: 500 })
    await ask('PUT', `/v2/customer/${customerId}`, { phone_number: '+234 801 000 1111' })
    await ask('PUT', `/v2/customer/${other.customerId}`, { address: '5 Quay Street' })
    assert.equal((await liquidate(ask, depositId)).json.error.code, 'approval_required')
    assert.equal((await liquidate(ask, other.depositId)).status, 200)
    await ask('POST', '/v2/test-clock', { now: '2026-07-20T10:00:00Z' })
    assert.equal((await liquidate(ask, depositId)).status, 200)
  })

  test('a telephone number that was changed by a clock slightly ahead has changed just now', async () => {
    const { ask, clock } = running()
    const when = { contact_changed_hours: { gte: 0, lt: 48 } }
    const rules = [{ operation: 'liquidateFixedDeposit', when, approvals: 1 }]
    await setPolicy(running(), { ...LIMITS, rules })
    const { depositId, customerId } = await openDeposit(ask, { amount: 500 })
    await ask('PUT', `/v2/customer/${customerId}`, { phone_number: '+234 801 000 3333' })
    const { now } = clock
    clock.now = new Date(now.getTime() - 1)
    assert.equal((await liquidate(ask, depositId)).json.error?.code, 'approval_required')
    clock.now = now
  })

  test('bad input is refused as in the direct call', async () => {
    const { ask, askWith, liveKey, db } = running()
    await setPolicy(running(), LIMITS)
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    await assertUnchanged(db, async () => {
      for (const [sent, field, code] of [
        [{ operation: 'updateCustomer' }, 'operation', 'invalid_value'],
        [{ body: { ...FULL, ammount: 1 } }, 'body.ammount', 'unknown_field'],
        [{ body: {} }, 'body.liquidation_type', 'required'],
        [{ body: [] }, 'body', 'invalid_type'],
        [{ target_id: null }, 'target_id', 'required'],
      ] as const) {
        assertRefused(await request(ask, depositId, sent), {
          status: 400,
          code: 'invalid_request',
          fields: [[field, code]],
        })
      }
      assertRefused(await request(ask, depositId, { target_id: null, body: { amount: 0 } }), {
        status: 400,
        code: 'invalid_request',
        fields: [
          ['target_id', 'required'],
          ['body.liquidation_type', 'required'],
          ['body.amount', 'not_positive'],
        ],
      })
      assertRefused(await request(ask, 'fd_000000000000000000000000'), {
        status: 404,
        code: 'deposit_not_found',
      })
      assertRefused(await request(askWith(liveKey), depositId), { status: 404, code: 'deposit_not_found' })
      for (const path of ['', '/approve', '/cancel']) {
        const answer = await ask(path === '' ? 'GET' : 'POST', `/v2/approvals/apr_x${path}`)
        assertRefused(answer, { status: 404, code: 'approval_not_found' })
      }
      for (const [policy, field, code] of [
        [{ ...LIMITS, expires_after_hours: 0 }, 'expires_after_hours', 'out_of_range'],
        [{ ...LIMITS, expires_after_hours: 721 }, 'expires_after_hours', 'out_of_range'],
        [{ ...LIMITS, deciders: 'ALL' }, 'deciders', 'invalid_value'],
        [{ ...LIMITS, rules: [rule('placeLien', {}, 4)] }, 'rules[0].approvals', 'out_of_range'],
        [{ ...LIMITS, rules: [rule('updateCustomer', {})] }, 'rules[0].operation', 'invalid_value'],
        [
          { ...LIMITS, rules: [rule('placeLien', { waiver: false })] },
          'rules[0].when.waiver',
          'invalid_value',
        ],
        [{ ...LIMITS, rules: [rule('placeLien', { amount: {} })] }, 'rules[0].when.amount.gte', 'required'],
      ] as const) {
        assertRefused(await ask('PUT', '/v2/approval-policy', policy), {
          status: 400,
          code: 'invalid_request',
          fields: [[field, code]],
        })
      }
    })
  })

  test('a key needs the scopes of the operation to request approval, and its own scope to decide', async () => {
    const { ask, askWith, service, callerId, clock, db } = running()
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const weak = await issueKey(service.db, book, { scopes: ['fixed_deposits:read'], at: clock.now })
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    assertRefused(await request(askWith(weak.key), depositId), {
      status: 403,
      code: 'insufficient_scope',
      details: '{"required_scope":"fixed_deposits:liquidate"}',
    })
  })
})

forEachEngine(({ test }) => {
  test('of many concurrent last votes one executes, and a concurrent direct call succeeds or fails as a whole', async (db) => {
    const started = await startService(db, { workers: 4 })
    const { ask } = started
    await setPolicy(started, LIMITS)
    const checkers = [...(await deciders(started)), ...(await deciders(started))]
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 1_000_000 })
    const { approval_id } = (await request(ask, depositId)).json.data
    const answers = await Promise.all(checkers.map((checker) => approve(checker, approval_id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await ask('GET', `/v2/accounts/${accountNumber}`)).json.data.balance, 1_000_000)
    await started.close()
  })

  test('of equal concurrent requests one waits, but every opening does', async (db) => {
    const started = await startService(db, { workers: 4 })
    const { ask } = started
    const { depositId } = await openDeposit(ask, { amount: 1_000 })
    const { accountNumber } = await fundedAccount(ask, 1_000)
    const rules = { operation: 'replaceRules', body: firstRules }
    const statuses = async (send: () => ReturnType<Ask>) =>
      (await Promise.all([send(), send(), send(), send()])).map(({ status }) => status).sort()
    assert.deepEqual(await statuses(() => request(ask, depositId)), [201, 409, 409, 409])
    assert.deepEqual(await statuses(() => ask('POST', '/v2/approvals', rules)), [201, 409, 409, 409])
    assert.deepEqual(await statuses(() => requestOpening(ask, accountNumber, 999.99)), [201, 201, 201, 201])
    await started.close()
  })

  test('in a book without a policy only people decide', async (db) => {
    const started = await startService(db)
    const { ask } = started
    const [checker] = await deciders(started)
    const { depositId } = await openDeposit(ask, { amount: 1_000 })
    const { approval_id } = (await request(ask, depositId)).json.data
    assertRefused(await approve(checker, approval_id), { status: 403, code: 'person_required' })
    await started.close()
  })

  test('a request expires by itself, the job records it, and another may be made', async (db) => {
    const started = await startService(db)
    const { ask, service, callerId, clock } = started
    await setPolicy(started, { ...LIMITS, expires_after_hours: 1 })
    const [checker] = await deciders(started)
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    const other = await openDeposit(ask, { amount: 1_000_000 })
    const first = (await request(ask, depositId)).json.data.approval_id
    const second = (await request(ask, other.depositId)).json.data.approval_id
    clock.now = new Date('2026-07-01T11:00:00.000Z')
    assert.equal((await ask('GET', `/v2/approvals/${first}`)).json.data.status, 'EXPIRED')
    assertRefused(await approve(checker, first), {
      status: 409,
      code: 'approval_not_pending',
      details: '{"approval_status":"EXPIRED"}',
    })
    assert.equal((await request(ask, depositId)).status, 201)
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    assert.equal(await expireApprovals(service, book, 10), 1)
    assert.equal(await expireApprovals(service, book, 10), 0)
    const expired = (await ask('GET', '/v2/events?type=approval.expired')).json.data
    assert.deepEqual(
      expired.map((event: { data: { approval_id: string } }) => event.data.approval_id),
      [second, first],
    )
    await started.close()
  })

  test('the job goes on where it fails in one book', async (db) => {
    const started = await startService(db)
    const { ask, service, callerId, clock } = started
    await setPolicy(started, LIMITS)
    const { depositId } = await openDeposit(ask, { amount: 1_000_000 })
    await request(ask, depositId)
    clock.now = new Date('2026-07-03T10:00:00.000Z')
    const live = (await findBook(db, { callerId, mode: 'live' }))!
    const test = (await findBook(db, { callerId, mode: 'test' }))!
    const partly: Database = {
      ...db,
      query: (text, values) =>
        values?.[0] === live.bookId ? Promise.reject(new Error('Not reached.')) : db.query(text, values),
    }
    const expired = Promise.withResolvers<void>()
    const logged = new Set<string>()
    const job = startApprovalJob({
      engine: { ...service, db: partly },
      everySeconds: 0.01,
      log(_level, event, fields) {
        logged.add(`${event} ${fields?.book_id}`)
        if (event === 'approvals_expired') expired.resolve()
      },
    })
    await expired.promise
    await job.stop()
    assert.deepEqual(logged, new Set([`approvals_failed ${live.bookId}`, `approvals_expired ${test.bookId}`]))
    await started.close()
  })
})
