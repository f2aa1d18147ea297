/**
 * Taking over accounts and deposits from another system, against an account of the bank whose balance proves that all
 * came over. History is taken as it is: limits, status and negotiation of a product do not matter for what was agreed
 * long ago. Guarantee: nothing of the time before is paid again.
 */
import { addDays, daysBetween, type IsoDate } from './dates.ts'
import {
  type Account,
  type Deposit,
  earliestStart,
  expectedInterest,
  type InterestPaid,
  interestAtMaturity,
  type MaturityInstruction,
  NOTHING_PAID,
  newAccount,
  newDeposit,
  PLAIN_INTEREST,
  type RulesInForce,
  WITHOUT_PRODUCT,
} from './deposit.ts'
import type { Moment } from './moment.ts'
import { existsIn, MINOR_MAX, type Minor, minor } from './money.ts'
import { type OwnReference, refuseTaken, type TakenNames } from './own-reference.ts'
import { nextInterestDate } from './payments.ts'
import { bonusOf, type ProductVersion } from './product.ts'
import { type RateSheet, sheetInForce } from './rate-sheet.ts'
import { type Refusal, type RefusedField, refuse, refuseFields } from './refusal.ts'
import { cardRatesIn, namesCard, type RuleSet } from './rules.ts'
import { type AgreedTenor, agreedMaturityOf, boundaryAfter, type InterestMethod } from './schedule.ts'
import type { TaxStatus } from './tax.ts'
import { type Terms, termsOf } from './terms.ts'

export type AccountImport = OwnReference & {
  customer: { customerId: string } | { externalId: string }
  /** null: a new one. */
  accountNumber: string | null
  currency: string
  balance: Minor
}

export type KnownOfAccounts = {
  /** By identifier, and by external_id. */
  customers: (customer: AccountImport['customer']) => (TaxStatus & { customerId: string }) | undefined
  taken: TakenNames
  takenNumbers: Set<string>
}

export function decideAccountImport(
  known: KnownOfAccounts,
  request: AccountImport,
  { at, newNumber }: { at: Date; newNumber: () => string },
): { outcome: 'imported'; account: Account } | Refusal {
  const customer = known.customers(request.customer)
  if (customer === undefined) return refuse('customer_not_found')
  const taken = refuseTaken(known.taken, request.externalId)
  if (taken !== null) return taken
  if (request.accountNumber !== null && known.takenNumbers.has(request.accountNumber)) {
    return refuse('account_number_taken')
  }
  const { currency, balance, externalId, metadata } = request
  const { customerId, taxClass, taxValidUntil } = customer
  return {
    outcome: 'imported',
    account: newAccount({
      accountNumber: request.accountNumber ?? newNumber(),
      ...{ customerId, currency, balance, createdAt: at, externalId, metadata, taxClass, taxValidUntil },
    }),
  }
}

export type DepositImport = OwnReference & {
  depositId: string
  accountNumber: string
  /** At the opening. */
  principal: Minor
  /** Now. */
  remaining: Minor
  productCode: string | null
  annualRatePpm: number
  tenor: AgreedTenor
  startDate: IsoDate
  /** null: the agreed one. */
  maturityDate: IsoDate | null
  /** What was paid before, on what remains; null where nothing was sent. */
  interestPaid: Minor | null
  interestPaidTo: IsoDate | null
  taxWithheld: Minor | null
  rollovers: number
  bonusCodes: readonly string[]
  /** null: that of the product, or to pay out. */
  instruction: MaturityInstruction | null
}

export type KnownOfDeposits = {
  account: Account | undefined
  inForce: RulesInForce
  taken: TakenNames
  version: ProductVersion | undefined
  sheets: readonly RateSheet[]
}

/** As it was when it came over. */
export type ImportedHistory = { depositId: string; remaining: Minor } & Omit<InterestPaid, 'nextInterestDate'>

export type ImportedDeposit = { deposit: Deposit; rules: RuleSet; history: ImportedHistory }

export function decideDepositImport(
  known: KnownOfDeposits,
  request: DepositImport,
  moment: Moment,
): ({ outcome: 'imported' } & ImportedDeposit) | Refusal {
  const { account, version, inForce } = known
  if (account === undefined) return refuse('account_not_found')
  const taken = refuseTaken(known.taken, request.externalId)
  if (taken !== null) return taken
  if (request.productCode !== null && version === undefined) return refuse('product_not_found')
  const { currency } = account
  const product = version?.product ?? null
  if (product !== null && product.currency !== currency)
    return refuse('currency_mismatch', { currency: product.currency })
  if (!amountsOf(request).every((amount) => existsIn(currency, amount)))
    return refuse('amount_not_whole', { currency })
  const { startDate, tenor, principal, remaining, annualRatePpm } = request
  const agreedMaturity = agreedMaturityOf(startDate, tenor)
  const maturityDate = request.maturityDate ?? agreedMaturity
  const instruction = request.instruction ?? product?.maturity.instruction ?? 'PAY_OUT'
  const wrongDates = refuseDates({ startDate, agreedMaturity, maturityDate, instruction }, moment.today)
  if (wrongDates !== null) return wrongDates
  const rules = product?.rules == null ? inForce.rules : { ...product.rules, sheets: known.sheets }
  const sold = soldBy(known, request, { rules, today: moment.today })
  if ('outcome' in sold) return sold
  const agreed = {
    ...(product === null ? PLAIN_INTEREST : { ...product.interest, agreedTenor: tenor }),
    ...{ currency, annualRatePpm, startDate, maturityDate, rulesVersion: inForce.version },
  }
  const terms = termsOf(agreed, rules)
  const paid = paidBefore(request, terms, moment.today)
  if ('outcome' in paid) return paid
  const expected = interestAtMaturity(principal, terms)
  if (agreed.method === 'UPFRONT' && paid.paid >= remaining) return refuse('upfront_interest_too_high')
  const left = remaining + expectedInterest({ ...agreed, ...paid, remaining }, rules)
  if (principal + expected > MINOR_MAX || left > MINOR_MAX)
    return refuse('maturity_value_out_of_range', { maximum: MINOR_MAX })

  // After this point the deposit is taken over.
  const { depositId, rollovers } = request
  const deposit: Deposit = {
    ...newDeposit(request, account, moment.at),
    ...{ principal, remaining, expectedInterest: minor(expected) },
    ...agreed,
    ...sold,
    ...paid,
    ...{ tenorDays: daysBetween(startDate, maturityDate), instruction, rollovers },
  }
  const { nextInterestDate: _, ...history } = paid
  return { outcome: 'imported', deposit, rules, history: { depositId, remaining, ...history } }
}

