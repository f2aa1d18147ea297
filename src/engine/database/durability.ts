/**
 * Which failures a committed change survives with the database's settings. It is logged at start, because clients
 * cannot see it.
 */
import type { Queries } from './database.ts'

export const statements = {
  readSettings: `
    select current_setting('synchronous_commit') as commit_waits_for,
           current_setting('synchronous_standby_names') as standbys`,
}

type Durability = {
  synchronous_commit: string
  synchronous_standby_names: string
  answered_changes_survive: 'a crash' | 'a crash and the loss of the disk'
}

export async function readDurability(db: Queries): Promise<Durability> {
  type Row = { commit_waits_for: string; standbys: string }
  const [row] = await db.query<Row>(statements.readSettings)
  return durabilityOf(row!.commit_waits_for, row!.standbys)
}

export function durabilityOf(commitWaitsFor: string, standbys: string): Durability {
  const isCopied = standbys.trim() !== '' && commitWaitsFor !== 'local' && commitWaitsFor !== 'off'
  return {
    synchronous_commit: commitWaitsFor,
    synchronous_standby_names: standbys,
    answered_changes_survive: isCopied ? 'a crash and the loss of the disk' : 'a crash',
  }
}
