/**
 * Settles what is due in one book. A batch is divided by account into transactions, two of which run side by side: while
 * one is in the database, the other is decided. A transaction: claim deposits by id, lock accounts by number · read the
 * clock and the rules in force · decide · write one statement. Guarantees: a deposit is settled at most once, however
 * many processes run this and wherever one is killed; what one run leaves, the next one finds; a deposit that cannot be
 * settled is reported and does not block others.
 */
import type { IsoDate } from '../../domain/dates.ts'
import { type Account, type Deposit, type RulesOf, rollsOver, WITHOUT_PRODUCT } from '../../domain/deposit.ts'
import {
  decideMaturities,
  type KnownAtMaturity,
  type Maturity,
  paysToAccount,
  type Unsettled,
} from '../../domain/maturity.ts'
import type { Moment } from '../../domain/moment.ts'
import type { ProductVersion } from '../../domain/product.ts'
import {
  type Change,
  type EventDraft,
  made,
  type Origin,
  type ReadingContext,
} from '../../engine/change/change.ts'
import type { Engine } from '../../engine/change/engine.ts'
import { OutcomeUnknownError } from '../../engine/change/faults.ts'
import { isUnavailable, type Queries } from '../../engine/database/database.ts'
import { newId, nextOrdinal } from '../../engine/database/ids.ts'
import { findAccounts, lockAccounts } from '../accounts/store.ts'
import { readCalendar } from '../calendar/changes.ts'
import { endClockMove, findClockMove } from '../callers/store.ts'
import { claimDeposits, lockDeposits } from '../deposits/store.ts'
import { interestPayment, paymentEvents } from '../interest-payments/changes.ts'
import { BEFORE_ALL_INTEREST, findInterestDue, type InterestPosition } from '../interest-payments/store.ts'
import {
  nameOf,
  productNameOf,
  readNewestProducts,
  readProducts,
  readRulesOf,
  readSheets,
} from '../products/changes.ts'
import { readRulesInForce } from '../rules/changes.ts'
import { readTaxVersions } from '../tax/changes.ts'
import { MaturedDepositRecord, RolledOverDepositRecord } from './record.ts'
import { BEFORE_ALL, type DuePosition, findDue, forgetSettled, writeMaturities } from './store.ts'

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

/** `paid` counts payments of interest before maturity. */
export type Batch = { matured: number; rolledOver: number; paid: number; unsettled: UnsettledDeposit[] }

/**
 * Visits every due deposit of a book once, a batch at a time. Successors opened meanwhile are left to the next sweep:
 * otherwise long chains of rollovers, whose successors come first by date, would delay the other deposits.
 */
export type Sweep = Batch & {
  openedBefore: bigint
  /** Interest is paid first: null once all that is due was visited. */
  interestAfter: InterestPosition | null
  after: DuePosition
  ended: boolean
}

type Task = {
  origin: Pick<Origin, 'book' | 'actor' | 'requestId' | 'traceparent'>
  /** Whether to wait for deposits that another transaction has locked, or to skip them. */
  waits: boolean
}

/** A chain of rollovers may be longer than what a batch has room for. */
type BoundedTask = Task & { rolloversMax: number }

/** How the deposits of one part are settled, or paid, in a transaction. */
type PartTask = Task & { run: (depositIds: readonly string[]) => Promise<Batch> }

const NOTHING_SETTLED: Batch = { matured: 0, rolledOver: 0, paid: 0, unsettled: [] }

type Due = { depositId: string; accountNumber: string }

export type Settling = {
  /** Settles one batch; a rollover counts as one deposit. */
  settleNext: (sweep: Sweep, task: Task) => Promise<Sweep>
  /** Everything that is due in one book, including what other transactions have locked: it waits for them. */
  settleBook: (origin: Task['origin']) => Promise<void>
}

