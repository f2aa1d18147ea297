/** Reversing liquidations of deposits whose interest was paid before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openByProduct, sell, sheetAt } from '../../support/products.ts'
import { assertRefused, assertRefusedWithoutTrace } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  firstRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

const FULL = { liquidation_type: 'FULL' }
const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
const FOUR_LESS = {
  ...firstRules,
  penal_rules: [{ when: {}, terms: [{ kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } }] }],
}
const HALF = {
  ...firstRules,
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 }] }],
}
const X = { amount: 600_000, tenor_months: 12, start_date: '2026-01-15' }

const read = async (ask: Ask, path: string) => (await ask('GET', path)).json.data
const depositOf = (ask: Ask, depositId: string) => read(ask, `/v2/fixed-deposits/${depositId}`)
const balanceOf = async (ask: Ask, account: string) => (await read(ask, `/v2/accounts/${account}`)).balance
const breaking = async (ask: Ask, depositId: string, body: object): Promise<string> => {
  const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.liquidation_id
}
const reverse = (ask: Ask, liquidationId: string) =>
  ask('POST', `/v2/liquidations/${liquidationId}/reverse`, { reason: 'Wrong deposit' })

/** What a reversal does not bring back: when the deposit changed. */
const lasting = ({ updated_at, ...deposit }: { updated_at: string }) => deposit

