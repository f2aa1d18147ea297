/** Rows as the server sends them, in text form, and how they become objects. */
import pg from 'pg'
import { compileLiteral } from './literal.ts'

export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>

type Column = Pick<pg.FieldDef, 'name' | 'dataTypeID'>

export type RowReaders = (columns: readonly Column[]) => RowReader

/** They are compiled once for all connections of a database; there are as many as it has statements. */
export function createRowReaders(): RowReaders {
  const readers = new Map<string, RowReader>()
  return (columns) => {
    const described = columns.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join(',')
    const reader = readers.get(described) ?? compileReader(columns)
    readers.set(described, reader)
    return reader
  }
}

function compileReader(columns: readonly Column[]): RowReader {
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID))
  return compileLiteral(
    columns.map(({ name }, index) => {
      const value = `source[${index}]`
      return [name, parsers[index] === asText ? value : `${value} === null ? null : parse${index}(${value})`]
    }),
    Object.fromEntries(parsers.map((parser, index) => [`parse${index}`, parser])),
  )
}

const INT8 = 20
const TEXT = 25
const JSON_TEXT = 114
const JSON_TEXT_ARRAY = 199
const TEXT_ARRAY = 1009
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182
const JSONB = 3802
const JSONB_ARRAY = 3807

type Parser = (text: string) => unknown

const asText = (text: string) => text
const parseTexts = driverParser(TEXT_ARRAY) as (text: string) => (string | null)[]
const asTexts = (text: string) => (text === '{}' ? [] : parseTexts(text))
const parsers: Record<number, Parser> = {
  [INT8]: BigInt,
  [TEXT]: asText,
  [DATE]: asText,
  [JSON_TEXT]: asText,
  [JSONB]: asText,
  [TEXT_ARRAY]: asTexts,
  [INT8_ARRAY]: (text) => asTexts(text).map((element) => (element === null ? null : BigInt(element))),
  [DATE_ARRAY]: asTexts,
  [JSON_TEXT_ARRAY]: asTexts,
  [JSONB_ARRAY]: asTexts,
}

function parserOf(type: number): Parser {
  return parsers[type] ?? driverParser(type)
}

function driverParser(type: number): Parser {
  // The driver's types list the element types only.
  return pg.types.getTypeParser(type as Parameters<typeof pg.types.getTypeParser>[0])
}
