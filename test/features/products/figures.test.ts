/** Rates, payments and growth of products over HTTP: figures of an independent evaluator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harbourSheet, openByProduct, sell, sheetAt } from '../../support/products.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, describeService, firstRules, startService } from '../../support/service.ts'

const DAYS = { unit: 'DAY', min: 1, max: 36_500, multiple: 1 }
const SAME_DAY = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
const MONTHS = { rules: { ...firstRules, day_count: 'MONTHS' } }
const interest = (method: string, every: string | null) => ({
  interest: { method, every, recover_paid_interest: false },
})
const PAYOUT = (every: string) => interest('PAYOUT', every)
const COMPOUND = (every: string) => interest('COMPOUND', every)

type Quoted = [
  name: string,
  product: object,
  rate: number,
  wish: { amount: number; [member: string]: unknown },
  payments: number[] | null,
  expected_interest: number,
]

const times = (count: number, payment: number) => Array.from({ length: count }, () => payment)

const quoted: Quoted[] = [
  [
    'B1',
    PAYOUT('MONTH'),
    12,
    { amount: 100_000, tenor_months: 6, start_date: '2026-01-31' },
    [920.55, 1_019.18, 986.3, 1_019.18, 986.3, 1_019.18],
    5_950.69,
  ],
  [
    'B2',
    { ...PAYOUT('MONTH'), ...MONTHS },
    12,
    { amount: 100_000, tenor_months: 6, start_date: '2026-01-31' },
    times(6, 1_000),
    6_000,
  ],
  [
    'B3',
    { ...PAYOUT('MONTH'), tenor: DAYS },
    10.5,
    { amount: 1_000_000, tenor: 100, start_date: '2026-08-30' },
    [8_917.81, 8_630.14, 8_917.81, 2_301.37],
    28_767.13,
  ],
  [
    'B4',
    { ...PAYOUT('QUARTER'), ...MONTHS },
    10,
    { amount: 100_000, tenor_months: 12 },
    times(4, 2_500),
    10_000,
  ],
  [
    'B5',
    { ...PAYOUT('MONTH'), ...MONTHS },
    18,
    { amount: 100_000, tenor_months: 12 },
    times(12, 1_500),
    18_000,
  ],
  [
    'B6',
    { ...PAYOUT('MONTH'), currency: 'XOF' },
    6.25,
    { amount: 1_000_000, tenor_months: 3, start_date: '2026-01-15' },
    [5_308, 4_795, 5_308],
    15_411,
  ],
  [
    'B7',
    { ...interest('UPFRONT', null), tenor: DAYS },
    10,
    { amount: 500_000, tenor: 180, start_date: '2026-02-01' },
    [24_657.53],
    24_657.53,
  ],
  [
    'B1 paid at maturity instead',
    interest('AT_MATURITY', null),
    12,
    { amount: 100_000, tenor_months: 6, start_date: '2026-01-31' },
    [5_950.68],
    5_950.68,
  ],
  ['C1', { ...COMPOUND('DAY'), tenor: DAYS }, 5.25, { amount: 1_000, tenor: 365 }, null, 53.9],
  ['C2', { ...COMPOUND('DAY'), tenor: DAYS }, 5.5, { amount: 8_000, tenor: 365 }, null, 452.29],
  ['C3', { ...COMPOUND('DAY'), tenor: DAYS }, 5.75, { amount: 20_000, tenor: 365 }, null, 1_183.61],
  ['C4', { ...COMPOUND('HALF_YEAR'), ...MONTHS }, 5, { amount: 10_000, tenor_months: 12 }, null, 506.25],
  ['C5', { ...COMPOUND('QUARTER'), ...MONTHS }, 7, { amount: 100_000, tenor_months: 12 }, null, 7_185.9],
  [
    'C6',
    { ...COMPOUND('QUARTER'), ...MONTHS, currency: 'XAF' },
    10,
    { amount: 4_000, tenor_months: 12 },
    null,
    415,
  ],
  [
    'C7',
    {
      ...COMPOUND('YEAR'),
      rules: { ...MONTHS.rules, rounding: 'DOWN' },
      ...{ currency: 'XAF', tenor: { unit: 'MONTH', min: 1, max: 60, multiple: 1 } },
    },
    5.8,
    { amount: 100_000, tenor_months: 48 },
    null,
    25_297,
  ],
  [
    'C8',
    COMPOUND('QUARTER'),
    9,
    { amount: 250_000, tenor_months: 12, start_date: '2026-03-31' },
    null,
    23_270.81,
  ],
]

const sheetM = {
  ...harbourSheet,
  effective_from: '2025-01-01',
  ...{
    tenor_unit: 'MONTH',
    tenor_from: [0, 1, 7, 13, 19],
    amount_from: [0],
    rates: [[4], [5], [6], [7], [8]],
  },
}

/** Sheet, then days or dates, amount and rate; 0 is not offered. */
const rates: [name: string, sheet: 'S' | 'M', tenor: number, amount: number, rate: number, start?: string][] =
  [
    ['D1', 'S', 29, 500_000, 0],
    ['D2', 'S', 30, 500_000, 8],
    ['D3', 'S', 89, 999_999.99, 8],
    ['D4', 'S', 89, 1_000_000, 8.25],
    ['D5', 'S', 90, 0.01, 9],
    ['D6', 'S', 364, 1_000_000, 10.75],
    ['D7', 'S', 365, 5_000_000, 12],
    ['D8', 'S', 36_500, 100, 11],
    ['D9', 'M', 393, 100, 7, '2026-01-31'],
    ['D10', 'M', 392, 100, 6, '2026-01-31'],
    ['D11', 'M', 27, 100, 4, '2026-02-28'],
    ['D12', 'M', 28, 100, 5, '2026-02-28'],
  ]

