import type { Account } from '../../domain/deposit.ts'
import { amount, calendarDateOrNull, instant, metadata, rowMap, text } from '../../engine/database/row-map.ts'
import { table } from '../../engine/database/table.ts'
import { selectTakenNames, TAKING_NAMES, takenNamesReader } from '../../engine/database/taken-names.ts'

const account = rowMap<Account>({
  accountNumber: text('account_number'),
  customerId: text('customer_id'),
  currency: text('currency'),
  balance: amount('balance_minor'),
  createdAt: instant('created_at'),
  externalId: text<string | null>('external_id'),
  metadata: metadata('metadata'),
  taxClass: text<string | null>('tax_class'),
  taxValidUntil: calendarDateOrNull('tax_valid_until'),
})

const accounts = table('accounts', account, { key: 'accountNumber', orderedBy: TAKING_NAMES })

export const statements = { ...accounts.statements, findTakenNames: selectTakenNames('accounts') }

export type AccountFilters = { customerId?: string; externalId?: string; currency?: string }

export const accountFilterClauses: Record<keyof AccountFilters, (parameter: string) => string> = {
  customerId: (parameter) => `customer_id = ${parameter}`,
  externalId: (parameter) => `external_id = ${parameter}`,
  currency: (parameter) => `currency = ${parameter}`,
}

export const findTakenNames = takenNamesReader(statements.findTakenNames)
export const insertAccounts = accounts.insert
export const findAccounts = accounts.find
export const findAccount = accounts.findOne
export const lockAccounts = accounts.lock
export const listAccounts = accounts.list<AccountFilters>(accountFilterClauses)
export const accountWindow = accounts.window<AccountFilters>(accountFilterClauses)
export const accountOf = account.read
