/** Rows as the server sends them, in text form, and how they become objects. */
import pg from 'pg'

export type RowReader = (values: readonly (string | null)[]) => Record<string, unknown>

export function createRowReader(columns: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]): RowReader {
  const names = columns.map(({ name }) => name)
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID))
  const empty = Object.fromEntries(names.map((name) => [name, null]))
  return (values) => {
    const row: Record<string, unknown> = { ...empty }
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index]!
      if (value !== null) row[names[index]!] = parsers[index]!(value)
    }
    return row
  }
}

const INT8 = 20
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
const asTexts = driverParser(TEXT_ARRAY) as (text: string) => (string | null)[]
const parsers: Record<number, Parser> = {
  [INT8]: BigInt,
  [DATE]: asText,
  [JSON_TEXT]: asText,
  [JSONB]: asText,
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
