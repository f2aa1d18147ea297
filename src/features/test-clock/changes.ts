/**
 * A test book's clock is real time plus an offset, so it goes on ticking after it was moved, and only ever forward.
 * What becomes due by a move is settled before the move is answered, so one move causes a bounded number of rollovers.
 */

import type { Service } from '../../cli/compose.ts'
import { businessDate } from '../../domain/dates.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Answered, Origin } from '../../engine/change/change.ts'
import { successBody, timestamp } from '../../wire/envelope.ts'
import { advanceClock } from '../callers/store.ts'
import { countFurtherRollovers } from '../maturity/store.ts'
import { lockBook } from '../rules/store.ts'
import { testClockData } from './record.ts'

/** 200 years: from the day of an opening to the maturity of the longest tenor, and as far again. */
const MOVE_MAX_MS = 73_050 * 24 * 60 * 60 * 1000

export async function moveTestClock(
  service: Pick<Service, 'perform' | 'maturity' | 'testClockRolloversMax'>,
  origin: Origin,
  now: Date,
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  const moved = await service.perform(origin, {
    // Two moves queue for the book's row, so each is measured against the other's result.
    lock: (tx) => lockBook(tx, bookId),
    decide: async (tx, _, moment) => {
      if (now < moment.at) return refuse('clock_moves_forward_only', { now: timestamp(moment.at) })
      const latest = new Date(moment.at.getTime() + MOVE_MAX_MS)
      if (now > latest) return refuse('clock_move_too_far', { latest: timestamp(latest) })
      // Only what smaller steps avoid is counted: the first maturity of each deposit is not.
      const rollovers = await countFurtherRollovers(tx, bookId, businessDate(now, origin.book.timeZone))
      const maximum = service.testClockRolloversMax
      if (rollovers > maximum) {
        return refuse('clock_move_too_far', {
          rollovers: String(rollovers),
          maximum_rollovers: String(maximum),
        })
      }
      advanceClock(tx, bookId, now.getTime() - moment.at.getTime())
      const data = testClockData(now)
      return {
        outcome: 'made',
        status: 200,
        body: successBody('The clock was moved and what became due is settled.', data),
        event: {
          type: 'test_clock.moved',
          announced: false,
          subjectId: 'test_clock',
          data: JSON.stringify(data),
          changes: JSON.stringify({ before: testClockData(moment.at), after: data }),
        },
      }
    },
  })
  // Also after a replay: the first call may have been cut off between its two steps.
  if (moved.outcome === 'answered') await service.maturity.settleBook(origin)
  return moved
}
