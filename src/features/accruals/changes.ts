/**
 * Closes business dates: computes what the two accounts should hold from all deposits as they stood, and posts the
 * difference. A day is closed once, in one transaction, whatever else runs beside it.
 */

import { accrualOf, addTo, type ClosedDay, daysToClose, type Targets } from '../../domain/accrual.ts'
import { JOB_OF_ACCRUALS } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { businessDate, type IsoDate } from '../../domain/dates.ts'
import { accrualPostings } from '../../domain/ledger.ts'
import { type Change, made } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import type { VersionCache } from '../../engine/change/version-cache.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newEntryId } from '../../engine/database/ids.ts'
import { accounting } from '../accounting/document.ts'
import { readRulesOf } from '../products/changes.ts'
import { lockBook } from '../versions/store.ts'
import { AccrualPostedRecord } from './record.ts'
import { type AccrualEntry, findLastDays, insertDay, listVersions, readClosed } from './store.ts'

/** Closes every day of the book that is left to close; says how many were. */
export async function closeDays(engine: Engine, book: Book, isStopped = () => false): Promise<number> {
  const { db, versions } = engine
  const written = await listVersions(db, book.bookId)
  if (written.length === 0) return 0
  const modes = written.map(({ text, createdAt }) => ({
    from: businessDate(createdAt, book.timeZone),
    mode: accounting.parse(text).accruals,
  }))
  const { today } = await engine.momentIn(book)
  const last = await findLastDays(db, book.bookId)
  const dates = last.map(({ date }) => date).sort()
  /** Nothing is accrued, so a day on which nothing is to be needs no row. */
  let isEmpty = last.every(({ payable, prepaid }) => payable === 0n && prepaid === 0n)
  let closed = 0
  for (const { date, mode } of daysToClose({ versions: modes, lastClosed: dates.at(-1) ?? null, today })) {
    if (isStopped()) break
    if (mode === 'OFF' && isEmpty) continue
    const targets: Targets = mode === 'OFF' ? new Map() : await targetsOf(db, versions, book, date)
    if (targets.size === 0 && last.length === 0 && isEmpty) continue
    const origin = { book, actor: JOB_OF_ACCRUALS, requestId: null, idempotency: null }
    const done = await engine.perform(closing, origin, { date, targets })
    isEmpty = mode === 'OFF'
    if (done.outcome === 'done' && done.value.days.length > 0) closed += 1
  }
  return closed
}

export async function targetsOf(
  db: Queries,
  versions: VersionCache,
  book: Book,
  date: IsoDate,
): Promise<Targets> {
  const targets: Targets = new Map()
  for await (const page of readClosed(db, book, date)) {
    const rulesOf = await readRulesOf(db, versions, book.bookId, page)
    for (const deposit of page) {
      addTo(targets, deposit.currency, accrualOf(deposit, rulesOf(deposit), date))
    }
  }
  return targets
}

type Closing = { date: IsoDate; targets: Targets }
type Closed = { days: { day: ClosedDay; entry: AccrualEntry | null }[] }

const closing: Change<Closing, void, readonly ClosedDay[], Closed> = {
  batchMax: 1,
  lock: lockBook,
  read: (tx, at) => findLastDays(tx, at.book.bookId),
  decider:
    (last, { moment }) =>
    ({ date, targets }) => {
      // Another instance was faster.
      if (last.some((day) => day.date >= date)) return made({ days: [] })
      const currencies = new Set([...targets.keys(), ...last.map(({ currency }) => currency)])
      const days = [...currencies].sort().flatMap((currency): Closed['days'] => {
        const before = last.find((day) => day.currency === currency) ?? NOTHING
        const target = targets.get(currency) ?? NOTHING
        // Nothing was accrued before, and nothing is to be: the day needs no row.
        if (before === NOTHING && target === NOTHING) return []
        const { payable, prepaid } = target
        const postings = accrualPostings(before, target)
        const entryId = postings.length === 0 ? null : newEntryId()
        const day: ClosedDay = { currency, date, payable, prepaid, entryId }
        if (entryId === null) return [{ day, entry: null }]
        const narration = `Interest accrued in ${currency}`
        return [{ day, entry: { entryId, narration, createdAt: moment.at, businessDate: date, postings } }]
      })
      return made({ days })
    },
  write(tx, bookId, [closed], recording) {
    for (const { day, entry } of closed!.days) insertDay(tx, bookId, day, entry)
    record(tx, bookId, recording)
  },
  events: ({ days }) =>
    days.flatMap(({ day }) =>
      day.entryId === null
        ? []
        : [
            {
              type: 'accrual.posted',
              announced: true,
              subjectId: day.entryId,
              data: AccrualPostedRecord.json(day),
              changes: null,
            },
          ],
    ),
}

const NOTHING = { payable: 0n, prepaid: 0n }
