/** What deposits of every method earn and are paid, as an independent evaluator has it. */
import {
  breakModel,
  type ModelDeposit,
  type ModelFigures,
  matureModel,
  payModel,
} from '../../domain/life-model.ts'
import { type ExactTerms, earnedOf, monthsAfter, periodInterest } from '../../support/exact-interest.ts'
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

type Interest = Pick<DepositState, 'productCode' | 'method' | 'every' | 'recovers' | 'paid' | 'paidTo'>

/** Of a deposit on which nothing was paid yet. */
export function unpaid(productCode: ProductCode | null): Interest {
  const terms =
    productCode === null ? { method: 'AT_MATURITY', every: null, recovers: false } : PRODUCTS[productCode]
  return { productCode, ...terms, paid: 0n, paidTo: null }
}

export function maturityOf(startDate: string, productCode: string | null): string {
  return productCode === null ? daysLater(startDate, TENOR_DAYS) : monthsAfter(startDate, TENOR_MONTHS)
}

function modelOf(deposit: DepositState, rules: Pick<ModelRules, 'percentOf' | 'percentPpm'>): ModelDeposit {
  const charge = { kind: 'PERCENT', of: rules.percentOf, ppm: rules.percentPpm } as const
  return {
    terms: termsOf(deposit),
    rules: { charges: [charge], combine: 'SUM', min: 0n, max: null },
    tax: null,
    recover: deposit.recovers,
  }
}

function termsOf({ method, every, ratePpm, startDate, maturityDate }: DepositState): ExactTerms {
  const dates = { start: startDate, agreed: maturityDate, maturity: maturityDate }
  return { method, every, ratePpm, ...dates, dayCount: 'ACT/365F', rounding: 'HALF_UP', unit: 1n }
}

/** It has no charges: they do not matter where nothing is broken. */
const NO_CHARGE = { percentOf: 'PRINCIPAL', percentPpm: 0n } as const

function paidState({ remaining, paid, paidTo, broken }: DepositState) {
  const NONE = { penal: 0n, tax: 0n, taxShare: 0n, taxReturned: 0n }
  const day = broken && { ...NONE, ...broken, assessed: broken.charge }
  return { remaining, paid, paidTax: 0n, paidTo, day }
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
export function paidUp(deposit: DepositState, on: string): DepositState {
  const { state } = payModel(modelOf(deposit, NO_CHARGE), paidState(deposit), on)
  return { ...deposit, paid: state.paid, paidTo: state.paidTo }
}

export function breakPart(
  deposit: DepositState,
  rules: ModelRules,
  asked: { part: bigint; on: string },
): { figures: ModelFigures; broken: Broken; paid: bigint } {
  const model = modelOf(deposit, rules)
  const { figures, state } = breakModel(model, paidState(deposit), { ...asked, waivedPpm: null })
  const { on, principal, interest, assessed, paidShare, unearned, recovered } = state.day!
  const broken = { on, principal, interest, charge: assessed, paidShare, unearned, recovered }
  return { figures, broken, paid: state.paid }
}

/** What maturity pays besides the principal. */
export function lastInterest(deposit: DepositState): bigint {
  return matureModel(modelOf(deposit, NO_CHARGE), paidState(deposit)).interest
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
  const amount = amountText(payment.interest)
  const expected = {
    ...{ deposit_id: depositId, from: payment.from, to: payment.to, interest: amount, tax: '0.00' },
    ...{ net: amount, credited_account: deposit.accountNumber },
  }
  if (!shows(readData(`{"data":${event!.data}}`), expected)) return null
  const paidTo = deposit.method === 'UPFRONT' ? null : payment.to
  const paid = deposit.paid + payment.interest
  const balance = state.balances.get(deposit.accountNumber)!
  return {
    ...state,
    deposits: new Map(state.deposits).set(depositId, { ...deposit, paid, paidTo }),
    balances: new Map(state.balances).set(deposit.accountNumber, balance + payment.interest),
  }
}
