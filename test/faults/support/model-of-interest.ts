/** What deposits of every method earn and are paid, as an independent evaluator has it. */
import {
  breakModel,
  type ModelDeposit,
  type ModelFigures,
  type ModelTax,
  matureModel,
  payModel,
  type Taxed,
  taxOn,
} from '../../domain/life-model.ts'
import { type ExactTerms, earnedOf, monthsAfter, periodInterest } from '../../support/exact-interest.ts'
import { type ModelCalendar, openDay } from './calendars.ts'
import { type Taxing, taxingOn } from './model-of-tax.ts'
import {
  amountText,
  type BookState,
  type Broken,
  type DepositState,
  daysLater,
  type Evidence,
  lagosDate,
  type ModelRules,
  readData,
  shows,
  TENOR_DAYS,
} from './state.ts'
import type { ProductCode } from './workload.ts'

/** Every product has this tenor. */
export const TENOR_MONTHS = 7

export const PRODUCTS: Record<ProductCode, Pick<DepositState, 'method' | 'every' | 'recovers'>> = {
  MONTHLY: { method: 'PAYOUT', every: 'MONTH', recovers: true },
  UPFRONT: { method: 'UPFRONT', every: null, recovers: false },
  QUARTERLY: { method: 'COMPOUND', every: 'QUARTER', recovers: false },
}

type Interest = Pick<
  DepositState,
  'productCode' | 'method' | 'every' | 'recovers' | 'paid' | 'paidTax' | 'paidTo'
>

/** Of a deposit on which nothing was paid yet. */
export function unpaid(productCode: ProductCode | null): Interest {
  const terms =
    productCode === null ? { method: 'AT_MATURITY', every: null, recovers: false } : PRODUCTS[productCode]
  return { productCode, ...terms, paid: 0n, paidTax: 0n, paidTo: null }
}

/** Deposits by these products mature on a day on which the bank is open. */
export const MOVED_PRODUCTS: readonly string[] = ['MONTHLY', 'QUARTERLY']

/** The agreed maturity, or the next day on which the bank is open by the calendar of the day of opening. */
export function maturityOf(startDate: string, productCode: string | null, calendar: ModelCalendar): string {
  const agreed = agreedOf({ startDate, productCode })
  return productCode !== null && MOVED_PRODUCTS.includes(productCode) ? openDay(calendar, agreed) : agreed
}

export function agreedOf({
  startDate,
  productCode,
}: Pick<DepositState, 'startDate' | 'productCode'>): string {
  return productCode === null ? daysLater(startDate, TENOR_DAYS) : monthsAfter(startDate, TENOR_MONTHS)
}

function modelOf(
  deposit: DepositState,
  rules: Pick<ModelRules, 'percentOf' | 'percentPpm'>,
  tax: ModelTax | null = null,
): ModelDeposit {
  const charge = { kind: 'PERCENT', of: rules.percentOf, ppm: rules.percentPpm } as const
  return {
    terms: termsOf(deposit),
    rules: { charges: [charge], combine: 'SUM', min: 0n, max: null },
    tax,
    recover: deposit.recovers,
  }
}

function termsOf(deposit: DepositState): ExactTerms {
  const { method, every, ratePpm, startDate, maturityDate } = deposit
  const dates = { start: startDate, agreed: agreedOf(deposit), maturity: maturityDate }
  return { method, every, ratePpm, ...dates, dayCount: 'ACT/365F', rounding: 'HALF_UP', unit: 1n }
}

/** It has no charges: they do not matter where nothing is broken. */
const NO_CHARGE = { percentOf: 'PRINCIPAL', percentPpm: 0n } as const

function paidState({ remaining, paid, paidTax, paidTo, broken }: DepositState) {
  return { remaining, paid, paidTax, paidTo, day: broken && { ...broken, assessed: broken.charge } }
}

/** Interest that has to be paid before anything else moves the deposit's money. */
export function hasDue(deposit: DepositState, on: string): boolean {
  return countDue(deposit, on) > 0
}

