/**
 * A list with filters: the function that reads a page of it, and its newest rows as a window that people sort and add up.
 * Its statement has the book as $1, the place it reads from as $2 and the number of rows as $3; filters follow.
 */
import type { Queries } from './database.ts'
import { ABOVE_ALL, filterClauses, type Page, type PageRequest, type Placed } from './pages.ts'
import type { Reader } from './sql.ts'
import { type ListWindow, readWindow } from './window.ts'

/** A condition, and how its value is written. */
export type Filter<Value> = ((parameter: string) => string) & { write: (value: Value) => unknown }
export type Filters = Readonly<Record<string, Filter<never>>>
/** What is asked of a list: some of its filters, each with its value. */
type AskedOf<Given extends Filters> = {
  [Name in keyof Given]?: Given[Name] extends Filter<infer Value> ? Value : never
}
export type FiltersOf<List extends (...asked: never) => unknown> = Parameters<List>[2]

/** A filter by its condition, in which ? is the parameter: a text, if no other type is given. */
export function where(condition: string): Filter<string>
export function where<Value>(condition: string, write?: (value: Value) => unknown): Filter<Value>
export function where<Value>(
  condition: string,
  write: (value: Value) => unknown = (value) => value,
): Filter<Value> {
  return Object.assign((parameter: string) => condition.replaceAll('?', () => parameter), { write })
}

/** The statement of a list that reads one table, the newest first. */
export function newestOf(columns: string, from: string, by = 'ordinal') {
  return (clauses: string) => `
    select ${columns}
    from ${from}
    where book_id = $1
      and ${by} < $2${clauses}
    order by ${by} desc
    limit $3`
}

/** The order of a list: what stands for a place in the statement, what stands behind all of them, the place of a row. */
export type Places<Place> = {
  parameter: (place: Place) => unknown
  behindAll: unknown
  of: (row: never) => Place
}

const byOrdinal: Places<bigint> = {
  parameter: (place) => place,
  behindAll: ABOVE_ALL,
  of: (row: Placed) => row.ordinal,
}

/** Reads a page of a list; its newest rows are those of its window. */
export type StoredList<Filters, Item, Place = bigint> = {
  (db: Queries, bookId: string, filters: Filters, page: PageRequest<Place>): Promise<Page<Item, Place>>
  window: (bookId: string, filters: Filters, page: PageRequest<Place>) => ListWindow
  read: (row: never) => Item
}

export function listOf<Given extends Filters, Item>(
  statement: (clauses: string) => string,
  clauses: Given,
  reader: Reader<Item>,
) {
  return listInOrder(statement, clauses, reader, byOrdinal)
}

export function listInOrder<Given extends Filters, Item, Place>(
  statement: (clauses: string) => string,
  clauses: Given,
  { read }: Reader<Item>,
  places: Places<Place>,
) {
  const window: WindowOf<AskedOf<Given>, Place> = (bookId, filters, { limit, before }) => {
    const { text, values } = filterClauses(filters as Record<string, unknown>, clauses, 4)
    const place = before === null ? places.behindAll : places.parameter(before)
    return { text: statement(text), values: [bookId, place, limit + 1, ...values] }
  }
  return Object.assign(pagesInOrder(window, { read }, places), { statement, clauses })
}

export function pagesOf<Filters, Item>(window: WindowOf<Filters, bigint>, reader: Reader<Item>) {
  return pagesInOrder(window, reader, byOrdinal)
}

type WindowOf<Filters, Place> = StoredList<Filters, unknown, Place>['window']

function pagesInOrder<Filters, Item, Place>(
  window: WindowOf<Filters, Place>,
  { read }: Reader<Item>,
  places: Places<Place>,
): StoredList<Filters, Item, Place> {
  const list = async (db: Queries, bookId: string, filters: Filters, page: PageRequest<Place>) => {
    const rows = await readWindow<never>(db, window(bookId, filters, page))
    const shown = rows.slice(0, page.limit)
    const hasMore = rows.length > page.limit && shown.length > 0
    return { items: shown.map((row) => read(row)), next: hasMore ? places.of(shown.at(-1)!) : null }
  }
  return Object.assign(list, { window, read })
}
