/** The whole benchmark in one run, whose results are kept in bench/results.json and shown in docs/benchmarks.md. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/cli/config.ts'
import { openDatabase } from '../src/cli/database.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { MIXED_AND_PARTS, measureApart, PROCESSES } from './apart.ts'
import { LIQUIDATED_AFTER_DAYS, type LoadedBook, liquidateAll, loadBook } from './books.ts'
import { ask, createDatabase, type Env, POSTGRES_SETTINGS, say, startServer } from './databases.ts'
import type { Floor, Maturity, Results, Verification } from './figures.ts'
import { measureFresh } from './fresh.ts'
import { measureGrowth } from './growth.ts'
import { DEPOSITS_PER_CUSTOMER, type Targets } from './load.ts'
import { describeMachine, measureFsyncMicroseconds, runText, watchRun } from './machine.ts'
import { type Measurement, measure } from './measure.ts'
import { BESIDE_PGBENCH, measureOperations, OPERATIONS } from './operations.ts'
import type { MeasuredOperation } from './operations-table.ts'
import { cpuSecondsOf } from './processes.ts'
import { load, middleOf, record } from './recorded.ts'
import { resultsText } from './report.ts'
import { saveResults, UNMEASURED } from './results.ts'
import { type CommandRun, type Running, runCommand, startBareServer, startService } from './service.ts'

const PARTS = [
  ...(['pgbench', 'postgres', 'operations', 'mixed', 'processes', 'fresh'] as const),
  ...(['embedded', 'growth', 'maturity', 'verify'] as const),
] as const
type Part = (typeof PARTS)[number]

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
const parts = readParts(options.only)
const { quick } = options

const CONNECTIONS = [1, 16, 64, 256]
const BATCH_MAX = 256
type Times = { warmupMs: number; measuredMs: number }
const ALONE: Times = quick ? { warmupMs: 300, measuredMs: 500 } : { warmupMs: 1000, measuredMs: 5000 }
/**
 * Comparisons are measured in many short turns, because throughput drifts over seconds; the first turns only warm up.
 */
const IN_TURNS: Times = quick ? { warmupMs: 200, measuredMs: 500 } : { warmupMs: 300, measuredMs: 1500 }
const TURNS = quick ? 3 : 16
const TURNS_TO_WARM_UP = quick ? 1 : 3
/** Deposits reserved for one run, more than it can break in its time. */
function targetsOf({ engine, connections, batchMax }: Plan): number {
  if (quick) return 4_000
  if (connections === 1 || batchMax === 1) return 2_500
  return engine === 'embedded' ? 8_000 : 12_000
}
const QUOTED_DEPOSITS = quick ? 1_000 : 20_000

const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const logPath = join(folder, 'service.log')

const runOf = watchRun()
const server = await startServer()

const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: { ...describeMachine(server), fsyncMicroseconds: measureFsyncMicroseconds(folder) },
  postgresSettings: POSTGRES_SETTINGS,
  floor: null,
  measurements: [],
  growth: [],
  maturity: null,
  verification: null,
  ...UNMEASURED,
}
if (parts.has('postgres')) {
  results.floor = await measureFloor()
  await measurePostgres(server)
}
if (parts.has('pgbench')) results.besidePgbench = await measureOwn(server, 'beside', BESIDE_PGBENCH)
if (parts.has('operations')) {
  const names = OPERATIONS.filter((name) => name !== 'pgbench')
  results.operations = await measureOwn(server, 'operations', names)
}
const turns = { rounds: quick ? 1 : 7, folder }
if (parts.has('mixed'))
  results.mixed = await measureApart(server, MIXED_AND_PARTS, { ...turns, database: 'mixed' })
if (parts.has('processes')) {
  results.processes = await measureApart(server, PROCESSES, { ...turns, database: 'processes' })
}
if (parts.has('fresh')) results.fresh = await measureFresh(server, { folder, share: quick ? 0.02 : 1 })
if (parts.has('embedded')) await measureEmbedded()
if (parts.has('growth')) results.growth = await measureGrowth(server, growthAsked())
if (parts.has('maturity')) results.maturity = await measureMaturity(server)
if (parts.has('verify')) results.verification = await measureVerification(server)
await server.stop()

