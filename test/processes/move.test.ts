/** The same books on another engine: nothing is missing, nothing is changed, and nothing is half there. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Database } from '../../src/engine/database/database.ts'
import { contentsOf, listTables } from '../../src/engine/database/table-copy.ts'
import { openPglite } from '../../src/engine/embedded/pglite.ts'
import { openEmbeddedTables } from '../../src/engine/embedded/tables.ts'
import { printSchema } from '../../tools/schema.ts'
import { closeBeforeRemoval, type Ended, run, runAlone, serve, temporaryDirectory } from '../cli/program.ts'
import { placeBooks } from '../support/earlier-books.ts'
import { engines, placeMigratedCluster, type TestDatabase } from '../support/engines.ts'

const postgres = engines.find(({ name }) => name === 'PostgreSQL')!
const onPostgres = { skip: postgres.skip }
const UNSAFE_SERVER = { DATABASE_DURABILITY_CHECK: '0' }

/** The demo bank in a directory of its own, and an empty database on a server. */
async function bankAndServer(
  context: TestContext,
): Promise<{ directory: string; db: TestDatabase; url: string }> {
  const directory = await bank(context)
  const db = await postgres.open()
  context.after(() => db.close())
  return { directory, db, url: db.url! }
}

async function bank(context: TestContext): Promise<string> {
  const directory = await temporaryDirectory(context)
  assert.equal((await run(['demo'], { DATA_DIR: directory })).code, 0)
  return directory
}

const moveFrom = (directory: string, ...args: string[]) =>
  run(['move', ...args], { DATA_DIR: directory, ...UNSAFE_SERVER })

function assertEnded(ended: Ended, code: number, sentence: string): void {
  assert.deepEqual([ended.code, ended.stdout, lastLineOf(ended)], [code, '', sentence])
}

/** Without the lines of progress before it. */
function lastLineOf({ stderr }: Ended): string {
  return stderr.trimEnd().split('\n').at(-1)!
}

async function countRows(db: Database): Promise<number> {
  let rows = 0
  for (const { name } of await listTables(db)) {
    const [counted] = await db.query<{ count: bigint }>(`select count(*) as count from "${name}"`)
    rows += Number(counted!.count)
  }
  return rows
}

test('books move to PostgreSQL and back, and are equal at every place', onPostgres, async (context) => {
  const { directory, db, url } = await bankAndServer(context)
  const other = join(await temporaryDirectory(context), 'moved', 'back')
  const schema = await printSchema(db)

  const planned = JSON.parse((await moveFrom(directory, '--to', url, '--check', '--json')).stdout)
  const there = await moveFrom(directory, '--to', url, '--json')
  assert.equal(there.code, 0, there.stderr)
  const moved = JSON.parse(there.stdout)
  assert.deepEqual(moved, planned)
  assert(moved.rows > 100 && moved.tables.some(({ rows }: { rows: number }) => rows > 20))

  // The pool of the test counts as a service, so the way back is from a snapshot.
  const back = await moveFrom(directory, '--from', url, '--to', other, '--from-snapshot', '--json')
  assert.equal(back.code, 0, back.stderr)
  assert.deepEqual(JSON.parse(back.stdout), moved)
  assert.match((await run(['verify'], { DATA_DIR: other })).stdout, /^There is no difference/)

  // Indexes and references are removed while rows are loaded.
  const embedded = await openPglite({ directory: other })
  closeBeforeRemoval(context, embedded)
  assert.equal(await printSchema(db), schema)
  assert.equal(await printSchema(embedded), schema)
})

test('a directory of 0.1.0 moves to PostgreSQL once it is migrated', onPostgres, async (context) => {
  const directory = await temporaryDirectory(context)
  const old = await openPglite({ directory })
  await placeBooks(old, '0.1.0')
  await old.close()
  const db = await postgres.open()
  context.after(() => db.close())
  for (const args of [['--check'], []]) {
    assertEnded(
      await moveFrom(directory, '--to', db.url!, ...args),
      1,
      'The source has another schema; run breakwater migrate on it with this program first.',
    )
  }
  assert.equal(await countRows(db), 0)
  const migrated = await run(['migrate'], { DATA_DIR: directory })
  assert.equal(migrated.code, 0, migrated.stderr)
  const moved = await moveFrom(directory, '--to', db.url!, '--json')
  assert.equal(moved.code, 0, moved.stderr)
  const { tables } = JSON.parse(moved.stdout)
  const rowsOf = (name: string) => tables.find(({ table }: { table: string }) => table === name).rows
  assert.deepEqual([rowsOf('callers'), rowsOf('books')], [1, 2])
  const broken = await db.query<{ count: bigint }>('select count(*) as count from liquidations')
  assert.equal(BigInt(rowsOf('liquidations')), broken[0]!.count)
  const verified = await run(['verify'], { DATABASE_URL: db.url!, ...UNSAFE_SERVER })
  assert.match(verified.stdout, /^There is no difference/)
  assert(rowsOf('liquidations') >= 12)
})

test('a move says how much was moved and what to do next', async (context) => {
  const directory = await bank(context)
  const other = join(await temporaryDirectory(context), 'other')
  const { code, stdout } = await moveFrom(directory, '--to', other)
  assert.equal(code, 0)
  assert.match(stdout, /^Moved to .*other, read back and verified:\n/)
  assert.match(stdout, /\n {2}deposits +\d+\n/)
  assert.match(
    stdout,
    /\n {2}digest +[0-9a-f]{64}\nNext: export DATA_DIR=.*other, then start the service\.\n$/,
  )
  const marker = JSON.parse(await readFile(join(directory, 'moved.json'), 'utf8'))
  assert.equal(marker.to, other)
  assertEnded(
    await runAlone(['serve'], { DATA_DIR: directory, PORT: '0' }),
    2,
    `The books in ${directory} were moved to ${other} at ${marker.at}. Serve those; --force serves these.`,
  )
  const forced = await serve(context, { DATA_DIR: directory, DRAIN_MS: '0' }, ['--force'])
  assert.equal((await forced.stop()).code, 0)
})

