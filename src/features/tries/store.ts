/**
 * Wrong tries to sign in, in the database, so that all instances count together. A name is taken before the password is
 * looked at, in a transaction that locks its row: tries at the same moment are counted one after the other.
 */
import { hash } from 'node:crypto'
import { FORGOTTEN_MS, giveBack, type Taken, type Tries, type TryLimit, takeTry } from '../../domain/tries.ts'
import type { Database } from '../../engine/database/database.ts'
import { instant, integer, rowMap, text } from '../../engine/database/row-map.ts'
import { sql } from '../../engine/database/sql.ts'

export type Counted = { name: string; limit: TryLimit }

const triesMap = rowMap<Tries>({ count: integer('tries'), at: instant('tried_at') })

export const statements = {
  makeTries: sql`
    insert into sign_in_tries (name, tries, tried_at)
    select name, 0, $2
    from unnest($1::text[]) as asked(name)
    order by name
    on conflict (name) do nothing`.run((names: readonly string[], now: Date) => [names, now]),

  // order by fixes the lock order, so that tries of one person queue instead of deadlocking
  lockTries: sql`
    select name, tries, tried_at
    from sign_in_tries
    where name = any($1::text[])
    order by name
    for update`.map(text('name'), triesMap, (names: readonly string[]) => [names]),

  saveTries: sql`
    update sign_in_tries
    set tries = $2, tried_at = $3
    where name = $1`.run((name: string, { count, at }: Tries) => [name, count, at]),

  forgetTries: sql`
    delete from sign_in_tries
    where tried_at < $1`.run((before: Date) => [before]),
}

/** What is counted may be long and is not to be read from the database. */
export function nameOfTries(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'), 'base64url')
}

/** Takes one try under every name, or none. null: it is allowed; else how long to wait. */
export function takeTries(db: Database, counted: readonly Counted[], now: Date): Promise<number | null> {
  return db.transaction(async (tx) => {
    const names = counted.map(({ name }) => name)
    await statements.makeTries(tx, names, now)
    const known = await statements.lockTries(tx, names)
    const taken = counted.map(({ name, limit }) => ({ name, ...takeTry(known.get(name), limit, now) }))
    const waits = taken.flatMap((one: Taken) => (one.allowed ? [] : [one.retryAfterMs]))
    if (waits.length > 0) return Math.max(...waits)
    for (const one of taken) if (one.allowed) await statements.saveTries(tx, one.name, one.tries)
    return null
  })
}

export function giveBackTries(db: Database, counted: readonly Counted[], now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const names = counted.map(({ name }) => name)
    const known = await statements.lockTries(tx, names)
    for (const [name, tries] of known) await statements.saveTries(tx, name, giveBack(tries))
    await statements.forgetTries(tx, new Date(now.getTime() - FORGOTTEN_MS))
  })
}
