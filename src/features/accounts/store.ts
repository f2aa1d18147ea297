import type { Account } from '../../domain/deposit.ts'
import { type FiltersOf, where } from '../../engine/database/list.ts'
import { amount, calendarDateOrNull, instant, metadata, rowMap, text } from '../../engine/database/row-map.ts'
import { table } from '../../engine/database/table.ts'
import { TAKING_NAMES, takenNamesOf } from '../../engine/database/taken-names.ts'

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

export const listAccounts = accounts.list({
  customerId: where('customer_id = ?'),
  externalId: where('external_id = ?'),
  currency: where('currency = ?'),
})
export type AccountFilters = FiltersOf<typeof listAccounts>

export const findTakenNames = takenNamesOf('accounts')
export const insertAccounts = accounts.insert
export const { find: findAccounts, findOne: findAccount, lock: lockAccounts } = accounts
