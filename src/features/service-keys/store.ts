/** Secrets of the service, made when they are first needed, and what is good once. All instances share both. */
import { randomBytes } from 'node:crypto'
import type { Queries } from '../../engine/database/database.ts'

const SECRET_BYTES = 32

export const statements = {
  findKey: `
    select secret
    from service_keys
    where name = $1`,

  // Two instances may need it for the first time at the same moment: one of them wins.
  makeKey: `
    insert into service_keys (name, secret, created_at)
    values ($1, $2, $3)
    on conflict (name) do nothing`,

  useOnce: `
    insert into used_once (name, until)
    values ($1, $2)
    on conflict (name) do nothing
    returning 1`,

  forgetUsed: `
    delete from used_once
    where until < $1`,
}

export async function readServiceKey(db: Queries, name: string, now: Date): Promise<Buffer> {
  const known = await findServiceKey(db, name)
  if (known !== undefined) return known
  await db.query(statements.makeKey, [name, randomBytes(SECRET_BYTES).toString('base64url'), now])
  return (await findServiceKey(db, name))!
}

async function findServiceKey(db: Queries, name: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ secret: string }>(statements.findKey, [name])
  return row && Buffer.from(row.secret, 'base64url')
}

/** Whether this is the first use; `until`: when it can no longer be used anyway. */
export async function useOnce(db: Queries, name: string, time: { now: Date; until: Date }): Promise<boolean> {
  await db.query(statements.forgetUsed, [time.now])
  return (await db.query(statements.useOnce, [name, time.until])).length === 1
}
