/**
 * Metrics for Prometheus. They describe the process alone: no metric names a book, a key or a record.
 *
 * - A request costs a fraction of a microsecond here: labels are bound once per route and status, counters and text are
 *   made only for a scrape.
 * - Values counted in the database are counted at most once in ten seconds, however often they are scraped, and are
 *   left out while the database does not respond in time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database, Lane, Queries, Transaction } from '../engine/database/database.ts'
import { createHistogram, type Observe } from './histogram.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** A value that is read when it is scraped; NaN leaves it out. */
export type Reading = {
  name: string
  help: string
  read: () => number | Promise<number>
  /** How the values of several processes become one. */
  merged: 'sum' | 'max'
}

/** What one process has counted, as it is sent to another. */
export type Counted = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Prints the counts of all processes as one process would have counted them. */
export async function printMerged(all: readonly Counted[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics()
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LAG_RESOLUTION_MS = 20
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const processRegistry = watchProcess()
  const { countAnswered, durations, batches, removed, ...ofDatabase } = createInstruments(registers)
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  readOnScrape(registers, [
    {
      name: 'breakwater_event_loop_lag_seconds',
      help: 'The longest wait for the event loop since the last scrape.',
      merged: 'max',
      read: () => {
        // The measured time between two ticks is never shorter than the resolution.
        const latest = Math.max(0, lag.max / 1e6 - LAG_RESOLUTION_MS) / 1000
        lag.reset()
        return latest
      },
    },
  ])

  return {
    observeBatch: batches,
    observeRemoved: (table: string, rows: number) => removed.inc({ table }, rows),
    /** Called once per route; the function it returns is called once per request. */
    observeRoute(method: string, route: string): (status: number, elapsedMs: number) => void {
      const byStatus = new Map<number, { count: number }>()
      // Bound at the first request, so that routes without requests do not fill the scrape.
      let duration: Observe | null = null
      return (status, elapsedMs) => {
        let answered = byStatus.get(status)
        if (answered === undefined) {
          answered = countAnswered({ method, route, status: String(status) })
          byStatus.set(status, answered)
        }
        answered.count += 1
        duration ??= durations({ method, route })
        duration(elapsedMs / 1000)
      }
    },
    /** The same database, timed. */
    observeDatabase: (db: Database): Database => timedDatabase(db, ofDatabase),
    readOnScrape: (readings: readonly Reading[]) => readOnScrape(registers, readings),
    contentType: registry.contentType,
    counted: async (): Promise<Counted> => [
      ...(await registry.getMetricsAsJSON()),
      ...(await processRegistry.getMetricsAsJSON()),
    ],
    print: async () => `${await registry.metrics()}${await processRegistry.metrics()}`,
    stop: () => void lag.disable(),
  }
}

function readOnScrape(registers: Registry[], readings: readonly Reading[]): void {
  for (const { name, help, read, merged } of readings) {
    new Gauge({
      name,
      help,
      registers,
      aggregator: merged,
      async collect() {
        const value = await read()
        if (Number.isNaN(value)) this.remove()
        else this.set(value)
      },
    })
  }
}

function createInstruments(registers: Registry[]) {
  const countAnswered = countOnScrape(registers, {
    name: 'breakwater_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
  })
  const durations = createHistogram<'method' | 'route'>(registers, {
    name: 'breakwater_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    bounds: SECONDS,
  })
  const batches = createHistogram(registers, {
    name: 'breakwater_batch_size',
    help: 'Changes made in one transaction.',
    bounds: SIZES,
  })({})
  const removed = new Counter({
    name: 'breakwater_rows_removed_total',
    help: 'Rows removed because their retention has passed, by table.',
    labelNames: ['table'],
    registers,
  })
  const statements = createHistogram<'operation'>(registers, {
    name: 'breakwater_database_duration_seconds',
    help: 'Time the database took, for single statements and for whole transactions.',
    bounds: SECONDS,
  })
  const decisions = createHistogram(registers, {
    name: 'breakwater_decision_duration_seconds',
    help: 'Time an open transaction waited for the service.',
    bounds: SECONDS,
  })({})
  const failures = new Counter({
    name: 'breakwater_database_failures_total',
    help: 'Statements and transactions that failed.',
    labelNames: ['operation'],
    registers,
  })
  return { countAnswered, durations, batches, removed, statements, decisions, failures }
}

/** A counter whose counts are kept in plain numbers until it is scraped. */
function countOnScrape<Label extends string>(
  registers: Registry[],
  about: { name: string; help: string; labelNames: Label[] },
): (labels: Record<Label, string>) => { count: number } {
  const all: { labels: Record<Label, string>; count: number }[] = []
  new Counter({
    ...about,
    registers,
    collect() {
      for (const one of all) {
        this.inc(one.labels, one.count)
        one.count = 0
      }
    },
  })
  return (labels) => {
    const counted = { labels, count: 0 }
    all.push(counted)
    return counted
  }
}

type Instruments = ReturnType<typeof createInstruments>

function timedDatabase(
  db: Database,
  { statements, failures, decisions }: Pick<Instruments, 'statements' | 'failures' | 'decisions'>,
): Database {
  const timed = (operation: string) => {
    const observe = statements({ operation })
    const failed = failures.labels(operation)
    // A counter that begins with the first failure would hide that failure from rate().
    failed.inc(0)
    return async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const startedMs = performance.now()
      try {
        return await work()
      } catch (error) {
        failed.inc()
        throw error
      } finally {
        observe((performance.now() - startedMs) / 1000)
      }
    }
  }
  const timeStatement = timed('statement')
  const timeTransaction = timed('transaction')
  const queriesOf = (queries: Queries): Queries => ({
    query: <Row>(text: string, values?: readonly unknown[]) =>
      timeStatement(() => queries.query<Row>(text, values)),
  })
  const timeDecision =
    <Result>(work: (tx: Transaction) => Promise<Result>) =>
    async (tx: Transaction): Promise<Result> => {
      const idle = createIdleTime()
      const { query } = queriesOf(tx)
      try {
        return await work({
          ...tx,
          query: <Row>(text: string, values?: readonly unknown[]) =>
            idle.except(() => query<Row>(text, values)),
          written: () => idle.except(() => tx.written()),
        })
      } finally {
        decisions(idle.seconds())
      }
    }
  return {
    ...db,
    query: <Row>(text: string, values?: readonly unknown[], lane?: Lane) =>
      timeStatement(() => db.query<Row>(text, values, lane)),
    transaction: (work) => timeTransaction(() => db.transaction(timeDecision(work))),
  }
}

