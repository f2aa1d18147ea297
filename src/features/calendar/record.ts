/** The business calendar of a book, as sent, stored and shown. */
import assert from 'node:assert/strict'
import { type Static, Type } from 'typebox'
import { type Calendar, isClosedTooLong, OPEN_EVERY_DAY, WEEKDAYS } from '../../domain/calendar.ts'
import type { IsoDate } from '../../domain/dates.ts'
import type { Version } from '../../domain/document.ts'
import { CalendarDate, Choice, ListOf } from '../../wire/fields.ts'
import { parseJson } from '../../wire/json.ts'
import { type FieldError, readBody } from '../../wire/reader.ts'
import {
  count,
  createdAt,
  date,
  listOf,
  type Members,
  oneOf,
  orNull,
  record,
  within,
} from '../../wire/record.ts'

const WEEKEND = 'The days of every week on which the bank is closed.'
const HOLIDAYS = 'Other days on which it is closed, in ascending order.'
const HOLIDAYS_MAX = 2_000

export const CalendarBody = Type.Object(
  {
    weekend: ListOf(Choice(WEEKDAYS, { title: 'Weekday' }), { min: 0, max: 6, description: WEEKEND }),
    holidays: ListOf(CalendarDate(), { min: 0, max: HOLIDAYS_MAX, description: HOLIDAYS }),
  },
  { refine: refineCalendar },
)
export type CalendarBody = Static<typeof CalendarBody>

function refineCalendar({ weekend = [], holidays = [] }: Partial<Calendar>): FieldError[] {
  const wrong = [
    ...faults('weekend', weekend, (day, index) => weekend.indexOf(day) < index, 'Name each day once.'),
    ...faults(
      'holidays',
      holidays,
      (day, index) => index > 0 && day <= holidays[index - 1]!,
      'Send a day after the one before.',
    ),
  ]
  if (wrong.length > 0 || !isClosedTooLong({ weekend, holidays })) return wrong
  const message = 'Leave an open day after at most 30 closed ones.'
  return [{ field: 'holidays', code: 'invalid_value', message }]
}

function faults<Item>(
  name: string,
  items: readonly Item[],
  isWrong: (item: Item, index: number) => boolean,
  message: string,
): FieldError[] {
  return items.flatMap((item, index) =>
    isWrong(item, index) ? [{ field: `${name}[${index}]`, code: 'invalid_value', message } as const] : [],
  )
}

export function parseCalendar(stored: string): Calendar {
  const reading = readBody(CalendarBody, parseJson(stored))
  assert(reading.ok, 'a stored calendar is valid')
  return reading.value
}

export function formatCalendar(calendar: Calendar): string {
  return StoredCalendarRecord.json(calendar)
}

const calendarMembers: Members<Calendar> = {
  weekend: listOf(oneOf('Weekday', WEEKDAYS)).as(WEEKEND, ({ weekend }) => weekend),
  holidays: listOf<IsoDate>(date).as(HOLIDAYS, ({ holidays }) => holidays),
}
const StoredCalendarRecord = record('StoredCalendar', calendarMembers)

/** What is shown before the first version is written: no day is closed. */
export const FIRST_CALENDAR: Version<Calendar> = {
  version: 0,
  document: OPEN_EVERY_DAY,
  createdAt: new Date(0),
}

export const CalendarRecord = record<Version<Calendar>>('BusinessCalendar', {
  version: count.as('Version of the calendar; 0 before the first one.', ({ version }) => version),
  ...within(({ document }) => document, calendarMembers),
  created_at: orNull(createdAt).of((calendar) => (calendar.version === 0 ? null : calendar.createdAt)),
})

/** What subscribers can receive. */
export const calendarEvents = {
  'calendar.updated': CalendarRecord,
}
