/**
 * Breaking deposits. A batch takes its locks in one statement, deposits by id and then accounts by number, and writes in
 * one statement: deposits, balances, liquidations, entries, events, deliveries and idempotency answers.
 */
import type { BreakableDeposit } from '../../domain/deposit.ts'
import {
  decideLiquidations,
  type Liquidation,
  type LiquidationRequest,
  type Part,
} from '../../domain/liquidation.ts'
import type { RuleSet } from '../../domain/rules.ts'
import type { AnswerWriter, Change, Origin, Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { newId } from '../../engine/database/ids.ts'
import { lockBreakable } from '../deposits/store.ts'
import { readRules } from '../rules/changes.ts'
import { LiquidationRecord } from './record.ts'
import { writeLiquidations } from './store.ts'

type Locked = { deposits: Map<string, BreakableDeposit>; balances: Map<string, bigint> }
type Known = Locked & { rules: Map<number, RuleSet> }

/** The answer and the event say the same, so it is spelt once. */
export type LiquidationMade = { liquidation: Liquidation; data: string }

export const liquidationChange: Change<LiquidationRequest, Locked, Known, LiquidationMade> = {
  lock: (tx, bookId, requests) =>
    lockBreakable(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  read: async (tx, { book, versions }, locked) => ({
    ...locked,
    rules: await readRules(
      tx,
      versions,
      book.bookId,
      [...locked.deposits.values()].map(({ rulesVersion }) => rulesVersion),
    ),
  }),
  decider(known, { moment }) {
    const decide = decideLiquidations(known, moment)
    return (request) => {
      const decision = decide(request)
      if (decision.outcome === 'refused') return decision
      const { liquidation } = decision
      return {
        outcome: 'made',
        value: { liquidation, data: JSON.stringify(LiquidationRecord.write(liquidation)) },
      }
    }
  },
  write: (tx, bookId, values, recording) =>
    writeLiquidations(
      tx,
      bookId,
      values.map(({ liquidation }) => liquidation),
      recording,
    ),
  events: ({ liquidation, data }) => [
    {
      type: liquidation.type === 'FULL' ? 'fixed_deposit.liquidated' : 'fixed_deposit.partially_liquidated',
      announced: true,
      subjectId: liquidation.depositId,
      data,
      changes: null,
    },
  ],
}

export function liquidate(
  engine: Engine,
  origin: Origin,
  request: { depositId: string; part: Part },
  answer?: AnswerWriter<LiquidationMade>,
): Promise<Result<LiquidationMade>> {
  return engine.submit(liquidationChange, origin, { liquidationId: newId('liq'), ...request }, answer)
}
