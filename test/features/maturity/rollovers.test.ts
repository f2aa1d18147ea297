/** Deposits that a product renews, and why it does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harbourFix, openByProduct, sell, sheetAt } from '../../support/products.ts'
import {
  type Ask,
  describeService,
  firstRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

const DAYS = { unit: 'DAY', min: 1, max: 36_500, multiple: 1 }
const AT_MATURITY = { method: 'AT_MATURITY', every: null, recover_paid_interest: false }
const COMPOUND = { method: 'COMPOUND', every: 'QUARTER', recover_paid_interest: false }
const UPFRONT = { method: 'UPFRONT', every: null, recover_paid_interest: false }
const rolling = (changes: object = {}) => ({
  maturity: { on_holiday: 'SAME_DAY', instruction: 'ROLL_OVER', rollover_limit: null, ...changes },
})

const read = async (ask: Ask, path: string) => (await ask('GET', path)).json.data
const depositOf = (ask: Ask, depositId: string) => read(ask, `/v2/fixed-deposits/${depositId}`)
const balanceOf = async (ask: Ask, account: string) => (await read(ask, `/v2/accounts/${account}`)).balance
const moveTo = async (ask: Ask, day: string) => {
  const moved = await ask('POST', '/v2/test-clock', { now: `${day}T10:00:00.000Z` })
  assert.equal(moved.status, 200, moved.text)
}
const lastEvent = async (ask: Ask, type: string) =>
  (await read(ask, `/v2/events?type=${type}&limit=1`))[0]?.data

type Case = [
  reason: string,
  product: object,
  sheet: object,
  /** Written before the maturity: the next version, or a further sheet. */
  later: { product?: object; sheet?: object },
  wish?: object,
]

const ONE_YEAR = { tenor_months: 12 }
const plain = { interest: AT_MATURITY, ...rolling() }

const refused: Case[] = [
  ['product_closed', plain, sheetAt(10), { product: { status: 'CLOSED' } }],
  ['amount_not_offered', plain, sheetAt(10), { product: { min_amount: 110_000.01 } }],
  ['amount_not_offered', { ...plain, max_amount: 100_000 }, sheetAt(10), {}],
  [
    'tenor_not_offered',
    plain,
    sheetAt(10),
    { product: { tenor: { unit: 'MONTH', min: 1, max: 11, multiple: 1 } } },
  ],
  ['tenor_not_offered', plain, sheetAt(10), { product: { tenor: DAYS } }],
  ['tenor_not_offered', plain, sheetAt(10), { sheet: sheetAt(0, '2027-01-01') }],
  [
    'rate_out_of_range',
    plain,
    sheetAt(10),
    { product: { bonuses: { SENIOR: -10 } } },
    { bonuses: ['SENIOR'] },
  ],
  [
    'upfront_interest_too_high',
    { ...plain, interest: UPFRONT },
    sheetAt(10),
    { sheet: sheetAt(100, '2027-01-01') },
  ],
  ['rollover_limit', { ...plain, ...rolling({ rollover_limit: 0 }) }, sheetAt(10), {}],
  [
    'rollover_limit',
    { ...plain, ...rolling({ rollover_limit: 0 }) },
    sheetAt(10),
    { product: rolling({ rollover_limit: null }) },
  ],
]

