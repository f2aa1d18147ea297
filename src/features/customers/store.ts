import type { Customer } from '../../domain/customer.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'
import { instant, rowMap, text } from '../../engine/database/row-map.ts'
import { statementOverRows } from '../../engine/database/rows.ts'

const customer = rowMap<Customer>({
  customerId: text('customer_id'),
  firstName: text('first_name'),
  lastName: text('last_name'),
  email: text('email'),
  phoneNumber: text('phone_number'),
  address: text('address'),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
  contactChangedAt: instant<Date | null>('contact_changed_at'),
})

const insertion = statementOverRows(
  { created: { ordinal: ['bigint', nextOrdinal], ...customer.rows } },
  (from) => `
    insert into customers (book_id, ordinal, ${customer.columns})
    select $1::text, ordinal, ${customer.columns}
    from ${from.created}`,
)

const update = statementOverRows(
  { changed: customer.rows },
  (from) => `
    update customers
    set email = changed.email,
        phone_number = changed.phone_number,
        address = changed.address,
        updated_at = changed.updated_at,
        contact_changed_at = changed.contact_changed_at
    from ${from.changed}
    where customers.book_id = $1
      and customers.customer_id = changed.customer_id`,
)

export const statements = {
  insertCustomers: insertion.text,
  updateCustomers: update.text,

  findCustomers: `
    select ${customer.columns}
    from customers
    where book_id = $1
      and customer_id = any($2::text[])`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking.
  lockCustomers: `
    select ${customer.columns}
    from customers
    where book_id = $1
      and customer_id = any($2::text[])
    order by customer_id
    for update`,

  findContactChanges: `
    select account.account_number, customer.contact_changed_at
    from accounts account
    join customers customer on customer.book_id = $1 and customer.customer_id = account.customer_id
    where account.book_id = $1
      and account.account_number = any($2::text[])
      and customer.contact_changed_at is not null`,

  listCustomers: `
    select ordinal, ${customer.columns}
    from customers
    where book_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export function insertCustomers(tx: Transaction, bookId: string, customers: readonly Customer[]): void {
  tx.write(statements.insertCustomers, insertion.parameters(bookId, { created: customers }))
}

/** Each customer at most once. */
export function updateCustomers(tx: Transaction, bookId: string, customers: readonly Customer[]): void {
  tx.write(statements.updateCustomers, update.parameters(bookId, { changed: customers }))
}

export async function findCustomer(
  db: Queries,
  bookId: string,
  customerId: string,
): Promise<Customer | undefined> {
  return (await findCustomers(db, bookId, [customerId])).get(customerId)
}

export async function findCustomers(
  db: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, Customer>> {
  return byId(await db.query<object>(statements.findCustomers, [bookId, customerIds]))
}

/** By account: when its owner's e-mail or telephone number last changed; those who never changed them are left out. */
export async function findContactChanges(
  db: Queries,
  bookId: string,
  accountNumbers: readonly string[],
): Promise<Map<string, Date>> {
  type Row = { account_number: string; contact_changed_at: Date }
  const rows = await db.query<Row>(statements.findContactChanges, [bookId, accountNumbers])
  return new Map(rows.map((row) => [row.account_number, row.contact_changed_at]))
}

export async function lockCustomers(
  tx: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, Customer>> {
  return byId(await tx.query<object>(statements.lockCustomers, [bookId, customerIds]))
}

export async function listCustomers(db: Queries, bookId: string, page: PageRequest): Promise<Page<Customer>> {
  const rows = await db.query<{ ordinal: bigint }>(statements.listCustomers, [
    bookId,
    ...pageParameters(page),
  ])
  return pageOf(rows, page, customer.read)
}

function byId(rows: readonly object[]): Map<string, Customer> {
  return new Map(rows.map(customer.read).map((one) => [one.customerId, one]))
}
