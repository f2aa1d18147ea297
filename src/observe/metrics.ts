/**
 * Figures for Prometheus. They are about the process alone: no figure names a book, a key or a record.
 *
 * - What a request costs here is a few additions: labels are written once per route and status, text only when asked for.
 * - What has to be counted in the database is counted at most once in ten seconds, however often somebody asks, and is
 *   left out while the database does not answer in time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queries, Transaction } from '../engine/database/database.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** A figure that is read when somebody asks. */
export type Gauge = { name: string; help: string; read: () => number | Promise<number> }

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LAG_RESOLUTION_MS = 20
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

export function createMetrics() {
  const requests = createCounters('breakwater_http_requests_total', 'Requests answered.')
  const durations = createHistograms(
    'breakwater_http_request_duration_seconds',
    'Time from the first byte of a request to the end of its answer.',
    SECONDS,
  )
  const batches = createHistograms('breakwater_batch_size', 'Liquidations of one transaction.', SIZES)
  const statements = createHistograms(
    'breakwater_database_duration_seconds',
    'Time the database took, for single statements and for whole transactions.',
    SECONDS,
  )
  const decisions = createHistograms(
    'breakwater_decision_duration_seconds',
    'Time an open transaction waited for the service.',
    SECONDS,
  )
  const failures = createCounters(
    'breakwater_database_failures_total',
    'Statements and transactions that failed.',
  )
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()

  const observeBatch = batches.labelled('')
  return {
    observeBatch,
    /** Called once per route; what it answers is called once per request. */
    observeRoute(method: string, route: string): (status: number, elapsedMs: number) => void {
      const labels = `method="${method}",route="${route}"`
      const counters = new Map<number, () => void>()
      // Made at the first request, so that what is never asked for does not fill the answer.
      let observeDuration: ((seconds: number) => void) | null = null
      return (status, elapsedMs) => {
        let count = counters.get(status)
        if (count === undefined) {
          count = requests.labelled(`${labels},status="${status}"`)
          counters.set(status, count)
        }
        count()
        observeDuration ??= durations.labelled(labels)
        observeDuration(elapsedMs / 1000)
      }
    },
    /** The same database, timed. */
    observeDatabase(db: Database): Database {
      const timed = (operation: string) => {
        const observe = statements.labelled(`operation="${operation}"`)
        const countFailure = failures.labelled(`operation="${operation}"`)
        return async <Result>(work: () => Promise<Result>): Promise<Result> => {
          const startedMs = performance.now()
          try {
            return await work()
          } catch (error) {
            countFailure()
            throw error
          } finally {
            observe((performance.now() - startedMs) / 1000)
          }
        }
      }
      const timeStatement = timed('statement')
      const timeTransaction = timed('transaction')
      const observeDecision = decisions.labelled('')
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
            observeDecision(idle.seconds())
          }
        }
      return {
        ...db,
        ...queriesOf(db),
        transaction: (work) => timeTransaction(() => db.transaction(timeDecision(work))),
      }
    },
    async print(gauges: readonly Gauge[]): Promise<string> {
      const read = await Promise.all([...gauges, ...processGauges(lag)].map(printGauge))
      return [requests, durations, batches, statements, decisions, failures]
        .map((metric) => metric.print())
        .concat(read, printCpu())
        .join('')
    },
    stop: () => void lag.disable(),
  }
}

/** The time since the first of some work in which none was under way. */
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

/** Remembers what was read for a while. What fails, or takes too long, is remembered too, and told as NaN. */
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

function createCounters(name: string, help: string) {
  const cells: { labels: string; count: number }[] = []
  return {
    labelled(labels: string): () => void {
      const cell = { labels, count: 0 }
      cells.push(cell)
      return () => {
        cell.count += 1
      }
    },
    print(): string {
      return (
        head(name, help, 'counter') + cells.map((cell) => `${name}{${cell.labels}} ${cell.count}\n`).join('')
      )
    },
  }
}

function createHistograms(name: string, help: string, bounds: readonly number[]) {
  const cells: { labels: string; counts: number[]; sum: number }[] = []
  return {
    labelled(labels: string): (value: number) => void {
      const cell = { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      cells.push(cell)
      return (value) => {
        let bucket = 0
        while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
        cell.counts[bucket]! += 1
        cell.sum += value
      }
    },
    print: () =>
      head(name, help, 'histogram') + cells.map((cell) => printHistogram(name, bounds, cell)).join(''),
  }
}

/** Buckets are told as running totals: each counts all that is below its bound. */
function printHistogram(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: { labels: string; counts: readonly number[]; sum: number },
): string {
  const separator = labels === '' ? '' : ','
  let total = 0
  const buckets = [...bounds, '+Inf'].map((bound, bucket) => {
    total += counts[bucket]!
    return `${name}_bucket{${labels}${separator}le="${bound}"} ${total}\n`
  })
  return `${buckets.join('')}${name}_sum{${labels}} ${sum}\n${name}_count{${labels}} ${total}\n`
}

async function printGauge({ name, help, read }: Gauge): Promise<string> {
  const value = await read()
  return Number.isNaN(value) ? '' : `${head(name, help, 'gauge')}${name} ${value}\n`
}

function processGauges(lag: ReturnType<typeof monitorEventLoopDelay>): Gauge[] {
  return [
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory the process holds.',
      read: () => process.memoryUsage.rss(),
    },
    {
      name: 'process_heap_bytes',
      help: 'Memory that objects take.',
      read: () => process.memoryUsage().heapUsed,
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process started, in Unix time.',
      read: () => Math.round(performance.timeOrigin) / 1000,
    },
    {
      name: 'breakwater_event_loop_lag_seconds',
      help: 'The longest wait for the event loop since this was last asked for.',
      read: () => {
        // What is measured is the time between two ticks, which is never shorter than the resolution.
        const latest = Math.max(0, lag.max / 1e6 - LAG_RESOLUTION_MS) / 1000
        lag.reset()
        return latest
      },
    },
  ]
}

function printCpu(): string {
  const { user, system } = process.cpuUsage()
  const name = 'process_cpu_seconds_total'
  return `${head(name, 'Processor time the process used.', 'counter')}${name} ${(user + system) / 1e6}\n`
}

function head(name: string, help: string, type: 'counter' | 'gauge' | 'histogram'): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}
