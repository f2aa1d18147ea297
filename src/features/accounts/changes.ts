import type { Account } from '../../domain/deposit.ts'
import { creditPostings, type LedgerEntry } from '../../domain/ledger.ts'
import { MINOR_MAX, minor } from '../../domain/money.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Answered, Origin, Perform } from '../../engine/change/change.ts'
import { newAccountNumber, newEntryId } from '../../engine/database/ids.ts'
import { successBody } from '../../wire/envelope.ts'
import { findCustomer } from '../customers/store.ts'
import { ledgerEntryData } from '../ledger/record.ts'
import { writeEntries } from '../ledger/store.ts'
import { type AccountCredit, accountData, type NewAccount } from './record.ts'
import { changeBalance, insertAccount, lockAccounts } from './store.ts'

export function openAccount(perform: Perform, origin: Origin, body: NewAccount): Promise<Answered | Refusal> {
  const { bookId, currency } = origin.book
  return perform(origin, {
    lock: async () => undefined,
    decide: async (tx, _, moment) => {
      const customer = await findCustomer(tx, bookId, body.customer_id)
      if (customer === undefined) return refuse('customer_not_found')
      const account: Account = {
        accountNumber: newAccountNumber(),
        customerId: customer.customerId,
        currency: body.currency ?? currency,
        balance: minor(0n),
        createdAt: moment.at,
      }
      // One number in nine thousand million is drawn; where it is taken, another one is.
      while (!(await insertAccount(tx, bookId, account))) account.accountNumber = newAccountNumber()
      return {
        outcome: 'made',
        status: 201,
        body: successBody('The account was opened.', accountData(account)),
        event: {
          type: 'account.created',
          announced: false,
          subjectId: account.accountNumber,
          data: JSON.stringify(accountData(account)),
          changes: null,
        },
      }
    },
  })
}

export function creditAccount(
  perform: Perform,
  origin: Origin,
  asked: { accountNumber: string; credit: AccountCredit },
): Promise<Answered | Refusal> {
  const { bookId } = origin.book
  const { accountNumber, credit } = asked
  return perform(origin, {
    lock: async (tx) => (await lockAccounts(tx, bookId, [accountNumber])).get(accountNumber),
    decide: async (tx, account, moment) => {
      if (account === undefined) return refuse('account_not_found')
      if (account.balance + credit.amount > MINOR_MAX) {
        return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })
      }
      const entry: LedgerEntry = {
        entryId: newEntryId(),
        kind: 'ACCOUNT_CREDIT',
        accountNumber,
        depositId: null,
        liquidationId: null,
        narration: credit.narration ?? null,
        createdAt: moment.at,
        postings: creditPostings(accountNumber, credit.amount),
      }
      changeBalance(tx, bookId, { accountNumber, amount: credit.amount })
      writeEntries(tx, bookId, [entry])
      const data = ledgerEntryData(entry)
      return {
        outcome: 'made',
        status: 201,
        body: successBody('The account was credited.', data),
        event: {
          type: 'account.credited',
          announced: true,
          subjectId: accountNumber,
          data: JSON.stringify({ ...data, narration: undefined }),
          changes: null,
        },
      }
    },
  })
}
