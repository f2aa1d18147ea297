/**
 * `npm run test:overload`: the service at 1, 3 and 10 times its capacity, on PostgreSQL and on the embedded engine. It
 * starts everything it needs, leaves nothing behind but results/overload.json, and ends with 1 where a goal is missed.
 *
 *   --engine PostgreSQL|embedded   one of them
 *   --seconds 3                    duration of each turn of a load
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadBook } from '../../bench/books.ts'
import { idOf } from '../../bench/load.ts'
import { describeMachine } from '../../bench/machine.ts'
import { startService } from '../../bench/service.ts'
import { readConfig } from '../../src/cli/config.ts'
import { openDatabase } from '../../src/cli/database.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import type { OverloadPlan, OverloadResult } from './load.ts'

const GOALS = {
  goodputShare: 0.9,
  acceptedP99Ms: 1000,
  healthMaxMs: 1000,
  memoryGrowth: 1.5,
  memoryDrift: 1.1,
}
const DEPOSITS = 5000
/** Fewer than the service accepts, so that its own rejections are measured. */
const CONNECTIONS = 2000
const CLOSED_LOOP_CONNECTIONS = 128
const TIMES = [1, 3, 10]
/** Loads take turns, because throughput drifts and the book grows: both should affect all loads equally. */
const TURNS = 9
/** Durable, as in production. */
const POSTGRES_SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB']

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string' },
    seconds: { type: 'string', default: '3' },
  },
})
const durationMs = Number(options.seconds) * 1000

type Health = { asked: number; failed: number; maxMs: number }
type Load = OverloadResult & {
  times: number
  offeredPerSecond: number
  health: Health
  memoryPeakMegabytes: number
}
type EngineReport = {
  engine: string
  capacityPerSecond: number
  loads: Load[]
  goals: { name: string; wanted: string; measured: number; holds: boolean }[]
}

