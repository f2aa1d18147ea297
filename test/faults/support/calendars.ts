/** The days on which a bank is closed, as the model has them. */
import { daysAfter } from '../../support/exact-interest.ts'
import type { Random } from '../../support/random.ts'

export type ModelCalendar = { weekend: string[]; holidays: string[] }

export const ALWAYS_OPEN: ModelCalendar = { weekend: [], holidays: [] }

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** The day itself where the bank is open. */
export function openDay({ weekend, holidays }: ModelCalendar, date: string): string {
  let day = date
  while (weekend.includes(WEEKDAYS[new Date(day).getUTCDay()]!) || holidays.includes(day)) {
    day = daysAfter(day, 1)
  }
  return day
}

/** Some of these days are closed, and some of those that follow them. */
export function drawCalendar(random: Random, days: readonly string[]): ModelCalendar {
  const holidays = days
    .filter(() => random.chance(0.7))
    .flatMap((day) => (random.chance(0.4) ? [day, daysAfter(day, 1)] : [day]))
  return {
    weekend: random.pick([[], ['SAT', 'SUN'], ['FRI']]),
    holidays: [...new Set(holidays)].sort(),
  }
}
