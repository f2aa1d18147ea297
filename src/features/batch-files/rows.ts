/**
 * Rows of a spreadsheet as the lines that a program would send. The first row names fields of the operation; a blank cell
 * leaves its field out. What cannot be read as its field needs stays text, for which the line is refused.
 */
import type { TSchema } from 'typebox'
import type { BatchOperation } from '../../domain/batch.ts'
import { csvLine } from '../../wire/csv.ts'
import { cellsOf, NotTextError, readCsv } from '../../wire/csv-reader.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { lineOperations } from '../batches/operations.ts'
import { FileError, type FileLine } from './fault.ts'

type NumberKind = 'amount' | 'rate' | 'count'
/** Reads a number as people of one language write it. */
export type ReadNumber = (text: string, kind: NumberKind) => Json
type Kind = NumberKind | 'flag' | 'list' | 'text'
/** isOpen: the members below it have names of the sender's choice. */
export type Column = { name: string; kind: Kind; isRequired: boolean; isOpen: boolean }

/** The columns that a file of the operation may have. */
export function columnsOf(operation: BatchOperation): Column[] {
  const { body, target } = lineOperations[operation]
  const named = ['external_id', ...(target === null ? [] : [target])].map(
    (name): Column => ({ name, kind: 'text', isRequired: true, isOpen: false }),
  )
  return [...named, ...membersOf(body).filter(({ name }) => name !== 'external_id')]
}

/** The first row of a file, without the columns whose names the sender chooses. */
export function firstRowOf(operation: BatchOperation): string {
  return csvLine(columnsOf(operation).flatMap(({ name, isOpen }) => (isOpen ? [] : name)))
}

type Schema = {
  type?: string
  maximum?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  integer: 'count',
  boolean: 'flag',
  array: 'list',
}

function membersOf(schema: TSchema | Schema): Column[] {
  const { properties = {}, required = [] } = schema as Schema
  return Object.entries(properties).flatMap(([name, given]): Column[] => {
    const member = given.anyOf?.[0] ?? given
    const isRequired = required.includes(name)
    if (member.properties !== undefined) {
      return membersOf(member).map((below) => ({
        ...below,
        ...{ name: `${name}.${below.name}`, isRequired: isRequired && below.isRequired },
      }))
    }
    const kind = member.type === 'number' ? numberKind(member) : (KINDS[member.type ?? ''] ?? 'text')
    return [{ name, kind, isRequired, isOpen: member.type === 'object' }]
  })
}

/** No rate is above a hundred percent. */
function numberKind({ maximum = 0 }: Schema): NumberKind {
  return maximum > 100 ? 'amount' : 'rate'
}

export async function* linesOfRows(
  content: AsyncIterable<Uint8Array>,
  operation: BatchOperation,
  readNumber: ReadNumber,
): AsyncGenerator<FileLine> {
  let columns: (Column | null)[] | null = null
  try {
    for await (const { line, cells } of readCsv(content, separatorOf)) {
      const texts = cells?.map((cell) => cell.trim()) ?? null
      if (texts === null || isTooLong(texts, columns))
        throw new FileError({ fault: 'bad_row', at: `${line}` })
      if (columns === null) columns = headOf(texts, columnsOf(operation))
      else if (texts.some((text) => text !== '')) {
        const object = objectOf(columns, texts, readNumber)
        yield { content: Buffer.from(`${JSON.stringify(object)}\n`), line }
      }
    }
  } catch (error) {
    throw error instanceof NotTextError ? new FileError('not_text') : error
  }
}

/** What spreadsheets of one country or another put between columns. */
const SEPARATORS = [',', ';', '\t']

function separatorOf(first: string): string {
  const counts = SEPARATORS.map((separator) => cellsOf(first, separator)?.length ?? 0)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!
}

/** A cell without a column belongs to nothing. */
function isTooLong(texts: readonly string[], columns: readonly (Column | null)[] | null): boolean {
  return columns !== null && texts.some((text, at) => text !== '' && (columns[at] ?? null) === null)
}

/** null: a column without a name. */
function headOf(names: readonly string[], known: readonly Column[]): (Column | null)[] {
  const columns = names.map((name) => (name === '' ? null : columnOf(name, known)))
  const given = columns.flatMap((column) => column?.name ?? [])
  const repeated = given.find((name, at) => given.indexOf(name) !== at)
  if (repeated !== undefined) throw new FileError({ fault: 'repeated_column', at: repeated })
  const missing = known.find(({ name, isRequired }) => isRequired && !given.includes(name))
  if (missing !== undefined) throw new FileError({ fault: 'missing_column', at: missing.name })
  return columns
}

function columnOf(given: string, known: readonly Column[]): Column {
  const plain = given.toLowerCase().replaceAll(/\s+/g, '_')
  const column = known.find(({ name, isOpen }) =>
    isOpen ? plain.startsWith(`${name}.`) && plain.length > name.length + 1 : name === plain,
  )
  if (column === undefined) throw new FileError({ fault: 'unknown_column', at: given })
  return column.isOpen ? { ...column, name: column.name + given.slice(column.name.length) } : column
}

function objectOf(
  columns: readonly (Column | null)[],
  texts: readonly string[],
  readNumber: ReadNumber,
): JsonObject {
  const object: JsonObject = {}
  for (const [at, column] of columns.entries()) {
    const text = texts[at] ?? ''
    if (column === null || text === '') continue
    const dot = column.name.indexOf('.')
    const value = cellValue(column, text, readNumber)
    if (dot === -1) object[column.name] = value
    else {
      const above = column.name.slice(0, dot)
      object[above] = { ...(object[above] as JsonObject | undefined), [column.name.slice(dot + 1)]: value }
    }
  }
  return object
}

function cellValue({ kind }: Column, text: string, readNumber: ReadNumber): Json {
  switch (kind) {
    case 'amount':
    case 'rate':
    case 'count':
      return readNumber(text, kind)
    case 'flag':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
    case 'list':
      return text.split(/[\s,;]+/)
    case 'text':
      return text
    default:
      return kind satisfies never
  }
}
