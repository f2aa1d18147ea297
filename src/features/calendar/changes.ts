/** The business calendar of a book: reading the version in force, and writing the next. */
import type { Calendar } from '../../domain/calendar.ts'
import type { NewestVersions, Version } from '../../domain/document.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { defineDocument } from '../documents/changes.ts'
import { CalendarRecord, FIRST_CALENDAR, formatCalendar, parseCalendar } from './record.ts'

const KIND = 'CALENDAR'

export const calendarDocument = defineDocument<Calendar>({
  kind: KIND,
  operation: 'replaceCalendar',
  event: 'calendar.updated',
  record: CalendarRecord,
  format: formatCalendar,
  parse: parseCalendar,
})

/** The newest version. For a book without a calendar nothing is read. */
export async function readCalendar(
  db: Queries,
  at: { book: { bookId: string }; snapshot: { versions: NewestVersions }; versions: VersionCache },
): Promise<Pick<Version<Calendar>, 'version' | 'document'>> {
  const version = at.snapshot.versions[KIND]
  if (version === 0) return FIRST_CALENDAR
  const found = await calendarDocument.reader.read(db, at.versions, at.book.bookId, [version])
  return { version, document: found.get(version)! }
}
