/**
 * Lists are read newest first, by ordinal or another sort key. A page reads one row more than it shows, to know whether
 * more follow.
 */
export type PageRequest<Place = bigint> = { limit: number; before: Place | null }
export type Page<Item, Place = bigint> = { items: Item[]; next: Place | null }

/** A row of a list, whose place is its ordinal. */
export type Placed = { ordinal: bigint }

/** The first page starts above every ordinal. */
export const ABOVE_ALL = 9_223_372_036_854_775_807n

export function pageOf<Row extends Placed, Item>(
  rows: readonly Row[],
  page: PageRequest,
  item: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return {
    items: shown.map(item),
    next: rows.length > page.limit && last !== undefined ? last.ordinal : null,
  }
}

/** The two parameters every list statement ends with. */
export function pageParameters(page: PageRequest): [bigint, number] {
  return [page.before ?? ABOVE_ALL, page.limit + 1]
}

/**
 * The where-clauses and parameters of the given filters. Each list thus has one statement per combination of filters,
 * and PostgreSQL plans each for the index that serves it.
 */
export function filterClauses(
  filters: Record<string, unknown>,
  clauses: Record<string, ((parameter: string) => string) & { write?: (value: never) => unknown }>,
  firstParameter: number,
): { text: string; values: unknown[] } {
  const named = Object.keys(clauses).filter((name) => (filters[name] ?? null) !== null)
  return {
    text: named.map((name, index) => `\n      and ${clauses[name]!(`$${firstParameter + index}`)}`).join(''),
    values: named.map((name) => written(filters[name], clauses[name]!)),
  }
}

function written(value: unknown, { write }: { write?: (value: never) => unknown }): unknown {
  return write === undefined ? value : write(value as never)
}
