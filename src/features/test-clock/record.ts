import { type Static, Type } from 'typebox'
import { timestamp } from '../../wire/envelope.ts'
import { Instant } from '../../wire/fields.ts'
import type { FieldError } from '../../wire/reader.ts'
import { record } from '../../wire/replies.ts'

/** A term of a hundred years that begins on the last day still ends within the calendar. */
const NOW_BEFORE = new Date('9000-01-01T00:00:00.000Z')

export const TestClockMove = Type.Object({ now: Instant() }, { refine: isNotTooFar })
export type TestClockMove = Static<typeof TestClockMove>

function isNotTooFar({ now }: Partial<TestClockMove>): FieldError[] {
  if (now === undefined || now < NOW_BEFORE) return []
  return [{ field: 'now', code: 'out_of_range', message: 'Send a time before the year 9000.' }]
}

export const TestClockRecord = record('TestClock', { now: Type.String({ format: 'date-time' }) })

export function testClockData(now: Date) {
  return { now: timestamp(now) }
}
