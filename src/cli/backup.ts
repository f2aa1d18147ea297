/** Backups of the embedded database in one file each, taken also while a service runs, and their restoration. */

import { statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { createVersionCache } from '../engine/change/version-cache.ts'
import type { Database, Queries } from '../engine/database/database.ts'
import { readApplied } from '../engine/database/migrations.ts'
import { type Manifest, unpackBackup, writeBackup } from '../engine/embedded/backup.ts'
import { prepareDirectory } from '../engine/embedded/data-directory.ts'
import { lockDirectory } from '../engine/embedded/directory-lock.ts'
import { hasCluster } from '../engine/embedded/tables.ts'
import { listBooks } from '../features/callers/store.ts'
import { findLastEvent } from '../features/events/store.ts'
import { verify } from '../features/verification/verify.ts'
import { release } from '../observe/release.ts'
import { timestamp } from '../wire/envelope.ts'
import { type Environment, requiredOption, UsageError } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { withDatabase } from './database.ts'
import { move, nameOf, type Place, placeOf } from './move.ts'
import { MARKER } from './moved.ts'
import { print, printJson, recordText, tableText } from './output.ts'
import { type Read, type ReadSource, runRead } from './reads.ts'
import { STATEMENT_TIMEOUT_MS } from './verify.ts'

/** What a backup says of itself, beside its files. */
type Facts = { version: string; schema: string[]; instant: string; books: BookFacts[] }
type BookFacts = {
  caller_id: string
  mode: string
  last_event_id: string | null
  last_event_at: string | null
}

export type BackupWritten = Omit<Facts, 'schema'> & { file: string; bytes: number }

export function addBackup(program: Command, env: Environment): void {
  program
    .command('backup')
    .argument('<FILE>', 'Where to write the backup; an existing file is replaced.')
    .description('Back the embedded database up into one file, also while the service runs.')
    .option('--json', 'Print the result as JSON.')
    .action(async (file: string, options: { json?: true }) => {
      const config = readConfig(env)
      requireEmbedded(config)
      if (!hasCluster(config.dataDirectory)) {
        throw new UsageError(`There is no embedded database in ${config.dataDirectory}.`)
      }
      const written = await runRead(config, backupRead, { file: resolve(file) })
      if (options.json) return printJson(written)
      print(writtenText(written))
    })
}

export const backupRead: Read<BackupWritten> = {
  name: 'backup',
  answer: ({ db, clock, config }: ReadSource, { file }) =>
    backUp({ db, clock, directory: config.dataDirectory, file: file! }),
}

function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === null) return
  throw new UsageError(
    'This is for the embedded engine. For PostgreSQL run: pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  )
}

export async function backUp(options: {
  db: Database
  clock: () => Date
  directory: string
  file: string
}): Promise<BackupWritten> {
  const { db, clock, directory, file } = options
  const { bytes, manifest } = await writeBackup<Facts>({
    db,
    directory,
    path: file,
    facts: async (held) => ({
      version: release().version,
      schema: await readApplied(held),
      instant: timestamp(clock()),
      books: await bookFacts(held),
    }),
  })
  const { version, instant, books } = manifest
  return { file, bytes, version, instant, books }
}

async function bookFacts(db: Queries): Promise<BookFacts[]> {
  const facts: BookFacts[] = []
  for (const { bookId, callerId, mode } of await listBooks(db)) {
    const last = await findLastEvent(db, bookId)
    facts.push({
      caller_id: callerId,
      mode,
      last_event_id: last?.eventId ?? null,
      last_event_at: last === undefined ? null : timestamp(last.occurredAt),
    })
  }
  return facts
}

type Restored = Pick<Facts, 'version' | 'instant' | 'books'> & { to: string }

