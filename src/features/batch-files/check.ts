/**
 * The dry run of a batch: each line is read and decided as it would be now, after those before it, and nothing is written.
 * One part at a time, so that a file of any size is checked in short requests; what lines of another part would change is
 * not known to it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf } from '../../domain/actor.ts'
import { type Batch, type BatchLine, CHUNK_LINES } from '../../domain/batch.ts'
import type { Origin } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { batchStart } from '../batches/changes.ts'
import { findPartOfLine, linesOf } from '../batches/store.ts'
import { tryLines } from '../batches/trying.ts'
import { inFile } from './places.ts'

const PAUSE_MS = 5

const FAILING_SHOWN = 100

/** What the lines from one to another would come to, and the first that would fail, as they stand in the file. */
export type Check = { from: number; to: number; lines: BatchLine[]; failing: BatchLine[] }

export async function checkLines(
  engine: Engine,
  { book, actor }: Origin,
  batch: Batch,
  from: number,
): Promise<Check> {
  const part = await findPartOfLine(engine.db, book.bookId, batch.batchId, from)
  const texts = part === undefined ? [] : linesOf(part.content).slice(from - part.firstLine)
  const asStarted = { ...batch, startedBy: actor, startedAs: identityOf(actor) }
  const trial = { ...asStarted, approved: await waitsForApproval(engine, { book, actor }, batch) }
  const lines: BatchLine[] = []
  for (let at = 0; at < texts.length; at += CHUNK_LINES) {
    // Single requests go first.
    if (engine.waiting() > 0) await sleep(PAUSE_MS)
    const chunk = texts.slice(at, at + CHUNK_LINES)
    const sent = chunk.map((text, index) => ({ line: from + at + index, text }))
    const perform: Parameters<typeof tryLines>[3] = ({ change }, requests) =>
      engine.tryOutTogether(change, requests)
    lines.push(...(await tryLines(book, trial, sent, perform)))
  }
  const failing = lines.filter(({ outcome }) => outcome === 'FAILED').slice(0, FAILING_SHOWN)
  const placed = await inFile({ service: engine, book }, batch, failing)
  return { from, to: from + texts.length - 1, lines, failing: placed }
}

/** An approved start covers its lines. */
async function waitsForApproval(
  engine: Engine,
  { book, actor }: Pick<Origin, 'book' | 'actor'>,
  { batchId }: Batch,
): Promise<boolean> {
  const by = { identity: identityOf(actor) }
  const start = await engine.tryOut(batchStart, book, { batchId, startedBy: actor }, by)
  return start.outcome === 'refused' && start.code === 'approval_required'
}
