import type { Book } from '../../domain/book.ts'
import type { IsoDate } from '../../domain/dates.ts'
import { bookMap } from '../../engine/database/book-map.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { calendarDateOrNull, rowMap } from '../../engine/database/row-map.ts'

const latestMap = rowMap<{ latest: IsoDate | null }>({ latest: calendarDateOrNull('latest_business_date') })

export const statements = {
  readClock: `
    select clock_timestamp() as now`,

  listLiveBooks: `
    select book.book_id, book.caller_id, book.mode, caller.time_zone, caller.currency, book.latest_business_date
    from books book
    join callers caller on caller.caller_id = book.caller_id
    where book.mode = 'live'
    order by caller.created_at, caller.caller_id`,

  hasEvents: `
    select 1
    from events
    where book_id = $1
    limit 1`,

  confirmDate: `
    update books
    set latest_business_date = $2::date
    where book_id = $1`,
}

export type LiveBook = Book & { latest: IsoDate | null }

export async function readClock(db: Queries): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(statements.readClock)
  return row!.now
}

export async function listLiveBooks(db: Queries): Promise<LiveBook[]> {
  const rows = await db.query<object>(statements.listLiveBooks)
  return rows.map((row) => ({ ...bookMap.read(row), ...latestMap.read(row) }))
}

export async function hasEvents(db: Queries, bookId: string): Promise<boolean> {
  return (await db.query(statements.hasEvents, [bookId])).length > 0
}

/** Forwards or back. */
export function confirmDate(tx: Transaction, bookId: string, date: IsoDate): void {
  tx.write(statements.confirmDate, [bookId, date])
}
