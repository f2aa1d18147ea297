/**
 * Gathers concurrent calls into batches of one book. No timer: a lane takes whatever has queued while it was busy, so an
 * idle service adds no latency and a busy one batches more the busier it gets. A full queue refuses at once.
 */
import assert from 'node:assert/strict'
import { UnavailableError } from './faults.ts'

export type BatchLimits = {
  /** Batches of one book under way at once. */
  lanes: number
  batchMax: number
  /** Requests of one book waiting for a lane. */
  queueMax: number
}

export type Batcher<Request, Result> = {
  submit: (bookId: string, request: Request) => Promise<Result>
  /** Requests waiting for a lane, in all books. */
  waiting: () => number
}

export function createBatcher<Request, Result>(options: {
  run: (bookId: string, requests: readonly Request[]) => Promise<readonly Result[]>
  /** Whether a failed batch is to be run again one request at a time, because one of them may be the cause. */
  mayBeOnesFault: (error: unknown) => boolean
  limits: BatchLimits
  observe?: (batchSize: number) => void
}): Batcher<Request, Result> {
  type Waiting = { request: Request; resolve: (result: Result) => void; reject: (error: unknown) => void }
  type Queue = { bookId: string; waiting: Waiting[]; lanesBusy: number }
  const queues = new Map<string, Queue>()
  const { lanes, batchMax, queueMax } = options.limits

  return {
    submit(bookId, request) {
      const queue = queues.get(bookId) ?? { bookId, waiting: [], lanesBusy: 0 }
      if (queue.waiting.length >= queueMax) return Promise.reject(new UnavailableError('The queue is full.'))
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      queue.waiting.push({ request, resolve, reject })
      queues.set(bookId, queue)
      if (queue.lanesBusy < lanes) {
        queue.lanesBusy += 1
        setImmediate(() => void drain(queue))
      }
      return promise
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.waiting.length, 0),
  }

  async function drain(queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) await settle(queue.bookId, queue.waiting.splice(0, batchMax))
    queue.lanesBusy -= 1
    if (queue.lanesBusy === 0) queues.delete(queue.bookId)
  }

  async function settle(bookId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      options.observe?.(batch.length)
      const results = await options.run(
        bookId,
        batch.map((waiting) => waiting.request),
      )
      assert(results.length === batch.length, 'a batch answers each of its requests')
      batch.forEach((waiting, index) => {
        waiting.resolve(results[index]!)
      })
    } catch (error) {
      if (batch.length > 1 && options.mayBeOnesFault(error)) {
        for (const waiting of batch) await settle(bookId, [waiting])
      } else {
        for (const waiting of batch) waiting.reject(error)
      }
    }
  }
}
