/** Every limit of approvals, on both sides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApprovalPolicyBody } from '../../../src/features/approval-policy/record.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { parseJson } from '../../../src/wire/json.ts'
import { readBody } from '../../../src/wire/reader.ts'
import { assertRefused } from '../../support/refusals.ts'
import { describeService, fundedAccount } from '../../support/service.ts'

const rule = (when: object, approvals = 1) => ({ operation: 'openFixedDeposit', when, approvals })
const policy = (change: object) => ({ expires_after_hours: 24, deciders: 'ANY', rules: [], ...change })
const rules = (count: number) => policy({ rules: Array.from({ length: count }, () => rule({})) })
const on = (when: object) => policy({ rules: [rule(when)] })
const sum = (days: number) => on({ sum: { of: 'ACTOR', days, amount: { gte: 1 } } })

test('a policy lies within its limits', () => {
  const table: [within: object[], beyond: object[], field: string][] = [
    [
      [policy({ expires_after_hours: 1 }), policy({ expires_after_hours: 720 })],
      [policy({ expires_after_hours: 0 }), policy({ expires_after_hours: 721 })],
      'expires_after_hours',
    ],
    [[rules(0), rules(50)], [rules(51)], 'rules'],
    [
      [policy({ rules: [rule({}, 1)] }), policy({ rules: [rule({}, 3)] })],
      [policy({ rules: [rule({}, 0)] }), policy({ rules: [rule({}, 4)] })],
      'rules[0].approvals',
    ],
    [[sum(1), sum(31)], [sum(0), sum(32)], 'rules[0].when.sum.days'],
    [
      [on({ contact_changed_hours: { gte: 0, lt: 87_600 } })],
      [on({ contact_changed_hours: { lt: 87_601 } })],
      'rules[0].when.contact_changed_hours.lt',
    ],
    [
      [on({ negotiated_points: { gte: -100, lt: 100 } })],
      [on({ negotiated_points: { lt: 100.01 } })],
      'rules[0].when.negotiated_points.lt',
    ],
  ]
  for (const [within, beyond, field] of table) {
    for (const one of within) assert.equal(read(one).ok, true, JSON.stringify(one))
    for (const one of beyond) {
      const reading = read(one)
      assert.deepEqual(reading.ok || reading.fields.map((error) => error.field), [field])
    }
  }
})

function read(body: object) {
  return readBody(ApprovalPolicyBody, parseJson(Buffer.from(JSON.stringify(body))))
}

describeService('requests for approval', (running) => {
  test('10,000 of them wait in a book, and one more is refused until one is decided', async () => {
    const { ask, db, service, callerId } = running()
    const { accountNumber } = await fundedAccount(ask, 1_000)
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const body = { account_number: accountNumber, amount: 100.25, tenor: 30, interest_rate: 10 }
    const request = () => ask('POST', '/v2/approvals', { operation: 'openFixedDeposit', body })
    const first = await request()
    assert.equal(first.status, 201, first.text)
    await db.query(
      `insert into approvals (book_id, approval_id, ordinal, operation, target_id, body, status, preview,
         approvals_needed, maker, requested_by, requested_at, expires_at)
       select book_id, 'apr_' || number, -number, operation, target_id, body, status, preview,
         approvals_needed, maker, requested_by, requested_at, expires_at
       from approvals, generate_series(1, 9998) as number
       where book_id = $1`,
      [book.bookId],
    )
    const last = await request()
    assert.equal(last.status, 201, last.text)
    assertRefused(await request(), {
      status: 422,
      code: 'too_many_approvals',
      details: '{"maximum":10000}',
    })
    const cancelled = await ask('POST', `/v2/approvals/${last.json.data.approval_id}/cancel`)
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.equal((await request()).status, 201)
  })
})
