/** Letters about deposits whose interest is compounded, paid out or paid at the start. */
import assert from 'node:assert/strict'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import {
  type Ask,
  ada,
  firstRules,
  fundedAccount,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

/** X and Y of the vectors by a product, on the day on which X is broken. */
async function sell(ask: Ask, product_code: string, interest: object, charge: object) {
  const rules = { ...firstRules, penal_rules: [{ when: {}, terms: [charge] }] }
  const tenor = product_code === 'UPFRONT' ? { unit: 'DAY', min: 1, max: 400, multiple: 1 } : harbourFix.tenor
  const maturity = { on_holiday: 'SAME_DAY', instruction: 'ROLL_OVER_PRINCIPAL', rollover_limit: null }
  const product = { ...harbourFix, name: `Harbour ${product_code}`, interest, tenor, rules, maturity }
  const sold = await ask('PUT', `/v2/products/${product_code}`, product)
  assert.equal(sold.status, 200, sold.text)
  const sheet = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }
  assert.equal((await ask('POST', `/v2/products/${product_code}/rate-sheets`, sheet)).status, 201)
}

async function open(ask: Ask, body: object): Promise<string> {
  const { accountNumber: account_number } = await fundedAccount(ask, 700_000)
  const opened = await ask('POST', '/v2/fixed-deposits', { account_number, ...body })
  assert.equal(opened.status, 201, opened.text)
  return opened.json.data.deposit_id
}

const lowerRate = { kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } }
const half = { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }
const payout = { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true }
const upfront = { method: 'UPFRONT', every: null, recover_paid_interest: true }
const x = { amount: 600_000, product_code: 'PAYOUT', tenor_months: 12, start_date: '2026-01-15' }

const breakWhole = async (ask: Ask, depositId: string): Promise<string> => {
  const broken = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
  assert.equal(broken.status, 200, broken.text)
  return broken.json.data.liquidation_id
}

