/**
 * Every operation in turns, of this checkout alone or side by side with another one. A round takes each operation of
 * each checkout once, for about a second, so that ratios compare turns that are close in time: between operations, and
 * between checkouts. Each checkout has its own service and its own database, loaded by its own loader, on one server.
 */
import { dirname, join } from 'node:path'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { LIQUIDATED_AFTER_DAYS } from './books.ts'
import { createDatabase, type Env, say } from './databases.ts'
import { type Measurement, measure } from './measure.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { preparePgbench, runPgbench } from './pgbench.ts'
import { cpuSecondsOf } from './processes.ts'
import { type Running, runCommand, startService, THIS_TREE } from './service.ts'
import { type Load, loadBooks, openTree, type Tree, untilIdle, untilSealed, withDatabase } from './trees.ts'

type Command = { label: string; command: 'mature' | 'verify'; deposits: number }
type Reference = { label: string; pgbenchClients: number }
type Scenario = Load | Command | Reference

const busy = { connections: 64, books: 1, order: 'random' } as const

/** The first one is what the others are compared with. */
export const SCENARIOS: Record<string, Scenario> = {
  full: { label: 'liquidate FULL', operation: 'full', ...busy },
  opening: { label: 'liquidate FULL, in order of opening', operation: 'full', ...busy, order: 'opening' },
  full8: { label: 'liquidate FULL, 8 books', operation: 'full', ...busy, books: 8 },
  full40: { label: 'liquidate FULL, 40 books', operation: 'full', ...busy, books: 40 },
  full256: { label: 'liquidate FULL, 256 connections', operation: 'full', ...busy, connections: 256 },
  hot: { label: 'liquidate PARTIAL, one hot deposit', operation: 'partial', ...busy },
  customer: { label: 'update customer', operation: 'customer', ...busy },
  customer40: { label: 'update customer, 40 books', operation: 'customer', ...busy, books: 40 },
  open: { label: 'open deposit', operation: 'open', ...busy },
  credit: { label: 'credit account', operation: 'credit', ...busy },
  quote: { label: 'quote', operation: 'quote', ...busy },
  mixed: { label: 'all of these, mixed', operation: 'mixed', ...busy },
  full1: { label: 'liquidate FULL, 1 connection', operation: 'full', ...busy, connections: 1 },
  customer1: { label: 'update customer, 1 connection', operation: 'customer', ...busy, connections: 1 },
  quote1: { label: 'quote, 1 connection', operation: 'quote', ...busy, connections: 1 },
  pgbench: { label: 'pgbench TPC-B-like, 32 clients', pgbenchClients: 32 },
  mature: { label: 'breakwater mature', command: 'mature', deposits: 100_000 },
  verify: { label: 'breakwater verify, liquidations', command: 'verify', deposits: 40_000 },
  embedded: { label: 'embedded: liquidate FULL', operation: 'full', ...busy, engine: 'embedded' },
  embedded256: {
    ...{ label: 'embedded: liquidate FULL, 256 connections', operation: 'full', engine: 'embedded' },
    ...{ ...busy, connections: 256 },
  },
}

/** What one service and one database are measured with by default. */
export const OPERATIONS = Object.keys(SCENARIOS).filter((name) => !name.startsWith('embedded'))

/** What is compared with pgbench, apart from the books of other operations, which make all tables larger. */
export const BESIDE_PGBENCH = ['full', 'full256', 'pgbench']

/** One turn; CPU seconds per 1,000 answers. */
export type Turn = Pick<Measurement, 'perSecond' | 'answers' | 'serverCpu' | 'databaseCpu'> & {
  [Figure in 'generatorCpu' | 'p50Ms' | 'p99Ms' | 'batchMean']: number | null
}

export const TURN = { warmupMs: 250, measuredMs: 1000 }
export const COLD_TURNS = 1

export async function measureOperations(
  server: PostgresServer,
  asked: {
    names: readonly string[]
    rounds: number
    logPath: string
    otherTree: string | null
    /** The names of databases begin with it. */
    database: string
  },
): Promise<MeasuredOperation[][]> {
  const { names, rounds, logPath, otherTree, database } = asked
  const trees = await Promise.all([THIS_TREE, ...(otherTree === null ? [] : [otherTree])].map(openTree))
  const sides = []
  for (const [index, tree] of trees.entries()) {
    say(`preparing ${index === 0 ? 'this checkout' : 'the other checkout'}`)
    sides.push(await prepare(server, tree, { names, rounds, logPath, database: `${database}_${index}` }))
  }
  if (names.includes('pgbench')) preparePgbench(server)
  for (let round = 0; round < rounds + COLD_TURNS; round += 1) {
    for (const [place] of names.entries()) {
      // Neither checkout is always first.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side.take(place, round)
    }
  }
  for (const { stop } of sides) await stop()
  return sides.map(({ taken }) =>
    names.flatMap((name, place) =>
      taken[place]!.length === 0 ? [] : summaryOf({ name, label: SCENARIOS[name]!.label }, taken[place]!),
    ),
  )
}

