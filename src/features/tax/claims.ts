/** What verification claims of tax: a rate was one of the tax rules. */
import type { Compared, PinnedVersions } from '../../domain/claim.ts'
import type { Taxed } from '../../domain/tax.ts'

export function compareRate(taxed: Taxed | null, { taxRules }: PinnedVersions): Compared | null {
  if (taxed === null) return null
  const rate = taxRules.get(taxed.version)?.classes.get(taxed.taxClass)
  return rate === taxed.ratePpm
    ? null
    : {
        found: [`version ${taxed.version}, ${taxed.taxClass} ${taxed.ratePpm}`],
        expected: [`${taxed.taxClass} ${rate ?? 'unknown'}`],
      }
}
