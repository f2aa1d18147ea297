/** Breaking, taxing, settling and reversing deposits that pay interest before maturity, by an independent evaluator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths, daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'
import type { BreakableDeposit, Deposit } from '../../src/domain/deposit.ts'
import {
  afterwards,
  liquidationMovements,
  type Part,
  type Settlement,
  settlementOf,
} from '../../src/domain/liquidation.ts'
import { decideMaturities, maturityMovements } from '../../src/domain/maturity.ts'
import { formatAmount, MINOR_MAX, type Minor, minor } from '../../src/domain/money.ts'
import { beforePayments, bringForward, payAtOpening, paymentMovements } from '../../src/domain/payments.ts'
import type { Product } from '../../src/domain/product.ts'
import type { RateSheet } from '../../src/domain/rate-sheet.ts'
import type { RenewingProduct } from '../../src/domain/rollover.ts'
import { type ChargeTerm, FIRST_RULES, type RuleSet } from '../../src/domain/rules.ts'
import { agreedMaturityOf } from '../../src/domain/schedule.ts'
import type { Waiver } from '../../src/domain/settlement.ts'
import { type Taxation, type TaxedAlike, type TaxVersion, taxationOf } from '../../src/domain/tax.ts'
import { termsOf } from '../../src/domain/terms.ts'
import { depositWith } from './deposits.ts'

const FULL: Part = { type: 'FULL', amount: null }

function partial(amount: string): Part {
  return { type: 'PARTIAL', amount: money(amount) }
}

function money(text: string): Minor {
  return minor(BigInt(text.replaceAll(',', '').replace('.', '')))
}

function charging(...terms: ChargeTerm[]): RuleSet {
  return { ...FIRST_RULES, penalRules: [{ when: {}, terms, combine: 'SUM', min: minor(0n), max: null }] }
}

const HALF_OF_ACCRUED = charging({ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percentPpm: 500_000 })
const FOUR_LESS = charging({ kind: 'RERATE', rate: { of: 'CONTRACT', addPpm: -40_000 } })
const HALF_RATE = charging({ kind: 'RERATE', rate: { of: 'CONTRACT', multiply: 500_000 } })

function opened(said: Partial<Deposit>, rules: RuleSet): Deposit {
  const startDate = said.startDate!
  const maturityDate = said.maturityDate ?? agreedMaturityOf(startDate, said.agreedTenor!)
  const deposit = depositWith({
    productCode: 'P',
    productVersion: 1,
    ...said,
    maturityDate,
    tenorDays: daysBetween(startDate, maturityDate),
  })
  return { ...deposit, ...beforePayments(termsOf(deposit, rules)) }
}

const MONTHLY = { method: 'PAYOUT', every: 'MONTH', startDate: isoDate('2026-01-15') } as const

/** X: 600,000 at 12 percent for 12 months from 2026-01-15, paid out every month. */
function depositX(recoverPaidInterest = true, rules = FOUR_LESS): Deposit {
  const agreed = { annualRatePpm: 120_000, agreedTenor: { unit: 'MONTH', count: 12 } } as const
  return opened({ ...MONTHLY, ...agreed, principal: minor(600_000_00n), recoverPaidInterest }, rules)
}

/** Y: 500,000 at 10 percent for 180 days from 2026-02-01, paid at the start. */
function depositY(recoverPaidInterest: boolean, rules: RuleSet): Deposit {
  const agreed = { method: 'UPFRONT', agreedTenor: { unit: 'DAY', count: 180 } } as const
  const startDate = isoDate('2026-02-01')
  return opened({ ...agreed, startDate, principal: minor(500_000_00n), recoverPaidInterest }, rules)
}

function depositXof(): Deposit {
  const agreed = { annualRatePpm: 62_500, agreedTenor: { unit: 'MONTH', count: 6 }, currency: 'XOF' } as const
  return opened(
    { ...MONTHLY, ...agreed, principal: minor(1_000_000_00n), recoverPaidInterest: true },
    HALF_RATE,
  )
}

