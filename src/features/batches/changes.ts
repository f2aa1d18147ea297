/**
 * Creating, filling, starting and cancelling batches, and recording what became of their lines. The lines themselves are
 * ordinary operations, which the job carries out. A batch is locked before anything else.
 */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Actor } from '../../domain/actor.ts'
import {
  acceptPart,
  type Batch,
  type BatchLine,
  type BatchOperation,
  CHUNK_LINES,
  cancelled,
  type LineOutcome,
  type Part,
  progressed,
  refuseCreation,
  refuseStart,
  type SentPart,
  triedOf,
} from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import { refuse } from '../../domain/refusal.ts'
import {
  type AnswerWriter,
  type Change,
  type EventDraft,
  made,
  type Origin,
  type Result,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { readBookSnapshot, record } from '../../engine/change/recording.ts'
import type { Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { findPendingOfTargets } from '../approval-requests/store.ts'
import { held } from '../holding/changes.ts'
import { lockBook } from '../versions/store.ts'
import { BatchRecord, dataOf, isOwnAnswer, keyOf, nameIn, totalsOf } from './record.ts'
import {
  countOpen,
  findBatch,
  findPart,
  findPartOfLine,
  insertBatch,
  insertPart,
  linesOf,
  listCarriedOut,
  listLines,
  listNotCarriedOut,
  lockBatch,
  updateBatch,
  writeLines,
} from './store.ts'

export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

type NewBatch = Pick<Batch, 'batchId' | 'operation' | 'name' | 'expected'>

const creation: Change<NewBatch, void, { uploading: number; running: number }, Batch> = {
  batchMax: 1,
  lock: lockBook,
  read: (tx, at) => countOpen(tx, at.book.bookId),
  decider:
    (open, { moment }) =>
    (request) =>
      refuseCreation(open) ??
      made<Batch>({
        ...request,
        ...{ status: 'UPLOADING', parts: 0, lines: 0, total: 0n, waives: false, digest: '' },
        ...{ succeeded: 0, duplicates: 0, failed: 0, skipped: 0 },
        ...{ startedBy: null, startedAs: null, approved: false, finishedAt: null },
        createdAt: moment.at,
      }),
  write(tx, bookId, [batch], recording) {
    insertBatch(tx, bookId, batch!)
    record(tx, bookId, recording)
  },
  events: (batch) => [batchEvent('batch.created', batch)],
}

export function createBatch(
  engine: Engine,
  origin: Origin,
  request: { operation: BatchOperation; name: string | null; expected: Batch['expected'] },
  answer?: AnswerWriter<Batch>,
): Promise<Result<Batch>> {
  return engine.submit(creation, origin, { batchId: newId('bat'), ...request }, answer)
}

/** Reads totals alone: a bad line is a result, not a failure of its part. */
export function readPart(
  operation: BatchOperation,
  part: number,
  file: Buffer,
  fileLines: Part['fileLines'] = null,
): SentPart {
  const content = textOf(file)
  const lines = linesOf(content)
  const totals = totalsOf(operation, lines)
  return { part, digest: digestOf(content), lines: lines.length, content, fileLines, ...totals }
}

/** JSON has no such character, and no text in the database holds a NUL. */
const UNREADABLE = '\u0001'

/** A line that is not UTF-8 would be read with other characters than were sent, so it stays one that cannot be read. */
function textOf(file: Buffer): string {
  if (isUtf8(file)) return file.toString('utf8').replaceAll('\0', UNREADABLE)
  // In UTF-8 the byte of a line feed is nothing else.
  const lines = file
    .toString('latin1')
    .split('\n')
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1')
      return isUtf8(bytes) ? bytes.toString('utf8') : UNREADABLE + line
    })
  return lines.join('\n').replaceAll('\0', UNREADABLE)
}

type PartRequest = { batchId: string; sent: SentPart }
type KnownWhenSent = {
  batch: Batch | undefined
  earlier: Part | undefined
  pendingApproval: (at: Date) => string | null
}
/** part: null where the same one was sent before. */
export type PartSent = { batch: Batch; part: Part | null }

