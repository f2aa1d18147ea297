/**
 * Reversing a mistaken liquidation: the deposit is as if it had never been broken, and the account returns what it
 * received.
 *
 * Guarantees: undo(liquidate(x)) = x; only the last movement of a deposit is reversed, once, and within REVERSAL_DAYS.
 */
import { daysBetween } from './dates.ts'
import type { BrokenOnDay, Deposit } from './deposit.ts'
import type { LedgerEntry } from './ledger.ts'
import { brokenOnDay, type Liquidation } from './liquidation.ts'
import type { Moment } from './moment.ts'
import { minor } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Business dates from a liquidation to the last one on which it can be reversed. */
export const REVERSAL_DAYS = 30

export type ReversalRequest = { liquidationId: string; reason: string; note: string | null }

/** A liquidation as stored. */
export type MadeLiquidation = Liquidation & {
  reversedAt: Date | null
  /**
   * DAY: together with the other parts of its day. Those of 0.1.0 were assessed alone, and left the sums of the day
   * unchanged.
   */
  assessedBy: 'PART' | 'DAY'
}

export type KnownOfLiquidation = {
  liquidation: MadeLiquidation
  deposit: Deposit
  /** Of the account that was credited. */
  balance: bigint
  /** The entries that it made. */
  entries: readonly LedgerEntry[]
  /** The previous liquidation of the deposit that was assessed by the day and was not reversed. */
  before: MadeLiquidation | null
}

export type Reversal = ReversalRequest & {
  liquidation: MadeLiquidation
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
  if (!isLatest(liquidation, deposit)) return refuse('not_latest_movement')
  if (daysBetween(liquidation.businessDate, today) > REVERSAL_DAYS) return refuse('reversal_window_closed')
  if (balance < liquidation.net) {
    return refuse('insufficient_funds', { balance, needed: liquidation.net })
  }

  // After this point the liquidation is reversed.
  return {
    outcome: 'reversed',
    reversal: {
      ...request,
      liquidation: { ...liquidation, reversedAt: at },
      deposit: {
        ...deposit,
        remaining: minor(deposit.remaining + liquidation.principal),
        status: 'ACTIVE',
        updatedAt: at,
        liquidatedAt: null,
        lastBroken: lastBrokenBefore(known),
      },
      entries: entries.map((entry) => opposite(entry, at)),
      at,
    },
  }
}

/**
 * Every liquidation that was not reversed left less than those before it, so the remaining principal shows which one
 * was last.
 */
function isLatest(liquidation: MadeLiquidation, deposit: Deposit): boolean {
  return deposit.remaining === liquidation.remaining && deposit.status === liquidation.statusAfter
}

function lastBrokenBefore({ liquidation, deposit, before }: KnownOfLiquidation): BrokenOnDay | null {
  const { assessedBy, earlierToday, businessDate } = liquidation
  if (assessedBy === 'PART') return deposit.lastBroken
  if (earlierToday !== null) return { ...earlierToday, on: businessDate }
  return before && brokenOnDay(before)
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
