/**
 * Double entry. Credits are positive and debits negative, so what the bank owes (an account's balance, a deposit's
 * remaining principal) is the sum of its postings, and every entry sums to zero.
 */
import assert from 'node:assert/strict'
import { businessDate, type IsoDate } from './dates.ts'
import type { Minor } from './money.ts'

/** account: an account number, a deposit's id, or one of the bank's own accounts below. */
export type Posting = { account: string; amount: bigint }

export const ENTRY_KINDS = [
  'ACCOUNT_CREDIT',
  'DEPOSIT_OPENING',
  'LIQUIDATION',
  'MATURITY',
  'REVERSAL',
  'WITHHOLDING_TAX',
  'INTEREST_PAYOUT',
  'INTEREST_RECOVERY',
  'TAX_RETURN',
  'IMPORT',
  'ACCRUAL',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One movement of money: what moved it, and the postings that sum to zero. */
export type Movement = { kind: EntryKind; postings: Posting[] }

export type LedgerEntry = {
  entryId: string
  kind: EntryKind
  accountNumber: string | null
  depositId: string | null
  liquidationId: string | null
  narration: string | null
  createdAt: Date
  postings: readonly Posting[]
  /** The day it counts on; absent or null: that of createdAt. */
  businessDate?: IsoDate | null
  /** The entry whose opposite a REVERSAL is. */
  reverses?: string | null
}

/** With the day it counts on. */
export function dated(entry: LedgerEntry, { timeZone }: { timeZone: string }): LedgerEntry {
  return { ...entry, businessDate: entry.businessDate ?? businessDate(entry.createdAt, timeZone) }
}

/** The bank's own accounts have no balance: they are sums of postings, so requests do not compete for one row. */
const CASH = 'cash'
export const INTEREST_EXPENSE = 'interest_expense'
/** Contains whole charges, including waived parts. */
export const PENAL_INCOME = 'penal_income'
export const PENAL_WAIVED = 'penal_waived'
/** What was withheld and is owed to the tax authority. */
export const TAX_PAYABLE = 'tax_payable'
/** The money of a matured deposit, within one transaction, on its way into the successor. */
export const ROLLOVER_CLEARING = 'rollover_clearing'

/** Where imported money comes from: its balance is the opposite of all that was taken over. */
export const MIGRATION_SUSPENSE = 'migration_suspense'

/** Interest that was earned and not paid yet. */
const INTEREST_PAYABLE = 'interest_payable'
/** Interest that was paid and not earned yet: money that the bank has a claim on, so a debit. */
const PREPAID_INTEREST = 'prepaid_interest'

export const BANK_ACCOUNTS = [
  CASH,
  INTEREST_EXPENSE,
  PENAL_INCOME,
  PENAL_WAIVED,
  TAX_PAYABLE,
  ROLLOVER_CLEARING,
  MIGRATION_SUSPENSE,
  INTEREST_PAYABLE,
  PREPAID_INTEREST,
] as const

export function creditPostings(accountNumber: string, amount: Minor): Posting[] {
  return balanced([
    { account: CASH, amount: -amount },
    { account: accountNumber, amount },
  ])
}

/** To an account or a deposit. */
export function importPostings(account: string, amount: Minor): Posting[] {
  return balanced([
    { account: MIGRATION_SUSPENSE, amount: -amount },
    { account, amount },
  ])
}

export function openingPostings(opened: {
  fundedFrom: string
  depositId: string
  principal: Minor
}): Posting[] {
  return balanced([
    { account: opened.fundedFrom, amount: -opened.principal },
    { account: opened.depositId, amount: opened.principal },
  ])
}

export function settlementPostings(settled: {
  depositId: string
  accountNumber: string
  principal: Minor
  interest: Minor
  penal: Minor
  waived: Minor
  total: Minor
}): Posting[] {
  return balanced([
    { account: settled.depositId, amount: -settled.principal },
    { account: INTEREST_EXPENSE, amount: -settled.interest },
    { account: PENAL_INCOME, amount: settled.penal + settled.waived },
    { account: PENAL_WAIVED, amount: -settled.waived },
    { account: settled.accountNumber, amount: settled.total },
  ])
}

/** What is paid to the account, and what goes into a successor. */
export function maturityPostings(settled: {
  depositId: string
  accountNumber: string
  principal: Minor
  interest: Minor
  paidOut: Minor
  rolled: Minor
}): Posting[] {
  return balanced([
    { account: settled.depositId, amount: -settled.principal },
    { account: INTEREST_EXPENSE, amount: -settled.interest },
    { account: settled.accountNumber, amount: settled.paidOut },
    { account: ROLLOVER_CLEARING, amount: settled.rolled },
  ])
}

/** None where nothing is withheld. */
export function taxMovements(withheld: { takenFrom: string; tax: Minor }): Movement[] {
  return withheld.tax === 0n ? [] : [{ kind: 'WITHHOLDING_TAX', postings: taxPostings(withheld) }]
}

export function taxPostings({ takenFrom, tax }: { takenFrom: string; tax: Minor }): Posting[] {
  return balanced([
    { account: takenFrom, amount: -tax },
    { account: TAX_PAYABLE, amount: tax },
  ])
}

export function payoutPostings({
  accountNumber,
  interest,
}: {
  accountNumber: string
  interest: Minor
}): Posting[] {
  return balanced([
    { account: INTEREST_EXPENSE, amount: -interest },
    { account: accountNumber, amount: interest },
  ])
}

/** From what the two accounts hold to what they should; none where nothing moves. */
export function accrualPostings(
  before: { payable: bigint; prepaid: bigint },
  target: { payable: bigint; prepaid: bigint },
): Posting[] {
  const payable = target.payable - before.payable
  const prepaid = before.prepaid - target.prepaid
  return balanced([
    { account: INTEREST_PAYABLE, amount: payable },
    { account: PREPAID_INTEREST, amount: prepaid },
    { account: INTEREST_EXPENSE, amount: -payable - prepaid },
  ])
}

/** The account gets, or gives, what the other lines leave. */
export function adjustmentPostings(account: string, lines: readonly Posting[]): Posting[] {
  return balanced([{ account, amount: -lines.reduce((sum, { amount }) => sum + amount, 0n) }, ...lines])
}

function balanced(postings: Posting[]): Posting[] {
  assert(postings.reduce((sum, posting) => sum + posting.amount, 0n) === 0n, 'an entry sums to zero')
  return postings.filter((posting) => posting.amount !== 0n)
}
