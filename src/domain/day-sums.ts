/**
 * What was broken of a deposit on one business date, in however many parts: they are settled as one withdrawal. A part
 * has what the day's parts come to together, less what the earlier ones had.
 */
import { type Minor, minor } from './money.ts'

/**
 * Each sum and the columns that keep it: `<part>_minor` of a liquidation, and of the parts of a day together
 * `broken_<day>_minor` of their deposit and `earlier_<day>_minor` of the next liquidation. Rows of 0.2.0 lack the later ones.
 */
export const DAY_SUMS = {
  principal: { part: 'principal', day: 'principal' },
  interest: { part: 'interest', day: 'interest' },
  assessed: { part: 'assessed', day: 'assessed' },
  /** The part of `assessed` that was deducted from the interest. */
  penal: { part: 'penal', day: 'penal' },
  tax: { part: 'tax', day: 'tax' },
  /** The share of the interest that had been paid before, and of the tax on that. */
  paidShare: { part: 'paid_share', day: 'paid', isLater: true },
  taxShare: { part: 'tax_share', day: 'taxed', isLater: true },
  /** Interest paid for days that the deposit was not held: it goes back. */
  unearned: { part: 'unearned', day: 'unearned', isLater: true },
  /** The charge that was taken from interest paid before. */
  recovered: { part: 'recovered', day: 'taken', isLater: true },
  taxReturned: { part: 'tax_returned', day: 'returned', isLater: true },
} as const satisfies Record<string, { part: string; day: string; isLater?: true }>

type SumName = keyof typeof DAY_SUMS
export type DaySums = Record<SumName, Minor>
export type LaterSum = {
  [Name in SumName]: (typeof DAY_SUMS)[Name] extends { isLater: true } ? Name : never
}[SumName]

export const SUM_NAMES = Object.keys(DAY_SUMS) as SumName[]
export const LATER_SUMS = SUM_NAMES.filter((name): name is LaterSum => isLater(name))

export function isLater(name: SumName): boolean {
  return 'isLater' in DAY_SUMS[name]
}

/** Those of a day with one part more. */
export function withPart(earlier: DaySums | null, part: DaySums): DaySums {
  const before = earlier ?? NOTHING_BROKEN
  return {
    principal: minor(before.principal + part.principal),
    interest: minor(before.interest + part.interest),
    assessed: minor(before.assessed + part.assessed),
    penal: minor(before.penal + part.penal),
    tax: minor(before.tax + part.tax),
    paidShare: minor(before.paidShare + part.paidShare),
    taxShare: minor(before.taxShare + part.taxShare),
    unearned: minor(before.unearned + part.unearned),
    recovered: minor(before.recovered + part.recovered),
    taxReturned: minor(before.taxReturned + part.taxReturned),
  }
}

const NOTHING_BROKEN = Object.fromEntries(SUM_NAMES.map((name) => [name, minor(0n)])) as DaySums
