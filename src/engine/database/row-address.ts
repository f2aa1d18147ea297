/**
 * The address of a row that a transaction has locked. The row stays there until the transaction changes it, so it can be
 * written without being searched for a second time. Such a write ends with expectRows.
 */
declare const isAddress: unique symbol
export type RowAddress = string & { readonly [isAddress]: true }

/** The column that the statement reads which locks the row. */
export function addressAs(column: string): string {
  return `ctid::text as ${column}`
}

/** The condition of the statement that writes the row. */
export function isAtAddress(table: string, address: string): string {
  return `${table}.ctid = ${address}::tid`
}

/** A value for the end of a statement, which fails unless its parts changed as many rows as expected. */
export function expectRows(parts: readonly string[], expected: string): string {
  const changed = parts.map((part) => `(select count(*) from ${part})`).join(' + ')
  return `(case when ${changed} = (${expected}) then '1' else 'a locked row was not at its address' end)::int4`
}
