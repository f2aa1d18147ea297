/** What liquidations of the last days would have been taxed by other rules. Nothing is written. */
import type { Book } from '../../domain/book.ts'
import { addDays } from '../../domain/dates.ts'
import { smallestAmount } from '../../domain/money.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import { type TaxedAlike, type TaxRules, taxationOf, taxedAlike, withholdingTax } from '../../domain/tax.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { findAccounts } from '../accounts/store.ts'
import { findLiquidations } from '../liquidation/store.ts'

export const LOOKED_BACK_DAYS = 30
const LIQUIDATIONS_MAX = 1_000

export type ClassEffect = { taxClass: string; count: number; now: bigint; proposed: bigint }
export type TaxEffect = { count: number; isComplete: boolean; classes: ClassEffect[] }

/** Counts the classes that customers have today, and only the currency of the book, so that sums mean something. */
export async function taxEffect(engine: Engine, book: Book, rules: TaxRules): Promise<TaxEffect> {
  const { today } = await engine.momentIn(book)
  const filters = { from: addDays(today, 1 - LOOKED_BACK_DAYS), to: today }
  const page = { limit: LIQUIDATIONS_MAX, before: null }
  const { items, next } = await findLiquidations(engine.db, book.bookId, filters, page)
  const counted = items.filter(
    ({ currency, reversedAt }) => currency === book.currency && reversedAt === null,
  )
  const numbers = [...new Set(counted.map(({ accountNumber }) => accountNumber))]
  const accounts = await findAccounts(engine.db, book.bookId, numbers)
  const classes = new Map<string, ClassEffect>()
  const taxedBefore = new Map<string, TaxedAlike[]>()
  for (const liquidation of counted.toReversed()) {
    const { taxClass, proposed } = taxedBy(rules, liquidation, {
      status: accounts.get(liquidation.accountNumber)!,
      earlier: earlierOf(taxedBefore, liquidation),
    })
    const sum = classes.get(taxClass) ?? { taxClass, count: 0, now: 0n, proposed: 0n }
    classes.set(taxClass, {
      taxClass,
      count: sum.count + 1,
      now: sum.now + liquidation.tax,
      proposed: sum.proposed + proposed,
    })
  }
  const sorted = [...classes.values()].toSorted((one, other) => (one.taxClass < other.taxClass ? -1 : 1))
  return { count: counted.length, isComplete: next === null, classes: sorted }
}

/** Parts of one day are taxed together. */
function earlierOf(taxedBefore: Map<string, TaxedAlike[]>, { depositId, businessDate }: StoredLiquidation) {
  const day = `${depositId} ${businessDate}`
  const earlier = taxedBefore.get(day) ?? []
  taxedBefore.set(day, earlier)
  return earlier
}

function taxedBy(
  rules: TaxRules,
  liquidation: StoredLiquidation,
  { status, earlier }: { status: Parameters<typeof taxationOf>[1]; earlier: TaxedAlike[] },
): { taxClass: string; proposed: bigint } {
  const { businessDate, interest, penal, total, currency } = liquidation
  // As if the rules had been in force on that day.
  const version = { version: 0, rules: { ...rules, effectiveFrom: businessDate } }
  const taxation = taxationOf([version], status, businessDate)!
  const paid = { interest, penal, total, unit: smallestAmount(currency) }
  const proposed = withholdingTax(taxation, paid, taxedAlike(taxation, earlier))
  earlier.push({ version: 0, taxClass: taxation.taxClass, interest, penal, tax: proposed })
  return { taxClass: taxation.taxClass, proposed }
}
