/** Taking over accounts and deposits: audited, but not announced, because nothing happened to the customer. */
import type { Account } from '../../domain/deposit.ts'
import {
  type AccountImport,
  type DepositImport,
  decideAccountImport,
  decideDepositImport,
  type ImportedHistory,
  type KnownOfAccounts,
  type KnownOfDeposits,
} from '../../domain/import.ts'
import { importPostings, type Movement } from '../../domain/ledger.ts'
import { type Minor, minor } from '../../domain/money.ts'
import type { TakenNames } from '../../domain/own-reference.ts'
import { type Change, made, whatWasLocked } from '../../engine/change/change.ts'
import { record } from '../../engine/change/recording.ts'
import { newAccountNumber } from '../../engine/database/ids.ts'
import { AccountRecord } from '../accounts/record.ts'
import { findTakenNames as findTakenAccounts, insertAccounts, lockAccounts } from '../accounts/store.ts'
import { DepositRecord, type ShownDeposit } from '../deposits/record.ts'
import { findTakenNames as findTakenDeposits, insertDeposits } from '../deposits/store.ts'
import { newEntries, postEntries } from '../ledger/store.ts'
import { readNewestProducts, readSheets } from '../products/changes.ts'
import { inForce } from '../rules/changes.ts'
import { ruleSetStore } from '../rules/store.ts'
import { holdTaxStatuses } from '../tax/store.ts'
import type { StoredVersion } from '../versions/store.ts'
import { findCustomersByName, findNumbers, insertHistories } from './store.ts'

export const accountImport: Change<AccountImport, KnownOfAccounts, KnownOfAccounts, Account> = {
  async lock(tx, bookId, requests) {
    const names = requests.flatMap(({ customer }) => ('externalId' in customer ? customer.externalId : []))
    const ids = requests.flatMap(({ customer }) => ('customerId' in customer ? customer.customerId : []))
    const numbers = requests.flatMap(({ accountNumber }) => accountNumber ?? [])
    const [taken, takenNumbers, byName] = await Promise.all([
      findTakenAccounts(tx, bookId, requests),
      findNumbers(tx, bookId, numbers),
      findCustomersByName(tx, bookId, names),
    ])
    const owners = await holdTaxStatuses(tx, bookId, [...ids, ...byName.values()])
    const customers: KnownOfAccounts['customers'] = (customer) => {
      const customerId =
        'customerId' in customer ? customer.customerId : (byName.get(customer.externalId) ?? '')
      const status = owners.get(customerId)
      return status && { ...status, customerId }
    }
    return { taken, takenNumbers, customers }
  },
  read: whatWasLocked,
  decider:
    (known, { moment }) =>
    (request) => {
      const decided = decideAccountImport(known, request, { at: moment.at, newNumber: newAccountNumber })
      if (decided.outcome === 'refused') return decided
      known.taken.add(request.externalId)
      known.takenNumbers.add(decided.account.accountNumber)
      return made(decided.account)
    },
  write(tx, bookId, accounts, recording) {
    // The entry below brings the balance.
    insertAccounts(
      tx,
      bookId,
      accounts.map((account) => ({ ...account, balance: minor(0n) })),
    )
    const entries = accounts
      .filter(({ balance }) => balance > 0n)
      .flatMap(({ accountNumber, balance, createdAt: at }) =>
        newEntries([importOf(accountNumber, balance)], { accountNumber, at }),
      )
    if (entries.length > 0) postEntries(tx, bookId, entries)
    record(tx, bookId, recording)
  },
  events: (account) => [
    {
      type: 'account.imported',
      announced: false,
      subjectId: account.accountNumber,
      data: AccountRecord.json(account),
      changes: null,
    },
  ],
}

type Locked = { accounts: Map<string, Account>; taken: TakenNames; newestRules: StoredVersion | undefined }
type Known = Pick<Locked, 'accounts' | 'taken'> &
  Pick<KnownOfDeposits, 'inForce'> & {
    product: (code: string | null) => Pick<KnownOfDeposits, 'version' | 'sheets'>
  }
type Imported = ShownDeposit & { history: ImportedHistory }

export const depositImport: Change<DepositImport, Locked, Known, Imported> = {
  async lock(tx, bookId, requests) {
    const [accounts, taken, newestRules] = await Promise.all([
      lockAccounts(tx, bookId, [...new Set(requests.map(({ accountNumber }) => accountNumber))]),
      findTakenDeposits(tx, bookId, requests),
      ruleSetStore.findNewest(tx, bookId),
    ])
    return { accounts, taken, newestRules }
  },
  async read(tx, at, { newestRules, ...locked }) {
    const { bookId } = at.book
    const codes = at.requests.flatMap(({ productCode }) => productCode ?? [])
    const versions = await readNewestProducts(tx, at.versions, bookId, codes)
    const sheets = await readSheets(tx, at.versions, bookId, versions.keys())
    return {
      ...locked,
      inForce: inForce(at.versions, bookId, newestRules),
      product: (code) => ({ version: versions.get(code ?? ''), sheets: sheets.get(code ?? '') ?? [] }),
    }
  },
  decider:
    ({ accounts, taken, inForce, product }, { moment }) =>
    (request) => {
      const account = accounts.get(request.accountNumber)
      const known = { account, taken, inForce, ...product(request.productCode) }
      const decided = decideDepositImport(known, request, moment)
      if (decided.outcome === 'refused') return decided
      taken.add(request.externalId)
      const { deposit, rules, history } = decided
      return made({ deposit, rules, history, today: moment.today })
    },
  write(tx, bookId, imported, recording) {
    insertDeposits(
      tx,
      bookId,
      imported.map(({ deposit }) => deposit),
    )
    insertHistories(
      tx,
      bookId,
      imported.map(({ history }) => history),
    )
    const entries = imported.flatMap(({ deposit: { depositId, accountNumber, remaining, createdAt: at } }) =>
      newEntries([importOf(depositId, remaining)], { accountNumber, depositId, at }),
    )
    postEntries(tx, bookId, entries)
    record(tx, bookId, recording)
  },
  events: (imported) => [
    {
      type: 'fixed_deposit.imported',
      announced: false,
      subjectId: imported.deposit.depositId,
      data: DepositRecord.json(imported),
      changes: null,
    },
  ],
}

function importOf(to: string, amount: Minor): Movement {
  return { kind: 'IMPORT', postings: importPostings(to, amount) }
}
