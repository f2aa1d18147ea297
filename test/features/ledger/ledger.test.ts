/** The ledger as a caller reads it: every movement of money, in lines that sum to zero. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../support/refusals.ts'
import { describeService, openDeposit, replaceRules } from '../../support/service.ts'

describeService('the ledger', (running) => {
  test('each movement of a deposit is an entry whose lines sum to zero, newest first', async () => {
    const { ask } = running()
    await replaceRules(ask, {
      penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
    })
    const { depositId, accountNumber } = await openDeposit(ask, {
      amount: '500000.00',
      start_date: '2026-01-01',
    })
    const liquidate = (body: string) => ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
    const partial = (await liquidate('{"liquidation_type":"PARTIAL","amount":200000.10}')).json.data
      .liquidation_id
    const full = (await liquidate('{"liquidation_type":"FULL"}')).json.data.liquidation_id

    const { text, json } = await ask('GET', `/v2/ledger-entries?account_number=${accountNumber}`)
    const lines = [...text.matchAll(/"lines":(\[.*?\])/g)].map(([, found]) => found)
    const line = (account: string, amount: string) => `{"account":"${account}","amount":${amount}}`
    assert.deepEqual(lines, [
      `[${line(depositId, '-299999.90')},${line('interest_expense', '-14876.71')},` +
        `${line('penal_income', '3719.18')},${line(accountNumber, '311157.43')}]`,
      `[${line(depositId, '-200000.10')},${line('interest_expense', '-9917.81')},` +
        `${line('penal_income', '2479.45')},${line(accountNumber, '207438.46')}]`,
      `[${line(accountNumber, '-500000.00')},${line(depositId, '500000.00')}]`,
      `[${line('cash', '-500000.00')},${line(accountNumber, '500000.00')}]`,
    ])
    const kept = json.data.map((entry: Record<string, unknown>) => ({ ...entry, entry_id: '', lines: [] }))
    const entry = {
      entry_id: '',
      account_number: accountNumber,
      narration: null,
      lines: [],
      reverses: null,
      business_date: '2026-07-01',
    }
    const created_at = '2026-07-01T10:00:00.000Z'
    assert.deepEqual(kept, [
      { ...entry, kind: 'LIQUIDATION', deposit_id: depositId, liquidation_id: full, created_at },
      { ...entry, kind: 'LIQUIDATION', deposit_id: depositId, liquidation_id: partial, created_at },
      { ...entry, kind: 'DEPOSIT_OPENING', deposit_id: depositId, liquidation_id: null, created_at },
      { ...entry, kind: 'ACCOUNT_CREDIT', deposit_id: null, liquidation_id: null, created_at },
    ])

    const found = async (filters: string) => {
      const answer = await ask('GET', `/v2/ledger-entries?${filters}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data.map((one: { entry_id: string }) =>
        json.data.findIndex((other: { entry_id: string }) => other.entry_id === one.entry_id),
      )
    }
    assert.deepEqual(await found(`deposit_id=${depositId}`), [0, 1, 2])
    assert.deepEqual(await found(`liquidation_id=${partial}`), [1])
    assert.deepEqual(
      await found(`liquidation_id=${full}&deposit_id=${depositId}&account_number=${accountNumber}`),
      [0],
    )
    assert.deepEqual(await found(`liquidation_id=${full}&deposit_id=fd_1`), [])
    assert.deepEqual(await found('account_number=0000000000'), [])
    await replaceRules(ask, {})
  })

  test('lines of zero are left out', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100 })
    await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    const { json } = await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}&limit=1`)
    assert.deepEqual(json.data[0].lines, [
      { account: depositId, amount: -100 },
      { account: accountNumber, amount: 100 },
    ])
  })

  test('an invalid filter is refused', async () => {
    const { ask } = running()
    for (const [query, field, code] of [
      ['kind=LIQUIDATION', 'kind', 'unknown_field'],
      ['deposit_id=', 'deposit_id', 'blank'],
      ['deposit_id=a&deposit_id=b', 'deposit_id', 'invalid_value'],
      ['account_number=%00', 'account_number', 'invalid_format'],
      [`liquidation_id=${'x'.repeat(65)}`, 'liquidation_id', 'too_long'],
    ] as const) {
      assertRefused(await ask('GET', `/v2/ledger-entries?${query}`), {
        status: 400,
        code: 'invalid_request',
        fields: [[field, code]],
      })
    }
  })

  test('a book shows its own entries alone', async () => {
    const { ask, askWith, liveKey } = running()
    const live = await openDeposit(askWith(liveKey), { amount: 100 })
    const { json } = await ask('GET', `/v2/ledger-entries?deposit_id=${live.depositId}`)
    assert.deepEqual(json.data, [])
    const own = await askWith(liveKey)('GET', '/v2/ledger-entries')
    assert.equal(own.json.data.length, 2)
  })
})
