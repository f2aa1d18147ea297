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

/** For each table of rows, the book that its rows belong to. */
export type BookOfRows<Given extends Tables> = { readonly [Name in keyof Given]: string }

/**
 * Rows of one book, on their way to a statement. They become arrays when it is sent: alone, or with those of other
 * books.
 */
export type RowsOfBook = {
  bookId: string
  items: Readonly<Record<string, readonly unknown[]>>
  columns: readonly TableColumn[]
}
type TableColumn = { table: string; type: ColumnType; read: (item: unknown) => unknown; isFirst: boolean }

type Shape = 'single rows' | 'rows of a book' | 'rows of books'

/** By the text over rows of a book. */
const otherTexts = new Map<string, { ofSingles: string; ofBooks: string }>()

/**
 * One statement has three texts. Over the rows of one book, $1 is the book and the arrays of the tables follow: a sharded
 * database sends it to the worker of the book. Over rows of several books, each row names its own. Where each table has
 * a single row, its values travel without arrays.
 */
export function statementOverRows<Given extends Tables>(
  tables: Given,
  compose: (from: FromRows<Given>, book: BookOfRows<Given>) => string,
): { text: string; parameters: (bookId: string, items: ItemsOf<Given>) => RowsOfBook } {
  const columns = Object.entries(tables).flatMap(([table, rows]) =>
    Object.values(rows).map(([type, read], index) => ({
      table,
      type,
      read: read as (item: unknown) => unknown,
      isFirst: index === 0,
    })),
  )
  const text = composeOver('rows of a book', tables, compose)
  otherTexts.set(text, {
    ofSingles: composeOver('single rows', tables, compose),
    ofBooks: composeOver('rows of books', tables, compose),
  })
  return { text, parameters: (bookId, items) => ({ bookId, items, columns }) }
}

function composeOver<Given extends Tables>(
  shape: Shape,
  tables: Given,
  compose: (from: FromRows<Given>, book: BookOfRows<Given>) => string,
): string {
  const severalBooks = shape === 'rows of books'
  let parameter = severalBooks ? 0 : 1
  const from: Record<string, string> = {}
  const book: Record<string, string> = {}
  for (const [name, rows] of Object.entries(tables)) {
    const types: [string, ColumnType][] = Object.entries(rows).map(([column, [type]]) => [column, type])
    if (severalBooks) types.unshift(['book_id', 'text'])
    // unnest flattens arrays of arrays, so a column of arrays travels as text.
    const given = types.map(([, type]) => `$${++parameter}::${isArray(type) ? 'text' : type}`)
    if (shape === 'single rows') {
      const values = types.map(([column, type], index) => `${given[index]}::${type} as ${column}`)
      from[name] = `(select ${values.join(', ')}) as ${name}`
    } else {
      const arrays = given.map((value) => `${value}[]`)
      const names = types.map(([column]) => column)
      const read = types.map(([column, type]) => (isArray(type) ? `${column}::${type} as ${column}` : column))
      const unnested = `unnest(${arrays.join(', ')}) as ${name}(${names.join(', ')})`
      from[name] = `(select ${read.join(', ')} from ${unnested}) as ${name}`
    }
    book[name] = severalBooks ? `${name}.book_id` : '$1::text'
  }
  return compose(from as FromRows<Given>, book as BookOfRows<Given>)
}

/** The text that does for several books what this one does for one; undefined where there is none. */
export function textOfBooks(text: string): string | undefined {
  return otherTexts.get(text)?.ofBooks
}

/** The text that does for a single row of each table what this one does for rows; undefined where there is none. */
export function textOfSingles(text: string): string | undefined {
  return otherTexts.get(text)?.ofSingles
}

/** For the text over one book; other values are sent as they are. */
export function parametersOf(values: readonly unknown[] | RowsOfBook = []): readonly unknown[] {
  if (!('bookId' in values)) return values
  const { bookId, items, columns } = values
  return [bookId, ...columns.map((column) => columnBytes(column, items[column.table]!))]
}

/** For the text over single rows; undefined where a table has none or several. */
export function parametersOfSingles(values: readonly unknown[] | RowsOfBook = []): unknown[] | undefined {
  if (!('bookId' in values)) return undefined
  const { bookId, items, columns } = values
  if (Object.values(items).some(({ length }) => length !== 1)) return undefined
  return [bookId, ...columns.map(({ table, type, read }) => valueSent(type, read(items[table]![0])))]
}

/** For the text over several books: each table begins with the books of its rows. */
export function parametersOfBooks(books: readonly RowsOfBook[]): (Buffer | null)[] {
  const { columns } = books[0]!
  return Object.entries(Object.groupBy(columns, ({ table }) => table)).flatMap(([table, columns]) => {
    const items = books.flatMap((book) => book.items[table]!)
    const bookIds = books.flatMap((book) => book.items[table]!.map(() => book.bookId))
    return [
      arrayBytes('text', bookIds, (bookId) => bookId, true),
      ...columns!.map((column) => columnBytes(column, items)),
    ]
  })
}