test('links and sessions stay behind, people do not', onPostgres, async (context) => {
  const { directory, db, url } = await bankAndServer(context)
  const source = await openPglite({ directory })
  await source.query(
    `update people set link_hash = person_id, link_purpose = 'RESET', link_expires_at = now()`,
  )
  await source.query(
    `insert into person_sessions (caller_id, person_id, session_id, session_hash, started_at, signed_in_at, last_seen_at)
     select caller_id, person_id, 'ses_' || person_id, person_id, now(), now(), now()
     from people`,
  )
  await source.close()
  assert.equal((await moveFrom(directory, '--to', url)).code, 0)
  const people = await db.query<{ links: bigint; people: bigint }>(
    'select count(link_hash) as links, count(*) as people from people',
  )
  assert.deepEqual(people, [{ links: 0n, people: 4n }])
  assert.deepEqual(await db.query('select session_id from person_sessions'), [])
})

test('a target with rows, and services at the source, are refused', onPostgres, async (context) => {
  const { directory, db, url } = await bankAndServer(context)
  await db.query(
    `insert into callers (caller_id, name, time_zone, currency, created_at) values ('c', 'C', 'UTC', 'NGN', now())`,
  )
  for (const args of [['--check'], []]) {
    assertEnded(
      await moveFrom(directory, '--to', url, ...args),
      1,
      'The target is not empty: callers has rows.',
    )
  }
  // A connection that is in use, because the pool closes idle ones.
  const refused = await db.transaction(async (tx) => {
    await tx.query('select 1')
    return moveFrom(directory, '--from', url, '--to', join(directory, 'other'))
  })
  assertEnded(
    refused,
    2,
    'Services are connected to the source. Stop them first, or use --from-snapshot: later changes then stay behind.',
  )
})

test('a directory in use, the same place twice and a place without books are refused', async (context) => {
  const directory = await bank(context)
  const empty = await temporaryDirectory(context)
  assertEnded(await moveFrom(directory, '--to', directory), 2, 'Source and target are the same database.')
  assertEnded(await moveFrom(empty, '--to', directory), 2, `There is no embedded database in ${empty}.`)
  assertEnded(
    await moveFrom(directory, '--to', 'https://bank.example.com'),
    2,
    'Name a URL of PostgreSQL or a directory.',
  )
  const running = await openPglite({ directory })
  const refused = await moveFrom(directory, '--to', empty)
  await running.close()
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /is in use by process \d+/)
})

test('a table that reads differently afterwards leaves the target empty', onPostgres, async (context) => {
  const { directory, db, url } = await bankAndServer(context)
  await db.script(`
    create function spoil() returns trigger language plpgsql as $$ begin
      new.address := new.address || ' ';
      return new;
    end $$;
    create trigger spoil before insert on customers for each row execute function spoil();`)
  assertEnded(
    await moveFrom(directory, '--to', url),
    1,
    'The table customers reads differently in the target, so nothing was moved.',
  )
  assert.equal(await countRows(db), 0)
  // The schema was changed: the next test must not get this database.
  await db.script('drop function spoil cascade')
})

test('books with a difference are not moved, and the source is not marked', onPostgres, async (context) => {
  const { directory, db, url } = await bankAndServer(context)
  const source = await openPglite({ directory })
  await source.query('update accounts set balance_minor = balance_minor + 1')
  await source.close()
  assertEnded(
    await moveFrom(directory, '--to', url),
    1,
    'Nothing was moved, because verify finds a difference. ' +
      'Not so: the balance of an account is the sum of its lines.',
  )
  assert.equal(await countRows(db), 0)
  await assert.rejects(readFile(join(directory, 'moved.json')))
})

test('pages of the embedded engine are the whole table, whatever their size', async (context) => {
  const directory = await bank(context)
  const digests: unknown[] = []
  for (const pageBytes of [1, 3000, 2 ** 26]) {
    const tables = await openEmbeddedTables(directory, pageBytes)
    const events = (await listTables(tables)).find(({ name }) => name === 'events')!
    digests.push(await contentsOf(tables.read(events)))
    await tables.close()
  }
  assert.deepEqual(digests, [digests[0], digests[0], digests[0]])
})

test('a page begins after the last key of the page before, whatever is in the key', async (context) => {
  const directory = await temporaryDirectory(context)
  await placeMigratedCluster(directory)
  const tables = await openEmbeddedTables(directory, 1)
  closeBeforeRemoval(context, tables)
  const names = ['', ' ', "o'clock", '\\.', '\\N', '\b\t\n\v\f\r', '\u{1F600}', 'a', 'B', 'é'].sort()
  await tables.query('insert into used_once (name, until) select unnest($1::text[]), now()', [names])
  const table = (await listTables(tables)).find(({ name }) => name === 'used_once')!
  let rows = 0
  for await (const _ of tables.read(table)) {
    // A page that was found by its number would now leave rows out.
    await tables.query('delete from used_once where name = $1', [names[rows]])
    rows += 1
  }
  assert.deepEqual([rows, await tables.query('select name from used_once')], [names.length, []])
})
