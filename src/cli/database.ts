/** Opens the database that the settings name and brings its schema up to date, which every command does first. */
import { resolve } from 'node:path'
import type { Database } from '../engine/database/database.ts'
import { migrate } from '../engine/database/migrations.ts'
import { openPostgres } from '../engine/database/postgres.ts'
import { DirectoryInUseError } from '../engine/embedded/directory-lock.ts'
import { openPglite } from '../engine/embedded/pglite.ts'
import { sentenceOf } from './command.ts'
import { createService, type Service } from './compose.ts'
import type { Config } from './config.ts'

const MIGRATIONS = new URL('../../migrations', import.meta.url)

export async function openDatabase(config: Config): Promise<{ db: Database; applied: string[] }> {
  const db = await connect(config)
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
      // The embedded engine has one connection: a second lane would only take its batch too early.
      lanes: config.databaseUrl === null ? 1 : config.batchLanes,
      batchMax: config.batchMax,
      queueMax: config.queueMax,
      waitMaxMs: config.queueWaitMaxMs,
    },
  })
}

async function connect(config: Config): Promise<Database> {
  try {
    if (config.databaseUrl === null) return await openPglite({ directory: config.dataDirectory })
    return await openPostgres({
      url: config.databaseUrl,
      connectionsMax: config.databaseConnectionsMax,
      connectionWaitMs: config.databaseConnectionWaitMs,
      queryTimeoutMs: config.databaseQueryTimeoutMs,
      statementTimeoutMs: config.databaseStatementTimeoutMs,
      lockTimeoutMs: config.databaseLockTimeoutMs,
      idleInTransactionTimeoutMs: config.databaseIdleInTransactionTimeoutMs,
      durabilityChecked: config.databaseDurabilityChecked,
    })
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw error
    const place =
      config.databaseUrl === null
        ? `The database in the directory ${resolve(config.dataDirectory)}`
        : 'The database of DATABASE_URL'
    throw new Error(`${place} cannot be opened: ${sentenceOf(error).replace(/\.$/, '')}.`, { cause: error })
  }
}
