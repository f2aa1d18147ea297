/**
 * The interest of a customer in a range of days, from the ledger: what was paid, charged, taken back, withheld and
 * returned. For each currency, and so for all of it,
 *
 *   interest − charges − taken back − tax withheld + tax returned = the movement of the bank's own accounts
 */
import assert from 'node:assert/strict'
import {
  type EntryKind,
  INTEREST_EXPENSE,
  type LedgerEntry,
  PENAL_INCOME,
  PENAL_WAIVED,
  TAX_PAYABLE,
} from './ledger.ts'

export type InterestSums = {
  interest: bigint
  charges: bigint
  takenBack: bigint
  taxWithheld: bigint
  taxReturned: bigint
  /** What the customer had of it. */
  net: bigint
}

export type InterestOfDeposit = InterestSums & { depositId: string; currency: string; entryIds: string[] }
export type InterestOfCurrency = InterestSums & { currency: string }

/** An entry of a deposit, and what it reverses. */
export type InterestEntry = LedgerEntry & {
  depositId: string
  currency: string
  reversedKind: EntryKind | null
}

/** Takes entries, oldest first. */
export function openInterestCertificate() {
  const deposits = new Map<string, InterestOfDeposit>()
  const currencies = new Map<string, InterestOfCurrency>()
  return {
    add(entry: InterestEntry): void {
      const sums = interestIn(entry)
      if (sums === null) return
      const { depositId, currency, entryId } = entry
      const earlier = deposits.get(depositId) ?? { ...NOTHING, depositId, currency, entryIds: [] }
      deposits.set(depositId, {
        ...earlier,
        ...sumOf(earlier, sums),
        entryIds: [...earlier.entryIds, entryId],
      })
      const total = currencies.get(currency) ?? { ...NOTHING, currency }
      currencies.set(currency, { currency, ...sumOf(total, sums) })
    },
    close: () => ({
      deposits: [...deposits.values()],
      totals: [...currencies.values()].sort((left, right) => (left.currency < right.currency ? -1 : 1)),
    }),
  }
}

const NOTHING: InterestSums = {
  interest: 0n,
  charges: 0n,
  takenBack: 0n,
  taxWithheld: 0n,
  taxReturned: 0n,
  net: 0n,
}

/** null: no interest and no tax moved. A reversal has the figures of what it reverses, with opposite signs. */
function interestIn({ kind, reversedKind, postings }: InterestEntry): InterestSums | null {
  const of = (...accounts: string[]) =>
    postings.reduce((sum, { account, amount }) => (accounts.includes(account) ? sum + amount : sum), 0n)
  const net = -of(INTEREST_EXPENSE, PENAL_INCOME, PENAL_WAIVED, TAX_PAYABLE)
  const sums = { ...NOTHING, ...figures(), net }
  const { interest, charges, takenBack, taxWithheld, taxReturned } = sums
  assert(
    interest - charges - takenBack - taxWithheld + taxReturned === net,
    'the figures are those of the entry',
  )
  return Object.values(sums).every((amount) => amount === 0n) ? null : sums

  function figures(): Partial<InterestSums> {
    switch (reversedKind ?? kind) {
      case 'INTEREST_RECOVERY':
        return { takenBack: -net }
      case 'WITHHOLDING_TAX':
        return { taxWithheld: -net }
      case 'TAX_RETURN':
        return { taxReturned: net }
      default:
        return { interest: -of(INTEREST_EXPENSE), charges: of(PENAL_INCOME, PENAL_WAIVED) }
    }
  }
}

function sumOf(left: InterestSums, right: InterestSums): InterestSums {
  return {
    interest: left.interest + right.interest,
    charges: left.charges + right.charges,
    takenBack: left.takenBack + right.takenBack,
    taxWithheld: left.taxWithheld + right.taxWithheld,
    taxReturned: left.taxReturned + right.taxReturned,
    net: left.net + right.net,
  }
}
