/**
 * A statement as the function that runs it: its text, its parameters and how its rows are read, in one place.
 *
 *   export const findLogo = sql`
 *     select logo
 *     from callers
 *     where caller_id = $1`.first(text('logo'), (callerId: string) => [callerId])
 *
 *   await findLogo(db, callerId)
 *
 * The text stays with the function: a test prepares every statement that a store exports.
 */
import type { Queries, Transaction } from './database.ts'
import { type Page, type PageRequest, type Placed, pageOf, pageParameters } from './pages.ts'
import { type Rows, statementOverRows } from './rows.ts'

/** A map of rows, or a field where one column is read. */
export type Reader<Item> = { read: (row: never) => Item }
/** The parameters of a statement, from what its function is called with. */
type Values<Asked extends unknown[]> = (...asked: Asked) => readonly unknown[]

/** The parameters of most statements: a book, and of it one row or several. */
export const ofBook = (bookId: string) => [bookId]
export const idOfBook = (bookId: string, id: string) => [bookId, id]
export const idsOfBook = (bookId: string, ids: readonly string[]) => [bookId, ids]

/** The parameters that are members of what a statement is about. */
export function membersOf<Item>(...names: readonly (keyof Item)[]) {
  return (item: Item): unknown[] => names.map((name) => item[name])
}

/** The same, behind the book or the caller that has it. */
export function membersInBook<Item>(...names: readonly (keyof Item)[]) {
  return (bookId: string, item: Item): unknown[] => [bookId, ...names.map((name) => item[name])]
}

export function sql(parts: TemplateStringsArray, ...inserted: readonly string[]) {
  const text = String.raw({ raw: parts }, ...inserted)
  return { ...finding(text), ...paging(text), ...changing(text) }
}

function withText<Run extends object>(text: string, run: Run): Run & { text: string } {
  return Object.assign(run, { text })
}

const NONE = () => []

function finding(text: string) {
  const rowsOf = <Asked extends unknown[]>(db: Queries, values: Values<Asked>, asked: Asked) =>
    db.query<never>(text, values(...asked))
  return {
    first: <Item, Asked extends unknown[] = []>({ read }: Reader<Item>, values: Values<Asked> = NONE) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<Item | undefined> => {
        const rows = await rowsOf(db, values, asked)
        return rows.length === 0 ? undefined : read(rows[0]!)
      }),

    /** The statement always finds a row. */
    only: <Item, Asked extends unknown[] = []>({ read }: Reader<Item>, values: Values<Asked> = NONE) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<Item> => {
        return read((await rowsOf(db, values, asked))[0]!)
      }),

    /** Whether there is such a row. */
    some: <Asked extends unknown[]>(values: Values<Asked>) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<boolean> => {
        return (await rowsOf(db, values, asked)).length > 0
      }),

    all: <Item, Asked extends unknown[] = []>({ read }: Reader<Item>, values: Values<Asked> = NONE) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<Item[]> => {
        return (await rowsOf(db, values, asked)).map((row) => read(row))
      }),

    /** Items by the key that the first reader reads. */
    map: <Key, Item, Asked extends unknown[]>(key: Reader<Key>, item: Reader<Item>, values: Values<Asked>) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<Map<Key, Item>> => {
        const rows = await rowsOf(db, values, asked)
        return new Map(rows.map((row) => [key.read(row), item.read(row)]))
      }),

    /** Lists of items by their key. */
    groups: <Key, Item, Asked extends unknown[]>(
      key: Reader<Key>,
      item: Reader<Item>,
      values: Values<Asked>,
    ) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<Map<Key, Item[]>> => {
        const groups = [...Map.groupBy(await rowsOf(db, values, asked), (row) => key.read(row))]
        return new Map(groups.map(([of, rows]) => [of, rows.map((row) => item.read(row))]))
      }),
  }
}

const PAGE_ROWS = 500

function paging(text: string) {
  return {
    /** A list without filters: $1 is its book or caller, $2 and $3 are the page. */
    page: <Item>({ read }: Reader<Item>) =>
      withText(text, async (db: Queries, owner: string, page: PageRequest): Promise<Page<Item>> => {
        const rows = await db.query<Placed>(text, [owner, ...pageParameters(page)])
        return pageOf(rows, page, (row) => read(row as never))
      }),

    /** All rows. A page begins behind the place of the last row of the page before; null: the first page. */
    pages: <Item, Place, Asked extends unknown[]>(
      { read }: Reader<Item>,
      { read: placeOf }: Reader<Place>,
      values: (after: Place | null, limit: number, ...asked: Asked) => readonly unknown[],
    ) =>
      withText(text, async function* (db: Queries, ...asked: Asked): AsyncGenerator<Item[]> {
        for (let after: Place | null = null; ; ) {
          const rows: never[] = await db.query<never>(text, values(after, PAGE_ROWS, ...asked))
          if (rows.length > 0) yield rows.map((row) => read(row))
          if (rows.length < PAGE_ROWS) return
          after = placeOf(rows.at(-1)!)
        }
      }),
  }
}

function changing(text: string) {
  return {
    /** Resolves when it was done. */
    run: <Asked extends unknown[]>(values: Values<Asked>) =>
      withText(text, async (db: Queries, ...asked: Asked): Promise<void> => {
        await db.query(text, values(...asked))
      }),

    /** Sent together with the commit. */
    write: <Asked extends unknown[]>(values: Values<Asked>) =>
      withText(text, (tx: Transaction, ...asked: Asked): void => tx.write(text, values(...asked))),
  }
}

/** The same of a statement that writes rows, which it calls by the given name. */
export function writeRows<Item>(
  name: string,
  rows: Rows<Item>,
  compose: (from: string, book: string) => string,
) {
  const forms = statementOverRows({ [name]: rows }, (from, book) => compose(from[name]!, book[name]!))
  const write = (tx: Transaction, bookId: string, items: readonly Item[]): void =>
    tx.write(forms.of(bookId, { [name]: items }))
  return Object.assign(write, { forms })
}
