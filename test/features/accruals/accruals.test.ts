/** Interest at the close of each business date: what the accounts hold, what each entry moves, and every past day again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeDays } from '../../../src/features/accruals/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import {
  type Ask,
  describeService,
  firstRules,
  fundedAccount,
  openDeposit,
  replaceRules,
  type TestService,
} from '../../support/service.ts'

const PAY_OUT = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
const DAYS = { unit: 'DAY', min: 1, max: 365, multiple: 1 }
const MONTHLY = { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true }
const UPFRONT = { method: 'UPFRONT', every: null, recover_paid_interest: false }

async function product(ask: Ask, code: string, changes: object): Promise<void> {
  const body = { ...harbourFix, bonuses: {}, maturity: PAY_OUT, ...changes }
  const put = await ask('PUT', `/v2/products/${code}`, body)
  assert.equal(put.status, 200, put.text)
  await ask('POST', `/v2/products/${code}/rate-sheets`, harbourSheet)
}

async function open(ask: Ask, amount: number, terms: object): Promise<string> {
  const { accountNumber } = await fundedAccount(ask, amount)
  const opened = await ask('POST', '/v2/fixed-deposits', { account_number: accountNumber, amount, ...terms })
  assert.equal(opened.status, 201, opened.text)
  return opened.json.data.deposit_id
}

const bookOf = async ({ service, callerId }: TestService) =>
  (await findBook(service.db, { callerId, mode: 'test' }))!

/** Everything that is due on a day, and the close of those before it, by two instances at the same time. */
async function morning(running: TestService, date: string): Promise<void> {
  running.clock.now = new Date(`${date}T10:00:00.000Z`)
  await running.service.maturity.settleAll()
  const book = await bookOf(running)
  await Promise.all([closeDays(running.service, book), closeDays(running.service, book)])
}