type Tax = { onRecovery: Taxation['onRecovery'] }
const RETURN: Tax = { onRecovery: 'RETURN' }
const KEEP: Tax = { onRecovery: 'KEEP' }

function taxVersions(tax: Tax | null): TaxVersion[] {
  if (tax === null) return []
  const rules = { base: 'NET', rounding: 'HALF_UP', classes: new Map([['STANDARD', 100_000]]) } as const
  return [{ version: 1, rules: { effectiveFrom: isoDate('2000-01-01'), ...rules, ...tax } }]
}

const STANDARD = { taxClass: null, taxValidUntil: null }

function paidUp(deposit: Deposit, rules: RuleSet, on: IsoDate, tax: Tax | null = null) {
  const terms = termsOf(deposit, rules)
  const taxationOn = () => taxationOf(taxVersions(tax), STANDARD, on)
  const moment = { at: new Date(`${on}T10:00:00Z`), today: on }
  const pay = deposit.method === 'UPFRONT' && deposit.paid === 0n ? payAtOpening : bringForward
  return pay(deposit, { terms, moment, taxationOn, balance: 0n })
}

/** Each part after the one before it, on one day; payments are made first. */
function broken(
  deposit: Deposit,
  rules: RuleSet,
  asked: { on: string; parts: Part[]; waiver?: Waiver; tax?: Tax | null },
): Settlement[] {
  const on = isoDate(asked.on)
  const { tax = null, waiver = null } = asked
  const taxedParts: TaxedAlike[] = []
  let left: BreakableDeposit = paidUp(deposit, rules, on, tax).deposit
  return asked.parts.map((part) => {
    const taxation = taxationOf(taxVersions(tax), STANDARD, on)
    const decided = settlementOf({
      deposit: left,
      rules,
      part,
      waiver,
      balance: 0n,
      taxation,
      taxedParts,
      on,
    })
    assert(
      decided.outcome === 'settled',
      JSON.stringify(decided, (_, one) => `${one}`),
    )
    const { settlement } = decided
    left = afterwards(left, settlement)
    const { taxed, interest, penal } = settlement
    if (taxed !== null) taxedParts.push({ ...taxed, interest, penal, tax: settlement.tax })
    return settlement
  })
}

/** principal, interest, assessed, charge, total, adjustments, net */
function row(settlement: Settlement): string {
  const { principal, interest, assessed, penal, total, adjustments, net } = settlement
  const adjusted = adjustments.map(({ kind, amount }) => `${kind} ${formatAmount(amount)}`).join(' · ')
  const figures = [principal, interest, assessed, penal, total].map(formatAmount).join(' ')
  return `${figures} | ${adjusted || '–'} | ${formatAmount(net)}`
}

function waiving(changes: Partial<Waiver>): Waiver {
  return { percentPpm: null, amount: null, holdingPeriod: false, reason: 'GOODWILL', note: null, ...changes }
}

const X_PAID = '2026-06-25'
const Y_DAY = '2026-03-18'

