/**
 * Gathers concurrent calls into batches of one book. No timer: a lane takes whatever has queued while it was busy, so an
 * idle service adds no latency and a busy one batches more the busier it gets. A further lane takes a batch when it can be
 * as large as what is under way: many small batches cost more than a few large ones.
 *
 * A queue is full by time, not only by number: who would wait too long is refused at once, and who did wait too long is
 * refused instead of answered too late. A queue that grew while one batch was slow is waited for; one that batch after
 * batch leaves standing is too much to do, and is cut short. So with ten times too much to do, what is accepted is still
 * answered soon.
 */
import assert from 'node:assert/strict'
import { UnavailableError } from './faults.ts'

export type BatchLimits = {
  /** Batches of one book under way at once. */
  lanes: number
  batchMax: number
  /** Requests of one book waiting for a lane. */
  queueMax: number
  /** How long a request may wait for a lane, an eighth of it while the queue does not clear. Absent: for as long as it takes. */
  waitMaxMs?: number
}

export type Batcher<Request, Result> = {
  submit: (bookId: string, request: Request) => Promise<Result>
  /** Whether a request of this book would be refused now. */
  isFull: (bookId: string) => boolean
  isAnyFull: () => boolean
  /** Requests waiting for a lane, in all books. */
  waiting: () => number
}

export function createBatcher<Request, Result>(options: {
  run: (bookId: string, requests: readonly Request[]) => Promise<readonly Result[]>
  /** Whether a failed batch is to be run again one request at a time, because one of them may be the cause. */
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
    lanesBusy: number
    /** Requests in the batches of its lanes. */
    underWay: number
    /** Batches in a row that could not take everybody who waited. */
    leftStanding: number
  }
  const queues = new Map<string, Queue>()
  const { nowMs = () => performance.now() } = options
  const { lanes, batchMax, queueMax, waitMaxMs = Number.POSITIVE_INFINITY } = options.limits
  /** How long a batch takes, of late. */
  let batchMs = 0

  return {
    isFull,
    isAnyFull: () => queues.keys().some(isFull),
    submit(bookId, request) {
      if (isFull(bookId)) return Promise.reject(QUEUE_FULL)
      const queue = queues.get(bookId) ?? { bookId, waiting: [], lanesBusy: 0, underWay: 0, leftStanding: 0 }
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.waiting.push({ request, queuedAtMs: nowMs(), resolve, reject })
      queues.set(bookId, queue)
      if (queue.lanesBusy < lanes && isWorthABatch(queue)) {
        queue.lanesBusy += 1
        setImmediate(() => void drain(queue))
      }
      return promise
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.waiting.length, 0),
  }

  function isFull(bookId: string): boolean {
    const queue = queues.get(bookId)
    if (queue === undefined || queue.lanesBusy < lanes) return false
    const { length } = queue.waiting
    if (length >= queueMax) return true
    // What the next batch can take is let in, however slow it is: a lane never stands idle.
    return length >= batchMax && ((length / batchMax + 1) * batchMs) / lanes > patienceMs(queue)
  }

  function patienceMs(queue: Queue): number {
    if (queue.leftStanding < STANDING_BATCHES * lanes) return waitMaxMs
    return Math.min(waitMaxMs, Math.max(waitMaxMs * STANDING_WAIT_SHARE, batchMs))
  }

  /** Nobody is left waiting: the last lane to end takes them, however few. */
  function isWorthABatch({ waiting, underWay }: Queue): boolean {
    return waiting.length > 0 && waiting.length >= Math.min(underWay, batchMax)
  }

  async function drain(queue: Queue): Promise<void> {
    for (;;) {
      const startedMs = nowMs()
      // Half as long again as was expected of them: what was let in is not given up lightly.
      const earliestMs = startedMs - Math.min(waitMaxMs, 1.5 * patienceMs(queue))
      const inTime = queue.waiting.findIndex((waiting) => waiting.queuedAtMs >= earliestMs)
      const late = queue.waiting.splice(0, inTime === -1 ? queue.waiting.length : inTime)
      for (const waiting of late) waiting.reject(QUEUE_FULL)
      if (!isWorthABatch(queue)) break
      const batch = queue.waiting.splice(0, batchMax)
      queue.leftStanding = queue.waiting.length === 0 ? 0 : queue.leftStanding + 1
      queue.underWay += batch.length
      const answers = await settle(queue.bookId, batch)
      queue.underWay -= batch.length
      // Where others wait, their batch is sent on its way first: answers are written while the database works.
      if (isWorthABatch(queue)) setImmediate(answerSome, answers)
      else for (const answer of answers) answer()
      batchMs += (nowMs() - startedMs - batchMs) * LATEST_BATCH_SHARE
    }
    queue.lanesBusy -= 1
    if (queue.lanesBusy === 0) queues.delete(queue.bookId)
  }

  /** A few a turn, and between them whatever the database has answered meanwhile. */
  function answerSome(answers: (() => void)[]): void {
    for (const answer of answers.splice(0, ANSWERED_PER_TURN)) answer()
    if (answers.length > 0) setImmediate(answerSome, answers)
  }

  /** Runs a batch to its end, and returns how to answer those of its requests that were not answered on the way. */
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

/** One for all: to trace where each comes from would cost more than all the rest of a refusal. */
const QUEUE_FULL = new UnavailableError('The queue is full.')
const LATEST_BATCH_SHARE = 0.2
const ANSWERED_PER_TURN = 16
/** For each lane: so many batches empty what gathered while the disk was slow for a moment. */
const STANDING_BATCHES = 4
const STANDING_WAIT_SHARE = 1 / 8
