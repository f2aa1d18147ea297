/**
 * Moves all books to another database: from the embedded engine to PostgreSQL, back, or between two of a kind.
 *
 * Guarantees: the source is read in one snapshot and its rows are never changed. The target is filled in one transaction,
 * which commits only if every table reads back as it was read from the source and `verify` finds no difference there; so
 * a move that is killed at any moment leaves the target empty or complete. An embedded source is marked as moved before
 * that commit, so that two copies of a book are never served without anybody noticing.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { createVersionCache } from '../engine/change/version-cache.ts'
import { type Database, isUnavailable, type Queries } from '../engine/database/database.ts'
import { readApplied } from '../engine/database/migrations.ts'
import {
  beginFilling,
  beginReading,
  type Contents,
  commitFilling,
  contentsOf,
  countServiceConnections,
  digestOfAll,
  findFilled,
  listTables,
  measured,
  openPostgresTables,
  type Table,
  type TableStore,
  withoutIndexes,
} from '../engine/database/table-copy.ts'
import { hasCluster, openEmbeddedTables } from '../engine/embedded/tables.ts'
import { listBooks } from '../features/callers/store.ts'
import { verify } from '../features/verification/verify.ts'
import { type Environment, requiredOption, UsageError, valueOption } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { listMigrations, openDatabase } from './database.ts'
import { MARKER } from './moved.ts'
import { listText, print, printJson } from './output.ts'
import { createProgress } from './progress.ts'

/** A PostgreSQL database or the directory of an embedded one. */
export type Place = { url: string; directory: null } | { url: null; directory: string }

type MoveOptions = { to: string; from?: string; check?: true; fromSnapshot?: true; json?: true }

export function addMove(program: Command, env: Environment): void {
  program
    .command('move')
    .description('Move all books to another database, and check there that nothing is missing or changed.')
    .addOption(requiredOption('--to <PLACE>', 'A URL of PostgreSQL, or a directory for the embedded engine.'))
    .addOption(valueOption('--from <PLACE>', 'The same; by default the configured database.'))
    .option('--check', 'Only check that a move could start, and print what would be moved. Changes nothing.')
    .option('--from-snapshot', 'Move although services are connected; what they change later stays behind.')
    .option('--json', 'Print the result as JSON.')
    .action(async (options: MoveOptions) => {
      const config = readConfig(env)
      const from = options.from === undefined ? configuredPlace(config) : placeOf(options.from)
      const to = placeOf(options.to)
      const { check = false, fromSnapshot = false } = options
      const moved = await move({ config, from, to, check, fromSnapshot })
      if (options.json) return printJson(moved)
      print(textOf(moved, to, check))
    })
}