const rows: [name: string, made: () => Settlement[], expected: string[]][] = [
  [
    'E1: a charge on interest already paid is taken back where the product says so',
    () => broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [FULL] }),
    ['600000.00 1972.60 10586.31 1972.60 600000.00 | PENAL_RECOVERY -8613.71 | 591386.29'],
  ],
  [
    'E2: and elsewhere it is not',
    () => broken(depositX(false), FOUR_LESS, { on: X_PAID, parts: [FULL] }),
    ['600000.00 1972.60 1972.60 1972.60 600000.00 | – | 600000.00'],
  ],
  [
    'E3: a part has its share of what was paid',
    () => broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [partial('250000.00')] }),
    ['250000.00 821.92 4410.96 821.92 250000.00 | PENAL_RECOVERY -3589.04 | 246410.96'],
  ],
  [
    'E4: and leaves the rest with its own',
    () => {
      const day = isoDate(X_PAID)
      const before = paidUp(depositX(), FOUR_LESS, day).deposit
      const [first] = broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [partial('250000.00')] })
      const left = afterwards(before, first!)
      assert.equal(formatAmount(left.paid), '17375.35')
      const { payments } = paidUp(left as Deposit, FOUR_LESS, isoDate('2026-07-15'))
      assert.deepEqual(
        payments.map(({ to, interest }) => `${to} ${formatAmount(interest)}`),
        ['2026-07-15 3452.05'],
      )
      return broken(left as Deposit, FOUR_LESS, { on: '2026-08-01', parts: [FULL] })
    },
    ['350000.00 1956.16 7594.52 1956.16 350000.00 | PENAL_RECOVERY -5638.36 | 344361.64'],
  ],
  [
    'E5: paid at maturity instead, it keeps the same',
    () => {
      const deposit = depositX()
      const plain: Deposit = { ...deposit, method: 'AT_MATURITY', every: null, nextInterestDate: null }
      return broken(plain, FOUR_LESS, { on: X_PAID, parts: [FULL] })
    },
    ['600000.00 31758.90 10586.30 10586.30 621172.60 | – | 621172.60'],
  ],
  [
    'E6: a payment of the day is made first',
    () => broken(depositX(), FOUR_LESS, { on: '2026-06-15', parts: [FULL] }),
    ['600000.00 0.00 9928.78 0.00 600000.00 | PENAL_RECOVERY -9928.78 | 590071.22'],
  ],
  [
    'E7: upfront interest of days not held goes back, rules or not',
    () => broken(depositY(false, FIRST_RULES), FIRST_RULES, { on: Y_DAY, parts: [FULL] }),
    ['500000.00 0.00 0.00 0.00 500000.00 | UNEARNED_INTEREST -18493.15 | 481506.85'],
  ],
  [
    'E8: without recovery a charge takes nothing of it',
    () => broken(depositY(false, HALF_OF_ACCRUED), HALF_OF_ACCRUED, { on: Y_DAY, parts: [FULL] }),
    ['500000.00 0.00 0.00 0.00 500000.00 | UNEARNED_INTEREST -18493.15 | 481506.85'],
  ],
  [
    'E9: with recovery it does',
    () => broken(depositY(true, HALF_OF_ACCRUED), HALF_OF_ACCRUED, { on: Y_DAY, parts: [FULL] }),
    [
      '500000.00 0.00 3082.19 0.00 500000.00 | UNEARNED_INTEREST -18493.15 · PENAL_RECOVERY -3082.19 | 478424.66',
    ],
  ],
  [
    'E10: of a part',
    () =>
      broken(depositY(true, HALF_OF_ACCRUED), HALF_OF_ACCRUED, { on: Y_DAY, parts: [partial('200000.00')] }),
    [
      '200000.00 0.00 1232.88 0.00 200000.00 | UNEARNED_INTEREST -7397.26 · PENAL_RECOVERY -1232.88 | 191369.86',
    ],
  ],
  [
    'E12: in whole units',
    () => broken(depositXof(), HALF_RATE, { on: '2026-04-01', parts: [FULL] }),
    ['1000000.00 2911.00 6507.00 2911.00 1000000.00 | PENAL_RECOVERY -3596.00 | 996404.00'],
  ],
  [
    'E13: a part in whole units',
    () => broken(depositXof(), HALF_RATE, { on: '2026-04-01', parts: [partial('333333.00')] }),
    ['333333.00 970.00 2169.00 970.00 333333.00 | PENAL_RECOVERY -1199.00 | 332134.00'],
  ],
  [
    'F6: half of a charge is waived',
    () =>
      broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [FULL], waiver: waiving({ percentPpm: 500_000 }) }),
    ['600000.00 1972.60 10586.31 1972.60 600000.00 | PENAL_RECOVERY -3320.55 | 596679.45'],
  ],
  [
    'F7: an amount of a charge is waived',
    () =>
      broken(depositX(), FOUR_LESS, {
        on: X_PAID,
        parts: [FULL],
        waiver: waiving({ amount: money('9000.00') }),
      }),
    ['600000.00 1972.60 10586.31 1586.31 600386.29 | – | 600386.29'],
  ],
  [
    'G9: the tax on interest taken back stays with the state',
    () => broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [FULL], tax: KEEP }),
    ['600000.00 1972.60 10586.31 1972.60 600000.00 | PENAL_RECOVERY -8613.71 | 591386.29'],
  ],
  [
    'G10: or is returned',
    () => broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [FULL], tax: RETURN }),
    [
      '600000.00 1972.60 10586.31 1972.60 600000.00 | PENAL_RECOVERY -8613.71 · TAX_RETURNED 861.37 | 592247.66',
    ],
  ],
  [
    'G11: of a part',
    () => broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [partial('250000.00')], tax: RETURN }),
    ['250000.00 821.92 4410.96 821.92 250000.00 | PENAL_RECOVERY -3589.04 · TAX_RETURNED 358.91 | 246769.87'],
  ],
  [
    'G12: upfront interest, the next day, after tax less than the principal',
    () => broken(depositY(false, FIRST_RULES), FIRST_RULES, { on: '2026-02-02', parts: [FULL], tax: KEEP }),
    ['500000.00 0.00 0.00 0.00 500000.00 | UNEARNED_INTEREST -24520.54 | 475479.46'],
  ],
  [
    'G13: with its tax returned',
    () => broken(depositY(false, FIRST_RULES), FIRST_RULES, { on: '2026-02-02', parts: [FULL], tax: RETURN }),
    ['500000.00 0.00 0.00 0.00 500000.00 | UNEARNED_INTEREST -24520.54 · TAX_RETURNED 2452.05 | 477931.51'],
  ],
  [
    'O1: parts of one day',
    () =>
      broken(depositX(), FOUR_LESS, {
        on: X_PAID,
        parts: [partial('1234.56'), partial('0.07'), partial('250000.00'), FULL],
      }),
    [
      '1234.56 4.06 21.79 4.06 1234.56 | PENAL_RECOVERY -17.73 | 1216.83',
      '0.07 0.00 0.00 0.00 0.07 | – | 0.07',
      '250000.00 821.92 4410.95 821.92 250000.00 | PENAL_RECOVERY -3589.03 | 246410.97',
      '348765.37 1146.62 6153.57 1146.62 348765.37 | PENAL_RECOVERY -5006.95 | 343758.42',
    ],
  ],
  [
    'O2: without recovery',
    () =>
      broken(depositX(false), FOUR_LESS, {
        on: X_PAID,
        parts: [partial('100.00'), partial('599000.00'), FULL],
      }),
    [
      '100.00 0.33 0.33 0.33 100.00 | – | 100.00',
      '599000.00 1969.31 1969.31 1969.31 599000.00 | – | 599000.00',
      '900.00 2.96 2.96 2.96 900.00 | – | 900.00',
    ],
  ],
  [
    'O3: of upfront interest',
    () =>
      broken(depositY(true, HALF_OF_ACCRUED), HALF_OF_ACCRUED, {
        on: Y_DAY,
        parts: [partial('0.19'), partial('0.19'), partial('200000.00'), FULL],
      }),
    [
      '0.19 0.00 0.00 0.00 0.19 | UNEARNED_INTEREST -0.01 | 0.18',
      '0.19 0.00 0.00 0.00 0.19 | – | 0.19',
      '200000.00 0.00 1232.88 0.00 200000.00 | UNEARNED_INTEREST -7397.26 · PENAL_RECOVERY -1232.88 | 191369.86',
      '299999.62 0.00 1849.31 0.00 299999.62 | UNEARNED_INTEREST -11095.88 · PENAL_RECOVERY -1849.31 | 287054.43',
    ],
  ],
  [
    'O4: with tax that is returned',
    () =>
      broken(depositX(), FOUR_LESS, {
        on: X_PAID,
        parts: [partial('1000.01'), partial('333333.33'), FULL],
        tax: RETURN,
      }),
    [
      '1000.01 3.29 17.64 3.29 1000.01 | PENAL_RECOVERY -14.35 · TAX_RETURNED 1.43 | 987.09',
      '333333.33 1095.89 5881.29 1095.89 333333.33 | PENAL_RECOVERY -4785.40 · TAX_RETURNED 478.55 | 329026.48',
      '265666.66 873.42 4687.38 873.42 265666.66 | PENAL_RECOVERY -3813.96 · TAX_RETURNED 381.39 | 262234.09',
    ],
  ],
  [
    'K1: history is taken as it is',
    () => {
      const imported = {
        ...depositX(),
        principal: minor(800_000_00n),
        paid: money('29786.30'),
        paidTo: isoDate('2026-06-15'),
        nextInterestDate: isoDate('2026-07-15'),
      }
      return broken(imported, FOUR_LESS, { on: X_PAID, parts: [FULL] })
    },
    ['600000.00 1972.60 10586.30 1972.60 600000.00 | PENAL_RECOVERY -8613.70 | 591386.30'],
  ],
  [
    'K4: and so is upfront interest',
    () => {
      const imported = {
        ...depositY(false, FIRST_RULES),
        remaining: minor(300_000_00n),
        paid: money('14794.52'),
        paidTax: money('1479.45'),
      }
      return broken(imported, FIRST_RULES, { on: Y_DAY, parts: [FULL], tax: RETURN })
    },
    ['300000.00 0.00 0.00 0.00 300000.00 | UNEARNED_INTEREST -11095.89 · TAX_RETURNED 1109.59 | 290013.70'],
  ],
]

