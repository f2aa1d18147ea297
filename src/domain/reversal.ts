/**
 * Reversing a mistaken liquidation: the deposit is as if it had never been broken, and the account returns what it
 * received.
 *
 * Guarantees: undo(liquidate(x)) = x; only the last movement of a deposit is reversed, once, and within REVERSAL_DAYS.
 */
import { daysBetween, type IsoDate } from './dates.ts'
import type { BrokenOnDay, Deposit } from './deposit.ts'
import type { LedgerEntry } from './ledger.ts'
import { brokenOnDay, type Liquidation } from './liquidation.ts'
import type { Moment } from './moment.ts'
import { MINOR_MAX, minor } from './money.ts'
import { bringForward, countDue, type InterestPayment, nextInterestDate } from './payments.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RuleSet } from './rules.ts'
import type { Taxation } from './tax.ts'
import { termsOf } from './terms.ts'

/** Business dates from a liquidation to the last one on which it can be reversed. */
export const REVERSAL_DAYS = 30

export type ReversalRequest = { liquidationId: string; reason: string; note: string | null }

/** A liquidation as stored. */
export type StoredLiquidation = Liquidation & {
  reversedAt: Date | null
  /**
   * DAY: together with the other parts of its day. Those of 0.1.0 were assessed alone, and left the sums of the day
   * unchanged.
   */
  assessedBy: 'PART' | 'DAY'
  /** ALIKE: with the parts of its day that were taxed alike. Those of 0.2.0 were taxed with all parts of the day. */
  taxedWith: 'DAY' | 'ALIKE'
}

export type KnownOfLiquidation = {
  liquidation: StoredLiquidation
  deposit: Deposit
  /** The balance of the account that was credited. */
  balance: bigint
  /** The entries that it made. */
  entries: readonly LedgerEntry[]
  /** The previous liquidation of the deposit that was assessed by the day and was not reversed. */
  before: StoredLiquidation | null
  rules: RuleSet
  /** By the rules in force today. */
  taxation: Taxation | null
}

export type Reversal = ReversalRequest & {
  liquidation: StoredLiquidation
  /** Interest that fell due while the deposit was broken, and is paid now. */
  payments: readonly InterestPayment[]
  /** The state afterwards. */
  deposit: Deposit
  /** Entries without a number yet. */
  entries: Omit<LedgerEntry, 'entryId'>[]
  at: Date
}

export function decideReversal(
  known: KnownOfLiquidation | null,
  request: ReversalRequest,
  { at, today }: Moment,
): { outcome: 'reversed'; reversal: Reversal } | Refusal {
  if (known === null) return refuse('liquidation_not_found')
  const { liquidation, deposit, balance, entries } = known
  if (liquidation.reversedAt !== null) return refuse('liquidation_already_reversed')
  if (!isLatest(known, today)) return refuse('not_latest_movement')
  if (daysBetween(liquidation.businessDate, today) > REVERSAL_DAYS) return refuse('reversal_window_closed')
  if (balance < liquidation.net) {
    return refuse('insufficient_funds', { balance, needed: liquidation.net })
  }

  const reopened = reopenedBy(known, at)
  const missed = bringForward(reopened, {
    terms: termsOf(deposit, known.rules),
    moment: { at, today },
    taxationOn: () => known.taxation,
    balance: balance - liquidation.net,
  })
  if (missed.blocked) return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })

  // After this point the liquidation is reversed.
  return {
    outcome: 'reversed',
    reversal: {
      ...request,
      liquidation: { ...liquidation, reversedAt: at },
      deposit: missed.deposit,
      payments: missed.payments,
      entries: entries.map((entry) => opposite(entry, at)),
      at,
    },
  }
}

/** As if the deposit had not been broken: what was paid on the part belongs to what remains again. */
function reopenedBy(known: KnownOfLiquidation, at: Date): Deposit {
  const { liquidation, deposit } = known
  const terms = termsOf(deposit, known.rules)
  const lastBroken = lastBrokenBefore(known)
  return {
    ...deposit,
    remaining: minor(deposit.remaining + liquidation.principal),
    status: 'ACTIVE',
    paid: minor(deposit.paid + liquidation.paidShare),
    paidTax: minor(deposit.paidTax + liquidation.taxShare),
    nextInterestDate: nextInterestDate(terms, deposit.paidTo),
    updatedAt: at,
    liquidatedAt: null,
    lastBroken,
    brokenDays: brokenDaysBefore(known),
  }
}

/**
 * Every liquidation that was not reversed left less than those before it, so the remaining principal shows which one
 * was last. Interest that was paid on what remained, or is due, is a later movement.
 */
function isLatest({ liquidation, deposit, rules }: KnownOfLiquidation, today: IsoDate): boolean {
  if (deposit.remaining !== liquidation.remaining || deposit.status !== liquidation.statusAfter) return false
  if (deposit.status !== 'ACTIVE') return true
  return deposit.paidTo === liquidation.paidTo && countDue(deposit, termsOf(deposit, rules), today, 0) === 0
}

function lastBrokenBefore({ liquidation, deposit, before }: KnownOfLiquidation): BrokenOnDay | null {
  const { assessedBy, earlierToday, businessDate } = liquidation
  if (assessedBy === 'PART') return deposit.lastBroken
  if (earlierToday !== null) return { ...earlierToday, on: businessDate }
  return before && brokenOnDay(before)
}

/** Days before the last one on which a part was broken, as the liquidation before this one had counted them. */
function brokenDaysBefore({ liquidation, deposit, before }: KnownOfLiquidation): number {
  const { assessedBy, earlierToday } = liquidation
  if (assessedBy === 'PART') return deposit.brokenDays
  return (earlierToday === null ? before : liquidation)?.earlierLiquidations ?? 0
}

function opposite({ entryId, ...entry }: LedgerEntry, at: Date): Omit<LedgerEntry, 'entryId'> {
  return {
    ...entry,
    kind: 'REVERSAL',
    reverses: entryId,
    narration: null,
    createdAt: at,
    postings: entry.postings.map(({ account, amount }) => ({ account, amount: -amount })),
  }
}