const sending: Change<PartRequest, void, KnownWhenSent, PartSent> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockBatch(tx, bookId, request!.batchId),
  async read(tx, at) {
    const { bookId } = at.book
    const { batchId, sent } = at.requests[0]!
    const pending = await findPendingOfTargets(tx, bookId, [batchId])
    return {
      batch: await findBatch(tx, bookId, batchId),
      earlier: await findPart(tx, bookId, batchId, sent.part),
      pendingApproval: (at) => pending(batchId, at)?.approvalId ?? null,
    }
  },
  decider:
    ({ batch, earlier, pendingApproval }, { moment }) =>
    ({ sent }) => {
      const known = { earlier, pendingApproval: pendingApproval(moment.at) }
      const accepted = acceptPart(batch, known, sent, digestOf)
      return accepted.outcome === 'refused' ? accepted : made({ batch: accepted.batch, part: accepted.part })
    },
  write(tx, bookId, [value], recording) {
    const { batch, part } = value!
    if (part !== null) {
      insertPart(tx, bookId, batch.batchId, part)
      updateBatch(tx, bookId, batch)
    }
    record(tx, bookId, recording)
  },
  events: ({ batch, part }) => (part === null ? [] : [batchEvent('batch.part_sent', batch)]),
}

export function sendPart(
  engine: Engine,
  origin: Origin,
  request: PartRequest,
  answer?: AnswerWriter<PartSent>,
): Promise<Result<PartSent>> {
  return engine.submit(sending, origin, request, answer)
}

type StartRequest = { batchId: string; startedBy: Actor | null }
type KnownWhenStarted = { batch: Batch | undefined; running: number }

/**
 * An approved start covers its lines: they are exactly those that were sent when it was approved. Where no rule holds the
 * start itself, its approval takes as many as the largest rule for such lines.
 */
export const batchStart = held<StartRequest, void, KnownWhenStarted, Batch>({
  operation: 'startBatch',
  batchMax: 1,
  lock: async (tx, bookId, [request]) => {
    await Promise.all([lockBatch(tx, bookId, request!.batchId), lockBook(tx, bookId)])
  },
  read: async (tx, at) => ({
    batch: await findBatch(tx, at.book.bookId, at.requests[0]!.batchId),
    running: (await countOpen(tx, at.book.bookId)).running,
  }),
  decider:
    ({ batch, running }, _at, hold) =>
    ({ startedBy }, by) => {
      const facts = () => ({ amount: batch!.total, ...(by.votes && { covered: batch!.operation }) })
      const refused = refuseStart(batch, { running }) ?? hold(facts)
      if (refused !== null) return refused
      const approved = by.votes !== undefined
      return made<Batch>({ ...batch!, status: 'RUNNING', startedBy, startedAs: by.identity, approved })
    },
  write(tx, bookId, [batch], recording) {
    updateBatch(tx, bookId, batch!)
    record(tx, bookId, recording)
  },
  events: (batch) => [batchEvent('batch.started', batch)],
})

export function startBatch(
  engine: Engine,
  origin: Origin,
  batchId: string,
  answer?: AnswerWriter<Batch>,
): Promise<Result<Batch>> {
  return engine.submit(batchStart, origin, { batchId, startedBy: origin.actor }, answer)
}

type KnownWhenCancelled = { batch: Batch | undefined; unrecorded: readonly BatchLine[] }
type Cancelled = { batch: Batch; unrecorded: readonly BatchLine[] }

/**
 * No line is carried out afterwards: lines share the lock of their batch (see job.ts). Its cost does not depend on what is
 * left: the lines that it skips get no row (see readLines).
 */
const cancellation: Change<{ batchId: string }, void, KnownWhenCancelled, Cancelled> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockBatch(tx, bookId, request!.batchId),
  async read(tx, at) {
    const { bookId } = at.book
    const batch = await findBatch(tx, bookId, at.requests[0]!.batchId)
    return { batch, unrecorded: batch?.status === 'RUNNING' ? await findUnrecorded(tx, bookId, batch) : [] }
  },
  decider:
    ({ batch, unrecorded }, { moment }) =>
    () => {
      const ended = cancelled(batch, moment.at)
      if ('outcome' in ended) return ended
      const outcomes = unrecorded.map(({ outcome }) => outcome)
      return made({ batch: progressed(ended, outcomes, moment.at), unrecorded })
    },
  write(tx, bookId, [value], recording) {
    const { batch, unrecorded } = value!
    updateBatch(tx, bookId, batch)
    if (unrecorded.length > 0) writeLines(tx, bookId, batch.batchId, unrecorded)
    record(tx, bookId, recording)
  },
  events: ({ batch }) => [batchEvent('batch.completed', batch)],
}

