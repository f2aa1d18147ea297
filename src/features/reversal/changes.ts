/** Reversing a liquidation: its deposit is locked, then the account that returns the money. */
import type { IsoDate } from '../../domain/dates.ts'
import { decideReversal, type KnownOfLiquidation, type ReversalRequest } from '../../domain/reversal.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { taxationOf } from '../../domain/tax.ts'
import { type AnswerWriter, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { held } from '../holding/changes.ts'
import { paymentEvents } from '../interest-payments/changes.ts'
import { readRulesOf } from '../products/changes.ts'
import { readTaxVersions } from '../tax/changes.ts'
import { ReversalRecord, type ShownReversal } from './record.ts'
import { type LockedDeposit, lockDepositOfLiquidation, readLiquidation, writeReversal } from './store.ts'

/** null: there is no such liquidation. */
type Known = {
  made: (today: IsoDate) => KnownOfLiquidation
  rules: RuleSet
  waiting: (at: Date) => ShownReversal['pending']
} | null

export const reversalChange = held<ReversalRequest, LockedDeposit | null, Known, ShownReversal>({
  operation: 'reverseLiquidation',
  batchMax: 1,
  lock: async (tx, bookId, [request]) =>
    (await lockDepositOfLiquidation(tx, bookId, request!.liquidationId)) ?? null,
  async read(tx, at, locked) {
    if (locked === null) return null
    const { bookId } = at.book
    const { depositId } = locked.deposit
    const rules = (await readRulesOf(tx, at.versions, bookId, [locked.deposit]))(locked.deposit)
    const taxVersions = await readTaxVersions(tx, at)
    const read = await readLiquidation(tx, bookId, at.requests[0]!.liquidationId, locked)
    const known = (today: IsoDate) => ({
      ...read,
      rules,
      taxation: taxationOf(taxVersions, locked.taxStatus, today),
    })
    const pending = await findPendingOfTargets(tx, bookId, [depositId])
    const waiting = (at: Date) => pending(depositId, at)
    return { made: known, rules, waiting }
  },
  decider:
    (kept, { moment }, hold) =>
    (request) => {
      const decided = decideReversal(kept?.made(moment.today) ?? null, request, moment)
      if (decided.outcome === 'refused') return decided
      const { reversal } = decided
      const { rules, waiting } = kept!
      const { principal: amount, net: netCredited } = reversal.liquidation
      const waits = hold(() => ({ amount, netCredited }))
      if (waits !== null) return waits
      return made({ reversal, rules, today: moment.today, pending: waiting(moment.at) })
    },
  write(tx, bookId, [value], recording) {
    writeReversal(tx, bookId, value!.reversal)
    record(tx, bookId, recording)
  },
  events: (shown) => [
    ...paymentEvents(shown.reversal.payments),
    {
      type: 'fixed_deposit.liquidation_reversed',
      announced: true,
      subjectId: shown.reversal.deposit.depositId,
      data: ReversalRecord.json(shown),
      changes: JSON.stringify({ after: { reason: shown.reversal.reason, note: shown.reversal.note } }),
    },
  ],
})

export function reverseLiquidation(
  engine: Engine,
  origin: Origin,
  request: ReversalRequest,
  answer?: AnswerWriter<ShownReversal>,
): Promise<Result<ShownReversal>> {
  return engine.submit(reversalChange, origin, request, answer)
}
