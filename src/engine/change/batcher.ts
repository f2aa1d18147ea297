/**
 * Collects concurrent requests into batches. There is no timer: a worker takes whatever was queued while it was busy, so
 * an idle service adds no latency and batches grow with the load. Another worker starts only when its batch can be as
 * large as those being processed, because many small batches cost more than a few large ones.
 *
 * Each book has its own queue. Short queues share workers, and a batch takes from them in turns; a long queue has workers
 * of its own, so it delays no other book. A shared batch that fails is run again book by book, each by workers of its
 * own, so one book's rows or locks delay the others once at most.
 *
 * A queue is bounded by expected wait as well as by length. Requests that would wait too long are rejected immediately,
 * and requests that did wait too long are rejected instead of being answered too late. A queue that grew during one
 * slow batch is allowed to clear; one that stays after several batches in a row is overload, and its limit is reduced.
 * So under overload accepted requests are still answered quickly.
 */
import assert from 'node:assert/strict'
import { UnavailableError } from './faults.ts'

export type BatchLimits = {
  /** Batches of one book, or of those that share workers, processed at the same time. */
  workers: number
  batchMax: number
  /** Requests of one book waiting for a worker. */
  queueMax: number
  /** How long a request may wait for a worker; an eighth of it while the queue does not clear. Absent: no limit. */
  waitMaxMs?: number
  /** false: a batch never holds requests of two books. */
  severalBooks?: boolean
}

export type Batcher<Request, Result> = {
  submit: (bookId: string, request: Request) => Promise<Result>
  /** Whether a request of this book would be rejected now. */
  isFull: (bookId: string) => boolean
  isAnyFull: () => boolean
  /** Requests waiting for a worker, in all books. */
  waiting: () => number
  /** Those, and the ones in the batches of workers. */
  unfinished: () => number
}

