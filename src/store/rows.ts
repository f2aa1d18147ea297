/** A table's rows as one JSON parameter; bigint travels as text, which PostgreSQL casts back exactly. */
export function rowsParameter(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}
