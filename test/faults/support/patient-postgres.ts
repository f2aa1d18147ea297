import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { openPostgres } from '../../../src/engine/database/postgres.ts'
import { countLockWaits } from '../../support/lock-waits.ts'

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
  const [row] = await db.query<{ waiting: number }>(countLockWaits)
  return row!.waiting
}
