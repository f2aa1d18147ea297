/** Interest that is paid before maturity: by the job, by whatever moves money first, and at an opening. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harbourFix, openByProduct, sell, sheetAt } from '../../support/products.ts'
import { assertRefused, assertRefusedWithoutTrace, assertUnchanged } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  firstRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

const FULL = { liquidation_type: 'FULL' }
const FOUR_LESS = {
  ...firstRules,
  penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } }] }],
}
const X = { amount: 600_000, tenor_months: 12 }
const DAYS = { unit: 'DAY', min: 1, max: 36_500, multiple: 1 }
const UPFRONT = { method: 'UPFRONT', every: null, recover_paid_interest: true }
const PAY_OUT = { ...harbourFix.maturity, on_holiday: 'SAME_DAY', instruction: 'PAY_OUT' }

type Paid = { to: string; interest: number; tax: number; business_date: string; entry_id: string | null }

const read = async (ask: Ask, path: string) => (await ask('GET', path)).json.data
const depositOf = (ask: Ask, depositId: string) => read(ask, `/v2/fixed-deposits/${depositId}`)
const balanceOf = async (ask: Ask, account: string) => (await read(ask, `/v2/accounts/${account}`)).balance
const paymentsOf = (ask: Ask, depositId: string, query = ''): Promise<Paid[]> =>
  read(ask, `/v2/fixed-deposits/${depositId}/interest-payments${query}`)
const moveTo = async (ask: Ask, day: string) => {
  const moved = await ask('POST', '/v2/test-clock', { now: `${day}T10:00:00.000Z` })
  assert.equal(moved.status, 200, moved.text)
}
const eventTypes = async (ask: Ask, limit: number): Promise<string[]> =>
  (await read(ask, `/v2/events?limit=${limit}`)).map(({ type }: { type: string }) => type)

describeService('payments of interest', (running) => {
  const start = (now = '2026-01-15') => startService(running().db, { now: `${now}T10:00:00.000Z` })

  test('G6: the job pays what is due, with its entry, its tax and one event', async () => {
    const { ask, clock, service } = await start()
    await replaceTaxRules(ask)
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber, data } = await openByProduct(ask, 'MONTHLY', X)
    assert.deepEqual(
      [data.interest_paid_out, data.interest_paid_to, data.next_interest_date, data.expected_interest],
      [0, null, '2026-02-15', 72_000.02],
    )
    clock.now = new Date('2026-02-14T10:00:00.000Z')
    await service.maturity.settleAll()
    assert.deepEqual(await paymentsOf(ask, depositId), [])
    assert.equal((await depositOf(ask, depositId)).accrued_interest, 5_917.81)
    clock.now = new Date('2026-02-15T10:00:00.000Z')
    await service.maturity.settleAll()
    await service.maturity.settleAll()

    const [payment, ...others] = await paymentsOf(ask, depositId)
    assert.deepEqual(others, [])
    assert.deepEqual(payment, {
      from: '2026-01-15',
      to: '2026-02-15',
      principal: 600_000,
      interest: 6_115.07,
      tax: 611.51,
      net: 5_503.56,
      business_date: '2026-02-15',
      entry_id: payment!.entry_id,
    })
    assert.equal(await balanceOf(ask, accountNumber), 5_503.56)
    const after = await depositOf(ask, depositId)
    assert.deepEqual(
      [after.interest_paid_out, after.interest_paid_to, after.next_interest_date, after.accrued_interest],
      [6_115.07, '2026-02-15', '2026-03-15', 0],
    )
    const entries = await read(ask, `/v2/ledger-entries?deposit_id=${depositId}&limit=2`)
    const [tax, payout] = entries
    assert.equal(payout.entry_id, payment!.entry_id)
    assert.deepEqual(
      [payout.kind, payout.lines],
      [
        'INTEREST_PAYOUT',
        [
          { account: 'interest_expense', amount: -6_115.07 },
          { account: accountNumber, amount: 6_115.07 },
        ],
      ],
    )
    assert.deepEqual(
      [tax.kind, tax.lines],
      [
        'WITHHOLDING_TAX',
        [
          { account: accountNumber, amount: -611.51 },
          { account: 'tax_payable', amount: 611.51 },
        ],
      ],
    )
    const [event] = await read(ask, '/v2/events?type=fixed_deposit.interest_paid')
    assert.deepEqual(event.data, {
      deposit_id: depositId,
      from: '2026-01-15',
      to: '2026-02-15',
      interest: 6_115.07,
      tax: 611.51,
      net: 5_503.56,
      credited_account: accountNumber,
    })
    const [audited] = await read(ask, `/v2/audit-log?subject_id=${depositId}&limit=1`)
    assert.deepEqual([audited.actor.kind, audited.actor.id], ['JOB', 'maturity'])
  })

  test('missed payments are made one by one, oldest first, dated when they are made', async () => {
    const { ask, clock, service } = await start()
    await sell(ask, 'MONTHLY', { maturity: PAY_OUT })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    await service.maturity.settleAll()
    const paid = await paymentsOf(ask, depositId)
    assert.deepEqual(
      paid.map(({ to, interest, business_date }) => `${to} ${interest} ${business_date}`),
      [
        '2026-06-15 6115.07 2026-06-25',
        '2026-05-15 5917.81 2026-06-25',
        '2026-04-15 6115.07 2026-06-25',
        '2026-03-15 5523.29 2026-06-25',
        '2026-02-15 6115.07 2026-06-25',
      ],
    )
    const events = await read(ask, '/v2/events?type=fixed_deposit.interest_paid')
    assert.deepEqual(
      events.map(({ data }: { data: { to: string } }) => data.to),
      paid.map(({ to }) => to),
    )
    // The list is paged by the ends of the periods.
    const first = await ask('GET', `/v2/fixed-deposits/${depositId}/interest-payments?limit=3`)
    assert.deepEqual([first.json.data, first.json.meta.has_more], [paid.slice(0, 3), true])
    const rest = `?limit=3&cursor=${first.json.meta.next_cursor}`
    assert.deepEqual(await paymentsOf(ask, depositId, rest), paid.slice(3))
    // Maturity pays the rest of the payments, then the last period with the principal.
    clock.now = new Date('2027-01-15T10:00:00.000Z')
    await service.maturity.settleAll()
    assert.equal((await paymentsOf(ask, depositId)).length, 11)
    const [matured] = await read(ask, '/v2/events?type=fixed_deposit.matured')
    assert.deepEqual([matured.data.interest_paid, matured.data.total_credited], [6_115.07, 606_115.07])
    const ended = await depositOf(ask, depositId)
    assert.deepEqual(
      [ended.status, ended.next_interest_date, ended.interest_paid_to, ended.accrued_interest],
      ['MATURED', null, null, 0],
    )
    assert.equal(await balanceOf(ask, accountNumber), 672_000.02)
  })

  test('a test clock moved over years pays everything in order, each by the tax rules of its own day', async () => {
    const { ask } = await start()
    await sell(ask, 'MONTHLY', { maturity: { ...PAY_OUT, instruction: 'ROLL_OVER' } })
    await replaceTaxRules(ask, { effective_from: '2026-03-01' })
    await replaceTaxRules(ask, { effective_from: '2027-06-01', classes: { STANDARD: 20 } })
    const { depositId } = await openByProduct(ask, 'MONTHLY', { ...X, amount: 120_000 })
    await moveTo(ask, '2028-03-20')
    const chain: string[] = []
    for (let id: string | null = depositId; id !== null; ) {
      const { rolled_over_to, status, principal } = await depositOf(ask, id)
      const payments = (await paymentsOf(ask, id)).toReversed()
      chain.push(...payments.map(({ to, tax, business_date }) => `${to} ${tax} ${business_date}`))
      chain.push(`${status} ${principal}`)
      id = rolled_over_to
    }
    const due = ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
    assert.deepEqual(
      chain.map((line) => line.split(' ')[0]),
      [
        ...due.map((month) => `2026-${month}-15`),
        'ROLLED_OVER',
        ...due.map((month) => `2027-${month}-15`),
        'ROLLED_OVER',
        ...['2028-02-15', '2028-03-15'],
        'ACTIVE',
      ],
    )
    assert.deepEqual(
      [chain[0], chain[1], chain[15], chain[16]],
      [
        '2026-02-15 0 2028-03-20',
        '2026-03-15 110.47 2028-03-20',
        '2027-05-15 118.36 2028-03-20',
        '2027-06-15 244.6 2028-03-20',
      ],
    )
    const events = await read(ask, '/v2/events?type=fixed_deposit.interest_paid&limit=100')
    const told = events.map(({ data }: { data: { to: string } }) => data.to)
    assert.deepEqual(told, told.toSorted().toReversed())
  })

  test('a move of the clock counts payments as it counts rollovers', async () => {
    const { db } = running()
    const { ask } = await startService(db, { now: '2026-01-15T10:00:00.000Z', testClockRolloversMax: 10 })
    await sell(ask, 'MONTHLY', { maturity: PAY_OUT })
    await sell(ask, 'QUARTERLY', {
      interest: { ...harbourFix.interest, every: 'QUARTER' },
      maturity: { ...PAY_OUT, instruction: 'ROLL_OVER' },
    })
    const months = { ...X, amount: 50_000, tenor_months: 6 }
    const { depositId } = await openByProduct(ask, 'MONTHLY', months)
    await openByProduct(ask, 'QUARTERLY', months)
    // By then the first makes five payments; the second rolls over four times, and eight quarters pass.
    const far = () => ask('POST', '/v2/test-clock', { now: '2028-01-20T10:00:00.000Z' })
    await assertRefusedWithoutTrace(db, far, {
      status: 422,
      code: 'clock_move_too_far',
      details: '{"rollovers":"3","interest_payments":"11","maximum_rollovers":"10"}',
    })
    await moveTo(ask, '2026-10-20')
    assert.equal((await paymentsOf(ask, depositId)).length, 5)
    await moveTo(ask, '2028-01-20')
  })

  test('a liquidation first makes the payments that are due, and its quote counts them', async () => {
    const { ask, clock } = await start()
    const { db } = running()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    const path = `/v2/fixed-deposits/${depositId}`
    await assertUnchanged(db, async () => {
      const quoted = await ask('POST', `${path}/liquidation-quote`, FULL)
      assert.equal(quoted.json.data.net_credited, 591_386.29)
      // A refused operation makes none.
      const refused = await ask('POST', `${path}/liquidate`, { ...FULL, expected_net_credited: 1 })
      assertRefused(refused, {
        status: 409,
        code: 'figures_changed',
        details: '{"net_credited":591386.29}',
      })
      const tooMuch = { liquidation_type: 'PARTIAL', amount: 600_000.01 }
      assert.equal((await ask('POST', `${path}/liquidate`, tooMuch)).status, 422)
    })
    const answer = await ask('POST', `${path}/liquidate`, { ...FULL, expected_net_credited: 591_386.29 })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await paymentsOf(ask, depositId)).length, 5)
    assert.deepEqual(await eventTypes(ask, 6), [
      'fixed_deposit.liquidated',
      ...Array.from({ length: 5 }, () => 'fixed_deposit.interest_paid'),
    ])
    assert.equal(await balanceOf(ask, accountNumber), 621_172.6)
    const ended = await depositOf(ask, depositId)
    assert.deepEqual(
      [ended.status, ended.interest_paid_out, ended.interest_paid_to, ended.next_interest_date],
      ['LIQUIDATED', 0, null, null],
    )
  })

  test('nothing is due any more of a deposit that is broken before its first payment', async () => {
    const { ask } = await start()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId } = await openByProduct(ask, 'MONTHLY', X)
    const broken = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL)
    assert.equal(broken.status, 200, broken.text)
    const after = await depositOf(ask, depositId)
    assert.deepEqual([after.interest_paid_out, after.next_interest_date], [0, null])
  })

  test('a quote of a later day counts payments up to it as made; one before a payment is refused', async () => {
    const { ask, clock, service } = await start()
    const { db } = running()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId } = await openByProduct(ask, 'MONTHLY', X)
    const quote = (as_of: string) =>
      ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, { ...FULL, as_of })
    await assertUnchanged(db, async () => {
      assert.equal((await quote('2026-06-25')).json.data.net_credited, 591_386.29)
      assert.equal((await quote('2026-06-15')).json.data.net_credited, 590_071.22)
      // At maturity eleven payments were made, and the last one is paid with the principal.
      assert.equal((await quote('2027-01-15')).json.data.net_credited, 606_115.07)
    })
    clock.now = new Date('2026-02-20T10:00:00.000Z')
    await service.maturity.settleAll()
    assertRefused(await quote('2026-02-14'), {
      status: 422,
      code: 'as_of_before_paid_interest',
      details: '{"earliest":"2026-02-15"}',
    })
    assert.equal((await quote('2026-02-15')).status, 200)
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL)).status, 200)
    assertRefused(await quote('2026-02-14'), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
  })

  test('a payment of nothing moves the boundary and writes its event, but no entry', async () => {
    const { ask } = await start()
    await sell(ask, 'TINY', { min_amount: 0.01, maturity: PAY_OUT })
    const { depositId, accountNumber } = await openByProduct(ask, 'TINY', { ...X, amount: 0.01 })
    await moveTo(ask, '2026-03-20')
    const paid = await paymentsOf(ask, depositId)
    assert.deepEqual(
      paid.map(({ to, interest, entry_id }) => [to, interest, entry_id]),
      [
        ['2026-03-15', 0, null],
        ['2026-02-15', 0, null],
      ],
    )
    assert.equal((await read(ask, '/v2/events?type=fixed_deposit.interest_paid')).length, 2)
    assert.equal((await depositOf(ask, depositId)).interest_paid_to, '2026-03-15')
    const entries = await read(ask, `/v2/ledger-entries?account_number=${accountNumber}`)
    assert.deepEqual(
      entries.map(({ kind }: { kind: string }) => kind),
      ['DEPOSIT_OPENING', 'ACCOUNT_CREDIT'],
    )
  })

  test('what the account cannot take is reported, refused where it comes first, and paid later', async () => {
    const { ask, clock, service } = await start()
    const { db } = running()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    const credit = (amount: string) =>
      ask('POST', `/v2/accounts/${accountNumber}/credits`, `{"amount":${amount}}`)
    assert.equal((await credit('9999999999999.99')).status, 201)
    clock.now = new Date('2026-02-15T10:00:00.000Z')
    const run = await service.maturity.settleAll()
    assert.deepEqual(
      run.unsettled.filter((one) => one.depositId === depositId).map(({ code, error }) => [code, error]),
      [['balance_limit_exceeded', null]],
    )
    const full = () => ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL)
    const limit = { status: 422, code: 'balance_limit_exceeded', details: '{"maximum":9999999999999.99}' }
    await assertRefusedWithoutTrace(db, full, limit)
    const opening = {
      account_number: accountNumber,
      amount: 50_000,
      product_code: 'MONTHLY',
      tenor_months: 12,
    }
    // In thirteen months at 100 percent a deposit pays more than it takes from the account.
    await sell(ask, 'DEAR', { negotiated_rate: null }, sheetAt(100))
    const dear = { ...opening, product_code: 'DEAR', tenor_months: 36, start_date: '2025-01-15' }
    await assertRefusedWithoutTrace(db, () => ask('POST', '/v2/fixed-deposits', dear), limit)
    // Something leaves the account, and the next run pays.
    assert.equal((await ask('POST', '/v2/fixed-deposits', opening)).status, 201)
    await service.maturity.settleAll()
    assert.equal((await paymentsOf(ask, depositId)).length, 1)
  })

  test('a deposit with an earlier start is paid up at once, taxed by the rules of today', async () => {
    const { ask } = await start('2026-06-25')
    const { db } = running()
    await replaceTaxRules(ask, { effective_from: '2026-06-25' })
    await sell(ask, 'MONTHLY', { maturity: PAY_OUT })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', {
      ...X,
      start_date: '2026-01-15',
    })
    const paid = await paymentsOf(ask, depositId)
    assert.deepEqual(
      paid.map(({ tax, business_date }) => `${tax} ${business_date}`),
      [
        '611.51 2026-06-25',
        '591.78 2026-06-25',
        '611.51 2026-06-25',
        '552.33 2026-06-25',
        '611.51 2026-06-25',
      ],
    )
    assert.equal(await balanceOf(ask, accountNumber), 26_807.67)
    assert.deepEqual((await eventTypes(ask, 6)).toSorted(), [
      'fixed_deposit.created',
      ...Array.from({ length: 5 }, () => 'fixed_deposit.interest_paid'),
    ])
    const early = () =>
      ask('POST', '/v2/fixed-deposits', {
        ...{ account_number: accountNumber, amount: 50_000, product_code: 'MONTHLY', tenor_months: 12 },
        start_date: '1926-06-24',
      })
    await assertRefusedWithoutTrace(db, early, {
      status: 422,
      code: 'start_date_too_early',
      details: '{"earliest":"1926-06-25"}',
    })
  })

  test('G8: upfront interest is one payment, from start to maturity, and never due again', async () => {
    const { ask, clock, service } = await start('2026-02-01')
    await replaceTaxRules(ask)
    await sell(ask, 'FIRST', { interest: UPFRONT, tenor: DAYS, maturity: PAY_OUT }, sheetAt(10))
    const { depositId, accountNumber, data } = await openByProduct(ask, 'FIRST', {
      ...{ amount: 500_000, tenor: 180 },
    })
    assert.deepEqual(
      [data.interest_paid_out, data.expected_interest, data.accrued_interest],
      [24_657.53, 24_657.53, 0],
    )
    assert.deepEqual([data.interest_paid_to, data.next_interest_date], [null, null])
    const [payment] = await paymentsOf(ask, depositId)
    assert.deepEqual(payment, {
      ...{ from: '2026-02-01', to: '2026-07-31', principal: 500_000, interest: 24_657.53, tax: 2_465.75 },
      ...{ net: 22_191.78, business_date: '2026-02-01', entry_id: payment!.entry_id },
    })
    clock.now = new Date('2026-07-31T10:00:00.000Z')
    await service.maturity.settleAll()
    assert.equal((await paymentsOf(ask, depositId)).length, 1)
    assert.equal(await balanceOf(ask, accountNumber), 522_191.78)
  })

  test('liens do not stop payments', async () => {
    const { ask } = await start()
    await sell(ask, 'MONTHLY', { maturity: PAY_OUT })
    const { depositId } = await openByProduct(ask, 'MONTHLY', X)
    const lien = { amount: 600_000, reason: 'LOAN' }
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, lien)).status, 201)
    await moveTo(ask, '2027-01-20')
    assert.equal((await paymentsOf(ask, depositId)).length, 11)
    const held = await depositOf(ask, depositId)
    assert.deepEqual([held.status, held.accrued_interest], ['ACTIVE', 6_115.07])
  })
})
