/**
 * The days on which a bank is closed. They matter once in a deposit's life: where its product says so, a maturity that
 * would fall on a closed day is moved to the next business day when the deposit is opened, and never again.
 */
import { addDays, daysBetween, type IsoDate } from './dates.ts'

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Holidays ascend. */
export type Calendar = { weekend: readonly Weekday[]; holidays: readonly IsoDate[] }

/** A book without a calendar closes on no day. */
export const OPEN_EVERY_DAY: Calendar = { weekend: [], holidays: [] }

/** Bounds how far a maturity can move. */
export const CLOSED_DAYS_MAX = 30

/** The day itself where the bank is open. */
export function nextBusinessDay(calendar: Calendar, date: IsoDate): IsoDate {
  const isClosed = closedDays(calendar)
  let moved = 0
  while (isClosed(dayNumber(date) + moved)) moved += 1
  return addDays(date, moved)
}

/** Whether more days than allowed are closed one after the other. Only holidays can make such a row. */
export function isClosedTooLong(calendar: Calendar): boolean {
  const isClosed = closedDays(calendar)
  return calendar.holidays.some((holiday) => daysAround(dayNumber(holiday), isClosed) > CLOSED_DAYS_MAX)
}

/** The closed days before and after a closed day, with it, counted a little beyond the limit. */
function daysAround(day: number, isClosed: (day: number) => boolean): number {
  let days = 1
  for (let before = day - 1; days <= CLOSED_DAYS_MAX && isClosed(before); before -= 1) days += 1
  for (let after = day + 1; days <= CLOSED_DAYS_MAX && isClosed(after); after += 1) days += 1
  return days
}

function closedDays({ weekend, holidays }: Calendar): (day: number) => boolean {
  const weekdays = new Set(weekend.map((name) => WEEKDAYS.indexOf(name)))
  const closed = new Set(holidays.map(dayNumber))
  return (day) => weekdays.has(((day % 7) + 7) % 7) || closed.has(day)
}

/** The first day of the calendar was a Monday. */
const FIRST_MONDAY = '0001-01-01' as IsoDate

function dayNumber(date: IsoDate): number {
  return daysBetween(FIRST_MONDAY, date)
}
