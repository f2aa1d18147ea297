import { type Static, Type } from 'typebox'
import type { Account } from '../../domain/deposit.ts'
import { money, timestamp } from '../../wire/envelope.ts'
import { CurrencyCode, Money, PlainText, Text } from '../../wire/fields.ts'

export const NewAccount = Type.Object({
  customer_id: Text({ min: 1, max: 64 }),
  currency: Type.Optional(CurrencyCode()),
})
export type NewAccount = Static<typeof NewAccount>

export const AccountCredit = Type.Object({
  amount: Money(),
  narration: Type.Optional(PlainText({ max: 140 })),
})
export type AccountCredit = Static<typeof AccountCredit>

export function accountData(account: Account) {
  return {
    account_number: account.accountNumber,
    customer_id: account.customerId,
    currency: account.currency,
    balance: money(account.balance),
    created_at: timestamp(account.createdAt),
  }
}
