/**
 * Wrong tries to sign in, in the database, so that all instances count together. A name is taken before the password is
 * looked at, in a transaction that locks its row: tries at the same moment are counted one after the other.
 */
import { hash } from 'node:crypto'
import { FORGOTTEN_MS, giveBack, type Taken, type Tries, type TryLimit, takeTry } from '../../domain/tries.ts'
import type { Database, Queries } from '../../engine/database/database.ts'

export type Counted = { name: string; limit: TryLimit }

export const statements = {
  makeTries: `
    insert into sign_in_tries (name, tries, tried_at)
    select name, 0, $2
    from unnest($1::text[]) as asked(name)
    order by name
    on conflict (name) do nothing`,

  // order by fixes the lock order, so that tries of one person queue instead of deadlocking
  lockTries: `
    select name, tries, tried_at
    from sign_in_tries
    where name = any($1::text[])
    order by name
    for update`,

  saveTries: `
    update sign_in_tries
    set tries = $2, tried_at = $3
    where name = $1`,

  forgetTries: `
    delete from sign_in_tries
    where tried_at < $1`,
}

/** What is counted may be long and is not to be read from the database. */
export function nameOfTries(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'base64url')
}

/** Takes one try under every name, or none. null: it is allowed; else how long to wait. */
export function takeTries(db: Database, counted: readonly Counted[], now: Date): Promise<number | null> {
  return db.transaction(async (tx) => {
    const names = counted.map(({ name }) => name)
    await tx.query(statements.makeTries, [names, now])
    const known = await lockTries(tx, names)
    const taken = counted.map(({ name, limit }) => ({ name, ...takeTry(known.get(name), limit, now) }))
    const waits = taken.flatMap((one: Taken) => (one.allowed ? [] : [one.retryAfterMs]))
    if (waits.length > 0) return Math.max(...waits)
    for (const one of taken) if (one.allowed) await saveTries(tx, one.name, one.tries)
    return null
  })
}

export function giveBackTries(db: Database, counted: readonly Counted[], now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const known = await lockTries(
      tx,
      counted.map(({ name }) => name),
    )
    for (const [name, tries] of known) await saveTries(tx, name, giveBack(tries))
    await tx.query(statements.forgetTries, [new Date(now.getTime() - FORGOTTEN_MS)])
  })
}

async function lockTries(tx: Queries, names: readonly string[]): Promise<Map<string, Tries>> {
  type Row = { name: string; tries: number; tried_at: Date }
  const rows = await tx.query<Row>(statements.lockTries, [names])
  return new Map(rows.map((row) => [row.name, { count: row.tries, at: row.tried_at }]))
}

async function saveTries(tx: Queries, name: string, { count, at }: Tries): Promise<void> {
  await tx.query(statements.saveTries, [name, count, at])
}
