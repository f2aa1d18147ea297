/**
 * Statements over many rows. Rows travel as one array per column: PostgreSQL reads arrays faster than JSON, and it expects
 * few rows of them, so that it finds what they name by an index instead of reading a whole table.
 */
type Scalar = string | number | bigint | boolean | Date | null
type ScalarType = 'text' | 'int4' | 'bigint' | 'boolean' | 'date' | 'timestamptz'
type Column<Item> =
  | readonly [type: ScalarType, read: (item: Item) => Scalar]
  | readonly [type: `${ScalarType}[]`, read: (item: Item) => readonly Scalar[]]

/** For each column its type, and what it holds of an item. */
export type Rows<Item> = Readonly<Record<string, Column<Item>>>
type Tables = Readonly<Record<string, Rows<never>>>
type ItemsOf<Given extends Tables> = {
  readonly [Name in keyof Given]: Given[Name] extends Rows<infer Item> ? readonly Item[] : never
}

/** Each table of rows as it stands in a from-clause, under its own name. */
export type FromRows<Given extends Tables> = { readonly [Name in keyof Given]: string }

/** $1 is the book; the arrays of the tables follow. */
export function statementOverRows<Given extends Tables>(
  tables: Given,
  compose: (from: FromRows<Given>) => string,
): { text: string; parameters: (bookId: string, items: ItemsOf<Given>) => string[] } {
  let parameter = 1
  const from = Object.entries(tables).map(([name, rows]) => {
    const arrays = Object.values(rows).map(([type]) => `$${++parameter}::${isArray(type) ? 'text' : type}[]`)
    // unnest takes arrays of arrays apart to their elements, so a column of arrays travels as their texts.
    const columns = Object.entries(rows).map(([column, [type]]) =>
      isArray(type) ? `${column}::${type} as ${column}` : column,
    )
    const unnested = `unnest(${arrays.join(', ')}) as ${name}(${columnNames(rows)})`
    return [name, `(select ${columns.join(', ')} from ${unnested}) as ${name}`]
  })
  const columns = Object.entries(tables).flatMap(([name, rows]) =>
    Object.values(rows).map(([type, read]) => ({ name, type, read: read as (item: unknown) => Scalar })),
  )
  return {
    text: compose(Object.fromEntries(from)),
    parameters: (bookId, items) => [
      bookId,
      ...columns.map(({ name, type, read }) => arrayText(type, items[name]!.map(read))),
    ],
  }
}

export function columnNames(rows: Rows<never>): string {
  return Object.keys(rows).join(', ')
}

function isArray(type: string): type is `${ScalarType}[]` {
  return type.endsWith('[]')
}

function arrayText(type: string, values: readonly unknown[]): string {
  if (!isArray(type)) return type === 'text' ? textArray(values as Scalar[]) : plainArray(values as Scalar[])
  const elementType = type.slice(0, -2)
  return textArray(values.map((elements) => arrayText(elementType, elements as unknown[])))
}

/** A JSON array of strings is an array of PostgreSQL too, but for escapes other than those of quotes and backslashes. */
function textArray(values: readonly Scalar[]): string {
  const json = JSON.stringify(values)
  return OTHER_ESCAPE.test(json) ? plainArray(values) : `{${json.slice(1, -1)}}`
}

const OTHER_ESCAPE = /\\[bfnrtu]/

function plainArray(values: readonly Scalar[]): string {
  let last: Scalar = null
  let text = elementText(last)
  const texts = values.map((value) => {
    // The rows of one change share an instant, and to spell an instant is not cheap.
    if (value !== last) text = elementText(value)
    last = value
    return text
  })
  return `{${texts.join(',')}}`
}

function elementText(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? value.toISOString() : value.toString()
}
