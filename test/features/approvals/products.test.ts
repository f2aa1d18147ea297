/** Products, rate sheets and the calendar wait for a second pair of eyes, and are written by the last vote. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../../src/features/callers/store.ts'
import { issueKey } from '../../support/keys.ts'
import { setPolicy } from '../../support/policy.ts'
import { harbourFix, harbourSheet, openByProduct, sell, sheetAt } from '../../support/products.ts'
import { assertRefusedWithoutTrace } from '../../support/refusals.ts'
import { describeService, fundedAccount, startService } from '../../support/service.ts'

const rule = (operation: string) => ({ operation, when: {}, approvals: 1 })
const policy = (...operations: string[]) => ({
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: operations.map(rule),
})
const CALENDAR = { weekend: ['SAT', 'SUN'], holidays: ['2026-12-25'] }

type Held = [
  operation: string,
  target_id: string | null,
  method: 'PUT' | 'POST',
  path: string,
  body: object,
  event: string,
]

const held: Held[] = [
  ['putProduct', 'NEW', 'PUT', '/v2/products/NEW', harbourFix, 'product.updated'],
  ['addRateSheet', 'OLD', 'POST', '/v2/products/OLD/rate-sheets', harbourSheet, 'rate_sheet.added'],
  ['replaceCalendar', null, 'PUT', '/v2/business-calendar', CALENDAR, 'calendar.updated'],
]

describeService('approval of products', (running) => {
  const starting = async () => {
    const { db } = running()
    const started = await startService(db)
    const { service, callerId, askWith, clock } = started
    const book = (await findBook(service.db, { callerId, mode: 'test' }))!
    const { key } = await issueKey(service.db, book, { scopes: ['*'], at: clock.now })
    return { ...started, db, second: askWith(key) }
  }

  for (const [operation, target_id, method, path, body, event] of held) {
    test(`${operation} is refused directly, and carried out by the vote as the call would have been`, async () => {
      const { ask, second, db, ...started } = await starting()
      await sell(ask, 'OLD', {}, null)
      await setPolicy({ ...started, ask }, policy(operation))
      const direct = await ask(method, path, body)
      const { error } = direct.json
      assert.equal(error.code, 'approval_required')
      assert.deepEqual(
        [error.details.approval.operation, error.details.approval.target_id],
        [operation, target_id],
      )
      const asked = await ask('POST', '/v2/approvals', error.details.approval)
      assert.equal(asked.status, 201, asked.text)
      const { approval_id } = asked.json.data
      await assertRefusedWithoutTrace(db, () => ask('POST', `/v2/approvals/${approval_id}/approve`, {}), {
        status: 403,
        code: 'maker_cannot_approve',
      })
      const approved = await second('POST', `/v2/approvals/${approval_id}/approve`, {})
      assert.equal(approved.status, 200, approved.text)
      const { status, result } = approved.json.data
      assert.equal(status, 'APPROVED')
      const stored = operation === 'addRateSheet' ? `${path}/1` : path
      assert.deepEqual((await ask('GET', stored)).json.data, result)
      const [written] = (await ask('GET', `/v2/events?type=${event}&limit=1`)).json.data
      assert.deepEqual(written.data, result)
    })
  }

  test('a code that no product can have is an error of the target, together with those of the body', async () => {
    const { ask, db } = await starting()
    const body = { ...harbourFix, name: '' }
    await assertRefusedWithoutTrace(
      db,
      () => ask('POST', '/v2/approvals', { operation: 'putProduct', target_id: 'small', body }),
      {
        status: 400,
        code: 'invalid_request',
        fields: [
          ['target_id', 'invalid_format'],
          ['body.name', 'blank'],
        ],
      },
    )
  })

  test('an opening is executed with the product, the sheet and the calendar of that moment', async () => {
    const { ask, second, ...started } = await starting()
    await sell(ask, 'P', { interest: { method: 'AT_MATURITY', every: null, recover_paid_interest: false } })
    await setPolicy({ ...started, ask }, policy('openFixedDeposit'))
    const { accountNumber: account_number } = await fundedAccount(ask, 200_000)
    const request = async () => {
      const body = { account_number, amount: 100_000, product_code: 'P', tenor_months: 12 }
      const asked = await ask('POST', '/v2/approvals', { operation: 'openFixedDeposit', body })
      assert.equal(asked.status, 201, asked.text)
      assert.equal(asked.json.data.preview.interest_rate, 12)
      return asked.json.data.approval_id as string
    }
    const [kept, refused] = [await request(), await request()]
    assert.equal((await ask('POST', '/v2/products/P/rate-sheets', sheetAt(9, '2026-07-01'))).status, 201)
    const closing = { weekend: [], holidays: ['2027-07-01'] }
    assert.equal((await ask('PUT', '/v2/business-calendar', closing)).status, 200)
    const approved = await second('POST', `/v2/approvals/${kept}/approve`, {})
    const { interest_rate, rate_sheet, maturity_date } = approved.json.data.result
    assert.deepEqual([interest_rate, rate_sheet, maturity_date], [9, 2, '2027-07-02'])
    await sell(ask, 'P', { status: 'CLOSED' }, null)
    const closed = await second('POST', `/v2/approvals/${refused}/approve`, {})
    assert.equal(closed.json.error.code, 'product_closed')
    assert.equal((await ask('GET', `/v2/approvals/${refused}`)).json.data.status, 'PENDING')
  })

  test('a liquidation that pays interest first is approved with the figures of the day', async () => {
    const { ask, second, clock, ...started } = await starting()
    await sell(ask, 'P')
    const wish = { amount: 600_000, tenor_months: 12 }
    const { depositId } = await openByProduct(ask, 'P', wish)
    await setPolicy({ ...started, ask }, policy('liquidateFixedDeposit'))
    const asked = await ask('POST', '/v2/approvals', {
      operation: 'liquidateFixedDeposit',
      target_id: depositId,
      body: { liquidation_type: 'FULL' },
    })
    assert.equal(asked.status, 201, asked.text)
    clock.now = new Date(clock.now.getTime() + 23 * 3_600_000)
    assert.equal((await ask('POST', '/v2/test-clock', { now: '2026-07-02T09:30:00Z' })).status, 200)
    const approved = await second('POST', `/v2/approvals/${asked.json.data.approval_id}/approve`, {})
    assert.equal(approved.status, 200, approved.text)
    assert.equal(approved.json.data.result.interest_paid, 197.26)
  })
})