export function placeOf(text: string): Place {
  if (/^postgres(ql)?:/.test(text)) {
    if (!URL.canParse(text)) throw new UsageError('The URL of a database is not valid.')
    return { url: text, directory: null }
  }
  if (/^[a-z]+:\/\//.test(text)) throw new UsageError('Name a URL of PostgreSQL or a directory.')
  return { url: null, directory: resolve(text) }
}

function configuredPlace({ databaseUrl, dataDirectory }: Config): Place {
  return databaseUrl === null
    ? { url: null, directory: resolve(dataDirectory) }
    : { url: databaseUrl, directory: null }
}

/** Without the password. */
export function nameOf({ url, directory }: Place): string {
  if (url === null) return directory
  const { hostname, port, pathname } = new URL(url)
  return `postgresql://${hostname}${port && `:${port}`}${pathname}`
}

export type Moved = { tables: ({ table: string } & Contents)[]; rows: number; digest: string }

export async function move(options: {
  config: Config
  from: Place
  to: Place
  check: boolean
  fromSnapshot: boolean
}): Promise<Moved> {
  const { config, from, to } = options
  requireDifferent(from, to)
  const source = await openSource(from)
  const progress = createProgress()
  try {
    if (from.url !== null && !options.fromSnapshot) await requireNoServices(source)
    await beginReading(source)
    const applied = await readApplied(source)
    if (applied.length === 0) throw new UsageError(`There are no books in ${nameOf(from)}.`)
    await requireThisSchema(applied)
    if (options.check) {
      await checkTarget(to)
      return movedOf(await readAll(source, progress.show))
    }
    await prepareTarget(config, to)
    const target = await openTables(to)
    try {
      return movedOf(await fill(target, { source, from, to, show: progress.show }))
    } finally {
      await target.close()
    }
  } finally {
    progress.end()
    await source.close()
  }
}

function requireDifferent(from: Place, to: Place): void {
  const same =
    from.url === null
      ? to.url === null && realPath(from.directory) === realPath(to.directory)
      : to.url !== null && nameOf(from) === nameOf(to)
  if (same) throw new UsageError('Source and target are the same database.')
}

function realPath(directory: string): string {
  return existsSync(directory) ? realpathSync(directory) : directory
}

async function openSource(from: Place): Promise<TableStore> {
  if (from.url === null && !hasCluster(from.directory)) {
    throw new UsageError(`There is no embedded database in ${from.directory}.`)
  }
  return openTables(from)
}

function openTables({ url, directory }: Place): Promise<TableStore> {
  return url === null ? openEmbeddedTables(directory) : openPostgresTables({ connectionString: url })
}

async function requireNoServices(source: Queries): Promise<void> {
  if ((await countServiceConnections(source)) === 0) return
  throw new UsageError(
    'Services are connected to the source. Stop them first, or use --from-snapshot: later changes then stay behind.',
  )
}

async function checkTarget(to: Place): Promise<void> {
  if (to.url === null && !hasCluster(to.directory)) return
  const target = await openTables(to)
  try {
    await requireEmpty(target, await listTables(target))
  } finally {
    await target.close()
  }
}

async function requireEmpty(target: Queries, tables: readonly Table[]): Promise<void> {
  const filled = await findFilled(target, tables)
  if (filled.length > 0) throw new Error(`The target is not empty: ${filled.join(', ')} has rows.`)
}

/** The target gets the schema of this program, which must be that of the source. */
async function requireThisSchema(applied: readonly string[]): Promise<void> {
  if (applied.join() === (await listMigrations()).join()) return
  throw new Error('The source has another schema; run breakwater migrate on it with this program first.')
}

async function prepareTarget(config: Config, to: Place): Promise<void> {
  const directory = to.directory ?? config.dataDirectory
  const { db } = await openDatabase({ ...config, databaseUrl: to.url, dataDirectory: directory })
  try {
    await requireEmpty(db, await listTables(db))
    if (db.isSharded) throw new Error('The target is sharded; move to a single server first, then shard it.')
  } finally {
    await db.close()
  }
}

/** People sign in again; links are asked for again. */
const LEFT_OUT: readonly string[] = ['person_sessions']
const EMPTIED: Readonly<Record<string, readonly string[]>> = {
  people: ['link_hash', 'link_purpose', 'link_expires_at'],
}

async function listMoved(db: Queries): Promise<Table[]> {
  return (await listTables(db)).filter(({ name }) => !LEFT_OUT.includes(name))
}

async function readAll(
  source: TableStore,
  show: (text: string) => void,
): Promise<ReadonlyMap<string, Contents>> {
  const contents = new Map<string, Contents>()
  for (const table of await listMoved(source)) {
    show(`reading ${table.name}`)
    contents.set(table.name, await contentsOf(source.read(table, EMPTIED[table.name])))
  }
  return contents
}

/** All in one transaction of the target. */
async function fill(
  target: TableStore,
  { source, from, to, show }: { source: TableStore; from: Place; to: Place; show: (text: string) => void },
): Promise<ReadonlyMap<string, Contents>> {
  const tables = await listTables(target)
  await beginFilling(target, tables)
  // Again, now that nobody else can write.
  await requireEmpty(target, tables)
  const contents = new Map<string, Contents>()
  for (const table of await listMoved(target)) {
    contents.set(table.name, await copyTable(table, { source, target, show }))
  }
  // Verify needs memory, too.
  await source.endReading()
  await requireVerified(target, show)
  const marker = from.url === null ? await markMoved(from.directory, to, contents) : null
  await commit(target, marker)
  // These books are not the ones that were moved away from there.
  if (to.url === null) await rm(join(to.directory, MARKER), { force: true })
  return contents
}

async function copyTable(
  table: Table,
  { source, target, show }: { source: TableStore; target: TableStore; show: (text: string) => void },
): Promise<Contents> {
  const emptied = EMPTIED[table.name]
  const reading = measured(source.read(table, emptied))
  const rows = showing(reading.rows, () => show(`${table.name}: ${reading.sofar()} rows`))
  await withoutIndexes(target, table, () => target.load(table, rows))
  const read = reading.contents()
  const written = await contentsOf(target.read(table, emptied))
  if (read.rows !== written.rows || read.digest !== written.digest) {
    throw new Error(`The table ${table.name} reads differently in the target, so nothing was moved.`)
  }
  return read
}

async function* showing(rows: AsyncIterable<Uint8Array>, show: () => void): AsyncIterable<Uint8Array> {
  for await (const chunk of rows) {
    show()
    yield chunk
  }
}

async function requireVerified(target: TableStore, show: (text: string) => void): Promise<void> {
  const db = insideTransaction(target)
  const books = await listBooks(target)
  const { difference } = await verify(books, {
    db,
    versions: createVersionCache(),
    observe: (_, table, checked) => show(`verifying: ${checked[table]} ${table.replaceAll('_', ' ')}`),
  })
  if (difference === null) return
  throw new Error(`Nothing was moved, because verify finds a difference. Not so: ${difference.claim}.`)
}

/** Transactions that only read, one after the other, inside the open transaction of a session. */
function insideTransaction(session: Queries): Pick<Database, 'query' | 'transaction'> {
  const [statements, transactions] = [createQueue(), createQueue()]
  const query = <Row>(text: string, values?: readonly unknown[]) =>
    statements(() => session.query<Row>(text, values))
  const tx = { query, write: refuseWrite, written: async () => {} }
  return { query, transaction: (work) => transactions(() => work(tx)) }
}

function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

function refuseWrite(): never {
  throw new Error('A verification writes nothing.')
}

async function markMoved(
  directory: string,
  to: Place,
  contents: ReadonlyMap<string, Contents>,
): Promise<string> {
  const marker = join(directory, MARKER)
  const record = {
    move_id: randomUUID(),
    to: nameOf(to),
    at: new Date().toISOString(),
    digest: digestOfAll(contents),
  }
  await writeFile(marker, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true })
  return marker
}

async function commit(target: TableStore, marker: string | null): Promise<void> {
  try {
    await commitFilling(target)
  } catch (error) {
    if (isUnavailable(error)) {
      throw new Error('The answer to the commit was lost; move --check says whether the target is empty.')
    }
    if (marker !== null) await rm(marker, { force: true })
    throw error
  }
}

function movedOf(contents: ReadonlyMap<string, Contents>): Moved {
  const tables = [...contents].map(([table, { rows, digest }]) => ({ table, rows, digest }))
  return { tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0), digest: digestOfAll(contents) }
}

function textOf({ tables, rows, digest }: Moved, to: Place, isCheck: boolean): string {
  const counts = tables
    .filter((table) => table.rows > 0)
    .map(({ table, rows }) => [table.replaceAll('_', ' '), String(rows)] as const)
  const list = listText([...counts, ['all', String(rows)], ['digest', digest]])
  if (isCheck) return `A move could start. It would move:\n${list}`
  const next = to.url === null ? `export DATA_DIR=${to.directory}` : 'export DATABASE_URL=…'
  return `Moved to ${nameOf(to)}, read back and verified:\n${list}\nNext: ${next}, then start the service.`
}
