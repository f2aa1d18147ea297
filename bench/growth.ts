/**
 * What grows with a bank: the deposits of a book, the books of a service, and the parts that were taken from a deposit. Each
 * size has a database and a service of its own; they are measured in turns.
 */
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { type Case, measureApart } from './apart.ts'
import type { LoadedBook } from './books.ts'
import { ask, createDatabase, type Env } from './databases.ts'
import type { Growth } from './figures.ts'
import type { Measurement } from './measure.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { load, middleOf, record } from './recorded.ts'
import { startService } from './service.ts'
import { whole } from './table.ts'
import { untilSealed } from './trees.ts'

/**
 * The same load on books of different size. A run is short enough that the smallest book lasts; that one is recreated for
 * each turn. The first turns warm the processes up and do not count. The only checkpoint comes before all loading: at the
 * first change after it a page is logged in full, which would slow down all books but the recreated one.
 */
export async function measureGrowth(
  server: PostgresServer,
  asked: { sizes: readonly number[]; turns: number; warmupTurns: number; logPath: string },
): Promise<Growth[]> {
  const { sizes, turns, warmupTurns, logPath } = asked
  const books = []
  await ask(server.url, 'checkpoint')
  for (const deposits of sizes) {
    const env = await createDatabase(server, `breakwater_${deposits}`)
    const book = await load(env, deposits)
    const service = await startService(env, logPath)
    await untilSealed(env)
    books.push({ env, deposits, book, service, runs: [] as Measurement[] })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of books) {
      const last = one.deposits - 1
      const isFirst = one.deposits === sizes[0]
      if (isFirst && turn > 0) one.book = await reload(one.env, one.deposits)
      const count = isFirst ? last : Math.floor(last / turns)
      const measurement = await record({
        engine: 'PostgreSQL',
        batchMax: 256,
        service: one.service,
        databasePid: server.pid,
        book: one.book,
        operation: 'full',
        connections: 64,
        targets: { order: 'random', first: isFirst ? 0 : turn * count, count, last },
        warmupMs: 200,
        measuredMs: 1000,
      })
      if (turn >= warmupTurns) one.runs.push(measurement)
    }
  }
  const growth: Growth[] = []
  for (const { env, deposits, runs, service } of books) {
    await service.stop()
    const { perSecond, turns, serverCpu, databaseCpu } = middleOf(runs)
    const databaseMegabytes = await megabytesOf(env)
    growth.push({ deposits, perSecond, turns, serverCpu, databaseCpu, databaseMegabytes })
  }
  return growth
}

async function megabytesOf(env: Env): Promise<number> {
  const [size] = await ask(env.DATABASE_URL!, 'select pg_database_size(current_database()) as bytes')
  return Number(size!.bytes) / 2 ** 20
}

/** The old book's rows would be part of the measured size. */
async function reload(env: Env, deposits: number): Promise<LoadedBook> {
  await ask(
    env.DATABASE_URL!,
    'truncate customers, accounts, deposits, liquidations, ledger_entries, events cascade',
  )
  return load(env, deposits)
}

type Asked = { counts: readonly number[]; rounds: number; folder: string }

/** Liquidations that go to each of the books in turn; all books together have as many deposits. */
export function measureBooks(
  server: PostgresServer,
  { counts, ...asked }: Asked,
): Promise<MeasuredOperation[]> {
  const busy = { operation: 'full', connections: 64, order: 'random' } as const
  const cases = counts.map((books): Case => {
    const label = books === 1 ? '1 book' : `${whole(books)} books`
    return { name: String(books), load: { label, books, ...busy } }
  })
  return measureApart(server, cases, { ...asked, database: 'books' })
}

/** One more part of each deposit in every turn, after parts that were taken before. */
export function measureParts(
  server: PostgresServer,
  { counts, ...asked }: Asked,
): Promise<MeasuredOperation[]> {
  const busy = { operation: 'part', connections: 64, books: 1, order: 'random' } as const
  const cases = counts.map((parts): Case => {
    const label = parts === 1 ? 'the first part of a deposit' : `part ${parts} of a deposit and later ones`
    return { name: String(parts), load: { label, ...busy }, visitsBefore: parts - 1 }
  })
  return measureApart(server, cases, { ...asked, database: 'parts' })
}