const run = runOf()
process.stdout.write(`${resultsText(results)}\n`)
say(runText(run))
if (!quick && (options.only === undefined || options.save)) {
  const { runs: _, date, machine, postgresSettings, floor, measurements, ...others } = results
  const ofBothEngines = { date, machine, postgresSettings, floor, measurements }
  saveResults({ ...others, ...(parts.has('postgres') && parts.has('embedded') && ofBothEngines) }, run)
}

/** The cost of a request for which nothing is done. */
async function measureFloor(): Promise<Floor> {
  const server = await startBareServer(logPath)
  const anything = {
    books: [{ bookId: 'x', key: 'x' }],
    targets: { order: 'random', first: 0, count: 1_000_000, last: 1_000_000 },
  } as const
  const { perSecond, serverCpu, generatorCpu } = await measure(
    { ...anything, ...ALONE, port: server.port, operation: 'full', connections: 64 },
    { engine: 'PostgreSQL', batchMax: 1, deposits: 0, serverPid: server.pid, databasePid: null },
  )
  await server.stop()
  say(`bare HTTP: ${perSecond.toFixed(0)}/s`)
  return { perSecond, serverCpu, generatorCpu }
}

async function measurePostgres(server: PostgresServer): Promise<void> {
  for (const connections of CONNECTIONS) {
    const names = [`breakwater_at_${connections}`, `breakwater_at_${connections}_alone`] as const
    await ask(server.url, 'checkpoint')
    await compareBatches({
      engine: 'PostgreSQL',
      connections,
      databasePid: server.pid,
      env: await createDatabase(server, names[0]),
      copy: () => createDatabase(server, names[1], names[0]),
    })
    // The next comparison needs their space in the buffers.
    for (const name of names) await ask(server.url, `drop database ${name}`)
  }
  await measureOthers(server)
}

async function measureEmbedded(): Promise<void> {
  for (const connections of CONNECTIONS) {
    const directory = join(folder, `data-${connections}`)
    const other = `${directory}-alone`
    await compareBatches({
      engine: 'embedded',
      connections,
      databasePid: null,
      env: { DATA_DIR: directory },
      copy: async () => {
        cpSync(directory, other, { recursive: true })
        return { DATA_DIR: other }
      },
    })
  }
}

type Plan = Pick<Measurement, 'engine' | 'connections' | 'batchMax'>

/**
 * Batches and batches of one, in turns, each in a copy of one book. Every comparison has its own book, as large as
 * needed: the effect of a book's size is measured separately.
 */
async function compareBatches(asked: {
  engine: Plan['engine']
  connections: number
  databasePid: number | null
  env: Env
  copy: () => Promise<Env>
}): Promise<void> {
  const { engine, connections, databasePid, env, copy } = asked
  const plans = [BATCH_MAX, 1].map((batchMax) => ({ engine, connections, batchMax }))
  const book = await load(env, Math.max(...plans.map(targetsNeeded)))
  const envs = [env, await copy()]
  const services: Running[] = []
  for (const [index, { batchMax }] of plans.entries()) {
    // For batches of one this is overload: requests should be served, not rejected.
    const limits = { BATCH_MAX: String(batchMax), QUEUE_WAIT_MAX_MS: '600000' }
    services.push(await startService({ ...envs[index], ...limits }, logPath))
  }
  await inTurns(
    plans.map((plan, index) => {
      const nextTargets = createTargets(plan, book)
      const about = { ...plan, ...IN_TURNS, databasePid, book, service: services[index]! }
      return () => record({ ...about, operation: 'full', targets: nextTargets() })
    }),
  )
  for (const service of services) await service.stop()
}