async function report({ app, testKey }: TestService, date: string): Promise<Record<string, any>[]> {
  const answer = await app.inject({
    url: `/v2/reports/accruals?date=${date}`,
    headers: { authorization: `Bearer ${testKey}` },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const lines = answer.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.pop(), { rows: lines.length })
  return lines
}

const cents = (value: number) => Math.round(value * 100)
function sums(lines: readonly Record<string, any>[]): [number, number] {
  const of = (name: string) => lines.reduce((sum, line) => sum + cents(line[name]), 0) / 100
  return [of('interest_payable'), of('prepaid_interest')]
}

/** What the accounts of the bank hold by entries dated up to a day. */
async function held({ service }: TestService, date: string): Promise<[number, number]> {
  const rows = await service.db.query<{ account: string; sum: string }>(
    `select line.account, sum(line.amount)::text as sum
     from ledger_entries, unnest(accounts, amounts_minor) as line(account, amount)
     where kind = 'ACCRUAL' and business_date <= $1
     group by line.account`,
    [date],
  )
  const of = (name: string) => Number(rows.find(({ account }) => account === name)?.sum ?? 0) / 100
  return [of('interest_payable'), 0 - of('prepaid_interest')]
}

async function assertInOrder(running: TestService): Promise<void> {
  const { db, versions } = running.service
  assert.equal((await verify([await bookOf(running)], { db, versions })).difference, null)
}

describeService(
  'accruals',
  (running) => {
    test('I1–I7, I17: every close moves the accounts to what was earned and not paid, and paid and not earned', async () => {
      const { ask } = running()
      const quarter = { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }
      await replaceRules(ask, { penal_rules: [{ when: {}, terms: [quarter] }] })
      const rate = { of: 'CONTRACT', add: -4 }
      const less = { ...firstRules, penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate }] }] }
      await product(ask, 'X', { interest: MONTHLY, rules: less })
      await product(ask, 'Y', { interest: UPFRONT, tenor: DAYS })
      const put = await ask('PUT', '/v2/accounting', {
        accruals: 'DAILY',
        gl_codes: { interest_payable: '2150', deposits: '2110' },
      })
      assert.equal(put.status, 200, put.text)
      const [written] = (await ask('GET', '/v2/events?type=accounting.updated')).json.data
      assert.deepEqual(written.data, put.json.data)
      const { depositId: z } = await openDeposit(ask, { amount: 100_000, tenor: 365, interest_rate: 10 })
      await morning(running(), '2026-01-15')
      await open(ask, 600_000, { product_code: 'X', tenor_months: 12, interest_rate: 12 })
      await morning(running(), '2026-02-01')
      await open(ask, 500_000, { product_code: 'Y', tenor: 180, interest_rate: 10 })
      for (const day of ['2026-02-15', '2026-03-02']) await morning(running(), day)
      const part = { liquidation_type: 'PARTIAL', amount: 40_000 }
      const broken = await ask('POST', `/v2/fixed-deposits/${z}/liquidate`, part)
      assert.deepEqual([broken.json.data.interest_paid, broken.json.data.penal_charge], [657.53, 164.38])
      await morning(running(), '2026-03-05')
      const targets: [string, [number, number]][] = [
        ['2026-01-31', [4202.74, 0]],
        ['2026-02-01', [4427.39, 24_520.54]],
        ['2026-02-14', [7347.95, 22_739.72]],
        ['2026-02-15', [1457.53, 22_602.74]],
        ['2026-03-01', [4602.74, 20_684.93]],
        ['2026-03-02', [4158.9, 20_547.94]],
        ['2026-03-03', [4372.6, 20_410.96]],
      ]
      for (const [day, expected] of targets) {
        assert.deepEqual(await held(running(), day), expected, day)
        assert.deepEqual(sums(await report(running(), day)), expected, day)
      }
      await assertInOrder(running())

      const url = `/v2/liquidations/${broken.json.data.liquidation_id}/reverse`
      assert.equal((await ask('POST', url, { reason: 'MISTAKE' })).status, 200)
      await morning(running(), '2026-03-10')
      const ofZ = async (day: string) =>
        (await report(running(), day)).find(({ deposit_id }) => deposit_id === z)!.interest_payable
      assert.deepEqual([await ofZ('2026-03-02'), await ofZ('2026-03-05')], [1002.74, 1753.42])
      assert.deepEqual(await held(running(), '2026-03-02'), [4158.9, 20_547.94])
      await assertInOrder(running())
      const events = (await ask('GET', '/v2/events?type=accrual.posted&limit=1')).json.data
      assert.deepEqual([events[0].data.date, events[0].data.currency], ['2026-03-09', 'NGN'])
      assert.deepEqual(events[0].actor, { kind: 'JOB', id: 'accruals', name: null })
      const { body } = await running().app.inject({
        url: '/v2/exports/ledger-entries?from=2026-03-02&to=2026-03-02',
        headers: { authorization: `Bearer ${running().testKey}` },
      })
      const exported = body
        .trim()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      const kinds = exported.map(({ kind, business_date }) => [kind, business_date])
      assert.deepEqual(kinds, [
        ['LIQUIDATION', '2026-03-02'],
        ['ACCRUAL', '2026-03-02'],
      ])
      const codes = new Map(
        exported[0].lines.map(({ account, gl_code }: Record<string, unknown>) => [account, gl_code]),
      )
      assert.deepEqual([codes.get(z), codes.get(broken.json.data.credited_account)], ['2110', null])
      const lines = exported[1].lines.map(({ account, amount, gl_code }: Record<string, unknown>) => [
        ...[account, amount, gl_code],
      ])
      assert.deepEqual(lines, [
        ['interest_payable', -443.84, '2150'],
        ['prepaid_interest', 136.99, null],
        ['interest_expense', 306.85, null],
      ])
      const [listed] = (await ask('GET', '/v2/ledger-entries?limit=1')).json.data
      assert.deepEqual([listed.kind, listed.business_date], ['ACCRUAL', '2026-03-09'])
      const refused = await ask('GET', '/v2/reports/accruals?date=2026-03-10')
      assert.deepEqual([refused.status, refused.json.error.fields[0].code], [400, 'out_of_range'])
    })

    test('a missed run is caught up for 31 days, months are closed at their end, and off takes all back', async () => {
      const { ask, db } = running()
      const days = async () =>
        (
          await db.query<{ business_date: string }>(
            `select business_date from accruals where business_date > '2026-03-09' order by 1`,
          )
        ).map((row) => row.business_date)
      await ask('PUT', '/v2/accounting', { accruals: 'MONTHLY', gl_codes: {} })
      await morning(running(), '2026-05-02')
      assert.deepEqual(await days(), ['2026-04-30'])
      await ask('PUT', '/v2/accounting', { accruals: 'DAILY', gl_codes: {} })
      await morning(running(), '2026-06-20')
      assert.deepEqual([(await days()).length, (await days())[1]], [32, '2026-05-20'])
      assert.deepEqual(await held(running(), '2026-06-19'), sums(await report(running(), '2026-06-19')))
      await ask('PUT', '/v2/accounting', { accruals: 'OFF', gl_codes: {} })
      await morning(running(), '2026-06-25')
      assert.deepEqual(await held(running(), '2026-06-24'), [0, 0])
      assert.equal((await days()).at(-1), '2026-06-20')
      assert.notDeepEqual(sums(await report(running(), '2026-06-24')), [0, 0])
      await assertInOrder(running())
    })

    test('bad documents', async () => {
      const { ask } = running()
      const codeOf = async (body: object) => {
        const { status, json } = await ask('PUT', '/v2/accounting', body)
        return [status, json.error.fields[0].field, json.error.fields[0].code]
      }
      const gl_codes = {}
      assert.deepEqual(await codeOf({ accruals: 'WEEKLY', gl_codes }), [400, 'accruals', 'invalid_value'])
      assert.deepEqual(await codeOf({ accruals: 'OFF' }), [400, 'gl_codes', 'required'])
      const wrong = { accruals: 'OFF', gl_codes: { petty_cash: '1' } }
      assert.deepEqual(await codeOf(wrong), [400, 'gl_codes.petty_cash', 'unknown_field'])
      const long = { accruals: 'OFF', gl_codes: { cash: 'x'.repeat(33) } }
      assert.deepEqual(await codeOf(long), [400, 'gl_codes.cash', 'too_long'])
    })
  },
  { now: '2026-01-01T10:00:00.000Z' },
)