for (const [name, made, expected] of rows) {
  test(name, () => assert.deepEqual(made().map(row), expected))
}

test('the payments of X, and the tax on them', () => {
  const { payments, deposit } = paidUp(depositX(), FOUR_LESS, isoDate(X_PAID), KEEP)
  assert.deepEqual(
    payments.map(({ to, interest }) => `${to} ${formatAmount(interest)}`),
    [
      '2026-02-15 6115.07',
      '2026-03-15 5523.29',
      '2026-04-15 6115.07',
      '2026-05-15 5917.81',
      '2026-06-15 6115.07',
    ],
  )
  const [first] = payments
  assert.deepEqual([first!.tax, first!.net].map(formatAmount), ['611.51', '5503.56'])
  assert.deepEqual([deposit.paid, deposit.paidTax].map(formatAmount), ['29786.31', '2978.64'])
  assert.deepEqual([deposit.paidTo, deposit.nextInterestDate], ['2026-06-15', '2026-07-15'])
  assert.deepEqual(paymentMovements(first!).map(entryText), [
    'INTEREST_PAYOUT: interest_expense -6115.07 · 1000000001 6115.07',
    'WITHHOLDING_TAX: 1000000001 -611.51 · tax_payable 611.51',
  ])
  assert.deepEqual(paidUp(deposit, FOUR_LESS, isoDate(X_PAID)).payments, [])
})

