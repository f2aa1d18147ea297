/**
 * Prints the schema after all migrations: tables with columns, constraints and indexes, then views and functions, by
 * name. schema.sql is committed, so that what a migration changes shows in review. It is never executed.
 */
import type { Database } from '../src/engine/database/database.ts'

/** The database must be migrated. */
export async function printSchema(db: Database): Promise<string> {
  const tables = await db.query<{ name: string; options: string[] | null }>(TABLES)
  const columns = await db.query<Part>(COLUMNS)
  const constraints = await db.query<Part>(CONSTRAINTS)
  const indexes = await db.query<Part>(INDEXES)
  const views = await db.query<Part>(VIEWS)
  const functions = await db.query<{ text: string }>(FUNCTIONS)
  const partsOf = (parts: Part[], table: string) => parts.filter((part) => part.table === table)

  const paragraphs = tables.map(({ name, options }) => {
    const lines = [...partsOf(columns, name), ...partsOf(constraints, name)].map(
      ({ text }) => `  ${plain(text)}`,
    )
    const storage = options === null ? '' : ` with (${options.join(', ')})`
    const table = `create table ${name} (\n${lines.join(',\n')}\n)${storage};`
    return [table, ...partsOf(indexes, name).map(({ text }) => `${plain(text)};`)].join('\n')
  })
  const viewTexts = views.map(({ table, text }) => `create view ${table} as\n${plain(text)}`)
  const functionTexts = functions.map(({ text }) => text)
  return `${[HEAD, ...paragraphs, ...viewTexts, ...functionTexts].join('\n\n')}\n`
}

/** The catalog's text in house style: lower case, on one line, without redundant casts. */
function plain(text: string): string {
  return text
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.toLowerCase().replaceAll(/\s+/g, ' ')))
    .join('')
    .replaceAll("'::text", "'")
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(' using btree ', ' ')
    .trim()
}

type Part = { table: string; text: string }

const HEAD = '-- Generated from migrations/ by `npm run generate`: the schema after all of them. Do not edit.'

const TABLES = `
select relname as name, reloptions as options
from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r'
order by relname`

const COLUMNS = `
select c.relname as table,
  a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
from pg_attribute a
join pg_class c on c.oid = a.attrelid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attnum`

/** Newer versions of PostgreSQL list not null here as well; it is part of the column. */
const CONSTRAINTS = `
select c.relname as table, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid, true) as text
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c')
order by c.relname, position(k.contype::text in 'pufc'), k.conname`

/** Indexes that do not belong to a constraint. */
const INDEXES = `
select c.relname as table, pg_get_indexdef(i.indexrelid, 0, true) as text
from pg_index i
join pg_class c on c.oid = i.indrelid
join pg_class own on own.oid = i.indexrelid
where c.relnamespace = 'public'::regnamespace
  and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
order by c.relname, own.relname`

const VIEWS = `
select relname as table, pg_get_viewdef(oid, true) as text
from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'v'
order by relname`

/** As they were written: their bodies are kept as text. */
const FUNCTIONS = `
select 'create function ' || proname || '(' || pg_get_function_arguments(oid) || ') returns '
  || pg_get_function_result(oid) || ' as $$' || prosrc || '$$;' as text
from pg_proc
where pronamespace = 'public'::regnamespace
order by proname`
