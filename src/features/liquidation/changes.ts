/**
 * One liquidation is a batch of one. A batch of one book is one transaction:
 *   lock deposits by id, then accounts by number · read the clock and earlier answers · decide · write one statement.
 * Guarantees: a batch equals the same requests one at a time, in order; a key makes at most one change, ever; a lost
 * answer to COMMIT is looked up before anybody is answered.
 */

import { decideAll, type Liquidation, type LiquidationRequest, type Part } from '../../domain/liquidation.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type Batcher, type BatchLimits, createBatcher } from '../../engine/change/batcher.ts'
import { type Answered, momentOf, type Origin } from '../../engine/change/change.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { persist } from '../../engine/change/persistence.ts'
import { type ChangeEvent, findEvents, readSituation } from '../../engine/change/recording.ts'
import {
  type Database,
  isUnavailable,
  type Queries,
  type Transaction,
} from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { successBodyOf } from '../../wire/envelope.ts'
import { lockBreakable } from '../deposits/store.ts'
import type { RulesReader } from '../rules/changes.ts'
import { liquidationData } from './record.ts'
import { writeLiquidations } from './store.ts'

type Submitted = { origin: Origin; request: LiquidationRequest; eventId: string }

export type Liquidate = (
  origin: Origin,
  asked: { depositId: string; part: Part },
) => Promise<Answered | Refusal>

export function createLiquidate(options: {
  db: Database
  clock: () => Date
  rules: RulesReader
  limits: BatchLimits
  observe?: (batchSize: number) => void
}): { liquidate: Liquidate } & Pick<Batcher<never, never>, 'waiting' | 'isFull' | 'isAnyFull'> {
  const { db, clock, rules } = options
  const batcher = createBatcher<Submitted, Answered | Refusal>({
    limits: options.limits,
    ...(options.observe && { observe: options.observe }),
    run: liquidateBatch,
    // A commit that may have happened is not run again, and a database that is away fails everybody alike.
    mayBeOnesFault: (error) => !(error instanceof OutcomeUnknownError) && !isUnavailable(error),
  })

  return {
    waiting: batcher.waiting,
    isFull: batcher.isFull,
    isAnyFull: batcher.isAnyFull,
    liquidate: (origin, { depositId, part }) =>
      batcher.submit(origin.book.bookId, {
        origin,
        request: { liquidationId: newId('liq'), depositId, part, idempotency: origin.idempotency },
        eventId: newId('evt'),
      }),
  }

  async function liquidateBatch(bookId: string, batch: readonly Submitted[]) {
    /** Answers of an attempt whose commit was not confirmed, by event. */
    const unconfirmed = new Map<string, Answered>()

    return persist((inDoubt) =>
      db.transaction(async (tx) => {
        const known = await lockAndRead(tx, bookId, batch)
        const committed = inDoubt ? await findEvents(tx, bookId, [...unconfirmed.keys()]) : new Set<string>()
        const open = batch.filter((one) => !committed.has(one.eventId))
        const decided = decideAndWrite(tx, bookId, open, known)
        const answers = batch.map((one) => decided.get(one.eventId) ?? unconfirmed.get(one.eventId)!)
        for (const [eventId, answer] of decided) {
          if (answer.outcome === 'answered') unconfirmed.set(eventId, answer)
        }
        return answers
      }),
    )
  }

  /** The statements run in this order but travel together: it takes one round trip to be sure of everything. */
  async function lockAndRead(tx: Queries, bookId: string, batch: readonly Submitted[]) {
    const depositIds = [...new Set(batch.map((one) => one.request.depositId))]
    const keys = batch.flatMap((one) => one.request.idempotency?.key ?? [])
    const [{ deposits, balances }, situation] = await Promise.all([
      lockBreakable(tx, bookId, depositIds),
      readSituation(tx, bookId, keys),
    ])
    const versions = [...deposits.values()].map((deposit) => deposit.rulesVersion)
    return { deposits, balances, situation, rules: await rules.readVersions(tx, bookId, versions) }
  }

  function decideAndWrite(
    tx: Transaction,
    bookId: string,
    batch: readonly Submitted[],
    known: Awaited<ReturnType<typeof lockAndRead>>,
  ): Map<string, Answered | Refusal> {
    if (batch.length === 0) return new Map()
    const { deposits, balances, situation } = known
    const moment = momentOf(batch[0]!.origin.book, clock(), situation.clockOffsetMs)
    const decisions = decideAll(
      {
        deposits,
        rules: known.rules,
        balances,
        fingerprints: new Map([...situation.answers].map(([key, answer]) => [key, answer.fingerprint])),
      },
      batch.map((one) => one.request),
      moment,
    )

    const answers = new Map<string, Answered | Refusal>()
    const kept = new Map([...situation.answers])
    const liquidations: Liquidation[] = []
    const events: ChangeEvent[] = []
    const newAnswers: Parameters<typeof writeLiquidations>[2]['answers'][number][] = []
    batch.forEach(({ origin, request, eventId }, index) => {
      const decision = decisions[index]!
      switch (decision.outcome) {
        case 'refused':
          answers.set(eventId, decision)
          return
        case 'replayed': {
          const { status, body } = kept.get(decision.key)!
          answers.set(eventId, { outcome: 'answered', status, body, replayed: true })
          return
        }
        case 'liquidated': {
          const { liquidation } = decision
          const data = JSON.stringify(liquidationData(liquidation))
          const body = successBodyOf(messageOf(liquidation), data)
          liquidations.push(liquidation)
          events.push(eventOf(liquidation, { origin, eventId, data }))
          if (request.idempotency !== null) {
            const { key, fingerprint } = request.idempotency
            kept.set(key, { fingerprint, status: 200, body })
            newAnswers.push({ key, fingerprint, status: 200, body, at: moment.at })
          }
          answers.set(eventId, { outcome: 'answered', status: 200, body, replayed: false })
          return
        }
        default:
          decision satisfies never
      }
    })
    if (liquidations.length > 0) {
      // Keys are taken in one order, as rows are locked: batches that share some queue instead of deadlocking.
      newAnswers.sort((left, right) => (left.key < right.key ? -1 : 1))
      writeLiquidations(tx, bookId, { liquidations, events, answers: newAnswers })
    }
    return answers
  }
}

function messageOf(liquidation: Liquidation): string {
  return liquidation.type === 'FULL'
    ? 'The fixed deposit was liquidated.'
    : 'The fixed deposit was partially liquidated.'
}

function eventOf(
  liquidation: Liquidation,
  made: { origin: Origin; eventId: string; data: string },
): ChangeEvent {
  return {
    eventId: made.eventId,
    type: liquidation.type === 'FULL' ? 'fixed_deposit.liquidated' : 'fixed_deposit.partially_liquidated',
    announced: true,
    subjectId: liquidation.depositId,
    apiKeyId: made.origin.apiKeyId,
    requestId: made.origin.requestId,
    at: liquidation.at,
    data: made.data,
    changes: null,
  }
}
