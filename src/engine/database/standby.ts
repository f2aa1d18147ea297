/**
 * A standby of the database, for reads that may be a moment behind.
 *
 * - It is a copy: it has applied the same migrations at the same instants, and it accepts no changes.
 * - A standby that is down, behind with its migrations, or cancels a read does not fail the reader: for a while the
 *   primary is read instead.
 */
import { type Database, DatabaseError, isRetryable, isUnavailable, type Queries } from './database.ts'
import { readHistory } from './migrations.ts'

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

/** As of a server that accepts no connections yet. */
const BEHIND = '57P03'

/** Returns the primary, with single statements answered by the standby; `close` closes the standby alone. */
export async function readFromStandby(options: {
  primary: Database
  open: () => Promise<Database>
  /** The primary is read for `pauseMs`. */
  onFailure: (error: unknown) => void
  pauseMs: number
}): Promise<Database> {
  const { primary, open, onFailure, pauseMs } = options
  let standby: Promise<Database> | null = null
  let resumesAtMs = 0
  await connected().catch(pause)
  return {
    ...primary,
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (performance.now() < resumesAtMs) return primary.query<Row>(text, values)
      try {
        return await (await connected()).query<Row>(text, values)
      } catch (error) {
        pause(error)
        return primary.query<Row>(text, values)
      }
    },
    async close() {
      await (await standby)?.close()
    },
  }

  function connected(): Promise<Database> {
    if (standby === null) {
      standby = open()
      standby.catch(() => {
        standby = null
      })
    }
    return standby
  }

  function pause(error: unknown): void {
    if (!isUnavailable(error) && !isRetryable(error)) throw error
    resumesAtMs = performance.now() + pauseMs
    onFailure(error)
  }
}
