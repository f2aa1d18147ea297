import type { StoredList } from '../engine/database/list.ts'
import type { LongRows } from './list.ts'
import type { Asked } from './page.ts'

/** The rows of a list of a store, whose places are ordinals. */
export function rowsOfStore<Filters, Row>(
  list: StoredList<Filters, Row>,
  filtersOf: (asked: Asked) => Filters,
): Omit<LongRows<Row>, 'sql'> {
  return {
    read: async (asked, { place, limit }) => {
      const before = /^\d{1,19}$/.test(place) ? BigInt(place) : null
      const { db } = asked.service
      const { items, next } = await list(db, asked.book.bookId, filtersOf(asked), { limit, before })
      return { rows: items, next: next === null ? null : String(next) }
    },
    window: (asked, page) => list.window(asked.book.bookId, filtersOf(asked), page),
    rowsOf: (_asked, found) => found.map((row) => list.read(row as never)),
  }
}
