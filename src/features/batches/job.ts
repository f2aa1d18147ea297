/**
 * Carries out the lines of running batches, in file order. Guarantees: a line takes effect at most once, in whatever
 * batch it is sent and however often it is tried, because its operation and external_id are an idempotency key that no
 * caller can use; a bad line fails alone; one transaction of a batch at a time in a book, and only while no single
 * request of any book waits for one.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Batch, triedOf } from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { mayPass } from '../../engine/change/job-failures.ts'
import { isUnavailable } from '../../engine/database/database.ts'
import { type Job, type JobOptions, startBookJob } from '../callers/book-job.ts'
import { progress } from './changes.ts'
import type { LineOperation } from './operations.ts'
import { findBatch, findPartOfLine, leaseRunning, linesOf, lockRunning } from './store.ts'
import { type LineRequest, type LineResult, type SentLine, tryLines } from './trying.ts'

/** How soon another instance goes on after a crash. One that is only slow loses nothing but its turn. */
const LEASE_MS = 10_000
const PAUSE_MS = 5
/** Of one transaction: enough to be fast, few enough that single requests wait a few milliseconds. At most CHUNK_LINES. */
export const LINES_TOGETHER = 60

export function startBatchJob({ engine, ...options }: JobOptions & { engine: Engine }): Job {
  const instance = randomUUID()
  return startBookJob({
    ...options,
    db: engine.db,
    failedEvent: 'batches_failed',
    together: true,
    work: (book, isStopped) => runBatches(engine, book, { instance, isStopped }),
  })
}

/** Runs until no batch of the book is left that this instance may carry on with. */
export async function runBatches(
  engine: Engine,
  book: Book,
  { instance, isStopped }: { instance: string; isStopped: () => boolean },
): Promise<void> {
  const nextLines = createLineReader(engine, book)
  while (!isStopped()) {
    // Single requests go first.
    if (engine.waiting() > 0) {
      await sleep(PAUSE_MS)
      continue
    }
    const now = engine.clock()
    const until = new Date(now.getTime() + LEASE_MS)
    const batchId = await leaseRunning(engine.db, book.bookId, { by: instance, now, until })
    if (batchId === undefined || !(await runChunk(engine, book, batchId, nextLines))) return
  }
}

type NextLines = (batch: Batch) => Promise<SentLine[]>

/** false: somebody else has gone on with it. */
async function runChunk(engine: Engine, book: Book, batchId: string, nextLines: NextLines): Promise<boolean> {
  const batch = await findBatch(engine.db, book.bookId, batchId)
  if (batch === undefined || batch.status !== 'RUNNING') return true
  const lines = await nextLines(batch)
  const tried = await tryLines(book, batch, lines, (operation, requests) =>
    carryOut(engine, whileRunning(operation, batchId), requests),
  ).catch(nothingIfEnded)
  if (tried === null) return true
  const origin = { book, actor: batch.startedBy!, requestId: null, idempotency: null }
  const recorded = await engine.perform(progress, origin, { batchId, lines: tried })
  return recorded.outcome === 'done'
}

/** Keeps the part it has read until its last line: a part is up to 8 MiB, and has many chunks. */
function createLineReader(engine: Engine, book: Book): NextLines {
  let kept: { batchId: string; firstLine: number; texts: string[] } | null = null
  return async (batch) => {
    const { batchId } = batch
    const first = triedOf(batch) + 1
    if (first > batch.lines) return []
    if (kept?.batchId !== batchId || first < kept.firstLine || first >= kept.firstLine + kept.texts.length) {
      const part = await findPartOfLine(engine.db, book.bookId, batchId, first)
      if (part === undefined) throw new Error('A part of a batch is missing.')
      kept = { batchId, firstLine: part.firstLine, texts: linesOf(part.content) }
    }
    const from = first - kept.firstLine
    return kept.texts.slice(from, from + LINES_TOGETHER).map((text, index) => ({ line: first + index, text }))
  }
}

class BatchEndedError extends Error {}

function nothingIfEnded(error: unknown): null {
  if (error instanceof BatchEndedError) return null
  throw error
}

/** So that a cancellation waits for lines that are being carried out, and finds them; those after it are not tried. */
function whileRunning({ change }: LineOperation, batchId: string): LineOperation['change'] {
  return {
    ...change,
    async lock(tx, bookId, requests) {
      const [isRunning, locked] = await Promise.all([
        lockRunning(tx, bookId, batchId),
        change.lock(tx, bookId, requests),
      ])
      if (!isRunning) throw new BatchEndedError('The batch has ended.')
      return locked
    },
  }
}

/**
 * Together; where the database rejects that, one after the other, so that a bad line fails alone. What may pass ends the
 * run: the next one tries the same lines, and finds by their keys those that were carried out.
 */
async function carryOut(
  engine: Engine,
  change: LineOperation['change'],
  requests: readonly LineRequest[],
): Promise<LineResult[]> {
  try {
    return await engine.performTogether(change, requests)
  } catch (error) {
    if (isUnavailable(error) || error instanceof BatchEndedError) throw error
  }
  const results: LineResult[] = []
  for (const one of requests) {
    try {
      results.push(await engine.perform(change, one.origin, one.request, one.answer))
    } catch (error) {
      if (mayPass(error) || error instanceof BatchEndedError) throw error
      results.push({ outcome: 'refused', code: 'internal_error', details: {} })
    }
  }
  return results
}
