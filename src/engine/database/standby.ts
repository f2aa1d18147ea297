/**
 * A standby of the database, for reads that may be a moment behind, and for those that certify once it has caught up.
 *
 * - It is a copy: it has applied the same migrations at the same instants, and it accepts no changes. That it is still a
 *   standby is checked on every connection, because one that was promoted keeps its address.
 * - What certifies is current: it is read after the standby has replayed everything that the primary had written when the
 *   read began, or else from the primary.
 * - A standby that is down, behind with its migrations, or cancels a read does not fail the reader: for a while the
 *   primary is read instead.
 */
import {
  type Database,
  DatabaseError,
  isRetryable,
  isUnavailable,
  type Lane,
  type Queries,
} from './database.ts'
import { readHistory } from './migrations.ts'
import { BEHIND, readPosition, readReplay, requireCurrent } from './replay.ts'

/** Throws unless the standby is a copy of the primary with all its migrations. */
export async function requireCopy(standby: Queries, primary: Queries): Promise<void> {
  const [copy, original] = [await readHistory(standby), await readHistory(primary)]
  if (copy.some((migration, index) => migration !== original[index])) {
    throw new Error('It is not a standby of the database of DATABASE_URL.')
  }
  if (copy.length === original.length) return
  throw new DatabaseError(
    `It has ${copy.length} of the ${original.length} migrations of the database of DATABASE_URL: it is behind, or not its standby.`,
    { sqlState: BEHIND },
  )
}

/** Single statements are answered by the standby, everything else by the primary; `close` closes the standby alone. */
export type Standby = Database & {
  /** What has everything that was committed before the call: the standby once it has caught up, or else the primary. */
  current: () => Promise<Database>
  /** How much older than the primary its answers may be; 0 where the primary answers. */
  ageMs: () => Promise<number>
}

export type OpenedStandby = {
  db: Database
  /** Whether all its connections lead to one server, so that what one of them has replayed is there for all. */
  isOneServer: () => boolean
}

export async function readFromStandby(options: {
  primary: Database
  open: () => Promise<OpenedStandby>
  /** The primary is read for `pauseMs`. */
  onFailure: (error: unknown) => void
  pauseMs: number
  /** How long reads that certify wait for the standby. */
  waitMs: number
}): Promise<Standby> {
  const { primary, open, onFailure, pauseMs, waitMs } = options
  let standby: Promise<OpenedStandby> | null = null
  const resumes = { readsAtMs: 0, certifiesAtMs: 0 }
  await connected().catch((error) => pause('readsAtMs', error))
  const reads: Database = {
    ...primary,
    async query<Row>(text: string, values?: readonly unknown[], lane?: Lane) {
      if (performance.now() < resumes.readsAtMs) return primary.query<Row>(text, values, lane)
      try {
        return await (await connected()).db.query<Row>(text, values, lane)
      } catch (error) {
        pause('readsAtMs', error)
        return primary.query<Row>(text, values, lane)
      }
    },
    async close() {
      await (await standby)?.db.close()
    },
  }
  return {
    ...reads,
    async current() {
      if (performance.now() < Math.max(resumes.readsAtMs, resumes.certifiesAtMs)) return primary
      try {
        const { db, isOneServer } = await connected()
        await requireCurrent(db, primary, waitMs)
        return isOneServer() ? reads : primary
      } catch (error) {
        pause('certifiesAtMs', error)
        return primary
      }
    },
    async ageMs() {
      if (performance.now() < resumes.readsAtMs) return 0
      try {
        const goal = await readPosition(primary)
        return (await readReplay((await connected()).db, goal)).ageMs
      } catch (error) {
        pause('readsAtMs', error)
        return 0
      }
    },
  }

  function connected(): Promise<OpenedStandby> {
    if (standby === null) {
      standby = open()
      standby.catch(() => {
        standby = null
      })
    }
    return standby
  }

  function pause(what: keyof typeof resumes, error: unknown): void {
    if (!isUnavailable(error) && !isRetryable(error)) throw error
    resumes[what] = performance.now() + pauseMs
    onFailure(error)
  }
}