export function countDue(deposit: DepositState, on: string): number {
  if (deposit.status !== 'ACTIVE') return 0
  if (deposit.method === 'UPFRONT') return deposit.paid === 0n ? 1 : 0
  return payModel(modelOf(deposit, NO_CHARGE), paidState(deposit), on).payments.length
}

/** The deposit after all that is due was paid, for a look at what would be. */
export function paidUp(deposit: DepositState, on: string, taxing: Taxing | null = null): DepositState {
  const { state } = payModel(modelOf(deposit, NO_CHARGE, taxing?.tax), paidState(deposit), on)
  return { ...deposit, paid: state.paid, paidTax: state.paidTax, paidTo: state.paidTo }
}

export function breakPart(
  deposit: DepositState,
  rules: ModelRules,
  asked: {
    part: bigint
    on: string
    waivedPpm?: bigint | undefined
    tax?: ModelTax | null
    taxedEarlier?: Taxed
  },
): { figures: ModelFigures; broken: Broken; paid: bigint; paidTax: bigint } {
  const model = modelOf(deposit, rules, asked.tax)
  const { figures, state } = breakModel(model, paidState(deposit), {
    ...asked,
    waivedPpm: asked.waivedPpm ?? null,
  })
  const { assessed: charge, ...sums } = state.day!
  return { figures, broken: { ...sums, charge }, paid: state.paid, paidTax: state.paidTax }
}

/** What maturity pays besides the principal, and what is withheld of it. */
export function lastInterest(
  deposit: DepositState,
  taxing: Taxing | null,
): { interest: bigint; tax: bigint } {
  return matureModel(modelOf(deposit, NO_CHARGE, taxing?.tax), paidState(deposit))
}

/** What an active deposit has earned by a day. */
export function earnedBy(deposit: DepositState, on: string): bigint {
  const { status, remaining: principal, paid, paidTo } = deposit
  return status === 'ACTIVE' ? earnedOf(termsOf(deposit), { principal, paid, paidTo }, on) : paid
}

/** What the whole term earns, paid before or not. */
export function termInterest(deposit: DepositState): bigint {
  const terms = termsOf(deposit)
  if (deposit.method === 'UPFRONT') {
    return periodInterest(terms, deposit.remaining, terms.start, terms.maturity)
  }
  return earnedOf(terms, { principal: deposit.remaining, paid: 0n, paidTo: null }, terms.maturity)
}

/** One period of one deposit is paid, whatever made it: the job, or a change that had to make it first. */
export function stepPayment(
  state: BookState,
  { depositId }: { depositId: string },
  { event }: Evidence,
): BookState | null {
  const deposit = state.deposits.get(depositId)
  const on = lagosDate(event!.at)
  if (deposit === undefined || !hasDue(deposit, on)) return null
  const terms = termsOf(deposit)
  const payment =
    deposit.method === 'UPFRONT'
      ? { from: terms.start, to: terms.maturity, interest: termInterest(deposit) }
      : payModel(modelOf(deposit, NO_CHARGE), paidState(deposit), on).payments[0]!
  const { interest } = payment
  const tax = taxOn(taxingOn(state, deposit.accountNumber, on)?.tax ?? null, interest, terms.unit)
  const net = interest - tax
  const expected = {
    ...{ deposit_id: depositId, from: payment.from, to: payment.to, interest: amountText(interest) },
    ...{ tax: amountText(tax), net: amountText(net), credited_account: deposit.accountNumber },
  }
  if (!shows(readData(`{"data":${event!.data}}`), expected)) return null
  const paidTo = deposit.method === 'UPFRONT' ? null : payment.to
  const sums = { paid: deposit.paid + interest, paidTax: deposit.paidTax + tax }
  const balance = state.balances.get(deposit.accountNumber)!
  return {
    ...state,
    deposits: new Map(state.deposits).set(depositId, { ...deposit, ...sums, paidTo }),
    balances: new Map(state.balances).set(deposit.accountNumber, balance + net),
  }
}
