/** Reports and exports of deposits whose interest is paid before maturity. */
import assert from 'node:assert/strict'
import { audit } from '../../support/auditor.ts'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { type Ask, firstRules, fundedAccount, replaceTaxRules, startService } from '../../support/service.ts'
import { all, minorOf, total } from './random-life.ts'

async function sell(ask: Ask, product_code: string, interest: object): Promise<void> {
  const terms = [{ kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } }]
  const rules = { ...firstRules, penal_rules: [{ when: {}, terms }] }
  const tenor = { unit: 'DAY', min: 1, max: 400, multiple: 1 }
  const maturity = { on_holiday: 'SAME_DAY', instruction: 'PAY_OUT', rollover_limit: null }
  await ask('PUT', `/v2/products/${product_code}`, { ...harbourFix, tenor, interest, rules, maturity })
  const sheet = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }
  assert.equal((await ask('POST', `/v2/products/${product_code}/rate-sheets`, sheet)).status, 201)
}

type Row = Record<string, number | string | null>

forEachEngine(({ test }) => {
  test('payments, interest taken back and tax returned are rows whose sum is the movement of tax_payable', async (db) => {
    const { ask, app, testKey, clock, service } = await startService(db)
    const rowsOf = async (name: string): Promise<Row[]> => {
      const url = `/v2/exports/${name}?from=2026-06-01&to=2026-07-31`
      const { body } = await app.inject({ url, headers: { authorization: `Bearer ${testKey}` } })
      const lines = body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      assert.deepEqual(lines.pop(), { rows: lines.length })
      return lines
    }
    const figures = (rows: Row[]) => rows.map(({ interest, charge, tax }) => [interest, charge, tax])
    const taxPayable = async () => {
      const entries = await all(ask, '/v2/ledger-entries')
      const lines = entries.flatMap((entry) => entry.lines)
      return total(lines.filter(({ account }) => account === 'tax_payable').map(({ amount }) => amount))
    }
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    await replaceTaxRules(ask, { base: 'NET', on_recovery: 'RETURN' })
    await sell(ask, 'PAYOUT', { method: 'PAYOUT', every: 'MONTH', recover_paid_interest: true })
    await sell(ask, 'UPFRONT', { method: 'UPFRONT', every: null, recover_paid_interest: true })
    const { accountNumber: account_number } = await fundedAccount(ask, 2_000_000)
    const open = async (body: object): Promise<string> => {
      const answer = await ask('POST', '/v2/fixed-deposits', { account_number, ...body })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.data.deposit_id
    }
    const breakWhole = async (depositId: string): Promise<string> => {
      const body = { liquidation_type: 'FULL' }
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data.liquidation_id
    }
    const x = { amount: 600_000, tenor: 365, start_date: '2026-01-15', product_code: 'PAYOUT' }
    const byPayout = await open(x)
    const liquidationId = await breakWhole(byPayout)
    // G10: five payments with their tax, and what went back with its tax.
    const paid = [6_115.07, 5_523.29, 6_115.07, 5_917.81, 6_115.07]
    const taxes = [611.51, 552.33, 611.51, 591.78, 611.51]
    assert.deepEqual(figures(await rowsOf('tax')), [
      ...paid.map((interest, index) => [interest, 0, taxes[index]]),
      [1_972.6, 1_972.6, 0],
      [-8_613.71, 0, -861.37],
    ])
    const listed = await all(ask, `/v2/fixed-deposits/${byPayout}/interest-payments`)
    const named = {
      deposit_id: byPayout,
      product_code: 'PAYOUT',
      credited_account: account_number,
      currency: 'NGN',
    }
    assert.deepEqual(
      await rowsOf('interest-payments'),
      listed.toReversed().map((payment) => ({ ...named, ...payment })),
    )

    // G13 with other figures: the day after the start nearly all of the upfront interest goes back.
    const y = { amount: 500_000, tenor: 180, start_date: '2026-06-24', product_code: 'UPFRONT' }
    await breakWhole(await open(y))
    const rows = await rowsOf('tax')
    assert.deepEqual(figures(rows.slice(7)), [
      [29_589.04, 0, 2_958.9],
      [0, 0, 0],
      [-29_479.45, 0, -2_947.94],
    ])
    const { data: report } = (await ask('GET', '/v2/reports/tax?from=2026-06-01&to=2026-07-31')).json
    assert.equal(total(rows.map((row) => row.tax as number)), await taxPayable())
    assert.equal(minorOf(report.groups[0].tax), await taxPayable())

    // A reversal takes each of them back; what matures is taxed by the entry of its maturity alone.
    const reversed = await ask('POST', `/v2/liquidations/${liquidationId}/reverse`, { reason: 'Mistake' })
    assert.equal(reversed.status, 200, reversed.text)
    assert.deepEqual(figures((await rowsOf('tax')).slice(10)), [
      [-1_972.6, -1_972.6, 0],
      [8_613.71, 0, 861.37],
    ])
    await open({ ...x, tenor: 167, amount: 100_000 })
    clock.now = new Date('2026-07-01T10:00:00.000Z')
    await service.maturity.settleAll()
    const last = (await rowsOf('tax')).at(-1)!
    assert.deepEqual([last.interest, last.charge, last.tax, last.liquidation_id], [526.03, 0, 52.6, null])
    assert.equal(total((await rowsOf('tax')).map((row) => row.tax as number)), await taxPayable())
    await audit(db)

    const byProduct = await ask(
      'GET',
      '/v2/reports/liquidations?from=2026-06-01&to=2026-07-31&group_by=product',
    )
    assert.deepEqual(
      byProduct.json.data.groups.map((group: Row) => [
        group.product,
        ...[group.full, group.charge, group.recovered, group.tax, group.net, group.reversed],
      ]),
      [
        ['PAYOUT', 1, 1_972.6, 8_613.71, -861.37, 592_247.66, 592_247.66],
        ['UPFRONT', 1, 0, 29_479.45, -2_947.94, 473_468.49, 0],
      ],
    )
  })
})