describeService('rollovers by a product', (running) => {
  const start = (now = '2026-01-01') => startService(running().db, { now: `${now}T10:00:00.000Z` })

  for (const [index, [reason, product, sheet, later, wish = {}]] of refused.entries()) {
    test(`${index + 1}: pays out where it is refused, and says ${reason}`, async () => {
      const { ask } = await start()
      await sell(ask, 'P', product, sheet)
      const { depositId, accountNumber } = await openByProduct(ask, 'P', {
        ...{ amount: 100_000, ...ONE_YEAR, ...wish },
      })
      if (later.product) await sell(ask, 'P', { ...product, ...later.product }, null)
      if (later.sheet)
        assert.equal((await ask('POST', '/v2/products/P/rate-sheets', later.sheet)).status, 201)
      await moveTo(ask, '2027-01-01')
      const matured = await lastEvent(ask, 'fixed_deposit.matured')
      assert.deepEqual([matured.deposit_id, matured.rollover_refused], [depositId, reason])
      assert.equal(matured.maturity_instruction, 'ROLL_OVER')
      assert.equal((await depositOf(ask, depositId)).status, 'MATURED')
      assert(((await balanceOf(ask, accountNumber)) as number) >= 110_000)
    })
  }

  test('one that may not roll says null, and a deposit rolls as often as it may', async () => {
    const { ask } = await start()
    await sell(ask, 'P', { interest: AT_MATURITY, ...rolling({ rollover_limit: 2 }) }, sheetAt(10))
    const paysOut = { amount: 100_000, ...ONE_YEAR, maturity_instruction: 'PAY_OUT' }
    await openByProduct(ask, 'P', paysOut)
    await moveTo(ask, '2027-01-02')
    assert.equal((await lastEvent(ask, 'fixed_deposit.matured')).rollover_refused, null)
    const { depositId } = await openByProduct(ask, 'P', { amount: 100_000, ...ONE_YEAR })
    await moveTo(ask, '2032-01-02')
    const chain: [string, number, number][] = []
    for (let id: string | null = depositId; id !== null; ) {
      const deposit = await depositOf(ask, id)
      chain.push([deposit.status, deposit.principal, deposit.rollovers])
      id = deposit.rolled_over_to
    }
    assert.deepEqual(chain, [
      ['ROLLED_OVER', 100_000, 0],
      ['ROLLED_OVER', 110_000, 1],
      ['MATURED', 121_030.14, 2],
    ])
    assert.equal((await lastEvent(ask, 'fixed_deposit.matured')).rollover_refused, 'rollover_limit')
  })

  test('a successor has the latest version, the sheet of the day and the bonuses that are left', async () => {
    const { ask } = await start()
    await sell(ask, 'P', { interest: COMPOUND, ...rolling(), bonuses: { STAFF: 1, LOYAL: 0.5 } }, sheetAt(7))
    const { depositId, data } = await openByProduct(ask, 'P', {
      ...{ amount: 100_000, ...ONE_YEAR, bonuses: ['STAFF', 'LOYAL'], external_id: 'FIRST' },
    })
    assert.deepEqual([data.interest_rate, data.bonus], [8.5, 1.5])
    const lien = await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 1_000, reason: 'LOAN' })
    const rules = { ...firstRules, day_count: 'MONTHS' }
    await sell(ask, 'P', { interest: COMPOUND, ...rolling(), bonuses: { STAFF: 2 }, rules }, null)
    for (const [rate, from] of [
      [6, '2026-12-31'],
      [5, '2027-01-01'],
      [9, '2027-01-02'],
    ] as const) {
      const added = await ask('POST', '/v2/products/P/rate-sheets', sheetAt(rate, from))
      assert.equal(added.status, 201)
    }
    await moveTo(ask, '2027-02-01')
    const event = await lastEvent(ask, 'fixed_deposit.rolled_over')
    // 100,000 at 8.5 percent, compounded over quarters of 90, 91, 92 and 92 days.
    assert.deepEqual(
      [event.principal_rolled_over, event.interest_rolled_over, event.interest_paid, event.net_credited],
      [100_000, 8_774.79, 0, 0],
    )
    const { successor } = event
    assert.deepEqual(
      {
        principal: successor.principal,
        interest_rate: successor.interest_rate,
        rate_sheet: successor.rate_sheet,
        bonuses: successor.bonuses,
        bonus: successor.bonus,
        product_version: successor.product_version,
        rules_source: successor.rules_source,
        start_date: successor.start_date,
        maturity_date: successor.maturity_date,
        rollovers: successor.rollovers,
        external_id: successor.external_id,
        maturity_instruction: successor.maturity_instruction,
        lien_amount: successor.lien_amount,
      },
      {
        principal: 108_774.79,
        interest_rate: 7,
        rate_sheet: 3,
        bonuses: ['STAFF'],
        bonus: 2,
        product_version: 2,
        rules_source: 'PRODUCT',
        start_date: '2027-01-01',
        maturity_date: '2028-01-01',
        rollovers: 1,
        external_id: null,
        maturity_instruction: 'ROLL_OVER',
        lien_amount: 1_000,
      },
    )
    const held = await read(ask, `/v2/liens/${lien.json.data.lien_id}`)
    assert.equal(held.deposit_id, successor.deposit_id)
  })

  test('a negotiated rate does not roll', async () => {
    const { ask } = await start()
    await sell(ask, 'P', { interest: AT_MATURITY, ...rolling() }, sheetAt(10))
    await openByProduct(ask, 'P', { amount: 100_000, ...ONE_YEAR, interest_rate: 15 })
    await moveTo(ask, '2027-01-01')
    const { successor } = await lastEvent(ask, 'fixed_deposit.rolled_over')
    assert.deepEqual([successor.principal, successor.interest_rate, successor.bonus], [115_000, 10, 0])
  })

  test('H4: of interest paid out only the principal rolls, and the last payment goes to the account', async () => {
    const { ask } = await start('2026-01-15')
    await replaceTaxRules(ask)
    await sell(ask, 'P', rolling(), sheetAt(12))
    const { accountNumber } = await openByProduct(ask, 'P', { amount: 600_000, ...ONE_YEAR })
    await moveTo(ask, '2027-01-14')
    const before = await balanceOf(ask, accountNumber)
    await moveTo(ask, '2027-01-15')
    const event = await lastEvent(ask, 'fixed_deposit.rolled_over')
    const { interest_paid, interest_rolled_over, tax_withheld, net_credited, credited_account, successor } =
      event
    assert.deepEqual(
      { interest_paid, interest_rolled_over, tax_withheld, net_credited, credited_account },
      {
        interest_paid: 6_115.07,
        interest_rolled_over: 0,
        tax_withheld: 611.51,
        net_credited: 5_503.56,
        credited_account: accountNumber,
      },
    )
    assert.deepEqual([successor.principal, successor.next_interest_date], [600_000, '2027-02-15'])
    assert.equal(((await balanceOf(ask, accountNumber)) - before).toFixed(2), '5503.56')
  })

  test('H2, H3: interest that rolls is taxed before the successor opens, interest paid out at the account', async () => {
    const { ask } = await start()
    await replaceTaxRules(ask)
    await sell(ask, 'P', { interest: AT_MATURITY, tenor: DAYS, ...rolling() }, sheetAt(10))
    await openByProduct(ask, 'P', { amount: 100_000, tenor: 365 })
    await moveTo(ask, '2027-01-01')
    assert.equal((await lastEvent(ask, 'fixed_deposit.rolled_over')).successor.principal, 109_000)
    const principal = { amount: 100_000, tenor: 365, maturity_instruction: 'ROLL_OVER_PRINCIPAL' }
    const { accountNumber } = await openByProduct(ask, 'P', principal)
    await moveTo(ask, '2028-01-01')
    const events = await read(ask, '/v2/events?type=fixed_deposit.rolled_over')
    const own = events.find(({ data }: { data: any }) => data.credited_account === accountNumber).data
    assert.deepEqual([own.successor.principal, own.net_credited], [100_000, 9_000])
    assert.equal(await balanceOf(ask, accountNumber), 9_000)
  })

  test('an upfront successor pays its interest, taxed, on the day it opens', async () => {
    const { ask } = await start('2026-02-01')
    await replaceTaxRules(ask)
    await sell(ask, 'P', { interest: UPFRONT, tenor: DAYS, ...rolling() }, sheetAt(10))
    const { accountNumber } = await openByProduct(ask, 'P', { amount: 500_000, tenor: 180 })
    assert.equal(await balanceOf(ask, accountNumber), 22_191.78)
    await moveTo(ask, '2026-08-01')
    const { successor, net_credited } = await lastEvent(ask, 'fixed_deposit.rolled_over')
    assert.deepEqual(
      [successor.principal, successor.start_date, successor.interest_paid_out, net_credited],
      [500_000, '2026-07-31', 24_657.53, 0],
    )
    const [payment] = await read(ask, `/v2/fixed-deposits/${successor.deposit_id}/interest-payments`)
    assert.deepEqual(
      [payment.from, payment.to, payment.tax, payment.business_date],
      ['2026-07-31', '2027-01-27', 2_465.75, '2026-08-01'],
    )
    assert.equal(await balanceOf(ask, accountNumber), 44_383.56)
  })

  test('an upfront successor waits while the account cannot take its interest', async () => {
    const { ask, clock, service } = await start('2026-02-01')
    await sell(ask, 'P', { interest: UPFRONT, tenor: DAYS, ...rolling() }, sheetAt(10))
    const { depositId, accountNumber } = await openByProduct(ask, 'P', { amount: 500_000, tenor: 180 })
    const room = 9_999_999_999_999.99 - (await balanceOf(ask, accountNumber))
    const path = `/v2/accounts/${accountNumber}/credits`
    assert.equal((await ask('POST', path, `{"amount":${room.toFixed(2)}}`)).status, 201)
    clock.now = new Date('2026-07-31T10:00:00.000Z')
    const { unsettled } = await service.maturity.settleAll()
    const own = unsettled.filter((one) => one.depositId === depositId)
    assert.deepEqual(
      own.map(({ code, error }) => [code, error]),
      [['balance_limit_exceeded', null]],
    )
    const half = { account_number: accountNumber, amount: 500_000, tenor: 30, interest_rate: 1 }
    assert.equal((await ask('POST', '/v2/fixed-deposits', half)).status, 201)
    await service.maturity.settleAll()
    assert.equal((await depositOf(ask, depositId)).status, 'ROLLED_OVER')
  })

  test('H5, N1–N5: a holiday moves the maturity at the opening, and a rollover starts on the moved day', async () => {
    const { ask, clock } = await start('2026-12-01')
    const lagos = { weekend: ['SAT', 'SUN'], holidays: ['2026-12-25', '2026-12-28'] }
    assert.equal((await ask('PUT', '/v2/business-calendar', lagos)).status, 200)
    const next = { maturity: { ...harbourFix.maturity, on_holiday: 'NEXT_BUSINESS_DAY' } }
    const months = { rules: { ...firstRules, day_count: 'MONTHS' } }
    const quote = async (code: string, product: object, wish: object, rate = 12) => {
      await sell(ask, code, product, sheetAt(rate))
      const answer = await ask('POST', `/v2/products/${code}/quote`, { amount: 100_000, ...wish })
      assert.equal(answer.status, 200, answer.text)
      const { maturity_date, schedule, expected_interest } = answer.json.data
      const paid = schedule.map(({ to, interest }: { to: string; interest: number }) => `${to} ${interest}`)
      return [maturity_date, ...paid, expected_interest]
    }
    const h5 = { tenor: 90, start_date: '2026-09-26' }
    const simple = { interest: AT_MATURITY, tenor: DAYS }
    assert.deepEqual(await quote('H5A', { ...simple, ...rolling() }, h5, 10), [
      ...['2026-12-25', '2026-12-25 2465.75', 2_465.75],
    ])
    assert.deepEqual(await quote('H5B', { ...simple, ...next }, h5, 10), [
      ...['2026-12-29', '2026-12-29 2575.34', 2_575.34],
    ])
    const start_date = '2026-09-25'
    const moved = '2026-12-29'
    assert.deepEqual(await quote('N1', next, { tenor_months: 3, start_date }), [
      ...[moved, '2026-10-25 986.3', '2026-11-25 1019.18', '2026-12-25 986.3', `${moved} 131.51`, 3_123.29],
    ])
    const days = { tenor: 91, start_date }
    assert.deepEqual(await quote('N2', { ...next, interest: COMPOUND, tenor: DAYS }, days), [moved, 3_127.22])
    assert.deepEqual(await quote('N3', { ...next, ...simple }, days), [moved, `${moved} 3123.29`, 3_123.29])
    assert.deepEqual(await quote('N4', { ...next, ...months }, { tenor_months: 3, start_date }), [
      ...[moved, '2026-10-25 1000', '2026-11-25 1000', '2026-12-25 1000', `${moved} 131.51`, 3_131.51],
    ])
    const { depositId } = await openByProduct(ask, 'N3', { amount: 100_000, ...days })
    clock.now = new Date('2026-12-25T10:00:00.000Z')
    assert.equal((await depositOf(ask, depositId)).status, 'ACTIVE')
    await moveTo(ask, moved)
    const { successor, agreed_tenor, tenor } = await lastEvent(ask, 'fixed_deposit.rolled_over')
    assert.deepEqual([agreed_tenor, tenor], [{ unit: 'DAY', count: 91 }, 95])
    assert.deepEqual([successor.start_date, successor.maturity_date], [moved, '2027-03-30'])
    // It never moves again, whatever the calendar becomes.
    const closed = { ...lagos, holidays: ['2027-03-30'] }
    assert.equal((await ask('PUT', '/v2/business-calendar', closed)).status, 200)
    assert.equal((await depositOf(ask, successor.deposit_id)).maturity_date, '2027-03-30')
    await moveTo(ask, '2027-03-30')
    assert.equal((await depositOf(ask, successor.deposit_id)).status, 'ROLLED_OVER')
  })
})
