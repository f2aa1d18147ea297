/** Breaking deposits whose interest was paid before, over HTTP: figures of an independent evaluator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestDatabase } from '../../support/engines.ts'
import { harbourFix, openByProduct, sell, sheetAt } from '../../support/products.ts'
import {
  type Ask,
  describeService,
  firstRules,
  replaceTaxRules,
  startService,
} from '../../support/service.ts'

const charging = (...terms: object[]) => ({
  ...firstRules,
  penal_rules: [{ when: {}, terms, combine: 'MAX' }],
})
const HALF_OF_ACCRUED = charging({ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 50 })
const FOUR_LESS = charging({ kind: 'RERATE', rate: { of: 'CONTRACT', add: -4 } })
const HALF_RATE = charging({ kind: 'RERATE', rate: { of: 'CONTRACT', multiply: 0.5 } })

type Sold = { product: object; rate: number; wish: { amount: number; [member: string]: unknown } }

const monthly = (recover_paid_interest: boolean) => ({
  method: 'PAYOUT',
  every: 'MONTH',
  recover_paid_interest,
})
const X = (recover = true): Sold => ({
  product: { interest: monthly(recover), rules: FOUR_LESS },
  rate: 12,
  wish: { amount: 600_000, tenor_months: 12, start_date: '2026-01-15' },
})
const Y = (rules: object, recover: boolean): Sold => ({
  product: {
    interest: { method: 'UPFRONT', every: null, recover_paid_interest: recover },
    tenor: { unit: 'DAY', min: 1, max: 400, multiple: 1 },
    rules,
  },
  rate: 10,
  wish: { amount: 500_000, tenor: 180, start_date: '2026-02-01' },
})
const XOF: Sold = {
  product: { interest: monthly(true), rules: HALF_RATE, currency: 'XOF' },
  rate: 6.25,
  wish: { amount: 1_000_000, tenor_months: 6, start_date: '2026-01-15' },
}

const FULL = { liquidation_type: 'FULL' }
const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
const waiving = (waiver: object) => ({ ...FULL, waiver: { reason: 'GOODWILL', ...waiver } })

type Row = [
  name: string,
  day: string,
  sold: Sold,
  bodies: object[],
  /** interest_paid, penal_assessed, penal_charge, total_credited | adjustments | net_credited */
  expected: string[],
  onRecovery?: 'KEEP' | 'RETURN',
]

const X_DAY = '2026-06-25'
const Y_DAY = '2026-03-18'

