/**
 * Accruals: at the close of a business date the bank owes the interest that was earned and not paid, and has prepaid what
 * was paid and not earned. One entry for each currency moves two accounts to these sums. They are computed from the state
 * of each deposit on that day, whenever that is done, so a missed or wrong run heals itself.
 */
import { addDays, type IsoDate } from './dates.ts'
import type { Deposit } from './deposit.ts'
import { earnedBy } from './interest.ts'
import { BANK_ACCOUNTS } from './ledger.ts'
import { type Minor, minor } from './money.ts'
import type { RuleSet } from './rules.ts'
import { type Agreed, termsOf } from './terms.ts'

export const ACCRUAL_MODES = ['OFF', 'DAILY', 'MONTHLY'] as const
export type AccrualMode = (typeof ACCRUAL_MODES)[number]

/** What may have a code in the general ledger of the bank. */
export const GL_ACCOUNTS = [...BANK_ACCOUNTS, 'accounts', 'deposits'] as const

export type Accounting = { accruals: AccrualMode; glCodes: ReadonlyMap<string, string> }
export const NO_ACCOUNTING: Accounting = { accruals: 'OFF', glCodes: new Map() }

/** The code of the bank's own account, or of all accounts or deposits of customers. */
export function glCodeOf({ glCodes }: Accounting, account: string): string | null {
  const name = isBankAccount(account) ? account : account.startsWith('fd_') ? 'deposits' : 'accounts'
  return glCodes.get(name) ?? null
}

function isBankAccount(account: string): boolean {
  return BANK_ACCOUNTS.some((name) => name === account)
}

/** A deposit as it stood at the close of a day. */
export type ClosedDeposit = Agreed &
  Pick<Deposit, 'depositId' | 'productCode' | 'productVersion' | 'remaining' | 'paid' | 'paidTo'>

export type Accrual = { payable: Minor; prepaid: Minor }

/** The day itself counts: interest is earned up to the next one, at most up to maturity. */
export function accrualOf(deposit: ClosedDeposit, rules: RuleSet, closed: IsoDate): Accrual {
  const { remaining: principal, paid, paidTo } = deposit
  const earned = earnedBy(addDays(closed, 1), termsOf(deposit, rules), { principal, paid, paidTo })
  const owed = earned - paid
  return { payable: minor(owed > 0n ? owed : 0n), prepaid: minor(owed < 0n ? -owed : 0n) }
}

/** By currency; larger than any single amount. */
export type Targets = Map<string, { payable: bigint; prepaid: bigint }>

export function addTo(targets: Targets, currency: string, { payable, prepaid }: Accrual): void {
  const sums = targets.get(currency) ?? { payable: 0n, prepaid: 0n }
  targets.set(currency, { payable: sums.payable + payable, prepaid: sums.prepaid + prepaid })
}

/** What the accounts hold in a currency since the close of a day. */
export type ClosedDay = {
  currency: string
  date: IsoDate
  payable: bigint
  prepaid: bigint
  /** null: nothing moved. */
  entryId: string | null
}

/** Missed days are caught up, but not more than these. */
const DAYS_CAUGHT_UP_MAX = 31

/** The days before today that are still to be closed, oldest first, each by the version in force at its close. */
export function daysToClose(known: {
  /** Oldest first, with the business date they were written on. */
  versions: readonly { from: IsoDate; mode: AccrualMode }[]
  lastClosed: IsoDate | null
  today: IsoDate
}): { date: IsoDate; mode: AccrualMode }[] {
  const { versions, lastClosed, today } = known
  const earliest = addDays(today, -DAYS_CAUGHT_UP_MAX)
  const days: { date: IsoDate; mode: AccrualMode }[] = []
  let date = lastClosed === null || lastClosed < earliest ? earliest : addDays(lastClosed, 1)
  for (; date < today; date = addDays(date, 1)) {
    const mode = versions.findLast(({ from }) => from <= date)?.mode
    if (mode === undefined || (mode === 'MONTHLY' && !isMonthEnd(date))) continue
    days.push({ date, mode })
  }
  return days
}

function isMonthEnd(date: IsoDate): boolean {
  return addDays(date, 1).endsWith('-01')
}
