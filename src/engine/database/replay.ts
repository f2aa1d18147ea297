/** How far a standby has replayed what the primary has written. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Queries } from './database.ts'

export const statements = {
  // Everything that was acknowledged is written. The start time tells whether two connections lead to one server.
  readPosition: `
    select pg_current_wal_lsn()::text as position,
           pg_postmaster_start_time()::text as started`,

  // Without a later transaction to replay, a standby that has everything would seem to grow old.
  readReplay: `
    select pg_is_in_recovery() as in_recovery,
           pg_postmaster_start_time()::text as started,
           coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as arrived,
           coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0)::int8 as age_ms`,
}

/** The state of a server that accepts no connections yet. */
export const BEHIND = '57P03'

/**
 * Resolves to the start time of the standby's server when it has replayed what the primary had written at the call. A
 * read-only role of the primary itself is always current.
 */
export async function requireCurrent(standby: Queries, primary: Queries, waitMs: number): Promise<string> {
  const giveUpAtMs = performance.now() + waitMs
  const goal = await readPosition(primary)
  for (;;) {
    const { arrived, started } = await readReplay(standby, goal)
    if (arrived) return started
    if (performance.now() >= giveUpAtMs) {
      throw new DatabaseError(
        `It has not replayed the position of the primary within ${waitMs} ms; see STANDBY_WAIT_MS.`,
        { sqlState: BEHIND },
      )
    }
    await sleep(POLL_MS)
  }
}

const POLL_MS = 20

/** Throws where the server is neither a standby nor the primary itself. */
export async function requireStandby(standby: Queries, primary: Queries): Promise<{ started: string }> {
  return readReplay(standby, await readPosition(primary))
}

type Position = { position: string; started: string }

export async function readPosition(primary: Queries): Promise<Position> {
  const [row] = await primary.query<Position>(statements.readPosition)
  return row!
}

export async function readReplay(standby: Queries, goal: Position) {
  type Row = { in_recovery: boolean; started: string; arrived: boolean; age_ms: bigint }
  const [row] = await standby.query<Row>(statements.readReplay, [goal.position])
  const { in_recovery, started, arrived, age_ms } = row!
  if (in_recovery) return { started, arrived, ageMs: arrived ? 0 : Number(age_ms) }
  if (started === goal.started) return { started, arrived: true, ageMs: 0 }
  throw new DatabaseError('It is no longer a standby of the database of DATABASE_URL.', { sqlState: BEHIND })
}
