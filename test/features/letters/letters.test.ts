/** Desk section 13: certificate, statement and advice, as JSON and as pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { assertRefused, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Answer,
  type Ask,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  replaceRules,
} from '../../support/service.ts'
import { all, anyLife, live, minorOf, total } from '../reports/random-life.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

async function pageOf(app: FastifyInstance, key: string, url: string) {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/html,*/*;q=0.8' }
  return app.inject({ url, headers })
}

/** F3 of the vectors: 100,000 at 10 percent, broken after 60 days with half of the charge waived. */
async function brokenDeposit(ask: Ask) {
  await replaceRules(ask, {
    penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
  })
  const opened = await openDeposit(ask, { amount: 100_000, start_date: '2026-05-02' })
  const broken = await ask('POST', `/v2/fixed-deposits/${opened.depositId}/liquidate`, {
    liquidation_type: 'FULL',
    waiver: { percent: 50, reason: 'DEATH_OF_OWNER' },
  })
  assert.equal(broken.status, 200, broken.text)
  return { ...opened, liquidationId: broken.json.data.liquidation_id as string }
}

const shown = ({ json }: Answer) =>
  json.data.lines.map((line: Record<string, unknown>) => [
    line.date,
    line.kind,
    line.amount,
    line.remaining_principal,
    line.text,
  ])

