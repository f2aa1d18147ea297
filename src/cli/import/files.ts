/** The rows of a file as the lines of a batch. */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { NotTextError, readCsv } from '../../wire/csv-reader.ts'
import { columnsIn, type Fault, type FileName, type Mapping, mapRow } from './mapping.ts'

export type Files = Readonly<Record<FileName, string>>

/** A row that the mapping takes: its line in the file, what it says, and what is wrong with it so far. */
export type FileLine = { line: number; members: Record<string, unknown>; faults: Fault[] }

export async function* readRows(files: Files, file: FileName, mapping: Mapping): AsyncGenerator<FileLine> {
  let columns: string[] | null = null
  for await (const { line, cells } of recordsOf(files[file], mapping.separator)) {
    if (columns === null) {
      columns = headOf(cells, { name: basename(files[file]), needed: columnsIn(mapping[file]) })
      continue
    }
    const fault = faultOf(cells, columns)
    if (fault !== null) {
      yield { line, members: {}, faults: [{ field: '', reason: fault }] }
      continue
    }
    const mapped = mapRow(mapping[file], new Map(columns.map((column, at) => [column, cells![at]!])))
    if (mapped !== null) yield { line, ...mapped }
  }
  if (columns === null) throw new Error(`${basename(files[file])} is empty.`)
}

async function* recordsOf(path: string, separator: string): ReturnType<typeof readCsv> {
  try {
    yield* readCsv(createReadStream(path), () => separator)
  } catch (error) {
    throw error instanceof NotTextError ? new Error(`${path} is not text in UTF-8.`, { cause: error }) : error
  }
}

function headOf(cells: string[] | null, { name, needed }: { name: string; needed: Set<string> }): string[] {
  const columns = (cells ?? []).map((cell) => cell.trim())
  const repeated = columns.find((column, at) => needed.has(column) && columns.indexOf(column) !== at)
  if (repeated !== undefined) throw new Error(`${name} has two columns ${repeated}.`)
  const missing = [...needed].filter((column) => !columns.includes(column))
  if (missing.length > 0) throw new Error(`${name} has no column ${missing.join(', ')}.`)
  return columns
}

function faultOf(cells: string[] | null, columns: readonly string[]): string | null {
  if (cells === null) return 'The quotes of this row are wrong.'
  if (cells.length === columns.length) return null
  return `The row has ${cells.length} cells, the first row has ${columns.length}.`
}