const rows: Row[] = [
  ['E1', X_DAY, X(), [FULL], ['1972.6 10586.31 1972.6 600000 | PENAL_RECOVERY -8613.71 | 591386.29']],
  ['E2', X_DAY, X(false), [FULL], ['1972.6 1972.6 1972.6 600000 |  | 600000']],
  ['E3', X_DAY, X(), [part(250_000)], ['821.92 4410.96 821.92 250000 | PENAL_RECOVERY -3589.04 | 246410.96']],
  [
    'E5',
    X_DAY,
    {
      ...X(),
      product: {
        interest: { method: 'AT_MATURITY', every: null, recover_paid_interest: false },
        rules: FOUR_LESS,
      },
    },
    [FULL],
    ['31758.9 10586.3 10586.3 621172.6 |  | 621172.6'],
  ],
  ['E6', '2026-06-15', X(), [FULL], ['0 9928.78 0 600000 | PENAL_RECOVERY -9928.78 | 590071.22']],
  ['E7', Y_DAY, Y(firstRules, false), [FULL], ['0 0 0 500000 | UNEARNED_INTEREST -18493.15 | 481506.85']],
  [
    'E8',
    Y_DAY,
    Y(HALF_OF_ACCRUED, false),
    [FULL],
    ['0 0 0 500000 | UNEARNED_INTEREST -18493.15 | 481506.85'],
  ],
  [
    'E9',
    Y_DAY,
    Y(HALF_OF_ACCRUED, true),
    [FULL],
    ['0 3082.19 0 500000 | UNEARNED_INTEREST -18493.15 · PENAL_RECOVERY -3082.19 | 478424.66'],
  ],
  [
    'E10',
    Y_DAY,
    Y(HALF_OF_ACCRUED, true),
    [part(200_000)],
    ['0 1232.88 0 200000 | UNEARNED_INTEREST -7397.26 · PENAL_RECOVERY -1232.88 | 191369.86'],
  ],
  ['E12', '2026-04-01', XOF, [FULL], ['2911 6507 2911 1000000 | PENAL_RECOVERY -3596 | 996404']],
  ['E13', '2026-04-01', XOF, [part(333_333)], ['970 2169 970 333333 | PENAL_RECOVERY -1199 | 332134']],
  [
    'F6',
    X_DAY,
    X(),
    [waiving({ percent: 50 })],
    ['1972.6 10586.31 1972.6 600000 | PENAL_RECOVERY -3320.55 | 596679.45'],
  ],
  ['F7', X_DAY, X(), [waiving({ amount: 9_000 })], ['1972.6 10586.31 1586.31 600386.29 |  | 600386.29']],
  [
    'G7, G9',
    X_DAY,
    X(),
    [FULL],
    ['1972.6 10586.31 1972.6 600000 | PENAL_RECOVERY -8613.71 | 591386.29'],
    'KEEP',
  ],
  [
    'G10',
    X_DAY,
    X(),
    [FULL],
    ['1972.6 10586.31 1972.6 600000 | PENAL_RECOVERY -8613.71 · TAX_RETURNED 861.37 | 592247.66'],
    'RETURN',
  ],
  [
    'G11',
    X_DAY,
    X(),
    [part(250_000)],
    ['821.92 4410.96 821.92 250000 | PENAL_RECOVERY -3589.04 · TAX_RETURNED 358.91 | 246769.87'],
    'RETURN',
  ],
  [
    'G12',
    '2026-02-02',
    Y(firstRules, false),
    [FULL],
    ['0 0 0 500000 | UNEARNED_INTEREST -24520.54 | 475479.46'],
    'KEEP',
  ],
  [
    'G13',
    '2026-02-02',
    Y(firstRules, false),
    [FULL],
    ['0 0 0 500000 | UNEARNED_INTEREST -24520.54 · TAX_RETURNED 2452.05 | 477931.51'],
    'RETURN',
  ],
  [
    'O1',
    X_DAY,
    X(),
    [part(1_234.56), part(0.07), part(250_000), FULL],
    [
      '4.06 21.79 4.06 1234.56 | PENAL_RECOVERY -17.73 | 1216.83',
      '0 0 0 0.07 |  | 0.07',
      '821.92 4410.95 821.92 250000 | PENAL_RECOVERY -3589.03 | 246410.97',
      '1146.62 6153.57 1146.62 348765.37 | PENAL_RECOVERY -5006.95 | 343758.42',
    ],
  ],
  [
    'O2',
    X_DAY,
    X(false),
    [part(100), part(599_000), FULL],
    [
      '0.33 0.33 0.33 100 |  | 100',
      '1969.31 1969.31 1969.31 599000 |  | 599000',
      '2.96 2.96 2.96 900 |  | 900',
    ],
  ],
  [
    'O3',
    Y_DAY,
    Y(HALF_OF_ACCRUED, true),
    [part(0.19), part(0.19), part(200_000), FULL],
    [
      '0 0 0 0.19 | UNEARNED_INTEREST -0.01 | 0.18',
      '0 0 0 0.19 |  | 0.19',
      '0 1232.88 0 200000 | UNEARNED_INTEREST -7397.26 · PENAL_RECOVERY -1232.88 | 191369.86',
      '0 1849.31 0 299999.62 | UNEARNED_INTEREST -11095.88 · PENAL_RECOVERY -1849.31 | 287054.43',
    ],
  ],
  [
    'O4',
    X_DAY,
    X(),
    [part(1_000.01), part(333_333.33), FULL],
    [
      '3.29 17.64 3.29 1000.01 | PENAL_RECOVERY -14.35 · TAX_RETURNED 1.43 | 987.09',
      '1095.89 5881.29 1095.89 333333.33 | PENAL_RECOVERY -4785.4 · TAX_RETURNED 478.55 | 329026.48',
      '873.42 4687.38 873.42 265666.66 | PENAL_RECOVERY -3813.96 · TAX_RETURNED 381.39 | 262234.09',
    ],
    'RETURN',
  ],
]

