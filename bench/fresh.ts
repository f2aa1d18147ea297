/**
 * The first minute of a new database, beside one that is warm. All tables of the new one are analyzed while they are empty,
 * then a book is written and nobody analyzes again: the planner knows nothing of it. Its service has just started too, and
 * seals the past of the book meanwhile.
 */
import { join } from 'node:path'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import type { LoadedBook } from './books.ts'
import { ask, createDatabase, type Env, say } from './databases.ts'
import type { Targets } from './load.ts'
import { measure } from './measure.ts'
import { summaryOf, type Turn } from './operations.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { type Running, startService, THIS_TREE } from './service.ts'
import { openTree, untilSealed, withDatabase } from './trees.ts'

/** Both sides take turns for a minute. */
const PAIRS = 12
const TURN = { warmupMs: 0, measuredMs: 2500 }
const WARM_UP_TURNS = 4
const TURN_TARGETS = 24_000

/** `share` is of the deposits: a smaller book is used up early in each turn. */
export async function measureFresh(
  server: PostgresServer,
  { folder, share }: { folder: string; share: number },
): Promise<MeasuredOperation[]> {
  const targets = Math.round(TURN_TARGETS * share)
  const warm = await prepare(server, 'warm', { targets, turns: WARM_UP_TURNS + PAIRS, folder })
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await warm.take()
  const fresh = await prepare(server, 'fresh', { targets, turns: PAIRS, folder })
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // The first second of the new one counts: it is first in each pair.
    for (const side of [fresh, warm]) await side.take()
    say(`${fresh.turns.at(-1)!.perSecond.toFixed(0)}/s, warm ${warm.turns.at(-1)!.perSecond.toFixed(0)}/s`)
  }
  for (const { service } of [fresh, warm]) await service.stop()
  // The summary leaves out a first turn, as of operations; here all of the minute count.
  const summary = (name: string, label: string, turns: readonly Turn[]) =>
    summaryOf({ name, label }, [turns[0]!, ...turns])
  return [
    summary('fresh', 'the first minute of a new database', fresh.turns),
    summary('warm', 'a warm one beside it', warm.turns.slice(WARM_UP_TURNS)),
  ]
}

type Side = { service: Running; turns: Turn[]; take: () => Promise<void> }

async function prepare(
  server: PostgresServer,
  name: 'fresh' | 'warm',
  { targets: each, turns: count, folder }: { targets: number; turns: number; folder: string },
): Promise<Side> {
  say(`loading the ${name} book`)
  const env = await createDatabase(server, `first_minute_${name}`)
  const book = await load(env, { deposits: each * count + 4, isFresh: name === 'fresh' })
  const service = await startService(env, join(folder, 'service.log'))
  if (name === 'warm') await untilSealed(env)
  const turns: Turn[] = []
  return {
    service,
    turns,
    async take() {
      const last = book.deposits - 1
      const targets: Targets = { order: 'random', first: turns.length * each, count: each, last }
      const plan = { port: service.port, books: [book], operation: 'full', connections: 64, targets } as const
      const about = { engine: 'PostgreSQL', batchMax: 256, deposits: book.deposits } as const
      turns.push(
        await measure({ ...plan, ...TURN }, { ...about, serverPid: service.pid, databasePid: server.pid }),
      )
    },
  }
}

async function load(
  env: Env,
  { deposits, isFresh }: { deposits: number; isFresh: boolean },
): Promise<LoadedBook> {
  const tree = await openTree(THIS_TREE)
  return withDatabase(tree, env, async (db) => {
    if (isFresh) await ask(env.DATABASE_URL!, 'analyze')
    return tree.loadBook(db, { deposits, tenorDays: 365, elapsedDays: 100, analyzed: !isFresh })
  })
}
