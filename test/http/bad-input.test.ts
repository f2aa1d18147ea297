/** Bad input of every kind beside the operation that refuses it: fields, codes and details, and nothing is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES } from '../support/batches.ts'
import { harbourFix, harbourSheet, sell, sheetAt } from '../support/products.ts'
import { assertRefused, assertUnchanged } from '../support/refusals.ts'
import {
  type Ask,
  describeService,
  firstRules,
  fundedAccount,
  openDeposit,
  startService,
  tenPercent,
} from '../support/service.ts'

type Fields = readonly (readonly [field: string, code: string])[]
type Rows = readonly (readonly [body: unknown, ...fields: Fields])[]

/** Every body is refused with these field errors and no others. */
async function refuseAll(ask: Ask, method: 'POST' | 'PUT', url: string, rows: Rows): Promise<void> {
  for (const [body, ...fields] of rows)
    assertRefused(await ask(method, url, body), { status: 400, code: 'invalid_request', fields })
}

const part = (more: object) => ({ liquidation_type: 'PARTIAL', amount: 100, ...more })
const waiving = (waiver: unknown) => part({ waiver })
const REASON = { reason: 'DEATH' }

const waivers: Rows = [
  [waiving({}), ['waiver.percent', 'required'], ['waiver.reason', 'required']],
  [waiving(REASON), ['waiver.percent', 'required']],
  [waiving({ percent: 50, amount: 1, ...REASON }), ['waiver.amount', 'conflicting_field']],
  [waiving({ percent: 0, ...REASON }), ['waiver.percent', 'not_positive']],
  [waiving({ percent: 100.0001, ...REASON }), ['waiver.percent', 'out_of_range']],
  [waiving({ percent: '50', ...REASON }), ['waiver.percent', 'invalid_type']],
  [waiving({ percent: 50 }), ['waiver.reason', 'required']],
  [waiving({ percent: 50, reason: 'death' }), ['waiver.reason', 'invalid_format']],
  [waiving({ holding_period: false, ...REASON }), ['waiver.holding_period', 'invalid_value']],
  [waiving({ percent: 50, note: 'n'.repeat(201), ...REASON }), ['waiver.note', 'too_long']],
  [part({ expected_net_credited: -1 }), ['expected_net_credited', 'not_positive']],
  [part({ expected_net_credited: 1.001 }), ['expected_net_credited', 'too_precise']],
  [part({ reference: 'r'.repeat(65) }), ['reference', 'too_long']],
  [part({ reason: 'low' }), ['reason', 'invalid_format']],
]

const tax = (classes: object) => ({ ...tenPercent, classes })
const taxRules: Rows = [
  [tax({ EXEMPT: 0 }), ['classes.STANDARD', 'required']],
  [tax({ STANDARD: 101 }), ['classes.STANDARD', 'out_of_range']],
  [tax({ STANDARD: 10, low: 1 }), ['classes.low', 'invalid_format']],
]

