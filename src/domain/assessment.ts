/**
 * What a part of a deposit earns and is charged on a day: today, on a past one, or without a deposit. Everything that the
 * charge needs besides terms and rules is kept with a liquidation, so that it can be assessed again.
 */

import { NO_HISTORY } from './charge-term.ts'
import type { IsoDate } from './dates.ts'
import type { DaySums } from './day-sums.ts'
import { type BreakableDeposit, type Deposit, PLAIN_INTEREST } from './deposit.ts'
import { fraction, roundFraction } from './fraction.ts'
import { type Minor, minor } from './money.ts'
import { assess, type BrokenPart } from './penal.ts'
import { sheetInForce } from './rate-sheet.ts'
import { namesCard, type RuleSet } from './rules.ts'
import { type Agreed, type Terms, termsOf } from './terms.ts'

/** What a part earns and is charged on a date, together with what was broken of the deposit earlier on it. */
export function assessOn(
  on: IsoDate,
  {
    deposit,
    principal,
    rules,
    terms = termsOf(deposit, rules),
  }: { deposit: BreakableDeposit; principal: Minor; rules: RuleSet; terms?: Terms },
) {
  const earlierToday = deposit.lastBroken?.on === on ? deposit.lastBroken : null
  const { paidTo, recoverPaidInterest: recover } = deposit
  const shares = sharesOf(deposit, terms, { principal, earlierToday })
  const looked = lookedUpOn(on, deposit, rules)
  const history = { ...rememberedOf(deposit), ...looked }
  const part = { terms, on, principal, earlierToday, shares, paidTo, recover, history }
  return { ...assess(part), terms, earlierToday, looked }
}

/** What is kept of a liquidation, and needed to assess it again. */
type PastPart = LookedUp &
  Pick<BrokenPart, 'principal' | 'earlierToday' | 'paidTo'> & {
    businessDate: IsoDate
    paidShare: Minor
    taxShare: Minor
  }

/** As a past liquidation was assessed: what it needs besides terms and rules was kept with it. */
export function assessAgain(
  liquidation: PastPart,
  deposit: Agreed & Remembered & Pick<Deposit, 'recoverPaidInterest'>,
  rules: RuleSet,
) {
  const { principal, earlierToday, businessDate: on, paidTo, earlierLiquidations, sheetNow } = liquidation
  const { recoverPaidInterest: recover } = deposit
  const terms = termsOf(deposit, rules)
  const shares = {
    paid: minor(liquidation.paidShare + (earlierToday?.paidShare ?? 0n)),
    tax: minor(liquidation.taxShare + (earlierToday?.taxShare ?? 0n)),
  }
  const history = { ...rememberedOf(deposit), earlierLiquidations, sheetNow }
  return { terms, ...assess({ terms, on, principal, earlierToday, shares, paidTo, recover, history }) }
}

/** What rules may ask of a deposit besides its terms. */
type Remembered = Pick<Deposit, 'rollovers' | 'principal' | 'rateSheet' | 'bonusPpm'>

function rememberedOf({ rollovers, principal, rateSheet, bonusPpm }: Remembered) {
  return { rollovers, card: { principal, rateSheet, bonusPpm } }
}

/** What rules looked up on the day of a liquidation; it is kept, so that the charge can be computed again. */
export type LookedUp = {
  /** Business dates before it on which a part was broken and not reversed. */
  earlierLiquidations: number
  /** The rate sheet in force on the day, where the rules start from those of their product. */
  sheetNow: number | null
}

function lookedUpOn(
  on: IsoDate,
  { brokenDays, lastBroken }: BreakableDeposit,
  { sheets }: RuleSet,
): LookedUp {
  return {
    earlierLiquidations: brokenDays + (lastBroken !== null && lastBroken.on < on ? 1 : 0),
    sheetNow: (sheets && sheetInForce(sheets, on)?.number) ?? null,
  }
}

/**
 * Whether rules start from a rate sheet, and none was in force: only an imported deposit may be older than the sheets of
 * its product. From maturity on nothing is charged.
 */
export function isSheetMissing(
  on: IsoDate,
  { rateSheet, maturityDate }: Pick<Deposit, 'rateSheet' | 'maturityDate'>,
  rules: RuleSet,
): boolean {
  if (on >= maturityDate) return false
  if (rateSheet === null && namesCard(rules, 'CARD_AT_OPENING')) return true
  return namesCard(rules, 'CARD_NOW') && sheetInForce(rules.sheets ?? [], on) === undefined
}

/** What rules charge of simple interest, whatever the deposit. */
export function assessSimple(
  on: IsoDate,
  part: { principal: Minor } & Pick<Agreed, 'annualRatePpm' | 'startDate' | 'maturityDate'>,
  rules: RuleSet,
) {
  const { principal, ...agreed } = part
  const terms = termsOf({ ...PLAIN_INTEREST, currency: '', rulesVersion: 0, ...agreed }, rules)
  const shares = { paid: minor(0n), tax: minor(0n) }
  return assess({
    terms,
    on,
    principal,
    earlierToday: null,
    shares,
    paidTo: null,
    recover: false,
    history: NO_HISTORY,
  })
}

/** The shares of all parts of the day together, this one included, in the deposit before the first of them. */
function sharesOf(
  { remaining, paid, paidTax }: BreakableDeposit,
  { rules, unit }: Terms,
  { principal, earlierToday }: { principal: Minor; earlierToday: DaySums | null },
): BrokenPart['shares'] {
  const together = principal + (earlierToday?.principal ?? 0n)
  const whole = remaining + (earlierToday?.principal ?? 0n)
  const share = (amount: bigint) => shareOf(minor(amount), { part: together, whole }, { rules, unit })
  return {
    paid: share(paid + (earlierToday?.paidShare ?? 0n)),
    tax: share(paidTax + (earlierToday?.taxShare ?? 0n)),
  }
}

/** What a part of a principal has of an amount: all of it where nothing is left. */
export function shareOf(
  amount: Minor,
  { part, whole }: { part: bigint; whole: bigint },
  { rules, unit }: Pick<Terms, 'rules' | 'unit'>,
): Minor {
  if (part === whole) return amount
  return minor(roundFraction(fraction(amount * part, whole), rules.rounding, unit))
}
