import type { Text, Texts } from '../../words/language.ts'
import { french } from './french.ts'

const english = {
  title: 'Business calendar',
  version: (version: Text) => `version ${version}`,
  text: 'Products that mature on the next business day look at it when a deposit is opened. Maturities that were agreed stay.',
  weekend: 'Closed every week on',
  days: {
    MON: 'Monday',
    TUE: 'Tuesday',
    WED: 'Wednesday',
    THU: 'Thursday',
    FRI: 'Friday',
    SAT: 'Saturday',
    SUN: 'Sunday',
  },
  holidays: 'Holidays',
  holidaysHint: 'One day on each line, such as 2026-12-25.',
  needs: {
    weekend: 'Leave at least one day of the week open.',
    holidays: 'Give each closed day once, on a line of its own, as a day that exists, such as 2026-12-25.',
  } as Record<string, string>,
  submit: (version: Text) => `Write version ${version}`,
  done: 'The calendar was written.',
  mayNot: 'Your role may look at the calendar, but not change it.',
  upcoming: 'The next closed days',
  none: 'No day is closed.',
}

export const calendarWords: Texts<typeof english> = { en: english, fr: french }
