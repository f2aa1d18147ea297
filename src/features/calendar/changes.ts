/** The business calendar of a book: reading the version in force, and earlier ones. */
import type { Calendar } from '../../domain/calendar.ts'
import type { NewestVersions, Version } from '../../domain/document.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { documentStore, versionReader } from '../versions/store.ts'
import { calendar } from './document.ts'

const { kind, parse, first } = calendar

export const { read: readCalendars } = versionReader(kind, documentStore(kind), parse)

/** The newest version. For a book without a calendar nothing is read. */
export async function readCalendar(
  db: Queries,
  at: { book: { bookId: string }; snapshot: { versions: NewestVersions }; versions: VersionCache },
): Promise<Pick<Version<Calendar>, 'version' | 'document'>> {
  const version = at.snapshot.versions.CALENDAR
  if (version === 0) return first
  const found = await readCalendars(db, at.versions, at.book.bookId, [version])
  return { version, document: found.get(version)! }
}
