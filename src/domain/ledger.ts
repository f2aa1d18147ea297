/**
 * Double entry. Credits are positive and debits negative, so what the bank owes (an account's balance, a deposit's
 * remaining principal) is the sum of its postings, and every entry sums to zero.
 */
import assert from 'node:assert/strict'
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
  /** Of a REVERSAL: the entry whose opposite it is. */
  reverses?: string | null
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

export const BANK_ACCOUNTS = [
  CASH,
  INTEREST_EXPENSE,
  PENAL_INCOME,
  PENAL_WAIVED,
  TAX_PAYABLE,
  ROLLOVER_CLEARING,
] as const

export function creditPostings(accountNumber: string, amount: Minor): Posting[] {
  return balanced([
    { account: CASH, amount: -amount },
    { account: accountNumber, amount },
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
  paidTo: string
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
    { account: settled.paidTo, amount: settled.total },
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

function balanced(postings: Posting[]): Posting[] {
  assert(postings.reduce((sum, posting) => sum + posting.amount, 0n) === 0n, 'an entry sums to zero')
  return postings.filter((posting) => posting.amount !== 0n)
}
