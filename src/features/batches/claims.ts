/** What verification claims of batches: their parts are as sent, and each line that was tried has one result. */
import { type Batch, triedOf } from '../../domain/batch.ts'
import type { Failed } from '../../domain/claim.ts'
import type { Queries } from '../../engine/database/database.ts'
import type { Page } from '../../engine/database/pages.ts'
import { integer, rowMap, text } from '../../engine/database/row-map.ts'
import { digestOf } from './changes.ts'
import { findBatch, listBatches } from './store.ts'

export const BATCH_PARTS = 'the parts of a batch follow one another, and are as they were when they were sent'
export const BATCH_ANSWER =
  'a line of a batch that was carried out has an answer, which says in which line it was'
export const BATCH_COUNTS = 'a batch that has ended counts what became of its lines'

const BATCHES = 100
/** A part is up to 8 MiB. */
const PARTS = 10
const LINES = 10_000

const partMap = rowMap({
  part: integer('part'),
  digest: text('digest'),
  firstLine: integer('first_line'),
  lines: integer('lines'),
  digestOfContent: text('digest_of_content'),
})

const linesMap = rowMap({
  rows: integer('rows'),
  last: integer<number | null>('last'),
  succeeded: integer('succeeded'),
  duplicates: integer('duplicates'),
  failed: integer('failed'),
  wrong: integer<number | null>('wrong'),
})

export const statements = {
  examineParts: `
    select part, digest, first_line, lines,
      translate(encode(sha256(convert_to(content, 'UTF8')), 'base64'), '+/=', '-_') as digest_of_content
    from batch_parts
    where book_id = $1
      and batch_id = $2
      and part > $3
    order by part
    limit $4`,

  // What became of a line is stored after its answer, and neither changes.
  examineLines: `
    select count(*)::int4 as rows, max(line) as last,
      count(*) filter (where outcome = 'SUCCEEDED')::int4 as succeeded,
      count(*) filter (where outcome = 'DUPLICATE')::int4 as duplicates,
      count(*) filter (where outcome = 'FAILED')::int4 as failed,
      min(line) filter (where outcome in ('SUCCEEDED', 'DUPLICATE') and (
        stored.answer is null
        or stored.made_id is distinct from page.made_id
        or (position('Carried out as line ' || line || ' of ' || $2::text || '.' in stored.answer) > 0)
          <> (outcome = 'SUCCEEDED'))) as wrong
    from (
      select line, external_id, outcome, made_id
      from batch_lines
      where book_id = $1
        and batch_id = $2
        and line > $4
      order by line
      limit $5
    ) as page
    left join idempotency_keys as stored
      on stored.book_id = $1
      and stored.idempotency_key = concat_ws(chr(10), 'batch', $3::text, page.external_id)`,
}

export async function findBatchDifference(db: Queries, bookId: string): Promise<Failed | null> {
  for (let before: bigint | null = null; ; ) {
    const { items, next }: Page<Batch> = await listBatches(db, bookId, {}, { limit: BATCHES, before })
    for (const batch of items) {
      const failed = (await findWrongPart(db, bookId, batch)) ?? (await findWrongLine(db, bookId, batch))
      if (failed !== null) return { ...failed, ids: { batch_id: batch.batchId } }
    }
    if (next === null) return null
    before = next
  }
}

type Found = Omit<Failed, 'ids'>
/** Parts are only added: those that the batch had when it was read are still there. */
async function findWrongPart(db: Queries, bookId: string, batch: Batch): Promise<Found | null> {
  let [parts, lines, digest] = [0, 0, '']
  const wrong = (found: string, expected: string) => ({ claim: BATCH_PARTS, found, expected })
  while (parts < batch.parts) {
    const limit = Math.min(PARTS, batch.parts - parts)
    const rows = await db.query<object>(statements.examineParts, [bookId, batch.batchId, parts, limit])
    for (const part of rows.map(partMap.read)) {
      const found = `part ${part.part} from line ${part.firstLine}, ${part.digestOfContent}`
      const expected = `part ${parts + 1} from line ${lines + 1}, ${part.digest}`
      if (found !== expected) return wrong(found, expected)
      parts = part.part
      lines += part.lines
      digest = digestOf(`${digest}\n${part.digest}`)
    }
    if (rows.length < limit) return wrong(`${parts} parts`, `${batch.parts} parts`)
  }
  if (lines === batch.lines && digest === batch.digest) return null
  return wrong(`${lines} lines, ${digest}`, `${batch.lines} lines, ${batch.digest}`)
}

async function findWrongLine(db: Queries, bookId: string, batch: Batch): Promise<Found | null> {
  const { batchId, operation } = batch
  const sums = { succeeded: 0, duplicates: 0, failed: 0 }
  let last = 0
  for (let rows = LINES; rows === LINES; ) {
    const place = [bookId, batchId, operation, last, LINES]
    const [row] = await db.query<object>(statements.examineLines, place)
    const page = linesMap.read(row!)
    const { wrong } = page
    if (wrong !== null) return { claim: BATCH_ANSWER, found: `line ${wrong}`, expected: 'its answer' }
    for (const name of ['succeeded', 'duplicates', 'failed'] as const) sums[name] += page[name]
    rows = page.rows
    last = page.last ?? last
  }
  const found = countsOf({ ...batch, ...sums }, last)
  if (batch.finishedAt === null || found === countsOf(batch, lastOf(batch, last))) return null
  // Lines that were being tried when their batch was cancelled are recorded a moment later.
  const now = (await findBatch(db, bookId, batchId))!
  if (triedOf(now) !== triedOf(batch)) return findWrongLine(db, bookId, now)
  return { claim: BATCH_COUNTS, found, expected: countsOf(batch, lastOf(batch, last)) }
}

function countsOf({ succeeded, duplicates, failed }: Batch, last: number): string {
  return `${succeeded} succeeded, ${duplicates} duplicates, ${failed} failed, the last is line ${last}`
}

/** Every line of a batch that is done has a result. Of one that was cancelled, those that were skipped need none. */
function lastOf({ status, lines }: Batch, last: number): number {
  return status === 'DONE' ? lines : Math.min(last, lines)
}
