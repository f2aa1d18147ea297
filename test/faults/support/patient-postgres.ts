import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'

/** Where the test decides who waits how long, no wait may end by itself; only deadlocks are to be found, at once. */
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

/** A lock that is granted is granted at once here, before the one who waited for it has even woken up. */
export async function countBlocked(db: Queries): Promise<number> {
  const [row] = await db.query<{ blocked: number }>(
    `select count(distinct pid)::int4 as blocked
     from pg_locks
     where not granted
       and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )
  return row!.blocked
}
