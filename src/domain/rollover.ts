/**
 * The successor of a deposit that rolls over on its maturity date. Without a product its terms stay the same. By a product
 * it is a new opening: by the latest version, at the sheet of the maturity date, for the agreed tenor and the new amount;
 * a negotiated rate does not roll, and bonus codes that the product lost drop out.
 */
import type { Calendar } from './calendar.ts'
import { addDays, daysBetween } from './dates.ts'
import { type Deposit, interestAtMaturity, NOTHING_PAID, type RulesInForce } from './deposit.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { NO_REFERENCE } from './own-reference.ts'
import { beforePayments } from './payments.ts'
import { offerFor, type ProductVersion } from './product.ts'
import { refuseValue, termsByOffer } from './product-quote.ts'
import type { RateSheet } from './rate-sheet.ts'
import type { Refusal } from './refusal.ts'
import { type Terms, termsOf } from './terms.ts'

/** The newest version of a product, and what its offers depend on. */
export type RenewingProduct = {
  version: ProductVersion
  /** The limit of the version that the deposit keeps: it never changes under a deposit. */
  rolloverLimit: number | null
  sheets: readonly RateSheet[]
  calendar: { version: number; document: Calendar }
}

type Renewal = { depositId: string; principal: Minor; inForce: RulesInForce; at: Date }

/** Why a product does not renew a deposit: what an opening would refuse, or the limit of its rollovers. */
export type RolloverRefusal = Refusal['code'] | 'rollover_limit'

/**
 * The terms stay the same; the principal is the value of the deposit, and the rules are those in force now. null: its
 * value at its own maturity would exceed the largest amount the service supports.
 */
export function successorOf(deposit: Deposit, renewal: Renewal): Deposit | null {
  const { principal, inForce } = renewal
  const startDate = deposit.maturityDate
  const terms = {
    ...deposit,
    startDate,
    maturityDate: addDays(startDate, deposit.tenorDays),
    rulesVersion: inForce.version,
  }
  const expected = interestAtMaturity(principal, termsOf(terms, inForce.rules))
  if (principal + expected > MINOR_MAX) return null
  return {
    ...opened(deposit, renewal),
    ...datesOf(terms),
    ...NOTHING_PAID,
    expectedInterest: minor(expected),
  }
}

export function renewByProduct(
  deposit: Deposit,
  known: RenewingProduct,
  renewal: Renewal,
): { successor: Deposit; terms: Terms } | { refused: RolloverRefusal } {
  const { version, rolloverLimit, sheets, calendar } = known
  const { product } = version
  if (rolloverLimit !== null && deposit.rollovers >= rolloverLimit) return { refused: 'rollover_limit' }
  if (product.status === 'CLOSED') return { refused: 'product_closed' }
  const { principal: amount, inForce } = renewal
  const wish = {
    amount,
    tenor: deposit.agreedTenor!,
    startDate: deposit.maturityDate,
    bonusCodes: deposit.bonusCodes.filter((code) => product.bonuses.has(code)),
    negotiatedPpm: null,
  }
  const offered = offerFor(wish, { product, sheets, calendar: calendar.document })
  if (offered.outcome === 'refused') return { refused: offered.code }
  const { offer } = offered
  const rules = product.rules ?? inForce.rules
  const terms = termsByOffer(offer, wish, { product, rules, rulesVersion: inForce.version })
  const expected = interestAtMaturity(amount, terms)
  const wrongValue = refuseValue(product, amount, expected)
  if (wrongValue !== null) return { refused: wrongValue.code }

  // After this point it is renewed.
  const successor: Deposit = {
    ...opened(deposit, renewal),
    ...product.interest,
    ...datesOf({ ...wish, maturityDate: offer.maturityDate }),
    ...beforePayments(terms),
    annualRatePpm: offer.annualRatePpm,
    productVersion: version.version,
    rateSheet: offer.rateSheet,
    bonusCodes: wish.bonusCodes,
    bonusPpm: offer.bonusPpm,
    negotiated: false,
    calendarVersion: calendar.version,
    expectedInterest: minor(expected),
  }
  return { successor, terms }
}

/** Liens and the instruction move along; names and what was broken do not. */
function opened(deposit: Deposit, { depositId, principal, inForce, at }: Renewal): Deposit {
  return {
    ...deposit,
    depositId,
    status: 'ACTIVE',
    principal,
    remaining: principal,
    rolledOverTo: null,
    rollovers: deposit.rollovers + 1,
    rulesVersion: inForce.version,
    createdAt: at,
    updatedAt: at,
    liquidatedAt: null,
    lastBroken: null,
    brokenDays: 0,
    ...NO_REFERENCE,
    maturityTaxed: null,
  }
}

function datesOf({ startDate, maturityDate }: Pick<Deposit, 'startDate' | 'maturityDate'>) {
  return { startDate, maturityDate, tenorDays: daysBetween(startDate, maturityDate) }
}
