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

/** Who made an event. */
const actor = `coalesce('KEY ' || event.api_key_id, event.actor_kind || ' ' || event.actor_id)`

/**
 * What actors did, by the events that name them: nothing else is written for these sums. What was approved is its
 * maker's, not that of the last voter. The data of an event is looked into only where its actor counts.
 */
const sumOfActors = (summed: { types: string; operation: string; id: string; amounts: string }) => `
    with approved as materialized (
      select approval.maker as actor, approval.result::json ->> '${summed.id}' as made_id
      from events event
      join approvals approval on approval.book_id = $1 and approval.approval_id = event.subject_id
      where event.book_id = $1
        and event.type = 'approval.approved'
        and event.ordinal > $3
        and event.occurred_at >= $4
        and approval.operation = '${summed.operation}'
    ),
    named as materialized (
      select ${actor} as actor, event.data::json ->> '${summed.id}' as made_id
      from events event
      where event.book_id = $1
        and event.type in (${summed.types})
        and event.ordinal > $3
        and event.occurred_at >= $4
        and ${actor} = any($2::text[])
    ),
    done as (
      select actor, made_id
      from named
      where made_id not in (select made_id from approved)
      union all
      select actor, made_id
      from approved
      where actor = any($2::text[])
    )
    select actor as subject, sum(amount_minor)::bigint as sum_minor
    from done
    cross join lateral (${summed.amounts}
      limit 1
    ) as movement
    group by actor`

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

  findSuccessors: `
    select 'KEY ' || root_key_id as subject, 'KEY ' || api_key_id as successor
    from api_keys
    where book_id = $1
      and 'KEY ' || root_key_id = any($2::text[])`,

  sumLiquidationsOfActors: sumOfActors({
    types: `'fixed_deposit.liquidated', 'fixed_deposit.partially_liquidated'`,
    operation: 'liquidateFixedDeposit',
    id: 'liquidation_id',
    amounts: `
      select principal_minor as amount_minor
      from liquidations
      where book_id = $1
        and liquidation_id = made_id
        and reversed_at is null`,
  }),

  sumOpeningsOfActors: sumOfActors({
    types: `'fixed_deposit.created'`,
    operation: 'openFixedDeposit',
    id: 'deposit_id',
    amounts: `
      select principal_minor as amount_minor
      from deposits
      where book_id = $1
        and deposit_id = made_id`,
  }),

  sumCreditsOfActors: sumOfActors({
    types: `'account.credited'`,
    operation: 'creditAccount',
    id: 'entry_id',
    amounts: `
      select amounts_minor[array_position(accounts, account_number)] as amount_minor
      from ledger_entries
      where book_id = $1
        and entry_id = made_id`,
  }),
}

export type Owner = { customerId: string; contactChangedAt: Date | null }

const ownerMap = rowMap<Owner & { accountNumber: string }>({
  accountNumber: text('account_number'),
  customerId: text('customer_id'),
  contactChangedAt: instant('contact_changed_at'),
})

/** Owners by account number. */
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

/** Entries whose amounts a sum adds up. */
export type SummedKind = Extract<EntryKind, 'LIQUIDATION' | 'DEPOSIT_OPENING' | 'ACCOUNT_CREDIT'>

type Asked = { kind: SummedKind; subjects: readonly string[]; span: TimeSpan }

/** Sums by subject; one without movements is left out. */
export async function readSums(
  db: Queries,
  bookId: string,
  { of, ...asked }: Asked & { of: Sum['of'] },
): Promise<Map<string, bigint>> {
  if (of === 'ACTOR') return readSumsOfActors(db, bookId, asked)
  const { kind, subjects, span } = asked
  const rows = await READERS[of](db, [bookId, subjects, kind, entryIdAt(span.above), span.start])
  return new Map(rows.map((row) => [row.subject, row.sum_minor]))
}

/** A key and its successors are one actor. */
async function readSumsOfActors(
  db: Queries,
  bookId: string,
  { kind, subjects, span }: Asked,
): Promise<Map<string, bigint>> {
  type Succession = { subject: string; successor: string }
  const keys = await db.query<Succession>(statements.findSuccessors, [bookId, subjects])
  const firsts = new Map(keys.map(({ subject, successor }) => [successor, subject]))
  const names = [...subjects, ...firsts.keys()]
  const sums = new Map<string, bigint>()
  for (const row of await READERS_OF_ACTORS[kind](db, [bookId, names, span.above, span.start])) {
    const subject = firsts.get(row.subject) ?? row.subject
    sums.set(subject, (sums.get(subject) ?? 0n) + row.sum_minor)
  }
  return sums
}

type SumRow = { subject: string; sum_minor: bigint }
type SumReader = (db: Queries, values: Parameters<Queries['query']>[1]) => Promise<SumRow[]>

const READERS: Record<Exclude<Sum['of'], 'ACTOR'>, SumReader> = {
  DEPOSIT: (db, values) => db.query<SumRow>(statements.sumOfDeposits, values),
  CUSTOMER: (db, values) => db.query<SumRow>(statements.sumOfCustomers, values),
}

const READERS_OF_ACTORS: Record<SummedKind, SumReader> = {
  LIQUIDATION: (db, values) => db.query<SumRow>(statements.sumLiquidationsOfActors, values),
  DEPOSIT_OPENING: (db, values) => db.query<SumRow>(statements.sumOpeningsOfActors, values),
  ACCOUNT_CREDIT: (db, values) => db.query<SumRow>(statements.sumCreditsOfActors, values),
}
