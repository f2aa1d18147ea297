/**
 * Records as a file: JSON lines, or CSV as RFC 4180 has it. The last line has the number of rows, so that a file that was
 * cut off is noticed. Pages are written as they are read, and a client that goes away ends the reading.
 */
import type { Written } from './record.ts'

export type Exported = {
  /** Of the file, without its ending. */
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
  const line = (cells: readonly unknown[]) => `${cells.map(cellOf).join(',')}\r\n`
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

/** Spreadsheets run cells that begin like a formula. */
const LIKE_A_FORMULA = /^[=+\-@\t]/
const NEEDS_QUOTES = /[",\r\n]/

function cellOf(value: unknown): string {
  const text = textOf(value)
  const harmless = LIKE_A_FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Numbers as JSON writes them, and so do lists and objects. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
