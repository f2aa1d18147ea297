/**
 * Settles what is due. A batch of one book is one transaction:
 *   claim deposits by id, lock accounts by number · read the clock and the rules in force · decide · write one statement.
 * Guarantees: a deposit is settled at most once, however many run this at once and wherever one is killed; what one run
 * leaves, the next one finds; a deposit that cannot be settled is reported and stops no other, nor does a book.
 */

import type { Book } from '../../domain/book.ts'
import { decideMaturities, type Maturity, type Unsettled } from '../../domain/maturity.ts'
import type { Moment } from '../../domain/moment.ts'
import type { RuleSet } from '../../domain/rules.ts'
import { momentOf, type Origin } from '../../engine/change/change.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { persist } from '../../engine/change/persistence.ts'
import { type ChangeEvent, findEvents } from '../../engine/change/recording.ts'
import { type Database, isUnavailable, type Queries } from '../../engine/database/database.ts'
import { newId } from '../../engine/database/ids.ts'
import { lockAccounts } from '../accounts/store.ts'
import { listBooks, readClockOffset } from '../callers/store.ts'
import { lockDeposits } from '../deposits/store.ts'
import { type RulesReader, rulesInForce } from '../rules/changes.ts'
import { maturedData, rolledOverData } from './record.ts'
import {
  BEFORE_ALL,
  claimDeposits,
  type DuePosition,
  findDue,
  forgetSettled,
  writeMaturities,
} from './store.ts'

/** Deposits of one transaction: enough to share its cost, few enough that others do not wait for their locks. */
const BATCH_MAX = 250

export type UnsettledDeposit = {
  bookId: string
  depositId: string
  code: Unsettled['code'] | 'internal_error'
  /** What went wrong, where it is not the deposit's own amounts. */
  error: unknown
}

export type MaturityRun = {
  matured: number
  rolledOver: number
  unsettled: UnsettledDeposit[]
  /** Books that could not be gone through; the next run tries again. */
  failed: { bookId: string; error: unknown }[]
}

export type Maturities = {
  /** Everything that is due, in every book. */
  settleAll: (options?: RunOptions) => Promise<MaturityRun>
  /** Everything that is due in one book, also what others hold at the moment: it waits for them. */
  settleBook: (origin: Pick<Origin, 'book' | 'apiKeyId' | 'requestId'>) => Promise<MaturityRun>
}

export type RunOptions = {
  /** Ends the run after the batch under way. */
  signal?: AbortSignal
  observe?: (sofar: Readonly<MaturityRun>) => void
}

type Batch = Pick<MaturityRun, 'matured' | 'rolledOver' | 'unsettled'>
type Task = RunOptions & { origin: Pick<Origin, 'book' | 'apiKeyId' | 'requestId'>; waits: boolean }

