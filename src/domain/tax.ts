/**
 * Withholding tax on interest, at the rate of the customer's class, by the rules in force on the business date.
 * It is withheld when interest is paid and never counted into the total or the interest.
 * - Parts of one day are taxed together where the same version taxed them in the same class; other parts do not count.
 * - The tax of a part is never more than its own base, nor than what is paid.
 */
import assert from 'node:assert/strict'
import { addDays, type IsoDate } from './dates.ts'
import type { DaySums } from './day-sums.ts'
import { fraction, roundFraction } from './fraction.ts'
import { type Minor, minor, type Rounding } from './money.ts'

export const TAX_BASES = ['NET', 'GROSS'] as const
export type TaxBase = (typeof TAX_BASES)[number]

/** What happens to tax on interest that is recovered later. */
export const TAX_ON_RECOVERY = ['KEEP', 'RETURN'] as const

/** Every customer without another class has this one. */
export const STANDARD_CLASS = 'STANDARD'

export type TaxRules = {
  effectiveFrom: IsoDate
  /** NET: interest less the charge deducted from it. GROSS: interest. */
  base: TaxBase
  onRecovery: (typeof TAX_ON_RECOVERY)[number]
  rounding: Rounding
  /** Parts per million by class; STANDARD is one of them. */
  classes: ReadonlyMap<string, number>
}

export type TaxVersion = { version: number; rules: TaxRules }

/** The tax status of a customer, copied to each account. null: STANDARD, and for good. */
export type TaxStatus = { taxClass: string | null; taxValidUntil: IsoDate | null }

export type CustomerTaxStatus = TaxStatus & { customerId: string; taxReference: string | null }

/** By which version, in which class and at which rate a movement was taxed: what is kept of it. */
export type Taxed = { version: number; taxClass: string; ratePpm: number }

/** How one movement is taxed. */
export type Taxation = Taxed & {
  base: TaxBase
  onRecovery: TaxRules['onRecovery']
  rounding: Rounding
  /** Liquidations of 0.2.0 were taxed up to what they paid, and only that. */
  limit?: 'TOTAL'
}

/** Enough to redo the sum by hand: the rate of the taxable interest, rounded, less what was withheld of earlier parts. */
export type TaxExplanation = Omit<Taxed, 'taxClass'> & {
  base: TaxBase
  taxable: bigint
  withheldEarlier: bigint
}

/** null: no rules are in force on the date, so there is no tax. */
export function taxationOf(versions: readonly TaxVersion[], status: TaxStatus, on: IsoDate): Taxation | null {
  const inForce = versions.findLast(({ rules }) => rules.effectiveFrom <= on)
  if (inForce === undefined) return null
  const { base, onRecovery, rounding, classes } = inForce.rules
  const expired = status.taxValidUntil !== null && on > status.taxValidUntil
  const given = expired ? null : status.taxClass
  // A class that these rules do not have is taxed as any other customer.
  const taxClass = given !== null && classes.has(given) ? given : STANDARD_CLASS
  return { version: inForce.version, base, onRecovery, taxClass, ratePpm: classes.get(taxClass)!, rounding }
}

/** Days on which other rules, or another class of the customer, begin to count. */
export function taxDaysOf(versions: readonly TaxVersion[], { taxValidUntil }: TaxStatus): IsoDate[] {
  const begins = versions.map(({ rules }) => rules.effectiveFrom)
  return taxValidUntil === null ? begins : [...begins, addDays(taxValidUntil, 1)]
}

/** What the tax of interest depends on that falls due by itself. */
export type TaxKnown = {
  taxVersions: readonly TaxVersion[]
  /** By account number. */
  taxStatuses: ReadonlyMap<string, TaxStatus>
  /** The day from which a test clock was moved: each day in between has its own tax rules. */
  movedFrom: IsoDate | null
}

/** As of today, or, where a test clock passed the day on which something fell due, as of that day. */
export function taxationAt(
  due: IsoDate,
  accountNumber: string,
  { taxVersions, taxStatuses, movedFrom }: TaxKnown,
  { today }: { today: IsoDate },
): Taxation | null {
  const status = taxStatuses.get(accountNumber) ?? { taxClass: null, taxValidUntil: null }
  const passed = movedFrom !== null && due < movedFrom ? movedFrom : due
  return taxationOf(taxVersions, status, movedFrom === null ? today : passed)
}