test('G8: upfront interest is paid, and taxed, at the opening', () => {
  const { payments } = paidUp(depositY(false, FIRST_RULES), FIRST_RULES, isoDate('2026-02-01'), KEEP)
  assert.deepEqual(
    payments.map(({ from, to, interest, tax, net }) => [from, to, ...[interest, tax, net].map(formatAmount)]),
    [['2026-02-01', '2026-07-31', '24657.53', '2465.75', '22191.78']],
  )
})

test('the entries of F6 and G10', () => {
  const [waived] = broken(depositX(), FOUR_LESS, {
    on: X_PAID,
    parts: [FULL],
    waiver: waiving({ percentPpm: 500_000 }),
  })
  assert.deepEqual(liquidationMovements(waived!).map(entryText), [
    'LIQUIDATION: fd_1 -600000.00 · interest_expense -1972.60 · penal_income 7265.76 · penal_waived -5293.16 · 1000000001 600000.00',
    'INTEREST_RECOVERY: 1000000001 -3320.55 · penal_income 3320.55',
  ])
  const [returned] = broken(depositX(), FOUR_LESS, { on: X_PAID, parts: [FULL], tax: RETURN })
  assert.deepEqual(liquidationMovements(returned!).map(entryText), [
    'LIQUIDATION: fd_1 -600000.00 · interest_expense -1972.60 · penal_income 1972.60 · 1000000001 600000.00',
    'INTEREST_RECOVERY: 1000000001 -8613.71 · penal_income 8613.71',
    'TAX_RETURN: 1000000001 861.37 · tax_payable -861.37',
  ])
})

