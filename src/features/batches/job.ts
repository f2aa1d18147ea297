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
import type { Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { mayPass } from '../../engine/change/job-failures.ts'
import { isUnavailable } from '../../engine/database/database.ts'
import { type Job, type JobOptions, startBookJob } from '../callers/book-job.ts'
import { progress } from './changes.ts'
import { answerOf, dataOf, isOwnAnswer, originOf, readLine } from './line.ts'
import { type LineOperation, lineOperations } from './operations.ts'
import { errorText } from './record.ts'
import { type BatchLine, findBatch, findPartOfLine, leaseRunning, linesOf } from './store.ts'

/** Lines in one transaction: enough to be fast, few enough that single requests wait a few milliseconds. */
const CHUNK_LINES = 100
/** How soon another instance goes on after a crash. One that is only slow loses nothing but its turn. */
const LEASE_MS = 10_000
const PAUSE_MS = 5

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

/** Until no batch of the book is left that this instance may carry on with. */
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

type SentLine = { line: number; text: string }
type NextLines = (batch: Batch) => Promise<SentLine[]>

/** false: somebody else has gone on with it. */
async function runChunk(engine: Engine, book: Book, batchId: string, nextLines: NextLines): Promise<boolean> {
  const batch = await findBatch(engine.db, book.bookId, batchId)
  if (batch === undefined || batch.status !== 'RUNNING') return true
  const lines = await nextLines(batch)
  const tried = await tryLines(engine, book, batch, lines)
  const origin = { book, actor: batch.startedBy!, requestId: null, idempotency: null }
  const recorded = await engine.perform(progress, origin, { batchId, lines: tried })
  return recorded.outcome === 'done'
}

/** Keeps the part it has read until its last line: a part is up to 8 MiB, and has a hundred chunks. */
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
    return kept.texts.slice(from, from + CHUNK_LINES).map((text, index) => ({ line: first + index, text }))
  }
}

async function tryLines(
  engine: Engine,
  book: Book,
  batch: Batch,
  lines: readonly SentLine[],
): Promise<BatchLine[]> {
  const operation = lineOperations[batch.operation]
  const read = lines.map((sent) => ({ sent, reading: readLine(operation, sent.text) }))
  const good = read.flatMap(({ sent, reading }) => (reading.ok ? [{ sent, reading }] : []))
  const requests = good.map(({ sent, reading }) => ({
    origin: originOf(book, batch, reading),
    request: reading.request,
    answer: (value: unknown) => answerOf(operation, value, { batchId: batch.batchId, line: sent.line }),
  }))
  const results = await carryOut(engine, operation, requests)
  const outcomes = new Map(good.map(({ sent }, index) => [sent.line, results[index]!]))
  return read.map(({ sent, reading }) => {
    const { line } = sent
    if (!reading.ok) return failed(line, reading.externalId, errorText(reading.failure))
    const result = outcomes.get(line)!
    if (result.outcome === 'refused') return failed(line, reading.externalId, errorText(result))
    const { body, madeId = null } = result.answer!
    // Its own answer: it was carried out before a crash that left no result of it.
    const isOwn = result.outcome === 'done' || isOwnAnswer(body, { batchId: batch.batchId, line })
    const outcome = isOwn ? 'SUCCEEDED' : 'DUPLICATE'
    return { line, externalId: reading.externalId, outcome, madeId, data: dataOf(body), error: null }
  })
}

type LineRequest = Parameters<Engine['performTogether']>[1][number]
type LineResult = Result<unknown> | { outcome: 'refused'; code: 'internal_error'; details: object }

/**
 * Together; where the database rejects that, one after the other, so that a bad line fails alone. What may pass ends the
 * run: the next one tries the same lines, and finds by their keys those that were carried out.
 */
async function carryOut(
  engine: Engine,
  { change }: LineOperation,
  requests: readonly LineRequest[],
): Promise<LineResult[]> {
  if (requests.length === 0) return []
  try {
    return await engine.performTogether(change, requests)
  } catch (error) {
    if (isUnavailable(error)) throw error
  }
  const results: LineResult[] = []
  for (const one of requests) {
    try {
      results.push(await engine.perform(change, one.origin, one.request, one.answer))
    } catch (error) {
      if (mayPass(error)) throw error
      results.push({ outcome: 'refused', code: 'internal_error', details: {} })
    }
  }
  return results
}

function failed(line: number, externalId: string | null, error: string): BatchLine {
  return { line, externalId, outcome: 'FAILED', madeId: null, data: null, error }
}