export function newSweep(): Sweep {
  return {
    openedBefore: nextOrdinal(),
    interestAfter: BEFORE_ALL_INTEREST,
    after: BEFORE_ALL,
    ended: false,
    matured: 0,
    rolledOver: 0,
    paid: 0,
    unsettled: [],
  }
}

type Request = {
  depositIds: readonly string[]
  waits: boolean
  rolloversMax: number
}
type Locked = { deposits: Deposit[]; accounts: Map<string, Account> }
type Known = Locked &
  Pick<KnownAtMaturity, 'rulesOf' | 'inForce' | 'productOf' | 'taxVersions' | 'taxStatuses' | 'movedFrom'>
type Settled = { maturities: Maturity[]; unsettled: Unsettled[]; rulesOf: RulesOf }

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
    const paidOut = deposits.filter(paysToAccount)
    const accountNumbers = [...new Set(paidOut.map((deposit) => deposit.accountNumber))]
    return { deposits, accounts: await lockAccounts(tx, bookId, accountNumbers) }
  },
  async read(tx, at, locked) {
    const { bookId } = at.book
    const inForce = await readRulesInForce(tx, at.versions, bookId)
    const products = await readProductsOf(tx, at, locked.deposits)
    const rulesVersion = inForce.version
    const successors = [
      { ...WITHOUT_PRODUCT, rulesVersion },
      ...products.newest.map(({ productCode, version }) => ({
        productCode,
        productVersion: version,
        rulesVersion,
      })),
    ]
    const rulesOf = await readRulesOf(tx, at.versions, bookId, [...successors, ...locked.deposits])
    const taxVersions = await readTaxVersions(tx, at)
    // A rollover does not change its account, so only its tax status is read.
    const rolledOver = locked.deposits
      .map((deposit) => deposit.accountNumber)
      .filter((accountNumber) => !locked.accounts.has(accountNumber))
    const isTaxed = taxVersions.length > 0
    const unlocked = isTaxed ? await findAccounts(tx, bookId, rolledOver) : []
    const taxStatuses = new Map([...locked.accounts, ...unlocked])
    const movedFrom = isTaxed && at.book.mode === 'test' ? (await findClockMove(tx, bookId)).from : null
    const { productOf } = products
    return { ...locked, rulesOf, inForce, productOf, taxVersions, taxStatuses, movedFrom }
  },
  decider:
    ({ deposits, accounts, ...known }, { moment }) =>
    ({ rolloversMax }) => {
      const balances = new Map([...accounts].map(([accountNumber, { balance }]) => [accountNumber, balance]))
      const opensSuccessors = deposits.some(rollsOver)
      const successorIds = Array.from({ length: opensSuccessors ? rolloversMax : 0 }, () => newId('fd'))
      const decided = decideMaturities({ ...known, balances, successorIds }, deposits, moment)
      return made({ ...decided, rulesOf: known.rulesOf })
    },
  write(tx, bookId, [settled], recording) {
    if (settled!.maturities.length > 0) writeMaturities(tx, bookId, settled!.maturities, recording)
  },
  events: ({ maturities, rulesOf }, { moment }) =>
    maturities.flatMap((maturity) => [
      ...paymentEvents(maturity.payments),
      eventOf(maturity, { rulesOf, moment }),
      ...paymentEvents(maturity.successorPayments),
    ]),
}

/** What may renew deposits; where none of them has a product, nothing is read. */
async function readProductsOf(
  tx: Queries,
  at: ReadingContext<Request>,
  deposits: readonly Deposit[],
): Promise<{ newest: ProductVersion[] } & Pick<KnownAtMaturity, 'productOf'>> {
  const { bookId } = at.book
  const names = deposits.filter(rollsOver).flatMap((deposit) => productNameOf(deposit) ?? [])
  if (names.length === 0) return { newest: [], productOf: () => undefined }
  const codes = new Set(names.map(({ productCode }) => productCode))
  const versions = await readNewestProducts(tx, at.versions, bookId, codes)
  const newest = [...versions.values()]
  const pinned = await readProducts(tx, at.versions, bookId, [...names, ...newest])
  const sheets = await readSheets(tx, at.versions, bookId, codes)
  const calendar = await readCalendar(tx, at)
  return {
    newest,
    productOf: (deposit) => {
      const name = productNameOf(deposit)
      if (name === null) return undefined
      const { productCode } = name
      return {
        version: versions.get(productCode)!,
        rolloverLimit: pinned.get(nameOf(name))!.maturity.rolloverLimit,
        sheets: sheets.get(productCode) ?? [],
        calendar,
      }
    },
  }
}

