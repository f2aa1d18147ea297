/**
 * What breaking a part of a deposit pays: the four figures of the answer, the charge and its waiver, and all
 * adjustments. Quotes, liquidations and verification share this.
 *
 * charged = assessed − waived · penal = the part of it that the interest can bear
 * total = principal + interest − penal · net = total + Σ adjustments
 */
import assert from 'node:assert/strict'
import type { DaySums, LaterSum } from './day-sums.ts'
import { fraction, roundFraction } from './fraction.ts'
import {
  adjustmentPostings,
  type EntryKind,
  INTEREST_EXPENSE,
  type Movement,
  PENAL_INCOME,
  TAX_PAYABLE,
} from './ledger.ts'
import { type Minor, minor, type Rounding } from './money.ts'
import type { Assessment } from './penal.ts'
import { type Taxation, type TaxedSums, taxReturned, withholdingTax } from './tax.ts'

/** The figures of one part; what it has in common with the other parts of its day is added up. */
export type Figures = DaySums & {
  waived: Minor
  total: Minor
  /** Named and signed, without those of zero. */
  adjustments: readonly Adjustment[]
  net: Minor
}

/** What adjustments are made of. */
export type AdjustedSums = Pick<DaySums, 'tax' | LaterSum>

export type Adjustment = { kind: AdjustmentKind; amount: bigint }

type AdjustmentRule = {
  sum: keyof AdjustedSums
  /** Whether the account receives it; otherwise it is deducted. */
  isReceived?: true
  entry: EntryKind
  /** The bank's own account on the other side. */
  against: string
}

/** Whatever else happens to the money besides principal, interest and charge, in the order of an answer. */
const ADJUSTMENTS = {
  UNEARNED_INTEREST: { sum: 'unearned', entry: 'INTEREST_RECOVERY', against: INTEREST_EXPENSE },
  WITHHOLDING_TAX: { sum: 'tax', entry: 'WITHHOLDING_TAX', against: TAX_PAYABLE },
  PENAL_RECOVERY: { sum: 'recovered', entry: 'INTEREST_RECOVERY', against: PENAL_INCOME },
  TAX_RETURNED: { sum: 'taxReturned', isReceived: true, entry: 'TAX_RETURN', against: TAX_PAYABLE },
} as const satisfies Record<string, AdjustmentRule>

export type AdjustmentKind = keyof typeof ADJUSTMENTS
export const ADJUSTMENT_KINDS = Object.keys(ADJUSTMENTS) as AdjustmentKind[]
/** The sums that are adjustments, in the same order. */
export const ADJUSTED_SUMS = ADJUSTMENT_KINDS.map((kind) => ADJUSTMENTS[kind].sum)

/** At most one of percent and amount; holdingPeriod lifts the holding period of the rules. */
export type Waiver = {
  percentPpm: number | null
  amount: Minor | null
  holdingPeriod: boolean
  reason: string
  /** For the record and the audit log alone. */
  note: string | null
}

/** What a part earns and is charged, and what of the charge is waived. */
export type AssessedPart = Pick<
  Assessment,
  'interest' | 'assessed' | 'paidShare' | 'taxShare' | 'unearned'
> & { principal: Minor; waived: Minor }

export function figuresOf(
  part: AssessedPart,
  known: {
    taxation: Taxation | null
    /** The earlier parts of the day, and those of them that were taxed alike. */
    earlierToday: DaySums | null
    taxedEarlier: TaxedSums | null
    /** The smallest amount of the currency. */
    unit: bigint
  },
): Figures {
  const { principal, interest, assessed, waived, paidShare, taxShare, unearned } = part
  const { taxation, earlierToday, taxedEarlier, unit } = known
  assert(waived <= assessed, 'no more is waived than was assessed')
  const charged = assessed - waived
  const penal = minor(smaller(charged, interest))
  const total = minor(principal + interest - penal)
  const left = minor(total - unearned)
  const tax = withholdingTax(taxation, { interest, penal, total: left, unit }, taxedEarlier)
  const recovered = minor(smaller(charged - penal, left - tax))
  const returned = taxReturned(taxation, { paidShare, taxShare, unearned, recovered }, { earlierToday, unit })
  const adjusted = { tax, paidShare, taxShare, unearned, recovered, taxReturned: returned }
  const net = minor(total - unearned - tax - recovered + returned)
  const adjustments = adjustmentsOf(adjusted)
  return { ...adjusted, principal, interest, assessed, penal, waived, total, adjustments, net }
}

/** Without those of zero. */
export function adjustmentsOf(figures: AdjustedSums): Adjustment[] {
  const adjustments: Adjustment[] = []
  for (const kind of ADJUSTMENT_KINDS) {
    const amount = signed(ADJUSTMENTS[kind], figures)
    if (amount !== 0n) adjustments.push({ kind, amount })
  }
  return adjustments
}

/** Positive where the account receives it. */
function signed({ sum, isReceived }: AdjustmentRule, figures: AdjustedSums): bigint {
  return isReceived ? figures[sum] : -figures[sum]
}

/** One entry for each kind of entry that an adjustment needs. */
export function adjustmentMovements(adjustments: readonly Adjustment[], account: string): Movement[] {
  if (adjustments.length === 0) return []
  return ADJUSTMENT_ENTRIES.flatMap((kind) => {
    const lines = adjustments
      .filter((adjustment) => ADJUSTMENTS[adjustment.kind].entry === kind)
      .map(({ kind, amount }) => ({ account: ADJUSTMENTS[kind].against, amount: -amount }))
    return lines.length === 0 ? [] : [{ kind, postings: adjustmentPostings(account, lines) }]
  })
}

export const ADJUSTMENT_ENTRIES = ['INTEREST_RECOVERY', 'WITHHOLDING_TAX', 'TAX_RETURN'] as const

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** How much of a charge a waiver removes; an amount may be more than the charge. */
export function waivedOf(
  assessed: Minor,
  waiver: Waiver | null,
  { rules: { rounding }, unit }: { rules: { rounding: Rounding }; unit: bigint },
): Minor {
  if (waiver === null) return minor(0n)
  if (waiver.percentPpm === null) return waiver.amount ?? minor(0n)
  const share = fraction(assessed * BigInt(waiver.percentPpm), 1_000_000n)
  return minor(roundFraction(share, rounding, unit))
}
