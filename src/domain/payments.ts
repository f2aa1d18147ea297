/**
 * Interest that is paid before maturity. Whatever moves the money of a deposit first makes, in the same transaction, the
 * payments that are due by the business date: so it never matters what comes first on a day.
 *
 * Guarantees: oldest first; each payment is rounded by itself, on what remains; the last period is paid with the
 * maturity; interest paid at the start is one payment for the whole term.
 */
import assert from 'node:assert/strict'
import type { IsoDate } from './dates.ts'
import {
  type BreakableDeposit,
  type Deposit,
  type InterestPaid,
  NOTHING_PAID,
  type RulesOf,
} from './deposit.ts'
import { interestOfPeriod } from './interest.ts'
import { type Movement, payoutPostings, taxMovements } from './ledger.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { boundaryAfter, type Period } from './schedule.ts'
import { type Taxation, type Taxed, type TaxKnown, taxationAt, taxedBy, withholdingTax } from './tax.ts'
import { type Terms, termsOf } from './terms.ts'

export type InterestPayment = Period & {
  depositId: string
  accountNumber: string
  /** What the interest was paid on. */
  principal: Minor
  interest: Minor
  tax: Minor
  taxed: Taxed | null
  net: Minor
  businessDate: IsoDate
  at: Date
}

/** With its ledger entry, where it moved money. */
export type StoredPayment = InterestPayment & { entryId: string | null }

/** What of a deposit a payment depends on, besides its terms. */
export type PayingDeposit = InterestPaid &
  Pick<BreakableDeposit, 'depositId' | 'accountNumber' | 'status' | 'remaining'>

export type PaymentContext = {
  terms: Terms
  moment: Moment
  /** How interest is taxed that falls due on a day. */
  taxationOn: (due: IsoDate) => Taxation | null
  /** The balance of the account that is paid. */
  balance: bigint
}

export type BroughtForward<Paying> = {
  deposit: Paying
  payments: InterestPayment[]
  balance: bigint
  /** The next payment would exceed the largest balance of an account. */
  blocked: boolean
}

/** At most `max` payments; the rest stays due. */
export function bringForward<Paying extends PayingDeposit>(
  deposit: Paying,
  context: PaymentContext,
  max = Number.POSITIVE_INFINITY,
): BroughtForward<Paying> {
  const { terms, moment } = context
  const brought: BroughtForward<Paying> = { deposit, payments: [], balance: context.balance, blocked: false }
  if (deposit.status !== 'ACTIVE') return brought
  for (let due = deposit.nextInterestDate; due !== null && due < terms.maturityDate; ) {
    if (due > moment.today || brought.payments.length >= max) break
    const period = { from: brought.deposit.paidTo ?? terms.startDate, to: due }
    const payment = paymentOf(brought.deposit, period, context)
    if (brought.balance + payment.interest > MINOR_MAX) return { ...brought, blocked: true }
    const next = boundaryAfter(terms, due)
    brought.deposit = { ...withPayment(brought.deposit, payment), paidTo: due, nextInterestDate: next }
    brought.payments.push(payment)
    brought.balance += payment.net
    due = next
  }
  return brought
}

/** What the locks protect. */
export type KnownOfPayments = TaxKnown & {
  rulesOf: RulesOf
  balances: ReadonlyMap<string, bigint>
}

export type PaidInterest = { deposit: Deposit; payments: readonly InterestPayment[] }

/**
 * The interest of many deposits that is due, at most `max` payments of each. What an account cannot take is reported, and
 * tried again.
 */
