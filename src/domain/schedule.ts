/**
 * The dates of a deposit's interest: start < start + n months < start + 2n months < … < agreed maturity ≤ maturity. The
 * last period may be short, and where a holiday moved the maturity one more short period follows the agreed one.
 * Boundaries are counted from the start, never from one another: 31 January is followed by 28 February and 31 March.
 */
import { addDays, addMonths, completedMonths, daysBetween, type IsoDate } from './dates.ts'

export const INTEREST_METHODS = ['AT_MATURITY', 'COMPOUND', 'PAYOUT', 'UPFRONT'] as const
export type InterestMethod = (typeof INTEREST_METHODS)[number]

export const INTEREST_PERIODS = ['DAY', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR'] as const
export type InterestEvery = (typeof INTEREST_PERIODS)[number]

export const TENOR_UNITS = ['DAY', 'MONTH'] as const
/** As it was agreed: a tenor of months ends on the day of the month on which it started. */
export type AgreedTenor = { unit: (typeof TENOR_UNITS)[number]; count: number }

export type Schedule = {
  /** null: one period, from start to maturity. */
  every: InterestEvery | null
  startDate: IsoDate
  /** The last boundary but one where a holiday moved the maturity; else the maturity itself. */
  agreedMaturity: IsoDate
  maturityDate: IsoDate
}

export type Period = { from: IsoDate; to: IsoDate }

/** Where the tenor ends by itself; a holiday may move the maturity to a later day. */
export function agreedMaturityOf(startDate: IsoDate, { unit, count }: AgreedTenor): IsoDate {
  return unit === 'DAY' ? addDays(startDate, count) : addMonths(startDate, count)
}

/** The whole periods that begin before a date, oldest first; the last one may end after it. */
export function periodsBefore(schedule: Schedule, date: IsoDate): Period[] {
  return periodsAfter(schedule, schedule.startDate, date)
}

/** Those of them that begin on a boundary or later. */
export function periodsAfter(schedule: Schedule, boundary: IsoDate, date: IsoDate): Period[] {
  const periods: Period[] = []
  for (let from = boundary; from < date && from < schedule.maturityDate; ) {
    const to = boundaryAfter(schedule, from)
    periods.push({ from, to })
    from = to
  }
  return periods
}

/** How many periods have ended by a date. */
export function wholePeriodsBy(schedule: Schedule, date: IsoDate): number {
  const { every, startDate, agreedMaturity, maturityDate } = schedule
  const end = date < maturityDate ? date : maturityDate
  if (every !== 'DAY') return periodsBefore(schedule, end).filter(({ to }) => to <= end).length
  const days = daysBetween(startDate, end < agreedMaturity ? end : agreedMaturity)
  return Math.max(0, days) + (end > agreedMaturity && end === maturityDate ? 1 : 0)
}

/** The first boundary after a date before maturity. */
export function boundaryAfter(schedule: Schedule, date: IsoDate): IsoDate {
  const { every, startDate, agreedMaturity, maturityDate } = schedule
  if (every === null || date >= agreedMaturity) return maturityDate
  const next = every === 'DAY' ? addDays(date, 1) : monthlyBoundaryAfter(startDate, date, MONTHS_OF[every])
  return next < agreedMaturity ? next : agreedMaturity
}

function monthlyBoundaryAfter(startDate: IsoDate, date: IsoDate, months: number): IsoDate {
  return addMonths(startDate, months * (Math.floor(completedMonths(startDate, date) / months) + 1))
}

const MONTHS_OF: Record<Exclude<InterestEvery, 'DAY'>, number> = {
  MONTH: 1,
  QUARTER: 3,
  HALF_YEAR: 6,
  YEAR: 12,
}

/** Between two boundaries. A period of a day has none. */
export function monthsOf(every: InterestEvery): number {
  return every === 'DAY' ? 0 : MONTHS_OF[every]
}
