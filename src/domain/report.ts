/**
 * Totals of the liquidations in a range of business dates. A liquidation counts on its own date, permanently; one that
 * was reversed also counts with its net amount on the date of its reversal, as in the ledger.
 */
import type { IsoDate } from './dates.ts'
import type { Taxed } from './tax.ts'

export const REPORT_GROUPS = ['day', 'product', 'waiver_reason'] as const
export type ReportGroup = (typeof REPORT_GROUPS)[number]

export type LiquidationGroup = {
  day: IsoDate | null
  /** The code; null without product. */
  product: string | null
  waiverReason: string | null
  currency: string
  full: number
  partial: number
  principal: bigint
  interest: bigint
  assessed: bigint
  waived: bigint
  charge: bigint
  recovered: bigint
  tax: bigint
  net: bigint
  reversed: bigint
}

/** Interest that was paid, or taken back, while tax rules were in force. What was taken back is negative. */
export type TaxedMovement = {
  entryId: string
  at: Date
  customerId: string
  taxReference: string | null
  depositId: string
  liquidationId: string | null
  currency: string
  interest: bigint
  charge: bigint
  taxed: Taxed
  tax: bigint
}

export type TaxGroup = Pick<
  TaxedMovement,
  'customerId' | 'taxReference' | 'currency' | 'interest' | 'charge' | 'tax'
> & { taxClass: string }

/** Groups that a report has at most; the export has no such limit. */
export const TAX_GROUPS_MAX = 10_000

export function openTaxReport() {
  const groups = new Map<string, TaxGroup>()
  return {
    /** false: there are too many groups. */
    add({ customerId, taxReference, currency, interest, charge, taxed, tax }: TaxedMovement): boolean {
      const { taxClass } = taxed
      const key = `${customerId} ${taxClass} ${currency}`
      const earlier = groups.get(key) ?? { interest: 0n, charge: 0n, tax: 0n }
      groups.set(key, {
        customerId,
        taxReference,
        taxClass,
        currency,
        interest: earlier.interest + interest,
        charge: earlier.charge + charge,
        tax: earlier.tax + tax,
      })
      return groups.size <= TAX_GROUPS_MAX
    },
    close: (): TaxGroup[] =>
      [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group),
  }
}
