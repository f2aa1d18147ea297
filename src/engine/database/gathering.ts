/**
 * Gathers reads: rows of one kind and one book that are requested in the same turn of the event loop are read by one
 * statement over an array, because a statement costs the service and the database far more than another row in it.
 *
 * Guarantees:
 * - A read starts after the requests that share it, so each sees everything that was committed before it was made.
 * - There is no timer: a single request is read at the end of its turn.
 * - A statement that fails for one of its requests does not fail the others.
 */
import { isUnavailable, type Queries } from './database.ts'

type ReadMany<Row> = (
  db: Queries,
  bookId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Row>>
type ReadOne<Row> = (db: Queries, bookId: string, id: string) => Promise<Row | undefined>

/**
 * The ids in such a statement, whose second parameter they are. The sub-select hides their number from the planner, which
 * would otherwise plan the statement again for every small number of them; that takes longer than reading the rows.
 */
export const GATHERED_IDS = '(select $2::text[])::text[]'

/** Rows in one statement; further requests of the turn share the next one. */
const ROWS_MAX = 100

export function gathered<Row>(readMany: ReadMany<Row>): ReadOne<Row> {
  type Gathering = { ids: Set<string>; rows: Promise<ReadonlyMap<string, Row>> }
  /** Those that accept further requests, by book. */
  const open = new WeakMap<Queries, Map<string, Gathering>>()

  return async (db, bookId, id) => {
    const books = open.get(db) ?? new Map<string, Gathering>()
    open.set(db, books)
    const gathering = books.get(bookId) ?? gather(db, bookId, books)
    const { ids, rows } = gathering
    ids.add(id)
    if (ids.size === ROWS_MAX) books.delete(bookId)
    try {
      return (await rows).get(id)
    } catch (error) {
      if (ids.size === 1 || isUnavailable(error)) throw error
      return (await readMany(db, bookId, [id])).get(id)
    }
  }

  function gather(db: Queries, bookId: string, books: Map<string, Gathering>): Gathering {
    const ids = new Set<string>()
    const rows = new Promise<ReadonlyMap<string, Row>>((resolve) => {
      setImmediate(() => {
        if (books.get(bookId) === gathering) books.delete(bookId)
        resolve(readMany(db, bookId, [...ids]))
      })
    })
    const gathering = { ids, rows }
    books.set(bookId, gathering)
    return gathering
  }
}

/** Several parts of one answer that read the same in one turn read it once. */
export function onceInTurn<Row>(read: ReadOne<Row>): ReadOne<Row> {
  return gathered(async (db, bookId, ids) => {
    const rows = await Promise.all(ids.map((id) => read(db, bookId, id)))
    return new Map(ids.flatMap((id, index) => (rows[index] === undefined ? [] : [[id, rows[index]]])))
  })
}
