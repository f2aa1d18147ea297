/** All that the doors need to serve callers, wired once. */
import type { Book } from '../domain/book.ts'
import type { Moment } from '../domain/moment.ts'
import type { BatchLimits } from '../engine/change/batcher.ts'
import { createPerform, momentOf, type Perform } from '../engine/change/change.ts'
import type { Database } from '../engine/database/database.ts'
import { readClockOffset } from '../features/callers/store.ts'
import { createLiquidate, type Liquidate } from '../features/liquidation/changes.ts'
import { createMaturity, type Maturities } from '../features/maturity/job.ts'
import { createRulesReader, type RulesReader } from '../features/rules/changes.ts'
import type { AddressGuard } from '../features/webhooks/changes.ts'

export type Service = {
  db: Database
  /** Real time, whatever a test book's own clock says. */
  clock: () => Date
  rules: RulesReader
  perform: Perform
  liquidate: Liquidate
  waiting: () => number
  /** Whether a liquidation of this book would be refused now for want of time. */
  isFull: (bookId: string) => boolean
  /** Whether that is so for any book. */
  isAnyFull: () => boolean
  maturity: Maturities
  testClockRolloversMax: number
  addressGuard: AddressGuard
  /** The book's own now, for answers that change nothing. */
  momentIn: (book: Book) => Promise<Moment>
}

export function createService(options: {
  db: Database
  clock: () => Date
  limits: BatchLimits
  observeBatch?: (batchSize: number) => void
  /** Absent: no limit. */
  testClockRolloversMax?: number
  /** Without one, no webhook endpoint can be registered. */
  addressGuard?: AddressGuard
}): Service {
  const { db, clock } = options
  const rules = createRulesReader()
  const { liquidate, ...queue } = createLiquidate({
    db,
    clock,
    rules,
    limits: options.limits,
    ...(options.observeBatch && { observe: options.observeBatch }),
  })
  return {
    db,
    clock,
    rules,
    liquidate,
    ...queue,
    perform: createPerform(db, clock),
    maturity: createMaturity({ db, clock, rules }),
    testClockRolloversMax: options.testClockRolloversMax ?? Number.POSITIVE_INFINITY,
    addressGuard: options.addressGuard ?? forbidEveryAddress,
    momentIn: async (book) =>
      momentOf(book, clock(), book.mode === 'live' ? 0 : await readClockOffset(db, book.bookId)),
  }
}

const forbidEveryAddress: AddressGuard = async () => ({
  outcome: 'forbidden',
  code: 'forbidden_address',
  message: 'Webhooks are switched off here.',
})
