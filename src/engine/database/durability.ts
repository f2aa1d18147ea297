/**
 * Which failures a committed change survives with the database's settings. It is logged at start, because clients
 * cannot see it. Of several servers, the one that survives least counts.
 */
import type { Database } from './database.ts'
import { askWorkers } from './sharding.ts'

export const statements = {
  readSettings: `
    select json_build_object(
      'commitWaitsFor', current_setting('synchronous_commit'),
      'standbys', current_setting('synchronous_standby_names'))::text as text`,
}

type Durability = {
  synchronous_commit: string
  synchronous_standby_names: string
  answered_changes_survive: 'a crash' | 'a crash and the loss of the disk'
}

export async function readDurability(db: Database): Promise<Durability> {
  const servers = await db.query<{ text: string }>(statements.readSettings)
  if (db.isSharded) servers.push(...(await askWorkers(db, statements.readSettings)))
  const durabilities = servers.map(({ text }) => {
    const { commitWaitsFor, standbys } = JSON.parse(text)
    return durabilityOf(commitWaitsFor, standbys)
  })
  return durabilities.find((one) => one.answered_changes_survive === 'a crash') ?? durabilities[0]!
}

export function durabilityOf(commitWaitsFor: string, standbys: string): Durability {
  const isCopied = standbys.trim() !== '' && commitWaitsFor !== 'local' && commitWaitsFor !== 'off'
  return {
    synchronous_commit: commitWaitsFor,
    synchronous_standby_names: standbys,
    answered_changes_survive: isCopied ? 'a crash and the loss of the disk' : 'a crash',
  }
}
