/**
 * Opening a deposit by a product. What was agreed is pinned: the versions of product and calendar, the rate sheet, the
 * bonuses and the maturity. Interest that is due on the first day is paid with the opening.
 *
 * Refusals, in order: account, name, product, currency, whole units, start date, what the product offers, value at
 * maturity, funds.
 */
import type { Calendar } from './calendar.ts'
import { daysBetween, type IsoDate } from './dates.ts'
import {
  type Account,
  type Deposit,
  interestAtMaturity,
  type MaturityInstruction,
  newDeposit,
  type RulesInForce,
} from './deposit.ts'
import type { Version } from './document.ts'
import type { Moment } from './moment.ts'
import { existsIn, MINOR_MAX, minor } from './money.ts'
import { type OwnReference, refuseTaken, type TakenNames } from './own-reference.ts'
import { beforePayments, type InterestPayment, payAtOpening } from './payments.ts'
import { type Offer, offerFor, type ProductVersion, type Wish } from './product.ts'
import { refuseStart, refuseValue, termsByOffer } from './product-quote.ts'
import type { RateSheet } from './rate-sheet.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import type { Taxation } from './tax.ts'
import type { Terms } from './terms.ts'

export type ProductOpening = OwnReference &
  Omit<Wish, 'startDate'> & {
    depositId: string
    accountNumber: string
    productCode: string
    /** null: today. */
    startDate: IsoDate | null
    /** null: that of the product. */
    instruction: MaturityInstruction | null
  }

export type KnownOfProduct = {
  version: ProductVersion | undefined
  sheets: readonly RateSheet[]
  calendar: Pick<Version<Calendar>, 'version' | 'document'>
}

export type OpenedByProduct = {
  outcome: 'opened'
  deposit: Deposit
  rules: RuleSet
  payments: InterestPayment[]
  /** The balance of the account afterwards. */
  balance: bigint
  offer: Offer
}

export function decideProductOpening(
  known: KnownOfProduct & {
    account: Account | undefined
    inForce: RulesInForce
    taken: TakenNames
    taxation: Taxation | null
  },
  request: ProductOpening,
  moment: Moment,
): OpenedByProduct | Refusal {
  const { account, version, inForce } = known
  if (account === undefined) return refuse('account_not_found')
  const taken = refuseTaken(known.taken, request.externalId)
  if (taken !== null) return taken
  if (version === undefined) return refuse('product_not_found')
  const { product } = version
  if (product.status === 'CLOSED') return refuse('product_closed')
  const { currency } = product
  if (currency !== account.currency) return refuse('currency_mismatch', { currency })
  const { amount, tenor } = request
  if (!existsIn(currency, amount)) return refuse('amount_not_whole', { currency })
  const startDate = request.startDate ?? moment.today
  const instruction = request.instruction ?? product.maturity.instruction
  const wrongStart = refuseStart({ startDate, instruction, tenor }, product, moment.today)
  if (wrongStart !== null) return wrongStart
  const wish = { ...request, startDate }
  const offered = offerFor(wish, { product, sheets: known.sheets, calendar: known.calendar.document })
  if (offered.outcome === 'refused') return offered
  const { offer } = offered
  const rules = product.rules === null ? inForce.rules : { ...product.rules, sheets: known.sheets }
  const terms = termsByOffer(offer, wish, { product, rules, rulesVersion: inForce.version })
  const expected = interestAtMaturity(amount, terms)
  const wrongValue = refuseValue(product, amount, expected)
  if (wrongValue !== null) return wrongValue
  if (amount > account.balance) return refuse('insufficient_funds', { balance: account.balance })

  const { version: calendarVersion } = known.calendar
  const opened = depositOf(
    request,
    { account, version, calendarVersion, offer, terms, instruction, expectedInterest: minor(expected) },
    moment.at,
  )
  const balance = account.balance - amount
  const context = { terms, moment, taxationOn: () => known.taxation, balance }
  const paid = payAtOpening(opened, context)
  if (paid.blocked) return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })

  // After this point the deposit is opened.
  return { outcome: 'opened', ...paid, rules, offer }
}

function depositOf(
  request: ProductOpening,
  agreed: Pick<Deposit, 'calendarVersion' | 'instruction' | 'expectedInterest'> & {
    account: Account
    version: ProductVersion
    offer: Offer
    terms: Terms
  },
  at: Date,
): Deposit {
  const { account, version, offer, terms, calendarVersion, instruction, expectedInterest } = agreed
  const { startDate } = terms
  return {
    ...newDeposit(request, account, at),
    principal: request.amount,
    remaining: request.amount,
    expectedInterest,
    currency: version.product.currency,
    ...version.product.interest,
    annualRatePpm: offer.annualRatePpm,
    startDate,
    maturityDate: offer.maturityDate,
    agreedTenor: request.tenor,
    rulesVersion: terms.rulesVersion,
    productCode: version.productCode,
    productVersion: version.version,
    rateSheet: offer.rateSheet,
    bonusCodes: request.bonusCodes,
    bonusPpm: offer.bonusPpm,
    negotiated: request.negotiatedPpm !== null,
    calendarVersion,
    ...beforePayments(terms),
    tenorDays: daysBetween(startDate, offer.maturityDate),
    instruction,
    rollovers: 0,
  }
}
