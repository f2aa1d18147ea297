/**
 * A job that works in every book, again and again. Never twice at the same time in one book; what fails in one, such as a
 * lost connection to its server, does not stop the others.
 */
import type { Book } from '../../domain/book.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import type { Queries } from '../../engine/database/database.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from './store.ts'

export type Job = { stop: () => Promise<void> }

export type JobOptions = { everySeconds: number; log: Log; isPaused?: () => boolean }

export function startBookJob(
  options: JobOptions & {
    db: Queries
    /** The event that is logged when it fails. */
    failedEvent: string
    /** Books beside one another, so that long work in one delays no other; by default one after the other. */
    together?: boolean
    work: (book: Book, isStopped: () => boolean) => Promise<void>
  },
): Job {
  const { db, everySeconds, log, isPaused = () => false, failedEvent, together = false, work } = options
  const busy = new Map<string, Promise<void>>()
  let pass: Promise<void> | null = null
  let stopped = false
  const isStopped = () => stopped || isPaused()
  const timer = setInterval(() => {
    pass ??= visitBooks().finally(() => {
      pass = null
    })
  }, everySeconds * 1000)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await pass
      await Promise.all(busy.values())
    },
  }

  async function visitBooks(): Promise<void> {
    if (isPaused()) return
    try {
      for (const book of await listBooks(db)) {
        if (isStopped()) return
        if (busy.has(book.bookId)) continue
        const visit = workIn(book)
        busy.set(book.bookId, visit)
        if (!together) await visit
      }
    } catch (error) {
      report(error)
    }
  }

  async function workIn(book: Book): Promise<void> {
    try {
      await work(book, isStopped)
    } catch (error) {
      report(error, { book_id: book.bookId })
    } finally {
      busy.delete(book.bookId)
    }
  }

  function report(error: unknown, fields: Record<string, string> = {}): void {
    const name = error instanceof Error ? error.name : 'unknown'
    log(levelOfFailure(error), failedEvent, { ...fields, error: name }, error)
  }
}
