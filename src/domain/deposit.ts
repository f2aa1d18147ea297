/** A fixed deposit: its terms never change after opening; its status and remaining principal do. */
import { addDays, daysBetween, type IsoDate } from './dates.ts'
import type { DaySums } from './day-sums.ts'
import { earnedBy, interestOfPeriod } from './interest.ts'
import type { Moment } from './moment.ts'
import { existsIn, MINOR_MAX, type Minor, minor } from './money.ts'
import { NO_REFERENCE, type OwnReference, refuseTaken, type TakenNames } from './own-reference.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import type { AgreedTenor } from './schedule.ts'
import type { Taxed, TaxStatus } from './tax.ts'
import { type Agreed, type Terms, termsOf } from './terms.ts'

export const DEPOSIT_STATUSES = ['ACTIVE', 'LIQUIDATED', 'MATURED', 'ROLLED_OVER'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

/** What becomes of a deposit at maturity; ROLL_OVER_PRINCIPAL pays the interest to the account. */
export const MATURITY_INSTRUCTIONS = ['PAY_OUT', 'ROLL_OVER', 'ROLL_OVER_PRINCIPAL'] as const
export type MaturityInstruction = (typeof MATURITY_INSTRUCTIONS)[number]

export type Deposit = OwnReference &
  Agreed &
  Sold &
  InterestPaid & {
    depositId: string
    customerId: string
    accountNumber: string
    status: DepositStatus
    principal: Minor
    remaining: Minor
    /** Sum of the active liens; never more than the remaining principal. */
    lien: Minor
    /** The interest of the principal at the opening. */
    expectedInterest: Minor
    /** From start to maturity. */
    tenorDays: number
    instruction: MaturityInstruction
    rolledOverTo: string | null
    /** How often the deposit has rolled over, with those before it. */
    rollovers: number
    createdAt: Date
    updatedAt: Date
    liquidatedAt: Date | null
    /** What was broken on the last business date on which a part was broken. */
    lastBroken: BrokenOnDay | null
    /** Business dates before that one on which a part was broken and not reversed. */
    brokenDays: number
    /** How its interest was taxed when it was settled at maturity. */
    maturityTaxed: Taxed | null
  }

/** The product that a deposit was opened by; nulls and no bonus without one. */
export type Sold = {
  productCode: string | null
  productVersion: number | null
  /** The number of the rate sheet in force at the start. */
  rateSheet: number | null
  bonusCodes: readonly string[]
  /** Their points together, part of the rate. */
  bonusPpm: number
  /** false: the rate is that of the sheet; null: not known, as of imports. */
  negotiated: boolean | null
  recoverPaidInterest: boolean
  /** The calendar that the maturity was found by. */
  calendarVersion: number | null
}

export const WITHOUT_PRODUCT: Sold = {
  productCode: null,
  productVersion: null,
  rateSheet: null,
  bonusCodes: [],
  bonusPpm: 0,
  negotiated: null,
  recoverPaidInterest: false,
  calendarVersion: null,
}

/** Interest that was paid before maturity, on what remains. */
export type InterestPaid = {
  paid: Minor
  /** Withheld of it. */
  paidTax: Minor
  /** PAYOUT: the last boundary up to which interest was paid; null before the first payment. */
  paidTo: IsoDate | null
  /** PAYOUT, while active: the next boundary; the maturity for the last period. */
  nextInterestDate: IsoDate | null
}

export const NOTHING_PAID: InterestPaid = {
  paid: minor(0n),
  paidTax: minor(0n),
  paidTo: null,
  nextInterestDate: null,
}

/** Simple interest, paid at maturity. */
export const PLAIN_INTEREST = { method: 'AT_MATURITY', every: null, agreedTenor: null } as const

/** Until the day before maturity. The same instruction again changes nothing. */
export function decideInstruction(
  deposit: Deposit | undefined,
  instruction: MaturityInstruction,
  { at, today }: Moment,
): { outcome: 'instructed'; deposit: Deposit; changed: boolean } | Refusal {
  if (deposit === undefined) return refuse('deposit_not_found')
  const { status } = deposit
  if (status !== 'ACTIVE') return refuse('deposit_not_active', { deposit_status: status })
  if (today >= deposit.maturityDate) {
    return refuse('deposit_matured', { maturity_date: deposit.maturityDate })
  }
  if (deposit.instruction === instruction) return { outcome: 'instructed', deposit, changed: false }
  return { outcome: 'instructed', deposit: { ...deposit, instruction, updatedAt: at }, changed: true }
}

/** Without a product the tenor is the days that came out. */
export function agreedTenorOf({
  agreedTenor,
  tenorDays,
}: Pick<Deposit, 'agreedTenor' | 'tenorDays'>): AgreedTenor {
  return agreedTenor ?? { unit: 'DAY', count: tenorDays }
}

/** Whether a successor is opened at maturity. */
export function rollsOver({ instruction }: Pick<Deposit, 'instruction'>): boolean {
  return instruction !== 'PAY_OUT'
}

export type BrokenOnDay = DaySums & { on: IsoDate }

/** Everything needed to break a deposit. */
export type BreakableDeposit = Pick<
  Deposit,
  | 'depositId'
  | 'accountNumber'
  | 'status'
  | 'principal'
  | 'remaining'
  | 'lien'
  | 'tenorDays'
  | 'lastBroken'
  | 'brokenDays'
  | 'rollovers'
  | keyof Agreed
  | keyof InterestPaid
  | Exclude<keyof Sold, 'negotiated'>
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

type AccountMember = 'accountNumber' | 'customerId' | 'currency' | 'balance' | 'createdAt'

/** Its only maker: without a reference of the caller and in the class STANDARD, unless it is said. */
export function newAccount(
  members: Pick<Account, AccountMember> & Partial<OwnReference & TaxStatus>,
): Account {
  return { ...NO_REFERENCE, taxClass: null, taxValidUntil: null, ...members }
}

export type OpeningRequest = OwnReference & {
  depositId: string
  accountNumber: string
  amount: Minor
  tenorDays: number
  annualRatePpm: number
  instruction: MaturityInstruction
  startDate: IsoDate | null
}

export type RulesInForce = { version: number; rules: RuleSet }

/** The rules a deposit is pinned to: those of its product, or the caller's in force at its opening. */
export type RulesOf = (deposit: PinnedTo) => RuleSet
export type PinnedTo = Pick<Deposit, 'rulesVersion' | 'productCode' | 'productVersion'>

export function decideOpening(
  { account, inForce, taken }: { account: Account | undefined; inForce: RulesInForce; taken: TakenNames },
  request: OpeningRequest,
  moment: Moment,
): { outcome: 'opened'; deposit: Deposit } | Refusal {
  if (account === undefined) return refuse('account_not_found')
  const refused = refuseTaken(taken, request.externalId)
  if (refused !== null) return refused
  const { currency } = account
  if (!existsIn(currency, request.amount)) return refuse('amount_not_whole', { currency })
  const startDate = request.startDate ?? moment.today
  if (startDate > moment.today) return refuse('start_date_in_future', { business_date: moment.today })
  const earliest = earliestStart(request, moment.today)
  if (startDate < earliest) return refuse('start_date_too_early', { earliest })
  const terms: Agreed = {
    ...PLAIN_INTEREST,
    currency,
    annualRatePpm: request.annualRatePpm,
    startDate,
    maturityDate: addDays(startDate, request.tenorDays),
    rulesVersion: inForce.version,
  }
  const expected = interestAtMaturity(request.amount, termsOf(terms, inForce.rules))
  if (request.amount + expected > MINOR_MAX)
    return refuse('maturity_value_out_of_range', { maximum: MINOR_MAX })
  if (request.amount > account.balance) return refuse('insufficient_funds', { balance: account.balance })

  // After this point the deposit is opened.
  return {
    outcome: 'opened',
    deposit: {
      ...newDeposit(request, account, moment.at),
      principal: request.amount,
      remaining: request.amount,
      expectedInterest: minor(expected),
      ...terms,
      ...WITHOUT_PRODUCT,
      ...NOTHING_PAID,
      tenorDays: request.tenorDays,
      instruction: request.instruction,
      rollovers: 0,
    },
  }
}

/** Before anything has happened to it. */
export const UNTOUCHED = {
  lien: minor(0n),
  rolledOverTo: null,
  liquidatedAt: null,
  lastBroken: null,
  brokenDays: 0,
  maturityTaxed: null,
}

/** What every deposit begins with, however it comes into the book. */
export function newDeposit(
  { depositId, externalId, metadata }: OwnReference & { depositId: string },
  { customerId, accountNumber }: Pick<Account, 'customerId' | 'accountNumber'>,
  at: Date,
) {
  return {
    depositId,
    customerId,
    accountNumber,
    status: 'ACTIVE' as const,
    ...UNTOUCHED,
    createdAt: at,
    updatedAt: at,
    externalId,
    metadata,
  }
}

/** 200 years: a deposit of the longest tenor may have been due for as long again. Earlier dates are mistakes. */
const START_DAYS_BACK_MAX = 73_050

/**
 * Terms that an imported deposit may have rolled over by now: almost three years of daily terms, 83 years of monthly
 * ones. Each writes 1.4 kB, so without a limit one request could fill the disk.
 */
const TERMS_ROLLED_AT_OPENING_MAX = 1_000

export function earliestStart(
  request: Pick<OpeningRequest, 'instruction' | 'tenorDays'>,
  today: IsoDate,
): IsoDate {
  const { tenorDays } = request
  const daysOfTerms = (TERMS_ROLLED_AT_OPENING_MAX + 1) * tenorDays - 1
  const daysBack = rollsOver(request) ? Math.min(START_DAYS_BACK_MAX, daysOfTerms) : START_DAYS_BACK_MAX
  return addDays(today, -daysBack)
}

/** What a principal will have earned at maturity, where nothing of it is paid before, or all of it at the start. */
export function interestAtMaturity(principal: Minor, terms: Terms): bigint {
  if (terms.method === 'UPFRONT') {
    return interestOfPeriod(terms, principal, { from: terms.startDate, to: terms.maturityDate })
  }
  return earnedBy(terms.maturityDate, terms, { principal, paid: minor(0n), paidTo: null })
}

/** What the remaining principal will have earned at maturity, with what was paid before. */
export function expectedInterest(deposit: Earning, rules: RuleSet): bigint {
  return earnedOf(deposit, rules, deposit.maturityDate)
}

/**
 * The interest of the remaining principal by a date, less what was paid; it does not grow after maturity or after the
 * deposit has ended.
 */
export function accruedInterest(deposit: Earning, rules: RuleSet, on: IsoDate): Minor {
  const accrued = earnedOf(deposit, rules, on) - deposit.paid
  return minor(accrued > 0n ? accrued : 0n)
}

type Earning = Agreed & Pick<Deposit, 'remaining' | 'paid' | 'paidTo'>

function earnedOf(deposit: Earning, rules: RuleSet, on: IsoDate): bigint {
  const { remaining: principal, paid, paidTo } = deposit
  return earnedBy(on, termsOf(deposit, rules), { principal, paid, paidTo })
}

/** Calendar days the deposit has been held. */
export function elapsedDays(deposit: BreakableDeposit, on: IsoDate): number {
  return Math.max(0, daysBetween(deposit.startDate, on))
}
