/**
 * Statements over many rows. Rows travel as one array per column: PostgreSQL reads arrays faster than JSON, and it expects
 * few rows of them, so that it finds what they name by an index instead of reading a whole table.
 */
type ColumnType = 'text' | 'int4' | 'bigint' | 'boolean' | 'date' | 'timestamptz'
export type Columns = Readonly<Record<string, ColumnType>>
type Value = string | number | bigint | boolean | Date | null

export type RowsOf<Tables extends Record<string, Columns>> = {
  readonly [Name in keyof Tables]: readonly { readonly [Column in keyof Tables[Name]]: Value }[]
}

/** Each table of rows as it stands in a from-clause, under its own name. */
export type FromRows<Tables extends Record<string, Columns>> = { readonly [Name in keyof Tables]: string }

/** $1 is the book; the arrays of the tables follow. */
export function statementOverRows<const Tables extends Record<string, Columns>>(
  tables: Tables,
  compose: (from: FromRows<Tables>) => string,
): { text: string; parameters: (bookId: string, rows: RowsOf<Tables>) => string[] } {
  let parameter = 1
  const from = Object.entries(tables).map(([name, columns]) => {
    const arrays = Object.values(columns).map((type) => `$${++parameter}::${type}[]`)
    return [name, `unnest(${arrays.join(', ')}) as ${name}(${Object.keys(columns).join(', ')})`]
  })
  return {
    text: compose(Object.fromEntries(from)),
    parameters: (bookId, rows) => [
      bookId,
      ...Object.entries(tables).flatMap(([name, columns]) =>
        Object.entries(columns).map(([column, type]) => {
          const values = rows[name]!.map((row) => row[column]!)
          return type === 'text' ? textArray(values) : `{${values.map(elementText).join(',')}}`
        }),
      ),
    ],
  }
}

/** A JSON array of strings is an array of PostgreSQL too, but for escapes other than those of quotes and backslashes. */
function textArray(values: readonly Value[]): string {
  const json = JSON.stringify(values)
  return OTHER_ESCAPE.test(json) ? `{${values.map(elementText).join(',')}}` : `{${json.slice(1, -1)}}`
}

const OTHER_ESCAPE = /\\[bfnrtu]/

function elementText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? value.toISOString() : value.toString()
}
