/**
 * The tax status of customers, and its copy in each of their accounts. Both are written in one transaction, which locks
 * the customer and all accounts; an account is opened while its customer is locked, so copies never differ.
 */
import type { CustomerTaxStatus } from '../../domain/tax.ts'
import type { Queries, Transaction } from '../../engine/database/database.ts'
import { lockedByKey } from '../../engine/database/keyed-rows.ts'
import { calendarDateOrNull, rowMap, text } from '../../engine/database/row-map.ts'
import { idOfBook, idsOfBook, sql } from '../../engine/database/sql.ts'
import { assignOne } from '../../engine/database/table.ts'

const status = rowMap<CustomerTaxStatus>({
  customerId: text('customer_id'),
  taxClass: text<string | null>('tax_class'),
  taxReference: text<string | null>('tax_reference'),
  taxValidUntil: calendarDateOrNull('tax_valid_until'),
})

const selectStatus = `
    select ${status.columns}
    from customers
    where book_id = $1
      and customer_id = $2`
export const findTaxStatus = sql`${selectStatus}`.first(status, idOfBook)

/** The tax statuses of the customers that exist. They cannot change before the transaction ends. */
// The lock is the one that inserting an account takes anyway.
export const holdTaxStatuses =
  sql`${lockedByKey('customers', 'customer_id', status.columns, { strength: 'key share' })}`.map(
    text('customer_id'),
    status,
    idsOfBook,
  )

export const statements = {
  lockTaxStatus: sql`${selectStatus}
    for update`.first(status, idOfBook),

  lockAccountsOfCustomer: sql`
    select account_number
    from accounts
    where book_id = $1
      and customer_id = $2
    order by account_number
    for update`.run(idOfBook),

  writeTaxStatus: assignOne('customers', status).write,
  // In every account of the customer.
  copyTaxStatus: assignOne('accounts', status.pick('customerId', 'taxClass', 'taxValidUntil')).write,
}

/** The accounts are found after the customer is locked, so an account that was just being opened is included. */
export async function lockTaxStatus(
  tx: Queries,
  bookId: string,
  customerId: string,
): Promise<CustomerTaxStatus | undefined> {
  const [locked] = await Promise.all([
    statements.lockTaxStatus(tx, bookId, customerId),
    statements.lockAccountsOfCustomer(tx, bookId, customerId),
  ])
  return locked
}

export function writeTaxStatus(tx: Transaction, bookId: string, written: CustomerTaxStatus): void {
  statements.writeTaxStatus(tx, bookId, written)
  statements.copyTaxStatus(tx, bookId, written)
}