async function measureOthers(server: PostgresServer): Promise<void> {
  const env = await createDatabase(server, 'breakwater')
  const book = await load(env, QUOTED_DEPOSITS)
  const service = await startService(env, logPath)
  const about = {
    engine: 'PostgreSQL',
    batchMax: BATCH_MAX,
    databasePid: server.pid,
    ...ALONE,
    book,
    service,
  } as const
  const last = book.deposits - 1
  const targets = { order: 'random', first: 0, count: last, last } as const
  for (const operation of ['partial', 'quote', 'customer'] as const) {
    for (const connections of CONNECTIONS) {
      results.measurements.push(await record({ ...about, connections, operation, targets }))
    }
  }
  await service.stop()
}

async function measureOwn(
  server: PostgresServer,
  database: string,
  names: readonly string[],
): Promise<MeasuredOperation[]> {
  const asked = { names, database, rounds: quick ? 1 : 7, logPath, otherTree: null }
  return (await measureOperations(server, asked))[0]!
}

async function inTurns(measures: readonly (() => Promise<Measurement>)[]): Promise<void> {
  const runs = measures.map(() => [] as Measurement[])
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, take] of measures.entries()) {
      const run = await take()
      if (turn >= TURNS_TO_WARM_UP) runs[index]!.push(run)
    }
  }
  results.measurements.push(...runs.map(middleOf))
}

function growthAsked() {
  const turns = quick ? { turns: 2, warmupTurns: 1 } : { turns: 25, warmupTurns: 5 }
  return { sizes: quick ? [1_000, 2_000] : [10_000, 100_000, 1_000_000], logPath, ...turns }
}

async function measureMaturity(server: PostgresServer): Promise<Maturity> {
  const deposits = quick ? 1_000 : 100_000
  const env = await createDatabase(server, 'breakwater_maturity')
  const { db } = await openDatabase(readConfig(env))
  say(`loading ${deposits} deposits that are due today`)
  await loadBook(db, { deposits, tenorDays: 90, elapsedDays: 90, idsInOrder: true })
  await db.close()
  const mature = await command('mature', env)
  const verify = await command('verify', env)
  return { deposits, matureSeconds: mature.seconds, verifySeconds: verify.seconds }
}

async function measureVerification(server: PostgresServer): Promise<Verification> {
  const liquidations = quick ? 1_000 : 1_000_000
  const env = await createDatabase(server, 'breakwater_verify')
  const { db } = await openDatabase(readConfig(env))
  say(`loading ${liquidations} liquidations`)
  const asked = {
    deposits: liquidations,
    tenorDays: 365,
    elapsedDays: LIQUIDATED_AFTER_DAYS,
    idsInOrder: true,
  }
  await liquidateAll(db, await loadBook(db, asked), asked)
  await db.close()
  const before = cpuSecondsOf(server.pid)
  const run = await command('verify', env)
  const databaseCpuSeconds = before === null ? null : cpuSecondsOf(server.pid)! - before
  return { liquidations, ...run, databaseCpuSeconds }
}

async function command(name: string, env: Env): Promise<CommandRun> {
  say(`breakwater ${name}`)
  const run = await runCommand([name], env)
  say(`  ${run.seconds.toFixed(1)} s, ${run.peakMegabytes} MB`)
  return run
}

/** Each turn uses deposits that no earlier turn has used. */
function createTargets(plan: Plan, book: LoadedBook): () => Targets {
  const count = targetsOf(plan)
  const last = book.deposits - 1
  let next = 0
  return () => {
    const first = next
    next += count
    if (next > last) throw new Error('The book has too few deposits for all turns.')
    return { order: 'random', first, count, last }
  }
}

function targetsNeeded(plan: Plan): number {
  const needed = 1 + TURNS * targetsOf(plan)
  return Math.ceil(needed / DEPOSITS_PER_CUSTOMER) * DEPOSITS_PER_CUSTOMER
}

function readParts(only: string | undefined): Set<Part> {
  if (only === undefined) return new Set(PARTS)
  return new Set(
    only.split(',').map((name) => {
      const part = PARTS.find((one) => one === name)
      if (part === undefined) throw new Error(`There is no part ${name}; there are ${PARTS.join(', ')}.`)
      return part
    }),
  )
}