export function createSettling(options: { engine: Engine; batchMax?: number }): Settling {
  const { engine, batchMax = BATCH_MAX } = options
  const { db } = engine

  const inTurn = createTurns()

  return {
    settleNext,
    settleBook: (origin) => inTurn(origin.book.bookId, () => settleSweeps({ origin, waits: true })),
  }

  async function settleSweeps(task: Task): Promise<void> {
    const { bookId, mode } = task.origin.book
    for (;;) {
      const move = mode === 'test' ? await findClockMove(db, bookId) : null
      let sweep = newSweep()
      while (!sweep.ended) sweep = await settleNext(sweep, task)
      if (sweep.matured + sweep.rolledOver + sweep.paid > 0) continue
      if (move !== null) await endClockMove(db, bookId, move)
      return
    }
  }

  async function settleNext(sweep: Sweep, task: Task): Promise<Sweep> {
    const { book } = task.origin
    const { today } = await engine.momentIn(book)
    const paid = await payNext(engine, sweep, { task, today, batchMax })
    if (paid !== null) return paid
    const due = await findDue(db, book.bookId, { ...sweep, ...sweep.after, today, limit: batchMax })
    const gone = due.filter(({ status }) => status !== 'ACTIVE')
    if (gone.length > 0) await forgetSettled(db, book.bookId, gone.map(idOf))
    const parts = partsByAccount(due.filter(({ status }) => status === 'ACTIVE'))
    const rolloversMax = Math.ceil(batchMax / parts.length)
    const settled = await settleSideBySide(parts, {
      ...task,
      run: (ids) => settleBatch(engine, ids, { ...task, rolloversMax }),
    })
    return {
      ...sweep,
      ...sumOf([sweep, ...settled]),
      interestAfter: null,
      after: due.at(-1) ?? sweep.after,
      ended: due.length < batchMax,
    }
  }
}

/**
 * Calls for one book run one after the other: concurrently, each would hold a connection while it waits for the same
 * locks.
 */
function createTurns(): (bookId: string, work: () => Promise<void>) => Promise<void> {
  const lastOfBook = new Map<string, Promise<void>>()
  return async (bookId, work) => {
    const previous = lastOfBook.get(bookId)
    const { promise, resolve } = Promise.withResolvers<void>()
    lastOfBook.set(bookId, promise)
    await previous
    try {
      await work()
    } finally {
      resolve()
      if (lastOfBook.get(bookId) === promise) lastOfBook.delete(bookId)
    }
  }
}

/** One batch of the interest that is due; null where nothing is, so that the maturities follow at once. */
async function payNext(
  engine: Engine,
  sweep: Sweep,
  { task, today, batchMax }: { task: Task; today: IsoDate; batchMax: number },
): Promise<Sweep | null> {
  const { interestAfter: after } = sweep
  if (after === null) return null
  const due = await findInterestDue(engine.db, task.origin.book.bookId, { today, after, limit: batchMax })
  if (due.length === 0) return null
  const parts = partsByAccount(due)
  // Of a deposit many payments may have been missed; a batch makes about as many as it has deposits at most.
  const max = Math.max(1, Math.floor(batchMax / due.length))
  const run = (ids: readonly string[]) => payBatch(engine, ids, { ...task, max })
  const paid = await settleSideBySide(parts, { ...task, run })
  return {
    ...sweep,
    ...sumOf([sweep, ...paid]),
    interestAfter: due.length < batchMax ? null : due.at(-1)!,
  }
}

