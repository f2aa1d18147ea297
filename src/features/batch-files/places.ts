/** Lines as people find them in their file, where rows of a spreadsheet have a head and cells have line breaks. */
import type { Batch, Part } from '../../domain/batch.ts'
import type { Book } from '../../domain/book.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { findPlaces, type PartPlaces } from '../batches/store.ts'

/** Each with the line of the file in place of that of the batch. They come in the order of the batch. */
export async function inFile<Line extends { line: number }>(
  { service, book }: { service: Pick<Engine, 'db'>; book: Pick<Book, 'bookId'> },
  { batchId }: Pick<Batch, 'batchId'>,
  lines: readonly Line[],
): Promise<Line[]> {
  const placed: Line[] = []
  let part: PartPlaces | undefined
  for (const line of lines) {
    if (part === undefined || line.line >= part.firstLine + part.lines) {
      part = await findPlaces(service.db, book.bookId, batchId, line.line)
    }
    placed.push({ ...line, line: placeOf(part!, line.line) })
  }
  return placed
}

function placeOf({ firstLine, fileLines }: Pick<Part, 'firstLine' | 'fileLines'>, line: number): number {
  return fileLines?.[line - firstLine] ?? line
}
