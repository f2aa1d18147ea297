import assert from 'node:assert/strict'
import fc from 'fast-check'
import { forEachEngine } from '../../support/engines.ts'
import { harbourFix, harbourSheet } from '../../support/products.ts'
import { assertRefused } from '../../support/refusals.ts'
import { type Ask, firstRules, fundedAccount, replaceTaxRules, startService } from '../../support/service.ts'
import { all, anyLife, live, minorOf, total } from '../reports/random-life.ts'

const year = 'from=2026-01-01&to=2026-12-31'

async function sell(ask: Ask): Promise<void> {
  const terms = [{ kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } }]
  const rules = { ...firstRules, penal_rules: [{ when: {}, terms }] }
  await ask('PUT', '/v2/products/PAID', { ...harbourFix, rules })
  const sheet = { ...harbourSheet, tenor_from: [0], amount_from: [0], rates: [[12]] }
  assert.equal((await ask('POST', '/v2/products/PAID/rate-sheets', sheet)).status, 201)
}

forEachEngine(({ test }) => {
  test('has interest, charges, what went back and tax of each deposit, and their entries', async (db) => {
    const { ask, clock, app, testKey } = await startService(db)
    clock.now = new Date('2026-06-25T10:00:00.000Z')
    await replaceTaxRules(ask, { base: 'NET', on_recovery: 'RETURN' })
    await sell(ask)
    const { accountNumber: account_number, customerId } = await fundedAccount(ask, 2_000_000)
    const body = {
      account_number,
      amount: 600_000,
      product_code: 'PAID',
      tenor_months: 12,
      start_date: '2026-01-15',
    }
    const broken = (await ask('POST', '/v2/fixed-deposits', body)).json.data.deposit_id
    const kept = (await ask('POST', '/v2/fixed-deposits', { ...body, amount: 100_000 })).json.data.deposit_id
    const quiet = await ask('POST', '/v2/fixed-deposits', {
      account_number,
      amount: 10,
      tenor: 9,
      interest_rate: 1,
    })
    assert.equal(quiet.status, 201)
    const full = { liquidation_type: 'FULL' }
    const { liquidation_id } = (await ask('POST', `/v2/fixed-deposits/${broken}/liquidate`, full)).json.data

    const path = `/v2/customer/${customerId}/interest-certificate`
    const certificate = async () => {
      const { data } = (await ask('GET', `${path}?${year}`)).json
      const of = ({
        gross_interest,
        charges,
        interest_taken_back,
        tax_withheld,
        tax_returned,
        net_interest,
      }: any) => [gross_interest, charges, interest_taken_back, tax_withheld, tax_returned, net_interest]
      return {
        deposits: data.deposits.map((one: any) => [one.deposit_id, ...of(one)]),
        totals: data.totals.map((one: any) => [one.currency, ...of(one)]),
        entryIds: data.deposits.map((one: any) => one.entry_ids.length),
      }
    }
    // G10 of the vectors: the difference of 600,000 that went in and 619,055.33 that came out.
    const ofBroken = [broken, 31_758.91, 1_972.6, 8_613.71, 2_978.64, 861.37, 19_055.33]
    const ofKept = [kept, 4_964.39, 0, 0, 496.45, 0, 4_467.94]
    assert.deepEqual(await certificate(), {
      deposits: [ofBroken, ofKept],
      totals: [['NGN', 36_723.3, 1_972.6, 8_613.71, 3_475.09, 861.37, 23_523.27]],
      entryIds: [13, 10],
    })
    const page = await app.inject({
      url: `${path}?${year}`,
      headers: { authorization: `Bearer ${testKey}`, accept: 'text/html' },
    })
    for (const text of ['Certificate of interest', 'Ada Obi', broken, '19,055.33', 'All deposits, NGN'])
      assert(page.body.includes(text), text)
    await ask('POST', `/v2/liquidations/${liquidation_id}/reverse`, { reason: 'Mistake' })
    const [[, ...reversed]] = (await certificate()).deposits
    assert.deepEqual(reversed, [29_786.31, 0, 0, 2_978.64, 0, 26_807.67])
  })

  test('comes to the movement of the ledger, for random histories', async (db) => {
    const { ask } = await startService(db)
    const charge = { kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }
    await ask('PUT', '/v2/liquidation-rules', { ...firstRules, penal_rules: [{ when: {}, terms: [charge] }] })
    await fc.assert(
      fc.asyncProperty(anyLife, async (steps) => {
        const depositIds = await live(ask, [
          { does: 'tax', standard: 10, base: 'NET', taxClass: 'STANDARD' },
          { does: 'open', amount: 5_000, tenor: 30, rollover: true, euro: true },
          ...steps,
        ])
        const { customer_id } = (await ask('GET', `/v2/fixed-deposits/${depositIds[0]}`)).json.data
        const mine = new Map(
          (await all(ask, `/v2/fixed-deposits?customer_id=${customer_id}`)).map((one) => [
            one.deposit_id,
            one,
          ]),
        )
        const entries = (await all(ask, '/v2/ledger-entries')).filter(({ deposit_id }) =>
          mine.has(deposit_id),
        )
        const bank = ['interest_expense', 'penal_income', 'penal_waived', 'tax_payable']
        const nets = new Map<string, bigint>()
        for (const [from, to] of [
          ['2026-07-01', '2027-06-30'],
          ['2027-07-01', '2028-06-30'],
          ['2028-07-01', '2029-06-30'],
          ['2029-07-01', '2030-06-30'],
        ]) {
          const { data } = (
            await ask('GET', `/v2/customer/${customer_id}/interest-certificate?from=${from}&to=${to}`)
          ).json
          for (const { currency, net_interest } of data.totals)
            nets.set(currency, (nets.get(currency) ?? 0n) + minorOf(net_interest))
        }
        for (const currency of ['NGN', 'EUR']) {
          const lines = entries
            .filter((entry) => mine.get(entry.deposit_id)!.currency === currency)
            .flatMap((entry) => entry.lines)
            .filter(({ account }) => bank.includes(account))
          assert.equal(nets.get(currency) ?? 0n, -total(lines.map(({ amount }) => amount)), currency)
        }
      }),
      { numRuns: 3 },
    )
  })

  test('bad ranges and unknown customers are refused', async (db) => {
    const { ask } = await startService(db)
    const { customerId } = await fundedAccount(ask, 1)
    for (const [query, field, code] of [
      ['from=2026-01-01&to=2027-01-02', 'to', 'out_of_range'],
      ['from=2026-01-02&to=2026-01-01', 'from', 'invalid_value'],
      ['from=2026-01-02', 'to', 'required'],
    ] as const) {
      const answer = await ask('GET', `/v2/customer/${customerId}/interest-certificate?${query}`)
      assertRefused(answer, { status: 400, code: 'invalid_request', fields: [[field, code]] })
    }
    const leap = `/v2/customer/${customerId}/interest-certificate?from=2026-01-01&to=2027-01-01`
    assert.deepEqual((await ask('GET', leap)).json.data.totals, [])
    const unknown = await ask('GET', `/v2/customer/cus_1/interest-certificate?${year}`)
    assertRefused(unknown, { status: 404, code: 'customer_not_found' })
  })
})
