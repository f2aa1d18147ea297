/** A checkout of the project, whose service is measured. It writes its books by its own code: its schema may differ. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Database } from '../src/engine/database/database.ts'
import type { LoadedBook } from './books.ts'
import { ask, type Env } from './databases.ts'
import { DEPOSITS_PER_CUSTOMER, type Operation, type Order, type Targets } from './load.ts'
import { cpuSecondsOf } from './processes.ts'

export type Load = {
  label: string
  operation: Operation
  connections: number
  books: number
  order: Order
  /** Absent: PostgreSQL. */
  engine?: 'embedded'
}

export type Tree = { path: string } & Pick<typeof import('../src/cli/config.ts'), 'readConfig'> &
  Pick<typeof import('../src/cli/database.ts'), 'openDatabase'> &
  Pick<typeof import('./books.ts'), 'loadBook' | 'liquidateAll'>

export async function openTree(path: string): Promise<Tree> {
  const from = (file: string) => import(pathToFileURL(join(path, file)).href)
  // Version 0.1.0 has its configuration elsewhere.
  const config = ['src/cli/config.ts', 'src/config.ts'].find((file) => existsSync(join(path, file)))
  const { readConfig } = await from(config ?? 'src/cli/config.ts')
  const { openDatabase } = await from('src/cli/database.ts')
  const { loadBook, liquidateAll } = await from('bench/books.ts')
  return { path, readConfig, openDatabase, loadBook, liquidateAll }
}

export async function withDatabase<Result>(
  tree: Tree,
  env: Env,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { db } = await tree.openDatabase(tree.readConfig(env))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Liquidations a turn can make at most; a turn that has made them all ends early. */
const TURN_TARGETS = 8_000
const TURN_TARGETS_ALONE = 2_000
/** Enough for the others, whose targets may be visited again. */
const BOOK_DEPOSITS = 20_000

/** The books of a load, and the targets of each turn: a liquidation needs a deposit that no earlier turn has broken. */
export async function loadBooks(
  tree: Tree,
  env: Env,
  { load, turns }: { load: Load; turns: number },
): Promise<{ books: LoadedBook[]; targetsOf: (turn: number) => Targets }> {
  const { operation, connections, books: count, order } = load
  const isOnce = operation === 'full' || operation === 'mixed'
  const needed = isOnce ? turns * (connections === 1 ? TURN_TARGETS_ALONE : TURN_TARGETS) : BOOK_DEPOSITS
  const customers = Math.ceil(needed / count / DEPOSITS_PER_CUSTOMER) + 1
  const deposits = customers * DEPOSITS_PER_CUSTOMER
  const books: LoadedBook[] = []
  await withDatabase(tree, env, async (db) => {
    // The loader vacuums all tables, which is enough after the last book.
    const unvacuumed: Database = {
      ...db,
      script: async (text) => void (text.startsWith('vacuum') || (await db.script(text))),
    }
    while (books.length < count) {
      const isLast = books.length === count - 1
      const asked = { deposits, tenorDays: 365, elapsedDays: 100 }
      books.push(await tree.loadBook(isLast ? db : unvacuumed, asked))
    }
  })
  if (operation === 'open' || operation === 'mixed') await fund(env, books)
  const last = deposits - 1
  const each = isOnce ? Math.floor(last / turns) : last
  return { books, targetsOf: (turn) => ({ order, first: isOnce ? turn * each : 0, count: each, last }) }
}

/** An opening takes its principal from the account, which the loader leaves empty. */
async function fund({ DATABASE_URL }: Env, books: readonly LoadedBook[]): Promise<void> {
  const ids = books.map(({ bookId }) => `'${bookId}'`)
  await ask(DATABASE_URL!, `update accounts set balance_minor = 1000000000000 where book_id in (${ids})`)
  await ask(DATABASE_URL!, 'vacuum analyze accounts')
}

/** A version that seals would otherwise seal the loaded past beside the first turns, which happens once in a book's life. */
export async function untilSealed({ DATABASE_URL }: Env): Promise<void> {
  const [schema] = await ask(DATABASE_URL!, `select to_regclass('seals') is not null as seals`)
  for (let isSealed = !schema!.seals; !isSealed; await sleep(200)) {
    const [book] = await ask(DATABASE_URL!, UNSEALED_BOOK)
    isSealed = book === undefined
  }
}

/** The loader numbers events from one; those of the service begin with their time. */
const UNSEALED_BOOK = `
  select book_id
  from books
  where exists (
    select
    from events
    where events.book_id = books.book_id
      and ordinal < 1000000000000
      and ordinal > (select coalesce(max(to_ordinal), 0) from seals where seals.book_id = books.book_id))
  limit 1`

const IDLE_LOOK_MS = 1000
const IDLE_CPU_SECONDS = 0.05

/** Where nobody can ask the database beside its service, as on the embedded engine. */
export async function untilIdle(pid: number): Promise<void> {
  for (let before = cpuSecondsOf(pid), used = 1; before !== null && used > IDLE_CPU_SECONDS; ) {
    await sleep(IDLE_LOOK_MS)
    const now = cpuSecondsOf(pid)
    used = (now ?? before) - before
    before = now
  }
}