describeService('reversal of paid interest', (running) => {
  const start = (now = '2026-06-25') => startService(running().db, { now: `${now}T10:00:00.000Z` })

  test('parts with all adjustments are taken back, newest first, and the deposit is as before', async () => {
    const { ask } = await start()
    await replaceTaxRules(ask, { on_recovery: 'RETURN' })
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    const before = [await depositOf(ask, depositId), await balanceOf(ask, accountNumber)]
    const first = await breaking(ask, depositId, part(1_000.01))
    const between = [await depositOf(ask, depositId), await balanceOf(ask, accountNumber)]
    const second = await breaking(ask, depositId, part(333_333.33))
    const third = await breaking(ask, depositId, FULL)
    for (const older of [first, second]) {
      assertRefused(await reverse(ask, older), { status: 409, code: 'not_latest_movement' })
    }
    assert.equal((await reverse(ask, third)).status, 200)
    assert.equal((await reverse(ask, second)).status, 200)
    const again = [await depositOf(ask, depositId), await balanceOf(ask, accountNumber)]
    assert.deepEqual([lasting(again[0]), again[1]], [lasting(between[0]), between[1]])
    assert.equal((await reverse(ask, first)).status, 200)
    const after = [await depositOf(ask, depositId), await balanceOf(ask, accountNumber)]
    assert.deepEqual([lasting(after[0]), after[1]], [lasting(before[0]), before[1]])
    assertRefused(await reverse(ask, first), { status: 409, code: 'liquidation_already_reversed' })
    // All together are again what one withdrawal pays.
    const full = await breaking(ask, depositId, FULL)
    assert.equal((await read(ask, `/v2/liquidations/${full}`)).net_credited, 592_247.66)
    const entries = await read(ask, `/v2/ledger-entries?deposit_id=${depositId}&limit=100`)
    const kinds = Map.groupBy(entries, ({ kind }: { kind: string }) => kind)
    assert.deepEqual(
      ['LIQUIDATION', 'INTEREST_RECOVERY', 'TAX_RETURN', 'REVERSAL'].map((kind) => kinds.get(kind)!.length),
      [4, 4, 4, 9],
    )
  })

  test('a FULL that is reversed after a payment day makes the missed payments, taxed as of today', async () => {
    const { ask, clock } = await start()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    const before = await balanceOf(ask, accountNumber)
    const full = await breaking(ask, depositId, FULL)
    clock.now = new Date('2026-07-20T10:00:00.000Z')
    await replaceTaxRules(ask, { effective_from: '2026-07-20' })
    const reversed = await reverse(ask, full)
    assert.equal(reversed.status, 200, reversed.text)
    const { deposit } = reversed.json.data
    assert.deepEqual(
      [deposit.status, deposit.interest_paid_to, deposit.next_interest_date, deposit.interest_paid_out],
      ['ACTIVE', '2026-07-15', '2026-08-15', 35_704.12],
    )
    const [missed] = await read(ask, `/v2/fixed-deposits/${depositId}/interest-payments?limit=1`)
    assert.deepEqual(
      [missed.to, missed.interest, missed.tax, missed.business_date],
      ['2026-07-15', 5_917.81, 591.78, '2026-07-20'],
    )
    assert.equal((await balanceOf(ask, accountNumber)).toFixed(2), (before + 5_326.03).toFixed(2))
    const types = (await read(ask, '/v2/events?limit=2')).map(({ type }: { type: string }) => type)
    assert.deepEqual(types.toSorted(), ['fixed_deposit.interest_paid', 'fixed_deposit.liquidation_reversed'])
  })

  test('after a payment on the rest, made or due, a PARTIAL stays', async () => {
    const { ask, clock, service } = await start()
    const { db } = running()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId } = await openByProduct(ask, 'MONTHLY', X)
    const partial = await breaking(ask, depositId, part(250_000))
    const stays = { status: 409, code: 'not_latest_movement' }
    clock.now = new Date('2026-07-15T10:00:00.000Z')
    await assertRefusedWithoutTrace(db, () => reverse(ask, partial), stays)
    await service.maturity.settleAll()
    await assertRefusedWithoutTrace(db, () => reverse(ask, partial), stays)
  })

  test('payments that a liquidation had to make first are not undone', async () => {
    const { ask, clock } = await start('2026-01-15')
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    const full = await breaking(ask, depositId, FULL)
    assert.equal((await reverse(ask, full)).status, 200)
    assert.equal(await balanceOf(ask, accountNumber), 29_786.31)
    const paid = await read(ask, `/v2/fixed-deposits/${depositId}/interest-payments`)
    assert.equal(paid.length, 5)
    assert.equal((await depositOf(ask, depositId)).interest_paid_out, 29_786.31)
  })

  test('upfront interest that went back is paid again, and a passed maturity is settled by the job', async () => {
    const { ask, clock, service } = await start('2026-03-18')
    const product = {
      interest: { method: 'UPFRONT', every: null, recover_paid_interest: true },
      tenor: { unit: 'DAY', min: 1, max: 400, multiple: 1 },
      maturity: { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null },
      rules: HALF,
    }
    await sell(ask, 'FIRST', product, sheetAt(10))
    const wish = { amount: 500_000, tenor: 50, start_date: '2026-02-01' }
    const { depositId, accountNumber } = await openByProduct(ask, 'FIRST', wish)
    const before = await balanceOf(ask, accountNumber)
    const full = await breaking(ask, depositId, FULL)
    clock.now = new Date('2026-03-25T10:00:00.000Z')
    assert.equal((await reverse(ask, full)).status, 200)
    assert.equal(await balanceOf(ask, accountNumber), before)
    await service.maturity.settleAll()
    assert.equal((await depositOf(ask, depositId)).status, 'MATURED')
    assert.equal(await balanceOf(ask, accountNumber), before + 500_000)
  })

  test('it needs the net amount in the account, and happens within 30 days', async () => {
    const { ask, clock } = await start()
    const { db } = running()
    await sell(ask, 'MONTHLY', { rules: FOUR_LESS })
    const { depositId, accountNumber } = await openByProduct(ask, 'MONTHLY', X)
    const full = await breaking(ask, depositId, FULL)
    const spent = { account_number: accountNumber, amount: 50_000, tenor: 30, interest_rate: 1 }
    assert.equal((await ask('POST', '/v2/fixed-deposits', spent)).status, 201)
    await assertRefusedWithoutTrace(db, () => reverse(ask, full), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":571172.60,"needed":591386.29}',
    })
    clock.now = new Date('2026-07-26T10:00:00.000Z')
    await assertRefusedWithoutTrace(db, () => reverse(ask, full), {
      status: 422,
      code: 'reversal_window_closed',
    })
  })
})