const folder = mkdtempSync(join(tmpdir(), 'breakwater-overload-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const server = await startPostgresServer(POSTGRES_SETTINGS)
if (typeof server === 'string') throw new Error(`Overload needs PostgreSQL: ${server}.`)
const reports: EngineReport[] = []
if (options.engine !== 'embedded') reports.push(await overload('PostgreSQL', { DATABASE_URL: server.url }))
if (options.engine !== 'PostgreSQL')
  reports.push(await overload('embedded', { DATA_DIR: join(folder, 'data') }))
await server.stop()

const holds = reports.every((report) => report.goals.every((goal) => goal.holds))
const results = {
  suite: 'overload',
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(server),
  holds,
  seconds: Number(options.seconds),
  turns: TURNS,
  reports,
}
const resultsFolder = fileURLToPath(new URL('../../results/', import.meta.url))
mkdirSync(resultsFolder, { recursive: true })
writeFileSync(join(resultsFolder, 'overload.json'), `${JSON.stringify(results, rounded, 2)}\n`)
process.stdout.write(`${JSON.stringify(results, rounded, 2)}\n`)
process.exitCode = holds ? 0 : 1

async function overload(engine: string, env: Record<string, string>): Promise<EngineReport> {
  const { db } = await openDatabase(readConfig(env))
  const book = await loadBook(db, { deposits: DEPOSITS + 1, tenorDays: 365, elapsedDays: 100 })
  await db.close()
  const service = await startService(env, join(folder, 'service.log'))
  const depositIds = Array.from({ length: DEPOSITS }, (_, index) => idOf('fd', book.bookId, index + 1))
  let runs = 0
  const load = async (perSecond: number | null, forMs: number) => {
    runs += 1
    const plan: OverloadPlan = {
      port: service.port,
      key: book.key,
      depositIds,
      run: String(runs),
      connections: perSecond === null ? CLOSED_LOOP_CONNECTIONS : CONNECTIONS,
      durationMs: forMs,
      perSecond,
    }
    return generate(plan)
  }

  // Long enough that the heap has its size before the first turn, to which memory is compared.
  await load(null, 5 * durationMs)
  const capacities: number[] = []
  const turns: Load[] = []
  for (let round = 0; round < TURNS; round += 1) {
    // Each round has its own: the book grows meanwhile, and the machine is not the same all the time.
    const capacity = (await load(null, durationMs)).acceptedPerSecond
    capacities.push(capacity)
    say(`${engine}: ${capacity.toFixed(0)} liquidations a second over ${CLOSED_LOOP_CONNECTIONS} connections`)
    for (const times of TIMES) {
      const watched = watch(service)
      const offeredPerSecond = capacity * times
      const result = await load(offeredPerSecond, durationMs)
      turns.push({ times, offeredPerSecond, ...result, ...(await watched.stop()) })
      say(`  ${times} times: ${JSON.stringify(turns.at(-1), rounded)}`)
    }
  }
  await service.stop()
  const capacityPerSecond = meanOf(capacities)
  const loads = TIMES.map((times) => together(turns.filter((turn) => turn.times === times)))
  return { engine, capacityPerSecond, loads, goals: judge(capacityPerSecond, loads, turns) }
}

/** Rates of all turns together, latencies of the turn in the middle, memory of the first; the rest is counted in all of them. */
function together(turns: readonly Load[]): Load {
  const mean = (read: (load: Load) => number) => meanOf(turns.map(read))
  const middle = (read: (load: Load) => number) =>
    turns.map(read).toSorted((left, right) => left - right)[Math.floor(turns.length / 2)]!
  const statuses: Record<string, number> = {}
  for (const [status, count] of turns.flatMap((turn) => Object.entries(turn.statuses)))
    statuses[status] = (statuses[status] ?? 0) + count
  return {
    ...turns[0]!,
    offeredPerSecond: mean((turn) => turn.offeredPerSecond),
    acceptedPerSecond: mean((turn) => turn.acceptedPerSecond),
    acceptedP50Ms: middle((turn) => turn.acceptedP50Ms),
    acceptedP99Ms: middle((turn) => turn.acceptedP99Ms),
    unsent: turns.reduce((sum, turn) => sum + turn.unsent, 0),
    statuses,
    health: {
      asked: turns.reduce((sum, turn) => sum + turn.health.asked, 0),
      failed: turns.reduce((sum, turn) => sum + turn.health.failed, 0),
      maxMs: Math.max(...turns.map((turn) => turn.health.maxMs)),
    },
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function judge(
  capacityPerSecond: number,
  loads: readonly Load[],
  turns: readonly Load[],
): EngineReport['goals'] {
  const peak = Math.max(capacityPerSecond, ...loads.map((load) => load.acceptedPerSecond))
  const memoryPeak = (some: readonly Load[]) => Math.max(...some.map((turn) => turn.memoryPeakMegabytes))
  const memoryGrowth = memoryPeak(turns) / turns[0]!.memoryPeakMegabytes
  const memoryDrift = memoryPeak(turns.slice(-TIMES.length)) / memoryPeak(turns.slice(0, TIMES.length))
  const last = loads.at(-1)!
  const most = (read: (load: Load) => number) => Math.max(...loads.map(read))
  const goodputShare = last.acceptedPerSecond / peak
  const p99Ms = most((load) => load.acceptedP99Ms)
  const healthMaxMs = most((load) => load.health.maxMs)
  const healthFailed = most((load) => load.health.failed)
  const others = most((load) =>
    Object.entries(load.statuses).reduce(
      (sum, [code, count]) => sum + (/^(?:200|503)$/.test(code) ? 0 : count),
      0,
    ),
  )
  return [
    {
      name: 'accepted at 10 times, to the peak',
      wanted: '≥ 0.9',
      measured: goodputShare,
      holds: goodputShare >= GOALS.goodputShare,
    },
    { name: 'p99 of accepted, ms', wanted: '≤ 1000', measured: p99Ms, holds: p99Ms <= GOALS.acceptedP99Ms },
    {
      name: 'memory, to that of the first turn at 1 time',
      wanted: '≤ 1.5',
      measured: memoryGrowth,
      holds: memoryGrowth <= GOALS.memoryGrowth,
    },
    {
      name: 'memory when the same loads come for the last time, to the first',
      wanted: '≤ 1.1',
      measured: memoryDrift,
      holds: memoryDrift <= GOALS.memoryDrift,
    },
    {
      name: 'longest answer of /healthz, ms',
      wanted: '≤ 1000',
      measured: healthMaxMs,
      holds: healthMaxMs <= GOALS.healthMaxMs,
    },
    { name: 'failures of /healthz', wanted: '0', measured: healthFailed, holds: healthFailed === 0 },
    { name: 'answers that are neither 200 nor 503', wanted: '0', measured: others, holds: others === 0 },
  ]
}

/** Asks for /healthz and looks at the memory, from outside, ten times a second. */
function watch(service: { port: number; pid: number }) {
  const health: Health = { asked: 0, failed: 0, maxMs: 0 }
  let memoryPeakMegabytes = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      const startedMs = performance.now()
      const ok = await fetch(`http://127.0.0.1:${service.port}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      )
      health.asked += 1
      health.failed += ok ? 0 : 1
      health.maxMs = Math.max(health.maxMs, performance.now() - startedMs)
      memoryPeakMegabytes = Math.max(memoryPeakMegabytes, residentMegabytes(service.pid))
      await new Promise((resolve) => void setTimeout(resolve, 100))
    }
  })()
  return {
    stop: async () => {
      over = true
      await watching
      return { health, memoryPeakMegabytes }
    },
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

async function generate(plan: OverloadPlan): Promise<OverloadResult> {
  const generator: ChildProcess = fork(fileURLToPath(new URL('./load.ts', import.meta.url)))
  const received = once(generator, 'message') as Promise<[OverloadResult]>
  const ended = once(generator, 'exit').then(() =>
    Promise.reject(new Error('The load generator ended early.')),
  )
  generator.send(plan)
  const [result] = await Promise.race([received, ended])
  ended.catch(() => {})
  return result
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