const ALIKE = { adjustments: [] as { kind: string; amount: number }[] }

function shown(figures: Record<string, any>): string {
  const { interest_paid, penal_assessed, penal_charge, total_credited, net_credited } = figures
  const adjustments = (figures.adjustments as typeof ALIKE.adjustments)
    .map(({ kind, amount }) => `${kind} ${amount}`)
    .join(' · ')
  return `${interest_paid} ${penal_assessed} ${penal_charge} ${total_credited} | ${adjustments} | ${net_credited}`
}

async function opened(ask: Ask, code: string, { product, rate, wish }: Sold) {
  await sell(ask, code, { min_amount: 1, ...product }, sheetAt(rate))
  return openByProduct(ask, code, wish)
}

const balanceOf = async (ask: Ask, account: string) =>
  (await ask('GET', `/v2/accounts/${account}`)).json.data.balance

async function runRow(db: TestDatabase, [, day, sold, bodies, expected, onRecovery]: Row): Promise<void> {
  const { ask, close } = await startService(db, { now: `${day}T10:00:00.000Z` })
  if (onRecovery !== undefined) await replaceTaxRules(ask, { on_recovery: onRecovery })
  const { depositId, accountNumber } = await opened(ask, 'P', sold)
  let balance = await balanceOf(ask, accountNumber)
  for (const [index, body] of bodies.entries()) {
    const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
    assert.equal(shown(quoted.json.data), expected[index])
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
    assert.equal(answer.status, 200, answer.text)
    const { data } = answer.json
    assert.equal(shown(data), expected[index])
    balance += data.net_credited
    assert.equal((await balanceOf(ask, accountNumber)).toFixed(2), balance.toFixed(2))
    const found = (await ask('GET', `/v2/liquidations/${data.liquidation_id}`)).json.data
    assert.equal(shown(found), expected[index])
    assert.deepEqual(found.explanation, quoted.json.data.explanation)
  }
  await close()
}

