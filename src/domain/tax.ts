/**
 * Withholding tax on interest, at the rate of the customer's class, by the rules in force on the business date.
 * It is withheld when interest is paid, never more than what is paid, and never counted into the total or the interest.
 */
import assert from 'node:assert/strict'
import type { IsoDate } from './dates.ts'
import { divide, type Minor, minor, type Rounding } from './money.ts'

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

/** Of a customer, and copied to each account. null: STANDARD, and for good. */
export type TaxStatus = { taxClass: string | null; taxValidUntil: IsoDate | null }

export type CustomerTaxStatus = TaxStatus & { customerId: string; taxReference: string | null }

/** By which version, in which class and at which rate a movement was taxed: what is kept of it. */
export type Taxed = { version: number; taxClass: string; ratePpm: number }

/** How one movement is taxed. */
export type Taxation = Taxed & { base: TaxBase; rounding: Rounding }

/** Enough to redo the sum by hand: the rate of the taxable interest, rounded, less what earlier parts of the day bore. */
export type TaxExplanation = Omit<Taxed, 'taxClass'> & {
  base: TaxBase
  taxable: bigint
  withheldEarlier: bigint
}

/** null: no rules are in force on the date, so there is no tax. */
export function taxationOf(versions: readonly TaxVersion[], status: TaxStatus, on: IsoDate): Taxation | null {
  const inForce = versions.findLast(({ rules }) => rules.effectiveFrom <= on)
  if (inForce === undefined) return null
  const { base, rounding, classes } = inForce.rules
  const expired = status.taxValidUntil !== null && on > status.taxValidUntil
  const given = expired ? null : status.taxClass
  // A class that these rules do not have is taxed as any other customer.
  const taxClass = given !== null && classes.has(given) ? given : STANDARD_CLASS
  return { version: inForce.version, base, taxClass, ratePpm: classes.get(taxClass)!, rounding }
}

/** What is kept of it. */
export function taxedBy({ version, taxClass, ratePpm }: Taxation): Taxed {
  return { version, taxClass, ratePpm }
}

/** What movements of one day paid, of which some tax may have been withheld already. */
type Taxable = { interest: bigint; penal: bigint; tax: bigint }

const UNTAXED: Taxable = { interest: 0n, penal: 0n, tax: 0n }

/** Parts of one day are taxed together: the tax of all of them less that of the earlier ones, up to the total. */
export function withholdingTax(
  taxation: Taxation | null,
  paid: Pick<Taxable, 'interest' | 'penal'> & { total: Minor },
  earlier: Taxable = UNTAXED,
): Minor {
  if (taxation === null) return minor(0n)
  const due = roundedTax(taxation, taxableInterest(taxation, paid, earlier)) - earlier.tax
  if (due <= 0n) return minor(0n)
  return due > paid.total ? paid.total : minor(due)
}

/** The interest that the rate is applied to: of the earlier parts of the day and of this one. */
function taxableInterest(
  { base }: Pick<Taxation, 'base'>,
  paid: Pick<Taxable, 'interest' | 'penal'>,
  earlier: Pick<Taxable, 'interest' | 'penal'>,
): bigint {
  const interest = paid.interest + earlier.interest
  return base === 'GROSS' ? interest : interest - paid.penal - earlier.penal
}

export function explainTax(
  taxation: Taxation | null,
  paid: Pick<Taxable, 'interest' | 'penal'>,
  earlier: Taxable = UNTAXED,
): TaxExplanation | null {
  if (taxation === null) return null
  const { version, ratePpm, base } = taxation
  const taxable = taxableInterest(taxation, paid, earlier)
  return { version, ratePpm, base, taxable, withheldEarlier: earlier.tax }
}

/** As a past movement was taxed: its rate is stored, because the customer may have another class now. */
export function taxationAgain(taxed: Taxed | null, versions: ReadonlyMap<number, TaxRules>): Taxation | null {
  if (taxed === null) return null
  const rules = versions.get(taxed.version)
  assert(rules !== undefined, 'the tax rules of a movement exist')
  return { ...taxed, base: rules.base, rounding: rules.rounding }
}

function roundedTax({ ratePpm, rounding }: Taxation, taxable: bigint): bigint {
  return divide(taxable * BigInt(ratePpm), 1_000_000n, rounding)
}
