/** What verification claims of stored records: a record for which a claim fails, and figures that are computed again. */
import type { Book } from './book.ts'
import type { RulesOf } from './deposit.ts'
import type { Posting } from './ledger.ts'
import type { TaxRules } from './tax.ts'

/** A record for which a claim fails. */
export type Failed = { claim: string; ids: Record<string, string>; found: string; expected: string }

export type Compared = { found: readonly unknown[]; expected: readonly unknown[] }

/** null: there is no difference, or the claim is not about this record. */
export type ComputedClaim<Item, Known> = {
  claim: string
  compare: (item: Item, known: Known) => Compared | null
}

/** The versions by which the figures of a book are computed again. */
export type PinnedVersions = { book: Book; rulesOf: RulesOf; taxRules: ReadonlyMap<number, TaxRules> }

export function firstFailed<Item, Known>(
  item: Item,
  claims: readonly ComputedClaim<Item, Known>[],
  known: Known,
): Omit<Failed, 'ids'> | null {
  for (const { claim, compare } of claims) {
    const compared = compare(item, known)
    if (compared === null || isEqual(compared)) continue
    const [found, expected] = [compared.found.join(', '), compared.expected.join(', ')]
    return { claim, found: found === '' ? 'nothing' : found, expected }
  }
  return null
}

function isEqual({ found, expected }: Compared): boolean {
  return found.length === expected.length && found.every((value, index) => value === expected[index])
}

/** Lines may be in any order; usually they are in ours, and the texts are equal. */
export function comparePostings(found: string, postings: readonly Posting[]): Compared | null {
  if (found === '' && postings.length === 0) return null
  const accounts = postings.map(({ account }) => account)
  const amounts = postings.map(({ amount }) => amount)
  if (found === `{${accounts.join(',')}}{${amounts.join(',')}}`) return null
  return { found: linesIn(found), expected: linesOf(accounts, amounts) }
}

/** The lines of all entries in a text such as '{cash,1234567890}{-100,100}'. */
function linesIn(postings: string): string[] {
  const lists = [...postings.matchAll(/\{(.*?)\}/g)].map(([, list]) => list!.split(','))
  return linesOf(
    lists.filter((_, index) => index % 2 === 0).flat(),
    lists.filter((_, index) => index % 2 === 1).flat(),
  )
}

function linesOf(accounts: readonly string[], amounts: readonly unknown[]): string[] {
  return accounts.map((account, index) => `${account} ${amounts[index]}`).sort()
}
