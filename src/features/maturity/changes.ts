/**
 * Settles what is due in one book. A batch is divided by account into transactions, two of which run side by side: while
 * one is in the database, the other is decided. A transaction: claim deposits by id, lock accounts by number · read the
 * clock and the rules in force · decide · write one statement. Guarantees: a deposit is settled at most once, however
 * many processes run this and wherever one is killed; what one run leaves, the next one finds; a deposit that cannot be
 * settled is reported and does not block others.
 */
import type { Account, Deposit } from '../../domain/deposit.ts'
import {
  decideMaturities,
  type KnownAtMaturity,
  type Maturity,
  type Unsettled,
} from '../../domain/maturity.ts'
import type { Moment } from '../../domain/moment.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { type Change, type EventDraft, made, type Origin } from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { isUnavailable } from '../../engine/database/database.ts'
import { newId, nextOrdinal } from '../../engine/database/ids.ts'
import { findAccounts, lockAccounts } from '../accounts/store.ts'
import { endClockMove, findClockMove } from '../callers/store.ts'
import { lockDeposits } from '../deposits/store.ts'
import { readRules, readRulesInForce } from '../rules/changes.ts'
import { readTaxVersions } from '../tax/changes.ts'
import { MaturedDepositRecord, RolledOverDepositRecord } from './record.ts'
import {
  BEFORE_ALL,
  claimDeposits,
  type DueDeposit,
  type DuePosition,
  findDue,
  forgetSettled,
  writeMaturities,
} from './store.ts'

const BATCH_MAX = 2_000
/** Deposits of one transaction: enough to share its cost, few enough that others do not wait long for their locks. */
const TRANSACTION_MAX = 250
const SIDE_BY_SIDE = 2

type UnsettledDeposit = {
  bookId: string
  depositId: string
  code: Unsettled['code'] | 'internal_error'
  /** The error, where it is not about the deposit's own amounts. */
  error: unknown
}

export type Batch = { matured: number; rolledOver: number; unsettled: UnsettledDeposit[] }

/**
 * Visits every due deposit of a book once, a batch at a time. Successors opened meanwhile are left to the next sweep:
 * otherwise long chains of rollovers, whose successors come first by date, would delay the other deposits.
 */
export type Sweep = Batch & { openedBefore: bigint; after: DuePosition; ended: boolean }

type Task = {
  origin: Pick<Origin, 'book' | 'actor' | 'requestId'>
  /** Whether to wait for deposits that another transaction has locked, or to skip them. */
  waits: boolean
}

/** A chain of rollovers may be longer than what a batch has room for. */
type BoundedTask = Task & { rolloversMax: number }

export type Settling = {
  /** Settles one batch; a rollover counts as one deposit. */
  settleNext: (sweep: Sweep, task: Task) => Promise<Sweep>
  /** Everything that is due in one book, including what other transactions have locked: it waits for them. */
  settleBook: (origin: Task['origin']) => Promise<void>
}

export function newSweep(): Sweep {
  return {
    openedBefore: nextOrdinal(),
    after: BEFORE_ALL,
    ended: false,
    matured: 0,
    rolledOver: 0,
    unsettled: [],
  }
}

type Request = {
  depositIds: readonly string[]
  waits: boolean
  rolloversMax: number
}
type Locked = { deposits: Deposit[]; accounts: Map<string, Account> }
type Known = Locked & Pick<KnownAtMaturity, 'rules' | 'inForce' | 'taxVersions' | 'taxStatuses' | 'movedFrom'>
type Settled = { maturities: Maturity[]; unsettled: Unsettled[]; rules: ReadonlyMap<number, RuleSet> }

