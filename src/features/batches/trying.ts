/** Lines of a batch as requests, and what their results say of each line. */
import type { Batch, BatchLine } from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import type { Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { answerOf, originOf, readLine, refusalText } from './line.ts'
import { type LineOperation, lineOperations } from './operations.ts'
import { dataOf, errorText, isOwnAnswer } from './record.ts'

export type SentLine = { line: number; text: string }
export type LineRequest = Parameters<Engine['performTogether']>[1][number]
export type LineResult = Result<unknown> | { outcome: 'refused'; code: 'internal_error'; details: object }

/** Lines that can be read are given to `perform` together, in their order; it answers in that order too. */
export async function tryLines(
  book: Book,
  batch: Batch,
  lines: readonly SentLine[],
  perform: (operation: LineOperation, requests: readonly LineRequest[]) => Promise<readonly LineResult[]>,
): Promise<BatchLine[]> {
  const operation = lineOperations[batch.operation]
  const read = lines.map((sent) => ({ sent, reading: readLine(operation, sent.text) }))
  const good = read.flatMap(({ sent, reading }) => (reading.ok ? [{ sent, reading }] : []))
  const requests = good.map(({ sent, reading }) => ({
    origin: originOf(book, batch, reading),
    request: reading.request,
    answer: (value: unknown) => answerOf(operation, value, { batchId: batch.batchId, line: sent.line }),
  }))
  const results = requests.length === 0 ? [] : await perform(operation, requests)
  const outcomes = new Map(good.map(({ sent }, index) => [sent.line, results[index]!]))
  return read.map(({ sent, reading }) => {
    const { line } = sent
    if (!reading.ok) return failed(line, reading.externalId, errorText(reading.failure))
    const result = outcomes.get(line)!
    if (result.outcome === 'refused') {
      return failed(line, reading.externalId, refusalText(batch, reading.sent, result))
    }
    const { body, madeId = null } = result.answer!
    // Its own answer: it was carried out before a crash that left no result of it.
    const isOwn = result.outcome === 'done' || isOwnAnswer(body, { batchId: batch.batchId, line })
    const outcome = isOwn ? 'SUCCEEDED' : 'DUPLICATE'
    return { line, externalId: reading.externalId, outcome, madeId, data: dataOf(body), error: null }
  })
}

function failed(line: number, externalId: string | null, error: string): BatchLine {
  return { line, externalId, outcome: 'FAILED', madeId: null, data: null, error }
}
