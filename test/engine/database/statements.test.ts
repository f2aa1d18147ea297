/** Every statement of the store, prepared against the migrated schema; and the schema, which keeps a book together. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Queries } from '../../../src/engine/database/database.ts'
import { filterClauses } from '../../../src/engine/database/pages.ts'
import { engines, forEachEngine, isCoordinator } from '../../support/engines.ts'

const source = fileURLToPath(new URL('../../../src', import.meta.url))

/** Where SQL is written. */
const STORES = [
  'features/*/{store,backlog,claims}.ts',
  'engine/change/recording.ts',
  'engine/database/durability.ts',
  'engine/database/replay.ts',
]

type Clauses = Record<string, (parameter: string) => string>
type OverRows = { ofBook: string; ofSingles: string; ofBooks: string }
type WithFilters = (clauses: string) => string
/** The function that runs a statement has its text; that of a list its filters, that of rows the forms of the text. */
type Run = { text?: string; forms?: OverRows; statement?: WithFilters; clauses?: Clauses }
type Statement = string | OverRows | WithFilters | Run
type Named = { name: string; text: string }

const { named, ofSingles, ofBooks } = await readStatements()

const DIRECTORY_TABLES = [
  ...[
    'callers',
    'books',
    'database_sizes',
    'schema_migrations',
    'service_keys',
    'sign_in_tries',
    'used_once',
  ],
]

/** A person belongs to a caller and may work in both of its books. */
const TABLES_OF_A_CALLER = [
  ...[
    'people',
    'person_devices',
    'person_factors',
    'person_notices',
    'person_recovery_codes',
    'person_sessions',
  ],
]

/** The directory determines the book of a request; operators and senders read all books, callers never. */
const ACROSS_BOOKS =
  /^(?:callers |clock (?:readClock|listLiveBooks)$|people |sessions |devices |tries |notices |factors |service-keys |seals readSettledTime$|retention (?:removeSessions|removeDevices|removeLinks|readSize|keepSize|findEarlierSize|listLargestTables)$|maturity\/backlog |engine\/database\/(?:durability|replay) |webhooks (?:findDueEndpoints|countPending)$|api-keys findByHash$|engine\/change\/recording limitLockWait$)/

/** The book is one of the columns that are written, or the first parameter that is compared. */
const NAMES_ITS_BOOK = /\bbook_id = \$1\b|insert into \w+ \(\s*book_id\b/

test('there are statements to check, and those with filters are checked with each combination', () => {
  assert(named.length > 60)
  assert.equal(named.filter(({ name }) => name.startsWith('deposits listDeposits ')).length, 512)
})

test('every statement names its book', () => {
  const without = named.filter(({ name, text }) => !ACROSS_BOOKS.test(name) && !NAMES_ITS_BOOK.test(text))
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  )
})

