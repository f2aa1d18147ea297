/** What verification claims of accruals: entries move from day to day, and the last close is what the deposits say. */
import type { ClosedDay } from '../../domain/accrual.ts'
import type { Book } from '../../domain/book.ts'
import type { Failed } from '../../domain/claim.ts'
import { accrualPostings } from '../../domain/ledger.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { accounting } from '../accounting/document.ts'
import { targetsOf } from './changes.ts'
import { findEntryLines, listDays, listVersions } from './store.ts'

export const ACCRUAL_ENTRY =
  'an accrual moves from what was accrued before to what was at the close of its day'
export const ACCRUAL_TARGET = 'the last accrual is the interest of all deposits as they stood at its close'

export async function findAccrualDifference(
  db: Queries,
  versions: VersionCache,
  book: Book,
): Promise<Failed | null> {
  const { bookId } = book
  const days = await listDays(db, bookId)
  return (await findWrongEntry(db, bookId, days)) ?? (await findWrongTarget(db, versions, book, days))
}

async function findWrongEntry(
  db: Queries,
  bookId: string,
  days: readonly ClosedDay[],
): Promise<Failed | null> {
  const lines = await findEntryLines(
    db,
    bookId,
    days.flatMap(({ entryId }) => entryId ?? []),
  )
  const shown = (postings: readonly { account: string; amount: bigint }[]) =>
    postings.map(({ account, amount }) => `${account} ${amount}`).join(', ') || 'nothing'
  for (const [index, day] of days.entries()) {
    const earlier = days[index - 1]
    const before = earlier?.currency === day.currency ? earlier : { payable: 0n, prepaid: 0n }
    const expected = shown(accrualPostings(before, day))
    const found = shown(day.entryId === null ? [] : (lines.get(day.entryId) ?? []))
    if (found !== expected) return { claim: ACCRUAL_ENTRY, ids: idsOf(day), found, expected }
  }
  return null
}

async function findWrongTarget(
  db: Queries,
  versions: VersionCache,
  book: Book,
  days: readonly ClosedDay[],
): Promise<Failed | null> {
  const last = days
    .map(({ date }) => date)
    .sort()
    .at(-1)
  if (last === undefined) return null
  const written = await listVersions(db, book.bookId)
  const isOff = accounting.parse(written.at(-1)!.text).accruals === 'OFF'
  const ofLast = days.filter(({ date }) => date === last)
  // A book that has switched accruals off since may have closed its last day either way.
  if (isOff && ofLast.every(({ payable, prepaid }) => payable === 0n && prepaid === 0n)) return null
  const targets = await targetsOf(db, versions, book, last)
  for (const day of ofLast) {
    const { payable, prepaid } = targets.get(day.currency) ?? { payable: 0n, prepaid: 0n }
    if (day.payable === payable && day.prepaid === prepaid) continue
    return {
      claim: ACCRUAL_TARGET,
      ids: idsOf(day),
      found: `${day.payable} payable, ${day.prepaid} prepaid`,
      expected: `${payable} payable, ${prepaid} prepaid`,
    }
  }
  return null
}

function idsOf({ currency, date }: ClosedDay): Record<string, string> {
  return { currency, business_date: date }
}