async function payBatch(
  engine: Engine,
  depositIds: readonly string[],
  task: Task & { max: number },
): Promise<Batch> {
  const { origin, ...how } = task
  const request = { depositIds, ...how }
  const result = await engine.perform(interestPayment, { ...origin, idempotency: null }, request)
  if (result.outcome !== 'done') throw new Error('Paying is never refused or replayed.')
  const { paid, unpaid } = result.value
  const { bookId } = origin.book
  const code = 'balance_limit_exceeded' as const
  return {
    ...NOTHING_SETTLED,
    paid: paid.reduce((sum, { payments }) => sum + payments.length, 0),
    unsettled: unpaid.map((depositId) => ({ bookId, depositId, code, error: null })),
  }
}

/** A part that waits for locks uses one connection. After a failure no further part is begun. */
async function settleSideBySide(parts: readonly Due[][], task: PartTask): Promise<Batch[]> {
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
async function settleOrSingleOut(depositIds: readonly string[], task: PartTask): Promise<Batch> {
  try {
    return await task.run(depositIds)
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
      return { ...NOTHING_SETTLED, unsettled: [unsettled] }
    }
    const batches: Batch[] = []
    for (const depositId of depositIds) batches.push(await settleOrSingleOut([depositId], task))
    return sumOf(batches)
  }
}

async function settleBatch(engine: Engine, depositIds: readonly string[], task: BoundedTask): Promise<Batch> {
  const { origin, ...how } = task
  const request = { depositIds, ...how }
  const result = await engine.perform(settlement, { ...origin, idempotency: null }, request)
  if (result.outcome !== 'done') throw new Error('Settling is never refused or replayed.')
  const { maturities, unsettled } = result.value
  const rolledOver = maturities.filter(({ successor }) => successor !== null).length
  return {
    matured: maturities.length - rolledOver,
    rolledOver,
    paid: maturities.reduce((sum, { payments }) => sum + payments.length, 0),
    unsettled: unsettled.map((one) => ({ bookId: origin.book.bookId, ...one, error: null })),
  }
}

function eventOf(maturity: Maturity, known: { rulesOf: RulesOf; moment: Moment }): EventDraft {
  const { deposit, successor } = maturity
  const shown = (deposit: Deposit) => ({
    deposit,
    rules: known.rulesOf(deposit),
    today: known.moment.today,
  })
  const settled = { ...maturity, ...shown(deposit) }
  const data =
    successor === null
      ? MaturedDepositRecord.json(settled)
      : RolledOverDepositRecord.json({ ...settled, successor: shown(successor) })
  return {
    type: successor === null ? 'fixed_deposit.matured' : 'fixed_deposit.rolled_over',
    announced: true,
    subjectId: deposit.depositId,
    data,
    changes: null,
  }
}

/** Deposits of one account are settled together, so that transactions side by side do not wait for its lock. */
function partsByAccount<One extends Due>(due: readonly One[]): One[][] {
  const parts: One[][] = []
  for (const ofAccount of Map.groupBy(due, ({ accountNumber }) => accountNumber).values()) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + ofAccount.length <= TRANSACTION_MAX) last.push(...ofAccount)
    else
      for (let at = 0; at < ofAccount.length; at += TRANSACTION_MAX)
        parts.push(ofAccount.slice(at, at + TRANSACTION_MAX))
  }
  return parts
}

function idOf({ depositId }: Pick<Due, 'depositId'>): string {
  return depositId
}

function sumOf(batches: readonly Batch[]): Batch {
  return {
    matured: batches.reduce((sum, { matured }) => sum + matured, 0),
    rolledOver: batches.reduce((sum, { rolledOver }) => sum + rolledOver, 0),
    paid: batches.reduce((sum, { paid }) => sum + paid, 0),
    unsettled: batches.flatMap(({ unsettled }) => unsettled),
  }
}
