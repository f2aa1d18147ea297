/** The business calendar of a book, as sent, stored and shown. */
import { type Static, Type } from 'typebox'
import { type Calendar, isClosedTooLong, OPEN_EVERY_DAY, WEEKDAYS } from '../../domain/calendar.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { CalendarDate, Choice, ListOf } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { date, listOf, oneOf } from '../../wire/record.ts'
import { describeDocument } from '../versions/document.ts'

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

export const calendar = describeDocument<typeof CalendarBody, Calendar>({
  kind: 'CALENDAR',
  name: 'Calendar',
  title: 'BusinessCalendar',
  noun: 'calendar',
  event: 'calendar.updated',
  path: '/v2/business-calendar',
  tag: 'Products',
  scopes: { read: 'rules:read', write: 'rules:write' },
  summaries: {
    get: 'Get the business calendar; before the first one no day is closed',
    replace: 'Write the next version of the business calendar; deposits opened earlier keep their maturity',
    version: 'Get one version of the business calendar',
  },
  shown: 'The business calendar.',
  replaced: 'The business calendar was replaced.',
  example: '{"weekend": ["SAT", "SUN"], "holidays": ["2026-12-25", "2026-12-28", "2027-01-01"]}',
  texts: {
    en: { operation: 'Change the business calendar', action: 'Business calendar changed' },
    fr: { operation: 'Modifier le calendrier', action: 'Calendrier modifié' },
  },
  body: CalendarBody,
  from: (body) => body,
  members: {
    weekend: listOf(oneOf('Weekday', WEEKDAYS)).as(WEEKEND, ({ weekend }) => weekend),
    holidays: listOf<IsoDate>(date).as(HOLIDAYS, ({ holidays }) => holidays),
  },
  empty: OPEN_EVERY_DAY,
})