/** One request is a batch of deposits: the job makes its batches itself. */
const settlement: Change<Request, Locked, Known, Settled> = {
  batchMax: 1,
  async lock(tx, bookId, [request]) {
    const { depositIds, waits } = request!
    const deposits = waits
      ? [...(await lockDeposits(tx, bookId, depositIds)).values()]
      : await claimDeposits(tx, bookId, depositIds)
    // Which accounts are paid is known only now. What is read of the book meanwhile may miss a clock move that these
    // locks wait for; then a deposit that it made due is settled next time.
    const paidOut = deposits.filter((deposit) => !deposit.autoRollover)
    const accountNumbers = [...new Set(paidOut.map((deposit) => deposit.accountNumber))]
    return { deposits, accounts: await lockAccounts(tx, bookId, accountNumbers) }
  },
  async read(tx, at, locked) {
    const { bookId } = at.book
    const inForce = await readRulesInForce(tx, at.versions, bookId)
    const pinned = locked.deposits.map((deposit) => deposit.rulesVersion)
    const rules = await readRules(tx, at.versions, bookId, [inForce.version, ...pinned])
    const taxVersions = await readTaxVersions(tx, at)
    // A rollover does not change its account, so only its tax status is read.
    const rolledOver = locked.deposits
      .map((deposit) => deposit.accountNumber)
      .filter((accountNumber) => !locked.accounts.has(accountNumber))
    const isTaxed = taxVersions.length > 0
    const unlocked = isTaxed ? await findAccounts(tx, bookId, rolledOver) : []
    const taxStatuses = new Map([...locked.accounts, ...unlocked])
    const movedFrom = isTaxed && at.book.mode === 'test' ? (await findClockMove(tx, bookId)).from : null
    return { ...locked, rules, inForce, taxVersions, taxStatuses, movedFrom }
  },
  decider:
    ({ deposits, accounts, ...known }, { moment }) =>
    ({ rolloversMax }) => {
      const balances = new Map([...accounts].map(([accountNumber, { balance }]) => [accountNumber, balance]))
      const rollsOver = deposits.some((deposit) => deposit.autoRollover)
      const successorIds = Array.from({ length: rollsOver ? rolloversMax : 0 }, () => newId('fd'))
      const decided = decideMaturities({ ...known, balances, successorIds }, deposits, moment)
      return made({ ...decided, rules: known.rules })
    },
  write(tx, bookId, [settled], recording) {
    if (settled!.maturities.length > 0) writeMaturities(tx, bookId, settled!.maturities, recording)
  },
  events: ({ maturities, rules }, { moment }) =>
    maturities.map((maturity) => eventOf(maturity, { rules, moment })),
}

