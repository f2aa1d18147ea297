/** Pending work in all books together: a figure for operators, which reveals nothing about a single book. */
import { businessDate } from '../../domain/dates.ts'
import type { Queries } from '../../engine/database/database.ts'

export const statements = {
  listClocks: `
    select book.book_id, book.clock_offset_ms, caller.time_zone
    from books book
    join callers caller on caller.caller_id = book.caller_id`,

  // For books of one business date: with a date of each book the planner expects a third of all deposits to be due, and
  // reads the table instead of the index of what is not settled yet.
  countDue: `
    select count(*) as due
    from deposits
    where book_id = any($1::text[])
      and awaits_maturity
      and status = 'ACTIVE'
      and maturity_date <= $2::date`,
}

/** Deposits that are due by the business date of their own book and are not settled yet. */
export async function countMaturitiesDue(db: Queries, now: Date): Promise<number> {
  type Clock = { book_id: string; clock_offset_ms: bigint; time_zone: string }
  const clocks = await db.query<Clock>(statements.listClocks)
  const booksOfDate = Map.groupBy(clocks, (clock) =>
    businessDate(new Date(now.getTime() + Number(clock.clock_offset_ms)), clock.time_zone),
  )
  let due = 0
  for (const [today, books] of booksOfDate) {
    const bookIds = books.map((book) => book.book_id)
    const [row] = await db.query<{ due: bigint }>(statements.countDue, [bookIds, today])
    due += Number(row!.due)
  }
  return due
}