describeService(
  'accruals of one deposit',
  (running) => {
    test('I10: it stands still at its maturity under a lien, and leaves when it is paid out', async () => {
      const { ask } = running()
      const { depositId } = await openDeposit(ask, { amount: 100_000, tenor: 365, interest_rate: 10 })
      const lien = await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount: 1, reason: 'Fees' })
      await morning(running(), '2027-01-11')
      assert.deepEqual(sums(await report(running(), '2026-12-31')), [10_000, 0])
      assert.deepEqual(sums(await report(running(), '2027-01-10')), [10_000, 0])
      await ask('POST', `/v2/liens/${lien.json.data.lien_id}/release`, { reason: 'Paid' })
      await morning(running(), '2027-01-12')
      await morning(running(), '2027-01-13')
      assert.deepEqual(sums(await report(running(), '2027-01-11')), [10_000, 0])
      assert.deepEqual(sums(await report(running(), '2027-01-12')), [0, 0])
    })

    test('what happens at the first instant of a day does not count for the day before', async () => {
      const { ask, clock } = running()
      await morning(running(), '2027-02-01')
      assert.equal((await ask('PUT', '/v2/accounting', { accruals: 'DAILY', gl_codes: {} })).status, 200)
      const { depositId } = await openDeposit(ask, { amount: 100_000, tenor: 365, interest_rate: 10 })
      // Midnight in Lagos.
      clock.now = new Date('2027-02-28T23:00:00.000Z')
      const whole = { liquidation_type: 'FULL' }
      const { status } = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, whole)
      assert.equal(status, 200)
      await morning(running(), '2027-03-02')
      for (const [day, expected] of [['2027-02-28', [767.12, 0]] as const, ['2027-03-01', [0, 0]] as const]) {
        assert.deepEqual(sums(await report(running(), day)), expected)
        assert.deepEqual(await held(running(), day), expected)
      }
    })

    test('a day is closed as accruals were at its end, whatever they are when it is closed', async () => {
      const { ask, clock, db } = running()
      await openDeposit(ask, { amount: 100_000, tenor: 365, interest_rate: 10 })
      clock.now = new Date('2027-03-05T10:00:00.000Z')
      assert.equal((await ask('PUT', '/v2/accounting', { accruals: 'MONTHLY', gl_codes: {} })).status, 200)
      await morning(running(), '2027-03-10')
      const days = await db.query<{ business_date: string }>(
        `select business_date from accruals where business_date > '2027-03-01' order by 1`,
      )
      assert.deepEqual(
        days.map((row) => row.business_date),
        ['2027-03-02', '2027-03-03', '2027-03-04'],
      )
    })
  },
  { now: '2026-01-01T10:00:00.000Z' },
)
