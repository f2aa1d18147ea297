/**
 * Whole tables as text: which there are, in an order in which they can be filled, and the digest that tells whether two
 * databases hold the same rows. The text of a row depends on its values alone, not on the engine or its version.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Queries } from './database.ts'
import { openSession, type Session } from './session.ts'

export type Table = { name: string; columns: readonly string[]; keys: readonly Key[] }
type Key = { name: string; isText: boolean }

/** A database from or to which tables are copied. */
export type TableStore = Pick<Session, 'query' | 'close'> & {
  /** All rows in the order of their keys. Columns in `emptied` are read as null. */
  read(table: Table, emptied?: readonly string[]): AsyncIterable<Uint8Array>
  load(table: Table, rows: AsyncIterable<Uint8Array>): Promise<void>
  /** Gives the memory of an engine in this process back. A directory stays locked until `close`. */
  endReading(): Promise<void>
}

export async function openPostgresTables(config: pg.ClientConfig): Promise<TableStore> {
  const session = await openSession(config)
  return {
    ...session,
    read: (table, emptied) => session.copyOut(selectOf(table, { emptied })),
    load: (table, rows) => session.copyIn(`copy ${targetOf(table)} from stdin`, rows),
    endReading: async () => {},
  }
}

/**
 * Texts are compared byte by byte, so that the order does not depend on the language of a database. Where that is the
 * database's own order (`collation` is ''), it uses the index of the key. `after` is the key of a row, by `keyOfLast`:
 * only rows that follow it are read.
 */
export function selectOf(
  table: Table,
  asked: { emptied?: readonly string[] | undefined; after?: string; collation?: string },
): string {
  const { emptied = [], after = '', collation = ' collate "C"' } = asked
  const columns = table.columns.map((column) => (emptied.includes(column) ? 'null' : quoted(column)))
  const keys = table.keys.map(({ name, isText }) => quoted(name) + (isText ? collation : '')).join(', ')
  const rows = after === '' ? '' : `where (${keys}) > (${after}) `
  return `select ${columns.join(', ')} from ${quoted(table.name)} ${rows}order by ${keys}`
}

/** Of a chunk of whole rows, as literals. What COPY escapes in a value is what a string with E reads back. */
export function keyOfLast({ columns, keys }: Table, chunk: Uint8Array): string {
  const start = chunk.lastIndexOf(LINE_BREAK, chunk.length - 2) + 1
  const values = Buffer.from(chunk.subarray(start, -1)).toString().split('\t')
  const literals = keys.map(({ name }) => values[columns.indexOf(name)]!.replaceAll("'", "''"))
  return literals.map((text) => `E'${text}'`).join(', ')
}

export function targetOf({ name, columns }: Table): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export type Contents = { rows: number; digest: string }

/** Passes the rows on and counts them; `contents` is complete when all of them have passed. */
export function measured(rows: AsyncIterable<Uint8Array>): {
  rows: AsyncIterable<Uint8Array>
  sofar: () => number
  contents: () => Contents
} {
  const hash = createHash('sha256')
  let count = 0
  async function* pass() {
    for await (const chunk of rows) {
      hash.update(chunk)
      // A line break inside a value is written as two characters.
      for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1)) count += 1
      yield chunk
    }
  }
  return { rows: pass(), sofar: () => count, contents: () => ({ rows: count, digest: hash.digest('hex') }) }
}

const LINE_BREAK = 0x0a

export async function contentsOf(rows: AsyncIterable<Uint8Array>): Promise<Contents> {
  const reading = measured(rows)
  for await (const _ of reading.rows);
  return reading.contents()
}

/** One digest for all tables. */
export function digestOfAll(contents: ReadonlyMap<string, Contents>): string {
  const hash = createHash('sha256')
  for (const name of [...contents.keys()].sort()) {
    const { rows, digest } = contents.get(name)!
    hash.update(`${name} ${rows} ${digest}\n`)
  }
  return hash.digest('hex')
}

