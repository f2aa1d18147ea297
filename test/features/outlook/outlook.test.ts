/** What breaking pays on the days to come: each point is the quote of its day. */
import assert from 'node:assert/strict'
import { addDays, daysBetween, type IsoDate, isoDate } from '../../../src/domain/dates.ts'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, firstRules, fundedAccount, replaceTaxRules, startService } from '../../support/service.ts'
import { minorOf } from '../reports/random-life.ts'

const tiers = [
  {
    when: { elapsed_percent: { lt: 20 } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 90 }],
  },
  {
    when: { elapsed_days: { lt: 200 } },
    terms: [{ kind: 'RERATE', rate: { of: 'CARD_AT_OPENING', add: -2 } }],
  },
  {
    when: { remaining_days: { gte: 30 } },
    terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }],
  },
]

const methods = {
  SIMPLE: { method: 'AT_MATURITY', every: null, recover_paid_interest: false },
  GROWN: { method: 'COMPOUND', every: 'QUARTER', recover_paid_interest: false },
  PAID: { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true },
  KEPT: { method: 'PAYOUT', every: 'QUARTER', recover_paid_interest: false },
  EARLY: { method: 'UPFRONT', every: null, recover_paid_interest: true },
}

async function sell(
  ask: Ask,
  product_code: keyof typeof methods,
  { penal_rules = tiers as object[], min_holding_days = 0 } = {},
): Promise<void> {
  const rules = { ...firstRules, penal_rules, min_holding_days }
  const tenor = { unit: 'DAY', min: 1, max: 400, multiple: 1 }
  const maturity = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
  const product = { ...harbourFix, tenor, interest: methods[product_code], rules, maturity }
  const put = await ask('PUT', `/v2/products/${product_code}`, product)
  assert.equal(put.status, 200, put.text)
  assert.equal((await ask('POST', `/v2/products/${product_code}/rate-sheets`, harbourSheet)).status, 201)
}

type Point = { date: IsoDate; net: number; interest_kept: number; penal_charge: number; tax: number }

