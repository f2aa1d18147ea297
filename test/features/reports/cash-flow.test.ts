import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused } from '../../support/refusals.ts'
import { fundedAccount, startService } from '../../support/service.ts'
import { all, minorOf, total } from './random-life.ts'

const quarter = 'from=2026-07-01&to=2026-09-30'

forEachEngine(({ test }) => {
  test('what falls due is what is then paid and rolled over', async (db) => {
    const { ask, clock, service } = await startService(db)
    const tenor = { unit: 'DAY', min: 1, max: 400, multiple: 1 }
    const maturity = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
    await ask('PUT', '/v2/products/PAID', { ...harbourFix, tenor, maturity })
    await ask('POST', '/v2/products/PAID/rate-sheets', {
      ...harbourSheet,
      tenor_from: [0],
      amount_from: [0],
      rates: [[12]],
    })
    const { accountNumber: account_number } = await fundedAccount(ask, 9_000_000)
    const open = async (body: object) => {
      const answer = await ask('POST', '/v2/fixed-deposits', { account_number, ...body })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.data.deposit_id
    }
    await open({ product_code: 'PAID', amount: 100_000, tenor: 60 })
    await open({ product_code: 'PAID', amount: 100_000, tenor: 365 })
    await open({ amount: 10_000, tenor: 30, interest_rate: 10 })
    await open({ amount: 20_000, tenor: 30, interest_rate: 10, start_date: '2026-06-30' })
    await open({ amount: 50_000, tenor: 31, interest_rate: 10, auto_rollover: true })
    const gone = await open({ amount: 70_000, tenor: 31, interest_rate: 10 })
    await ask('POST', `/v2/fixed-deposits/${gone}/liquidate`, { liquidation_type: 'FULL' })
    await open({ amount: 30_000, tenor: 93, interest_rate: 10 })

    const { days } = (await ask('GET', `/v2/reports/cash-flow?${quarter}`)).json.data
    assert.deepEqual(
      days.map((day: any) => [day.date, day.maturity_instruction, day.deposits, day.principal, day.interest]),
      [
        ['2026-07-30', 'PAY_OUT', 1, 20_000, 164.38],
        ['2026-07-31', 'PAY_OUT', 1, 10_000, 82.19],
        ['2026-08-01', null, 2, 0, 2_038.36],
        ['2026-08-01', 'ROLL_OVER', 1, 50_000, 424.66],
        ['2026-08-30', 'PAY_OUT', 1, 100_000, 953.42],
        ['2026-09-01', null, 1, 0, 1_019.18],
      ],
    )
    const interest = total(days.map((day: { interest: number }) => day.interest))
    clock.now = new Date('2026-09-30T10:00:00.000Z')
    await service.maturity.settleAll()
    const paid = (await all(ask, '/v2/ledger-entries')).flatMap((entry) => entry.lines)
    const expense = paid.filter(({ account }) => account === 'interest_expense').map(({ amount }) => amount)
    // The deposit that rolled over has also paid the interest of its second term.
    assert.equal(-total(expense), interest + minorOf(428.26))
    const { days: none } = (await ask('GET', '/v2/reports/cash-flow?from=2026-07-01&to=2026-09-29')).json.data
    assert.deepEqual(none, [])
  })

  test('bad ranges are refused', async (db) => {
    const { ask } = await startService(db)
    for (const [query, field, code] of [
      ['from=2026-01-01&to=2027-01-02', 'to', 'out_of_range'],
      ['from=2026-01-02&to=2026-01-01', 'from', 'invalid_value'],
      ['to=2026-01-01', 'from', 'required'],
    ] as const) {
      const fields = [[field, code]] as const
      assertRefused(await ask('GET', `/v2/reports/cash-flow?${query}`), {
        status: 400,
        code: 'invalid_request',
        fields,
      })
    }
  })
})
