/**
 * Pays the interest that is due in one book. One request is a batch of deposits: the job makes its batches itself. A
 * transaction: claim deposits by id, lock accounts by number · read the clock, the rules and the tax rules · decide ·
 * write one statement. A payment is made once, however many processes run this: its period is the key of its row.
 */
import type { Account, Deposit } from '../../domain/deposit.ts'
import {
  decidePayments,
  type InterestPayment,
  type KnownOfPayments,
  type PaidInterest,
} from '../../domain/payments.ts'
import { type Change, type EventDraft, made } from '../../engine/change/change.ts'
import { lockAccounts } from '../accounts/store.ts'
import { findClockMove } from '../callers/store.ts'
import { claimDeposits, lockDeposits } from '../deposits/store.ts'
import { readRulesOf } from '../products/changes.ts'
import { readTaxVersions } from '../tax/changes.ts'
import { InterestPaidRecord } from './record.ts'
import { writePayments } from './store.ts'

type Request = {
  depositIds: readonly string[]
  /** Whether to wait for deposits that another transaction has locked, or to skip them. */
  waits: boolean
  /** Payments of one deposit: many may have been missed. */
  max: number
}
type Locked = { deposits: Deposit[]; accounts: Map<string, Account> }
type Known = Locked & Pick<KnownOfPayments, 'rulesOf' | 'taxVersions' | 'movedFrom'>
export type Paid = { paid: PaidInterest[]; unpaid: string[] }

export const interestPayment: Change<Request, Locked, Known, Paid> = {
  batchMax: 1,
  async lock(tx, bookId, [request]) {
    const { depositIds, waits } = request!
    const deposits = waits
      ? [...(await lockDeposits(tx, bookId, depositIds)).values()]
      : await claimDeposits(tx, bookId, depositIds)
    const accountNumbers = [...new Set(deposits.map((deposit) => deposit.accountNumber))]
    return { deposits, accounts: await lockAccounts(tx, bookId, accountNumbers) }
  },
  async read(tx, at, locked) {
    const { bookId } = at.book
    const taxVersions = await readTaxVersions(tx, at)
    const isMoved = taxVersions.length > 0 && at.book.mode === 'test'
    return {
      ...locked,
      rulesOf: await readRulesOf(tx, at.versions, bookId, locked.deposits),
      taxVersions,
      movedFrom: isMoved ? (await findClockMove(tx, bookId)).from : null,
    }
  },
  decider:
    ({ deposits, accounts, ...known }, { moment }) =>
    ({ max }) => {
      const balances = new Map([...accounts].map(([accountNumber, { balance }]) => [accountNumber, balance]))
      return made(decidePayments({ ...known, balances, taxStatuses: accounts }, { deposits, max }, moment))
    },
  write(tx, bookId, [value], recording) {
    if (value!.paid.length > 0) writePayments(tx, bookId, value!.paid, recording)
  },
  events: ({ paid }) => paymentEvents(paid.flatMap(({ payments }) => payments)),
}

/** One event for each payment, whatever made it. */
export function paymentEvents(payments: readonly InterestPayment[]): EventDraft[] {
  return payments.map((payment) => ({
    type: 'fixed_deposit.interest_paid',
    announced: true,
    subjectId: payment.depositId,
    data: InterestPaidRecord.json(payment),
    changes: null,
  }))
}