export async function cancelBatch(
  engine: Engine,
  origin: Origin,
  batchId: string,
  answer?: AnswerWriter<Batch>,
): Promise<Result<Batch>> {
  const writer = answer && (({ batch }: Cancelled) => answer(batch))
  const result = await engine.submit(cancellation, origin, { batchId }, writer)
  return result.outcome === 'done' ? { ...result, value: result.value.batch } : result
}

/**
 * The job may have ended after it carried out the next lines and before it recorded them: the answers to their keys say
 * which these are.
 */
async function findUnrecorded(tx: Queries, bookId: string, batch: Batch): Promise<BatchLine[]> {
  const { batchId } = batch
  const first = triedOf(batch) + 1
  const part = await findPartOfLine(tx, bookId, batchId, first)
  if (part === undefined) return []
  const from = first - part.firstLine
  const texts = linesOf(part.content).slice(from, from + CHUNK_LINES)
  const named = texts.flatMap((text, index) => {
    // No text in the database holds a NUL; such a line cannot have been carried out.
    const externalId = nameIn(text)?.replaceAll('\0', '\ufffd')
    return externalId === undefined ? [] : [{ line: first + index, externalId }]
  })
  const keys = new Set(named.map(({ externalId }) => keyOf(batch, externalId)))
  const { answers } = await readBookSnapshot(tx, bookId, [...keys])
  return named.flatMap(({ line, externalId }): BatchLine[] => {
    const answer = answers.get(keyOf(batch, externalId))
    if (answer === undefined || !isOwnAnswer(answer.body, { batchId, line })) return []
    const { madeId, body } = answer
    return [{ line, externalId, outcome: 'SUCCEEDED', madeId, data: dataOf(body), error: null }]
  })
}

type Progress = { batchId: string; lines: readonly BatchLine[] }
type Progressed = { batch: Batch; lines: readonly BatchLine[]; isDone: boolean }
/** recorded: those of the lines that the cancellation of the batch found carried out. */
type KnownOfProgress = { batch: Batch | undefined; recorded: ReadonlySet<number> }

/** Records what became of the next lines; refused where they were recorded before. */
export const progress: Change<Progress, void, KnownOfProgress, Progressed> = {
  batchMax: 1,
  lock: (tx, bookId, [request]) => lockBatch(tx, bookId, request!.batchId),
  async read(tx, at) {
    const { batchId, lines } = at.requests[0]!
    const batch = await findBatch(tx, at.book.bookId, batchId)
    if (batch?.status !== 'CANCELLED' || lines.length === 0) return { batch, recorded: new Set() }
    const range = { after: lines[0]!.line - 1, limit: lines.length }
    const stored = await listLines(tx, at.book.bookId, { batchId, ...range })
    const recorded = stored.filter(({ outcome }) => outcome !== 'SKIPPED')
    return { batch, recorded: new Set(recorded.map(({ line }) => line)) }
  },
  decider:
    ({ batch, recorded }, { moment }) =>
    (request) => {
      if (batch === undefined) return refuse('batch_not_found')
      const isCancelled = batch.status === 'CANCELLED'
      const lines = request.lines.filter(({ line }) => !recorded.has(line))
      const isNext = isCancelled || lines.length === 0 || lines[0]!.line === triedOf(batch) + 1
      if (!isNext || batch.status === 'DONE') return refuse('batch_finished', { batch_status: batch.status })
      const outcomes = lines.map(({ outcome }) => outcome)
      const after = progressed(batch, outcomes, moment.at)
      return made({ batch: after, lines, isDone: batch.status === 'RUNNING' && after.status === 'DONE' })
    },
  write(tx, bookId, [value], recording) {
    const { batch, lines } = value!
    updateBatch(tx, bookId, batch)
    if (lines.length > 0) writeLines(tx, bookId, batch.batchId, lines)
    record(tx, bookId, recording)
  },
  events: ({ batch, isDone }) => (isDone ? [batchEvent('batch.completed', batch)] : []),
}