export function createSettling(options: { engine: Engine; batchMax?: number }): Settling {
  const { engine, batchMax = BATCH_MAX } = options
  const { db } = engine

  const lastOfBook = new Map<string, Promise<void>>()

  return { settleNext, settleBook }

  /**
   * Calls for one book run one after the other: concurrently, each would hold a connection while it waits for the same
   * locks.
   */
  async function settleBook(origin: Task['origin']): Promise<void> {
    const { bookId } = origin.book
    const previous = lastOfBook.get(bookId)
    const { promise, resolve } = Promise.withResolvers<void>()
    lastOfBook.set(bookId, promise)
    await previous
    try {
      await settleSweeps({ origin, waits: true })
    } finally {
      resolve()
      if (lastOfBook.get(bookId) === promise) lastOfBook.delete(bookId)
    }
  }

  async function settleSweeps(task: Task): Promise<void> {
    const { bookId, mode } = task.origin.book
    for (;;) {
      const move = mode === 'test' ? await findClockMove(db, bookId) : null
      let sweep = newSweep()
      while (!sweep.ended) sweep = await settleNext(sweep, task)
      if (sweep.matured + sweep.rolledOver > 0) continue
      if (move !== null) await endClockMove(db, bookId, move)
      return
    }
  }

  async function settleNext(sweep: Sweep, task: Task): Promise<Sweep> {
    const { book } = task.origin
    const { today } = await engine.momentIn(book)
    const due = await findDue(db, book.bookId, { ...sweep, today, limit: batchMax })
    const gone = due.filter(({ status }) => status !== 'ACTIVE')
    if (gone.length > 0) await forgetSettled(db, book.bookId, gone.map(idOf))
    const parts = partsByAccount(due.filter(({ status }) => status === 'ACTIVE'))
    const settled = await settleSideBySide(parts, {
      ...task,
      rolloversMax: Math.ceil(batchMax / parts.length),
    })
    return {
      ...sweep,
      ...sumOf([sweep, ...settled]),
      after: due.at(-1) ?? sweep.after,
      ended: due.length < batchMax,
    }
  }

  /** Whoever waits for locks uses one connection. After a failure no further part is begun. */
  async function settleSideBySide(parts: readonly DueDeposit[][], task: BoundedTask): Promise<Batch[]> {
    const left = [...parts]
    const settled: Batch[] = []
    const settleLeft = async () => {
      try {
        for (let part = left.shift(); part !== undefined; part = left.shift()) {
          settled.push(await settleOrSingleOut(part.map(idOf), task))
        }
      } catch (error) {
        left.length = 0
        throw error
      }
    }
    const ended = await Promise.allSettled(
      Array.from({ length: task.waits ? 1 : SIDE_BY_SIDE }, () => settleLeft()),
    )
    const failure = ended.find((one) => one.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    return settled
  }

  /**
   * If a batch fails because of the database or of one deposit, each of its deposits is settled alone, and the failing
   * one is reported.
   */
  async function settleOrSingleOut(depositIds: readonly string[], task: BoundedTask): Promise<Batch> {
    try {
      return await settleBatch(depositIds, task)
    } catch (error) {
      // An unknown commit or an unavailable database is not caused by a single deposit.
      if (error instanceof OutcomeUnknownError || isUnavailable(error)) throw error
      if (depositIds.length === 1) {
        const { bookId } = task.origin.book
        const unsettled: UnsettledDeposit = {
          bookId,
          depositId: depositIds[0]!,
          code: 'internal_error',
          error,
        }
        return { matured: 0, rolledOver: 0, unsettled: [unsettled] }
      }
      const batches: Batch[] = []
      for (const depositId of depositIds) batches.push(await settleOrSingleOut([depositId], task))
      return sumOf(batches)
    }
  }

  async function settleBatch(depositIds: readonly string[], task: BoundedTask): Promise<Batch> {
    const { origin, ...how } = task
    const request = { depositIds, ...how }
    const result = await engine.perform(settlement, { ...origin, idempotency: null }, request)
    if (result.outcome !== 'done') throw new Error('Settling is never refused or replayed.')
    const { maturities, unsettled } = result.value
    const rolledOver = maturities.filter(({ successor }) => successor !== null).length
    return {
      matured: maturities.length - rolledOver,
      rolledOver,
      unsettled: unsettled.map((one) => ({ bookId: origin.book.bookId, ...one, error: null })),
    }
  }
}

function eventOf(
  maturity: Maturity,
  known: { rules: ReadonlyMap<number, RuleSet>; moment: Moment },
): EventDraft {
  const { deposit, successor } = maturity
  const shown = (deposit: Deposit) => ({
    deposit,
    rules: known.rules.get(deposit.rulesVersion)!,
    today: known.moment.today,
  })
  const settled = { ...maturity, ...shown(deposit) }
  const data =
    successor === null
      ? MaturedDepositRecord.write(settled)
      : RolledOverDepositRecord.write({ ...settled, successor: shown(successor) })
  return {
    type: successor === null ? 'fixed_deposit.matured' : 'fixed_deposit.rolled_over',
    announced: true,
    subjectId: deposit.depositId,
    data: JSON.stringify(data),
    changes: null,
  }
}

/** Deposits of one account are settled together, so that transactions side by side do not wait for its lock. */
function partsByAccount(due: readonly DueDeposit[]): DueDeposit[][] {
  const parts: DueDeposit[][] = []
  for (const ofAccount of Map.groupBy(due, ({ accountNumber }) => accountNumber).values()) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + ofAccount.length <= TRANSACTION_MAX) last.push(...ofAccount)
    else
      for (let at = 0; at < ofAccount.length; at += TRANSACTION_MAX)
        parts.push(ofAccount.slice(at, at + TRANSACTION_MAX))
  }
  return parts
}

function idOf({ depositId }: DuePosition): string {
  return depositId
}

function sumOf(batches: readonly Batch[]): Batch {
  return {
    matured: batches.reduce((sum, { matured }) => sum + matured, 0),
    rolledOver: batches.reduce((sum, { rolledOver }) => sum + rolledOver, 0),
    unsettled: batches.flatMap(({ unsettled }) => unsettled),
  }
}