/** The first turn is cold. */
export function summaryOf(
  { name, label }: { name: string; label: string },
  [cold, ...turns]: readonly Turn[],
): MeasuredOperation {
  const answers = turns.reduce((sum, turn) => sum + turn.answers, 0)
  const middle = (figure: 'perSecond' | 'p50Ms' | 'p99Ms' | 'batchMean') => {
    const values = turns.flatMap((turn) => turn[figure] ?? [])
    return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? null
  }
  const mean = (figure: 'serverCpu' | 'databaseCpu' | 'generatorCpu') => {
    const each = turns.flatMap((turn) => (turn[figure] === null ? [] : turn[figure] * turn.answers))
    return each.length === 0 ? null : each.reduce((sum, seconds) => sum + seconds, 0) / answers
  }
  return {
    name,
    label,
    perSecond: middle('perSecond')!,
    turns: turns.map(({ perSecond }) => perSecond),
    coldPerSecond: cold!.perSecond,
    serverCpu: mean('serverCpu'),
    databaseCpu: mean('databaseCpu'),
    generatorCpu: mean('generatorCpu'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    batchMean: middle('batchMean'),
  }
}

const NO_LOAD = { generatorCpu: null, p50Ms: null, p99Ms: null, batchMean: null }

type Take = (round: number) => Promise<Turn | null>
type Side = { stop: () => Promise<void>; taken: Turn[][]; take(place: number, round: number): Promise<void> }

async function prepare(
  server: PostgresServer,
  tree: Tree,
  asked: { names: readonly string[]; rounds: number; logPath: string; database: string },
): Promise<Side> {
  const { names, rounds, logPath, database } = asked
  const env = await createDatabase(server, database)
  const takes: Take[] = []
  const embedded: Running[] = []
  for (const name of names) {
    const scenario = SCENARIOS[name]!
    if ('operation' in scenario) takes.push(await prepareLoad(name, scenario))
    else if ('command' in scenario) takes.push(await prepareCommand(scenario))
    else takes.push(preparePgbenchTurn(scenario))
  }
  const service = await startService(env, logPath, { tree: tree.path })
  await untilSealed(env)
  for (const { pid } of embedded) await untilIdle(pid)
  const taken = names.map(() => [] as Turn[])
  return {
    async stop() {
      for (const one of [service, ...embedded]) await one.stop()
    },
    taken,
    async take(place, round) {
      const turn = await takes[place]!(round)
      if (turn === null) return
      taken[place]!.push(turn)
      const each = [turn.serverCpu, turn.databaseCpu].map((cpu) => `${Math.round((cpu ?? 0) * 1000)} µs`)
      say(`${database} ${names[place]} ${round}: ${turn.perSecond.toFixed(0)}/s, ${each.join(' + ')}`)
    },
  }

  async function prepareLoad(name: string, load: Load): Promise<Take> {
    const { operation, connections } = load
    const engine = load.engine ?? 'PostgreSQL'
    const directory = join(dirname(logPath), `${database}_${name}`)
    const own = engine === 'embedded' ? { DATA_DIR: directory } : env
    const { books, targetsOf } = await loadBooks(tree, own, { load, turns: rounds + COLD_TURNS })
    const apart = engine === 'embedded' ? await startService(own, logPath, { tree: tree.path }) : null
    if (apart !== null) embedded.push(apart)
    return (round) => {
      const { port, pid } = apart ?? service
      const plan = { port, books, operation, connections, targets: targetsOf(round), ...TURN }
      const about = { engine, batchMax: 256, deposits: books[0]!.deposits } as const
      return measure(plan, { ...about, serverPid: pid, databasePid: apart === null ? server.pid : null })
    }
  }

  /** A command is measured on a database of its own, in three turns at most: each takes several seconds. */
  async function prepareCommand({ command, deposits }: Command): Promise<Take> {
    const verified = command === 'verify' ? await loadDatabase(`${database}_verify`) : null
    return async (round) => {
      if (round > 2) return null
      const target = verified ?? (await loadDatabase(`${database}_mature_${round}`))
      const before = cpuSecondsOf(server.pid)
      const run = await runCommand([command], target, tree.path)
      const databaseSeconds = before === null ? null : cpuSecondsOf(server.pid)! - before
      const perThousand = (seconds: number | null) => (seconds === null ? null : (seconds / deposits) * 1000)
      return {
        perSecond: deposits / run.seconds,
        answers: deposits,
        serverCpu: perThousand(run.cpuSeconds),
        databaseCpu: perThousand(databaseSeconds),
        ...NO_LOAD,
      }
    }

    async function loadDatabase(name: string): Promise<Env> {
      const own = await createDatabase(server, name)
      const days =
        command === 'mature'
          ? { tenorDays: 90, elapsedDays: 90 }
          : { tenorDays: 365, elapsedDays: LIQUIDATED_AFTER_DAYS }
      await withDatabase(tree, own, async (db) => {
        // Version 0.1.0 ignores the order: its ids are random.
        const book = await tree.loadBook(db, { deposits, ...days, idsInOrder: true })
        if (command === 'verify') await tree.liquidateAll(db, book, { idsInOrder: true })
      })
      return own
    }
  }

  /** The reference is the same for both checkouts, so it is measured once a round. */
  function preparePgbenchTurn({ pgbenchClients }: Reference): Take {
    return async () => {
      if (tree.path !== THIS_TREE) return null
      const before = cpuSecondsOf(server.pid)
      const { perSecond, latencyMs } = runPgbench(server, { clients: pgbenchClients, seconds: 2 })
      const after = cpuSecondsOf(server.pid)
      const answers = perSecond * 2
      const databaseCpu = before === null ? null : ((after! - before) / answers) * 1000
      return { perSecond, answers, serverCpu: null, databaseCpu, ...NO_LOAD, p50Ms: latencyMs }
    }
  }
}
