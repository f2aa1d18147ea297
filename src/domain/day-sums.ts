/**
 * What was broken of a deposit on one business date, in however many parts: they are settled as one withdrawal. A part
 * has what the day's parts come to together, less what the earlier ones had.
 */
import { type Minor, minor } from './money.ts'

export type DaySums = {
  principal: Minor
  interest: Minor
  assessed: Minor
  /** The part of `assessed` that was deducted from the interest. */
  penal: Minor
  tax: Minor
  /** The share of the interest that had been paid before, and of the tax on that. */
  paidShare: Minor
  taxShare: Minor
  /** Interest paid for days that the deposit was not held: it goes back. */
  unearned: Minor
  /** The charge that was taken from interest paid before. */
  recovered: Minor
  taxReturned: Minor
}

/** Those of a day with one part more. */
export function withPart(earlier: DaySums | null, part: DaySums): DaySums {
  return sumsOf((name) => (earlier?.[name] ?? 0n) + part[name])
}

function sumsOf(read: (name: keyof DaySums) => bigint): DaySums {
  return {
    principal: minor(read('principal')),
    interest: minor(read('interest')),
    assessed: minor(read('assessed')),
    penal: minor(read('penal')),
    tax: minor(read('tax')),
    paidShare: minor(read('paidShare')),
    taxShare: minor(read('taxShare')),
    unearned: minor(read('unearned')),
    recovered: minor(read('recovered')),
    taxReturned: minor(read('taxReturned')),
  }
}