test('E11, B1, H3, H4: what maturity pays of each method and instruction', () => {
  const at = new Date('2027-02-01T10:00:00.000Z')
  const settledAtMaturity = (deposit: Deposit, rules: RuleSet, tax: Tax | null = null) => {
    const { maturities } = decideMaturities(
      {
        rulesOf: () => rules,
        inForce: { version: 1, rules },
        balances: new Map([[deposit.accountNumber, 0n]]),
        productOf: () => renewing(),
        successorIds: ['fd_2'],
        taxVersions: taxVersions(tax),
        taxStatuses: new Map(),
        movedFrom: null,
      },
      [deposit],
      { at, today: isoDate('2027-01-20') },
    )
    const [maturity] = maturities
    return {
      payments: maturity!.payments.length,
      lines: maturityMovements(maturity!).closing.map(entryText),
      successor: maturity!.successor && formatAmount(maturity!.successor.principal),
    }
  }
  const rest = { ...paidUp(depositY(true, HALF_OF_ACCRUED), HALF_OF_ACCRUED, isoDate('2026-02-01')).deposit }
  const [part] = broken(rest, HALF_OF_ACCRUED, { on: Y_DAY, parts: [partial('200000.00')] })
  assert.deepEqual(settledAtMaturity(afterwards(rest, part!) as Deposit, HALF_OF_ACCRUED), {
    payments: 0,
    lines: ['MATURITY: fd_1 -300000.00 · 1000000001 300000.00'],
    successor: null,
  })
  assert.deepEqual(settledAtMaturity({ ...depositX(), instruction: 'ROLL_OVER' }, FOUR_LESS), {
    payments: 11,
    lines: [
      'MATURITY: fd_1 -600000.00 · interest_expense -6115.07 · 1000000001 6115.07 · rollover_clearing 600000.00',
    ],
    successor: '600000.00',
  })
  const z = depositWith({ instruction: 'ROLL_OVER_PRINCIPAL' })
  assert.deepEqual(settledAtMaturity(z, FIRST_RULES, KEEP), {
    payments: 0,
    lines: [
      'MATURITY: fd_1 -100000.00 · interest_expense -10000.00 · 1000000001 10000.00 · rollover_clearing 100000.00',
      'WITHHOLDING_TAX: 1000000001 -1000.00 · tax_payable 1000.00',
    ],
    successor: '100000.00',
  })
  assert.equal(addMonths(isoDate('2026-01-15'), 12), depositX().maturityDate)
})

const YEARLY: RateSheet = {
  number: 2,
  effectiveFrom: isoDate('2026-01-01'),
  tenorUnit: 'MONTH',
  tenorFrom: [0, 12],
  amountFrom: [minor(0n)],
  ratesPpm: [[0], [110_000]],
}

