import type { Deposit } from '../../domain/deposit.ts'
import {
  placeLien as decidePlacing,
  releaseLien as decideRelease,
  type Lien,
  type LienChange,
  type LienRequest,
} from '../../domain/lien.ts'
import {
  type AnswerWriter,
  type EventDraft,
  made,
  type Origin,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { DatabaseError } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { lockDeposits } from '../deposits/store.ts'
import { held } from '../holding/changes.ts'
import { LienRecord } from './record.ts'
import {
  countActiveLiens,
  findLiens,
  holdDeposits,
  insertLiens,
  lockDepositsOfLiens,
  releaseLiens,
} from './store.ts'

type Deposits = Map<string, Deposit>

type KnownWhenPlaced = { deposits: Deposits; active: Map<string, number> }

export const lienPlacing = held<LienRequest, Deposits, KnownWhenPlaced, LienChange>({
  operation: 'placeLien',
  lock: (tx, bookId, requests) =>
    lockDeposits(tx, bookId, [...new Set(requests.map(({ depositId }) => depositId))]),
  read: async (tx, at, deposits) => ({
    deposits,
    active: await countActiveLiens(tx, at.book.bookId, [...deposits.keys()]),
  }),
  decider:
    ({ deposits, active }, { moment }, hold) =>
    (request) => {
      const { depositId } = request
      const activeLiens = active.get(depositId) ?? 0
      const decided = decidePlacing({ deposit: deposits.get(depositId), activeLiens }, request, moment.at)
      if (decided.outcome === 'refused') return decided
      const waits = hold(() => ({ amount: request.amount }))
      if (waits !== null) return waits
      deposits.set(depositId, decided.deposit)
      active.set(depositId, activeLiens + 1)
      return made({ lien: decided.lien, deposit: decided.deposit })
    },
  write(tx, bookId, changes, recording) {
    insertLiens(
      tx,
      bookId,
      changes.map(({ lien }) => lien),
    )
    holdDeposits(tx, bookId, lastOfEach(changes))
    record(tx, bookId, recording)
  },
  events: ({ lien }) => [lienEvent('fixed_deposit.lien_placed', lien, { note: lien.note })],
})

export function placeLien(
  engine: Engine,
  origin: Origin,
  request: Omit<LienRequest, 'lienId'>,
  answer?: AnswerWriter<LienChange>,
): Promise<Result<LienChange>> {
  return engine.submit(lienPlacing, origin, { lienId: newId('lien'), ...request }, answer)
}

type ReleaseRequest = { lienId: string; reason: string }

type KnownWhenReleased = { deposits: Deposits; liens: Map<string, Lien> }

export const lienRelease = held<ReleaseRequest, Deposits, KnownWhenReleased, LienChange>({
  operation: 'releaseLien',
  lock: (tx, bookId, requests) => lockDepositsOfLiens(tx, bookId, idsOf(requests)),
  async read(tx, at, deposits) {
    const liens = await findLiens(tx, at.book.bookId, idsOf(at.requests))
    const moved = [...liens.values()].some(({ depositId }) => !deposits.has(depositId))
    if (moved) throw new DatabaseError('A rollover moved a lien meanwhile.', { sqlState: '40001' })
    return { deposits, liens }
  },
  decider:
    ({ deposits, liens }, { moment }, hold) =>
    ({ lienId, reason }) => {
      const lien = liens.get(lienId)
      const decided = decideRelease(
        { lien, deposit: lien && deposits.get(lien.depositId) },
        reason,
        moment.at,
      )
      if (decided.outcome === 'refused') return decided
      const waits = hold(() => ({ amount: decided.lien.amount }))
      if (waits !== null) return waits
      deposits.set(decided.deposit.depositId, decided.deposit)
      liens.set(lienId, decided.lien)
      return made({ lien: decided.lien, deposit: decided.deposit })
    },
  write(tx, bookId, changes, recording) {
    releaseLiens(
      tx,
      bookId,
      changes.map(({ lien }) => lien),
    )
    holdDeposits(tx, bookId, lastOfEach(changes))
    record(tx, bookId, recording)
  },
  events: ({ lien }) => [lienEvent('fixed_deposit.lien_released', lien, null)],
})

export function releaseLien(
  engine: Engine,
  origin: Origin,
  request: ReleaseRequest,
  answer?: AnswerWriter<LienChange>,
): Promise<Result<LienChange>> {
  return engine.submit(lienRelease, origin, request, answer)
}

function idsOf(requests: readonly ReleaseRequest[]): string[] {
  return [...new Set(requests.map(({ lienId }) => lienId))]
}

/** Several liens of one deposit may share a batch: the last one has the final sum. */
function lastOfEach(changes: readonly LienChange[]): Deposit[] {
  return [...new Map(changes.map(({ deposit }) => [deposit.depositId, deposit])).values()]
}

function lienEvent(type: string, lien: Lien, noted: object | null): EventDraft {
  return {
    type,
    announced: true,
    subjectId: lien.depositId,
    data: LienRecord.json(lien),
    changes: noted === null ? null : JSON.stringify({ after: noted }),
  }
}