export function createMaturity(options: {
  db: Database
  clock: () => Date
  rules: RulesReader
  batchMax?: number
}): Maturities {
  const { db, clock, rules, batchMax = BATCH_MAX } = options

  return {
    async settleAll(runOptions = {}) {
      const run = emptyRun()
      for (const book of await listBooks(db)) {
        if (runOptions.signal?.aborted) break
        const origin = { book, apiKeyId: null, requestId: null }
        try {
          await settleUntilNothingIsDue(run, { ...runOptions, origin, waits: false })
        } catch (error) {
          run.failed.push({ bookId: book.bookId, error })
        }
      }
      return run
    },
    async settleBook(origin) {
      const run = emptyRun()
      await settleUntilNothingIsDue(run, { origin, waits: true })
      return run
    },
  }

  async function momentIn(queries: Queries, book: Book): Promise<Moment> {
    return momentOf(book, clock(), await readClockOffset(queries, book.bookId))
  }

  /** A pass may leave successors that are due, so it is repeated until one settles nothing. */
  async function settleUntilNothingIsDue(run: MaturityRun, task: Task): Promise<void> {
    for (;;) {
      const pass = await settlePass(run, task)
      if (pass.settled > 0) continue
      run.unsettled.push(...pass.unsettled)
      return
    }
  }

  async function settlePass(run: MaturityRun, task: Task) {
    const { book } = task.origin
    const unsettled: UnsettledDeposit[] = []
    let settled = 0
    let after = BEFORE_ALL
    while (!task.signal?.aborted) {
      const { today } = await momentIn(db, book)
      const due = await findDue(db, book.bookId, { today, after, limit: batchMax })
      const last = due.at(-1)
      if (last === undefined) break
      after = last
      const gone = due.filter(({ status }) => status !== 'ACTIVE')
      if (gone.length > 0) await forgetSettled(db, book.bookId, gone.map(idOf))
      const active = due.filter(({ status }) => status === 'ACTIVE')
      if (active.length === 0) continue
      const batch = await settleOrSingleOut(active.map(idOf), task)
      run.matured += batch.matured
      run.rolledOver += batch.rolledOver
      settled += batch.matured + batch.rolledOver
      unsettled.push(...batch.unsettled)
      task.observe?.(run)
    }
    return { settled, unsettled }
  }

  /** If the database or a deposit fails a batch, each of it is settled alone, and the one at fault is told. */
  async function settleOrSingleOut(depositIds: readonly string[], task: Task): Promise<Batch> {
    try {
      return await settleBatch(depositIds, task)
    } catch (error) {
      // A commit that may have happened and a database that is away are nobody's fault.
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
      return {
        matured: sum(batches.map((batch) => batch.matured)),
        rolledOver: sum(batches.map((batch) => batch.rolledOver)),
        unsettled: batches.flatMap((batch) => batch.unsettled),
      }
    }
  }

  async function settleBatch(depositIds: readonly string[], { origin, waits }: Task): Promise<Batch> {
    const { bookId } = origin.book
    /** What an attempt whose commit was not confirmed would have done. */
    let unconfirmed: { batch: Batch; eventIds: string[] } | null = null

    return persist((inDoubt) =>
      db.transaction(async (tx) => {
        const deposits =
          waits || inDoubt
            ? [...(await lockDeposits(tx, bookId, depositIds)).values()]
            : await claimDeposits(tx, bookId, depositIds)
        if (inDoubt && unconfirmed !== null) {
          if ((await findEvents(tx, bookId, unconfirmed.eventIds)).size > 0) return unconfirmed.batch
        }
        const paidOut = deposits.filter((deposit) => !deposit.autoRollover)
        const accounts = await lockAccounts(tx, bookId, [
          ...new Set(paidOut.map((deposit) => deposit.accountNumber)),
        ])
        const moment = await momentIn(tx, origin.book)
        const inForce = await rulesInForce(tx, rules, bookId)
        const pinned = await rules.readVersions(tx, bookId, [
          inForce.version,
          ...deposits.map((deposit) => deposit.rulesVersion),
        ])
        const { maturities, unsettled } = decideMaturities(
          {
            rules: pinned,
            inForce,
            balances: new Map([...accounts].map(([accountNumber, { balance }]) => [accountNumber, balance])),
            successorIds: Array.from({ length: batchMax }, () => newId('fd')),
          },
          deposits,
          moment,
        )
        const events = maturities.map((maturity) => eventOf(maturity, { origin, rules: pinned, moment }))
        if (maturities.length > 0) writeMaturities(tx, bookId, { maturities, events })
        const rolledOver = maturities.filter(({ successor }) => successor !== null).length
        const batch: Batch = {
          matured: maturities.length - rolledOver,
          rolledOver,
          unsettled: unsettled.map((one) => ({ bookId, ...one, error: null })),
        }
        unconfirmed = { batch, eventIds: events.map((event) => event.eventId) }
        return batch
      }),
    )
  }
}

function eventOf(
  maturity: Maturity,
  known: { origin: Task['origin']; rules: ReadonlyMap<number, RuleSet>; moment: Moment },
): ChangeEvent {
  const { deposit, successor } = maturity
  const { today } = known.moment
  const rules = known.rules.get(deposit.rulesVersion)!
  const data =
    successor === null
      ? maturedData(maturity, rules, today)
      : rolledOverData(
          { ...maturity, successor },
          { deposit: rules, successor: known.rules.get(successor.rulesVersion)! },
          today,
        )
  return {
    eventId: newId('evt'),
    type: successor === null ? 'fixed_deposit.matured' : 'fixed_deposit.rolled_over',
    announced: true,
    subjectId: deposit.depositId,
    apiKeyId: known.origin.apiKeyId,
    requestId: known.origin.requestId,
    at: maturity.at,
    data: JSON.stringify(data),
    changes: null,
  }
}

function idOf({ depositId }: DuePosition): string {
  return depositId
}

function emptyRun(): MaturityRun {
  return { matured: 0, rolledOver: 0, unsettled: [], failed: [] }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  event: string,
  fields?: Record<string, string | number | null>,
) => void

/** Runs again and again, the first time after one interval, and never two at once. */
export function startMaturityJob(options: {
  maturity: Pick<Maturities, 'settleAll'>
  everySeconds: number
  log: Log
}): { stop: () => Promise<void> } {
  const { maturity, everySeconds, log } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout
  let running = Promise.resolve()
  schedule()
  return {
    /** Waits for the batch under way, not for the whole run. */
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = runOnce().finally(() => {
        if (!stopping.signal.aborted) schedule()
      })
    }, everySeconds * 1000)
  }

  async function runOnce(): Promise<void> {
    try {
      report(await maturity.settleAll({ signal: stopping.signal }))
    } catch (error) {
      log('error', 'maturity_failed', { error: nameOf(error) })
    }
  }

  function report({ matured, rolledOver, unsettled, failed }: MaturityRun): void {
    for (const { bookId, depositId, code, error } of unsettled) {
      const cause = error === null ? null : nameOf(error)
      log('warn', 'maturity_unsettled', { book_id: bookId, deposit_id: depositId, code, error: cause })
    }
    for (const { bookId, error } of failed) {
      log('error', 'maturity_failed', { book_id: bookId, error: nameOf(error) })
    }
    log(matured + rolledOver > 0 ? 'info' : 'debug', 'maturity_run', {
      matured,
      rolled_over: rolledOver,
      unsettled: unsettled.length,
    })
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
