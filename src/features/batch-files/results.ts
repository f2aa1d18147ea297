/** What became of the lines of a batch, as people find them in their file. */
import type { Batch, BatchLine, LineOutcome } from '../../domain/batch.ts'
import type { Asked } from '../../page/page.ts'
import { csvLine } from '../../wire/csv.ts'
import { readLines } from '../batches/changes.ts'
import { inFile } from './places.ts'

const ERRORS_SHOWN = 100
/** Lines that are read at a time. */
const FILE_STEP = 500

type ReasonOf = (line: BatchLine) => { code: string; text: string; fields: { name: string; text: string }[] }
type Here = Pick<Asked, 'service' | 'book'>

/** The first that failed. */
export async function readFailed(here: Here, batch: Batch): Promise<BatchLine[]> {
  const failed = { filters: { outcome: 'FAILED' }, after: 0, limit: ERRORS_SHOWN } as const
  const { lines } = await readLines(here.service.db, here.book, batch, failed)
  return inFile(here, batch, lines)
}

/** All lines, or those with one outcome, as a file. */
export async function* resultLines(
  here: Here,
  batch: Batch,
  { outcome, head, reasonOf }: { outcome: LineOutcome | undefined; head: string[]; reasonOf: ReasonOf },
): AsyncGenerator<string> {
  const filters = outcome === undefined ? {} : { outcome }
  yield csvLine(head)
  for (let after: number | null = 0; after !== null; ) {
    const page = await readLines(here.service.db, here.book, batch, { filters, after, limit: FILE_STEP })
    yield (await inFile(here, batch, page.lines))
      .map((line) => csvLine(fileRow(line, reasonOf(line))))
      .join('')
    after = page.next
  }
}

/** The code is for the reference, the rest for people. */
function fileRow(line: BatchLine, { code, text, fields }: ReturnType<ReasonOf>): string[] {
  const why = [text, ...fields.map((field) => `${field.name}: ${field.text}`)].join(' ')
  return [String(line.line), line.externalId ?? '', line.outcome, line.madeId ?? '', why, code]
}