function amountsOf({ principal, remaining, interestPaid, taxWithheld }: DepositImport): Minor[] {
  return [principal, remaining, interestPaid ?? minor(0n), taxWithheld ?? minor(0n)]
}

/** As if a holiday had moved the maturity: no row of holidays is longer. */
const MATURITY_MOVED_DAYS_MAX = 10

function refuseDates(
  dates: {
    startDate: IsoDate
    agreedMaturity: IsoDate
    maturityDate: IsoDate
    instruction: MaturityInstruction
  },
  today: IsoDate,
): Refusal | null {
  const { startDate, agreedMaturity, maturityDate, instruction } = dates
  if (startDate > today) return refuse('start_date_in_future', { business_date: today })
  const earliest = earliestStart({ instruction, tenorDays: daysBetween(startDate, agreedMaturity) }, today)
  if (startDate < earliest) return refuse('start_date_too_early', { earliest })
  const latest = addDays(agreedMaturity, MATURITY_MOVED_DAYS_MAX)
  if (maturityDate >= agreedMaturity && maturityDate <= latest) return null
  return refuse('maturity_date_invalid', { earliest: agreedMaturity, latest })
}

/** The newest version, and the sheet of the start; rules that ask for a sheet need one. */
function soldBy(
  { version, sheets }: KnownOfDeposits,
  { bonusCodes, startDate }: DepositImport,
  { rules, today }: { rules: RuleSet; today: IsoDate },
): typeof WITHOUT_PRODUCT | Refusal {
  if (version === undefined) return WITHOUT_PRODUCT
  const { product, productCode } = version
  const unknown = bonusCodes.find((code) => !product.bonuses.has(code))
  if (unknown !== undefined) return refuse('bonus_not_offered', { bonus: unknown })
  const sheet = sheetInForce(sheets, startDate)
  const needed = cardRatesIn(rules).length > 0
  if (needed && (sheet ?? sheetInForce(sheets, today)) === undefined) return refuse('no_rate_sheet')
  if (needed && sheet === undefined && namesCard(rules, 'CARD_AT_OPENING')) return refuse('no_rate_sheet')
  return {
    ...{ productCode, productVersion: version.version, rateSheet: sheet?.number ?? null, bonusCodes },
    ...{ bonusPpm: bonusOf(product, bonusCodes), negotiated: null, calendarVersion: null },
    recoverPaidInterest: product.interest.recoverPaidInterest,
  }
}

/** Which fields about interest paid before each method requires, and which it forbids. */
function paidBefore(request: DepositImport, terms: Terms, today: IsoDate): InterestPaid | Refusal {
  const { interestPaid, interestPaidTo, taxWithheld } = request
  const wrong = wrongFields(terms.method, {
    interest_paid: interestPaid,
    interest_paid_to: interestPaidTo,
    tax_withheld: taxWithheld,
  })
  if (wrong.length > 0) return refuseFields(wrong)
  if (interestPaid === null) return NOTHING_PAID
  const paid = { paid: interestPaid, paidTax: taxWithheld ?? minor(0n) }
  if (interestPaidTo === null) return { ...NOTHING_PAID, ...paid }
  const previous = boundaryBy(terms, interestPaidTo < today ? interestPaidTo : today)
  if (previous !== interestPaidTo) {
    return refuse('interest_paid_to_invalid', { previous, next: boundaryAfter(terms, previous) })
  }
  const paidTo = previous === terms.startDate ? null : previous
  return { ...paid, paidTo, nextInterestDate: nextInterestDate(terms, paidTo) }
}

const NEEDED: Record<InterestMethod, readonly string[]> = {
  AT_MATURITY: [],
  COMPOUND: [],
  PAYOUT: ['interest_paid', 'interest_paid_to'],
  UPFRONT: ['interest_paid'],
}

function wrongFields(method: InterestMethod, sent: Record<string, unknown>): RefusedField[] {
  const needed = NEEDED[method]
  const allowed = needed.length === 0 ? [] : [...needed, 'tax_withheld']
  return Object.entries(sent).flatMap(([field, value]): RefusedField[] => {
    if (value === null && needed.includes(field)) {
      return [{ field, code: 'required', message: 'Send this field: interest was paid before maturity.' }]
    }
    if (value === null || allowed.includes(field)) return []
    const message = 'Leave this field out: no such interest is paid before maturity.'
    return [{ field, code: 'conflicting_field', message }]
  })
}

/** The last boundary of the schedule on or before a day; the start for earlier days. */
function boundaryBy(terms: Terms, day: IsoDate): IsoDate {
  let boundary = terms.startDate
  for (;;) {
    const next = boundaryAfter(terms, boundary)
    if (next > day || next === boundary) return boundary
    boundary = next
  }
}
