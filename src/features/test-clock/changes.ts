/**
 * A test book's clock is real time plus an offset, so it keeps ticking after it was moved, and it only moves forward.
 * What becomes due by a move is settled before the response, so one move may cause only a bounded number of rollovers and
 * payments of interest.
 */
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { refuse } from '../../domain/refusal.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { advanceClock } from '../callers/store.ts'
import { countFurtherPayments, countFurtherRollovers } from '../maturity/store.ts'
import { lockBook } from '../versions/store.ts'
import { TestClockRecord } from './record.ts'

type Move = { before: Date; after: Date; from: IsoDate }

/** 200 years: from an opening to the maturity of the longest tenor, and as far again. */
const MOVE_MAX_MS = 73_050 * 24 * 60 * 60 * 1000

type MoveRequest = { now: Date; rolloversMax: number }

type Caused = { rollovers: number; payments: number }

const move: Change<MoveRequest, void, Caused, Move> = {
  batchMax: 1,
  // Two moves wait for the lock on the book's row, so each is measured against the other's result.
  lock: lockBook,
  // Only what smaller steps avoid is counted: the first maturity and the first payment of each deposit are not.
  async read(tx, { book, requests: [request] }) {
    const on = businessDate(request!.now, book.timeZone)
    return {
      rollovers: await countFurtherRollovers(tx, book.bookId, on),
      payments: await countFurtherPayments(tx, book.bookId, on),
    }
  },
  decider:
    ({ rollovers, payments }, { moment }) =>
    ({ now, rolloversMax }) => {
      const before = moment.at
      if (now < before) return refuse('clock_moves_forward_only', { now: before.toISOString() })
      const latest = new Date(before.getTime() + MOVE_MAX_MS)
      if (now > latest) return refuse('clock_move_too_far', { latest: latest.toISOString() })
      if (rollovers + payments > rolloversMax) {
        return refuse('clock_move_too_far', {
          rollovers: String(rollovers),
          ...(payments > 0 && { interest_payments: String(payments) }),
          maximum_rollovers: String(rolloversMax),
        })
      }
      return made({ before, after: now, from: moment.today })
    },
  write(tx, bookId, moves, recording) {
    for (const { before, after, from } of moves) {
      advanceClock(tx, bookId, { byMs: after.getTime() - before.getTime(), from })
    }
    record(tx, bookId, recording)
  },
  events: ({ before, after }) => [
    {
      type: 'test_clock.moved',
      announced: false,
      subjectId: 'test_clock',
      data: TestClockRecord.json(after),
      changes: JSON.stringify({ before: TestClockRecord.write(before), after: TestClockRecord.write(after) }),
    },
  ],
}

export async function moveTestClock(
  engine: Engine & { settleBook: (origin: Origin) => Promise<void> },
  origin: Origin,
  request: MoveRequest,
  answer?: AnswerWriter<Move>,
): Promise<Result<Move>> {
  const moved = await engine.submit(move, origin, request, answer)
  // Also after a replay: the first call may have been interrupted between its two steps.
  if (moved.outcome === 'refused') return moved
  await engine.settleBook(origin)
  return moved
}
