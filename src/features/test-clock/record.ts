import { type Static, Type } from 'typebox'
import { Instant } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { instant, record } from '../../wire/record.ts'

/** A term of a hundred years that begins on the last day still ends within the calendar. */
const NOW_BEFORE = new Date('9000-01-01T00:00:00.000Z')

const NOW = "The present of this book's clock."

export const TestClockMove = Type.Object({ now: Instant({ description: NOW }) }, { refine: isNotTooFar })
export type TestClockMove = Static<typeof TestClockMove>

function isNotTooFar({ now }: Partial<TestClockMove>): FieldError[] {
  if (now === undefined || now < NOW_BEFORE) return []
  return [{ field: 'now', code: 'out_of_range', message: 'Send a time before the year 9000.' }]
}

export const TestClockRecord = record<Date>('TestClock', { now: instant.as(NOW, (now) => now) })