export function decidePayments(
  known: KnownOfPayments,
  { deposits, max }: { deposits: readonly Deposit[]; max: number },
  moment: Moment,
): { paid: PaidInterest[]; unpaid: string[] } {
  const balances = new Map(known.balances)
  const paid: PaidInterest[] = []
  const unpaid: string[] = []
  for (const deposit of deposits) {
    const { depositId, accountNumber } = deposit
    const balance = balances.get(accountNumber)
    assert(balance !== undefined, 'the account a deposit pays to exists')
    const taxationOn = (due: IsoDate) => taxationAt(due, accountNumber, known, moment)
    const context = { terms: termsOf(deposit, known.rulesOf(deposit)), moment, taxationOn, balance }
    const forward = bringForward(deposit, context, max)
    if (forward.blocked) unpaid.push(depositId)
    if (forward.payments.length === 0) continue
    balances.set(accountNumber, forward.balance)
    paid.push({ deposit: { ...forward.deposit, updatedAt: moment.at }, payments: forward.payments })
  }
  return { paid, unpaid }
}

/** As it will be when the interest up to a day is paid and nothing else happens. */
export function paidUpTo<Paying extends PayingDeposit>(
  deposit: Paying,
  terms: Terms,
  on: IsoDate,
  taxationOn: PaymentContext['taxationOn'] = () => null,
): Paying {
  const moment = { at: new Date(0), today: on }
  return bringForward(deposit, { terms, moment, taxationOn, balance: 0n }).deposit
}

/** How many payments are due, at most one more than `max`. */
export function countDue(
  deposit: Pick<PayingDeposit, 'nextInterestDate'>,
  terms: Terms,
  on: IsoDate,
  max: number,
): number {
  let count = 0
  for (let due = deposit.nextInterestDate; due !== null && due < terms.maturityDate && due <= on; ) {
    count += 1
    if (count > max) break
    due = boundaryAfter(terms, due)
  }
  return count
}

/** A new deposit before anything is paid on it. */
export function beforePayments(terms: Terms): InterestPaid {
  return { ...NOTHING_PAID, nextInterestDate: nextInterestDate(terms, null) }
}

/** The deposit is active. */
export function nextInterestDate(terms: Terms, paidTo: IsoDate | null): IsoDate | null {
  return terms.method === 'PAYOUT' ? boundaryAfter(terms, paidTo ?? terms.startDate) : null
}

/** All that a new deposit pays on its first day: interest of the whole term, or what fell due since an earlier start. */
export function payAtOpening<Paying extends PayingDeposit>(
  deposit: Paying,
  context: PaymentContext,
): BroughtForward<Paying> {
  const { terms, balance } = context
  if (terms.method !== 'UPFRONT') return bringForward(deposit, context)
  const payment = paymentOf(deposit, { from: terms.startDate, to: terms.maturityDate }, context)
  if (balance + payment.interest > MINOR_MAX) return { deposit, payments: [], balance, blocked: true }
  return {
    deposit: withPayment(deposit, payment),
    payments: [payment],
    balance: balance + payment.net,
    blocked: false,
  }
}

/** A payment of nothing moves no money. */
export function paymentMovements(payment: InterestPayment): Movement[] {
  if (payment.interest === 0n) return []
  return [
    { kind: 'INTEREST_PAYOUT', postings: payoutPostings(payment) },
    ...taxMovements({ takenFrom: payment.accountNumber, tax: payment.tax }),
  ]
}

function paymentOf(
  { depositId, accountNumber, remaining: principal }: PayingDeposit,
  period: Period,
  { terms, moment, taxationOn }: PaymentContext,
): InterestPayment {
  const interest = minor(interestOfPeriod(terms, principal, period))
  const taxation = taxationOn(terms.method === 'UPFRONT' ? period.from : period.to)
  const tax = withholdingTax(taxation, { interest, penal: 0n, total: interest, unit: terms.unit })
  return {
    depositId,
    accountNumber,
    ...period,
    principal,
    interest,
    tax,
    taxed: taxation && taxedBy(taxation),
    net: minor(interest - tax),
    businessDate: moment.today,
    at: moment.at,
  }
}

function withPayment<Paying extends PayingDeposit>(
  deposit: Paying,
  { interest, tax }: InterestPayment,
): Paying {
  return { ...deposit, paid: minor(deposit.paid + interest), paidTax: minor(deposit.paidTax + tax) }
}