function renewing(changes: Partial<Product> = {}, sheets: RateSheet[] = [YEARLY]): RenewingProduct {
  const product: Product = {
    name: 'Monthly',
    currency: 'NGN',
    status: 'OPEN',
    minAmount: minor(1_00n),
    maxAmount: null,
    tenor: { unit: 'MONTH', min: 1, max: 36, multiple: 1 },
    interest: { method: 'PAYOUT', every: 'MONTH', recoverPaidInterest: true },
    maturity: { onHoliday: 'NEXT_BUSINESS_DAY', instruction: 'PAY_OUT', rolloverLimit: null },
    negotiatedRate: null,
    bonuses: new Map([['STAFF', 10_000]]),
    rules: null,
    ...changes,
  }
  const calendar = { weekend: ['SAT', 'SUN'], holidays: [] } as const
  return {
    version: { productCode: 'P', version: 3, product, createdAt: new Date(0) },
    rolloverLimit: null,
    sheets,
    calendar: { version: 4, document: calendar },
  }
}

function renewedOf(deposit: Deposit, product: RenewingProduct) {
  const inForce = { version: 7, rules: FIRST_RULES }
  const { maturities } = decideMaturities(
    {
      rulesOf: () => FOUR_LESS,
      inForce,
      productOf: () => product,
      balances: new Map([[deposit.accountNumber, 0n]]),
      successorIds: ['fd_2'],
      taxVersions: [],
      taxStatuses: new Map(),
      movedFrom: null,
    },
    [deposit],
    { at: new Date('2027-01-15T10:00:00.000Z'), today: isoDate('2027-01-15') },
  )
  return maturities[0]!
}

test('a product renews a deposit by its latest version, at the sheet and calendar of the maturity date', () => {
  const deposit: Deposit = {
    ...depositX(),
    instruction: 'ROLL_OVER',
    bonusCodes: ['STAFF', 'LOST'],
    rollovers: 2,
    negotiated: true,
  }
  const { successor, rolloverRefused } = renewedOf(deposit, renewing())
  assert.equal(rolloverRefused, null)
  assert.deepEqual(
    {
      productVersion: successor!.productVersion,
      rateSheet: successor!.rateSheet,
      annualRatePpm: successor!.annualRatePpm,
      bonusCodes: successor!.bonusCodes,
      bonusPpm: successor!.bonusPpm,
      rulesVersion: successor!.rulesVersion,
      rollovers: successor!.rollovers,
      calendarVersion: successor!.calendarVersion,
      negotiated: successor!.negotiated,
      dates: [successor!.startDate, successor!.maturityDate, successor!.nextInterestDate],
      agreedTenor: successor!.agreedTenor,
    },
    {
      productVersion: 3,
      rateSheet: 2,
      annualRatePpm: 120_000,
      bonusCodes: ['STAFF'],
      bonusPpm: 10_000,
      rulesVersion: 7,
      rollovers: 3,
      calendarVersion: 4,
      negotiated: false,
      // 2028-01-15 is a Saturday.
      dates: ['2027-01-15', '2028-01-17', '2027-02-15'],
      agreedTenor: { unit: 'MONTH', count: 12 },
    },
  )
})

test('the limit of rollovers is that of the version which the deposit keeps, whatever the newest says', () => {
  const deposit: Deposit = { ...depositX(), instruction: 'ROLL_OVER', rollovers: 2 }
  const maturity = { onHoliday: 'SAME_DAY', instruction: 'ROLL_OVER', rolloverLimit: 0 } as const
  assert.equal(renewedOf(deposit, renewing({ maturity })).rolloverRefused, null)
  assert.equal(renewedOf(deposit, { ...renewing(), rolloverLimit: 3 }).rolloverRefused, null)
  assert.equal(renewedOf(deposit, { ...renewing(), rolloverLimit: 2 }).rolloverRefused, 'rollover_limit')
})