let watched: Registry | null = null

const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Once per process: its observers of garbage collection and of the event loop are never removed. */
function watchProcess(): Registry {
  if (watched === null) {
    watched = new Registry()
    collectDefaultMetrics({ register: watched })
    // Gauges under the names of counters, which Prometheus's own check rejects; the same counts exist by type.
    for (const name of MISNAMED) watched.removeSingleMetric(name)
  }
  return watched
}

/** The time since the first of some tasks in which none was running. */
function createIdleTime() {
  let underWay = 0
  let idleMs = 0
  let sinceMs: number | null = null
  const end = () => {
    if (sinceMs !== null) idleMs += performance.now() - sinceMs
    sinceMs = null
  }
  return {
    async except<Result>(work: () => Promise<Result>): Promise<Result> {
      end()
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        if (underWay === 0) sinceMs = performance.now()
      }
    },
    seconds(): number {
      end()
      return idleMs / 1000
    },
  }
}

const READ_MAX_MS = 1000

/** Caches a value for a while. A read that fails or takes too long is cached too, as NaN. */
export function remembered(read: () => Promise<number>, forMs: number): () => Promise<number> {
  let readAtMs = Number.NEGATIVE_INFINITY
  let last = Promise.resolve(Number.NaN)
  return () => {
    if (performance.now() - readAtMs >= forMs) {
      readAtMs = performance.now()
      last = Promise.race([read(), sleep(READ_MAX_MS, Number.NaN, { ref: false })]).catch(() => Number.NaN)
    }
    return last
  }
}
