/**
 * Seals every book, every minute and when many changes came meanwhile. Books take turns, a seal each, and a pass ends after
 * a bounded number of turns, so a long past delays no other book.
 */
import type { Book } from '../../domain/book.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from '../../domain/clock.ts'
import { EVENTS_PER_SEAL } from '../../domain/seal.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import { ordinalAt } from '../../engine/database/ids.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from '../callers/store.ts'
import { type SealingEngine, sealNext } from './changes.ts'
import { readSettledTime } from './store.ts'

const EVERY_MS = 60_000
const TURNS_MAX = 8

export type SealRun = {
  seals: number
  events: number
  hasMore: boolean
  failed: { bookId: string; error: unknown }[]
}

/** Bounded work in every book. */
export async function sealPass(
  engine: SealingEngine,
  options: { signal?: AbortSignal; marginMs?: number; eventsMax?: number } = {},
): Promise<SealRun> {
  // The clock of an instance may be behind by as much as this, and so are the ordinals of what it writes.
  const { signal, marginMs = CLOCK_DIFFERENCE_MAX_MS, eventsMax = EVENTS_PER_SEAL } = options
  const run: SealRun = { seals: 0, events: 0, hasMore: false, failed: [] }
  const settled = await readSettledTime(engine.db)
  const upTo = ordinalAt(new Date(settled.getTime() - marginMs))
  let books = await listBooks(engine.db)
  for (let turn = 1; turn <= TURNS_MAX && books.length > 0; turn += 1) {
    const unfinished: Book[] = []
    for (const book of books) {
      if (signal?.aborted) return run
      if (await takeTurn(book)) unfinished.push(book)
    }
    books = unfinished
  }
  return { ...run, hasMore: books.length > 0 }

  /** Returns whether the book needs another turn. */
  async function takeTurn(book: Book): Promise<boolean> {
    try {
      const seal = await sealNext(engine, book, { upTo, eventsMax })
      if (seal === null) return false
      run.seals += 1
      run.events += seal.events
      return seal.to < upTo
    } catch (error) {
      run.failed.push({ bookId: book.bookId, error })
      return false
    }
  }
}

/** Counts changes until there are enough for a seal. */
export function createChangeCount(): { add: (changes: number) => void; onFull: (wake: () => void) => void } {
  let count = 0
  let wake = () => {}
  return {
    add(changes) {
      count += changes
      if (count < EVENTS_PER_SEAL) return
      count = 0
      wake()
    },
    onFull(listener) {
      wake = listener
    },
  }
}

/** A pass at the start, after each interval, and immediately after one that left work; never two at the same time. */
export function startSealJob(options: {
  engine: SealingEngine
  log: Log
  changes: ReturnType<typeof createChangeCount>
  isPaused?: () => boolean
  everyMs?: number
  marginMs?: number
}): { stop: () => Promise<void> } {
  const { engine, log, changes, isPaused = () => false, everyMs = EVERY_MS, marginMs } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  changes.onFull(start)
  start()
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }

  function start(): void {
    if (running !== null || stopping.signal.aborted) return
    clearTimeout(timer)
    running = runOnce().then((hasMore) => {
      running = null
      if (!stopping.signal.aborted) timer = setTimeout(start, hasMore ? 0 : everyMs)
    })
  }

  async function runOnce(): Promise<boolean> {
    if (isPaused()) return false
    try {
      const { signal } = stopping
      const run = await sealPass(engine, { signal, ...(marginMs !== undefined && { marginMs }) })
      for (const { bookId, error } of run.failed) report(error, { book_id: bookId })
      if (run.seals > 0) log('debug', 'books_sealed', { seals: run.seals, events: run.events })
      return run.hasMore
    } catch (error) {
      report(error)
      return false
    }
  }

  function report(error: unknown, fields: Record<string, string> = {}): void {
    const name = error instanceof Error ? error.name : 'unknown'
    log(levelOfFailure(error), 'seals_failed', { ...fields, error: name }, error)
  }
}
