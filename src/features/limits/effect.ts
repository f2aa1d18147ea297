/** What a policy would have held: what waits now, and the liquidations of the last days. Nothing is written. */
import { type Approval, type ApprovalPolicy, countApprovals, type Facts } from '../../domain/approvals.ts'
import type { Book } from '../../domain/book.ts'
import { addDays } from '../../domain/dates.ts'
import type { StoredLiquidation } from '../../domain/reversal.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { listWaiting } from '../approval-requests/store.ts'
import { previewNow } from '../approvals/changes.ts'
import { bodyOf } from '../approvals/operations.ts'
import { findLiquidations } from '../liquidation/store.ts'

const WAITING_SHOWN = 10
const LOOKED_BACK_DAYS = 30
const LIQUIDATIONS_MAX = 1_000

/** How many have to approve a request, by the policy in force and by the proposed one; null: it is not possible now. */
export type WaitingEffect = { approval: Approval; now: number | null; proposed: number | null }

export async function effectOnWaiting(
  engine: Engine,
  book: Book,
  proposed: ApprovalPolicy,
): Promise<WaitingEffect[]> {
  const { at } = await engine.momentIn(book)
  const waiting = await listWaiting(engine.db, book.bookId, { at, limit: WAITING_SHOWN })
  const effects: WaitingEffect[] = []
  for (const approval of waiting) {
    const neededBy = async (assumed?: ApprovalPolicy) => {
      const tried = await previewNow(engine, book, approval, bodyOf(approval), assumed)
      return tried.outcome === 'tried' ? tried.count.needed : null
    }
    effects.push({ approval, now: await neededBy(), proposed: await neededBy(proposed) })
  }
  return effects
}

export async function effectOnLiquidations(
  engine: Engine,
  book: Book,
): Promise<{ count: number; isComplete: boolean; heldBy: (policy: ApprovalPolicy) => number }> {
  const { today } = await engine.momentIn(book)
  const filters = { from: addDays(today, 1 - LOOKED_BACK_DAYS), to: today }
  const page = { limit: LIQUIDATIONS_MAX, before: null }
  const { items, next } = await findLiquidations(engine.db, book.bookId, filters, page)
  const heldBy = (policy: ApprovalPolicy) =>
    items.filter((one) => countApprovals(policy, 'liquidateFixedDeposit', () => factsOf(one)).needed > 0)
      .length
  return { count: items.length, isComplete: next === null, heldBy }
}

function factsOf({ principal, net, waived, assessed, waiver }: StoredLiquidation): Facts {
  return {
    amount: principal,
    netCredited: net,
    waiver: waiver !== null,
    ...(waiver !== null && { waivedAmount: waived }),
    ...(waiver !== null && assessed > 0n && { waivedShare: { numerator: waived, denominator: assessed } }),
  }
}
