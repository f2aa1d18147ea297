/**
 * Records as a file: JSON lines, or CSV. The last line has the number of rows, so that a file that was
 * cut off is noticed. Pages are written as they are read, and a client that goes away ends the reading.
 */
import { csvLine } from './csv.ts'
import type { Written } from './record.ts'

export type Exported = {
  /** The name of the file, without its ending. */
  name: string
  columns: readonly string[]
  pages: AsyncIterable<readonly Written[]>
  /** How a row looks in CSV, where it is not flat. */
  flat?: (row: Written) => Written
}

export async function* jsonLinesOf({ pages }: Pick<Exported, 'pages'>): AsyncGenerator<string> {
  let rows = 0
  for await (const page of pages) {
    rows += page.length
    yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
  }
  yield `${JSON.stringify({ rows })}\n`
}

export async function* csvOf(exported: Omit<Exported, 'name'>): AsyncGenerator<string> {
  const { columns, pages, flat = (row) => row } = exported
  const line = (cells: readonly unknown[]) => csvLine(cells.map(textOf))
  let rows = 0
  yield line(columns)
  for await (const page of pages) {
    rows += page.length
    yield page
      .map(flat)
      .map((row) => line(columns.map((column) => row[column])))
      .join('')
  }
  yield line(columns.map((_, index) => ['rows', rows][index]))
}

/** Numbers as JSON writes them, and so do lists and objects. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