const outlookOf = async (ask: Ask, depositId: string, query = '') => {
  const answer = await ask('GET', `/v2/fixed-deposits/${depositId}/outlook${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data as {
    points: Point[]
    break_even_on: string | null
    next_better_day: { date: string; gains: number } | null
  }
}

forEachEngine(({ test }) => {
  test('each point is the quote of its day, and the days between change nothing else', async (db) => {
    const { ask } = await startService(db)
    await replaceTaxRules(ask, { base: 'NET', on_recovery: 'RETURN', effective_from: '2026-09-10' })
    const { accountNumber: account_number } = await fundedAccount(ask, 9_000_000)
    for (const product_code of Object.keys(methods) as (keyof typeof methods)[]) {
      await sell(ask, product_code, { min_holding_days: product_code === 'SIMPLE' ? 10 : 0 })
      const body = { account_number, amount: 1_000_000, product_code, tenor: 365, start_date: '2026-06-28' }
      const { deposit_id } = (await ask('POST', '/v2/fixed-deposits', body)).json.data
      const { points, break_even_on, next_better_day } = await outlookOf(ask, deposit_id)
      const quoteOn = async (as_of: string) => {
        const request = { liquidation_type: 'FULL', as_of }
        return (await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidation-quote`, request)).json.data
      }
      for (const point of points) {
        const quoted = await quoteOn(point.date)
        const adjusted = (kind: string) =>
          minorOf(quoted.adjustments.find((one: { kind: string }) => one.kind === kind)?.amount ?? 0)
        assert.equal(point.net, quoted.net_credited, `${product_code} ${point.date}`)
        assert.equal(point.penal_charge, quoted.penal_charge)
        assert.equal(minorOf(point.tax), -adjusted('WITHHOLDING_TAX'))
        const { earned } = quoted.explanation
        const kept = minorOf(earned) - minorOf(quoted.penal_charge) + adjusted('PENAL_RECOVERY')
        assert.equal(minorOf(point.interest_kept), kept)
      }
      const dates = points.map(({ date }) => date)
      assert.deepEqual(dates, [...new Set(dates)].sort())
      assert.equal(dates.at(-1), '2027-06-28')
      // The holding period, 20 percent of the term, row 90 of the sheet, another tax, 200 days, 29 days before the end.
      const edges = ['2026-09-09', '2026-09-26', '2026-09-10', '2027-01-14', '2027-05-30']
      assert.deepEqual(
        edges.filter((edge) => !dates.includes(isoDate(edge))),
        [],
      )
      assert.equal(dates[0], product_code === 'SIMPLE' ? '2026-07-08' : '2026-07-01')
      assert.equal(next_better_day?.date, product_code === 'SIMPLE' ? undefined : '2026-09-09', product_code)

      // Found by asking for each day.
      const received = async (day: IsoDate) => {
        const quoted = await quoteOn(day)
        if (quoted === null) return 0n
        const { paid_share } = quoted.explanation
        const payments = (await ask('GET', `/v2/fixed-deposits/${deposit_id}/interest-payments`)).json.data
        const taxed = payments.reduce((sum: bigint, one: { tax: number }) => sum + minorOf(one.tax), 0n)
        return day <= '2026-09-10' ? minorOf(quoted.net_credited) + minorOf(paid_share) - taxed : null
      }
      if (break_even_on !== null && break_even_on <= '2026-09-10') {
        const day = isoDate(break_even_on)
        assert((await received(day))! > 100_000_000n, `${product_code} ${day}`)
        if (day > '2026-07-01') assert((await received(addDays(day, -1)))! <= 100_000_000n)
      }
    }
  })

  test('a charge on the principal is earned back, and waiting for a lower charge pays', async (db) => {
    const { ask } = await startService(db)
    // A charge of 1 percent is 30.4167 days of 12 percent, then half of it from 60 days on.
    const charge = (percent: number, when: object) => ({
      when,
      terms: [
        { kind: 'FIXED', amount: 10_000 },
        { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent },
      ],
      combine: 'MAX',
    })
    await sell(ask, 'SIMPLE', {
      penal_rules: [charge(1, { elapsed_days: { lt: 60 } }), charge(50, {})],
    })
    const { accountNumber: account_number } = await fundedAccount(ask, 9_000_000)
    const body = { account_number, amount: 1_000_000, product_code: 'SIMPLE', tenor: 365 }
    const { deposit_id } = (await ask('POST', '/v2/fixed-deposits', body)).json.data
    const { break_even_on, next_better_day } = await outlookOf(ask, deposit_id)
    // 31 days earn 10,191.78.
    assert.equal(break_even_on, '2026-08-01')
    assert.deepEqual(next_better_day, { date: '2027-07-01', gains: 120_000 })
    const part = await outlookOf(ask, deposit_id, '?amount=100000.00')
    // 305 days of a tenth: before that the fixed charge takes all.
    assert.equal(part.break_even_on, addDays(isoDate('2026-07-01'), 305))
    assert.equal(part.points.at(-1)!.net, 112_000)
    assert.deepEqual(part.next_better_day, { date: '2027-07-01', gains: 12_000 })
  })

  test('a lower charge is no better day where tax takes more than it gives', async (db) => {
    const { ask } = await startService(db)
    await replaceTaxRules(ask, { base: 'GROSS', classes: { STANDARD: 33.3333 } })
    const percent = (percent: number, when: object) => ({
      when,
      terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent }],
    })
    await sell(ask, 'SIMPLE', { penal_rules: [percent(100, { elapsed_days: { lt: 60 } }), percent(90, {})] })
    const { accountNumber: account_number } = await fundedAccount(ask, 1_000_000)
    const body = { account_number, amount: 1_000_000, product_code: 'SIMPLE', tenor: 365 }
    const { deposit_id } = (await ask('POST', '/v2/fixed-deposits', body)).json.data
    const { next_better_day } = await outlookOf(ask, deposit_id)
    // On day 60 a tenth of the interest is kept, and a third of all of it is withheld.
    assert.deepEqual(next_better_day, { date: '2027-07-01', gains: 80_000.04 })
  })

  test('a product is quoted with the outlook of a deposit that is opened by it', async (db) => {
    const { ask } = await startService(db)
    await replaceTaxRules(ask, { base: 'NET', on_recovery: 'KEEP' })
    const { accountNumber: account_number } = await fundedAccount(ask, 9_000_000)
    for (const product_code of ['PAID', 'EARLY', 'GROWN'] as const) {
      await sell(ask, product_code)
      const wish = { amount: 500_000, tenor: 180 }
      const path = `/v2/products/${product_code}/quote`
      assert(!('outlook' in (await ask('POST', path, wish)).json.data))
      const { outlook } = (await ask('POST', path, { ...wish, outlook: true })).json.data
      const opened = await ask('POST', '/v2/fixed-deposits', { ...wish, account_number, product_code })
      assert.deepEqual(outlook, await outlookOf(ask, opened.json.data.deposit_id))
    }
  })

  test('a term of a hundred years has 400 points at most, and what cannot be broken is refused', async (db) => {
    const { ask } = await startService(db)
    const { accountNumber: account_number } = await fundedAccount(ask, 9_000)
    const body = { account_number, amount: 1_000, tenor: 36_500, interest_rate: 0.01 }
    const { deposit_id } = (await ask('POST', '/v2/fixed-deposits', body)).json.data
    const { points } = await outlookOf(ask, deposit_id)
    assert(points.length > 300 && points.length <= 400, String(points.length))
    assert.equal(daysBetween(points[0]!.date, points.at(-1)!.date), 36_500)
    const path = `/v2/fixed-deposits/${deposit_id}/outlook`
    const remaining = '{"remaining_principal":1000.00}'
    for (const [query, status, code, details] of [
      ['?amount=1000.01', 422, 'amount_exceeds_principal', remaining],
      ['?amount=1000', 422, 'amount_equals_principal', remaining],
    ] as const) {
      assertRefused(await ask('GET', path + query), { status, code, details })
    }
    for (const [query, code] of [
      ['?amount=0', 'not_positive'],
      ['?amount=1.001', 'too_precise'],
      ['?amount=all', 'invalid_type'],
      ['?part=1', 'unknown_field'],
    ] as const) {
      const field = query.slice(1, query.indexOf('='))
      const fields = [[field, code]] as const
      assertRefused(await ask('GET', path + query), { status: 400, code: 'invalid_request', fields })
    }
    assertRefused(await ask('GET', '/v2/fixed-deposits/fd_1/outlook'), {
      status: 404,
      code: 'deposit_not_found',
    })
    await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, { liquidation_type: 'FULL' })
    assertRefused(await ask('GET', path), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
  })
})
