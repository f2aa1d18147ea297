import { type ApprovalPolicy, heldForApproval } from '../../domain/approvals.ts'
import {
  type Account,
  type Deposit,
  decideOpening,
  type OpeningRequest,
  type RulesInForce,
} from '../../domain/deposit.ts'
import { type LedgerEntry, openingPostings } from '../../domain/ledger.ts'
import { minor } from '../../domain/money.ts'
import { NO_REFERENCE, type OptionallyReferenced, type TakenNames } from '../../domain/own-reference.ts'
import { type AnswerWriter, type Change, made, type Origin, type Result } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { record } from '../../engine/change/recording.ts'
import { newEntryId, newId } from '../../engine/database/ids.ts'
import { lockAccounts } from '../accounts/store.ts'
import { readPolicy } from '../approval-policy/changes.ts'
import { postEntries } from '../ledger/store.ts'
import { inForce } from '../rules/changes.ts'
import { findNewestRuleSet, type KeptRuleSet } from '../rules/store.ts'
import { DepositRecord, type ShownDeposit } from './record.ts'
import { findTakenNames, insertDeposits } from './store.ts'

type Locked = { accounts: Map<string, Account>; taken: TakenNames; newestRules: KeptRuleSet | undefined }
type Known = Omit<Locked, 'newestRules'> & { rulesInForce: RulesInForce; policy: ApprovalPolicy | null }

export const depositOpening: Change<OpeningRequest, Locked, Known, ShownDeposit> = {
  async lock(tx, bookId, requests) {
    const [accounts, taken, newestRules] = await Promise.all([
      lockAccounts(tx, bookId, [...new Set(requests.map(({ accountNumber }) => accountNumber))]),
      findTakenNames(tx, bookId, requests),
      findNewestRuleSet(tx, bookId),
    ])
    return { accounts, taken, newestRules }
  },
  read: async (tx, at, { newestRules, ...locked }) => ({
    ...locked,
    rulesInForce: inForce(at.versions, at.book.bookId, newestRules),
    policy: await readPolicy(tx, at),
  }),
  decider:
    ({ accounts, taken, rulesInForce, policy }, { moment }) =>
    (request) => {
      const account = accounts.get(request.accountNumber)
      const decided = decideOpening({ account, inForce: rulesInForce, taken }, request, moment)
      if (decided.outcome === 'refused') return decided
      const held = heldForApproval(policy, 'openFixedDeposit', { amount: request.amount })
      if (held !== null) return held
      const { deposit } = decided
      accounts.set(deposit.accountNumber, {
        ...account!,
        balance: minor(account!.balance - deposit.principal),
      })
      taken.add(deposit.externalId)
      return made({ deposit, rules: rulesInForce.rules, today: moment.today })
    },
  write(tx, bookId, values, recording) {
    const deposits = values.map(({ deposit }) => deposit)
    insertDeposits(tx, bookId, deposits)
    postEntries(tx, bookId, deposits.map(entryOf))
    record(tx, bookId, recording)
  },
  events: (opened) => [
    {
      type: 'fixed_deposit.created',
      announced: true,
      subjectId: opened.deposit.depositId,
      data: DepositRecord.json(opened),
      changes: null,
    },
  ],
}

export function openDeposit(
  engine: Engine,
  origin: Origin,
  request: OptionallyReferenced<Omit<OpeningRequest, 'depositId'>>,
  answer?: AnswerWriter<ShownDeposit>,
): Promise<Result<ShownDeposit>> {
  return engine.submit(
    depositOpening,
    origin,
    { depositId: newId('fd'), ...NO_REFERENCE, ...request },
    answer,
  )
}

function entryOf(deposit: Deposit): LedgerEntry {
  return {
    entryId: newEntryId(),
    kind: 'DEPOSIT_OPENING',
    accountNumber: deposit.accountNumber,
    depositId: deposit.depositId,
    liquidationId: null,
    narration: null,
    createdAt: deposit.createdAt,
    postings: openingPostings({ ...deposit, fundedFrom: deposit.accountNumber }),
  }
}
