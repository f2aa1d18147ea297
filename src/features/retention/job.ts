/**
 * Removes what may go, in small batches: a range of each table of each book, then a pause. No book waits for another, and no
 * batch holds locks for longer than a request does. Once a day it notes how large the database is.
 */
import { businessDate } from '../../domain/dates.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import type { Database } from '../../engine/database/database.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from '../callers/store.ts'
import {
  keepSize,
  type PersonTable,
  type RetainedTable,
  readSize,
  removeInRange,
  removeUnused,
  type WalkedTable,
} from './store.ts'

/** Days for which rows are kept, by table; 0: for as long as the database exists. */
export type Retention = Record<RetainedTable, number>

const BATCH_ROWS = 1_000
const DAY_MS = 24 * 3_600_000
const EVERY_MS = 3_600_000
const PAUSE_MS = 1_000

const WALKED = [
  'idempotency_keys',
  'webhook_deliveries',
  'request_traces',
  'approvals',
] as const satisfies readonly WalkedTable[]
const OF_PEOPLE = ['person_sessions', 'person_devices', 'people'] as const satisfies readonly PersonTable[]

export type Cleaning = {
  /** One batch of each table and book. */
  cleanStep: (signal?: AbortSignal) => Promise<{ removed: Map<RetainedTable, number>; hasMore: boolean }>
}

export function createCleaning(options: {
  db: Database
  clock: () => Date
  days: Retention
  batchRows?: number
}): Cleaning {
  const { db, clock, days, batchRows: limit = BATCH_ROWS } = options
  /** The key after which the walk over a table of a book goes on. */
  const places = new Map<string, string>()

  return {
    async cleanStep(signal) {
      const removed = new Map<RetainedTable, number>()
      const add = (table: RetainedTable, rows: number) =>
        void (rows > 0 && removed.set(table, (removed.get(table) ?? 0) + rows))
      let hasMore = false
      for (const table of OF_PEOPLE) {
        if (days[table] === 0) continue
        const rows = await removeUnused(db, { table, before: beginningOf(table), limit })
        add(table, rows)
        hasMore ||= rows === limit
      }
      const walked = WALKED.filter((table) => days[table] > 0)
      for (const { bookId } of walked.length === 0 ? [] : await listBooks(db)) {
        for (const table of walked) {
          if (signal?.aborted) return { removed, hasMore: false }
          const place = `${table} ${bookId}`
          const after = places.get(place) ?? ''
          const step = await removeInRange(db, bookId, { table, after, limit, before: beginningOf(table) })
          add(table, step.removed)
          if (step.after === null) places.delete(place)
          else places.set(place, step.after)
        }
      }
      return { removed, hasMore: hasMore || places.size > 0 }
    },
  }

  function beginningOf(table: RetainedTable): Date {
    return new Date(clock().getTime() - days[table] * DAY_MS)
  }
}

/** A walk over everything every hour, a batch a second while it lasts. */
export function startRetentionJob(options: {
  db: Database
  clock: () => Date
  days: Retention
  log: Log
  observe: (table: RetainedTable, rows: number) => void
  isPaused?: () => boolean
}): { stop: () => Promise<void> } {
  const { db, clock, log, observe, isPaused = () => false } = options
  const cleaning = createCleaning(options)
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(start, PAUSE_MS)
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }

  function start(): void {
    running = runOnce().then((hasMore) => {
      if (!stopping.signal.aborted) timer = setTimeout(start, hasMore ? PAUSE_MS : EVERY_MS)
    })
  }

  async function runOnce(): Promise<boolean> {
    if (isPaused()) return false
    try {
      // Of several servers only the coordinator could be measured here.
      if (!db.isSharded) await keepSize(db, businessDate(clock(), 'UTC'), await readSize(db))
      const { removed, hasMore } = await cleaning.cleanStep(stopping.signal)
      for (const [table, rows] of removed) observe(table, rows)
      if (removed.size > 0) log('debug', 'rows_removed', Object.fromEntries(removed))
      return hasMore
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown'
      log(levelOfFailure(error), 'retention_failed', { error: name }, error)
      return false
    }
  }
}
