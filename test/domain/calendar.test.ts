import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Calendar,
  CLOSED_DAYS_MAX,
  isClosedTooLong,
  nextBusinessDay,
  OPEN_EVERY_DAY,
  WEEKDAYS,
} from '../../src/domain/calendar.ts'
import { addDays, daysBetween, type IsoDate, isoDate } from '../../src/domain/dates.ts'

const lagos: Calendar = {
  weekend: ['SAT', 'SUN'],
  holidays: [isoDate('2026-12-25'), isoDate('2026-12-28')],
}

test('a closed day moves to the next open one, an open one stays', () => {
  const moved = (date: string) => nextBusinessDay(lagos, isoDate(date))
  assert.equal(moved('2026-12-24'), '2026-12-24')
  assert.equal(moved('2026-12-25'), '2026-12-29')
  assert.equal(moved('2026-12-26'), '2026-12-29')
  assert.equal(moved('2026-12-29'), '2026-12-29')
  assert.equal(moved('2027-01-02'), '2027-01-04')
  assert.equal(nextBusinessDay(OPEN_EVERY_DAY, isoDate('2026-12-25')), '2026-12-25')
})

test('names of weekdays are those of the calendar', () => {
  const monday = isoDate('2026-11-16')
  WEEKDAYS.forEach((name, index) => {
    const day = addDays(monday, index)
    const others = WEEKDAYS.filter((other) => other !== name)
    assert.equal(nextBusinessDay({ weekend: others, holidays: [] }, day), day)
    assert.notEqual(nextBusinessDay({ weekend: [name], holidays: [] }, day), day)
  })
})

test('thirty closed days in a row are allowed, thirty-one are not', () => {
  const holidays = (count: number) =>
    Array.from({ length: count }, (_, index) => addDays(isoDate('2026-11-16'), index))
  assert.equal(isClosedTooLong({ weekend: [], holidays: holidays(CLOSED_DAYS_MAX) }), false)
  assert.equal(isClosedTooLong({ weekend: [], holidays: holidays(CLOSED_DAYS_MAX + 1) }), true)
  // From Monday the 16th to Sunday the 13th of December: the weekend before adds two, the one after is the last.
  const weekend = ['SAT', 'SUN'] as const
  assert.equal(isClosedTooLong({ weekend, holidays: holidays(26) }), false)
  assert.equal(isClosedTooLong({ weekend, holidays: holidays(29) }), true)
  assert.equal(isClosedTooLong({ weekend, holidays: [isoDate('9999-12-31'), isoDate('0001-01-01')] }), false)
  const weekdays = WEEKDAYS.filter((name) => name !== 'WED')
  const wednesdays = (count: number) =>
    Array.from({ length: count }, (_, index) => addDays(isoDate('2026-11-18'), 7 * index))
  assert.equal(isClosedTooLong({ weekend: weekdays, holidays: wednesdays(3) }), false)
  assert.equal(isClosedTooLong({ weekend: weekdays, holidays: wednesdays(4) }), true)
})

test('the next business day is open, and every day before it closed', () => {
  const start = isoDate('2026-01-01')
  const anyDay = fc.integer({ min: 0, max: 60 }).map((days) => addDays(start, days))
  const anyCalendar = fc.record({
    weekend: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { maxLength: 6 }),
    holidays: fc.uniqueArray(anyDay, { maxLength: 40 }).map((days) => days.toSorted()),
  })
  fc.assert(
    fc.property(anyCalendar, anyDay, (calendar, date) => {
      const isClosed = (day: IsoDate) =>
        calendar.holidays.includes(day) ||
        calendar.weekend.includes(WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]!)
      const moved = nextBusinessDay(calendar, date)
      assert(!isClosed(moved))
      for (let day = date; day < moved; day = addDays(day, 1)) assert(isClosed(day))
      if (!isClosedTooLong(calendar)) assert(daysBetween(date, moved) <= CLOSED_DAYS_MAX)
    }),
  )
})
