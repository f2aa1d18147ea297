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
type TableColumn = { table: string; isFirst: boolean; form: Form; read: (item: unknown) => Scalar }

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
    Object.values(rows).map((column, index) => ({ table, isFirst: index === 0, ...scalarColumn(column) })),
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

/** All values of a statement in PostgreSQL's binary form, each behind its size. */
export class EncodedValues {
  readonly count: number
  readonly bytes: Buffer

  constructor(count: number, bytes: Buffer) {
    this.count = count
    this.bytes = bytes
  }
}

/** For the text over one book. */
export function encodeRows({ bookId, items, columns }: RowsOfBook): [EncodedValues] {
  return encodedBy(() => {
    encode(FORMS.text, bookId)
    for (const { table, isFirst, form, read } of columns) encodeArray(form, items[table]!, read, isFirst)
  }, 1 + columns.length)
}

/** For the text over single rows; undefined where a table has none or several. */
export function encodeSingles({ bookId, items, columns }: RowsOfBook): [EncodedValues] | undefined {
  if (Object.values(items).some(({ length }) => length !== 1)) return undefined
  return encodedBy(() => {
    encode(FORMS.text, bookId)
    for (const { table, form, read } of columns) encode(form, read(items[table]![0]))
  }, 1 + columns.length)
}

/** For the text over several books: each table begins with the books of its rows. */
export function encodeBooks(books: readonly RowsOfBook[]): [EncodedValues] {
  const { columns } = books[0]!
  const tables = Object.groupBy(columns, ({ table }) => table)
  return encodedBy(() => {
    for (const [table, ofTable] of Object.entries(tables)) {
      const items = books.flatMap((book) => book.items[table]!)
      const bookIds = books.flatMap((book) => book.items[table]!.map(() => book.bookId))
      encodeArray(FORMS.text, bookIds, (bookId) => bookId, true)
      for (const { isFirst, form, read } of ofTable!) encodeArray(form, items, read, isFirst)
    }
  }, Object.keys(tables).length + columns.length)
}

/** A parameter of type text[]. A list that is not encoded travels as text, which takes both sides longer. */
export function encodeTexts(texts: readonly string[]): Buffer {
  end = 0
  encodeArray(FORMS.text, texts, (text) => text, true)
  return Buffer.copyBytesFrom(scratchBytes, SIZE_BYTES, end - SIZE_BYTES)
}

export function columnNames(rows: Rows<never>): string {
  return Object.keys(rows).join(', ')
}

/** The same columns, read from something that contains the item. */
export function rowsOf<Item, Outer>(rows: Rows<Item>, of: (outer: Outer) => Item): Rows<Outer> {
  const outer = Object.entries(rows).map(([column, [type, read]]) => [
    column,
    [type, (item: Outer) => (read as (item: Item) => unknown)(of(item))],
  ])
  return Object.fromEntries(outer) as unknown as Rows<Outer>
}

/** `column = table.column` for each column, for the set clause of an update from rows. */
export function assignments(rows: Rows<never>, table: string): string[] {
  return Object.keys(rows).map((column) => `${column} = ${table}.${column}`)
}

function isArray(type: ColumnType): type is `${ScalarType}[]` {
  return type.endsWith('[]')
}

/** unnest flattens arrays of arrays, so a column of arrays travels as text. */
function scalarColumn([type, read]: Column<never>): Pick<TableColumn, 'form' | 'read'> {
  if (!isArray(type)) return { form: FORMS[type], read: read as TableColumn['read'] }
  return { form: FORMS.text, read: (item) => arrayText((read as (item: unknown) => readonly Scalar[])(item)) }
}

/** Where values are written, because their size is known only afterwards. */
let scratchBytes = Buffer.alloc(65_536)
let scratch = new DataView(scratchBytes.buffer, scratchBytes.byteOffset)
/** The end of what is written. */
let end = 0

function encodedBy(write: () => void, count: number): [EncodedValues] {
  end = 0
  write()
  return [new EncodedValues(count, Buffer.copyBytesFrom(scratchBytes, 0, end))]
}

function reserve(size: number): void {
  if (end + size <= scratchBytes.length) return
  scratchBytes = Buffer.concat([scratchBytes.subarray(0, end)], 2 * (end + size))
  scratch = new DataView(scratchBytes.buffer, scratchBytes.byteOffset)
}

function encode({ size, write }: Form, value: Scalar): void {
  reserve(SIZE_BYTES + (size ?? UTF8_BYTES_MAX * ((value as string | null)?.length ?? 0)))
  const written = value === null ? -1 : write(value as never, end + SIZE_BYTES)
  scratch.setInt32(end, written)
  end += SIZE_BYTES + Math.max(0, written)
}

/**
 * Number of dimensions, whether there are nulls, element type, length, lower bound; then the values. Without any value
 * the array itself is null, as in many columns of a plain liquidation; but unnest makes as many rows as its longest array
 * has values, so the first column is always sent.
 */
function encodeArray<Item>(
  form: Form,
  items: readonly Item[],
  read: (item: Item) => Scalar,
  evenIfAllNull: boolean,
): void {
  reserve(ARRAY_HEADER_BYTES)
  const start = end
  end += ARRAY_HEADER_BYTES
  let nulls = 0
  for (const item of items) {
    const value = read(item)
    if (value === null) nulls += 1
    encode(form, value)
  }
  if (nulls === items.length && !evenIfAllNull) {
    end = start
    encode(form, null)
    return
  }
  scratch.setInt32(start, end - start - SIZE_BYTES)
  scratch.setInt32(start + 4, 1)
  scratch.setInt32(start + 8, Number(nulls > 0))
  scratch.setInt32(start + 12, form.oid)
  scratch.setInt32(start + 16, items.length)
  scratch.setInt32(start + 20, 1)
}

const SIZE_BYTES = 4
const ARRAY_HEADER_BYTES = SIZE_BYTES + 20

/** The epoch of dates and times in PostgreSQL. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000
/** A unit of UTF-16 takes at most as many bytes. */
const UTF8_BYTES_MAX = 3

/** Values in PostgreSQL's binary form. */
const FORMS: Record<ScalarType, Form> = {
  text: { oid: 25, size: null, write: (text: string, at) => scratchBytes.write(text, at) },
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

/** `size` is null where it depends on the value; `write` returns it. */
type Form = { oid: number; size: number | null; write: (value: never, at: number) => number }

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
  let text = ''
  for (const value of values) text += `${text === '' ? '' : ','}${elementText(value)}`
  return `{${text}}`
}

function elementText(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'string') {
    // Most texts are ids; a regular expression takes longer than both searches.
    const isPlain = !value.includes('"') && !value.includes('\\')
    return isPlain ? `"${value}"` : `"${value.replace(/["\\]/g, '\\$&')}"`
  }
  return value instanceof Date ? value.toISOString() : value.toString()
}
