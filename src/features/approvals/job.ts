/** Records which requests for approval have expired; until then they already count as expired. */
import type { Engine } from '../../engine/change/engine.ts'
import { type Job, type JobOptions, startBookJob } from '../callers/book-job.ts'
import { expireApprovals } from './changes.ts'

/** Per run and book: the next run continues, so that no book delays the others. */
const EXPIRED_PER_RUN = 250

export function startApprovalJob({ engine, ...options }: JobOptions & { engine: Engine }): Job {
  return startBookJob({
    ...options,
    db: engine.db,
    failedEvent: 'approvals_failed',
    async work(book) {
      const expired = await expireApprovals(engine, book, EXPIRED_PER_RUN)
      if (expired > 0) options.log('info', 'approvals_expired', { book_id: book.bookId, expired })
    },
  })
}
