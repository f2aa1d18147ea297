/**
 * Loads that must not share a process or a database, so each has its own: operations one by one and mixed, and several
 * numbers of processes. They are measured in turns, as operations.ts does.
 */
import { join } from 'node:path'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import type { LoadedBook } from './books.ts'
import { createDatabase, say } from './databases.ts'
import type { Targets } from './load.ts'
import { type Measurement, measure } from './measure.ts'
import { COLD_TURNS, SCENARIOS, summaryOf, TURN, type Turn } from './operations.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { type Running, startService, THIS_TREE } from './service.ts'
import { type Load, loadBooks, openTree, untilSealed } from './trees.ts'

export type Case = {
  name: string
  load: Load
  args?: readonly string[]
  /** Each turn visits the same targets, which were visited as often before the first one. */
  visitsBefore?: number
}

const VISITED = 4_000
/** A turn ends when all were visited. */
const UNTIL_VISITED = { warmupMs: 0, measuredMs: 60_000 }

/** The parts of the mixed load, alone, and the mixed load. */
export const MIXED_AND_PARTS: readonly Case[] = ['mixed', 'full', 'customer', 'open', 'credit', 'quote'].map(
  (name) => ({ name, load: SCENARIOS[name] as Load }),
)

/** Callers of each process, so that batches have the same size. */
const CALLERS = 64

function processesCase(processes: number, callers: number): Case {
  const name = `${processes}x${callers}`
  const counted = processes === 1 ? '1 process' : `${processes} processes`
  const label = `${counted}, ${callers} connections`
  const load: Load = { label, operation: 'full', connections: callers, books: 1, order: 'random' }
  return { name, load, args: ['--processes', String(processes)] }
}

/** The second is what two processes are compared with: the same callers in one process. */
export const PROCESSES: readonly Case[] = [
  processesCase(1, CALLERS),
  processesCase(1, 2 * CALLERS),
  processesCase(2, 2 * CALLERS),
  processesCase(4, 4 * CALLERS),
  processesCase(8, 8 * CALLERS),
]

export async function measureApart(
  server: PostgresServer,
  cases: readonly Case[],
  { rounds, folder, database }: { rounds: number; folder: string; database: string },
): Promise<MeasuredOperation[]> {
  const tree = await openTree(THIS_TREE)
  const sides = []
  for (const { name, load, args = [], visitsBefore } of cases) {
    say(`preparing ${load.label}`)
    const env = await createDatabase(server, `${database}_${name}`)
    const { books, targetsOf } = await loadBooks(tree, env, { load, turns: rounds + COLD_TURNS })
    const service = await startService(env, join(folder, 'service.log'), { args })
    await untilSealed(env)
    const last = books[0]!.deposits - 1
    const visited = { order: 'random', first: 0, count: Math.min(VISITED, last), last } as const
    const side = {
      ...{ name, load, books, service, turns: [] as Turn[] },
      targetsOf: visitsBefore === undefined ? targetsOf : () => visited,
      turn: visitsBefore === undefined ? TURN : UNTIL_VISITED,
    }
    for (let visit = 0; visit < (visitsBefore ?? 0); visit += 1) await measureSide(server, side, 0)
    sides.push(side)
  }
  for (let round = 0; round < rounds + COLD_TURNS; round += 1) {
    // No case is always first.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const turn = await measureSide(server, side, round)
      side.turns.push(turn)
      say(`${side.load.label}, ${round}: ${turn.perSecond.toFixed(0)}/s`)
    }
  }
  for (const { service } of sides) await service.stop()
  return sides.map(({ name, load, turns }) => summaryOf({ name, label: load.label }, turns))
}

type Side = {
  load: Load
  books: readonly LoadedBook[]
  service: Running
  targetsOf: (turn: number) => Targets
  turn: typeof TURN
}

function measureSide(server: PostgresServer, side: Side, round: number): Promise<Measurement> {
  const { load, books, service, targetsOf, turn } = side
  const { operation, connections } = load
  const plan = { port: service.port, books, operation, connections, targets: targetsOf(round), ...turn }
  const about = { engine: 'PostgreSQL', batchMax: 256, deposits: books[0]!.deposits } as const
  return measure(plan, { ...about, serverPid: service.pid, databasePid: server.pid })
}
