/** Waivers, tax, liens, parts of one day and maturity over HTTP: figures of an independent evaluator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setPolicy } from '../../support/policy.ts'
import { assertRefused } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  openDeposit,
  replaceRules,
  replaceTaxRules,
  startService,
  type TestService,
} from '../../support/service.ts'

const FULL = { liquidation_type: 'FULL' }
const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
const waiving = (waiver: object) => ({ ...FULL, waiver: { reason: 'GOODWILL', ...waiver } })
const percentOfAccrued = (percent: number) => [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent }]
const charging = (terms: object[], when = {}) => ({ penal_rules: [{ when, terms }] })

const liquidate = (ask: Ask, depositId: string, body: object) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)

/** 100,000 at 10 percent for 365 days from 2026-01-01; a quarter of the accrued interest is charged. */
async function openZ(ask: Ask, changes: Parameters<typeof openDeposit>[1] | object = {}) {
  return openDeposit(ask, { amount: 100_000, start_date: '2026-01-01', ...changes })
}

/** Kind and lines of each entry of a deposit, oldest first; its own accounts by role. */
async function entriesOf(ask: Ask, of: { depositId: string; accountNumber: string }): Promise<string[]> {
  const { data } = (await ask('GET', `/v2/ledger-entries?deposit_id=${of.depositId}`)).json
  const role = (account: string) =>
    account.includes(of.depositId) ? 'deposit' : account.includes(of.accountNumber) ? 'account' : account
  return data
    .toReversed()
    .map(({ kind, lines }: any) =>
      [kind, ...lines.map(({ account, amount }: any) => `${role(account)} ${amount}`)].join(' '),
    )
}

