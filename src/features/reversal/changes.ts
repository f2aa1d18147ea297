/** Reversing a liquidation: its deposit is locked, then the account that returns the money. */
import { type ApprovalPolicy, type Facts, heldForApproval } from '../../domain/approvals.ts'
import { decideReversal, type KnownOfLiquidation, type ReversalRequest } from '../../domain/reversal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { findPendingOfTargets } from '../approvals/store.ts'
import { readRules } from '../rules/changes.ts'
import { ReversalRecord, type ShownReversal } from './record.ts'
import { type LockedDeposit, lockDepositOfLiquidation, readLiquidation, writeReversal } from './store.ts'

type Known = {
  /** null: there is no such liquidation. */
  made: { known: KnownOfLiquidation; rules: RuleSet; waiting: (at: Date) => ShownReversal['pending'] } | null
  policy: ApprovalPolicy | null
}

export const reversalChange: Change<ReversalRequest, LockedDeposit | null, Known, ShownReversal> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockDepositOfLiquidation(tx, bookId, request!.liquidationId),
  async read(tx, at, locked) {
    const policy = await readPolicy(tx, at)
    if (locked === null) return { made: null, policy }
    const { bookId } = at.book
    const { rulesVersion, depositId } = locked.deposit
    const rules = await readRules(tx, at.versions, bookId, [rulesVersion])
    const known = await readLiquidation(tx, bookId, at.requests[0]!.liquidationId, locked)
    const pending = await findPendingOfTargets(tx, bookId, [depositId])
    const waiting = (at: Date) => pending(depositId, at)
    return { made: { known, rules: rules.get(rulesVersion)!, waiting }, policy }
  },
  decider:
    ({ made: kept, policy }, { moment }) =>
    (request) => {
      const decided = decideReversal(kept?.known ?? null, request, moment)
      if (decided.outcome === 'refused') return decided
      const { reversal } = decided
      const { rules, waiting } = kept!
      const shown = { reversal, rules, today: moment.today, pending: waiting(moment.at) }
      return heldForApproval(policy, 'reverseLiquidation', reversalFacts(shown)) ?? made(shown)
    },
  write(tx, bookId, [value], recording) {
    writeReversal(tx, bookId, value!.reversal)
    record(tx, bookId, recording)
  },
  events: (shown) => [
    {
      type: 'fixed_deposit.liquidation_reversed',
      announced: true,
      subjectId: shown.reversal.deposit.depositId,
      data: ReversalRecord.json(shown),
      changes: JSON.stringify({ after: { reason: shown.reversal.reason, note: shown.reversal.note } }),
    },
  ],
}

/** What the approval policy may depend on. */
export function reversalFacts({ reversal: { liquidation } }: ShownReversal): Facts {
  return { amount: liquidation.principal, netCredited: liquidation.net }
}

export function reverseLiquidation(
  engine: Engine,
  origin: Origin,
  request: ReversalRequest,
  answer?: AnswerWriter<ShownReversal>,
): Promise<Result<ShownReversal>> {
  return engine.submit(reversalChange, origin, request, answer)
}
