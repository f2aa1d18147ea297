/**
 * Statements over many rows. Rows travel as one array per column: PostgreSQL reads arrays faster than JSON, and it expects
 * few rows of them, so that it finds what they name by an index instead of reading a whole table.
 */
type Type = 'text' | 'int4' | 'bigint' | 'boolean' | 'date' | 'timestamptz'
type Value = string | number | bigint | boolean | Date | null

/** For each column its type, and what it holds of an item. */
export type Rows<Item> = Readonly<Record<string, readonly [type: Type, read: (item: Item) => Value]>>
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
  const from = Object.entries(tables).map(([name, columns]) => {
    const arrays = Object.values(columns).map(([type]) => `$${++parameter}::${type}[]`)
    return [name, `unnest(${arrays.join(', ')}) as ${name}(${columnNames(columns)})`]
  })
  const columns = Object.entries(tables).flatMap(([name, table]) =>
    Object.values(table).map(([type, read]) => ({ name, type, read: read as (item: unknown) => Value })),
  )
  return {
    text: compose(Object.fromEntries(from)),
    parameters: (bookId, items) => [
      bookId,
      ...columns.map(({ name, type, read }) => {
        const values = items[name]!.map(read)
        return type === 'text' ? textArray(values) : plainArray(values)
      }),
    ],
  }
}

export function columnNames(columns: Rows<never>): string {
  return Object.keys(columns).join(', ')
}

/** A JSON array of strings is an array of PostgreSQL too, but for escapes other than those of quotes and backslashes. */
function textArray(values: readonly Value[]): string {
  const json = JSON.stringify(values)
  return OTHER_ESCAPE.test(json) ? plainArray(values) : `{${json.slice(1, -1)}}`
}

const OTHER_ESCAPE = /\\[bfnrtu]/

function plainArray(values: readonly Value[]): string {
  let last: Value = null
  let text = elementText(last)
  const texts = values.map((value) => {
    // The rows of one change share an instant, and to spell an instant is not cheap.
    if (value !== last) text = elementText(value)
    last = value
    return text
  })
  return `{${texts.join(',')}}`
}

function elementText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? value.toISOString() : value.toString()
}
