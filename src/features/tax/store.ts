/**
 * The tax status of customers, and its copy in each of their accounts. Both are written in one transaction, which locks
 * the customer and all accounts; an account is opened while its customer is locked, so copies never differ.
 */
import type { CustomerTaxStatus, TaxStatus } from '../../domain/tax.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { calendarDateOrNull, rowMap, text } from '../../engine/database/row-map.ts'

const status = rowMap<CustomerTaxStatus>({
  customerId: text('customer_id'),
  taxClass: text<string | null>('tax_class'),
  taxReference: text<string | null>('tax_reference'),
  taxValidUntil: calendarDateOrNull('tax_valid_until'),
})

export const statements = {
  findTaxStatus: `
    select ${status.columns}
    from customers
    where book_id = $1
      and customer_id = $2`,

  // order by fixes the lock order, so overlapping batches queue instead of deadlocking. The lock is the one that inserting
  // an account takes anyway.
  holdTaxStatuses: `
    select ${status.columns}
    from customers
    where book_id = $1
      and customer_id = any($2::text[])
    order by customer_id
    for key share`,

  lockTaxStatus: `
    select ${status.columns}
    from customers
    where book_id = $1
      and customer_id = $2
    for update`,

  lockAccountsOfCustomer: `
    select account_number
    from accounts
    where book_id = $1
      and customer_id = $2
    order by account_number
    for update`,

  writeTaxStatus: `
    update customers
    set tax_class = $3,
        tax_reference = $4,
        tax_valid_until = $5
    where book_id = $1
      and customer_id = $2`,

  copyTaxStatus: `
    update accounts
    set tax_class = $3,
        tax_valid_until = $4
    where book_id = $1
      and customer_id = $2`,
}

export async function findTaxStatus(
  db: Queries,
  bookId: string,
  customerId: string,
): Promise<CustomerTaxStatus | undefined> {
  const [row] = await db.query<object>(statements.findTaxStatus, [bookId, customerId])
  return row && status.read(row)
}

/** The tax statuses of the customers that exist. They cannot change before the transaction ends. */
export async function holdTaxStatuses(
  tx: Queries,
  bookId: string,
  customerIds: readonly string[],
): Promise<Map<string, TaxStatus>> {
  const rows = await tx.query<object>(statements.holdTaxStatuses, [bookId, customerIds])
  return new Map(rows.map(status.read).map((one) => [one.customerId, one]))
}

/** The accounts are found after the customer is locked, so an account that was just being opened is included. */
export async function lockTaxStatus(
  tx: Queries,
  bookId: string,
  customerId: string,
): Promise<CustomerTaxStatus | undefined> {
  const [rows] = await Promise.all([
    tx.query<object>(statements.lockTaxStatus, [bookId, customerId]),
    tx.query(statements.lockAccountsOfCustomer, [bookId, customerId]),
  ])
  return rows[0] && status.read(rows[0])
}

export function writeTaxStatus(tx: Transaction, bookId: string, written: CustomerTaxStatus): void {
  const { customerId, taxClass, taxReference, taxValidUntil } = written
  tx.write(statements.writeTaxStatus, [bookId, customerId, taxClass, taxReference, taxValidUntil])
  tx.write(statements.copyTaxStatus, [bookId, customerId, taxClass, taxValidUntil])
}