const march = (days: number) =>
  Array.from({ length: days }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`)
const calendars: Rows = [
  [{ weekend: [], holidays: ['2026-02-30'] }, ['holidays[0]', 'invalid_format']],
  [{ weekend: [], holidays: ['2026-03-02', '2026-03-01'] }, ['holidays[1]', 'invalid_value']],
  [{ weekend: [], holidays: ['2026-03-02', '2026-03-02'] }, ['holidays[1]', 'invalid_value']],
  [{ weekend: [], holidays: march(31) }, ['holidays', 'invalid_value']],
  [{ weekend: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], holidays: [] }, ['weekend', 'too_many']],
  [{ weekend: ['SAT', 'SAT'], holidays: [] }, ['weekend[1]', 'invalid_value']],
]

const interest = (method: string, every: string | null | undefined) => ({
  ...harbourFix,
  interest: { method, every, recover_paid_interest: true },
})
const products: Rows = [
  [interest('PAYOUT', null), ['interest.every', 'required']],
  [interest('PAYOUT', undefined), ['interest.every', 'required']],
  [interest('PAYOUT', 'DAY'), ['interest.every', 'invalid_value']],
  [interest('UPFRONT', 'MONTH'), ['interest.every', 'invalid_value']],
  [{ ...harbourFix, currency: 'XOF', min_amount: 100.5 }, ['min_amount', 'too_precise']],
  [{ ...harbourFix, max_amount: 1 }, ['max_amount', 'invalid_value']],
  [
    { ...harbourFix, tenor: { unit: 'MONTH', min: 1, max: 1_201, multiple: 1 } },
    ['tenor.max', 'out_of_range'],
  ],
  [{ ...harbourFix, bonuses: { senior: 1 } }, ['bonuses.senior', 'invalid_format']],
  [{ ...harbourFix, bonuses: { SENIOR: 10.1 } }, ['bonuses.SENIOR', 'out_of_range']],
  [{ ...harbourFix, rules: { ...firstRules, day_count: 'ACT' } }, ['rules.day_count', 'invalid_value']],
  [{ ...harbourFix, colour: 'blue' }, ['colour', 'unknown_field']],
]

const [none, thirty, ninety, ...longer] = harbourSheet.rates
const sheets: Rows = [
  [{ ...harbourSheet, rates: [none, thirty, ninety] }, ['rates', 'invalid_value']],
  [{ ...harbourSheet, rates: [none, thirty, [9], ...longer] }, ['rates[2]', 'invalid_value']],
  [{ ...harbourSheet, rates: [[101, 0], thirty, ninety, ...longer] }, ['rates[0][0]', 'out_of_range']],
  [{ ...harbourSheet, tenor_from: [0, 0, 90, 180, 365] }, ['tenor_from[1]', 'invalid_value']],
  [{ ...harbourSheet, tenor_from: [1, 30, 90, 180, 365] }, ['tenor_from[0]', 'invalid_value']],
  [{ ...harbourSheet, amount_from: [1, 10] }, ['amount_from[0]', 'invalid_value']],
]

describeService('bad input', (running) => {
  test('bodies are refused by the path of the member, and nothing is written', async () => {
    const { ask, db } = running()
    const { depositId, customerId } = await openDeposit(ask, { amount: 100_000 })
    const url = `/v2/fixed-deposits/${depositId}`
    const parties = (...list: object[]) => ({ mandate: 'ANY', parties: list })
    const joint = { customer_id: customerId, role: 'JOINT' }
    const eleven = Array.from({ length: 11 }, (_, n) => ({ ...joint, customer_id: `cus_${n}` }))
    const card = [{ kind: 'RERATE', rate: { of: 'CARD_NOW' } }]
    await assertUnchanged(db, async () => {
      await refuseAll(ask, 'POST', `${url}/liquidate`, waivers)
      await refuseAll(ask, 'POST', `${url}/liens`, [
        [{ amount: 0, reason: 'Loan' }, ['amount', 'not_positive']],
        [{ amount: 'all', reason: 'Loan' }, ['amount', 'invalid_type']],
      ])
      await refuseAll(ask, 'PUT', '/v2/tax-rules', taxRules)
      await refuseAll(ask, 'PUT', '/v2/business-calendar', calendars)
      await refuseAll(ask, 'PUT', '/v2/products/FIX', products)
      await refuseAll(ask, 'PUT', '/v2/products/fix', [[harbourFix, ['product_code', 'invalid_format']]])
      await refuseAll(ask, 'POST', '/v2/products/FIX/rate-sheets', sheets)
      await refuseAll(ask, 'PUT', '/v2/liquidation-rules', [
        [
          { ...firstRules, penal_rules: [{ when: {}, terms: card }] },
          ['penal_rules[0].terms[0].rate.of', 'invalid_value'],
        ],
      ])
      await refuseAll(ask, 'PUT', `${url}/parties`, [
        [{ mandate: 'SOME', parties: [] }, ['mandate', 'invalid_value']],
        [parties({ ...joint, role: 'FRIEND' }), ['parties[0].role', 'invalid_value']],
        [parties(joint, { ...joint, role: 'NOMINEE' }), ['parties[1].customer_id', 'invalid_value']],
        [parties(...eleven), ['parties', 'too_many']],
      ])
    })
    for (const member of ['waiver', 'expected_net_credited']) {
      const absent = await ask('POST', `${url}/liquidate`, part({ [member]: null }))
      assert.equal(absent.status, 200, absent.text)
    }
  })

  test('liens: no release without a reason, none of others, none on what was broken', async () => {
    const { ask, db } = running()
    const other = await startService(db)
    const foreign = await openDeposit(other.ask, { amount: 100 })
    const lien = { amount: 1, reason: 'Loan' }
    const placed = await other.ask('POST', `/v2/fixed-deposits/${foreign.depositId}/liens`, lien)
    const url = `/v2/liens/${placed.json.data.lien_id}`
    const unknown = { status: 404, code: 'lien_not_found' }
    assertRefused(await ask('GET', url), unknown)
    assertRefused(await ask('POST', `${url}/release`, { reason: 'Repaid' }), unknown)
    await refuseAll(other.ask, 'POST', `${url}/release`, [[{}, ['reason', 'required']]])
    const { depositId } = await openDeposit(ask, { amount: 100 })
    await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assertRefused(await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, lien), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
  })

  test('whole units: an amount with decimals does not exist', async () => {
    const { ask } = running()
    const { customerId: customer_id } = await fundedAccount(ask, 1)
    const account = await ask('POST', '/v2/accounts', { customer_id, currency: 'XOF' })
    const url = `/v2/accounts/${account.json.data.account_number}/credits`
    assertRefused(await ask('POST', url, { amount: 100.5 }), {
      status: 422,
      code: 'amount_not_whole',
      details: '{"currency":"XOF"}',
    })
  })

  test('openings: what a product does not offer, in the order of the checks', async () => {
    const { ask, db } = running()
    const days = { unit: 'DAY', min: 1, max: 400, multiple: 1 }
    await sell(ask, 'OFFER', {}, harbourSheet)
    await sell(ask, 'LISTED', {
      negotiated_rate: null,
      max_amount: 1_000_000,
      tenor: { ...days, multiple: 30 },
    })
    await sell(ask, 'DAYS', { tenor: days }, harbourSheet)
    await sell(ask, 'FRANCS', { currency: 'XOF' })
    await sell(ask, 'LATER', {}, sheetAt(10, '2026-08-01'))
    const upfront = { method: 'UPFRONT', every: null, recover_paid_interest: false }
    await sell(ask, 'UPFRONT', { interest: upfront, negotiated_rate: { min: 1, max: 100 } })
    await sell(ask, 'SHUT', { status: 'CLOSED' })
    const { accountNumber: account_number } = await fundedAccount(ask, 200_000)
    const offered = (unit: string, minimum: number, maximum: number, multiple: number) =>
      JSON.stringify({ minimum, maximum, unit, multiple })
    const listed = { product_code: 'LISTED', tenor_months: undefined, tenor: 30 }
    const short = { product_code: 'DAYS', tenor_months: undefined, tenor: 29 }
    const rows: [wish: object, refusal: string, details?: string][] = [
      [{ product_code: 'NONE' }, '404 product_not_found'],
      [{ product_code: 'SHUT', amount: 1 }, '409 product_closed'],
      [{ product_code: 'FRANCS', amount: 1 }, '422 currency_mismatch', '{"currency":"XOF"}'],
      [{ start_date: '2026-07-02', amount: 1 }, '422 start_date_in_future', '{"business_date":"2026-07-01"}'],
      [
        { amount: 49_999.99, tenor_months: 37 },
        '422 amount_not_offered',
        '{"minimum":50000.00,"maximum":null}',
      ],
      [
        { ...listed, amount: 1_000_000.01 },
        '422 amount_not_offered',
        '{"minimum":50000.00,"maximum":1000000.00}',
      ],
      [{ tenor_months: 37 }, '422 tenor_not_offered', offered('MONTH', 1, 36, 1)],
      [{ tenor_months: undefined, tenor: 365 }, '422 tenor_not_offered', offered('MONTH', 1, 36, 1)],
      [{ ...listed, tenor: 31 }, '422 tenor_not_offered', offered('DAY', 1, 400, 30)],
      [{ product_code: 'LATER', bonuses: ['LOYAL'] }, '422 no_rate_sheet'],
      [{ product_code: 'LATER', interest_rate: 9 }, '422 no_rate_sheet'],
      [{ ...short, interest_rate: 1 }, '422 tenor_not_offered', offered('DAY', 1, 400, 1)],
      [{ bonuses: ['LOYAL'], amount: 900_000 }, '422 bonus_not_offered', '{"bonus":"LOYAL"}'],
      [{ interest_rate: 7.9999, amount: 900_000 }, '422 rate_out_of_range', '{"minimum":8,"maximum":15}'],
      [{ ...listed, interest_rate: 9, amount: 900_000 }, '422 rate_not_negotiable'],
      [{ product_code: 'UPFRONT', interest_rate: 100, amount: 900_000 }, '422 upfront_interest_too_high'],
      [{ amount: 200_000.01, expected_interest_rate: 1 }, '422 insufficient_funds', '{"balance":200000.00}'],
      [{ expected_interest_rate: 10 }, '409 figures_changed', '{"interest_rate":11}'],
    ]
    const wish = { account_number, amount: 100_000, product_code: 'OFFER', tenor_months: 12 }
    await assertUnchanged(db, async () => {
      for (const [changes, refusal, details = '{}'] of rows) {
        const [status, code = ''] = refusal.split(' ')
        const answer = await ask('POST', '/v2/fixed-deposits', { ...wish, ...changes })
        assertRefused(answer, { status: Number(status), code, details })
      }
    })
  })

  test('batches: parts in order, with lines, and only before the start', async () => {
    const { ask } = running()
    const { batch_id } = (await ask('POST', '/v2/batches', { operation: 'creditAccount' })).json.data
    const url = `/v2/batches/${batch_id}`
    const sent = (number: number, text: string) => ask('POST', `${url}/parts/${number}`, text, LINES)
    assertRefused(await sent(2, '{}'), {
      status: 409,
      code: 'part_missing',
      details: '{"expected_part":1}',
    })
    assert.equal((await sent(1, '')).status, 400)
    assert.equal((await ask('POST', `${url}/parts/1`, { line: 1 })).status, 415)
    assert.equal((await sent(1, '{}')).status, 201)
    assert.equal((await ask('POST', `${url}/start`)).status, 200)
    const started = { status: 409, code: 'batch_not_uploading', details: '{"batch_status":"RUNNING"}' }
    assertRefused(await sent(2, '{}'), started)
    assertRefused(await ask('POST', `${url}/start`), started)
  })

  test('batches: at most a million lines, twenty being filled and three running', async () => {
    const { db } = running()
    const { ask } = await startService(db)
    const create = () => ask('POST', '/v2/batches', { operation: 'creditAccount' })
    const batches: string[] = []
    for (let made = 0; made < 20; made += 1) batches.push((await create()).json.data.batch_id)
    const tooMany = (maximum: number) => ({
      ...{ status: 422, code: 'too_many_batches', details: `{"maximum":${maximum}}` },
    })
    assertRefused(await create(), tooMany(20))
    const [large, ...others] = batches
    await db.query('update batches set lines = 999999 where batch_id = $1', [large])
    const sent = (part: number, text: string) =>
      ask('POST', `/v2/batches/${large}/parts/${part}`, text, LINES)
    const tooLong = { status: 400, code: 'invalid_request', fields: [['lines', 'too_many'] as const] }
    assertRefused(await sent(1, '{}\n{}'), tooLong)
    assert.equal((await sent(1, '{}')).json.data.lines, 1_000_000)
    const again = await sent(1, '{}')
    assert.deepEqual([again.status, again.json.data.lines], [200, 1_000_000])
    assertRefused(await sent(2, '{}'), tooLong)
    await db.query('delete from batch_parts where batch_id = $1', [large])
    await db.query(`update batches set lines = 0, parts = 0, digest = '' where batch_id = $1`, [large])
    const start = (batchId: string) => ask('POST', `/v2/batches/${batchId}/start`)
    for (const batchId of others.slice(0, 3)) assert.equal((await start(batchId)).status, 200)
    assertRefused(await start(others[3]!), tooMany(3))
    assert.equal((await create()).status, 201)
    for (const batchId of others) await ask('POST', `/v2/batches/${batchId}/cancel`)
  })

  test('spans of time: not too long, not backwards, not before a day is closed', async () => {
    const { ask } = running()
    const { depositId, customerId } = await openDeposit(ask, { amount: 100 })
    const refused = async (url: string, field: string, code: string) =>
      assertRefused(await ask('GET', url), { status: 400, code: 'invalid_request', fields: [[field, code]] })
    for (const kind of [
      'deposits',
      'liquidations',
      'ledger-entries',
      'tax',
      'approvals',
      'interest-payments',
    ]) {
      await refused(`/v2/exports/${kind}?from=2026-01-01&to=2026-04-03`, 'to', 'out_of_range')
      await refused(`/v2/exports/${kind}?from=2026-04-03&to=2026-01-01`, 'from', 'invalid_value')
      assert.equal((await ask('GET', `/v2/exports/${kind}?from=2026-01-01&to=2026-04-02`)).status, 200)
    }
    await refused('/v2/reports/accruals?date=2026-07-01', 'date', 'out_of_range')
    const span = 'from=2025-01-01&to=2026-01-02'
    await refused(`/v2/customer/${customerId}/interest-certificate?${span}`, 'to', 'out_of_range')
    await refused(`/v2/reports/cash-flow?${span}`, 'to', 'out_of_range')
    const early = `/v2/fixed-deposits/${depositId}/statement?from=2026-01-01&to=2026-02-01`
    const { data } = (await ask('GET', early)).json
    assert.deepEqual(
      data.lines.filter(({ kind }: { kind: string }) => kind !== 'SUMS' && kind !== 'BROUGHT_FORWARD'),
      [],
    )
  })
})