describeService('figures of the desk', (running) => {
  const start = (day: string): Promise<TestService> =>
    startService(running().db, { now: `${day}T10:00:00.000Z` })

  test('F1–F5: a waiver gives back a part of the charge', async () => {
    const { ask } = await start('2026-03-02')
    await replaceRules(ask, charging(percentOfAccrued(25)))
    const rows: [string, object, number[]][] = [
      ['F1', FULL, [410.96, 0, 410.96, 101_232.88]],
      ['F2', waiving({ percent: 100 }), [410.96, 410.96, 0, 101_643.84]],
      ['F3', waiving({ percent: 50 }), [410.96, 205.48, 205.48, 101_438.36]],
      ['F4', waiving({ amount: 100 }), [410.96, 100, 310.96, 101_332.88]],
      ['F5', waiving({ percent: 33.3333 }), [410.96, 136.99, 273.97, 101_369.87]],
    ]
    for (const [name, body, [assessed, waived, charge, total]] of rows) {
      const { depositId } = await openZ(ask)
      const quote = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      const { data } = (await liquidate(ask, depositId, body)).json
      const expected = {
        principal_returned: 100_000,
        interest_paid: 1_643.84,
        penal_charge: charge,
        total_credited: total,
        penal_assessed: assessed,
        penal_waived: waived,
        adjustments: [],
        net_credited: total,
      }
      for (const found of [data, quote.json.data])
        assert.deepEqual({ ...found, ...expected }, found, `${name} ${JSON.stringify(found)}`)
    }
  })

  test('F8, F9: no more is waived than is charged, and nothing from maturity on', async () => {
    const { ask, clock } = await start('2026-03-02')
    await replaceRules(ask, charging(percentOfAccrued(25)))
    const { depositId } = await openZ(ask)
    assertRefused(await liquidate(ask, depositId, waiving({ amount: 1_000 })), {
      status: 422,
      code: 'waiver_exceeds_charge',
      details: '{"charge":410.96}',
    })
    clock.now = new Date('2027-01-01T10:00:00.000Z')
    for (const waiver of [{ percent: 50 }, { amount: 1 }, { holding_period: true }])
      assertRefused(await liquidate(ask, depositId, waiving(waiver)), {
        status: 422,
        code: 'nothing_to_waive',
      })
  })

  test('G1–G3: tax is withheld from the interest, net of the charge or not, beside the total', async () => {
    const rows: [string, object[], 'NET' | 'GROSS', number[]][] = [
      ['G1', percentOfAccrued(25), 'NET', [410.96, 101_232.88, 123.29, 101_109.59]],
      ['G2', percentOfAccrued(25), 'GROSS', [410.96, 101_232.88, 164.38, 101_068.5]],
      ['G3', [{ kind: 'FIXED', amount: 5_000 }], 'NET', [1_643.84, 100_000, 0, 100_000]],
    ]
    for (const [name, terms, base, [charge, total, tax, net]] of rows) {
      const { ask } = await start('2026-03-02')
      await replaceRules(ask, charging(terms))
      await replaceTaxRules(ask, { base })
      const opened = await openZ(ask)
      const { data } = (await liquidate(ask, opened.depositId, FULL)).json
      assert.deepEqual(
        [data.interest_paid, data.penal_charge, data.total_credited, data.adjustments, data.net_credited],
        [1_643.84, charge, total, tax === 0 ? [] : [{ kind: 'WITHHOLDING_TAX', amount: 0 - tax! }], net],
        name,
      )
      if (name !== 'G1') continue
      assert.deepEqual((await entriesOf(ask, opened)).slice(-2), [
        'LIQUIDATION deposit -100000 interest_expense -1643.84 penal_income 410.96 account 101232.88',
        'WITHHOLDING_TAX account -123.29 tax_payable 123.29',
      ])
    }
  })

  test('G4, G5: tax of a maturity, and of a deposit broken without charge', async () => {
    const { ask, clock, service } = await start('2026-03-02')
    await replaceTaxRules(ask)
    const z = await openZ(ask)
    clock.now = new Date('2027-01-01T10:00:00.000Z')
    await service.maturity.settleAll()
    const [{ data: matured }] = (await ask('GET', '/v2/events?type=fixed_deposit.matured')).json.data
    assert.deepEqual([matured.deposit_id, matured.interest_paid], [z.depositId, 10_000])
    assert.equal((await ask('GET', `/v2/accounts/${z.accountNumber}`)).json.data.balance, 109_000)

    const other = await start('2026-03-02')
    await replaceTaxRules(other.ask, { classes: { STANDARD: 20 } })
    const published = await openZ(other.ask, { interest_rate: 3 })
    const { data } = (await liquidate(other.ask, published.depositId, FULL)).json
    assert.deepEqual(
      [data.interest_paid, data.penal_charge, data.adjustments, data.net_credited],
      [493.15, 0, [{ kind: 'WITHHOLDING_TAX', amount: -98.63 }], 100_394.52],
    )
  })

  test('H1, H2: a rollover takes the interest along, less its tax', async () => {
    for (const [taxed, successor] of [
      [false, 110_000],
      [true, 109_000],
    ] as const) {
      const { ask, clock, service } = await start('2026-03-02')
      if (taxed) await replaceTaxRules(ask)
      const z = await openZ(ask, { auto_rollover: true })
      clock.now = new Date('2027-01-01T10:00:00.000Z')
      await service.maturity.settleAll()
      const old = (await ask('GET', `/v2/fixed-deposits/${z.depositId}`)).json.data
      const next = (await ask('GET', `/v2/fixed-deposits/${old.rolled_over_to}`)).json.data
      assert.deepEqual(
        [old.status, next.principal, next.start_date],
        ['ROLLED_OVER', successor, '2027-01-01'],
      )
      assert.equal((await ask('GET', `/v2/accounts/${z.accountNumber}`)).json.data.balance, 0)
    }
  })

  test('J6, J7: a reversal posts every line again with the opposite sign, if the account can give it', async () => {
    const { ask } = await start('2026-03-02')
    await replaceRules(ask, charging(percentOfAccrued(25)))
    await replaceTaxRules(ask)
    const z = await openZ(ask)
    const broken = await liquidate(ask, z.depositId, waiving({ percent: 50 }))
    const url = `/v2/liquidations/${broken.json.data.liquidation_id}/reverse`
    const terms = { account_number: z.accountNumber, tenor: 30, interest_rate: 5 }
    const spent = await ask('POST', '/v2/fixed-deposits', { ...terms, amount: 0.01 })
    assert.equal(spent.status, 201, spent.text)
    assertRefused(await ask('POST', url, { reason: 'Mistake' }), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":101294.51,"needed":101294.52}',
    })
    await ask('POST', `/v2/accounts/${z.accountNumber}/credits`, { amount: 0.01 })
    const { data } = (await ask('POST', url, { reason: 'Mistake' })).json
    assert.deepEqual([data.deposit.status, data.deposit.remaining_principal], ['ACTIVE', 100_000])
    const [broke, taxed, ...reversals] = (await entriesOf(ask, z)).slice(-4)
    const lines =
      'deposit -100000 interest_expense -1643.84 penal_income 410.96 penal_waived -205.48 account 101438.36'
    const tax = 'account -143.84 tax_payable 143.84'
    const opposite = (text: string) => text.replaceAll(/ -?(?=\d)/g, (sign) => (sign === ' ' ? ' -' : ' '))
    assert.deepEqual([broke, taxed], [`LIQUIDATION ${lines}`, `WITHHOLDING_TAX ${tax}`])
    assert.deepEqual(reversals, [`REVERSAL ${opposite(lines)}`, `REVERSAL ${opposite(tax)}`])
  })

  test('L1–L9: the most that any rule asks for, in any order', async () => {
    const rule = (operation: string, when: object, approvals: number) => ({ operation, when, approvals })
    const rules = [
      rule('liquidateFixedDeposit', { waived_percent: { gte: 50 } }, 2),
      rule('liquidateFixedDeposit', { waived_amount: { gte: 0.01 } }, 1),
      rule('liquidateFixedDeposit', { amount: { gte: 1_000_000 } }, 1),
      rule('liquidateFixedDeposit', { contact_changed_hours: { lt: 48 } }, 1),
      rule('reverseLiquidation', {}, 1),
    ]
    for (const order of [rules, rules.toReversed()]) {
      const started = await start('2026-03-02')
      const { ask, clock } = started
      await replaceRules(ask, charging(percentOfAccrued(25)))
      const large = await openZ(ask, { amount: 3_000_000 })
      const small = await openZ(ask)
      const wrong = (await liquidate(ask, (await openZ(ask)).depositId, part(500))).json.data
      const reason = { reason: 'Mistake' }
      const lien = await ask('POST', `/v2/fixed-deposits/${small.depositId}/liens`, { amount: 1, ...reason })
      await setPolicy(started, { expires_after_hours: 24, deciders: 'ANY', rules: order })
      const needed = async (url: string, body: object) => {
        const { status, json } = await ask('POST', url, body)
        return status === 200 ? 0 : json.error.details.approvals_needed
      }
      const breaking = (of: typeof large, amount: number, waiver?: object) =>
        needed(`/v2/fixed-deposits/${of.depositId}/liquidate`, {
          ...part(amount),
          ...(waiver && { waiver: { reason: 'GOODWILL', ...waiver } }),
        })
      const found: Record<string, number> = {
        L1: await breaking(large, 999_999.99),
        L2: await breaking(large, 1_000_000),
        L3: await breaking(small, 500, { percent: 50 }),
        L4: await breaking(small, 500, { amount: 0.5 }),
        L6: await breaking(small, 500),
        L8: await needed(`/v2/liquidations/${wrong.liquidation_id}/reverse`, reason),
        L9: await needed(`/v2/liens/${lien.json.data.lien_id}/release`, reason),
      }
      for (const { customerId } of [small, large])
        await ask('PUT', `/v2/customer/${customerId}`, { phone_number: '+234 801 234 5679' })
      clock.now = new Date('2026-03-02T13:00:00.000Z')
      found.L5 = await breaking(small, 500)
      found.L7 = await breaking(large, 2_000_000, { percent: 60 })
      assert.deepEqual(found, { L1: 0, L2: 1, L3: 2, L4: 1, L5: 1, L6: 0, L7: 2, L8: 1, L9: 0 })
    }
  })

  test('M1–M5: the parts of one day are one withdrawal', async () => {
    const rows: [string, object, object, string, [number, number, number][]][] = [
      [
        'M1',
        {},
        { amount: 100 },
        '2026-01-02',
        [
          [18.25, 0.01, 0],
          [18.25, 0, 0],
          [18.25, 0.01, 0],
          [45.25, 0.01, 0],
        ],
      ],
      [
        'M2',
        charging(percentOfAccrued(40)),
        { amount: 300 },
        '2026-04-11',
        [
          [0.19, 0.01, 0],
          [0.19, 0, 0],
          [0.19, 0.01, 0.01],
          [299.43, 8.2, 3.28],
        ],
      ],
      [
        'M3',
        charging([{ kind: 'FIXED', amount: 50 }]),
        { amount: 50_000 },
        '2026-04-11',
        [
          [5_000, 136.99, 50],
          [5_000, 136.98, 0],
          [40_000, 1_095.89, 0],
        ],
      ],
      [
        'M4',
        charging(percentOfAccrued(100), { amount: { gte: 1_000 } }),
        { amount: 50_000 },
        '2026-04-11',
        [
          [980, 26.85, 0],
          [980, 26.85, 26.85],
          [48_040, 1_316.16, 1_316.16],
        ],
      ],
      [
        'M5',
        charging([{ kind: 'RERATE', rate: { of: 'CONTRACT', add: -3 } }]),
        { amount: 77_777.77, interest_rate: 11.3 },
        '2026-05-14',
        [
          [1_234.56, 50.83, 13.49],
          [0.07, 0.01, 0.01],
          [76_543.14, 3_151.69, 836.73],
        ],
      ],
    ]
    for (const [name, rules, terms, day, parts] of rows) {
      const { ask } = await start(day)
      await replaceRules(ask, rules)
      const { depositId } = await openZ(ask, terms)
      const found: number[][] = []
      for (const [index, [amount]] of parts.entries()) {
        const isLast = index === parts.length - 1
        const { data } = (await liquidate(ask, depositId, isLast ? FULL : part(amount))).json
        found.push([data.principal_returned, data.interest_paid, data.penal_assessed])
      }
      assert.deepEqual(found, parts, name)
    }
  })
})
