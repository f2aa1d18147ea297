/** A range of business dates in a query, both ends inclusive. */
import { daysBetween, type IsoDate } from '../domain/dates.ts'
import { CalendarDate } from './fields.ts'
import type { FieldError } from './reader.ts'

export const dateRange = {
  from: CalendarDate({ description: 'The first business date.' }),
  to: CalendarDate({ description: 'The last business date.' }),
}

type Span = { from?: IsoDate; to?: IsoDate }

export function beginsBeforeItEnds({ from, to }: Span): FieldError[] {
  if (from === undefined || to === undefined || from <= to) return []
  return [{ field: 'from', code: 'invalid_value', message: 'Send a from that is not after to.' }]
}

export function hasAtMostDays(max: number): (span: Span) => FieldError[] {
  return (span) => {
    const wrong = beginsBeforeItEnds(span)
    const { from, to } = span
    if (wrong.length > 0 || from === undefined || to === undefined || daysBetween(from, to) < max)
      return wrong
    return [{ field: 'to', code: 'out_of_range', message: `Send a span of at most ${max} days.` }]
  }
}
