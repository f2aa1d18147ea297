/** The row of a deposit's parties is written whole, while the deposit is locked. */
import { holderOf } from '../../domain/letterhead.ts'
import type { Succession } from '../../domain/maturity.ts'
import { type NamedParties, noParties, type Parties, type Party, withNames } from '../../domain/parties.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { instant, rowMap, text, texts } from '../../engine/database/row-map.ts'
import { assignments, type Rows, statementOverRows } from '../../engine/database/rows.ts'
import { findCustomers } from '../customers/store.ts'

type StoredParties = Pick<Parties, 'depositId' | 'mandate'> & {
  customerIds: readonly string[]
  roles: readonly Party['role'][]
  updatedAt: Date
}

const map = rowMap<StoredParties>({
  depositId: text('deposit_id'),
  mandate: text<Parties['mandate']>('mandate'),
  customerIds: texts('customer_ids'),
  roles: texts<readonly Party['role'][]>('roles'),
  updatedAt: instant('updated_at'),
})

const writing = statementOverRows(
  { written: map.rows },
  (from, book) => `
    insert into parties (book_id, ${map.columns})
    select ${book.written}, ${map.columns}
    from ${from.written}
    on conflict (book_id, deposit_id) do update
    set ${assignments(map.rows, 'excluded').slice(1).join(',\n        ')}`,
)

export const successions: Rows<Succession> = {
  deposit_id: ['text', ({ from }) => from],
  successor_id: ['text', ({ to }) => to],
}

const copying = statementOverRows(
  { moved: successions },
  (from, book) => `
    insert into parties (book_id, deposit_id, mandate, customer_ids, roles, updated_at)
    select earlier.book_id, moved.successor_id, earlier.mandate, earlier.customer_ids, earlier.roles, earlier.updated_at
    from parties earlier
    join ${from.moved} on moved.deposit_id = earlier.deposit_id
    where earlier.book_id = ${book.moved}`,
)

export const statements = {
  writeParties: writing,

  copyParties: copying,

  findParties: `
    select ${map.columns}
    from parties
    where book_id = $1
      and deposit_id = any($2::text[])`,
}

/** Each deposit at most once. */
export function writeParties(
  tx: Transaction,
  bookId: string,
  written: readonly (Parties & { updatedAt: Date })[],
): void {
  if (written.length === 0) return
  const rows = written.map(({ parties, ...one }) => ({
    ...one,
    customerIds: parties.map(({ customerId }) => customerId),
    roles: parties.map(({ role }) => role),
  }))
  tx.write(statements.writeParties.of(bookId, { written: rows }))
}

/** A successor has those of the deposit before it. */
export function copyParties(tx: Transaction, bookId: string, moved: readonly Succession[]): void {
  if (moved.length > 0) tx.write(statements.copyParties.of(bookId, { moved }))
}

/** Parties by deposit; those that were never written are left out. */
export async function findParties(
  db: Queries,
  bookId: string,
  depositIds: readonly string[],
): Promise<Map<string, Parties>> {
  const rows = await db.query<object>(statements.findParties, [bookId, depositIds])
  return new Map(
    rows.map(map.read).map(({ depositId, mandate, customerIds, roles }) => {
      const parties = customerIds.map((customerId, index) => ({ customerId, role: roles[index]! }))
      return [depositId, { depositId, mandate, parties }]
    }),
  )
}

/** The parties of one deposit, with names. */
export async function findNamedParties(
  db: Queries,
  bookId: string,
  depositId: string,
): Promise<NamedParties> {
  const written = (await findParties(db, bookId, [depositId])).get(depositId) ?? noParties(depositId)
  return withNames(written, await findNames(db, bookId, idsOf([written])))
}

/** Names by customer. */
export async function findNames(
  db: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, string>> {
  if (customerIds.length === 0) return new Map()
  const customers = await findCustomers(db, bookId, customerIds)
  return new Map([...customers].map(([customerId, customer]) => [customerId, holderOf(customer).name]))
}

export function idsOf(written: readonly Parties[]): string[] {
  return [...new Set(written.flatMap(({ parties }) => parties.map(({ customerId }) => customerId)))]
}
