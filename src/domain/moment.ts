import type { Book } from './book.ts'
import { businessDate, type IsoDate } from './dates.ts'

/** When something is decided: the instant, and the business date it falls on in the caller's time zone. */
export type Moment = { at: Date; today: IsoDate }

/** The clock of a test book may have been moved forward. */
export function momentOf(book: Pick<Book, 'timeZone'>, now: Date, clockOffsetMs: number): Moment {
  const at = clockOffsetMs === 0 ? now : new Date(now.getTime() + clockOffsetMs)
  return { at, today: businessDate(at, book.timeZone) }
}
