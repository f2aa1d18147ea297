/** The part of a year between two dates, as an exact fraction. Zero unless the second date is later. */
import { calendarDay, daysBetween, type IsoDate, isLeapYear } from './dates.ts'
import { type Fraction, fraction } from './fraction.ts'

export const DAY_COUNTS = ['ACT/365F', 'ACT/360', 'ACT/ACT', '30/360', '30E/360'] as const
export type DayCount = (typeof DAY_COUNTS)[number]

export function dayCountFraction(dayCount: DayCount, from: IsoDate, to: IsoDate): Fraction {
  if (to <= from) return fraction(0n, 1n)
  switch (dayCount) {
    case 'ACT/365F':
      return fraction(BigInt(daysBetween(from, to)), 365n)
    case 'ACT/360':
      return fraction(BigInt(daysBetween(from, to)), 360n)
    case 'ACT/ACT':
      return actualOverActual(from, to)
    case '30/360':
    case '30E/360':
      return fraction(BigInt(daysOfThirty(dayCount, from, to)), 360n)
    default:
      return dayCount satisfies never
  }
}

/** A period given in days has no dates, so ACT/ACT treats it as days of a common year. */
export function periodFraction(dayCount: DayCount, days: number): Fraction {
  const yearDays = dayCount === 'ACT/365F' || dayCount === 'ACT/ACT' ? 365n : 360n
  return fraction(BigInt(days), yearDays)
}

/** ISDA: days in a leap year count 1/366 each, the others 1/365, so every whole year between is exactly 1. */
function actualOverActual(from: IsoDate, to: IsoDate): Fraction {
  const firstYear = calendarDay(from).year
  const lastYear = calendarDay(to).year
  if (firstYear === lastYear) return fraction(BigInt(daysBetween(from, to)), yearDays(firstYear))
  const daysOfFirst = yearDays(firstYear) - BigInt(dayOfYear(from))
  const daysOfLast = BigInt(dayOfYear(to))
  const wholeYears = BigInt(lastYear - firstYear - 1)
  if (yearDays(firstYear) === yearDays(lastYear)) {
    return fraction(daysOfFirst + daysOfLast + wholeYears * yearDays(firstYear), yearDays(firstYear))
  }
  return fraction(
    daysOfFirst * yearDays(lastYear) + daysOfLast * yearDays(firstYear) + wholeYears * 365n * 366n,
    365n * 366n,
  )
}

/** Months of 30 days. US: the 31st ends as the 30th only after a start on the 30th or 31st; European: always. */
function daysOfThirty(dayCount: '30/360' | '30E/360', from: IsoDate, to: IsoDate): number {
  const first = calendarDay(from)
  const last = calendarDay(to)
  const firstDay = Math.min(first.day, 30)
  const lastDay = dayCount === '30E/360' || firstDay === 30 ? Math.min(last.day, 30) : last.day
  return 360 * (last.year - first.year) + 30 * (last.month - first.month) + lastDay - firstDay
}

function yearDays(year: number): bigint {
  return isLeapYear(year) ? 366n : 365n
}

/** The first of January is day 0. */
function dayOfYear(date: IsoDate): number {
  return daysBetween(`${date.slice(0, 4)}-01-01` as IsoDate, date)
}
