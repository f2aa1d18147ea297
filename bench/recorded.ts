/** Turns of the whole benchmark: a book, a measurement that is said, and the median of several. */
import { readConfig } from '../src/cli/config.ts'
import { openDatabase } from '../src/cli/database.ts'
import { type LoadedBook, loadBook } from './books.ts'
import { type Env, say } from './databases.ts'
import type { Operation, Targets } from './load.ts'
import { type Measurement, measure } from './measure.ts'
import type { Running } from './service.ts'

/** A large book is written by statements that take longer than any of the service. */
const PATIENCE = { DATABASE_STATEMENT_TIMEOUT_MS: '3600000', DATABASE_QUERY_TIMEOUT_MS: '3600000' }

export async function load(env: Env, deposits: number): Promise<LoadedBook> {
  say(`loading ${deposits} deposits`)
  const { db } = await openDatabase(readConfig({ ...env, ...PATIENCE }))
  const book = await loadBook(db, { deposits, tenorDays: 365, elapsedDays: 100 })
  await db.close()
  return book
}

/** The median turn, and the throughput of all of them. */
export function middleOf(runs: readonly Measurement[]): Measurement & { turns: number[] } {
  const sorted = runs.toSorted((left, right) => left.perSecond - right.perSecond)
  return { ...sorted[Math.floor(runs.length / 2)]!, turns: runs.map((run) => run.perSecond) }
}

export async function record(asked: {
  engine: Measurement['engine']
  batchMax: number
  service: Running
  databasePid: number | null
  book: LoadedBook
  operation: Operation
  connections: number
  targets: Targets
  warmupMs: number
  measuredMs: number
}): Promise<Measurement> {
  const { engine, batchMax, service, databasePid, book, operation, connections, targets } = asked
  const measurement = await measure(
    {
      port: service.port,
      books: [book],
      operation,
      connections,
      targets,
      warmupMs: asked.warmupMs,
      measuredMs: asked.measuredMs,
    },
    { engine, batchMax, deposits: book.deposits, serverPid: service.pid, databasePid },
  )
  const { perSecond, p50Ms, p99Ms } = measurement
  const named = `${engine}, ${operation}, ${connections} connections, batches of ${batchMax}, ${book.deposits} deposits`
  say(`${named}: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`)
  return measurement
}
