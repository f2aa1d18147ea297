/** Opens the configured database and brings its schema up to date, which every command does first. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isStarting } from '../engine/database/database.ts'
import { migrate } from '../engine/database/migrations.ts'
import { openPostgres, type PostgresOptions } from '../engine/database/postgres.ts'
import { readFromStandby, requireCopy } from '../engine/database/standby.ts'
import { DataDirectoryError } from '../engine/embedded/data-directory.ts'
import { DirectoryInUseError, lockDirectory } from '../engine/embedded/directory-lock.ts'
import { openPglite } from '../engine/embedded/pglite.ts'
import { sentenceOf } from './command.ts'
import { createService, type Service } from './compose.ts'
import type { Config } from './config.ts'

const MIGRATIONS = new URL('../../migrations', import.meta.url)

/** How a start waits for a database that is starting itself. */
export type Wait = {
  /** Called once, before the first wait. */
  onWait: (reason: string) => void
  /** Ends the wait. */
  stopped: Promise<unknown>
}

/** Without `wait` a database that cannot be opened now fails immediately. */
export async function openDatabase(
  config: Config,
  wait?: Wait,
): Promise<{ db: Database; applied: string[] }> {
  const db = wait === undefined ? await connect(config) : await connectWhenReady(config, wait)
  try {
    return { db, ...(await migrate(db, MIGRATIONS)) }
  } catch (error) {
    await db.close()
    throw error
  }
}

export async function withDatabase<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { db } = await openDatabase(config)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export function createServiceOver(
  db: Database,
  config: Config,
  more: Pick<Parameters<typeof createService>[0], 'observeBatch' | 'addressGuard'> = {},
): Service {
  return createService({
    db,
    ...more,
    clock: () => new Date(),
    testClockRolloversMax: config.testClockRolloversMax,
    limits: {
      // The embedded engine has one connection: a second worker would only take its batch too early.
      workers: config.databaseUrl === null ? 1 : config.batchLanes,
      batchMax: config.batchMax,
      queueMax: config.queueMax,
      waitMaxMs: config.queueWaitMaxMs,
    },
  })
}

const ATTEMPT_EVERY_MS = 500

async function connectWhenReady(config: Config, { onWait, stopped }: Wait): Promise<Database> {
  const giveUpAtMs = performance.now() + config.databaseWaitSeconds * 1000
  let [isStopped, hasSaid] = [false, false]
  void stopped.then(() => {
    isStopped = true
  })
  for (;;) {
    try {
      return await connect(config)
    } catch (error) {
      if (!isStarting((error as Error).cause) || isStopped || performance.now() >= giveUpAtMs) throw error
      if (!hasSaid) onWait(sentenceOf(error))
      hasSaid = true
      await Promise.race([sleep(ATTEMPT_EVERY_MS), stopped])
    }
  }
}

/** Throws only where another process uses the data directory. */
export async function requireFreeDirectory({ databaseUrl, dataDirectory }: Config): Promise<void> {
  if (databaseUrl !== null || !existsSync(dataDirectory)) return
  try {
    await (await lockDirectory(resolve(dataDirectory))).release()
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw error
  }
}

async function connect(config: Config): Promise<Database> {
  try {
    if (config.databaseUrl === null) return await openPglite({ directory: config.dataDirectory })
    return await openPostgres(postgresOptions(config, config.databaseUrl))
  } catch (error) {
    if (error instanceof DirectoryInUseError || error instanceof DataDirectoryError) throw error
    const place =
      config.databaseUrl === null
        ? `The database in the directory ${resolve(config.dataDirectory)}`
        : 'The database of DATABASE_URL'
    throw cannotBeOpened(place, error)
  }
}

function cannotBeOpened(place: string, error: unknown): Error {
  return new Error(`${place} cannot be opened: ${sentenceOf(error).replace(/\.$/, '')}.`, { cause: error })
}

/**
 * The standby, where one is configured. With `onFailure` the primary answers while the standby cannot, and also
 * everything but single reads.
 */
export async function openStandby(
  config: Config,
  primary: Database,
  onFailure?: (reason: string) => void,
): Promise<Database | null> {
  const url = config.databaseUrlReadonly
  if (url === null) return null
  const open = () => openCopy({ config, url, primary })
  try {
    if (onFailure === undefined) return await open()
    return await readFromStandby({
      primary,
      open,
      onFailure: (error) => onFailure(sentenceOf(error)),
      pauseMs: STANDBY_PAUSE_MS,
    })
  } catch (error) {
    throw cannotBeOpened('The database of DATABASE_URL_READONLY', error)
  }
}

const STANDBY_PAUSE_MS = 10_000

async function openCopy(asked: { config: Config; url: string; primary: Database }): Promise<Database> {
  const { config, url, primary } = asked
  let standby: Database | null = null
  try {
    standby = await openPostgres({ ...postgresOptions(config, url), readOnly: true })
    await requireCopy(standby, primary)
    return standby
  } catch (error) {
    await standby?.close()
    throw error
  }
}

function postgresOptions(config: Config, url: string): PostgresOptions {
  return {
    url,
    connectionsMax: config.databaseConnectionsMax,
    connectionWaitMs: config.databaseConnectionWaitMs,
    queryTimeoutMs: config.databaseQueryTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    lockTimeoutMs: config.databaseLockTimeoutMs,
    idleInTransactionTimeoutMs: config.databaseIdleInTransactionTimeoutMs,
    durabilityChecked: config.databaseDurabilityChecked,
  }
}
