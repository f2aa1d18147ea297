/** Closes the business dates of all books, some time after each has ended. */
import type { Book } from '../../domain/book.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from '../callers/store.ts'
import { closeDays } from './changes.ts'

export function startAccrualJob(options: {
  engine: Engine
  everySeconds: number
  log: Log
  isPaused?: () => boolean
}): { stop: () => Promise<void> } {
  const { engine, everySeconds, log, isPaused = () => false } = options
  let stopped = false
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(runOnce)
  }, everySeconds * 1000)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }

  async function runOnce(): Promise<void> {
    if (isPaused()) return
    try {
      for (const book of await listBooks(engine.db)) {
        if (stopped) return
        await closeIn(book)
      }
    } catch (error) {
      report(error)
    }
  }

  /** What fails in one book does not stop the others. */
  async function closeIn(book: Book): Promise<void> {
    try {
      const closed = await closeDays(engine, book, () => stopped || isPaused())
      if (closed > 0) log('info', 'accruals_posted', { book_id: book.bookId, days: closed })
    } catch (error) {
      report(error, { book_id: book.bookId })
    }
  }

  function report(error: unknown, fields: Record<string, string> = {}): void {
    const name = error instanceof Error ? error.name : 'unknown'
    log(levelOfFailure(error), 'accruals_failed', { ...fields, error: name }, error)
  }
}
