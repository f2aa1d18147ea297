/**
 * A table of a book and its map: the statements that most nouns need, and the functions that run them. What only one noun
 * needs is SQL in its store.
 */
import type { Queries, Transaction } from './database.ts'
import { GATHERED_IDS, gathered } from './gathering.ts'
import { nextOrdinal } from './ids.ts'
import { filterClauses, type Page, type PageRequest, type Placed, pageOf, pageParameters } from './pages.ts'
import type { RowMap } from './row-map.ts'
import { assignments, type Rows, type StatementOverRows, statementOverRows } from './rows.ts'
import { type ListWindow, NEWEST_ROWS, readWindow } from './window.ts'

type Keys = readonly string[]
type Clauses<Filters> = Record<keyof Filters, (parameter: string) => string>
/** `orderedBy`: the order in which rows are inserted. */
type TableOptions<Key> = { key: Key; orderedBy?: string }

export function table<Key extends string, Item extends Record<Key, string>>(
  name: string,
  map: RowMap<Item>,
  options: TableOptions<Key>,
) {
  const { key } = options
  const { columns, read } = map
  const statements = statementsOf(name, map, options)

  const byKey = (rows: readonly object[]): Map<string, Item> =>
    new Map(rows.map(read).map((item) => [item[key], item]))
  const find = async (db: Queries, bookId: string, keys: Keys): Promise<Map<string, Item>> =>
    byKey(await db.query<object>(statements.find, [bookId, keys]))
  const lock = async (tx: Queries, bookId: string, keys: Keys): Promise<Map<string, Item>> =>
    byKey(await tx.query<object>(statements.lock, [bookId, keys]))

  /** Without a page: the newest that people sort and add up. */
  const window =
    <Filters extends object>(clauses: Clauses<Filters>) =>
    (bookId: string, filters: Filters, page: PageRequest = NEWEST_ROWS): ListWindow => {
      const { text, values } = filterClauses({ ...filters } as Record<string, unknown>, clauses, 4)
      return { text: statements.list(text), values: [bookId, ...pageParameters(page), ...values] }
    }

  return {
    columns,
    statements,
    byKey,
    find,
    findOne: gathered(find),
    lock,
    lockOne: async (tx: Queries, bookId: string, one: string): Promise<Item | undefined> =>
      (await lock(tx, bookId, [one])).get(one),
    insert: (tx: Transaction, bookId: string, inserted: readonly Item[]): void =>
      tx.write(statements.insert.of(bookId, { inserted })),

    window,
    /** The newest first, of those that match the filters. */
    list:
      <Filters extends object>(clauses: Clauses<Filters>) =>
      async (db: Queries, bookId: string, filters: Filters, page: PageRequest): Promise<Page<Item>> =>
        pageOf(await readWindow<Placed>(db, window(clauses)(bookId, filters, page)), page, read),

    /** Writes these members of rows that are locked, each row at most once. */
    assign: <Member extends Exclude<keyof Item, Key>>(...members: Member[]) =>
      assignment(name, map.pick<Key | Member>(key, ...members).rows, map.pick(key).columns),
  }
}

function statementsOf<Key extends string, Item extends Record<Key, string>>(
  name: string,
  map: RowMap<Item>,
  { key, orderedBy }: TableOptions<Key>,
) {
  const { columns } = map
  const keyColumn = map.pick(key).columns
  const ordered = { ordinal: ['bigint', nextOrdinal], ...map.rows } as Rows<Item>
  return {
    insert: statementOverRows(
      { inserted: ordered },
      (from, book) => `
    insert into ${name} (book_id, ordinal, ${columns})
    select ${book.inserted}, ordinal, ${columns}
    from ${from.inserted}${orderedBy === undefined ? '' : `\n    order by ${orderedBy}`}`,
    ),

    find: `
    select ${columns}
    from ${name}
    where book_id = $1
      and ${keyColumn} = any(${GATHERED_IDS})`,

    // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
    // No join: after a wait only the locked row is read again; a joined row would be stale.
    lock: `
    select ${columns}
    from ${name}
    where book_id = $1
      and ${keyColumn} = any($2::text[])
    order by ${keyColumn}
    for update`,

    list: (clauses: string) => `
    select ordinal, ${columns}
    from ${name}
    where book_id = $1
      and ordinal < $2${clauses}
    order by ordinal desc
    limit $3`,
  }
}

function assignment<Item>(
  name: string,
  rows: Rows<Item>,
  keyColumn: string,
): StatementOverRows<{ changed: Rows<Item> }> {
  return statementOverRows(
    { changed: rows },
    (from, book) => `
    update ${name}
    set ${assignments(rows, 'changed').slice(1).join(',\n        ')}
    from ${from.changed}
    where ${name}.book_id = ${book.changed}
      and ${name}.${keyColumn} = changed.${keyColumn}`,
  )
}
