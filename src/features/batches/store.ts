/** Batches, their parts as they were sent, and what became of each line. */
import type { Actor } from '../../domain/actor.ts'
import type { Batch, BatchOperation, LineOutcome, Part } from '../../domain/batch.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import {
  filterClauses,
  type Page,
  type PageRequest,
  type Placed,
  pageOf,
  pageParameters,
} from '../../engine/database/pages.ts'
import {
  computed,
  flag,
  group,
  instant,
  integer,
  ordinal,
  rowMap,
  text,
} from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from '../../engine/database/window.ts'

const columns = `batch_id, operation, name, expected_lines, expected_total_minor, status, parts, lines,
      total_minor::text as total_minor, waives, digest, succeeded, duplicates, failed, skipped, started_by, started_as,
      approved, created_at, finished_at`

const batchMap = rowMap<Batch>({
  batchId: text('batch_id'),
  operation: text<BatchOperation>('operation'),
  name: text<string | null>('name'),
  expected: group<NonNullable<Batch['expected']>>({
    lines: integer('expected_lines'),
    total: ordinal('expected_total_minor'),
  }),
  status: text<Batch['status']>('status'),
  parts: integer('parts'),
  lines: integer('lines'),
  total: computed((row) => BigInt(row.total_minor as string)),
  waives: flag('waives'),
  digest: text('digest'),
  succeeded: integer('succeeded'),
  duplicates: integer('duplicates'),
  failed: integer('failed'),
  skipped: integer('skipped'),
  startedBy: computed((row) => JSON.parse((row.started_by as string | null) ?? 'null') as Actor | null),
  startedAs: text<string | null>('started_as'),
  approved: flag('approved'),
  createdAt: instant('created_at'),
  finishedAt: instant<Date | null>('finished_at'),
})

export type BatchLine = {
  line: number
  externalId: string | null
  outcome: LineOutcome
  madeId: string | null
  /** JSON text of what the operation answered. */
  data: string | null
  /** JSON text of why it was refused. */
  error: string | null
}

const lineMap = rowMap<BatchLine & { batchId: string }>({
  batchId: text('batch_id'),
  line: integer('line'),
  externalId: text('external_id'),
  outcome: text('outcome'),
  madeId: text('made_id'),
  data: text('data'),
  error: text('error'),
})

const partMap = rowMap<Part>({
  part: integer('part'),
  digest: text('digest'),
  firstLine: integer('first_line'),
  lines: integer('lines'),
  content: text('content'),
})

// A line that was skipped while it was being tried gets what became of it.
const lineInsertion = statementOverRows(
  { tried: lineMap.rows },
  (from, book) => `
    insert into batch_lines (book_id, ${lineMap.columns})
    select ${book.tried}, ${lineMap.columns}
    from ${from.tried}
    on conflict (book_id, batch_id, line) do update
    set external_id = excluded.external_id,
        outcome = excluded.outcome,
        made_id = excluded.made_id,
        data = excluded.data,
        error = excluded.error
    returning 1`,
)

