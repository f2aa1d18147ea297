/** Pending work in all books together: a figure for operators, which reveals nothing about a single book. */
import { businessDate } from '../../domain/dates.ts'
import type { Queries } from '../../engine/database/database.ts'

export const statements = {
  listClocks: `
    select book.book_id, book.clock_offset_ms, caller.time_zone
    from books book
    join callers caller on caller.caller_id = book.caller_id`,

  // The index contains what the maturity job has not processed yet: that is little, and some of it was liquidated
  // meanwhile.
  countDue: `
    select count(*) as due
    from unnest($1::text[], $2::date[]) as book(book_id, today)
    join deposits
      on deposits.book_id = book.book_id
      and deposits.awaits_maturity
      and deposits.status = 'ACTIVE'
      and deposits.maturity_date <= book.today`,
}

/** Deposits that are due by the business date of their own book and are not settled yet. */
export async function countMaturitiesDue(db: Queries, now: Date): Promise<number> {
  type Clock = { book_id: string; clock_offset_ms: bigint; time_zone: string }
  const clocks = await db.query<Clock>(statements.listClocks)
  const today = clocks.map((clock) =>
    businessDate(new Date(now.getTime() + Number(clock.clock_offset_ms)), clock.time_zone),
  )
  const bookIds = clocks.map((clock) => clock.book_id)
  const [row] = await db.query<{ due: bigint }>(statements.countDue, [bookIds, today])
  return Number(row?.due ?? 0n)
}
