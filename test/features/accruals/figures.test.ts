/** What the accounts of accrued interest hold, one deposit to a book: figures of an independent evaluator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeDays } from '../../../src/features/accruals/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { openByProduct, sell, sheetAt } from '../../support/products.ts'
import {
  type Ask,
  describeService,
  openDeposit,
  startService,
  type TestService,
} from '../../support/service.ts'

const PAY_OUT = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
const method = (name: string, every: string) => ({
  interest: { method: name, every, recover_paid_interest: false },
  maturity: PAY_OUT,
})

async function morning({ service, callerId, clock }: TestService, day: string): Promise<void> {
  clock.now = new Date(`${day}T10:00:00.000Z`)
  await service.maturity.settleAll()
  await closeDays(service, (await findBook(service.db, { callerId, mode: 'test' }))!)
}

/** Date, balances and moves of each accrual entry, oldest first. */
async function posted(ask: Ask): Promise<[string, ...number[]][]> {
  const entries = (await ask('GET', '/v2/ledger-entries?limit=100')).json.data
  const events = (await ask('GET', '/v2/events?type=accrual.posted&limit=100')).json.data
  return events.toReversed().map(({ data }: any) => {
    const entry = entries.find(({ entry_id }: any) => entry_id === data.entry_id)
    const moved = entry.lines.map(({ account, amount }: any) => `${account} ${amount}`).join(' ')
    assert.equal(entry.business_date, data.date)
    return [data.date, data.interest_payable, data.prepaid_interest, moved]
  })
}

describeService('figures of accruals', (running) => {
  const start = async (day: string, accruals = 'DAILY') => {
    const started = await startService(running().db, { now: `${day}T10:00:00.000Z` })
    const put = await started.ask('PUT', '/v2/accounting', { accruals, gl_codes: {} })
    assert.equal(put.status, 200, put.text)
    return started
  }
  const last = async (started: TestService, day: string) => {
    await morning(started, day)
    return (await posted(started.ask)).at(-1)
  }

  test('I8, I9: the interest of a deposit leaves the account on the day it is paid out', async () => {
    const started = await start('2026-01-01')
    await openDeposit(started.ask, { amount: 100_000, tenor: 365, interest_rate: 10 })
    assert.deepEqual((await last(started, '2027-01-01'))?.slice(0, 3), ['2026-12-31', 10_000, 0])
    assert.deepEqual(await last(started, '2027-01-02'), [
      ...['2027-01-01', 0, 0],
      'interest_payable -10000 interest_expense 10000',
    ])
  })

  test('I11, I12: whole units are accrued before a payment and after it', async () => {
    const started = await start('2026-01-15')
    await sell(started.ask, 'M', { ...method('PAYOUT', 'MONTH'), currency: 'XOF' }, sheetAt(6.25))
    await openByProduct(started.ask, 'M', { amount: 1_000_000, tenor_months: 6 })
    assert.deepEqual((await last(started, '2026-02-15'))?.slice(0, 3), ['2026-02-14', 5_308, 0])
    assert.deepEqual((await last(started, '2026-02-16'))?.slice(0, 3), ['2026-02-15', 171, 0])
  })

  test('I13, I14: after a quarter the grown sum earns', async () => {
    const started = await start('2026-03-31')
    await sell(started.ask, 'C', method('COMPOUND', 'QUARTER'), sheetAt(9))
    await openByProduct(started.ask, 'C', { amount: 250_000, tenor_months: 12 })
    assert.deepEqual((await last(started, '2026-06-30'))?.slice(0, 3), ['2026-06-29', 5_609.59, 0])
    assert.deepEqual((await last(started, '2026-07-01'))?.slice(0, 3), ['2026-06-30', 5_672.62, 0])
  })

  test('I15, I16: month ends alone are posted', async () => {
    const started = await start('2026-01-10', 'MONTHLY')
    await openDeposit(started.ask, { amount: 365_000, tenor: 365, interest_rate: 10 })
    await morning(started, '2026-02-01')
    await morning(started, '2026-03-01')
    assert.deepEqual(await posted(started.ask), [
      ['2026-01-31', 2_200, 0, 'interest_payable 2200 interest_expense -2200'],
      ['2026-02-28', 5_000, 0, 'interest_payable 2800 interest_expense -2800'],
    ])
  })
})
