/** Accruals at the close of a day: the balances are what the deposits of the world have earned, and each day has one entry. */
import assert from 'node:assert/strict'
import { createService } from '../../../src/cli/compose.ts'
import type { Book } from '../../../src/domain/book.ts'
import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { closeDays } from '../../../src/features/accruals/changes.ts'
import { earnedBy } from './model-of-interest.ts'
import { type BookState, DAY_MS, lagosDate } from './state.ts'

/** The days before the world begins are caught up. */
const DAYS_BEFORE = 2

export async function accrueDaily(db: Queries, bookIds: readonly string[], began: Date): Promise<void> {
  const writtenAt = new Date(began.getTime() - DAYS_BEFORE * DAY_MS)
  await db.query(
    `with written as (
       insert into documents (book_id, kind, version, text, created_at)
       select book_id, 'ACCOUNTING', 1, '{"accruals":"DAILY","gl_codes":{}}', $2
       from unnest($1::text[]) as book_id
       returning 1
     )
     update books set accounting_version = 1 where book_id = any($1)`,
    [bookIds, writtenAt],
  )
}

/** A day later, when the last day of the world is closed. */
export async function checkAccruals(
  db: Database,
  book: Book,
  { state, endedAt }: { state: BookState; endedAt: Date },
): Promise<void> {
  const now = new Date(endedAt.getTime() + DAY_MS)
  const limits = { workers: 1, batchMax: 256, queueMax: 5_000 }
  // The book has followed its business date until now.
  const followed = [book.bookId, lagosDate(endedAt.toISOString())]
  await db.query(`update books set latest_business_date = $2::date where book_id = $1`, followed)
  await closeDays(createService({ db, clock: () => now, limits }), book)
  const on = lagosDate(now.toISOString())
  const targets = { payable: 0n, prepaid: 0n }
  for (const deposit of state.deposits.values()) {
    const difference = earnedBy(deposit, on) - deposit.paid
    if (difference > 0n) targets.payable += difference
    else targets.prepaid -= difference
  }
  const [found] = await db.query<{ payable: string; prepaid: string; entries: number; days: number }>(
    `select coalesce(sum(amount_minor) filter (where account = 'interest_payable'), 0)::text as payable,
            coalesce(-sum(amount_minor) filter (where account = 'prepaid_interest'), 0)::text as prepaid,
            (select count(*)::int4 from ledger_entries where book_id = $1 and kind = 'ACCRUAL') as entries,
            (select count(entry_id)::int4 from accruals where book_id = $1) as days
     from postings
     where book_id = $1`,
    [book.bookId],
  )
  const expected = { payable: String(targets.payable), prepaid: String(targets.prepaid) }
  const { entries, days, ...balances } = found!
  assert.deepEqual(balances, expected, `${book.bookId} at the close before ${on}`)
  assert.equal(entries, days, `${book.bookId} has ${entries} entries for ${days} days`)
}
