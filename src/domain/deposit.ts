/** A fixed deposit: its terms never change after opening; its status and remaining principal do. */
import { addDays, daysBetween, type IsoDate } from './dates.ts'
import { simpleInterest } from './interest.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, type Minor, minor } from './money.ts'
import { type OwnReference, refuseTaken, type TakenNames } from './own-reference.ts'
import type { BrokenEarlier } from './penal.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import type { Taxed, TaxStatus } from './tax.ts'

export const DEPOSIT_STATUSES = ['ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

export type Deposit = OwnReference & {
  depositId: string
  customerId: string
  accountNumber: string
  currency: string
  status: DepositStatus
  principal: Minor
  remaining: Minor
  /** Sum of the active liens; never more than the remaining principal. */
  lien: Minor
  /** Of the principal at the opening. */
  expectedInterest: Minor
  annualRatePpm: number
  tenorDays: number
  startDate: IsoDate
  maturityDate: IsoDate
  autoRollover: boolean
  rolledOverTo: string | null
  rulesVersion: number
  createdAt: Date
  updatedAt: Date
  liquidatedAt: Date | null
  /** What was broken on the last business date on which a part was broken. */
  lastBroken: BrokenOnDay | null
  /** How its interest was taxed when it was settled at maturity. */
  maturityTaxed: Taxed | null
}

export type BrokenOnDay = BrokenEarlier & { on: IsoDate }

/** Everything needed to break a deposit. */
export type BreakableDeposit = Pick<
  Deposit,
  | 'depositId'
  | 'accountNumber'
  | 'currency'
  | 'status'
  | 'remaining'
  | 'lien'
  | 'annualRatePpm'
  | 'tenorDays'
  | 'startDate'
  | 'maturityDate'
  | 'rulesVersion'
  | 'lastBroken'
>

/** The tax status is that of the customer, copied so that a liquidation reads no other row. */
export type Account = OwnReference &
  TaxStatus & {
    accountNumber: string
    customerId: string
    currency: string
    balance: Minor
    createdAt: Date
  }

export type OpeningRequest = OwnReference & {
  depositId: string
  accountNumber: string
  amount: Minor
  tenorDays: number
  annualRatePpm: number
  autoRollover: boolean
  startDate: IsoDate | null
}

export type RulesInForce = { version: number; rules: RuleSet }

export function decideOpening(
  { account, inForce, taken }: { account: Account | undefined; inForce: RulesInForce; taken: TakenNames },
  request: OpeningRequest,
  moment: Moment,
): { outcome: 'opened'; deposit: Deposit } | Refusal {
  if (account === undefined) return refuse('account_not_found')
  const refused = refuseTaken(taken, request.externalId)
  if (refused !== null) return refused
  const startDate = request.startDate ?? moment.today
  if (startDate > moment.today) return refuse('start_date_in_future', { business_date: moment.today })
  const earliest = earliestStart(request, moment.today)
  if (startDate < earliest) return refuse('start_date_too_early', { earliest })
  const terms = { ...request, startDate, maturityDate: addDays(startDate, request.tenorDays) }
  const expected = expectedInterest(request.amount, terms, inForce.rules)
  if (request.amount + expected > MINOR_MAX)
    return refuse('maturity_value_out_of_range', { maximum: MINOR_MAX })
  if (request.amount > account.balance) return refuse('insufficient_funds', { balance: account.balance })

  // After this point the deposit is opened.
  return {
    outcome: 'opened',
    deposit: {
      depositId: request.depositId,
      customerId: account.customerId,
      accountNumber: account.accountNumber,
      currency: account.currency,
      status: 'ACTIVE',
      principal: request.amount,
      remaining: request.amount,
      lien: minor(0n),
      expectedInterest: minor(expected),
      annualRatePpm: request.annualRatePpm,
      tenorDays: request.tenorDays,
      startDate,
      maturityDate: terms.maturityDate,
      autoRollover: request.autoRollover,
      rolledOverTo: null,
      rulesVersion: inForce.version,
      createdAt: moment.at,
      updatedAt: moment.at,
      liquidatedAt: null,
      lastBroken: null,
      externalId: request.externalId,
      metadata: request.metadata,
      maturityTaxed: null,
    },
  }
}

/** 200 years: a deposit of the longest tenor may have been due for as long again. Earlier dates are mistakes. */
const START_DAYS_BACK_MAX = 73_050

/**
 * Terms that an imported deposit may have rolled over by now: almost three years of daily terms, 83 years of monthly
 * ones. Each writes 1.4 kB, so without a limit one request could fill the disk.
 */
const TERMS_ROLLED_AT_OPENING_MAX = 1_000

function earliestStart({ autoRollover, tenorDays }: OpeningRequest, today: IsoDate): IsoDate {
  const daysOfTerms = (TERMS_ROLLED_AT_OPENING_MAX + 1) * tenorDays - 1
  const daysBack = autoRollover ? Math.min(START_DAYS_BACK_MAX, daysOfTerms) : START_DAYS_BACK_MAX
  return addDays(today, -daysBack)
}

type InterestTerms = { annualRatePpm: number; startDate: IsoDate; maturityDate: IsoDate }

/** What the principal will have earned at maturity. */
export function expectedInterest(principal: Minor, terms: InterestTerms, rules: RuleSet): bigint {
  return interestUpTo(terms.maturityDate, principal, terms, rules)
}

/**
 * The interest of the remaining principal by a date; it does not grow after maturity or after the deposit has ended.
 */
export function accruedInterest(deposit: Deposit, rules: RuleSet, on: IsoDate): Minor {
  const earnedTo = on < deposit.maturityDate ? on : deposit.maturityDate
  return minor(interestUpTo(earnedTo, deposit.remaining, deposit, rules))
}

function interestUpTo(to: IsoDate, principal: Minor, terms: InterestTerms, rules: RuleSet): bigint {
  return simpleInterest({
    principal,
    annualRatePpm: terms.annualRatePpm,
    dayCount: rules.dayCount,
    rounding: rules.rounding,
    from: terms.startDate,
    to,
  })
}

/** Calendar days the deposit has been held. */
export function elapsedDays(deposit: BreakableDeposit, on: IsoDate): number {
  return Math.max(0, daysBetween(deposit.startDate, on))
}
