/**
 * Rows of a span of business dates, oldest first. They are read in the order of their ordinals, by which every table has an
 * index, so that no table needs another one for its times.
 */
import type { Book } from '../../domain/book.ts'
import { addDays, type IsoDate, isoDate, startOfBusinessDate } from '../../domain/dates.ts'
import { ordinalAt } from './ids.ts'
import { ABOVE_ALL } from './pages.ts'

export type TimeSpan = {
  /** The first instant that counts, and the first that no longer does. */
  start: Date
  end: Date
  /** The ordinals of the rows that may count. */
  above: bigint
  below: bigint
}

/** Nothing was written before, and nothing is later: clocks of test books end before the year 9000. */
const FIRST = isoDate('1970-01-02')
const LAST = isoDate('9000-01-01')

/** How far the clocks of two instances may be apart. */
const CLOCKS_APART_MAX_MS = 86_400_000

/** Ordinals follow real time. The clock of a test book does not, so there any row may count. */
export function timeSpan({ timeZone, mode }: Book, { from, to }: { from: IsoDate; to: IsoDate }): TimeSpan {
  const start = startOfBusinessDate(from > FIRST ? from : FIRST, timeZone)
  const end = startOfBusinessDate(addDays(to < LAST ? to : LAST, 1), timeZone)
  if (mode === 'test') return { start, end, above: 0n, below: ABOVE_ALL }
  return {
    start,
    end,
    above: ordinalAt(new Date(start.getTime() - CLOCKS_APART_MAX_MS)),
    below: ordinalAt(new Date(end.getTime() + CLOCKS_APART_MAX_MS)),
  }
}
