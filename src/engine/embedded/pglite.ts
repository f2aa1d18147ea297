/**
 * The embedded engine: PostgreSQL itself, in a thread of this process, in a directory or in memory.
 *
 * Guarantees of an engine in a directory:
 * - One process per directory (directory-lock.ts); a copy of a directory in use is recognised (directory-mark.ts).
 * - A committed change is on the disk: checked at every start by counting fsync calls around a commit.
 * - An engine that fails, or does not respond for too long, ends the process with an error message; the next start
 *   recovers by itself. When the disk is nearly full, changes are rejected long before that, and reads still work.
 * - Queries and transactions run one at a time, in order; the wait for a turn is bounded.
 */
import { writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type Database, StorageFullError } from '../database/database.ts'
import { createPooledDatabase, pooledConnection } from '../database/pooled-database.ts'
import { prepareDirectory } from './data-directory.ts'
import { lockDirectory } from './directory-lock.ts'
import { markDirectory } from './directory-mark.ts'
import { type Engine, startEngine } from './engine.ts'
import { startUpkeep } from './upkeep.ts'

type PgliteOptions = {
  /** Absent: in memory. */
  directory?: string
  /** A tar of a cluster that an engine in memory starts from. */
  template?: string
  turnWaitMs?: number
  silenceMaxMs?: number
  freeSpaceMinBytes?: number
  checkpointWalBytes?: number
  upkeepIntervalMs?: number
  vacuumIntervalMs?: number
  /** Called where the directory seems to be a copy; by default the sentence is printed. */
  onCopy?: (sentence: string) => void
  /** What to do when the engine is lost; by default the reason is printed and the process ends. */
  onDeath?: (sentence: string) => void
}

export async function openPglite(options: PgliteOptions): Promise<Database> {
  if (options.directory === undefined) return openEngine(await start(options, null), options)
  const directory = resolve(options.directory)
  await prepareDirectory(directory)
  const lock = await lockDirectory(directory)
  try {
    const unmark = await markDirectory(directory, options.onCopy ?? print)
    const cluster = join(directory, 'cluster')
    // Left behind by a killed process; safe to remove only because this process holds the lock.
    await rm(join(cluster, 'postmaster.pid'), { force: true })
    const db = await openDurably(await start(options, cluster), directory, options)
    return {
      ...db,
      async close() {
        await db.close()
        await unmark()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openDurably(engine: Engine, directory: string, options: PgliteOptions): Promise<Database> {
  const db = openEngine(engine, options)
  try {
    await proveDurability(db, engine)
    const upkeep = await startUpkeep(db, {
      directory,
      freeSpaceMinBytes: options.freeSpaceMinBytes ?? 256 * MEBIBYTE,
      checkpointWalBytes: options.checkpointWalBytes ?? 64 * MEBIBYTE,
      checkpointIntervalMs: 300_000,
      intervalMs: options.upkeepIntervalMs ?? 1000,
      vacuumIntervalMs: options.vacuumIntervalMs ?? 10_000,
      onFailure: (error) => deathOf(options)(`The upkeep of the database failed: ${String(error)}`),
    })
    return {
      ...db,
      async close() {
        await upkeep.stop()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

const MEBIBYTE = 2 ** 20

function start(options: PgliteOptions, cluster: string | null): Promise<Engine> {
  return startEngine({
    cluster,
    template: options.template ?? null,
    silenceMaxMs: options.silenceMaxMs ?? 30_000,
    onDeath: deathOf(options),
  })
}

function deathOf(options: PgliteOptions): (sentence: string) => void {
  return options.onDeath ?? endProcess
}

function endProcess(sentence: string): void {
  print(sentence)
  process.exit(1)
}

/** Written synchronously: what console.error buffers would be lost with the process. */
function print(sentence: string): void {
  writeSync(process.stderr.fd, `${sentence}\n`)
}

/** A database over a running engine. */
export function openEngine(engine: Engine, options: PgliteOptions): Database {
  const pool = new pg.Pool({
    ...pooledConnection,
    // Given in full, because the driver would take missing options from the environment.
    user: 'postgres',
    database: 'postgres',
    host: 'embedded',
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: options.turnWaitMs ?? 10_000,
    stream: () => engine.connect(),
  })
  const db = createPooledDatabase({
    pool,
    async runScript(text) {
      const client = await pool.connect()
      try {
        await client.query(text)
      } finally {
        client.release()
      }
    },
    translate: (error) =>
      error.sqlState === READ_ONLY || error.sqlState === DISK_FULL ? new StorageFullError(error) : error,
  })
  return {
    ...db,
    async close() {
      await db.close()
      await engine.stop()
    },
  }
}

/** The upkeep makes the engine read-only when space is short. */
const READ_ONLY = '25006'
const DISK_FULL = '53100'

export async function proveDurability(db: Database, engine: Engine): Promise<void> {
  const before = engine.syncCount()
  await db.query(`select pg_logical_emit_message(true, 'breakwater', 'is this commit synced?')`)
  if (engine.syncCount() > before) return
  throw new Error('The embedded engine committed without an fsync, so it would lose answered changes.')
}
