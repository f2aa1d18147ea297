import { type Static, Type } from 'typebox'
import type { Account } from '../../domain/deposit.ts'
import { CurrencyCode, Identifier, Money, PlainText } from '../../wire/fields.ts'
import { ownFields, ownReference } from '../../wire/own-reference.ts'
import { accountNumber, amount, createdAt, currency, customerId, record } from '../../wire/record.ts'
import { AccountCreditRecord, NARRATION } from '../ledger/record.ts'

export const NewAccount = Type.Object({
  customer_id: Identifier(customerId),
  currency: Type.Optional(
    CurrencyCode({
      description:
        "ISO 4217 code of a currency with two minor digits, or none; the caller's own if left out.",
    }),
  ),
  ...ownFields,
})
export type NewAccount = Static<typeof NewAccount>

export const AccountCredit = Type.Object({
  amount: Money({ description: 'The amount to add to the balance.' }),
  narration: Type.Optional(PlainText({ max: 140, description: NARRATION })),
})
export type AccountCredit = Static<typeof AccountCredit>

export const AccountRecord = record<Account>('Account', {
  account_number: accountNumber.of((account) => account.accountNumber),
  customer_id: customerId.of((account) => account.customerId),
  currency: currency.of((account) => account.currency),
  balance: amount.as('What the account holds.', (account) => account.balance),
  created_at: createdAt.of((account) => account.createdAt),
  ...ownReference((account) => account),
})

/** What subscribers can receive. */
export const accountEvents = {
  'account.credited': AccountCreditRecord,
}
