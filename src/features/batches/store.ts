/** Batches, their parts as they were sent, and what became of each line. */
import type { Actor } from '../../domain/actor.ts'
import type { Batch, BatchLine, BatchOperation, Part } from '../../domain/batch.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type FiltersOf, listOf, newestOf, where } from '../../engine/database/list.ts'
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
import { valuesOf } from '../../engine/database/rows.ts'
import { idOfBook, membersInBook, ofBook, sql, writeRows } from '../../engine/database/sql.ts'

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
  fileLines: {
    columns: { file_lines: ['text', (lines) => lines && JSON.stringify(lines)] },
    read: (row) => JSON.parse((row.file_lines as string | null) ?? 'null'),
  },
})

const placesMap = partMap.pick('firstLine', 'lines', 'fileLines')
export type PartPlaces = Pick<Part, 'firstLine' | 'lines' | 'fileLines'>

export const insertBatch = sql`
    insert into batches (
      book_id, ordinal, batch_id, operation, name, expected_lines, expected_total_minor, status, parts, lines,
      total_minor, waives, digest, succeeded, duplicates, failed, skipped, approved, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'UPLOADING', 0, 0, 0, false, '', 0, 0, 0, 0, false, $8)`.write(
  (bookId: string, { batchId, operation, name, expected, createdAt }: Batch) => [
    ...[bookId, nextOrdinal(), batchId, operation, name],
    ...[expected?.lines ?? null, expected?.total ?? null, createdAt],
  ],
)

export const updateBatch = sql`
    update batches
    set status = $3, parts = $4, lines = $5, total_minor = $6::text::numeric, waives = $7, digest = $8, succeeded = $9,
        duplicates = $10, failed = $11, skipped = $12, started_by = $13, started_as = $14, approved = $15,
        finished_at = $16
    where book_id = $1
      and batch_id = $2`.write((bookId: string, batch: Batch) => {
  const { startedBy } = batch
  const actor = startedBy && JSON.stringify({ kind: startedBy.kind, id: startedBy.id, name: startedBy.name })
  return [
    ...[bookId, batch.batchId, batch.status, batch.parts, batch.lines, batch.total.toString(), batch.waives],
    ...[batch.digest, batch.succeeded, batch.duplicates, batch.failed, batch.skipped],
    ...[actor, batch.startedAs, batch.approved, batch.finishedAt],
  ]
})

export const findBatch = sql`
    select ${columns}
    from batches
    where book_id = $1
      and batch_id = $2`.first(batchMap, idOfBook)

export const lockBatch = sql`
    select batch_id
    from batches
    where book_id = $1
      and batch_id = $2
    for update`.run(idOfBook)

// Shared by the lines of a batch; those that end or change it wait.
export const lockRunning = sql`
    select batch_id
    from batches
    where book_id = $1
      and batch_id = $2
      and status = 'RUNNING'
    for key share`.some(idOfBook)

export const listBatches = listOf(
  newestOf(`ordinal, ${columns}`, 'batches'),
  {
    status: where('status = ?'),
    operation: where('operation = ?'),
    operations: where<readonly string[]>('operation = any(?::text[])'),
  },
  batchMap,
)
export type BatchFilters = FiltersOf<typeof listBatches>

export const insertPart = sql`
    insert into batch_parts (book_id, batch_id, ${partMap.columns})
    values ($1, $2, $3, $4, $5, $6, $7, $8)`.write((bookId: string, batchId: string, part: Part) => [
  ...[bookId, batchId, ...valuesOf(partMap.rows, part)],
])

const inBatch = (...asked: [bookId: string, batchId: string, number: number]) => asked

export const findPart = sql`
    select ${partMap.columns}
    from batch_parts
    where book_id = $1
      and batch_id = $2
      and part = $3`.first(partMap, inBatch)

const partOfLine = (columns: string) =>
  sql`
    select ${columns}
    from batch_parts
    where book_id = $1
      and batch_id = $2
      and first_line <= $3
    order by first_line desc
    limit 1`

export const findPartOfLine = partOfLine(partMap.columns).first(partMap, inBatch)

/** The places in a person's file of the lines of the part that has a line; its content, which is large, is not read. */
export const findPlaces = partOfLine(placesMap.columns).first(placesMap, inBatch)

type LinesAsked = { batchId: string; after: number; limit: number }

const linesAfter = (conditions = '') =>
  sql`
    select ${lineMap.columns}
    from batch_lines
    where book_id = $1
      and batch_id = $2
      and line > $3${conditions}
    order by line
    limit $4`

export const listLines = linesAfter().all(lineMap, membersInBook<LinesAsked>('batchId', 'after', 'limit'))

// By an index of its own.
export const listNotCarriedOut = linesAfter(`
      and outcome in ('FAILED', 'DUPLICATE')
      and outcome = $5`).all(
  lineMap,
  membersInBook<LinesAsked & { outcome: 'FAILED' | 'DUPLICATE' }>('batchId', 'after', 'limit', 'outcome'),
)

export const listCarriedOut = linesAfter(`
      and line <= $5
      and outcome = 'SUCCEEDED'`).all(
  lineMap,
  membersInBook<LinesAsked & { upTo: number }>('batchId', 'after', 'limit', 'upTo'),
)

/** The batch that this instance carries on with; undefined where there is none, or another instance has it. */
// The oldest of a book: one batch at a time, and one instance.
export const leaseRunning = sql`
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
    returning batch_id`.first(
  text('batch_id'),
  membersInBook<{ by: string; now: Date; until: Date }>('by', 'now', 'until'),
)

export const statements = {
  countOpen: sql`
    select status, count(*)::int4 as batches
    from batches
    where book_id = $1
      and status in ('UPLOADING', 'RUNNING')
    group by status`.map(text('status'), integer('batches'), ofBook),

  // A line that was skipped while it was being tried gets what became of it.
  writeLines: writeRows(
    'tried',
    lineMap.rows,
    (from, book) => `
    insert into batch_lines (book_id, ${lineMap.columns})
    select ${book}, ${lineMap.columns}
    from ${from}
    on conflict (book_id, batch_id, line) do update
    set external_id = excluded.external_id,
        outcome = excluded.outcome,
        made_id = excluded.made_id,
        data = excluded.data,
        error = excluded.error
    returning 1`,
  ),
}

export async function countOpen(
  db: Queries,
  bookId: string,
): Promise<{ uploading: number; running: number }> {
  const open = await statements.countOpen(db, bookId)
  return { uploading: open.get('UPLOADING') ?? 0, running: open.get('RUNNING') ?? 0 }
}

export function writeLines(
  tx: Transaction,
  bookId: string,
  batchId: string,
  lines: readonly BatchLine[],
): void {
  const tried = lines.map((line) => ({ ...line, batchId }))
  statements.writeLines(tx, bookId, tried)
}

/** The last line may end with a line feed or without one. */
export function linesOf(content: string): string[] {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