describeService('figures of products', (running) => {
  const start = (now: string) => startService(running().db, { now: `${now}T10:00:00.000Z` })
  const selling = (ask: Ask, product: object, rate: number) =>
    sell(ask, 'P', { min_amount: 0.01, maturity: SAME_DAY, ...product }, sheetAt(rate))

  test('B1–B7, C1–C8: a quote has the payments and the interest', async () => {
    const { ask } = await start('2026-09-15')
    const wrong: unknown[] = []
    for (const [index, [name, product, rate, wish, payments, expected]] of quoted.entries()) {
      await sell(ask, `Q${index}`, { min_amount: 1, maturity: SAME_DAY, ...product }, sheetAt(rate))
      const answer = await ask('POST', `/v2/products/Q${index}/quote`, wish)
      assert.equal(answer.status, 200, answer.text)
      const { schedule, expected_interest } = answer.json.data
      const paid = schedule.map(({ interest: one }: { interest: number }) => one)
      const found = JSON.stringify([paid, expected_interest])
      if (found !== JSON.stringify([payments ?? [], expected])) wrong.push([name, found])
    }
    assert.deepEqual(wrong, [])
  })

  test('C9–C12: a compounding deposit pays the growth up to the day, and the rest at maturity', async () => {
    const { ask, clock, service } = await start('2026-11-10')
    const wish = { amount: 250_000, tenor_months: 12, start_date: '2026-03-31' }
    await selling(ask, COMPOUND('QUARTER'), 9)
    const whole = await openByProduct(ask, 'P', wish)
    assert.equal(whole.data.accrued_interest, 14_050.8)
    const parted = await openByProduct(ask, 'P', wish)
    const part = { liquidation_type: 'PARTIAL', amount: 100_000 }
    const broken = await ask('POST', `/v2/fixed-deposits/${parted.depositId}/liquidate`, part)
    assert.equal(broken.json.data.interest_paid, 5_620.32)
    const rest = (await ask('GET', `/v2/fixed-deposits/${parted.depositId}`)).json.data
    assert.equal(rest.expected_interest, 13_962.48)
    await sell(
      ask,
      'C11',
      { ...COMPOUND('MONTH'), rules: { ...firstRules, day_count: 'ACT/360' }, maturity: SAME_DAY },
      sheetAt(9),
    )
    assert.equal((await openByProduct(ask, 'C11', wish)).data.accrued_interest, 14_344.81)
    clock.now = new Date('2027-03-31T10:00:00.000Z')
    await service.maturity.settleAll()
    const matured = (await ask('GET', '/v2/events?type=fixed_deposit.matured')).json.data
    const paid = new Map(matured.map(({ data }: any) => [data.deposit_id, data.interest_paid]))
    assert.deepEqual([paid.get(whole.depositId), paid.get(parted.depositId)], [23_270.81, 13_962.48])
  })

  test('D1–D12: a quote has the rate of its tenor and amount', async () => {
    const { ask } = await start('2026-07-01')
    const product = { ...interest('AT_MATURITY', null), tenor: DAYS, min_amount: 0.01, maturity: SAME_DAY }
    await sell(ask, 'S', product, { ...harbourSheet, effective_from: '2025-01-01' })
    await sell(ask, 'M', product, sheetM)
    for (const [name, sheet, tenor, amount, rate, start_date = '2026-07-01'] of rates) {
      const answer = await ask('POST', `/v2/products/${sheet}/quote`, { tenor, amount, start_date })
      if (rate === 0) assert.equal(answer.json.error.code, 'tenor_not_offered', name)
      else assert.equal(answer.json.data?.interest_rate, rate, `${name} ${answer.text}`)
    }
  })

  test('a sheet of the same day corrects the one before; what was opened keeps its own', async () => {
    const { ask, clock } = await start('2026-07-01')
    await selling(ask, interest('AT_MATURITY', null), 10)
    const wish = { amount: 100, tenor_months: 12 }
    const rateOf = async () => {
      const { data } = await openByProduct(ask, 'P', wish)
      return [data.rate_sheet, data.interest_rate]
    }
    const add = (rate: number, from: string) => ask('POST', '/v2/products/P/rate-sheets', sheetAt(rate, from))
    const first = await openByProduct(ask, 'P', wish)
    assert.equal((await add(11, '2026-07-01')).status, 201)
    assert.deepEqual(await rateOf(), [2, 11])
    assert.equal((await add(12, '2026-07-03')).status, 201)
    assert.equal((await add(13, '2026-07-03')).status, 201)
    assert.deepEqual(await rateOf(), [2, 11])
    assertRefused(await add(14, '2026-07-02'), {
      status: 422,
      code: 'effective_date_before_last',
      details: '{"effective_from":"2026-07-03"}',
    })
    clock.now = new Date('2026-07-03T10:00:00.000Z')
    assert.deepEqual(await rateOf(), [4, 13])
    const { data: kept } = (await ask('GET', `/v2/fixed-deposits/${first.depositId}`)).json
    assert.deepEqual([kept.rate_sheet, kept.interest_rate], [1, 10])
  })

  test('rules see rollovers of the chain and earlier days on which a part was broken', async () => {
    const { ask, clock, service } = await start('2026-07-01')
    const fixed = (amount: number) => [{ kind: 'FIXED', amount }]
    const rules = {
      ...firstRules,
      penal_rules: [
        { when: { elapsed_days: { lt: 3 }, rollovers: { lt: 1 } }, terms: fixed(0) },
        { when: { elapsed_days: { lt: 7 }, rollovers: { gte: 1 } }, terms: fixed(1) },
        { when: { earlier_liquidations: { gte: 1 } }, terms: fixed(20) },
        { when: {}, terms: fixed(10) },
      ],
    }
    const maturity = { ...SAME_DAY, instruction: 'ROLL_OVER' }
    await sell(ask, 'P', { ...interest('AT_MATURITY', null), rules, maturity })
    const { depositId } = await openByProduct(ask, 'P', { amount: 500_000, tenor_months: 1 })
    const chargeOf = async (id: string) => {
      const part = { liquidation_type: 'PARTIAL', amount: 50_000 }
      const answer = await ask('POST', `/v2/fixed-deposits/${id}/liquidate`, part)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data
    }
    const on = (day: string) => {
      clock.now = new Date(`${day}T10:00:00.000Z`)
    }
    on('2026-07-03')
    assert.equal((await chargeOf(depositId)).penal_assessed, 0)
    on('2026-07-10')
    const second = await chargeOf(depositId)
    assert.equal(second.penal_assessed, 20)
    // A day whose parts were all reversed does not count, nor does the same day.
    assert.equal((await chargeOf(depositId)).penal_assessed, 0)
    on('2026-08-02')
    await service.maturity.settleAll()
    const { rolled_over_to } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    assert.equal((await chargeOf(rolled_over_to)).penal_assessed, 1)
    on('2026-08-10')
    const dearer = await chargeOf(rolled_over_to)
    assert.equal(dearer.penal_assessed, 20)
    const undone = { reason: 'Wrong deposit' }
    assert.equal((await ask('POST', `/v2/liquidations/${dearer.liquidation_id}/reverse`, undone)).status, 200)
    assert.equal((await chargeOf(rolled_over_to)).penal_assessed, 20)
  })
})