/** Only the end is announced; the rest is in the audit log. */
function batchEvent(type: string, batch: Batch): EventDraft {
  return {
    type,
    announced: type === 'batch.completed',
    subjectId: batch.batchId,
    data: BatchRecord.json(batch),
    changes: null,
  }
}

type Asked = { filters: { outcome?: LineOutcome }; after: number; limit: number }
type LinesPage = { lines: BatchLine[]; next: number | null }

/** Lines that are looked at for a page of those that were carried out: fewer may be found, though more follow. */
const LOOKED_AT = 10_000

/** What became of lines, each with its name. A line of a cancelled batch that was not tried has no row: it was skipped. */
export async function readLines(db: Queries, book: Book, batch: Batch, asked: Asked): Promise<LinesPage> {
  const { batchId, status } = batch
  const { filters, after, limit } = asked
  const place = { batchId, after, limit: limit + 1 }
  switch (filters.outcome) {
    case 'SUCCEEDED': {
      const upTo = after + LOOKED_AT
      const found = pageOf(await listCarriedOut(db, book.bookId, { ...place, upTo }), limit)
      return found.next === null && upTo < triedOf(batch) + CHUNK_LINES ? { ...found, next: upTo } : found
    }
    case 'FAILED':
    case 'DUPLICATE': {
      const { outcome } = filters
      return pageOf(await listNotCarriedOut(db, book.bookId, { ...place, outcome }), limit)
    }
    case 'SKIPPED':
    case undefined: {
      if (status !== 'CANCELLED') {
        return pageOf(filters.outcome ? [] : await listLines(db, book.bookId, place), limit)
      }
      const { lines, next } = pageOf(
        await withSkipped(db, book, batch, { ...asked, limit: limit + 1 }),
        limit,
      )
      return { lines: await withNames(db, book, batch, lines), next }
    }
    default:
      return filters.outcome satisfies never
  }
}

function pageOf(lines: readonly BatchLine[], limit: number): { lines: BatchLine[]; next: number | null } {
  const shown = lines.slice(0, limit)
  return { lines: shown, next: lines.length > limit ? shown.at(-1)!.line : null }
}

/** Earlier versions wrote a row for each line that was skipped. */
async function withSkipped(
  db: Queries,
  { bookId }: Book,
  batch: Batch,
  { filters, after, limit }: Asked,
): Promise<BatchLine[]> {
  const { batchId, lines } = batch
  const isSkipped = ({ outcome }: BatchLine) => outcome === 'SKIPPED'
  const isEach = filters.outcome === undefined
  // Lines are tried from the first on. Of the last chunk alone, some may be recorded and others not.
  const from = isEach ? after : Math.max(after, triedOf(batch) - CHUNK_LINES)
  const span = isEach ? limit : limit + CHUNK_LINES
  const rows = await listLines(db, bookId, { batchId, after: from, limit: span })
  const stored = new Map(rows.map((row) => [row.line, row]))
  const count = Math.max(0, Math.min(lines - from, span))
  const all = Array.from({ length: count }, (_, index) => from + index + 1).map(
    (line) => stored.get(line) ?? skippedLine(line),
  )
  return isEach ? all : all.filter(isSkipped).slice(0, limit)
}

function skippedLine(line: number): BatchLine {
  return { line, externalId: null, outcome: 'SKIPPED', madeId: null, data: null, error: null }
}

/** Lines that were skipped were never read: their names are still in their parts. */
async function withNames(
  db: Queries,
  { bookId }: Book,
  { batchId }: Batch,
  lines: readonly BatchLine[],
): Promise<BatchLine[]> {
  const shown: BatchLine[] = []
  let part: { firstLine: number; lines: string[] } | null = null
  for (const line of lines) {
    if (line.outcome !== 'SKIPPED') {
      shown.push(line)
      continue
    }
    if (part === null || line.line >= part.firstLine + part.lines.length) {
      const found = await findPartOfLine(db, bookId, batchId, line.line)
      part = { firstLine: found!.firstLine, lines: linesOf(found!.content) }
    }
    shown.push({ ...line, externalId: nameIn(part.lines[line.line - part.firstLine]!) })
  }
  return shown
}
