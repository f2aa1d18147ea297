/**
 * Settles what is due in every book. Books take turns, a batch each, and a pass ends after a bounded number of turns,
 * so a book with much work delays another by one batch per turn. A pass continues where the last one ended.
 */
import { MATURITY_JOB } from '../../domain/actor.ts'
import type { Book } from '../../domain/book.ts'
import { levelOfFailure } from '../../engine/change/job-failures.ts'
import type { Log } from '../../observe/log.ts'
import { listBooks } from '../callers/store.ts'
import { type Batch, createSettling, newSweep, type Settling, type Sweep } from './changes.ts'

/** Turns of a book in one pass; the books are listed again for the next pass, which finds what became due meanwhile. */
const TURNS_MAX = 8

export type MaturityRun = Batch & {
  /** Books that could not be processed; the next run tries again. */
  failed: { bookId: string; error: unknown }[]
}

export type Maturities = Pick<Settling, 'settleBook'> & {
  /** Bounded work in every book; hasMore says whether to start the next pass immediately. */
  settlePass: (options?: RunOptions) => Promise<MaturityRun & { hasMore: boolean }>
  /** Passes until nothing is due in any book. */
  settleAll: (options?: RunOptions) => Promise<MaturityRun>
}

export type RunOptions = {
  /** Ends the run after the current batch. */
  signal?: AbortSignal
  observe?: (sofar: Readonly<MaturityRun>) => void
}

export function createMaturity(options: Parameters<typeof createSettling>[0]): Maturities {
  const { db } = options.engine
  const { settleNext, settleBook } = createSettling(options)
  const sweeps = new Map<string, Sweep>()

  return {
    settleBook,
    async settlePass(runOptions = {}) {
      const run = emptyRun()
      const hasMore = await settlePass(run, runOptions)
      return { ...run, hasMore }
    },
    async settleAll(runOptions = {}) {
      const run = emptyRun()
      while (await settlePass(run, runOptions));
      return run
    },
  }

  async function settlePass(run: MaturityRun, { signal, observe }: RunOptions): Promise<boolean> {
    let books = await listBooks(db)
    for (let turn = 1; turn <= TURNS_MAX && books.length > 0; turn += 1) {
      const unfinished: Book[] = []
      for (const book of books) {
        if (signal?.aborted) return false
        if (await takeTurn(run, book)) unfinished.push(book)
        observe?.(run)
      }
      books = unfinished
    }
    return books.length > 0
  }

  /** Returns whether the book needs another turn: until a whole sweep settles nothing, there may be due successors. */
  async function takeTurn(run: MaturityRun, book: Book): Promise<boolean> {
    const { bookId } = book
    const earlier = sweeps.get(bookId) ?? newSweep()
    sweeps.delete(bookId)
    run.failed = run.failed.filter((failure) => failure.bookId !== bookId)
    try {
      const origin = { book, actor: MATURITY_JOB, requestId: null }
      const sweep = await settleNext(earlier, { origin, waits: false })
      run.matured += sweep.matured - earlier.matured
      run.rolledOver += sweep.rolledOver - earlier.rolledOver
      run.paid += sweep.paid - earlier.paid
      if (!sweep.ended) {
        sweeps.set(bookId, sweep)
        return true
      }
      run.unsettled = [...run.unsettled.filter((one) => one.bookId !== bookId), ...sweep.unsettled]
      return sweep.matured + sweep.rolledOver + sweep.paid > 0
    } catch (error) {
      run.failed.push({ bookId, error })
      return false
    }
  }
}

function emptyRun(): MaturityRun {
  return { matured: 0, rolledOver: 0, paid: 0, unsettled: [], failed: [] }
}

/**
 * A pass after each interval, including the first, and immediately after a pass that left work; never two at the same
 * time.
 */
export function startMaturityJob(options: {
  maturity: Pick<Maturities, 'settlePass'>
  everySeconds: number
  log: Log
  isPaused?: () => boolean
}): { stop: () => Promise<void> } {
  const { maturity, everySeconds, log, isPaused = () => false } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout
  let running = Promise.resolve()
  schedule(everySeconds * 1000)
  return {
    /** Waits for the current batch, not for the whole pass. */
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      running = runOnce().then((hasMore) => {
        if (!stopping.signal.aborted) schedule(hasMore ? 0 : everySeconds * 1000)
      })
    }, delayMs)
  }

  async function runOnce(): Promise<boolean> {
    if (isPaused()) return false
    try {
      const { hasMore, ...run } = await maturity.settlePass({ signal: stopping.signal })
      report(run)
      return hasMore
    } catch (error) {
      log(levelOfFailure(error), 'maturity_failed', { error: nameOf(error) }, error)
      return false
    }
  }

  function report({ matured, rolledOver, paid, unsettled, failed }: MaturityRun): void {
    for (const { bookId, depositId, code, error } of unsettled) {
      const cause = error === null ? null : nameOf(error)
      log('warn', 'maturity_unsettled', { book_id: bookId, deposit_id: depositId, code, error: cause })
    }
    for (const { bookId, error } of failed) {
      log(levelOfFailure(error), 'maturity_failed', { book_id: bookId, error: nameOf(error) }, error)
    }
    log(matured + rolledOver + paid > 0 ? 'info' : 'debug', 'maturity_run', {
      matured,
      rolled_over: rolledOver,
      interest_payments: paid,
      unsettled: unsettled.length,
    })
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
