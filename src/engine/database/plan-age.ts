/**
 * The server keeps the plan of a statement. One that was made while a table was empty takes every index for equal and may
 * read the whole book, until the table is analyzed, which takes a server a minute or more. So connections discard their
 * plans once a table has grown to several times its size.
 */
import type pg from 'pg'
import type { Queries } from './database.ts'

const LOOK_EVERY_MS = 5_000
const GROWTH = 4
/** Below it every plan is as good. */
const BYTES_MIN = 64 * 1024

/** Returns how to stop looking. */
export function discardOldPlans(pool: pg.Pool, db: Queries, lookEveryMs = LOOK_EVERY_MS): () => void {
  const planned = new Map<string, number>()
  let generation = 0
  const generations = new WeakMap<object, number>()
  pool.on('connect', (client) => void generations.set(client, generation))
  pool.on('acquire', (client) => {
    if ((generations.get(client) ?? 0) === generation) return
    generations.set(client, generation)
    // Sent before what the connection was acquired for; where it fails, that fails as well.
    client.query('discard plans').catch(() => {})
  })

  const look = async () => {
    const rows = await db.query<{ name: string; bytes: string }>(READ_SIZES)
    const sizes = new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    const isGrown = ([name, bytes]: [string, number]) => bytes >= GROWTH * (planned.get(name) ?? BYTES_MIN)
    if (![...sizes].some(isGrown)) return
    generation += 1
    for (const [name, bytes] of sizes) planned.set(name, Math.max(bytes, BYTES_MIN))
  }
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await look().catch(() => {})
    isLooking = false
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

const READ_SIZES = `
    select relname::text as name, pg_relation_size(oid)::text as bytes
    from pg_class
    where relkind = 'r'
      and relnamespace = 'public'::regnamespace`
