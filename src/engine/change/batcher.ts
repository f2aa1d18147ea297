/**
 * Collects concurrent requests of one book into batches. There is no timer: a worker takes whatever was queued while it
 * was busy, so an idle service adds no latency and batches grow with the load. Another worker starts only when its
 * batch can be as large as those being processed, because many small batches cost more than a few large ones.
 *
 * A queue is bounded by expected wait as well as by length. Requests that would wait too long are rejected immediately,
 * and requests that did wait too long are rejected instead of being answered too late. A queue that grew during one
 * slow batch is allowed to clear; one that stays after several batches in a row is overload, and its limit is reduced.
 * So under overload accepted requests are still answered quickly.
 */
import assert from 'node:assert/strict'
import { UnavailableError } from './faults.ts'

export type BatchLimits = {
  /** Batches of one book processed at the same time. */
  workers: number
  batchMax: number
  /** Requests of one book waiting for a worker. */
  queueMax: number
  /** How long a request may wait for a worker; an eighth of it while the queue does not clear. Absent: no limit. */
  waitMaxMs?: number
}

export type Batcher<Request, Result> = {
  submit: (bookId: string, request: Request) => Promise<Result>
  /** Whether a request of this book would be rejected now. */
  isFull: (bookId: string) => boolean
  isAnyFull: () => boolean
  /** Requests waiting for a worker, in all books. */
  waiting: () => number
}

export function createBatcher<Request, Result>(options: {
  run: (bookId: string, requests: readonly Request[]) => Promise<readonly Result[]>
  /** Whether a failed batch should be run again one request at a time, because one of them may be the cause. */
  mayBeOnesFault: (error: unknown) => boolean
  limits: BatchLimits
  observe?: (batchSize: number) => void
  nowMs?: () => number
}): Batcher<Request, Result> {
  type Waiting = {
    request: Request
    queuedAtMs: number
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  type Queue = {
    bookId: string
    waiting: Waiting[]
    workersBusy: number
    /** Requests in the batches of its workers. */
    inProgress: number
    /** Consecutive batches that did not empty the queue. */
    uncleared: number
  }
  const queues = new Map<string, Queue>()
  const { nowMs = () => performance.now() } = options
  const { workers, batchMax, queueMax, waitMaxMs = Number.POSITIVE_INFINITY } = options.limits
  /** Moving average of batch duration. */
  let batchMs = 0

  return {
    isFull,
    isAnyFull: () => queues.keys().some(isFull),
    submit(bookId, request) {
      if (isFull(bookId)) return Promise.reject(QUEUE_FULL)
      const queue = queues.get(bookId) ?? { bookId, waiting: [], workersBusy: 0, inProgress: 0, uncleared: 0 }
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.waiting.push({ request, queuedAtMs: nowMs(), resolve, reject })
      queues.set(bookId, queue)
      if (queue.workersBusy < workers && isWorthABatch(queue)) {
        queue.workersBusy += 1
        setImmediate(() => void drain(queue))
      }
      return promise
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.waiting.length, 0),
  }

  function isFull(bookId: string): boolean {
    const queue = queues.get(bookId)
    if (queue === undefined || queue.workersBusy < workers) return false
    const { length } = queue.waiting
    if (length >= queueMax) return true
    // What fits into the next batch is accepted even when batches are slow, so that a worker is never idle.
    return length >= batchMax && ((length / batchMax + 1) * batchMs) / workers > waitLimitMs(queue)
  }

  function waitLimitMs(queue: Queue): number {
    if (queue.uncleared < UNCLEARED_BATCHES * workers) return waitMaxMs
    return Math.min(waitMaxMs, Math.max(waitMaxMs * UNCLEARED_WAIT_SHARE, batchMs))
  }

  /** The last worker to finish takes whatever is queued, so that no request is left behind. */
  function isWorthABatch({ waiting, inProgress }: Queue): boolean {
    return waiting.length > 0 && waiting.length >= Math.min(inProgress, batchMax)
  }

  async function drain(queue: Queue): Promise<void> {
    for (;;) {
      const startedMs = nowMs()
      // Half as long again as expected: dropping an accepted request wastes the work already done for it.
      const earliestMs = startedMs - Math.min(waitMaxMs, 1.5 * waitLimitMs(queue))
      const inTime = queue.waiting.findIndex((waiting) => waiting.queuedAtMs >= earliestMs)
      const late = queue.waiting.splice(0, inTime === -1 ? queue.waiting.length : inTime)
      for (const waiting of late) waiting.reject(QUEUE_FULL)
      if (!isWorthABatch(queue)) break
      const batch = queue.waiting.splice(0, batchMax)
      queue.uncleared = queue.waiting.length === 0 ? 0 : queue.uncleared + 1
      queue.inProgress += batch.length
      const answers = await settle(queue.bookId, batch)
      queue.inProgress -= batch.length
      // The next batch is sent first, so that responses are written while the database works.
      if (isWorthABatch(queue)) setImmediate(answerSome, answers)
      else for (const answer of answers) answer()
      batchMs += (nowMs() - startedMs - batchMs) * LATEST_BATCH_WEIGHT
    }
    queue.workersBusy -= 1
    if (queue.workersBusy === 0) queues.delete(queue.bookId)
  }

  /** A few per turn of the event loop, so that database responses are handled in between. */
  function answerSome(answers: (() => void)[]): void {
    for (const answer of answers.splice(0, ANSWERED_PER_TURN)) answer()
    if (answers.length > 0) setImmediate(answerSome, answers)
  }

  /** Runs a batch to its end, and returns how to answer those of its requests that are still unanswered. */
  async function settle(bookId: string, batch: readonly Waiting[]): Promise<(() => void)[]> {
    try {
      options.observe?.(batch.length)
      const results = await options.run(
        bookId,
        batch.map((waiting) => waiting.request),
      )
      assert(results.length === batch.length, 'a batch answers each of its requests')
      return batch.map((waiting, index) => () => waiting.resolve(results[index]!))
    } catch (error) {
      if (batch.length === 1 || !options.mayBeOnesFault(error)) {
        return batch.map((waiting) => () => waiting.reject(error))
      }
      for (const waiting of batch) for (const answer of await settle(bookId, [waiting])) answer()
      return []
    }
  }
}

/** Shared instance: capturing a stack trace per rejection would dominate its cost. */
const QUEUE_FULL = new UnavailableError('The queue is full.')
const LATEST_BATCH_WEIGHT = 0.2
const ANSWERED_PER_TURN = 16
/** Per worker: this many batches empty a queue that grew while the disk was briefly slow. */
const UNCLEARED_BATCHES = 4
const UNCLEARED_WAIT_SHARE = 1 / 8
