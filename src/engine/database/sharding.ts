/**
 * Spreads a database over the workers of Citus. Everything of a book is on one worker, so that its transactions stay
 * there and a worker that is away stops its own books alone.
 *
 * The script is one transaction. It contains what is not placed yet, so it can be made again at any time, such as after
 * a migration that added a table. Tables and foreign keys are read from the catalog.
 */
import type { Queries } from './database.ts'

/** The directory, which determines the book of a request, is on every server: books refer to it and read its names. */
const DIRECTORY = [
  ...['api_keys', 'books', 'callers', 'people', 'person_devices', 'person_notices', 'person_sessions'],
  ...[
    'database_sizes',
    'person_factors',
    'person_recovery_codes',
    'service_keys',
    'sign_in_tries',
    'used_once',
  ],
]
const COORDINATOR_ALONE = ['schema_migrations']

export type Schema = { tables: readonly Table[]; references: readonly Reference[] }
type Table = { name: string; of_book: boolean }
type Reference = { source: string; target: string; name: string; definition: string }

/** Null where every table has its place. Throws where Citus is not set up. */
export async function writeShardingScript(db: Queries): Promise<string | null> {
  if ((await db.query(FIND_CITUS)).length === 0) {
    throw new Error(
      'This database does not have the extension citus; docs/operating.md says how it is set up.',
    )
  }
  const nodes = await db.query<{ is_coordinator: boolean }>(LIST_NODES)
  if (!nodes.some((node) => node.is_coordinator)) {
    throw new Error('Citus does not know the address of its coordinator; call citus_set_coordinator_host.')
  }
  if (nodes.length === 1) throw new Error('Citus has no workers; call citus_add_node for each of them.')
  const placed = await db.query<{ name: string }>(LIST_PLACED)
  return shardingScript(
    await readSchema(db),
    placed.map((table) => table.name),
  )
}

export async function readSchema(db: Queries): Promise<Schema> {
  return {
    tables: await db.query<Table>(LIST_TABLES),
    references: await db.query<Reference>(LIST_REFERENCES),
  }
}

export function shardingScript({ tables, references }: Schema, placed: readonly string[]): string | null {
  const open = tables.filter((table) => !placed.includes(table.name) && placeOf(table) !== 'coordinator')
  if (open.length === 0) return null
  const names = open.map((table) => table.name)
  const affected = references.filter(({ source, target }) => names.includes(source) || names.includes(target))
  const books = tables.filter((table) => placeOf(table) === 'worker').map((table) => table.name)
  const first = books.find((name) => placed.includes(name)) ?? books[0]
  return [
    '-- One shard after another: Citus adds no foreign key after parallel changes in the same transaction.',
    `set local citus.multi_shard_modify_mode = 'sequential';`,
    '-- Citus accepts a foreign key only between tables that are both placed.',
    ...affected.map(({ source, name }) => `alter table ${source} drop constraint ${name};`),
    ...names
      .filter((name) => DIRECTORY.includes(name))
      .map((name) => `select create_reference_table('${name}');`),
    ...names
      .filter((name) => books.includes(name))
      .map((name) => `select create_distributed_table('${name}', 'book_id'${besides(name, first)});`),
    '-- The rows were copied to the workers.',
    ...names.map((name) => `select truncate_local_data_after_distributing_table('${name}');`),
    ...affected.map(
      ({ source, name, definition }) => `alter table ${source} add constraint ${name} ${definition};`,
    ),
    '',
  ].join('\n')
}

/** The rows of a book are in the same shard in every table. */
function besides(name: string, first: string | undefined): string {
  return name === first ? '' : `, colocate_with => '${first}'`
}

function placeOf({ name, of_book }: Table): 'everywhere' | 'coordinator' | 'worker' {
  if (DIRECTORY.includes(name)) return 'everywhere'
  if (COORDINATOR_ALONE.includes(name)) return 'coordinator'
  if (of_book) return 'worker'
  throw new Error(`The table ${name} has no book_id, and sharding.ts does not say where it belongs.`)
}

/** Runs a statement that returns one text on every worker. Those that are away return nothing: the others go on. */
export function askWorkers(db: Queries, statement: string): Promise<{ name: string; text: string }[]> {
  return db.query(ASK_WORKERS, [statement])
}

const ASK_WORKERS = `
  select concat(nodename, ':', nodeport) as name, result as text
  from run_command_on_workers($1)
  where success`

const FIND_CITUS = `
  select 1
  from pg_extension
  where extname = 'citus'`

const LIST_NODES = `
  select groupid = 0 as is_coordinator
  from pg_dist_node
  where noderole = 'primary'`

/** Hashed, or on every server. */
const LIST_PLACED = `
  select logicalrelid::text as name
  from pg_dist_partition
  where partmethod = 'h'
     or repmodel = 't'`

const LIST_TABLES = `
  select relname::text as name,
         exists (
           select
           from pg_attribute
           where attrelid = pg_class.oid
             and attname = 'book_id'
             and not attisdropped) as of_book
  from pg_class
  where relnamespace = 'public'::regnamespace
    and relkind = 'r'
  order by relname`

/** Citus shows pg_class without its shards. */
const LIST_REFERENCES = `
  select relname::text as source, confrelid::regclass::text as target, conname::text as name,
         pg_get_constraintdef(pg_constraint.oid) as definition
  from pg_constraint
  join pg_class on pg_class.oid = conrelid
  where contype = 'f'
    and connamespace = 'public'::regnamespace
  order by conname`