describeService('letters', (running) => {
  test('a certificate has the terms of the deposit and names its holder', async () => {
    const { ask, app, testKey } = running()
    const { depositId, customerId, accountNumber } = await openDeposit(ask, { amount: 50_000 })
    const path = `/v2/fixed-deposits/${depositId}/certificate`
    const { data } = (await ask('GET', path)).json
    assert.deepEqual(data, {
      bank: 'Test Bank',
      holder: { customer_id: customerId, name: 'Ada Obi', address: ada.address },
      issued_on: '2026-07-01',
      deposit_id: depositId,
      account_number: accountNumber,
      currency: 'NGN',
      status: 'ACTIVE',
      principal: 50_000,
      remaining_principal: 50_000,
      interest_rate: 10,
      tenor: 365,
      start_date: '2026-07-01',
      maturity_date: '2027-07-01',
      expected_interest: 5_000,
      maturity_value: 55_000,
      auto_rollover: false,
      lien_amount: 0,
      product_code: null,
      product_name: null,
      interest_method: 'AT_MATURITY',
      interest_every: null,
      agreed_tenor: { unit: 'DAY', count: 365 },
      maturity_instruction: 'PAY_OUT',
      parties: [],
    })
    const page = await pageOf(app, testKey, path)
    for (const text of ['Certificate of fixed deposit', 'Test Bank', 'Ada Obi', depositId, '₦55,000.00'])
      assert(page.body.includes(text), text)
  })

  test('a statement lists each movement, waivers separately, and its sums agree', async () => {
    const { ask, app, testKey } = running()
    const { depositId } = await brokenDeposit(ask)
    const answer = await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)
    assert.deepEqual(shown(answer), [
      ['2026-07-01', 'DEPOSIT_OPENING', -100_000, 100_000, 'Opened'],
      [
        '2026-07-01',
        'LIQUIDATION',
        101_232.88,
        0,
        'Whole deposit broken: principal 100,000.00 + interest 1,643.84 − charge 410.96',
      ],
      ['2026-07-01', 'WAIVER', 205.48, 0, 'Charge waived'],
      ['2026-07-01', 'SUMS', 1_438.36, 0, 'In this time: interest 1,643.84 − charge 205.48 = 1,438.36'],
    ])
    const { data: posted } = (await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}`)).json
    const entryIds = answer.json.data.lines.map((line: { entry_id: string | null }) => line.entry_id)
    assert.deepEqual(entryIds, [posted[1].entry_id, posted[0].entry_id, posted[0].entry_id, null])
    const page = await pageOf(app, testKey, `/v2/fixed-deposits/${depositId}/statement`)
    assert(page.body.includes(posted[0].entry_id) && page.body.includes('101,232.88'))
  })

  test('a statement shows liens where they were placed and released, and where a rollover took them', async () => {
    const { ask, askWith, liveKey, clock } = running()
    const live = askWith(liveKey)
    const { depositId } = await openDeposit(live, {
      amount: 1_000,
      tenor: 30,
      start_date: '2026-06-02',
      auto_rollover: true,
    })
    const lien = await live('POST', `/v2/fixed-deposits/${depositId}/liens`, {
      amount: 300,
      reason: 'Collateral',
    })
    assert.equal(lien.status, 201, lien.text)
    clock.now = new Date('2026-07-02T10:00:00.000Z')
    await running().service.maturity.settleAll()
    const { rolled_over_to } = (await live('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    await live('POST', `/v2/liens/${lien.json.data.lien_id}/release`, { reason: 'Paid back' })
    const first = await live('GET', `/v2/fixed-deposits/${depositId}/statement`)
    const second = await live('GET', `/v2/fixed-deposits/${rolled_over_to}/statement`)
    clock.now = new Date('2026-07-01T10:00:00.000Z')
    assert.deepEqual(shown(first).slice(0, -1), [
      ['2026-07-01', 'DEPOSIT_OPENING', -1_000, 1_000, 'Opened'],
      ['2026-07-01', 'LIEN_PLACED', 0, 1_000, 'Lien of 300.00 placed: Collateral'],
      [
        '2026-07-02',
        'MATURITY',
        1_008.22,
        0,
        'Maturity, rolled over: principal 1,000.00 + interest 8.22 − charge 0.00',
      ],
    ])
    assert.deepEqual(shown(second).slice(0, -1), [
      ['2026-07-02', 'DEPOSIT_OPENING', -1_008.22, 1_008.22, 'Opened by a rollover'],
      ['2026-07-02', 'LIEN_PLACED', 0, 1_008.22, 'Lien of 300.00 placed: Collateral'],
      ['2026-07-02', 'LIEN_RELEASED', 0, 1_008.22, 'Lien of 300.00 released: Paid back'],
    ])
    assert.equal((await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)).status, 404)
  })

  test('a statement has a range: nothing before the start, the rest brought forward', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 700, start_date: '2026-05-01' })
    const path = `/v2/fixed-deposits/${depositId}/statement`
    const early = await ask('GET', `${path}?from=2020-01-01&to=2020-12-31`)
    assert.deepEqual([early.status, early.json.data.lines], [200, []])
    const whole = await ask('GET', `${path}?from=2020-01-01`)
    assert.deepEqual(
      shown(whole).map(([date, kind]: unknown[]) => [date, kind]),
      [
        ['2026-07-01', 'DEPOSIT_OPENING'],
        ['2026-07-01', 'SUMS'],
      ],
    )
    const later = await ask('GET', `${path}?from=2026-07-02&to=2026-07-31`)
    assert.deepEqual(
      shown(later).map(([date, kind, amount, remaining]: unknown[]) => [date, kind, amount, remaining]),
      [
        ['2026-07-02', 'BROUGHT_FORWARD', -700, 700],
        ['2026-07-31', 'SUMS', -700, 700],
      ],
    )
    for (const [query, ...fields] of [
      ['from=2026-07-02&to=2026-07-01', ['from', 'invalid_value']],
      ['from=2026-02-30', ['from', 'invalid_format']],
      ['to=tomorrow', ['to', 'invalid_format']],
      ['from=2026-07-01&until=2026-07-02', ['until', 'unknown_field']],
    ] as [string, ...[string, string][]][]) {
      assertRefused(await ask('GET', `${path}?${query}`), invalid(...fields))
    }
  })

  test('an advice describes a liquidation in sentences', async () => {
    const { ask, app, testKey } = running()
    const { liquidationId, customerId } = await brokenDeposit(ask)
    const path = `/v2/liquidations/${liquidationId}/advice`
    const { data } = (await ask('GET', path)).json
    const { data: liquidation } = (await ask('GET', `/v2/liquidations/${liquidationId}`)).json
    assert.deepEqual(data.liquidation, liquidation)
    assert.equal(data.holder.customer_id, customerId)
    assert.equal(data.worked_out.at(-1), 'Payout: 100,000.00 + 1,643.84 − 205.48 = ₦101,438.36.')
    const page = await pageOf(app, testKey, path)
    for (const text of ['Advice of early withdrawal', liquidationId, '₦101,438.36', ...data.worked_out])
      assert(page.body.includes(text), text)
    assert.match(page.body, /You have held 60 of 365 days, which is 16 %\./)
    assert.doesNotMatch(page.body, /rule \d|ACT\/365F/)
  })

  test('a reversed liquidation has both sides in the statement, and its advice says so', async () => {
    const { ask, app, testKey } = running()
    const { depositId, liquidationId } = await brokenDeposit(ask)
    const reversed = await ask('POST', `/v2/liquidations/${liquidationId}/reverse`, { reason: 'Mistake' })
    assert.equal(reversed.status, 200, reversed.text)
    const answer = await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)
    assert.deepEqual(
      shown(answer).map(([, kind, amount, remaining]: unknown[]) => [kind, amount, remaining]),
      [
        ['DEPOSIT_OPENING', -100_000, 100_000],
        ['LIQUIDATION', 101_232.88, 0],
        ['WAIVER', 205.48, 0],
        ['REVERSAL', -101_438.36, 100_000],
        ['SUMS', -100_000, 100_000],
      ],
    )
    const path = `/v2/liquidations/${liquidationId}/advice`
    assert.equal((await ask('GET', path)).json.data.liquidation.reversed_at, '2026-07-01T10:00:00.000Z')
    assert((await pageOf(app, testKey, path)).body.includes('This withdrawal was taken back on 1 Jul 2026'))
  })

  test('pages are one file without script, and escape all input', async () => {
    const { ask, app, testKey } = running()
    const hostile = `<script>alert(1)</script> & "x" 'y'`
    const { customer_id } = (
      await ask('POST', '/v2/customer', { ...ada, last_name: hostile, address: `${hostile}\n<img src=x>` })
    ).json.data
    const { accountNumber } = await fundedAccount(ask, 1)
    const account = await ask('POST', '/v2/accounts', { customer_id, currency: 'EUR' })
    assert.equal(account.status, 201, accountNumber)
    const { account_number } = account.json.data
    await ask('POST', `/v2/accounts/${account_number}/credits`, { amount: 100 })
    const opened = await ask('POST', '/v2/fixed-deposits', {
      account_number,
      amount: 100,
      tenor: 30,
      interest_rate: 5,
    })
    const { deposit_id } = opened.json.data
    await ask('POST', `/v2/fixed-deposits/${deposit_id}/liens`, { amount: 1, reason: hostile })
    const part = { liquidation_type: 'PARTIAL', amount: 10 }
    const broken = await ask('POST', `/v2/fixed-deposits/${deposit_id}/liquidate`, part)
    const pages = [
      `/v2/fixed-deposits/${deposit_id}/certificate`,
      `/v2/fixed-deposits/${deposit_id}/statement`,
      `/v2/liquidations/${broken.json.data.liquidation_id}/advice`,
    ]
    for (const path of pages) {
      const page = await pageOf(app, testKey, path)
      assert.equal(page.statusCode, 200)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(page.headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'")
      assert.equal(page.headers['x-content-type-options'], 'nosniff')
      assert.equal(page.headers['cache-control'], 'no-store')
      assert(page.body.startsWith('<!doctype html>'))
      assert(page.body.includes('&#60;script&#62;'), path)
      assert(!/<script|<img|javascript:|\son\w+=|https?:/i.test(page.body), path)
    }
    const page = await pageOf(app, testKey, pages[0]!)
    assert(page.body.includes('€90.00'), 'amounts are in the currency of the deposit')
    const failed = await pageOf(app, testKey, '/v2/fixed-deposits/fd_nothing/certificate')
    assert.equal(failed.statusCode, 404)
    assert.equal(failed.json().error.code, 'deposit_not_found')
  })

  test('letters need the scope to read deposits', async () => {
    const { ask, askWith } = running()
    const { depositId, liquidationId } = await brokenDeposit(ask)
    const { key } = (await ask('POST', '/v2/api-keys', { scopes: ['customers:read'] })).json.data
    for (const path of [
      `/v2/fixed-deposits/${depositId}/certificate`,
      `/v2/fixed-deposits/${depositId}/statement`,
      `/v2/liquidations/${liquidationId}/advice`,
    ]) {
      const details = '{"required_scope":"fixed_deposits:read"}'
      assertRefused(await askWith(key)('GET', path), { status: 403, code: 'insufficient_scope', details })
    }
  })

  test('the last line of a statement is the sum of the ledger, for random histories', async () => {
    const { ask } = running()
    await fc.assert(
      fc.asyncProperty(anyLife, async (steps) => {
        for (const depositId of await live(ask, steps)) {
          const { lines } = (await ask('GET', `/v2/fixed-deposits/${depositId}/statement`)).json.data
          const deposit = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
          const entries = await all(ask, `/v2/ledger-entries?deposit_id=${depositId}`)
          const posted = entries.flatMap((entry) => entry.lines)
          const of = (...accounts: string[]) =>
            total(posted.filter(({ account }) => accounts.includes(account)).map(({ amount }) => amount))
          const [last, ...above] = lines.toReversed()
          assert.equal(last.kind, 'SUMS')
          assert.equal(minorOf(last.amount), total(above.map((line: { amount: number }) => line.amount)))
          assert.equal(minorOf(last.amount), of(deposit.account_number, 'rollover_clearing'))
          assert.equal(last.remaining_principal, deposit.remaining_principal)
          assert.equal(minorOf(last.remaining_principal), of(depositId))
          assert.equal(
            minorOf(last.amount) + minorOf(last.remaining_principal),
            -of('interest_expense') - of('penal_income', 'penal_waived', 'tax_payable'),
          )
          assert.deepEqual(
            [...new Set(above.map((line: { entry_id: string | null }) => line.entry_id))]
              .filter((entryId) => entryId !== null)
              .sort(),
            entries.map((entry) => entry.entry_id).sort(),
          )
        }
      }),
      { numRuns: 4 },
    )
  })
})
