/**
 * Totals of the liquidations in a range of business dates. A liquidation counts on its own date, permanently; one that
 * was reversed also counts with its net amount on the date of its reversal, as in the ledger.
 */
import type { IsoDate } from './dates.ts'
import type { Liquidation } from './liquidation.ts'
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

/** `productOf` is asked where figures are summed by product. */
export function openLiquidationReport(
  groupBy: ReportGroup,
  productOf: (depositId: string) => string | null = () => null,
) {
  const groups = new Map<string, LiquidationGroup>()

  return {
    add(liquidation: Liquidation): void {
      const group = groupOf(liquidation, liquidation.businessDate)
      if (liquidation.type === 'FULL') group.full += 1
      else group.partial += 1
      group.principal += liquidation.principal
      group.interest += liquidation.interest
      group.assessed += liquidation.assessed
      group.waived += liquidation.waived
      group.charge += liquidation.penal
      group.recovered += liquidation.unearned + liquidation.recovered
      group.tax += liquidation.tax - liquidation.taxReturned
      group.net += liquidation.net
    },
    addReversed(liquidation: Liquidation, on: IsoDate): void {
      groupOf(liquidation, on).reversed += liquidation.net
    },
    /** By group and currency; no group comes first. */
    close: (): LiquidationGroup[] =>
      [...groups].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group),
  }

  function groupOf({ depositId, waiver, currency }: Liquidation, on: IsoDate): LiquidationGroup {
    const day = groupBy === 'day' ? on : null
    const waiverReason = groupBy === 'waiver_reason' ? (waiver?.reason ?? null) : null
    const product = groupBy === 'product' ? productOf(depositId) : null
    const key = `${day ?? waiverReason ?? product ?? ''} ${currency}`
    const known = groups.get(key) ?? {
      day,
      product,
      waiverReason,
      currency,
      full: 0,
      partial: 0,
      principal: 0n,
      interest: 0n,
      assessed: 0n,
      waived: 0n,
      charge: 0n,
      recovered: 0n,
      tax: 0n,
      net: 0n,
      reversed: 0n,
    }
    groups.set(key, known)
    return known
  }
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