export const statements = {
  insertBatch: `
    insert into batches (
      book_id, ordinal, batch_id, operation, name, expected_lines, expected_total_minor, status, parts, lines,
      total_minor, waives, digest, succeeded, duplicates, failed, skipped, approved, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'UPLOADING', 0, 0, 0, false, '', 0, 0, 0, 0, false, $8)`,

  updateBatch: `
    update batches
    set status = $3, parts = $4, lines = $5, total_minor = $6::text::numeric, waives = $7, digest = $8, succeeded = $9,
        duplicates = $10, failed = $11, skipped = $12, started_by = $13, started_as = $14, approved = $15,
        finished_at = $16
    where book_id = $1
      and batch_id = $2`,

  findBatch: `
    select ${columns}
    from batches
    where book_id = $1
      and batch_id = $2`,

  lockBatch: `
    select batch_id
    from batches
    where book_id = $1
      and batch_id = $2
    for update`,

  // Shared by the lines of a batch; those that end or change it wait.
  lockRunning: `
    select batch_id
    from batches
    where book_id = $1
      and batch_id = $2
      and status = 'RUNNING'
    for key share`,

  countOpen: `
    select status, count(*)::int4 as batches
    from batches
    where book_id = $1
      and status in ('UPLOADING', 'RUNNING')
    group by status`,

  listBatches: (clauses: string) => `
    select ordinal, ${columns}
    from batches
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,

  insertPart: `
    insert into batch_parts (book_id, batch_id, part, digest, first_line, lines, content)
    values ($1, $2, $3, $4, $5, $6, $7)`,

  findPart: `
    select ${partMap.columns}
    from batch_parts
    where book_id = $1
      and batch_id = $2
      and part = $3`,

  findPartOfLine: `
    select ${partMap.columns}
    from batch_parts
    where book_id = $1
      and batch_id = $2
      and first_line <= $3
    order by part desc
    limit 1`,

  writeLines: lineInsertion,

  skipLines: `
    insert into batch_lines (book_id, batch_id, line, outcome)
    select $1, $2, line, 'SKIPPED'
    from generate_series($3::int4, $4::int4) as rest(line)`,

  listLines: `
    select ${lineMap.columns}
    from batch_lines
    where book_id = $1
      and batch_id = $2
      and line > $3
      and ($5::text is null or outcome = $5)
    order by line
    limit $4`,

  // The oldest of a book: one batch at a time, and one instance.
  leaseRunning: `
    update batches
    set leased_by = $2, leased_until = $4
    where book_id = $1
      and batch_id = (
        select batch_id
        from batches
        where book_id = $1
          and status = 'RUNNING'
        order by ordinal
        limit 1)
      and status = 'RUNNING'
      and (leased_by = $2 or leased_until is null or leased_until < $3)
    returning batch_id`,
}

export function insertBatch(tx: Transaction, bookId: string, batch: Batch): void {
  const { batchId, operation, name, expected, createdAt } = batch
  tx.write(statements.insertBatch, [
    ...[bookId, nextOrdinal(), batchId, operation, name],
    ...[expected?.lines ?? null, expected?.total ?? null, createdAt],
  ])
}

export function updateBatch(tx: Transaction, bookId: string, batch: Batch): void {
  const { startedBy } = batch
  const actor = startedBy && JSON.stringify({ kind: startedBy.kind, id: startedBy.id, name: startedBy.name })
  tx.write(statements.updateBatch, [
    ...[bookId, batch.batchId, batch.status, batch.parts, batch.lines, batch.total.toString(), batch.waives],
    ...[batch.digest, batch.succeeded, batch.duplicates, batch.failed, batch.skipped],
    ...[actor, batch.startedAs, batch.approved, batch.finishedAt],
  ])
}

export async function lockBatch(tx: Queries, bookId: string, batchId: string): Promise<void> {
  await tx.query(statements.lockBatch, [bookId, batchId])
}

export async function lockRunning(tx: Queries, bookId: string, batchId: string): Promise<boolean> {
  return (await tx.query(statements.lockRunning, [bookId, batchId])).length > 0
}

export async function findBatch(db: Queries, bookId: string, batchId: string): Promise<Batch | undefined> {
  const [row] = await db.query<object>(statements.findBatch, [bookId, batchId])
  return row && batchMap.read(row)
}

export async function countOpen(
  db: Queries,
  bookId: string,
): Promise<{ uploading: number; running: number }> {
  const rows = await db.query<{ status: string; batches: number }>(statements.countOpen, [bookId])
  const of = (status: string) => rows.find((row) => row.status === status)?.batches ?? 0
  return { uploading: of('UPLOADING'), running: of('RUNNING') }
}

export type BatchFilters = { status?: string; operation?: string; operations?: readonly string[] }

export const batchFilterClauses: Record<keyof BatchFilters, (parameter: string) => string> = {
  status: (parameter) => `status = ${parameter}`,
  operation: (parameter) => `operation = ${parameter}`,
  operations: (parameter) => `operation = any(${parameter}::text[])`,
}

export async function listBatches(
  db: Queries,
  bookId: string,
  filters: BatchFilters,
  page: PageRequest,
): Promise<Page<Batch>> {
  return pageOf(await readWindow<Placed>(db, batchWindow(bookId, filters, page)), page, batchMap.read)
}

/** Without a page: the newest that people sort and count. */
export function batchWindow(
  bookId: string,
  filters: BatchFilters,
  page: PageRequest = NEWEST_ROWS,
): ListWindow {
  const { text, values } = filterClauses(filters, batchFilterClauses, 4)
  return { text: statements.listBatches(text), values: [bookId, ...pageParameters(page), ...values] }
}

export const batchOf = batchMap.read

export function insertPart(tx: Transaction, bookId: string, batchId: string, part: Part): void {
  const { digest, firstLine, lines, content } = part
  tx.write(statements.insertPart, [bookId, batchId, part.part, digest, firstLine, lines, content])
}

export async function findPart(
  db: Queries,
  bookId: string,
  batchId: string,
  part: number,
): Promise<Part | undefined> {
  const [row] = await db.query<object>(statements.findPart, [bookId, batchId, part])
  return row && partMap.read(row)
}

export async function findPartOfLine(
  db: Queries,
  bookId: string,
  batchId: string,
  line: number,
): Promise<Part | undefined> {
  const [row] = await db.query<object>(statements.findPartOfLine, [bookId, batchId, line])
  return row && partMap.read(row)
}

export function writeLines(
  tx: Transaction,
  bookId: string,
  batchId: string,
  lines: readonly BatchLine[],
): void {
  const tried = lines.map((line) => ({ ...line, batchId }))
  tx.write(statements.writeLines.of(bookId, { tried }))
}

export function skipLines(
  tx: Transaction,
  bookId: string,
  batchId: string,
  { from, to }: { from: number; to: number },
): void {
  if (from <= to) tx.write(statements.skipLines, [bookId, batchId, from, to])
}

export type LineFilters = { outcome?: string }

export async function listLines(
  db: Queries,
  bookId: string,
  asked: { batchId: string; filters: LineFilters; after: number; limit: number },
): Promise<BatchLine[]> {
  const { batchId, filters, after, limit } = asked
  const values = [bookId, batchId, after, limit, filters.outcome ?? null]
  const rows = await db.query<object>(statements.listLines, values)
  return rows.map(lineMap.read)
}

/** The batch that this instance carries on with; undefined where there is none, or another instance has it. */
export async function leaseRunning(
  db: Queries,
  bookId: string,
  lease: { by: string; now: Date; until: Date },
): Promise<string | undefined> {
  const [row] = await db.query<{ batch_id: string }>(statements.leaseRunning, [
    ...[bookId, lease.by, lease.now, lease.until],
  ])
  return row?.batch_id
}

/** The last line may end with a line feed or without one. */
export function linesOf(content: string): string[] {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
