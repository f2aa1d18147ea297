/** Records which requests for approval have expired; until then they already count as expired. */
import type { Book } from '../../domain/book.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from '../callers/store.ts'
import { expireApprovals } from './changes.ts'

/** Per run and book: the next run continues, so that no book delays the others. */
const EXPIRED_PER_RUN = 250

export function startApprovalJob(options: {
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
        await expireIn(book)
      }
    } catch (error) {
      report(error)
    }
  }

  /** What fails in one book, such as a lost connection to its server, does not stop the others. */
  async function expireIn(book: Book): Promise<void> {
    try {
      const expired = await expireApprovals(engine, book, EXPIRED_PER_RUN)
      if (expired > 0) log('info', 'approvals_expired', { book_id: book.bookId, expired })
    } catch (error) {
      report(error, { book_id: book.bookId })
    }
  }

  function report(error: unknown, fields: Record<string, string> = {}): void {
    const name = error instanceof Error ? error.name : 'unknown'
    log(levelOfFailure(error), 'approvals_failed', { ...fields, error: name }, error)
  }
}
