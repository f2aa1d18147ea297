/**
 * Statements over many rows. Rows travel as one array per column: PostgreSQL expects few rows of an array, so it finds
 * what they name by an index instead of reading a whole table.
 */
import {
  arrayText,
  type EncodedValues,
  encodeArray,
  encodedBy,
  encodeValue,
  type Scalar,
  type Scalars,
  type ScalarType,
  type Scratch,
} from './encoding.ts'

export type ColumnType = ScalarType | `${ScalarType}[]`
type Column<Item> = {
  [Type in ScalarType]:
    | readonly [type: Type, read: (item: Item) => Scalars[Type] | null]
    | readonly [type: `${Type}[]`, read: (item: Item) => readonly (Scalars[Type] | null)[]]
}[ScalarType]

/** Type of each column, and how it is read from an item. */
export type Rows<Item> = Readonly<Record<string, Column<Item>>>
type Tables = Readonly<Record<string, Rows<never>>>
type ItemsOf<Given extends Tables> = {
  readonly [Name in keyof Given]: Given[Name] extends Rows<infer Item> ? readonly Item[] : never
}

/** Each table of rows as written in a from-clause, under its own name. */
export type FromRows<Given extends Tables> = { readonly [Name in keyof Given]: string }

/** The book that the rows of each table belong to. */
export type BookOfRows<Given extends Tables> = { readonly [Name in keyof Given]: string }

type TableColumn = {
  table: string
  isFirst: boolean
  type: ScalarType
  read: (item: unknown) => Scalar
}

/**
 * One statement has three texts. Over the rows of one book, $1 is the book and the arrays of the tables follow: a sharded
 * database sends it to the worker of the book. Over rows of several books, each row names its own. Where each table has
 * a single row, its values travel without arrays.
 */
type Forms = { ofBook: string; ofSingles: string; ofBooks: string; columns: readonly TableColumn[] }

export type StatementOverRows<Given extends Tables> = Forms & {
  /** The statement with the rows of a book, ready to be written. */
  of: (bookId: string, items: ItemsOf<Given>) => StatementWithRows
}

/** They become arrays when they are sent: alone, or with those of other books. */
export type StatementWithRows = { statement: Forms; books: readonly RowsOfBook[] }
type RowsOfBook = { bookId: string; items: Readonly<Record<string, readonly unknown[]>> }

type Shape = 'single rows' | 'rows of a book' | 'rows of books'

export function statementOverRows<Given extends Tables>(
  tables: Given,
  compose: (from: FromRows<Given>, book: BookOfRows<Given>) => string,
): StatementOverRows<Given> {
  const forms: Forms = {
    ofBook: composeOver('rows of a book', tables, compose),
    ofSingles: composeOver('single rows', tables, compose),
    ofBooks: composeOver('rows of books', tables, compose),
    columns: Object.entries(tables).flatMap(([table, rows]) =>
      Object.values(rows).map((column, index) => ({ table, isFirst: index === 0, ...scalarColumn(column) })),
    ),
  }
  return { ...forms, of: (bookId, items) => ({ statement: forms, books: [{ bookId, items }] }) }
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

/** The text for these rows, and their values. */
export function encodeRows(
  scratch: Scratch,
  { statement, books }: StatementWithRows,
  { isSharded }: { isSharded: boolean },
): { text: string; values: [EncodedValues] } {
  const { columns, ofBook, ofSingles, ofBooks } = statement
  if (books.length > 1) return { text: ofBooks, values: encodeBooks(scratch, columns, books) }
  const book = books[0]!
  // About a seventh less work for the server; a sharded one might not find the worker of the book.
  const isSingle = !isSharded && Object.values(book.items).every(({ length }) => length === 1)
  if (isSingle) return { text: ofSingles, values: encodeSingles(scratch, columns, book) }
  return { text: ofBook, values: encodeBook(scratch, columns, book) }
}

type Columns = readonly TableColumn[]

function encodeBook(scratch: Scratch, columns: Columns, { bookId, items }: RowsOfBook): [EncodedValues] {
  return encodedBy(scratch, 1 + columns.length, () => {
    encodeValue(scratch, 'text', bookId)
    for (const { table, isFirst, type, read } of columns)
      encodeArray(scratch, type, items[table]!, read, isFirst)
  })
}

function encodeSingles(scratch: Scratch, columns: Columns, { bookId, items }: RowsOfBook): [EncodedValues] {
  return encodedBy(scratch, 1 + columns.length, () => {
    encodeValue(scratch, 'text', bookId)
    for (const { table, type, read } of columns) encodeValue(scratch, type, read(items[table]![0]))
  })
}

/** Each table begins with the books of its rows. */
function encodeBooks(scratch: Scratch, columns: Columns, books: readonly RowsOfBook[]): [EncodedValues] {
  const tables = Object.groupBy(columns, ({ table }) => table)
  return encodedBy(scratch, Object.keys(tables).length + columns.length, () => {
    for (const [table, ofTable] of Object.entries(tables)) {
      const items = books.flatMap((book) => book.items[table]!)
      const bookIds = books.flatMap((book) => book.items[table]!.map(() => book.bookId))
      encodeArray(scratch, 'text', bookIds, (bookId) => bookId, true)
      for (const { isFirst, type, read } of ofTable!) encodeArray(scratch, type, items, read, isFirst)
    }
  })
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

/** The columns whose names do not match. */
export function without<Item>(rows: Rows<Item>, names: RegExp): Rows<Item> {
  return Object.fromEntries(Object.entries(rows).filter(([column]) => !names.test(column)))
}

/** `column = table.column` for each column, for the set clause of an update from rows. */
export function assignments(rows: Rows<never>, table: string): string[] {
  return Object.keys(rows).map((column) => `${column} = ${table}.${column}`)
}

/** `$1, $2, …`: a parameter for each column, for a statement that writes one row. */
export function parametersFor(rows: Rows<never>): string {
  return Object.keys(rows)
    .map((_, index) => `$${index + 1}`)
    .join(', ')
}

/** The values of those parameters. */
export function valuesOf<Item>(rows: Rows<Item>, item: Item): unknown[] {
  return Object.values(rows).map(([, read]) => read(item))
}

function isArray(type: ColumnType): type is `${ScalarType}[]` {
  return type.endsWith('[]')
}

/** unnest flattens arrays of arrays, so a column of arrays travels as text. */
function scalarColumn([type, read]: Column<never>): Pick<TableColumn, 'type' | 'read'> {
  if (!isArray(type)) return { type, read: read as TableColumn['read'] }
  return { type: 'text', read: (item) => arrayText((read as (item: unknown) => readonly Scalar[])(item)) }
}