export function columnNames(rows: Rows<never>): string {
  return Object.keys(rows).join(', ')
}

function isArray(type: ColumnType): type is `${ScalarType}[]` {
  return type.endsWith('[]')
}

/**
 * null: no row has a value, as in many columns of a plain liquidation. unnest makes as many rows as its longest array has
 * values, so the first column is always sent.
 */
function columnBytes({ type, read, isFirst }: TableColumn, items: readonly unknown[]): Buffer | null {
  if (!isArray(type)) return arrayBytes(type, items, read as (item: unknown) => Scalar, isFirst)
  return arrayBytes('text', items, (item) => arrayText(read(item) as readonly Scalar[]), isFirst)
}

/** Number of dimensions, whether there are nulls, element type, length, lower bound; then each value behind its size. */
function arrayBytes<Item>(
  type: ScalarType,
  items: readonly Item[],
  read: (item: Item) => Scalar,
  evenIfAllNull: boolean,
): Buffer | null {
  const { oid, size, write } = FORMS[type]
  let nulls = 0
  let at = HEADER_BYTES
  reserve(at, items.length * (4 + size))
  for (const item of items) {
    const value = read(item)
    if (value === null) {
      scratch.setInt32(at, -1)
      nulls += 1
      at += 4
    } else {
      if (type === 'text') reserve(at, 4 + UTF8_BYTES_MAX * (value as string).length)
      const written = write(value as never, at + 4)
      scratch.setInt32(at, written)
      at += 4 + written
    }
  }
  if (nulls === items.length && !evenIfAllNull) return null
  scratch.setInt32(0, 1)
  scratch.setInt32(4, Number(nulls > 0))
  scratch.setInt32(8, oid)
  scratch.setInt32(12, items.length)
  scratch.setInt32(16, 1)
  return Buffer.copyBytesFrom(scratchBytes, 0, at)
}

const HEADER_BYTES = 20

/** Texts as they are, others in binary form. */
function valueSent(type: ColumnType, value: unknown): string | Buffer | null {
  if (value === null) return null
  if (isArray(type)) return arrayText(value as readonly Scalar[])
  if (type === 'text') return value as string
  return Buffer.copyBytesFrom(scratchBytes, 0, FORMS[type].write(value as never, 0))
}

/** Where arrays are written, because their size is known only afterwards. */
let scratchBytes = Buffer.alloc(65_536)
let scratch = new DataView(scratchBytes.buffer, scratchBytes.byteOffset)

function reserve(at: number, size: number): void {
  if (at + size <= scratchBytes.length) return
  scratchBytes = Buffer.concat([scratchBytes.subarray(0, at)], 2 * (at + size))
  scratch = new DataView(scratchBytes.buffer, scratchBytes.byteOffset)
}

/** The epoch of dates and times in PostgreSQL. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000
/** Of a unit of UTF-16. */
const UTF8_BYTES_MAX = 3

/** Values in PostgreSQL's binary form. */
const FORMS: Record<ScalarType, Form> = {
  text: { oid: 25, size: 0, write: (text: string, at) => scratchBytes.write(text, at) },
  int4: fixed(23, 4, (value: number, at) => scratch.setInt32(at, value)),
  bigint: fixed(20, 8, (value: bigint, at) => scratch.setBigInt64(at, value)),
  boolean: fixed(16, 1, (value: boolean, at) => scratch.setUint8(at, Number(value))),
  date: fixed(1082, 4, (day: string, at) => scratch.setInt32(at, daysSinceEpoch(day))),
  timestamptz: fixed(1184, 8, (instant: Date, at) => {
    // Microseconds in two halves of 32 bits: exact for every date, and cheaper than a bigint.
    const ms = instant.getTime() - EPOCH_MS
    const upper = Math.floor(ms / 2 ** 32)
    const lower = (ms - upper * 2 ** 32) * 1000
    scratch.setInt32(at, upper * 1000 + Math.floor(lower / 2 ** 32))
    scratch.setUint32(at + 4, lower)
  }),
}

/** `size` is 0 where it depends on the value; `write` returns it. */
type Form = { oid: number; size: number; write: (value: never, at: number) => number }

function fixed<Value>(oid: number, size: number, write: (value: Value, at: number) => void): Form {
  return {
    oid,
    size,
    write(value: Value, at) {
      write(value, at)
      return size
    },
  }
}

/** Most dates of a batch are the same. */
let lastDay = { text: '2000-01-01', number: 0 }

function daysSinceEpoch(text: string): number {
  if (text !== lastDay.text) lastDay = { text, number: (Date.parse(text) - EPOCH_MS) / DAY_MS }
  return lastDay.number
}

function arrayText(values: readonly Scalar[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? value.toISOString() : value.toString()
}
