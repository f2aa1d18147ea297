/**
 * A table of a book and its map: the statements that most nouns need, as the functions that run them. What only one noun
 * needs is SQL in its store.
 */
import type { Queries } from './database.ts'
import { GATHERED_IDS, gathered } from './gathering.ts'
import { nextOrdinal } from './ids.ts'
import { lockedByKey, rowsByKey } from './keyed-rows.ts'
import { type Filters, listOf, newestOf } from './list.ts'
import { type RowMap, text } from './row-map.ts'
import { assignments, parametersFor, type Rows, valuesOf } from './rows.ts'
import { idsOfBook, sql, writeRows } from './sql.ts'

/** `orderedBy`: the order in which rows are inserted. */
type TableOptions<Key> = { key: Key; orderedBy?: string }

export function table<Key extends string, Item extends Record<Key, string>>(
  name: string,
  map: RowMap<Item>,
  { key, orderedBy }: TableOptions<Key>,
) {
  const { columns } = map
  const keyColumn = map.pick(key).columns
  const order = orderedBy === undefined ? '' : `\n    order by ${orderedBy}`

  const findSome = sql`${rowsByKey(GATHERED_IDS, name, keyColumn, columns)}`.map(
    text(keyColumn),
    map,
    idsOfBook,
  )
  const findAny = async (db: Queries, bookId: string, ids: readonly string[]): Promise<Map<string, Item>> =>
    ids.length === 0 ? new Map() : findSome(db, bookId, ids)
  const find = Object.assign(findAny, { text: findSome.text })
  const lock = sql`${lockedByKey(name, keyColumn, columns)}`.map(text(keyColumn), map, idsOfBook)
  const lockOne = async (tx: Queries, bookId: string, one: string): Promise<Item | undefined> =>
    (await lock(tx, bookId, [one])).get(one)

  const list = newestOf(`ordinal, ${columns}`, name)

  return {
    columns,
    find,
    findOne: Object.assign(gathered(find), { text: find.text }),
    lock,
    lockOne: Object.assign(lockOne, { text: lock.text }),
    insert: insertion(name, map, order),
    /** Rows that have the defaults of the table but for these members. */
    insertWith: <Member extends keyof Item>(...members: Member[]) =>
      insertion(name, map.pick(...members), order),
    /** Writes these members of rows that are locked, each row at most once. */
    assign: <Member extends Exclude<keyof Item, Key>>(...members: Member[]) =>
      assignment(name, map.pick<Key | Member>(key, ...members).rows, keyColumn),

    /** The newest first. */
    page: sql`${list('')}`.page(map),
    /** The same, of those that match the filters. */
    list: <Given extends Filters>(filters: Given) => listOf(list, filters, map),
  }
}

function insertion<Item extends object>(name: string, { columns, rows }: RowMap<Item>, order: string) {
  const ordered = { ordinal: ['bigint', nextOrdinal], ...rows } as Rows<Item>
  return writeRows(
    'inserted',
    ordered,
    (from, book) => `
    insert into ${name} (book_id, ordinal, ${columns})
    select ${book}, ordinal, ${columns}
    from ${from}${order}`,
  )
}

function assignment<Item>(name: string, rows: Rows<Item>, keyColumn: string) {
  return writeRows(
    'changed',
    rows,
    (from, book) => `
    update ${name}
    set ${assignments(rows, 'changed').slice(1).join(',\n        ')}
    from ${from}
    where ${name}.book_id = ${book}
      and ${name}.${keyColumn} = changed.${keyColumn}`,
  )
}

/** Writes one row: the members of the map after the first, which is the key. */
export function assignOne<Item extends object>(name: string, { rows }: RowMap<Item>) {
  const [keyColumn, ...columns] = Object.keys(rows)
  const set = columns.map((column, index) => `${column} = $${index + 3}`)
  const statement = sql`
    update ${name}
    set ${set.join(',\n        ')}
    where book_id = $1
      and ${keyColumn!} = $2`
  const values = (bookId: string, item: Item) => [bookId, ...valuesOf(rows, item)]
  return { run: statement.run(values), write: statement.write(values) }
}

/** Inserts one row, of a table whose rows name what they belong to themselves. */
export function insertOne<Item extends object>(name: string, { columns, rows }: RowMap<Item>) {
  const statement = sql`
    insert into ${name} (${columns})
    values (${parametersFor(rows)})`
  const values = (item: Item) => valuesOf(rows, item)
  return { run: statement.run(values), write: statement.write(values) }
}
