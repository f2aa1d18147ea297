import type { Customer } from '../../domain/customer.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { nextOrdinal } from '../../engine/database/ids.ts'
import { type Page, type PageRequest, pageOf, pageParameters } from '../../engine/database/pages.ts'

const columns = 'customer_id, first_name, last_name, email, phone_number, address, created_at, updated_at'

export const statements = {
  insertCustomer: `
    insert into customers (book_id, ordinal, ${columns})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,

  findCustomer: `
    select ${columns}
    from customers
    where book_id = $1
      and customer_id = $2`,

  lockCustomer: `
    select ${columns}
    from customers
    where book_id = $1
      and customer_id = $2
    for update`,

  updateCustomer: `
    update customers
    set email = $3, phone_number = $4, address = $5, updated_at = $6
    where book_id = $1
      and customer_id = $2`,

  listCustomers: `
    select ordinal, ${columns}
    from customers
    where book_id = $1
      and ordinal < $2
    order by ordinal desc
    limit $3`,
}

export function insertCustomer(tx: Transaction, bookId: string, customer: Customer): void {
  tx.write(statements.insertCustomer, [
    bookId,
    nextOrdinal(),
    customer.customerId,
    customer.firstName,
    customer.lastName,
    customer.email,
    customer.phoneNumber,
    customer.address,
    customer.createdAt,
    customer.updatedAt,
  ])
}

export async function findCustomer(
  db: Queries,
  bookId: string,
  customerId: string,
): Promise<Customer | undefined> {
  const [row] = await db.query<CustomerRow>(statements.findCustomer, [bookId, customerId])
  return row && customerOf(row)
}

export async function lockCustomer(
  tx: Queries,
  bookId: string,
  customerId: string,
): Promise<Customer | undefined> {
  const [row] = await tx.query<CustomerRow>(statements.lockCustomer, [bookId, customerId])
  return row && customerOf(row)
}

export function updateCustomer(tx: Transaction, bookId: string, customer: Customer): void {
  tx.write(statements.updateCustomer, [
    bookId,
    customer.customerId,
    customer.email,
    customer.phoneNumber,
    customer.address,
    customer.updatedAt,
  ])
}

export async function listCustomers(db: Queries, bookId: string, page: PageRequest): Promise<Page<Customer>> {
  const rows = await db.query<CustomerRow & { ordinal: bigint }>(statements.listCustomers, [
    bookId,
    ...pageParameters(page),
  ])
  return pageOf(rows, page, customerOf)
}

type CustomerRow = {
  customer_id: string
  first_name: string
  last_name: string
  email: string
  phone_number: string
  address: string
  created_at: Date
  updated_at: Date
}

function customerOf(row: CustomerRow): Customer {
  return {
    customerId: row.customer_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phoneNumber: row.phone_number,
    address: row.address,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
