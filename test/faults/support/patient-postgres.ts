import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'

/** Where the test controls all waits, no wait may time out; only deadlocks are detected, immediately. */
export function openPatiently(url: string): Promise<Database> {
  return openPostgres({
    url: `${url}?options=${encodeURIComponent('-c deadlock_timeout=20ms')}`,
    connectionsMax: 20,
    lockTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
    queryTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 60_000,
    durabilityChecked: false,
  })
}

/** A lock is granted immediately here, before the process that waited for it has even woken up. */
export async function countBlocked(db: Queries): Promise<number> {
  const [row] = await db.query<{ blocked: number }>(
    `select count(distinct pid)::int4 as blocked
     from pg_locks
     where not granted
       and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )
  return row!.blocked
}
