/** What verification claims of deposits that were settled at maturity: their value is computed again. */
import { type ComputedClaim, comparePostings, type PinnedVersions } from '../../domain/claim.ts'
import { businessDate } from '../../domain/dates.ts'
import type { Deposit } from '../../domain/deposit.ts'
import { valueAtMaturity, valueMovements } from '../../domain/maturity.ts'
import { type Minor, minor } from '../../domain/money.ts'
import { successorOf } from '../../domain/rollover.ts'
import { taxationAgain } from '../../domain/tax.ts'
import type { PostedDeposit } from '../deposits/claims.ts'
import { type KnownPayments, paymentsOf, taxPostingsOf } from '../interest-payments/claims.ts'
import { compareRate } from '../tax/claims.ts'

/** Over the entries of a deposit in the order of what they left. */
export const sumsOfMaturity = [
  `count(*) filter (where kind = 'MATURITY') over in_turn as maturities`,
  `string_agg(postings, '') filter (where kind = 'MATURITY') over in_turn as maturity_postings`,
]

type Known = PinnedVersions &
  KnownPayments & {
    /** Those that were settled, and their successors. */
    deposits: ReadonlyMap<string, Deposit>
  }

type SettledDeposit = PostedDeposit & { deposit: Deposit }

export const settledClaims: ComputedClaim<SettledDeposit, Known>[] = [
  {
    claim: 'a deposit is settled on its maturity date or later',
    compare: ({ deposit }, { book }) => {
      const settledOn = businessDate(deposit.updatedAt, book.timeZone)
      const { maturityDate } = deposit
      return { found: [settledOn], expected: [settledOn < maturityDate ? maturityDate : settledOn] }
    },
  },
  {
    claim: 'the interest of a settled deposit was taxed by a version and at a rate of the tax rules',
    compare: ({ deposit }, known) => compareRate(deposit.maturityTaxed, known),
  },
  {
    claim: 'a settled deposit has one maturity entry, with all that it was worth by its pinned rules',
    compare: (settled, known) => {
      const [maturity] = valueMovements(worthAtMaturity(settled, known), settled.deposit)
      return comparePostings(settled.maturityPostings, maturity!.postings)
    },
  },
  {
    claim: 'a settled deposit has one entry for the tax withheld of its interest, if any',
    compare: (settled, known) => {
      const [, ...taxes] = valueMovements(worthAtMaturity(settled, known), settled.deposit)
      const ofPayments = paymentsOf(settled.deposit, known).flatMap(taxPostingsOf)
      const expected = [...ofPayments, ...taxes.flatMap(({ postings }) => postings)]
      return comparePostings(settled.ownTaxPostings, expected)
    },
  },
  {
    claim: 'a deposit that was rolled over has a successor with its terms and all that it was worth',
    compare: (settled, known) => {
      const { deposit } = settled
      const successor = known.deposits.get(deposit.rolledOverTo ?? '') ?? null
      const { rolled } = worthAtMaturity(settled, known)
      return {
        found: [successor && agreedOf(successor)],
        expected: [deposit.status === 'MATURED' ? null : successorTerms(deposit, rolled, known)],
      }
    },
  },
]

/** A settled deposit has nothing left; its value is what its liquidations did not take. */
function worthAtMaturity({ deposit, imported, liquidated }: SettledDeposit, known: Known) {
  const remaining = minor((imported?.remaining ?? deposit.principal) - liquidated)
  const taxation = taxationAgain(deposit.maturityTaxed, known.taxRules)
  const status = deposit.status === 'MATURED' ? 'MATURED' : 'ROLLED_OVER'
  return valueAtMaturity({ ...deposit, remaining }, known.rulesOf(deposit), taxation, status)
}

/** The successor shows which rules were in force; everything else follows from the deposit. */
function successorTerms(deposit: Deposit, principal: Minor, known: Known): string {
  const successor = known.deposits.get(deposit.rolledOverTo ?? '')
  if (successor === undefined) return 'a successor'
  const { depositId, rulesVersion: version } = successor
  const inForce = { version, rules: known.rulesOf(successor) }
  if (deposit.productCode !== null) return agreedOf(renewedTerms(deposit, principal, successor))
  const expected = successorOf(deposit, { depositId, principal, inForce, at: deposit.updatedAt })
  return expected === null ? 'no rollover' : agreedOf(expected)
}

/** Its rate and dates are those of another opening by the product; its expected interest is claimed of every deposit. */
function renewedTerms(deposit: Deposit, principal: Minor, successor: Deposit): Deposit {
  const { customerId, accountNumber, currency, maturityDate: startDate, instruction, updatedAt } = deposit
  const owner = { customerId, accountNumber, currency, instruction }
  return { ...successor, ...owner, principal, startDate, createdAt: updatedAt }
}

function agreedOf(deposit: Deposit): string {
  return [
    deposit.depositId,
    deposit.customerId,
    deposit.accountNumber,
    deposit.currency,
    deposit.principal,
    deposit.expectedInterest,
    deposit.annualRatePpm,
    deposit.tenorDays,
    deposit.startDate,
    deposit.maturityDate,
    deposit.createdAt.toISOString(),
  ].join(' ')
}