describeService('interest that was paid before', (running) => {
  for (const row of rows) {
    test(`${row[0]}: the quote, the answer and the record have the figures, and the account has them`, () =>
      runRow(running().db, row))
  }

  test('E4: what was paid on the rest stays with it, and its next payment is on the rest', async () => {
    const { db } = running()
    const { ask, clock } = await startService(db, { now: `${X_DAY}T10:00:00.000Z` })
    const { depositId, data } = await opened(ask, 'P', X())
    assert.equal(data.interest_paid_out, 29_786.31)
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part(250_000))).status, 200)
    const left = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    assert.deepEqual([left.interest_paid_out, left.interest_paid_to], [17_375.35, '2026-06-15'])
    clock.now = new Date('2026-08-01T10:00:00.000Z')
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL)
    assert.equal(
      shown(answer.json.data),
      '1956.16 7594.52 1956.16 350000 | PENAL_RECOVERY -5638.36 | 344361.64',
    )
    const payments = (await ask('GET', `/v2/fixed-deposits/${depositId}/interest-payments?limit=2`)).json.data
    assert.deepEqual(
      payments.map(({ to, principal, interest, business_date }: Record<string, unknown>) => [
        ...[to, principal, interest, business_date],
      ]),
      [
        ['2026-07-15', 350_000, 3_452.05, '2026-08-01'],
        ['2026-06-15', 600_000, 6_115.07, X_DAY],
      ],
    )
  })

  test('E11: what was paid upfront is not paid again at maturity', async () => {
    const { db } = running()
    const { ask, clock, service } = await startService(db, { now: `${Y_DAY}T10:00:00.000Z` })
    const { depositId, accountNumber } = await opened(ask, 'P', Y(HALF_OF_ACCRUED, true))
    await ask('PUT', `/v2/fixed-deposits/${depositId}/maturity-instruction`, {
      maturity_instruction: 'PAY_OUT',
    })
    assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part(200_000))).status, 200)
    const before = await balanceOf(ask, accountNumber)
    clock.now = new Date('2026-07-31T10:00:00.000Z')
    await service.maturity.settleAll()
    const [event] = (await ask('GET', '/v2/events?type=fixed_deposit.matured')).json.data
    const { interest_paid, total_credited } = event.data
    assert.deepEqual([interest_paid, total_credited], [0, 300_000])
    assert.equal(((await balanceOf(ask, accountNumber)) - before).toFixed(2), '300000.00')
  })

  test('the entries of F6 and of G10 have the lines of the figures', async () => {
    const { db } = running()
    const { ask } = await startService(db, { now: `${X_DAY}T10:00:00.000Z` })
    const linesOf = async (depositId: string, accountNumber: string) =>
      (await ask('GET', `/v2/ledger-entries?deposit_id=${depositId}&limit=3`)).json.data
        .filter(({ liquidation_id }: { liquidation_id: string | null }) => liquidation_id !== null)
        .map(({ kind, lines }: { kind: string; lines: { account: string; amount: number }[] }) => {
          const named = (account: string) =>
            account === depositId ? 'deposit' : account === accountNumber ? 'account' : account
          return `${kind}: ${lines.map(({ account, amount }) => `${named(account)} ${amount}`).join(', ')}`
        })
        .toReversed()
    const waived = await opened(ask, 'P', X())
    await ask('POST', `/v2/fixed-deposits/${waived.depositId}/liquidate`, waiving({ percent: 50 }))
    assert.deepEqual(await linesOf(waived.depositId, waived.accountNumber), [
      'LIQUIDATION: deposit -600000, interest_expense -1972.6, penal_income 7265.76, penal_waived -5293.16, account 600000',
      'INTEREST_RECOVERY: account -3320.55, penal_income 3320.55',
    ])
    await replaceTaxRules(ask, { on_recovery: 'RETURN' })
    const taxed = await openByProduct(ask, 'P', X().wish)
    await ask('POST', `/v2/fixed-deposits/${taxed.depositId}/liquidate`, FULL)
    assert.deepEqual(await linesOf(taxed.depositId, taxed.accountNumber), [
      'LIQUIDATION: deposit -600000, interest_expense -1972.6, penal_income 1972.6, account 600000',
      'INTEREST_RECOVERY: account -8613.71, penal_income 8613.71',
      'TAX_RETURN: account 861.37, tax_payable -861.37',
    ])
  })
})

const AT_MATURITY = { method: 'AT_MATURITY', every: null, recover_paid_interest: false }
const YEARLY = (recover_paid_interest: boolean) => ({
  method: 'PAYOUT',
  every: 'YEAR',
  recover_paid_interest,
})
const rerate = (of: string, add: number) => ({ kind: 'RERATE', rate: { of, add } })
const months = (rules: object) => ({ ...rules, day_count: 'MONTHS' })
const UPSTOX = months(charging(rerate('CARD_NOW', -1)))

type CardRow = [
  name: string,
  product: object,
  /** Rates of rows [0, held, agreed] at the opening, and of the second row on the day. */
  rates: { held: number; agreed: number; now?: number },
  wish: { amount: number; tenor?: number; tenor_months?: number },
  days: { open: string; day: string; heldFrom: number },
  expected: string,
]

const DAYS = { unit: 'DAY', min: 1, max: 36_500, multiple: 1 }
const HELD_151 = { open: '2026-01-01', day: '2026-06-01', heldFrom: 90 }
const HELD_24_MONTHS = { open: '2026-01-01', day: '2028-01-01', heldFrom: 200 }
const UPSTOX_RATES = { held: 7, agreed: 8, now: 6 }