/** What is kept of it. */
export function taxedBy({ version, taxClass, ratePpm }: Taxation): Taxed {
  return { version, taxClass, ratePpm }
}

/** What parts of one day paid together, and what was withheld of it. */
export type TaxedSums = { interest: Minor; penal: Minor; tax: Minor }

/** The sums of the parts of a day that were taxed by one version in one class. */
export type TaxedAlike = Pick<Taxed, 'version' | 'taxClass'> & TaxedSums

type Paid = { interest: bigint; penal: bigint }

const UNPAID: Paid = { interest: 0n, penal: 0n }

/** The earlier parts that count: those taxed by the same version in the same class. null: there are none. */
export function taxedAlike(taxation: Taxation | null, earlier: readonly TaxedAlike[]): TaxedSums | null {
  if (taxation === null) return null
  const { version, taxClass } = taxation
  const parts = earlier.filter((part) => part.version === version && part.taxClass === taxClass)
  if (parts.length === 0) return null
  const sum = (member: keyof TaxedSums) => minor(parts.reduce((total, part) => total + part[member], 0n))
  return { interest: sum('interest'), penal: sum('penal'), tax: sum('tax') }
}

/** The tax of this part and of the earlier ones that count, less what was withheld of those. */
export function withholdingTax(
  taxation: Taxation | null,
  paid: Paid & { total: Minor; unit: bigint },
  earlier: TaxedSums | null = null,
): Minor {
  if (taxation === null) return minor(0n)
  const taxable = taxableInterest(taxation, paid, earlier)
  const due = roundedTax(taxation, taxable, paid.unit) - (earlier?.tax ?? 0n)
  if (due <= 0n) return minor(0n)
  const base = taxation.limit === 'TOTAL' ? paid.total : taxableInterest(taxation, paid, null)
  const limit = base < paid.total ? base : paid.total
  return minor(due < limit ? due : limit)
}

/** The interest that the rate is applied to: of this part and of the earlier ones that count. */
function taxableInterest({ base }: Pick<Taxation, 'base'>, paid: Paid, earlier: Paid | null): bigint {
  const { interest, penal } = earlier ?? UNPAID
  return base === 'GROSS' ? paid.interest + interest : paid.interest + interest - paid.penal - penal
}

export function explainTax(
  taxation: Taxation | null,
  paid: Paid,
  earlier: TaxedSums | null,
): TaxExplanation | null {
  if (taxation === null) return null
  const { version, ratePpm, base } = taxation
  const taxable = taxableInterest(taxation, paid, earlier)
  return { version, ratePpm, base, taxable, withheldEarlier: earlier?.tax ?? 0n }
}

/** As a past movement was taxed: its rate is stored, because the customer may have another class now. */
export function taxationAgain(
  taxed: Taxed | null,
  versions: ReadonlyMap<number, TaxRules>,
  limit?: Taxation['limit'],
): Taxation | null {
  if (taxed === null) return null
  const rules = versions.get(taxed.version)
  assert(rules !== undefined, 'the tax rules of a movement exist')
  const { base, onRecovery, rounding } = rules
  return { ...taxed, base, onRecovery, rounding, ...(limit && { limit }) }
}

function roundedTax({ ratePpm, rounding }: Taxation, taxable: bigint, unit: bigint): bigint {
  return roundFraction(fraction(taxable * BigInt(ratePpm), 1_000_000n), rounding, unit)
}

type TakenBack = Pick<DaySums, 'paidShare' | 'taxShare' | 'unearned' | 'recovered'>

/**
 * Interest that was taxed when it was paid, and is taken back: its tax goes back too where the rules of the day say so.
 * It is computed for all parts of the day together, less what the earlier ones got.
 */
export function taxReturned(
  taxation: Taxation | null,
  part: TakenBack,
  { earlierToday, unit }: { earlierToday: DaySums | null; unit: bigint },
): Minor {
  if (taxation === null || taxation.onRecovery === 'KEEP') return minor(0n)
  const sum = (member: keyof TakenBack) => part[member] + (earlierToday?.[member] ?? 0n)
  if (sum('paidShare') === 0n) return minor(0n)
  const exact = fraction(sum('taxShare') * (sum('unearned') + sum('recovered')), sum('paidShare'))
  const due = roundFraction(exact, taxation.rounding, unit) - (earlierToday?.taxReturned ?? 0n)
  return minor(due > 0n ? due : 0n)
}
