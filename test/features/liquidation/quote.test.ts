/** A quote is the same decision as a liquidation, on any date, without its consequences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../../src/engine/database/database.ts'
import { findByHash, touchApiKey } from '../../../src/features/api-keys/store.ts'
import { statements as deposits } from '../../../src/features/deposits/store.ts'
import { assertRefused, assertUnchanged, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Answer,
  type Ask,
  describeService,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

const FIGURES = ['principal_returned', 'interest_paid', 'penal_charge', 'total_credited'] as const
const SHARED = [
  'deposit_id',
  'liquidation_type',
  'status',
  ...FIGURES,
  'credited_account',
  'remaining_principal',
  'currency',
] as const

const quarterOfInterest = {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

describeService('quotes', (running) => {
  test('a quote shows the figures of a liquidation, how they are computed, and changes nothing', async () => {
    const { ask, db } = running()
    await replaceRules(ask, quarterOfInterest)
    const { depositId, accountNumber } = await openDeposit(ask, {
      amount: '500000.00',
      start_date: '2026-01-01',
    })
    await assertUnchanged(db, async () => {
      const answer = await quote(ask, depositId, '{"liquidation_type":"PARTIAL","amount":200000.10}')
      assert.equal(answer.status, 200)
      const start =
        `{"status":true,"message":"The quote.","data":{"deposit_id":"${depositId}","liquidation_type":"PARTIAL",` +
        '"status":"ACTIVE","principal_returned":200000.10,"interest_paid":9917.81,"penal_charge":2479.45,' +
        `"total_credited":207438.46,"credited_account":"${accountNumber}","remaining_principal":299999.90,` +
        '"currency":"NGN","as_of":"2026-07-01","explanation":{"business_date":"2026-07-01",'
      assert.equal(answer.text.slice(0, start.length), start)
      const { explanation } = answer.json.data
      assert.deepEqual(
        [explanation.rule_index, explanation.no_rule_reason, explanation.combined, explanation.capped_from],
        [0, null, 2479.45, null],
      )
    })
  })

  test('a liquidation pays what its quote said', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: '123456.78', start_date: '2026-02-03' })
    for (const body of ['{"liquidation_type":"PARTIAL","amount":23456.70}', '{"liquidation_type":"FULL"}']) {
      const quoted = await quote(ask, depositId, body)
      const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      assert.deepEqual([quoted.status, made.status], [200, 200])
      assert.deepEqual(shared(quoted), shared(made))
      const record = await ask('GET', `/v2/liquidations/${made.json.data.liquidation_id}`)
      assert.deepEqual(quoted.json.data.explanation, record.json.data.explanation)
    }
  })

  test('a quote may ask for another date, up to maturity and beyond', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: '100000.00', tenor: 90, start_date: '2026-06-01' })
    const on = async (as_of: string) => {
      const { data } = (await quote(ask, depositId, { liquidation_type: 'FULL', as_of })).json
      const { no_rule_reason, elapsed_days } = data.explanation
      return [data.as_of, data.interest_paid, data.penal_charge, no_rule_reason, elapsed_days]
    }
    assert.deepEqual(await on('2026-06-01'), ['2026-06-01', 0, 0, null, 0])
    assert.deepEqual(await on('2026-06-02'), ['2026-06-02', 27.4, 6.85, null, 1])
    // 89/365, then 90/365 without a charge, then no day more.
    assert.deepEqual(await on('2026-08-29'), ['2026-08-29', 2438.36, 609.59, null, 89])
    assert.deepEqual(await on('2026-08-30'), ['2026-08-30', 2465.75, 0, 'MATURED', 90])
    assert.deepEqual(await on('9999-12-31'), ['9999-12-31', 2465.75, 0, 'MATURED', 2_912_291])
  })

  test('a charge may be more than the largest amount: what is not collected of it is shown', async () => {
    const { ask, close } = await startService(running().db)
    const terms = Array.from({ length: 2 }, () => ({ kind: 'PERCENT', of: 'PRINCIPAL', percent: 100 }))
    await replaceRules(ask, { penal_rules: [{ when: {}, terms }] })
    const { depositId } = await openDeposit(ask, { amount: '9000000000000.00', start_date: '2026-06-30' })
    const quoted = await quote(ask, depositId, { liquidation_type: 'FULL' })
    assert.equal(quoted.status, 200, quoted.text)
    const { uncollected, penal_charge, capped_from } = quoted.json.data.explanation
    assert.equal(capped_from, 18_000_000_000_000)
    assert.equal(uncollected.toFixed(2), (capped_from - penal_charge).toFixed(2))
    await close()
  })

  test('an invalid date, or one before the deposit, is refused', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000, start_date: '2026-06-01' })
    const early = { liquidation_type: 'FULL', as_of: '2026-05-31' }
    assertRefused(await quote(ask, depositId, early), {
      status: 422,
      code: 'as_of_before_start',
      details: '{"start_date":"2026-06-01"}',
    })
    const broken = await openDeposit(ask, { amount: 1000, start_date: '2026-06-01' })
    await ask('POST', `/v2/fixed-deposits/${broken.depositId}/liquidate`, { liquidation_type: 'FULL' })
    assertRefused(await quote(ask, broken.depositId, early), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
    for (const [as_of, code] of [
      ['2026-02-30', 'invalid_format'],
      ['2026-6-1', 'invalid_format'],
      ['2026-06-01T00:00:00Z', 'invalid_format'],
      ['tomorrow', 'invalid_format'],
      ['', 'blank'],
      [null, 'null_not_allowed'],
      [20260601, 'invalid_type'],
    ]) {
      assertRefused(await quote(ask, depositId, { liquidation_type: 'FULL', as_of }), {
        status: 400,
        code: 'invalid_request',
        fields: [['as_of', String(code)]],
      })
    }
  })

  test('a quote is refused as the liquidation would be', async () => {
    const { ask, db } = running()
    await replaceRules(ask, {
      min_partial_amount: 1000,
      min_remaining_principal: 10_000,
      min_holding_days: 30,
    })
    const young = await openDeposit(ask, { amount: 500_000 })
    const { depositId } = await openDeposit(ask, { amount: 500_000, start_date: '2026-01-01' })
    await replaceRules(ask, { allow_partial: false })
    const whole = await openDeposit(ask, { amount: 500_000 })
    await replaceRules(ask, {})
    const gone = await openDeposit(ask, { amount: 5 })
    await ask('POST', `/v2/fixed-deposits/${gone.depositId}/liquidate`, { liquidation_type: 'FULL' })
    const requests: [depositId: string, body: unknown][] = [
      ['fd_1', { liquidation_type: 'FULL' }],
      ['%00', { liquidation_type: 'FULL' }],
      [gone.depositId, { liquidation_type: 'FULL' }],
      [whole.depositId, { liquidation_type: 'PARTIAL', amount: 5 }],
      [young.depositId, { liquidation_type: 'FULL' }],
      [depositId, { liquidation_type: 'FULL', amount: 5 }],
      [depositId, { liquidation_type: 'PARTIAL', amount: 999.99 }],
      [depositId, { liquidation_type: 'PARTIAL', amount: 490_000.01 }],
      [depositId, { liquidation_type: 'PARTIAL', amount: 500_000 }],
      [depositId, { liquidation_type: 'PARTIAL', amount: 500_001 }],
      [depositId, { liquidation_type: 'PARTIAL' }],
      [depositId, { liquidation_type: 'CLOSE', amount: 0 }],
      [depositId, '{"liquidation_type":"PARTIAL","amount":1e400}'],
      [depositId, '{"liquidation_type":"PARTIAL","amount":.5}'],
      [depositId, { liquidation_type: 'FULL', ammount: 5 }],
    ]
    await assertUnchanged(db, async () => {
      for (const [id, body] of requests) {
        const made = await ask('POST', `/v2/fixed-deposits/${id}/liquidate`, body)
        const { code, fields, details } = made.json.error
        const expected: ExpectedRefusal = {
          status: made.status,
          code,
          fields: fields.map((field: { field: string; code: string }) => [field.field, field.code]),
          details: /"details":(\{.*?\})/.exec(made.text)![1]!,
        }
        assert(made.status >= 400, JSON.stringify(details))
        assertRefused(await quote(ask, id, body), expected)
      }
    })
  })

  test('quotes that are requested at the same time share one statement, and need no other', async () => {
    const { db } = running()
    const read: string[] = []
    const query: Queries['query'] = (text, values) => {
      if (text !== findByHash.text && text !== touchApiKey.text) read.push(text)
      return db.query(text, values)
    }
    const { ask, close } = await startService({ ...db, query })
    const opened = [await openDeposit(ask, { amount: 1000 }), await openDeposit(ask, { amount: 2000 })]
    const body = { liquidation_type: 'FULL' }
    await quote(ask, opened[0]!.depositId, body)
    read.length = 0
    const answers = await Promise.all(opened.map(({ depositId }) => quote(ask, depositId, body)))
    await close()
    assert.deepEqual(
      answers.map(({ json }) => json.data.principal_returned),
      [1000, 2000],
    )
    assert.deepEqual(read, [deposits.findBreakable.text])
  })

  test('a quote for a date after the holding period is not locked', async () => {
    const { ask } = running()
    await replaceRules(ask, { min_holding_days: 30 })
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    await replaceRules(ask, {})
    const on = async (as_of: string) =>
      (await quote(ask, depositId, { liquidation_type: 'FULL', as_of })).status
    assert.deepEqual([await on('2026-07-30'), await on('2026-07-31')], [422, 200])
  })
})

function quote(ask: Ask, depositId: string, body: unknown): Promise<Answer> {
  return ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
}

function shared(answer: Answer): unknown[] {
  return SHARED.map((name) => answer.json.data[name])
}
