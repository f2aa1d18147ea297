/** Who can decide about what waits. */
import type { Queries } from '../../engine/database/database.ts'

export const statements = {
  countDeciders: `
    select count(*)::int4 as deciders
    from people
    join books on books.caller_id = people.caller_id
    where books.book_id = $1
      and people.status = 'ACTIVE'
      and people.role = any($2::text[])
      and books.mode = any(people.modes)`,
}

/** People who may decide in the book. */
export async function countDeciders(db: Queries, bookId: string, roles: readonly string[]): Promise<number> {
  const [row] = await db.query<{ deciders: number }>(statements.countDeciders, [bookId, roles])
  return row?.deciders ?? 0
}
