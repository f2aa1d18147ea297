/**
 * A clock is an input like any other. A live book moves forward by a day at most without a person, and never back: a jump
 * would mature deposits for good.
 */
import type { Book } from './book.ts'
import { addDays, businessDate, type IsoDate } from './dates.ts'

/** Clocks of instances may differ by this much. */
export const CLOCK_DIFFERENCE_MAX_MS = 60_000
export const CLOCK_DIFFERENCE_WARNED_MS = 5_000

/** Whether a time lies further ahead than the clocks of instances differ: it was written by a clock that was wrong. */
export function isAhead(at: Date, now: Date): boolean {
  return at.getTime() - now.getTime() > CLOCK_DIFFERENCE_MAX_MS
}

/** latest: the highest business date the book has used; null: none yet. */
export function isDateSure(book: Pick<Book, 'timeZone'>, now: Date, latest: IsoDate | null): boolean {
  if (latest === null) return true
  const today = businessDate(now, book.timeZone)
  if (today === latest) return true
  if (today > latest) return today <= addDays(latest, 1)
  // Another instance, whose clock is ahead, may already have begun the next day.
  return businessDate(new Date(now.getTime() + CLOCK_DIFFERENCE_MAX_MS), book.timeZone) >= latest
}
