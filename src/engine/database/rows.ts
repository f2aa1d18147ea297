/**
 * Statements over many rows. Rows travel as one array per column: PostgreSQL expects few rows of an array, so it finds
 * what they name by an index instead of reading a whole table. Arrays travel in binary form, which PostgreSQL parses in
 * less than half the time of text, and text faster than JSON.
 */
type Scalars = {
  text: string
  int4: number
  bigint: bigint
  boolean: boolean
  date: string
  timestamptz: Date
}
type ScalarType = keyof Scalars
type Scalar = Scalars[ScalarType] | null
export type ColumnType = ScalarType | `${ScalarType}[]`
type Column<Item> = {
  [Type in ScalarType]:
    | readonly [type: Type, read: (item: Item) => Scalars[Type] | null]
    | readonly [type: `${Type}[]`, read: (item: Item) => readonly (Scalars[Type] | null)[]]
}[ScalarType]

/** For each column its type, and how it is read from an item. */
export type Rows<Item> = Readonly<Record<string, Column<Item>>>
type Tables = Readonly<Record<string, Rows<never>>>
type ItemsOf<Given extends Tables> = {
  readonly [Name in keyof Given]: Given[Name] extends Rows<infer Item> ? readonly Item[] : never
}

/** Each table of rows as written in a from-clause, under its own name. */
export type FromRows<Given extends Tables> = { readonly [Name in keyof Given]: string }

/** $1 is the book; the arrays of the tables follow. */
export function statementOverRows<Given extends Tables>(
  tables: Given,
  compose: (from: FromRows<Given>) => string,
): { text: string; parameters: (bookId: string, items: ItemsOf<Given>) => (string | Buffer)[] } {
  let parameter = 1
  const from = Object.entries(tables).map(([name, rows]) => {
    const arrays = Object.values(rows).map(([type]) => `$${++parameter}::${isArray(type) ? 'text' : type}[]`)
    // unnest flattens arrays of arrays, so a column of arrays travels as text.
    const columns = Object.entries(rows).map(([column, [type]]) =>
      isArray(type) ? `${column}::${type} as ${column}` : column,
    )
    const unnested = `unnest(${arrays.join(', ')}) as ${name}(${columnNames(rows)})`
    return [name, `(select ${columns.join(', ')} from ${unnested}) as ${name}`]
  })
  const columns = Object.entries(tables).flatMap(([name, rows]) =>
    Object.values(rows).map(([type, read]) => ({ name, type, read: read as (item: unknown) => unknown })),
  )
  return {
    text: compose(Object.fromEntries(from)),
    parameters: (bookId, items) => [
      bookId,
      ...columns.map(({ name, type, read }) => columnBytes(type, items[name]!.map(read))),
    ],
  }
}

export function columnNames(rows: Rows<never>): string {
  return Object.keys(rows).join(', ')
}

function isArray(type: ColumnType): type is `${ScalarType}[]` {
  return type.endsWith('[]')
}

function columnBytes(type: ColumnType, values: readonly unknown[]): Buffer {
  if (!isArray(type)) return arrayBytes(type, values as readonly Scalar[])
  return arrayBytes('text', (values as readonly (readonly Scalar[])[]).map(arrayText))
}

function arrayBytes(type: ScalarType, values: readonly Scalar[]): Buffer {
  const { oid, sizeOf, write } = FORMS[type]
  const sizes = values.map((value) => (value === null ? 0 : sizeOf(value as never)))
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, HEADER_BYTES))
  let at = 0
  const writeWord = (word: number) => {
    at = bytes.writeInt32BE(word, at)
  }
  // Number of dimensions, whether there are nulls, element type, length, and lower bound.
  for (const word of [1, Number(values.includes(null)), oid, values.length, 1]) writeWord(word)
  values.forEach((value, index) => {
    writeWord(value === null ? -1 : sizes[index]!)
    if (value !== null) write(bytes, value as never, at)
    at += sizes[index]!
  })
  return bytes
}

const HEADER_BYTES = 5 * 4

/** The epoch of dates and times in PostgreSQL. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

const FORMS: Record<ScalarType, Form> = {
  text: {
    oid: 25,
    sizeOf: (text: string) => Buffer.byteLength(text),
    write: (bytes, text: string, at) => bytes.write(text, at),
  },
  int4: { oid: 23, sizeOf: () => 4, write: (bytes, value: number, at) => bytes.writeInt32BE(value, at) },
  bigint: { oid: 20, sizeOf: () => 8, write: (bytes, value: bigint, at) => bytes.writeBigInt64BE(value, at) },
  boolean: {
    oid: 16,
    sizeOf: () => 1,
    write: (bytes, value: boolean, at) => bytes.writeUInt8(Number(value), at),
  },
  date: {
    oid: 1082,
    sizeOf: () => 4,
    write: (bytes, day: string, at) => bytes.writeInt32BE((Date.parse(day) - EPOCH_MS) / DAY_MS, at),
  },
  timestamptz: {
    oid: 1184,
    sizeOf: () => 8,
    write: (bytes, instant: Date, at) =>
      bytes.writeBigInt64BE(BigInt(instant.getTime() - EPOCH_MS) * 1000n, at),
  },
}

/** A value in PostgreSQL's binary form. */
type Form = {
  oid: number
  sizeOf: (value: never) => number
  write: (bytes: Buffer, value: never, at: number) => void
}

function arrayText(values: readonly Scalar[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? value.toISOString() : value.toString()
}
