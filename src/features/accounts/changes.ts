import { type Account, newAccount } from '../../domain/deposit.ts'
import { creditPostings, type LedgerEntry } from '../../domain/ledger.ts'
import { existsIn, MINOR_MAX, type Minor, minor } from '../../domain/money.ts'
import {
  NO_REFERENCE,
  type OptionallyReferenced,
  type OwnReference,
  refuseTaken,
  type TakenNames,
} from '../../domain/own-reference.ts'
import { refuse } from '../../domain/refusal.ts'
import type { TaxStatus } from '../../domain/tax.ts'
import {
  type AnswerWriter,
  type Change,
  made,
  type Origin,
  type Result,
  whatWasLocked,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { newAccountNumber, newEntryId } from '../../engine/database/ids.ts'
import { held } from '../holding/changes.ts'
import { AccountCreditRecord } from '../ledger/record.ts'
import { postEntries } from '../ledger/store.ts'
import { holdTaxStatuses } from '../tax/store.ts'
import { AccountRecord } from './record.ts'
import { findTakenNames, insertAccounts, lockAccounts } from './store.ts'

type OpeningRequest = OwnReference & { customerId: string; currency: string | null }
type KnownOwners = { owners: ReadonlyMap<string, TaxStatus>; taken: TakenNames }

export const accountOpening: Change<OpeningRequest, KnownOwners, KnownOwners, Account> = {
  lock: async (tx, bookId, requests) => {
    const customerIds = requests.map(({ customerId }) => customerId)
    const [taken, owners] = await Promise.all([
      findTakenNames(tx, bookId, requests),
      holdTaxStatuses(tx, bookId, customerIds),
    ])
    return { taken, owners }
  },
  read: whatWasLocked,
  decider:
    ({ owners, taken }, { book, moment }) =>
    ({ customerId, currency, externalId, metadata }) => {
      const owner = owners.get(customerId)
      if (owner === undefined) return refuse('customer_not_found')
      const refused = refuseTaken(taken, externalId)
      if (refused !== null) return refused
      taken.add(externalId)
      const account = newAccount({
        // One in nine thousand million; if it is taken, the unique key rejects it and the next attempt draws another
        // number.
        accountNumber: newAccountNumber(),
        customerId,
        currency: currency ?? book.currency,
        balance: minor(0n),
        createdAt: moment.at,
        externalId,
        metadata,
        taxClass: owner.taxClass,
        taxValidUntil: owner.taxValidUntil,
      })
      return made(account)
    },
  write(tx, bookId, accounts, recording) {
    insertAccounts(tx, bookId, accounts)
    record(tx, bookId, recording)
  },
  events: (account) => [
    {
      type: 'account.created',
      announced: false,
      subjectId: account.accountNumber,
      data: AccountRecord.json(account),
      changes: null,
    },
  ],
}

export function openAccount(
  engine: Engine,
  origin: Origin,
  request: OptionallyReferenced<OpeningRequest>,
  answer?: AnswerWriter<Account>,
): Promise<Result<Account>> {
  return engine.submit(accountOpening, origin, { ...NO_REFERENCE, ...request }, answer)
}

type CreditRequest = { accountNumber: string; amount: Minor; narration: string | null }

type Accounts = Map<string, Account>

export const creditChange = held<CreditRequest, Accounts, Accounts, LedgerEntry>({
  operation: 'creditAccount',
  about: (accounts) => ({ accounts: accounts.keys() }),
  lock: (tx, bookId, requests) =>
    lockAccounts(tx, bookId, [...new Set(requests.map(({ accountNumber }) => accountNumber))]),
  read: whatWasLocked,
  decider:
    (accounts, { moment }, hold) =>
    ({ accountNumber, amount, narration }) => {
      const account = accounts.get(accountNumber)
      if (account === undefined) return refuse('account_not_found')
      const { currency } = account
      if (!existsIn(currency, amount)) return refuse('amount_not_whole', { currency })
      const balance = account.balance + amount
      if (balance > MINOR_MAX) return refuse('balance_limit_exceeded', { maximum: MINOR_MAX })
      const waits = hold(() => ({ amount }), { accountNumber })
      if (waits !== null) return waits
      accounts.set(accountNumber, { ...account, balance: minor(balance) })
      return made({
        entryId: newEntryId(),
        kind: 'ACCOUNT_CREDIT',
        accountNumber,
        depositId: null,
        liquidationId: null,
        narration,
        createdAt: moment.at,
        businessDate: moment.today,
        postings: creditPostings(accountNumber, amount),
      })
    },
  write(tx, bookId, entries, recording) {
    postEntries(tx, bookId, entries)
    record(tx, bookId, recording)
  },
  events: (entry) => [
    {
      type: 'account.credited',
      announced: true,
      subjectId: entry.accountNumber!,
      data: AccountCreditRecord.json(entry),
      changes: null,
    },
  ],
})

export function creditAccount(
  engine: Engine,
  origin: Origin,
  request: CreditRequest,
  answer?: AnswerWriter<LedgerEntry>,
): Promise<Result<LedgerEntry>> {
  return engine.submit(creditChange, origin, request, answer)
}
