/**
 * What verification asserts of deposits that were opened by a product: the rate and the maturity that were agreed, and the
 * share of each part in the interest that was paid before.
 */
import { type Calendar, nextBusinessDay, OPEN_EVERY_DAY } from '../../domain/calendar.ts'
import { shareOf } from '../../domain/liquidation.ts'
import { minor } from '../../domain/money.ts'
import type { StoredPayment } from '../../domain/payments.ts'
import { bonusOf, type Product } from '../../domain/product.ts'
import { cardRate, type RateSheet } from '../../domain/rate-sheet.ts'
import { agreedMaturityOf } from '../../domain/schedule.ts'
import type { Terms } from '../../domain/terms.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { calendarDocument } from '../calendar/changes.ts'
import { nameOf, productNameOf, readProducts, readSheets } from '../products/changes.ts'
import { type DepositTerms, findTakenParts, type PostedDeposit, type TakenPart } from './store.ts'

export const AGREED_RATE =
  'a deposit by a product has the rate of its sheet and bonuses, or a negotiated one, and the maturity of its calendar'
export const PAID_SHARES =
  'each payment is of what remained, and each part took its share of what had been paid'

export type KnownOfSold = {
  /** By name of the version. */
  products: ReadonlyMap<string, Product>
  /** By code. */
  sheets: ReadonlyMap<string, readonly RateSheet[]>
  calendars: ReadonlyMap<number, Calendar>
  /** By deposit, in the order in which they were broken. */
  parts: ReadonlyMap<string, readonly TakenPart[]>
}

type Compared = { found: readonly unknown[]; expected: readonly unknown[] }

/** Where no deposit has a product, nothing is read. */
export async function readKnownOfSold(
  queries: Queries,
  { bookId, cache }: { bookId: string; cache: VersionCache },
  deposits: readonly DepositTerms[],
): Promise<KnownOfSold> {
  const names = deposits.flatMap((deposit) => productNameOf(deposit) ?? [])
  if (names.length === 0)
    return { products: new Map(), sheets: new Map(), calendars: new Map(), parts: new Map() }
  const codes = names.map(({ productCode }) => productCode)
  const calendars = new Set(deposits.flatMap(({ calendarVersion }) => calendarVersion || []))
  const paying = deposits.filter(({ method }) => method === 'PAYOUT' || method === 'UPFRONT')
  return {
    products: await readProducts(queries, cache, bookId, names),
    sheets: await readSheets(queries, cache, bookId, codes),
    calendars: await calendarDocument.reader.read(queries, cache, bookId, [...calendars]),
    parts: await findTakenParts(
      queries,
      bookId,
      paying.map(({ depositId }) => depositId),
    ),
  }
}

/** Rates that were taken over are not asked; one that was renewed is never negotiated. */
export function compareAgreed(posted: PostedDeposit, known: KnownOfSold): Compared | null {
  const { deposit, predecessorId, imported } = posted
  const name = productNameOf(deposit)
  if (name === null || imported !== null) return null
  const { startDate, principal, annualRatePpm, agreedTenor, calendarVersion, bonusCodes } = deposit
  const product = known.products.get(nameOf(name))
  const sheet = known.sheets.get(name.productCode)?.find(({ number }) => number === deposit.rateSheet)
  if (product === undefined || sheet === undefined || sheet.effectiveFrom > startDate) {
    return {
      found: [`sheet ${deposit.rateSheet}`],
      expected: ['a product and a sheet in force at the start'],
    }
  }
  const agreed = agreedMaturityOf(startDate, agreedTenor!)
  const bonusPpm = bonusOf(product, bonusCodes)
  const ofSheet = cardRate(sheet, { from: startDate, to: agreed, amount: principal }) + bonusPpm
  const calendar = known.calendars.get(calendarVersion ?? 0) ?? OPEN_EVERY_DAY
  const moves = product.maturity.onHoliday === 'NEXT_BUSINESS_DAY'
  const isNegotiated = predecessorId === null && isNegotiable(product, deposit)
  return {
    found: [annualRatePpm, deposit.bonusPpm, deposit.maturityDate],
    expected: [
      isNegotiated ? annualRatePpm : ofSheet,
      bonusPpm,
      moves ? nextBusinessDay(calendar, agreed) : agreed,
    ],
  }
}

function isNegotiable({ negotiatedRate }: Product, { annualRatePpm, bonusCodes }: DepositTerms): boolean {
  if (negotiatedRate === null || bonusCodes.length > 0) return false
  return annualRatePpm >= negotiatedRate.minPpm && annualRatePpm <= negotiatedRate.maxPpm
}

/** A part keeps the boundary up to which interest had been paid: so it is known which payments came later. */
export function compareShares(
  { deposit, imported }: PostedDeposit,
  { payments, parts }: { payments: readonly StoredPayment[]; parts: readonly TakenPart[] },
  terms: Terms,
): Compared {
  const isUpfront = terms.method === 'UPFRONT'
  const principals = payments.map(({ to }) =>
    parts
      .filter(({ paidTo }) => !isUpfront && (paidTo ?? '') < to)
      .reduce((left, part) => left - part.principal, (imported?.remaining ?? deposit.principal) as bigint),
  )
  const shares = parts.map((part, index) => {
    const ofDay = parts.slice(0, index + 1).filter(({ businessDate }) => businessDate === part.businessDate)
    const before = parts.slice(0, index + 1 - ofDay.length)
    const principal = sumOf(ofDay, 'principal')
    const whole = part.remaining + principal
    const paidBefore = payments.filter(({ to }) => isUpfront || to <= (part.paidTo ?? ''))
    const share = (had: bigint, earlier: bigint) =>
      shareOf(minor(had - earlier), { part: principal, whole }, terms)
    const paid = share((imported?.paid ?? 0n) + sumOf(paidBefore, 'interest'), sumOf(before, 'paidShare'))
    const tax = share((imported?.paidTax ?? 0n) + sumOf(paidBefore, 'tax'), sumOf(before, 'taxShare'))
    const earlier = ofDay.slice(0, -1)
    return `${paid - sumOf(earlier, 'paidShare')} ${tax - sumOf(earlier, 'taxShare')}`
  })
  return {
    found: [
      ...payments.map(({ principal }) => principal),
      ...parts.map(({ paidShare, taxShare }) => `${paidShare} ${taxShare}`),
    ],
    expected: [...principals, ...shares],
  }
}

function sumOf<Name extends string>(rows: readonly Record<Name, bigint>[], name: Name): bigint {
  return rows.reduce((sum, row) => sum + row[name], 0n)
}
