/**
 * Brings a database to the newest schema of a folder of `NNNN_name.sql` files, forward only.
 *
 * Guarantees:
 * - Each migration and its row in schema_migrations are one transaction: a crash leaves neither or both.
 * - Processes that start at the same time do not collide: the row is written first, so the second process waits for the
 *   first.
 * - Instances of an older version may keep running: a migration that waits for their locks holds up their requests for a
 *   second at most, and is tried again.
 * - A database that does not match the folder (a changed file, a newer schema) is rejected before anything runs.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Database,
  DatabaseError,
  isLockTimeout,
  isRetryable,
  isUniqueViolation,
  type Queries,
} from './database.ts'

export class SchemaError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SchemaError'
  }
}

type Migration = { version: number; name: string; checksum: string; text: string }

export async function migrate(db: Database, folder: string | URL): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(typeof folder === 'string' ? folder : fileURLToPath(folder))
  const applied: string[] = []
  for (let pending = await findPending(db, migrations); pending[0] !== undefined; ) {
    const next = pending[0]
    const done = await apply(db, next)
    if (done) applied.push(next.name)
    // Read again after each one: another process may be migrating the same database.
    pending = await findPending(db, migrations)
  }
  return { applied }
}

/** Two processes that create the same table at the same time collide in the catalog; the lock lets one go first. */
const CREATE_TABLE = `
select pg_advisory_xact_lock(4711);
create table if not exists schema_migrations (
  version int4 primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null
);`

const SELECT_APPLIED = 'select version, checksum from schema_migrations order by version'

/** The version of the newest applied migration. */
export async function readSchemaVersion(db: Queries): Promise<number> {
  const rows = await db.query<{ version: number }>(SELECT_APPLIED)
  return rows.at(-1)?.version ?? 0
}

/** Each applied migration as a text, without the time; empty where the schema was never made. */
export async function readApplied(db: Queries): Promise<string[]> {
  return (await readHistory(db)).map((text) => text.split(' ', 2).join(' '))
}

/** The migrations of a folder in the same form. */
export async function listKnown(folder: URL): Promise<string[]> {
  return (await readMigrations(fileURLToPath(folder))).map(
    ({ version, checksum }) => `${version} ${checksum}`,
  )
}

const SELECT_HISTORY = 'select version, checksum, applied_at from schema_migrations order by version'
const NO_SUCH_TABLE = '42P01'

/** Each applied migration as a text; equal in copies of a database, and different in any other. */
export async function readHistory(db: Queries): Promise<string[]> {
  type Row = { version: number; checksum: string; applied_at: Date }
  const rows = await db.query<Row>(SELECT_HISTORY).catch((error: unknown): Row[] => {
    if (isNoSuchTable(error)) return []
    throw error
  })
  return rows.map(({ version, checksum, applied_at }) => `${version} ${checksum} ${applied_at.toISOString()}`)
}

type Applied = { version: number; checksum: string }

/** Where the table is there, a role that cannot create one is enough. */
async function readRows(db: Database): Promise<Applied[]> {
  try {
    return await db.query<Applied>(SELECT_APPLIED)
  } catch (error) {
    if (!isNoSuchTable(error)) throw error
    await db.script(CREATE_TABLE)
    return db.query<Applied>(SELECT_APPLIED)
  }
}

function isNoSuchTable(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState === NO_SUCH_TABLE
}

async function findPending(db: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const rows = await readRows(db)
  for (const { version, checksum } of rows) {
    const migration = known.get(version)
    if (migration === undefined) {
      const newest = migrations.at(-1)?.version ?? 0
      throw new SchemaError(
        version > newest
          ? `The database has schema version ${version}, this program knows ${newest}: run a newer program.`
          : `Migration ${version} was applied to the database, but this program does not have it.`,
      )
    }
    if (checksum !== migration.checksum) {
      throw new SchemaError(
        `Migration ${migration.name} was changed after it had been applied: restore it and add a new one.`,
      )
    }
  }
  const newestApplied = rows.at(-1)?.version ?? 0
  const appliedVersions = new Set(rows.map((row) => row.version))
  const pending = migrations.filter((migration) => !appliedVersions.has(migration.version))
  if (pending[0] !== undefined && pending[0].version < newestApplied) {
    throw new SchemaError(`Migration ${pending[0].name} is older than the applied version ${newestApplied}.`)
  }
  return pending
}

const ATTEMPTS_MAX = 60
const PAUSE_MS = 500

/** false: another process applied it in the meantime. */
async function apply(db: Database, migration: Migration): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await applyOnce(db, migration)
    } catch (error) {
      if (attempts === ATTEMPTS_MAX || !(isRetryable(error) || isLockTimeout(error))) throw error
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

async function applyOnce(db: Database, { version, name, checksum, text }: Migration): Promise<boolean> {
  try {
    // Only locks of tables are waited for briefly: whatever wants the table next would wait behind the migration.
    await db.script(
      `insert into schema_migrations (version, name, checksum, applied_at)
       values (${version}, '${name}', '${checksum}', now());
       set local lock_timeout = '1s';\n${text}`,
    )
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const rows = await db.query<{ version: number }>(SELECT_APPLIED)
    // A unique violation inside the migration itself leaves no row.
    if (!rows.some((row) => row.version === version)) throw error
    return false
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const name of names) {
    const version = Number(name.match(/^(\d{4})_[a-z0-9_]+\.sql$/)?.[1])
    if (!(version > 0)) throw new SchemaError(`The migration file ${name} is not named like 0001_name.sql.`)
    if (version === migrations.at(-1)?.version) {
      throw new SchemaError(`Two migration files have the number ${version}.`)
    }
    // A checkout may have changed the line endings.
    const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
    const checksum = hash('sha256', text)
    migrations.push({ version, name, checksum, text })
  }
  return migrations
}
