/** What callers were answered against what the books hold. */
import type { Queries } from '../../../src/engine/database/database.ts'
import { type Heard, isAcknowledged } from './callers.ts'

export type Tally = {
  acknowledged: number
  refused: number
  /** Asked more than once before they were answered. */
  repeated: number
  lost: number
  doubled: number
  wrong: number
}

/** Every request had a key, so every change belongs to one, except the seals that the service makes by itself. */
export async function tally(db: Queries, callerId: string, heard: readonly Heard[]): Promise<Tally> {
  const [book] = await db.query<{ book_id: string; changes: number }>(
    `select book_id, (
       select count(*)::int4 from events where events.book_id = books.book_id and type <> 'book.sealed') as changes
     from books
     where caller_id = $1
       and mode = 'test'`,
    [callerId],
  )
  const rows = await db.query<{ idempotency_key: string; status: number; answer: string }>(
    'select idempotency_key, status, answer from idempotency_keys where book_id = $1',
    [book!.book_id],
  )
  const kept = new Map(rows.map((row) => [row.idempotency_key, row]))
  const acknowledged = heard.filter(isAcknowledged)
  const refused = heard.filter((one) => !isAcknowledged(one))
  const differs = ({ key, answer }: Heard) => {
    const row = kept.get(key)
    return row !== undefined && (row.answer !== answer.text || row.status !== answer.status)
  }
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    repeated: heard.filter((one) => one.attempts.length > 1).length,
    lost: acknowledged.filter((one) => !kept.has(one.key)).length,
    doubled: book!.changes - kept.size,
    wrong: acknowledged.filter(differs).length + refused.filter((one) => kept.has(one.key)).length,
  }
}