const cardRows: CardRow[] = [
  [
    'D13',
    {
      interest: AT_MATURITY,
      tenor: DAYS,
      rules: charging(rerate('CARD_AT_OPENING', -2), rerate('CARD_NOW', -2)),
    },
    { held: 4.1, agreed: 5, now: 3.75 },
    { amount: 10_000, tenor: 365 },
    HELD_151,
    '206.85 134.45 134.45 10072.4 |  | 10072.4',
  ],
  [
    'D14',
    {
      interest: AT_MATURITY,
      tenor: DAYS,
      rules: charging(rerate('CARD_AT_OPENING', -2), rerate('CARD_NOW', -2)),
    },
    { held: 2.8, agreed: 3.4, now: 2.6 },
    { amount: 11_000, tenor: 365 },
    HELD_151,
    '154.72 127.42 127.42 11027.3 |  | 11027.3',
  ],
  [
    'D15',
    { interest: AT_MATURITY, tenor: DAYS, rules: charging(rerate('CARD_AT_OPENING', -2)) },
    { held: 5, agreed: 7 },
    { amount: 100_000, tenor: 365 },
    { open: '2026-01-01', day: '2026-03-06', heldFrom: 30 },
    '1227.4 701.37 701.37 100526.03 |  | 100526.03',
  ],
  [
    'D16',
    {
      interest: { method: 'COMPOUND', every: 'QUARTER', recover_paid_interest: false },
      rules: months(charging(rerate('CARD_AT_OPENING', -1), rerate('CONTRACT', -1))),
    },
    { held: 6.25, agreed: 7 },
    { amount: 100_000, tenor_months: 12 },
    { open: '2026-01-01', day: '2026-07-01', heldFrom: 90 },
    '3530.63 888.4 888.4 102642.23 |  | 102642.23',
  ],
  [
    'D17',
    { interest: AT_MATURITY, rules: UPSTOX },
    UPSTOX_RATES,
    { amount: 10_000, tenor_months: 36 },
    HELD_24_MONTHS,
    '1600 600 600 11000 |  | 11000',
  ],
  [
    'D18',
    { interest: YEARLY(true), rules: UPSTOX },
    UPSTOX_RATES,
    { amount: 10_000, tenor_months: 36 },
    HELD_24_MONTHS,
    '0 600 0 10000 | PENAL_RECOVERY -600 | 9400',
  ],
  [
    'D19',
    { interest: YEARLY(false), rules: UPSTOX },
    UPSTOX_RATES,
    { amount: 10_000, tenor_months: 36 },
    HELD_24_MONTHS,
    '0 0 0 10000 |  | 10000',
  ],
]

const grid = (
  effective_from: string,
  heldFrom: number,
  { held, agreed }: { held: number; agreed: number },
) => ({
  ...{ effective_from, tenor_unit: 'DAY', amount_from: [0] },
  tenor_from: [0, heldFrom, heldFrom === 200 ? 1_000 : 300],
  rates: [[1], [held], [agreed]],
})

describeService('rates of a sheet', (running) => {
  for (const [name, product, rates, wish, { open, day, heldFrom }, expected] of cardRows) {
    test(`${name}: re-rating starts from the sheet of the opening, or from that of the day`, async () => {
      const { db } = running()
      const { ask, clock } = await startService(db, { now: `${open}T10:00:00.000Z` })
      const maturity = { ...harbourFix.maturity, on_holiday: 'SAME_DAY' }
      await sell(ask, 'CARD', { min_amount: 1, maturity, ...product }, grid(open, heldFrom, rates))
      const { depositId } = await openByProduct(ask, 'CARD', wish)
      clock.now = new Date(`${day}T10:00:00.000Z`)
      const { now } = rates
      if (now !== undefined) {
        const later = grid(day, heldFrom, { ...rates, held: now })
        const added = await ask('POST', '/v2/products/CARD/rate-sheets', later)
        assert.equal(added.status, 201, added.text)
      }
      const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, FULL)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(shown(answer.json.data), expected)
      // A later sheet of the same day changes nothing of what was broken.
      const last = grid(day, heldFrom, { held: 0, agreed: 0 })
      assert.equal((await ask('POST', '/v2/products/CARD/rate-sheets', last)).status, 201)
      const found = await ask('GET', `/v2/liquidations/${answer.json.data.liquidation_id}`)
      assert.equal(found.json.data.explanation.terms.length > 0, true)
      assert.equal(shown(found.json.data), expected)
    })
  }
})
