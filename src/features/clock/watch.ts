/**
 * Compares the clock of the service with that of the database, at the start and every minute, and lets live books follow
 * their business date from day to day.
 *
 * - Beyond 5 s a warning, beyond 60 s no change is accepted and no job runs until they agree again.
 * - A live book whose business date would jump waits for `breakwater clock confirm`; the others go on.
 */
import { CLOCK_DIFFERENCE_MAX_MS, CLOCK_DIFFERENCE_WARNED_MS, isDateSure } from '../../domain/clock.ts'
import { businessDate } from '../../domain/dates.ts'
import { followBusinessDate } from '../../engine/change/recording.ts'
import { type Database, isServerFault, type Queries } from '../../engine/database/database.ts'
import type { Log } from '../../observe/log.ts'
import { hasEvents, listLiveBooks, readClock } from './store.ts'

export type ClockWatch = {
  isSure: () => boolean
  /** How far the database's clock is ahead of the service's; NaN before the first comparison. */
  differenceMs: () => number
  /** Live books that wait for a confirmation. */
  booksUnsure: () => number
  /** Compares once; a database that is away leaves everything as it was. */
  check: () => Promise<void>
  start: () => void
  stop: () => Promise<void>
}

const CHECK_EVERY_MS = 60_000

export function createClockWatch(options: {
  db: Database
  clock: () => Date
  log: Log
  everyMs?: number
}): ClockWatch {
  const { db, clock, log, everyMs = CHECK_EVERY_MS } = options
  let differenceMs = Number.NaN
  let unsure = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  const isSure = () => !(Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS)
  return {
    isSure,
    differenceMs: () => differenceMs,
    booksUnsure: () => unsure.size,
    check,
    start() {
      timer = setInterval(() => {
        running = running.then(check)
      }, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }

  async function check(): Promise<void> {
    try {
      differenceMs = await readClockDifference(db, clock)
      if (Math.abs(differenceMs) > CLOCK_DIFFERENCE_WARNED_MS) {
        log('warn', 'clock_differs', { difference_s: differenceMs / 1000, changes_accepted: isSure() })
      }
      if (isSure()) await followDates()
    } catch (error) {
      if (!isServerFault(error)) throw error
    }
  }

  /** On a single server the first change of a book keeps its date; on a sharded database no change does. */
  async function lacksFirstDate(bookId: string): Promise<boolean> {
    return db.isSharded && hasEvents(db, bookId)
  }

  async function followDates(): Promise<void> {
    const now = clock()
    const waiting = new Set<string>()
    for (const { latest, ...book } of await listLiveBooks(db)) {
      const today = businessDate(now, book.timeZone)
      if (isDateSure(book, now, latest)) {
        const isBehind = latest === null ? await lacksFirstDate(book.bookId) : latest < today
        if (isBehind) await followBusinessDate(db, book.bookId, today)
        continue
      }
      waiting.add(book.bookId)
      if (unsure.has(book.bookId)) continue
      log('warn', 'clock_unsure', {
        book_id: book.bookId,
        business_date: today,
        latest_business_date: latest,
      })
    }
    unsure = waiting
  }
}

/** The difference that the time of the comparison itself does not explain. */
export async function readClockDifference(db: Queries, clock: () => Date): Promise<number> {
  const before = clock().getTime()
  const theirs = (await readClock(db)).getTime()
  const after = clock().getTime()
  if (theirs >= before && theirs <= after) return 0
  return theirs < before ? theirs - before : theirs - after
}

/** Commands compare once. Throws where the clocks differ too much. */
export async function requireSameClock(db: Queries, clock: () => Date): Promise<void> {
  const differenceMs = Math.abs(await readClockDifference(db, clock))
  if (differenceMs <= CLOCK_DIFFERENCE_MAX_MS) return
  const seconds = Math.round(differenceMs / 1000)
  throw new Error(
    `The clocks of this machine and of the database differ by ${seconds} s; correct them first.`,
  )
}