/** Each table after those that its rows refer to. */
export async function listTables(db: Queries): Promise<Table[]> {
  type Row = { name: string; columns: string[]; keys: string[]; texts: string[]; refers_to: string[] }
  const rows = await db.query<Row>(SELECT_TABLES)
  const ordered: Row[] = []
  for (let left = rows; left.length > 0; ) {
    const done = new Set(ordered.map(({ name }) => name))
    const next = left.filter(({ name, refers_to }) => refers_to.every((to) => to === name || done.has(to)))
    if (next.length === 0) {
      throw new Error(`Tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}.`)
    }
    ordered.push(...next)
    left = left.filter((table) => !next.includes(table))
  }
  return ordered.map(({ name, columns, keys, texts }) => ({
    name,
    columns,
    keys: keys.map((key) => ({ name: key, isText: texts.includes(key) })),
  }))
}

/** The history of the schema is written by migrations, not copied. */
const SELECT_TABLES = `
  select c.relname::text as name,
    array(
      select a.attname::text
      from pg_attribute a
      where a.attrelid = c.oid
        and a.attnum > 0
        and not a.attisdropped
        and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    array(
      select a.attname::text
      from pg_constraint k
      cross join unnest(k.conkey) with ordinality as key(attnum, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = key.attnum
      where k.conrelid = c.oid
        and k.contype = 'p'
      order by key.position
    ) as keys,
    array(
      select a.attname::text
      from pg_attribute a
      where a.attrelid = c.oid
        and a.attcollation <> 0
    ) as texts,
    array(
      select distinct f.confrelid::regclass::text
      from pg_constraint f
      where f.conrelid = c.oid
        and f.contype = 'f'
    ) as refers_to
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace
    and c.relkind in ('r', 'p')
    and c.relname <> 'schema_migrations'
  order by c.relname`

/** The names of tables that have rows. */
export async function findFilled(db: Queries, tables: readonly Table[]): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of tables) {
    const rows = await db.query(`select 1 from ${quoted(name)} limit 1`)
    if (rows.length > 0) filled.push(name)
  }
  return filled
}

/** All tables are read as they are now. */
export async function beginReading(db: Queries): Promise<void> {
  await db.query('begin isolation level repeatable read, read only')
}

/** Nobody else changes the tables until the end of the transaction. */
export async function beginFilling(db: Queries, tables: readonly Table[]): Promise<void> {
  await db.query('begin')
  await db.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in exclusive mode`)
}

/**
 * Calls `load` while the table has no indexes beside that of its key, and refers to no other table: to build them at the
 * end, from all rows together, costs a fraction of adding row by row. Inside the transaction nobody sees them missing.
 * The planner learns of the rows here, because nothing else counts them before they are verified.
 */
export async function withoutIndexes(db: Queries, { name }: Table, load: () => Promise<void>): Promise<void> {
  const derived = await db.query<{ removal: string; definition: string }>(SELECT_DERIVED, [name])
  for (const { removal } of derived) await db.query(removal)
  await load()
  for (const { definition } of derived) await db.query(definition)
  await db.query(`analyze ${quoted(name)}`)
}

/** Indexes that no constraint needs, and references to other tables. */
const SELECT_DERIVED = `
  select format('drop index %s', i.indexrelid::regclass) as removal, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
  where i.indrelid = quote_ident($1)::regclass
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  union all
  select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname),
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k
  where k.conrelid = quote_ident($1)::regclass
    and k.contype = 'f'`

export async function commitFilling(db: Queries): Promise<void> {
  await db.query('commit')
}

/** Connections of services to this database, by the name that they give themselves. */
export async function countServiceConnections(db: Queries): Promise<number> {
  const [row] = await db.query<{ connections: number }>(COUNT_SERVICES)
  return row!.connections
}

const COUNT_SERVICES = `
  select count(*)::int4 as connections
  from pg_stat_activity
  where datname = current_database()
    and application_name = 'breakwater'`