forEachEngine(({ test }) => {
  test('a certificate says how interest is paid, and what maturity pays', async (db) => {
    const { ask, clock, app, testKey } = await startService(db)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    await sell(ask, 'PAYOUT', payout, lowerRate)
    await sell(ask, 'UPFRONT', upfront, half)
    await sell(ask, 'COMPOUND', { ...payout, method: 'COMPOUND', every: 'QUARTER' }, half)
    const certificateOf = async (depositId: string) => {
      const { data } = (await ask('GET', `/v2/fixed-deposits/${depositId}/certificate`)).json
      const { maturity_value, expected_interest, product_code, product_name, interest_method } = data
      const { interest_every, agreed_tenor, maturity_instruction, parties } = data
      return [
        [maturity_value, expected_interest, product_code, product_name, interest_method, interest_every],
        [agreed_tenor, maturity_instruction, parties],
      ]
    }
    const year = { unit: 'MONTH', count: 12 }
    const byPayout = await open(ask, x)
    // The last of the twelve payments is that of 31 days.
    assert.deepEqual(await certificateOf(byPayout), [
      [606_115.07, 72_000.02, 'PAYOUT', 'Harbour PAYOUT', 'PAYOUT', 'MONTH'],
      [year, 'ROLL_OVER_PRINCIPAL', []],
    ])
    const atTheStart = await open(ask, { ...x, product_code: 'UPFRONT', tenor: 180, tenor_months: undefined })
    assert.deepEqual(await certificateOf(atTheStart), [
      [600_000, 35_506.85, 'UPFRONT', 'Harbour UPFRONT', 'UPFRONT', null],
      [{ unit: 'DAY', count: 180 }, 'ROLL_OVER_PRINCIPAL', []],
    ])
    const grown = await certificateOf(await open(ask, { ...x, product_code: 'COMPOUND' }))
    assert.deepEqual(grown[0]!.slice(4), ['COMPOUND', 'QUARTER'])
    assert.equal(grown[0]![0], 600_000 + grown[0]![1])
    const plain = await open(ask, { amount: 1_000, tenor: 30, interest_rate: 5 })
    assert.deepEqual(await certificateOf(plain), [
      [1_004.11, 4.11, null, null, 'AT_MATURITY', null],
      [{ unit: 'DAY', count: 30 }, 'PAY_OUT', []],
    ])

    const joint = (await ask('POST', '/v2/customer', { ...ada, last_name: 'Eze', email: 'eze@example.com' }))
      .json
    const parties = [{ customer_id: joint.data.customer_id, role: 'JOINT' }]
    await ask('PUT', `/v2/fixed-deposits/${byPayout}/parties`, { mandate: 'ALL', parties })
    const [, [, , named]] = (await certificateOf(byPayout)) as any
    assert.deepEqual(named, [{ ...parties[0], name: 'Ada Eze' }])
    const headers = { authorization: `Bearer ${testKey}`, accept: 'text/html' }
    const page = await app.inject({ url: `/v2/fixed-deposits/${byPayout}/certificate`, headers })
    for (const text of [
      'Harbour PAYOUT (PAYOUT)',
      'Paid out, every month, next on 15 Jul 2026',
      'Rolls the principal over and pays the interest out',
      'Ada Eze, Joint holder; All have to sign',
    ])
      assert(page.body.includes(text), text)
  })

  test('a statement lists payments and what went back; the advice says why', async (db) => {
    const { ask, clock } = await startService(db)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    await replaceTaxRules(ask, { base: 'NET', on_recovery: 'RETURN' })
    await sell(ask, 'PAYOUT', payout, lowerRate)
    const depositId = await open(ask, x)
    const liquidationId = await breakWhole(ask, depositId)
    const { lines } = (await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)).json.data
    const shown = lines.map((line: any) => [line.kind, line.amount, line.remaining_principal])
    // G10 of the vectors.
    assert.deepEqual(shown.slice(0, 3), [
      ['DEPOSIT_OPENING', -600_000, 600_000],
      ['INTEREST_PAYOUT', 6_115.07, 600_000],
      ['WITHHOLDING_TAX', -611.51, 600_000],
    ])
    assert.deepEqual(shown.slice(11), [
      ['LIQUIDATION', 600_000, 0],
      ['INTEREST_RECOVERY', -8_613.71, 0],
      ['TAX_RETURN', 861.37, 0],
      ['SUMS', 19_055.33, 0],
    ])
    assert.deepEqual(
      lines.slice(12).map((line: { text: string }) => line.text),
      [
        'Interest taken back: for days not held 0.00, for the charge 8,613.71',
        'Tax returned',
        'In this time: interest 31,758.91 − charge 10,586.31 − tax 2,117.27 = 19,055.33',
      ],
    )
    const { worked_out } = (await ask('GET', `/v2/liquidations/${liquidationId}/advice`)).json.data
    assert.deepEqual(worked_out, [
      'Earned on ₦600,000.00 at 12 % a year in 161 days: ₦31,758.91.',
      'Of this principal ₦29,786.31 of interest was paid to you before.',
      'The rest of the interest is paid now: ₦1,972.60.',
      'The difference to a lower rate for the days that passed: ₦10,586.31.',
      'Withholding tax, 10 % of interest of ₦0.00: ₦0.00.',
      'The interest paid now does not cover the charge: ₦8,613.71 of it comes from the interest paid before.',
      'The tax on the interest that goes back is returned: ₦861.37.',
      'Payout: 600,000.00 + 1,972.60 − 1,972.60 − 8,613.71 + 861.37 = ₦592,247.66.',
    ])
  })

  test('an advice says what of interest paid at the start goes back, and what the bank forgoes', async (db) => {
    const { ask, clock } = await startService(db)
    clock.now = new Date('2026-03-18T10:00:00.000Z')
    await sell(ask, 'UPFRONT', { ...upfront, recover_paid_interest: false }, half)
    const y = {
      amount: 500_000,
      product_code: 'UPFRONT',
      tenor: 180,
      interest_rate: 10,
      start_date: '2026-02-01',
    }
    const liquidationId = await breakWhole(ask, await open(ask, y))
    const { worked_out } = (await ask('GET', `/v2/liquidations/${liquidationId}/advice`)).json.data
    // E8 of the vectors.
    assert.deepEqual(worked_out, [
      'Earned on ₦500,000.00 at 10 % a year in 45 days: ₦6,164.38.',
      'Of this principal ₦24,657.53 of interest was paid to you before.',
      '50 % of the interest earned so far: ₦3,082.19.',
      'It was paid for the whole term: ₦18,493.15 of it goes back, for the days that the money is not held.',
      'The interest paid now does not cover the charge: the bank forgoes the rest of ₦3,082.19.',
      'Payout: 500,000.00 + 0.00 − 0.00 − 18,493.15 = ₦481,506.85.',
    ])
  })
})
