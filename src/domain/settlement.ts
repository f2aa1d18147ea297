/**
 * What breaking a part of a deposit pays: the four figures of the answer, the charge and its waiver, and all
 * adjustments. Quotes, liquidations and verification share this.
 *
 * penal = assessed − waived · total = principal + interest − penal · net = total + Σ adjustments
 */
import assert from 'node:assert/strict'
import { divide, type Minor, minor, type Rounding } from './money.ts'
import type { BrokenEarlier } from './penal.ts'
import { type Taxation, withholdingTax } from './tax.ts'

export type Figures = {
  principal: Minor
  interest: Minor
  /** The charge by the rules, no more than the interest. */
  assessed: Minor
  waived: Minor
  /** The part of the charge that is deducted. */
  penal: Minor
  total: Minor
  /** Named and signed; each has its own ledger entry. */
  adjustments: readonly Adjustment[]
  net: Minor
}

export type Adjustment = { kind: AdjustmentKind; amount: bigint }
export const ADJUSTMENT_KINDS = ['WITHHOLDING_TAX'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

/** At most one of percent and amount; holdingPeriod lifts the holding period of the rules. */
export type Waiver = {
  percentPpm: number | null
  amount: Minor | null
  holdingPeriod: boolean
  reason: string
  /** For the record and the audit log alone. */
  note: string | null
}

export function figuresOf(
  part: Pick<Figures, 'principal' | 'interest' | 'assessed' | 'waived'>,
  taxation: Taxation | null,
  earlierToday: BrokenEarlier | null,
): Figures {
  const { principal, interest, assessed, waived } = part
  assert(assessed <= interest, 'a penal charge may take interest, never principal')
  assert(waived <= assessed, 'no more is waived than was assessed')
  const penal = minor(assessed - waived)
  const total = minor(principal + interest - penal)
  const tax = withholdingTax(taxation, { interest, penal, total }, earlierToday ?? undefined)
  const net = minor(total - tax)
  return { principal, interest, assessed, waived, penal, total, adjustments: adjustmentsOf({ tax }), net }
}

/** Without those of zero. */
export function adjustmentsOf({ tax }: { tax: Minor }): Adjustment[] {
  return tax === 0n ? [] : [{ kind: 'WITHHOLDING_TAX', amount: -tax }]
}

export function taxOf({ adjustments }: Pick<Figures, 'adjustments'>): Minor {
  return minor(-(adjustments.find(({ kind }) => kind === 'WITHHOLDING_TAX')?.amount ?? 0n))
}

/** How much of a charge a waiver removes; an amount may be more than the charge. */
export function waivedOf(assessed: Minor, waiver: Waiver | null, rounding: Rounding): Minor {
  if (waiver === null) return minor(0n)
  if (waiver.percentPpm === null) return waiver.amount ?? minor(0n)
  return minor(divide(assessed * BigInt(waiver.percentPpm), 1_000_000n, rounding))
}
