/** The part of a year between two dates, as an exact fraction. Zero unless the second date is later. */
import {
  addMonths,
  calendarDay,
  completedMonths,
  daysBetween,
  daysInMonth,
  type IsoDate,
  isLeapYear,
  monthLengths,
} from './dates.ts'
import { type Fraction, fraction } from './fraction.ts'

export const DAY_COUNTS = ['ACT/365F', 'ACT/360', 'ACT/ACT', '30/360', '30E/360', 'MONTHS'] as const
export type DayCount = (typeof DAY_COUNTS)[number]

/** MONTHS counts from the start of a deposit; the others look at the two dates alone. */
export function dayCountFraction(
  dayCount: DayCount,
  from: IsoDate,
  to: IsoDate,
  start: IsoDate = from,
): Fraction {
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
    case 'MONTHS':
      return fraction(monthParts(start, to) - monthParts(start, from), MONTH_PARTS_OF_YEAR)
    default:
      return dayCount satisfies never
  }
}

/** A period given in days has no dates, so ACT/ACT and MONTHS treat it as days of a common year. */
export function periodFraction(dayCount: DayCount, days: number): Fraction {
  const isOfThirty = dayCount === 'ACT/360' || dayCount === '30/360' || dayCount === '30E/360'
  return fraction(BigInt(days), isOfThirty ? 360n : 365n)
}

/** Spans of time of equal length, as parts of a year. */
export type SpansAlike = { part: Fraction; times: number }

/**
 * Every single day between two dates, those of equal length together: of ten years there are one to a few kinds, so
 * that compounding every day is a few powers.
 */
export function eachDay(dayCount: DayCount, from: IsoDate, to: IsoDate): SpansAlike[] {
  if (to <= from) return []
  const days = daysBetween(from, to)
  switch (dayCount) {
    case 'ACT/365F':
      return [{ part: fraction(1n, 365n), times: days }]
    case 'ACT/360':
      return [{ part: fraction(1n, 360n), times: days }]
    case 'ACT/ACT': {
      const inLeapYears = leapYearDays(from, to)
      return [
        { part: fraction(1n, 365n), times: days - inLeapYears },
        { part: fraction(1n, 366n), times: inLeapYears },
      ]
    }
    case '30/360':
    case '30E/360':
      return counted(daysOfThirtyOneByOne(from, days), 360n)
    case 'MONTHS':
      return counted(daysOfMonths(from, to), MONTH_PARTS_OF_YEAR)
    default:
      return dayCount satisfies never
  }
}

/** Both a twelfth and a 365th of a year are whole numbers of these. */
const MONTH_PARTS_OF_YEAR = 12n * 365n

/** Whole months, a twelfth of a year each, then days of a 365th. */
function monthParts(start: IsoDate, to: IsoDate): bigint {
  if (to <= start) return 0n
  const months = completedMonths(start, to)
  return 365n * BigInt(months) + 12n * BigInt(daysBetween(addMonths(start, months), to))
}

function counted(lengths: ReadonlyMap<number, number>, partsOfYear: bigint): SpansAlike[] {
  return [...lengths].map(([parts, times]) => ({ part: fraction(BigInt(parts), partsOfYear), times }))
}

/** How many days of each length there are: the last day of a month reaches to the first of the next. */
function daysOfThirtyOneByOne(from: IsoDate, days: number): Map<number, number> {
  const lengths = new Map<number, number>()
  const count = (length: number, times: number) => {
    if (times > 0) lengths.set(length, (lengths.get(length) ?? 0) + times)
  }
  let { year, month, day } = calendarDay(from)
  for (let left = days; left > 0; ) {
    const last = daysInMonth(year, month)
    const until = Math.min(last + 1, day + left)
    count(1, Math.min(until, last, 30) - Math.min(day, last, 30))
    if (day <= 30 && until > 30 && last > 30) count(0, 1)
    if (until > last) count(31 - Math.min(last, 30), 1)
    left -= until - day
    day = 1
    month = (month % 12) + 1
    if (month === 1) year += 1
  }
  return lengths
}

/** The day that completes a month is what the others leave of its twelfth. */
function daysOfMonths(from: IsoDate, to: IsoDate): Map<number, number> {
  const months = completedMonths(from, to)
  const whole = monthLengths(from, months)
  const ordinary = whole.reduce((sum, days) => sum + days - 1, daysBetween(addMonths(from, months), to))
  const lengths = new Map([[12, ordinary]])
  for (const days of whole) {
    const last = 365 - 12 * (days - 1)
    lengths.set(last, (lengths.get(last) ?? 0) + 1)
  }
  return lengths
}

function leapYearDays(from: IsoDate, to: IsoDate): number {
  let days = 0
  for (let year = calendarDay(from).year; year <= calendarDay(to).year; year += 1) {
    if (!isLeapYear(year)) continue
    const first = firstOfYear(year)
    const next = year === 9999 ? to : firstOfYear(year + 1)
    days += daysBetween(from > first ? from : first, to < next ? to : next)
  }
  return days
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

function firstOfYear(year: number): IsoDate {
  return `${String(year).padStart(4, '0')}-01-01` as IsoDate
}

/** The first of January is day 0. */
function dayOfYear(date: IsoDate): number {
  return daysBetween(firstOfYear(calendarDay(date).year), date)
}