export function createBatcher<Request, Result>(options: {
  run: (requests: readonly Request[]) => Promise<readonly Result[]>
  /** Whether a failed batch should be run again in smaller parts, because one of these may be the cause. */
  mayBeCausedBy: (part: 'request' | 'book', error: unknown) => boolean
  limits: BatchLimits
  observe?: (batchSize: number) => void
  nowMs?: () => number
}): Batcher<Request, Result> {
  type Waiting = {
    bookId: string
    request: Request
    queuedAtMs: number
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  type Queue = { bookId: string; waiting: Waiting[]; lane: Lane }
  /** Workers and the queues they serve. */
  type Lane = {
    /** null: the lane that short queues share. */
    bookId: string | null
    /** Those that are not empty. The next request is taken from the first. */
    queues: Set<Queue>
    workersBusy: number
    /** Requests in the batches of its workers. */
    inProgress: number
    /** Consecutive batches that did not empty its queues. */
    uncleared: number
  }
  const queues = new Map<string, Queue>()
  const shared = newLane(null)
  const { nowMs = () => performance.now() } = options
  const { workers, batchMax, queueMax, waitMaxMs = Number.POSITIVE_INFINITY } = options.limits
  const sharedMax = (options.limits.severalBooks ?? true) ? Math.min(batchMax, SHARED_MAX) : 1
  /** Moving average of batch duration. */
  let batchMs = 0

  return {
    isFull,
    isAnyFull: () => queues.keys().some(isFull),
    submit(bookId, request) {
      if (isFull(bookId)) return Promise.reject(QUEUE_FULL)
      const queue = queueOf(bookId)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.waiting.push({ bookId, request, queuedAtMs: nowMs(), resolve, reject })
      if (queue.waiting.length >= sharedMax) giveOwnLane(queue)
      const { lane } = queue
      lane.queues.add(queue)
      if (lane.workersBusy < workers && isWorthABatch(lane)) {
        lane.workersBusy += 1
        setImmediate(() => void drain(lane))
      }
      return promise
    },
    waiting: () => waitingIn(queues.values()),
    unfinished() {
      const lanes = new Set([shared, ...queues.values().map(({ lane }) => lane)])
      return lanes.values().reduce((sum, { inProgress }) => sum + inProgress, waitingIn(queues.values()))
    },
  }

  function newLane(bookId: string | null): Lane {
    return { bookId, queues: new Set(), workersBusy: 0, inProgress: 0, uncleared: 0 }
  }

  function queueOf(bookId: string): Queue {
    const queue = queues.get(bookId) ?? { bookId, waiting: [], lane: shared }
    queues.set(bookId, queue)
    return queue
  }

  function giveOwnLane(queue: Queue): void {
    if (queue.lane !== shared) return
    shared.queues.delete(queue)
    queue.lane = newLane(queue.bookId)
    if (queue.waiting.length > 0) queue.lane.queues.add(queue)
  }

  function isFull(bookId: string): boolean {
    const queue = queues.get(bookId)
    if (queue === undefined || queue.lane.workersBusy < workers) return false
    if (queue.waiting.length >= queueMax) return true
    const waiting = waitingIn(queue.lane.queues)
    // What fits into the next batch is accepted even when batches are slow, so that a worker is never idle.
    return waiting >= batchMax && ((waiting / batchMax + 1) * batchMs) / workers > waitLimitMs(queue.lane)
  }

  function waitLimitMs({ uncleared }: Lane): number {
    if (uncleared < UNCLEARED_BATCHES * workers) return waitMaxMs
    return Math.min(waitMaxMs, Math.max(waitMaxMs * UNCLEARED_WAIT_SHARE, batchMs))
  }

  /** The last worker to finish takes whatever is queued, so that no request is left behind. */
  function isWorthABatch(lane: Lane): boolean {
    const waiting = waitingIn(lane.queues)
    return waiting > 0 && waiting >= Math.min(lane.inProgress, batchMax)
  }

  /** `first` is a batch that was taken already. */
  async function drain(lane: Lane, first: Waiting[] = []): Promise<void> {
    for (let batch = first; ; batch = []) {
      const startedMs = nowMs()
      if (batch.length === 0) batch = takeBatch(lane, startedMs)
      if (batch.length === 0) break
      lane.inProgress += batch.length
      const answers = await runBatch(batch)
      lane.inProgress -= batch.length
      // The next batch is sent first, so that responses are written while the database works.
      if (isWorthABatch(lane)) setImmediate(answerSome, answers)
      else for (const answer of answers) answer()
      batchMs += (nowMs() - startedMs - batchMs) * LATEST_BATCH_WEIGHT
    }
    lane.workersBusy -= 1
    if (lane.bookId !== null && lane.workersBusy === 0) queues.delete(lane.bookId)
  }

  function takeBatch(lane: Lane, startedMs: number): Waiting[] {
    // Half as long again as expected: dropping an accepted request wastes the work already done for it.
    const earliestMs = startedMs - Math.min(waitMaxMs, 1.5 * waitLimitMs(lane))
    for (const queue of lane.queues) {
      while (queue.waiting[0] && queue.waiting[0].queuedAtMs < earliestMs) take(queue).reject(QUEUE_FULL)
    }
    if (!isWorthABatch(lane)) return []
    const batch: Waiting[] = []
    for (const queue of lane.queues) {
      if (batch.length === batchMax) break
      batch.push(take(queue))
      // Behind the others: books take turns.
      if (lane.queues.delete(queue)) lane.queues.add(queue)
    }
    lane.uncleared = lane.queues.size === 0 ? 0 : lane.uncleared + 1
    return batch
  }

  function take(queue: Queue): Waiting {
    const waiting = queue.waiting.shift()!
    if (queue.waiting.length === 0) {
      queue.lane.queues.delete(queue)
      if (queue.lane === shared) queues.delete(queue.bookId)
    }
    return waiting
  }

  /** A few per turn of the event loop, so that database responses are handled in between. */
  function answerSome(answers: (() => void)[]): void {
    for (const answer of answers.splice(0, ANSWERED_PER_TURN)) answer()
    if (answers.length > 0) setImmediate(answerSome, answers)
  }

  /** Runs a batch to its end, and returns how to answer those of its requests that are still unanswered. */
  async function runBatch(batch: readonly Waiting[]): Promise<(() => void)[]> {
    try {
      options.observe?.(batch.length)
      const results = await options.run(batch.map((waiting) => waiting.request))
      assert(results.length === batch.length, 'a batch answers each of its requests')
      return batch.map((waiting, index) => () => waiting.resolve(results[index]!))
    } catch (error) {
      const byBook = Map.groupBy(batch, ({ bookId }) => bookId)
      if (byBook.size > 1 && options.mayBeCausedBy('book', error)) {
        for (const [bookId, part] of byBook) runAlone(queueOf(bookId), part)
        return []
      }
      if (batch.length === 1 || !options.mayBeCausedBy('request', error)) {
        return batch.map((waiting) => () => waiting.reject(error))
      }
      for (const waiting of batch) for (const answer of await runBatch([waiting])) answer()
      return []
    }
  }

  /** A worker of the book's own runs it, beside those that are busy. */
  function runAlone(queue: Queue, part: Waiting[]): void {
    giveOwnLane(queue)
    queue.lane.workersBusy += 1
    void drain(queue.lane, part)
  }

  function waitingIn(some: Iterable<Queue>): number {
    let sum = 0
    for (const { waiting } of some) sum += waiting.length
    return sum
  }
}

/** Shared instance: capturing a stack trace per rejection would dominate its cost. */
const QUEUE_FULL = new UnavailableError('The queue is full.')
const LATEST_BATCH_WEIGHT = 0.2
const ANSWERED_PER_TURN = 16
/** Per worker: this many batches empty a queue that grew while the disk was briefly slow. */
const UNCLEARED_BATCHES = 4
const UNCLEARED_WAIT_SHARE = 1 / 8
/** From here on a batch of one book costs little more per request than one shared with others. */
const SHARED_MAX = 32
