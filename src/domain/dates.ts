/**
 * Calendar dates as 'YYYY-MM-DD' text, which sorts and compares correctly. Days are counted on the proleptic Gregorian
 * calendar with integers, because Date.UTC moves the years 0 to 99 to 1900.
 */
import assert from 'node:assert/strict'

export type IsoDate = string & { readonly unit: 'date' }
type CalendarDay = { year: number; month: number; day: number }

export function isoDate(text: string): IsoDate {
  if (!isIsoDate(text)) assert.fail('a date is a real calendar day, written YYYY-MM-DD')
  return text
}

/** A real day of the years 0001 to 9999. */
export function isIsoDate(text: string): text is IsoDate {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false
  for (const position of DIGIT_POSITIONS) {
    const digit = text.charCodeAt(position) - ZERO
    if (digit < 0 || digit > 9) return false
  }
  const { year, month, day } = calendarDay(text as IsoDate)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

export function daysBetween(from: IsoDate, to: IsoDate): number {
  return dayNumber(calendarDay(to)) - dayNumber(calendarDay(from))
}

export function addDays(date: IsoDate, days: number): IsoDate {
  assert(Number.isInteger(days), 'days are whole')
  const target = dayNumber(calendarDay(date)) + days
  assert(target >= FIRST_DAY && target <= LAST_DAY, 'a date lies in the years 0001 to 9999')
  return dateOfDayNumber(target)
}

/** The same day of another month, or the last day of that month where it is shorter. */
export function addMonths(date: IsoDate, months: number): IsoDate {
  assert(Number.isInteger(months), 'months are whole')
  const { year, month, day } = calendarDay(date)
  const target = monthAfter(year, month, months)
  assert(target.year >= 1 && target.year <= 9999, 'a date lies in the years 0001 to 9999')
  const last = daysInMonth(target.year, target.month)
  return `${padded(target.year, 4)}-${padded(target.month, 2)}-${padded(Math.min(day, last), 2)}` as IsoDate
}

/** The largest number of months that addMonths can add to the first date without passing the second; zero before it. */
export function completedMonths(from: IsoDate, to: IsoDate): number {
  const first = calendarDay(from)
  const last = calendarDay(to)
  const months = 12 * (last.year - first.year) + last.month - first.month
  const anniversary = Math.min(first.day, daysInMonth(last.year, last.month))
  return Math.max(0, last.day < anniversary ? months - 1 : months)
}

/** The days of each month after a date, counted by addMonths from it. */
export function monthLengths(from: IsoDate, months: number): number[] {
  const { year, month, day } = calendarDay(from)
  const numberAfter = (count: number) => {
    const target = monthAfter(year, month, count)
    return dayNumber({ ...target, day: Math.min(day, daysInMonth(target.year, target.month)) })
  }
  let before = numberAfter(0)
  return Array.from({ length: months }, (_, index) => {
    const after = numberAfter(index + 1)
    const length = after - before
    before = after
    return length
  })
}

/** The bank's own calendar day: an instant has a date only in a time zone. */
export function businessDate(instant: Date, timeZone: string): IsoDate {
  const second = Math.floor(instant.getTime() / 1000)
  const latest = latestDates.get(timeZone)
  if (latest?.second === second) return latest.date
  const [month, day, year] = formatterOf(timeZone).format(instant).split('/') as [string, string, string]
  const date = isoDate(`${year.padStart(4, '0')}-${month}-${day}`)
  latestDates.set(timeZone, { second, date })
  return date
}

/** The latest date of each time zone: no date changes within a second, and a busy service asks for it a hundred times. */
const latestDates = new Map<string, { second: number; date: IsoDate }>()

/** The instant at which a business date begins, to the millisecond. */
export function startOfBusinessDate(date: IsoDate, timeZone: string): Date {
  const midnightMs = Date.parse(`${date}T00:00:00Z`)
  let before = midnightMs - TIME_ZONE_MAX_MS
  let notBefore = midnightMs + TIME_ZONE_MAX_MS
  while (notBefore - before > 1) {
    const middle = Math.floor((before + notBefore) / 2)
    if (businessDate(new Date(middle), timeZone) < date) before = middle
    else notBefore = middle
  }
  return new Date(notBefore)
}

/** No time zone has a larger offset. */
const TIME_ZONE_MAX_MS = 26 * 3_600_000

export function calendarDay(date: IsoDate): CalendarDay {
  return { year: numberAt(date, 0, 4), month: numberAt(date, 5, 7), day: numberAt(date, 8, 10) }
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const ZERO = 48
const DIGIT_POSITIONS = [0, 1, 2, 3, 5, 6, 8, 9]
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
const FIRST_DAY = dayNumber({ year: 1, month: 1, day: 1 })
const LAST_DAY = dayNumber({ year: 9999, month: 12, day: 31 })

// Creating a formatter costs far more than using it, and there are only as many as there are time zones.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (formatter === undefined) {
    // As 07/31/2026: splitting it costs less than half of formatToParts.
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

function monthAfter(year: number, month: number, months: number): { year: number; month: number } {
  const count = 12 * year + month - 1 + months
  return { year: Math.floor(count / 12), month: (count % 12) + 1 }
}

function numberAt(text: string, start: number, end: number): number {
  let value = 0
  for (let position = start; position < end; position += 1) {
    value = value * 10 + text.charCodeAt(position) - ZERO
  }
  return value
}

/** Days since 0000-12-31, so that 0001-01-01 is day 1. */
function dayNumber({ year, month, day }: CalendarDay): number {
  return daysBeforeYear(year) + DAYS_BEFORE_MONTH[month - 1]! + (month > 2 && isLeapYear(year) ? 1 : 0) + day
}

function daysBeforeYear(year: number): number {
  const past = year - 1
  return 365 * past + Math.trunc(past / 4) - Math.trunc(past / 100) + Math.trunc(past / 400)
}

function dateOfDayNumber(number: number): IsoDate {
  // A year has at most 366 days, so this estimate is never too late, and only a few years too early.
  let year = Math.trunc((number - 1) / 366) + 1
  while (daysBeforeYear(year + 1) < number) year += 1
  let dayOfYear = number - daysBeforeYear(year)
  let month = 1
  while (dayOfYear > daysInMonth(year, month)) {
    dayOfYear -= daysInMonth(year, month)
    month += 1
  }
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfYear, 2)}` as IsoDate
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2 && isLeapYear(year)) return 29
  return DAYS_BEFORE_MONTH[month]! - DAYS_BEFORE_MONTH[month - 1]!
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