test('what an opening would refuse is paid out instead, and says why', () => {
  const deposit: Deposit = { ...depositX(), instruction: 'ROLL_OVER', bonusCodes: ['STAFF'] }
  const upfront = { method: 'UPFRONT', every: null, recoverPaidInterest: true } as const
  const dear = { ...YEARLY, ratesPpm: [[0], [1_000_000]] }
  const cases: [RenewingProduct, string][] = [
    [renewing({ status: 'CLOSED' }), 'product_closed'],
    [renewing({ minAmount: minor(700_000_00n) }), 'amount_not_offered'],
    [renewing({ tenor: { unit: 'MONTH', min: 1, max: 6, multiple: 1 } }), 'tenor_not_offered'],
    [renewing({}, []), 'no_rate_sheet'],
    [{ ...renewing(), rolloverLimit: 0 }, 'rollover_limit'],
    [{ ...renewing({ status: 'CLOSED' }), rolloverLimit: 0 }, 'rollover_limit'],
    [renewing({ bonuses: new Map([['STAFF', -110_000]]) }), 'rate_out_of_range'],
    [renewing({ interest: upfront, bonuses: new Map() }, [dear]), 'upfront_interest_too_high'],
  ]
  for (const [product, code] of cases) {
    const settled = renewedOf(deposit, product)
    assert.deepEqual([settled.rolloverRefused, settled.successor], [code, null])
    assert.deepEqual([settled.deposit.status, formatAmount(settled.net)], ['MATURED', '606115.07'])
  }
})

test('an upfront successor pays its interest on the day it opens', () => {
  const deposit: Deposit = { ...depositX(), instruction: 'ROLL_OVER' }
  const upfront = { method: 'UPFRONT', every: null, recoverPaidInterest: false } as const
  const { successor, successorPayments } = renewedOf(deposit, renewing({ interest: upfront }))
  assert.deepEqual(
    successorPayments.map(({ depositId, from, to, interest }) => [
      depositId,
      from,
      to,
      formatAmount(interest),
    ]),
    [['fd_2', '2027-01-15', '2028-01-17', '66361.64']],
  )
  assert.equal(formatAmount(successor!.paid), '66361.64')
})

test('upfront interest of a successor leaves less room for that of the next one on its account', () => {
  const interest = { method: 'UPFRONT', every: null, recoverPaidInterest: false } as const
  const term = { startDate: isoDate('2026-01-15'), agreedTenor: { unit: 'MONTH', count: 12 } } as const
  const due = (depositId: string) =>
    opened({ ...interest, ...term, depositId, instruction: 'ROLL_OVER' }, FIRST_RULES)
  // 11 percent of 100,000.00 for each of them, in the 367 days to a Monday.
  const { maturities, unsettled } = decideMaturities(
    {
      ...{ rulesOf: () => FIRST_RULES, inForce: { version: 1, rules: FIRST_RULES } },
      productOf: () => renewing({ interest }),
      balances: new Map([['1000000001', MINOR_MAX - 22_120_53n]]),
      successorIds: ['fd_3', 'fd_4'],
      ...{ taxVersions: [], taxStatuses: new Map(), movedFrom: null },
    },
    [due('fd_1'), due('fd_2')],
    { at: new Date('2027-01-15T10:00:00.000Z'), today: isoDate('2027-01-15') },
  )
  assert.deepEqual(
    maturities.map(({ successorPayments }) => successorPayments.map((payment) => payment.interest)),
    [[11_060_27n]],
  )
  assert.deepEqual(unsettled, [{ depositId: 'fd_2', code: 'balance_limit_exceeded' }])
})

test('a successor has the rules of its product, where that has its own', () => {
  const deposit: Deposit = { ...depositX(), instruction: 'ROLL_OVER' }
  const expected = (rules: RuleSet | null) =>
    formatAmount(renewedOf(deposit, renewing({ rules })).successor!.expectedInterest)
  // 367 days of 365 or of 360, in 13 payments.
  assert.deepEqual(
    [expected(null), expected({ ...FIRST_RULES, dayCount: 'ACT/360' })],
    ['66361.65', '67283.31'],
  )
})

function entryText({
  kind,
  postings,
}: {
  kind: string
  postings: readonly { account: string; amount: bigint }[]
}) {
  return `${kind}: ${postings.map(({ account, amount }) => `${account} ${formatAmount(amount)}`).join(' · ')}`
}