/** The book is one of the columns that are written, or compared with that of the row. */
const NAMES_ITS_BOOKS = /\bbook_id = \w+\.book_id\b|insert into \w+ \(\s*book_id\b/

test('every part of a statement over rows of several books names the book of its rows', () => {
  const parts = ofBooks.flatMap(({ name, text }) =>
    [{ text }, ...partsOf(text)].map((part) => ({ name, ...part })),
  )
  assert(parts.length > 10)
  assert.deepEqual(
    parts.filter(({ text }) => !NAMES_ITS_BOOKS.test(text) || text.includes('$1::text,')),
    [],
  )
})

test('every part of a statement that writes names its book', () => {
  const parts = named
    .filter(
      ({ name, text }) => !ACROSS_BOOKS.test(name) && /\b(?:insert into|update|delete from)\b/.test(text),
    )
    .flatMap(({ name, text }) => partsOf(text).map((part) => ({ name, ...part })))
  assert(parts.length > 10)
  // A sharded database sends a part without a book to all workers, and commits what reads it on all of them.
  assert.deepEqual(
    parts.filter(({ text }) => !NAMES_ITS_BOOK.test(text)),
    [],
  )
})

/** A sign-in names an address, and a link or a session is found by its hash alone. */
const ACROSS_CALLERS =
  /^(?:people (?:findPersonByLink|findPeopleByEmail|readMostShared)|sessions findSession|devices findDevices)$/

test('every statement about people names their caller', () => {
  const people = named.filter(
    ({ name }) => /^(?:people|sessions|devices|notices) /.test(name) && !ACROSS_CALLERS.test(name),
  )
  assert(people.length > 10)
  assert.deepEqual(
    people.filter(({ text }) => !/\bcaller_id = \$1\b|insert into \w+ \(\s*caller_id\b/.test(text)),
    [],
  )
})

test('no statement depends on a clock, a sequence or randomness of the database', () => {
  const leaning = /\bnow\(\)|\bcurrent_(?:date|time|timestamp)\b|\bnextval\b|\brandom\(\)|gen_random_uuid/i
  assert.deepEqual(
    named.filter(({ text }) => leaning.test(text)).map(({ name }) => name),
    [],
  )
})

forEachEngine(({ test }) => {
  test('every statement prepares', async (db) => {
    await db.transaction(async (tx) => {
      for (const { name, text } of [...named, ...ofSingles, ...ofBooks]) {
        await tx.query(`prepare probe as ${text}`).catch((error: Error) => {
          throw new Error(`${name}: ${error.message}`)
        })
        await tx.query('deallocate probe')
      }
    })
  })

  test('every key and every index of a book begins with the book, and of people with their caller', async (db) => {
    const indexes = await readIndexes(db)
    assert(indexes.length > 20)
    const elsewhere = indexes.filter(
      ({ table, first }) => !DIRECTORY_TABLES.includes(table) && first !== firstColumnOf(table),
    )
    // A key determines the book, so it is looked up by its hash alone; so are links and sessions of people.
    assert.deepEqual(elsewhere, [
      { table: 'api_keys', index: 'api_keys_key_hash_key', first: 'key_hash' },
      { table: 'people', index: 'people_by_email', first: 'email_key' },
      { table: 'people', index: 'people_link_hash_key', first: 'link_hash' },
      { table: 'person_devices', index: 'person_devices_device_hash_key', first: 'device_hash' },
      { table: 'person_factors', index: 'person_factors_credential_id_key', first: 'credential_id' },
      { table: 'person_sessions', index: 'person_sessions_session_hash_key', first: 'session_hash' },
    ])
    const tables = await db.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = 'public'`,
    )
    const keyed = new Set(indexes.filter(({ index }) => index.endsWith('_pkey')).map(({ table }) => table))
    assert.deepEqual(
      tables.filter(({ name }) => !keyed.has(name)),
      [],
    )
  })

  test('every reference stays in its book', async (db) => {
    const references = await db.query<{ table: string; name: string; first: string }>(
      `select conrelid::regclass::text as table, conname::text as name, attname::text as first
       from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       join pg_class on pg_class.oid = conrelid
       where contype = 'f'
         and connamespace = 'public'::regnamespace
         and conrelid <> 'books'::regclass`,
    )
    assert(references.length > 5)
    assert.deepEqual(
      references.filter(({ table, first }) => first !== firstColumnOf(table)),
      [],
    )
  })
})

/** The common table expressions of a statement. */
function partsOf(statement: string): { part: string; text: string }[] {
  return [...statement.matchAll(/\b(\w+) as (?:materialized )?\(/g)].map(({ 0: opening, 1: part, index }) => {
    const start = index + opening.length
    let depth = 1
    let end = start
    for (; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[statement[end]!] ?? 0
    return { part: part!, text: statement.slice(start, end) }
  })
}

/** A sharded database says in its plans to how many shards a statement is sent. */
if (isCoordinator) {
  test('PostgreSQL: every statement of a book is sent to one worker', async () => {
    const db = await engines.find((engine) => engine.name === 'PostgreSQL')!.open()
    const ofOneBook = named.filter(({ name }) => !ACROSS_BOOKS.test(name))
    await db.transaction(async (tx) => {
      for (const [index, { name, text }] of ofOneBook.entries()) {
        const probe = `probe_${index}`
        await tx.query(`prepare ${probe} as ${text}`)
        const [prepared] = await tx.query<{ types: string[] }>(
          'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
          [probe],
        )
        const [, ...others] = prepared!.types.map((type) => (type.endsWith('[]') ? `'{}'` : 'null'))
        const plan = await tx.query(`explain execute ${probe}(${[`'bk_1'`, ...others].join(', ')})`)
        assert.doesNotMatch(JSON.stringify(plan), /Task Count: (?:[2-9]|\d\d)/, name)
      }
    })
    await db.close()
  })
}

function firstColumnOf(table: string): string {
  return TABLES_OF_A_CALLER.includes(table) ? 'caller_id' : 'book_id'
}

/** One per statement, and one per combination of filters where a statement takes them; of those over rows, each form. */
async function readStatements(): Promise<{ named: Named[]; ofSingles: Named[]; ofBooks: Named[] }> {
  const found: Record<'named' | 'ofSingles' | 'ofBooks', Named[]> = { named: [], ofSingles: [], ofBooks: [] }
  for (const file of globSync(STORES, { cwd: source }).sort()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(source, file)).href)
    const room = file.replace(/^features\//, '').replace(/(?:\/store)?\.ts$/, '')
    const texts = new Set<string>()
    for (const [name, statement] of statementsOf(exported)) {
      const full = `${room} ${name}`
      const forms = formsOf(statement)
      for (const { clauses, text } of textsOf(statement, exported)) {
        texts.add(text)
        found.named.push({ name: clauses === undefined ? full : `${full} ${clauses}`, text })
      }
      if (forms === undefined) continue
      found.named.push({ name: full, text: forms.ofBook })
      found.ofSingles.push({ name: `${full} of single rows`, text: forms.ofSingles })
      found.ofBooks.push({ name: `${full} of several books`, text: forms.ofBooks })
    }
    const written = readFileSync(join(source, file), 'utf8').match(/\bsql`/g)?.length ?? 0
    assert(texts.size >= written, `${file} has ${written} statements, and exports ${texts.size}`)
  }
  return found
}

/** Those that a store runs itself are in `statements`; the others are the functions that it exports. */
function statementsOf(exported: Record<string, unknown>): [string, Statement][] {
  const functions = Object.entries(exported).filter(([, value]) => typeof value === 'function')
  const runs = functions.filter(([, run]) =>
    ['text', 'forms', 'clauses'].some((name) => Object.hasOwn(run as object, name)),
  )
  return [...Object.entries(exported.statements ?? {}), ...runs] as [string, Statement][]
}

function formsOf(statement: Statement): OverRows | undefined {
  if (typeof statement === 'string') return undefined
  return 'ofBook' in statement ? statement : (statement as Run).forms
}

function textsOf(
  statement: Statement,
  exported: Record<string, unknown>,
): { clauses?: string; text: string }[] {
  if (typeof statement === 'string') return [{ text: statement }]
  const { text, forms, clauses, statement: ofList } = statement as Run
  if (text !== undefined) return [{ text }]
  if (clauses !== undefined)
    return [...combinationsOf(clauses)].map((one) => ({ clauses: one, text: ofList!(one) }))
  if (forms !== undefined || typeof statement !== 'function') return []
  const filters = Object.entries(exported).filter(([name]) => name.endsWith('Clauses'))
  const combinations = new Set(filters.flatMap(([, given]) => [...combinationsOf(given as Clauses)]))
  return [...combinations].map((one) => ({ clauses: one, text: statement(one) }))
}

function combinationsOf(clauses: Clauses): Set<string> {
  const filters = Object.keys(clauses)
  const combinations = Array.from({ length: 2 ** filters.length }, (_, chosen) => {
    const wanted = filters.map((filter, bit) => [filter, chosen & (1 << bit) ? 'value' : null])
    return filterClauses(Object.fromEntries(wanted), clauses, 4).text
  })
  return new Set(combinations)
}

function readIndexes(db: Queries): Promise<{ table: string; index: string; first: string }[]> {
  return db.query(
    `select tables.relname::text as table, indexes.relname::text as index, attname::text as first
     from pg_index
     join pg_class tables on tables.oid = indrelid
     join pg_class indexes on indexes.oid = indexrelid
     join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where tables.relnamespace = 'public'::regnamespace
     order by 1, 2`,
  )
}
