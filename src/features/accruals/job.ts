/** Closes the business dates of all books, some time after each has ended. */
import type { Engine } from '../../engine/change/engine.ts'
import { type Job, type JobOptions, startBookJob } from '../callers/book-job.ts'
import { closeDays } from './changes.ts'

export function startAccrualJob({ engine, ...options }: JobOptions & { engine: Engine }): Job {
  return startBookJob({
    ...options,
    db: engine.db,
    failedEvent: 'accruals_failed',
    async work(book, isStopped) {
      const days = await closeDays(engine, book, isStopped)
      if (days > 0) options.log('info', 'accruals_posted', { book_id: book.bookId, days })
    },
  })
}