export function addRestore(program: Command, env: Environment): void {
  program
    .command('restore')
    .argument('<FILE>', 'A file that breakwater backup wrote.')
    .description(
      'Restore a backup into an empty place, after checking every file of it, and verify the books.',
    )
    .addOption(
      requiredOption('--to <PLACE>', 'A directory without a database, or a URL of an empty PostgreSQL.'),
    )
    .option('--json', 'Print the result as JSON.')
    .action(async (file: string, options: { to: string; json?: true }) => {
      if (!isFile(file)) throw new UsageError(`There is no file ${resolve(file)}.`)
      const restored = await restore(readConfig(env), resolve(file), placeOf(options.to))
      if (options.json) return printJson(restored)
      print(`Restored to ${restored.to} and verified.\n${recordText(restored, ['version', 'instant'])}`)
      print(tableText(BOOK_COLUMNS, restored.books))
    })
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

const BOOK_COLUMNS = ['caller_id', 'mode', 'last_event_id', 'last_event_at'].map((name) => ({ name }))

async function restore(config: Config, file: string, to: Place): Promise<Restored> {
  const { version, instant, books } =
    to.url === null
      ? await restoreIntoDirectory(config, file, to.directory)
      : await restoreIntoServer(config, file, to)
  return { to: nameOf(to), version, instant, books }
}

/** Until everything was checked the cluster lies in another folder, so the place is empty or complete. */
async function restoreIntoDirectory(
  config: Config,
  file: string,
  directory: string,
): Promise<Manifest<Facts>> {
  await prepareDirectory(directory)
  const lock = await lockDirectory(directory)
  const draft = join(directory, 'restoring')
  try {
    if (hasCluster(directory)) throw new UsageError(`There is a database in ${directory} already.`)
    await rm(draft, { recursive: true, force: true })
    const manifest = await unpackAndVerify(config, file, draft)
    await rename(join(draft, 'cluster'), join(directory, 'cluster'))
    // These books are not the ones that were moved away from here.
    await rm(join(directory, MARKER), { force: true })
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
    await lock.release()
  }
}

/** By way of a folder that is removed again: by this process, or if it is killed by the next restore. */
async function restoreIntoServer(config: Config, file: string, to: Place): Promise<Manifest<Facts>> {
  await removeLeftFolders()
  const folder = await mkdtemp(join(tmpdir(), RESTORE_FOLDER))
  const lock = await lockDirectory(folder)
  try {
    const directory = join(folder, 'data')
    const manifest = await unpackAndVerify(config, file, directory)
    await move({ config, from: { url: null, directory }, to, check: false, fromSnapshot: false })
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
    await lock.release()
  }
}

const RESTORE_FOLDER = 'breakwater-restore-'

/** They hold the books. One that is in use, or another user's, cannot be locked. */
async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(RESTORE_FOLDER)) continue
    const folder = join(tmpdir(), name)
    const lock = await lockDirectory(folder).catch(() => null)
    if (lock === null) continue
    await rm(folder, { recursive: true, force: true })
    await lock.release()
  }
}

/** Opening the database also brings its schema up to date. */
async function unpackAndVerify(config: Config, file: string, directory: string): Promise<Manifest<Facts>> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  await mkdir(directory, { mode: 0o700 })
  const manifest = await unpackBackup<Facts>(file, join(directory, 'cluster'))
  const restored = { ...config, databaseUrl: null, dataDirectory: directory }
  await withDatabase({ ...restored, databaseStatementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (db) => {
    const found = JSON.stringify(await bookFacts(db))
    if (found !== JSON.stringify(manifest.books)) {
      throw new Error('The books do not end where the backup says, so nothing was restored.')
    }
    const { difference } = await verify(await listBooks(db), { db, versions: createVersionCache() })
    if (difference === null) return
    throw new Error(`Nothing was restored, because verify finds a difference. Not so: ${difference.claim}.`)
  })
  return manifest
}

function writtenText({ file, bytes, instant, books }: BackupWritten): string {
  return `${file}\n${recordText({ bytes, instant, books: books.length }, ['bytes', 'instant', 'books'])}`
}
