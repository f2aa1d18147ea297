/** What a policy depends on besides the request itself: the owner of an account, and sums of amounts over days. */
import type { Sum } from '../../domain/approvals.ts'
import type { EntryKind } from '../../domain/ledger.ts'
import type { Queries } from '../../engine/database/database.ts'
import { entryIdAt } from '../../engine/database/ids.ts'
import { instant, rowMap, text } from '../../engine/database/row-map.ts'
import type { TimeSpan } from '../../engine/database/time-span.ts'

/**
 * The amounts of one kind of entry, by what they are of. A part that was reversed counts no more, and neither does the
 * opening of a successor, which nobody's account paid for.
 */
const sumOf = (scope: string) => `
    select subject, sum(amount_minor)::bigint as sum_minor
    from unnest($2::text[]) as asked(subject)
    cross join lateral (
      select abs(amounts_minor[array_position(accounts, coalesce(deposit_id, account_number))]) as amount_minor
      from ledger_entries entry
      where book_id = $1
        and kind = $3
        and entry_id > $4
        and created_at >= $5
        and account_number = any(accounts)
        and ${scope}
        and not exists (
          select
          from ledger_entries
          where book_id = $1
            and reverses = entry.entry_id)
    ) as movement
    group by subject`

export const statements = {
  findOwners: `
    select account.account_number, account.customer_id, customer.contact_changed_at
    from accounts account
    join customers customer on customer.book_id = $1 and customer.customer_id = account.customer_id
    where account.book_id = $1
      and account.account_number = any($2::text[])`,

  // In one order, so that transactions that share subjects queue instead of deadlocking.
  addSumLocks: `
    insert into sum_locks (book_id, subject)
    select $1, subject
    from unnest($2::text[]) as asked(subject)
    order by subject
    on conflict do nothing`,

  lockSums: `
    select subject
    from sum_locks
    where book_id = $1
      and subject = any($2::text[])
    order by subject
    for update`,

  sumOfDeposits: sumOf('deposit_id = asked.subject'),

  sumOfCustomers: sumOf(`account_number in (
          select account_number
          from accounts
          where book_id = $1
            and customer_id = asked.subject)`),

  sumOfActors: sumOf('made_by = asked.subject'),
}

export type Owner = { customerId: string; contactChangedAt: Date | null }

const ownerMap = rowMap<Owner & { accountNumber: string }>({
  accountNumber: text('account_number'),
  customerId: text('customer_id'),
  contactChangedAt: instant('contact_changed_at'),
})

/** By account number. */
export async function findOwners(
  db: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Owner>> {
  const rows = await db.query<object>(statements.findOwners, [bookId, accountNumbers])
  return new Map(rows.map(ownerMap.read).map(({ accountNumber, ...owner }) => [accountNumber, owner]))
}

/** Until the transaction ends, nobody else adds to the sums of these subjects. */
export async function lockSums(tx: Queries, bookId: string, subjects: readonly string[]): Promise<void> {
  await Promise.all([
    tx.query(statements.addSumLocks, [bookId, subjects]),
    tx.query(statements.lockSums, [bookId, subjects]),
  ])
}

/** By subject; one without movements is left out. */
export async function readSums(
  db: Queries,
  bookId: string,
  asked: { of: Sum['of']; kind: EntryKind; subjects: readonly string[]; span: TimeSpan },
): Promise<Map<string, bigint>> {
  const { of, kind, subjects, span } = asked
  const rows = await READERS[of](db, [bookId, subjects, kind, entryIdAt(span.above), span.start])
  return new Map(rows.map((row) => [row.subject, row.sum_minor]))
}

type SumRow = { subject: string; sum_minor: bigint }
type SumReader = (db: Queries, values: Parameters<Queries['query']>[1]) => Promise<SumRow[]>

const READERS: Record<Sum['of'], SumReader> = {
  DEPOSIT: (db, values) => db.query<SumRow>(statements.sumOfDeposits, values),
  CUSTOMER: (db, values) => db.query<SumRow>(statements.sumOfCustomers, values),
  ACTOR: (db, values) => db.query<SumRow>(statements.sumOfActors, values),
}
