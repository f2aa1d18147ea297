/** Opens the configured database and brings its schema up to date, which every command does first. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isStarting, type Queries } from '../engine/database/database.ts'
import { listKnown, migrate } from '../engine/database/migrations.ts'
import { type Connection, openPostgres, type PostgresOptions } from '../engine/database/postgres.ts'
import { requireCurrent, requireStandby } from '../engine/database/replay.ts'
import { type OpenedStandby, readFromStandby, requireCopy, type Standby } from '../engine/database/standby.ts'
import { DataDirectoryError } from '../engine/embedded/data-directory.ts'
import { DirectoryInUseError, lockDirectory } from '../engine/embedded/directory-lock.ts'
import { DirectoryCopiedError } from '../engine/embedded/directory-mark.ts'
import { openPglite } from '../engine/embedded/pglite.ts'
import { sentenceOf } from './command.ts'
import { createService, type Service } from './compose.ts'
import { type Config, type DatabaseUrl, databaseUrlsOf } from './config.ts'

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

/** Every migration of this program. */
export function listMigrations(): Promise<string[]> {
  return listKnown(MIGRATIONS)
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
  more: Pick<
    Parameters<typeof createService>[0],
    'observeBatch' | 'addressGuard' | 'lastBackup' | 'clockWatch'
  > = {},
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

const TURN_WAIT_MS = 10_000

async function connect(config: Config): Promise<Database> {
  try {
    const { primary } = databaseUrlsOf(config)
    if (primary === null) {
      // Where statements may take longer, so may the turn of the next one.
      const turnWaitMs = Math.max(TURN_WAIT_MS, config.databaseStatementTimeoutMs)
      return await openPglite({ directory: config.dataDirectory, turnWaitMs })
    }
    return await openPostgres(postgresOptions(config, primary))
  } catch (error) {
    if (isAboutDirectory(error)) throw error
    const place =
      config.databaseUrl === null
        ? `The database in the directory ${resolve(config.dataDirectory)}`
        : 'The database of DATABASE_URL'
    throw cannotBe('opened', place, error)
  }
}

/** Says by itself which directory it is about. */
function isAboutDirectory(error: unknown): boolean {
  return [DirectoryInUseError, DirectoryCopiedError, DataDirectoryError].some((kind) => error instanceof kind)
}

function cannotBe(use: 'opened' | 'read', place: string, error: unknown): Error {
  return new Error(`${place} cannot be ${use}: ${sentenceOf(error).replace(/\.$/, '')}.`, { cause: error })
}

/** The standby for the console, where one is configured; the primary answers while it cannot. */
export async function openStandby(
  config: Config,
  primary: Database,
  onFailure: (reason: string) => void,
): Promise<Standby | null> {
  const { standby: url } = databaseUrlsOf(config)
  if (url === null) return null
  return readFromStandby({
    primary,
    open: () =>
      openCopy({ config, url, primary, admit: (connection) => requireStandby(connection, primary) }),
    onFailure: (error) => onFailure(sentenceOf(error)),
    pauseMs: STANDBY_PAUSE_MS,
    waitMs: config.standbyWaitMs,
  }).catch(refuseStandby('opened'))
}

/**
 * What certifies the books reads this: a standby of which each connection had replayed, when it was opened, everything that
 * the primary had written by then. Without one, and where the books are spread over several servers with positions of their
 * own, it is the primary. `recheck` rejects where the standby has become something else since.
 */
export async function openCertified(
  config: Config,
  primary: Database,
): Promise<{ db: Database; recheck: () => Promise<void>; close: () => Promise<void> }> {
  const { standby: url } = databaseUrlsOf(config)
  if (url === null || primary.isSharded) {
    return { db: primary, recheck: async () => undefined, close: async () => undefined }
  }
  const admit = async (connection: Queries) => ({
    started: await requireCurrent(connection, primary, config.standbyWaitMs),
  })
  const { db } = await openCopy({ config, url, primary, admit }).catch(refuseStandby('opened'))
  return {
    db,
    recheck: () => requireStandby(db, primary).then(() => undefined, refuseStandby('read')),
    close: () => db.close(),
  }
}

const STANDBY_PAUSE_MS = 10_000

function refuseStandby(use: 'opened' | 'read'): (error: unknown) => never {
  return (error) => {
    throw cannotBe(use, 'The database of DATABASE_URL_READONLY', error)
  }
}

async function openCopy(options: {
  config: Config
  url: DatabaseUrl
  primary: Database
  admit: (connection: Queries) => Promise<{ started: string }>
}): Promise<OpenedStandby> {
  const { config, url, primary } = options
  /** The start time of the server, by connection. */
  const servers = new Map<object, string>()
  const admit = async (connection: Connection) => {
    const { started } = await options.admit(connection)
    servers.set(connection, started)
    connection.onEnd(() => servers.delete(connection))
  }
  let standby: Database | null = null
  try {
    standby = await openPostgres({ ...postgresOptions(config, url), readOnly: true, admit })
    await requireCopy(standby, primary)
    return { db: standby, isOneServer: () => new Set(servers.values()).size === 1 }
  } catch (error) {
    await standby?.close()
    throw error
  }
}

function postgresOptions(config: Config, url: DatabaseUrl): PostgresOptions {
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
