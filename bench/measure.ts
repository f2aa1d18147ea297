/** One measurement: a load against a running service, and its CPU time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadMessage, LoadPlan, LoadResult, Operation } from './load.ts'
import { cpuSecondsOf, peakMemoryMegabytesOf, workerCpuSecondsOf } from './processes.ts'

export type Engine = 'PostgreSQL' | 'embedded'

export type Measurement = {
  engine: Engine
  operation: Operation
  connections: number
  /** The maximum number of liquidations in one transaction; 1 is no batching. */
  batchMax: number
  /** Average number of liquidations in one transaction, over the whole run. */
  batchMean: number | null
  /** Seconds in which transactions waited for the service to decide, per 1,000 liquidations of the whole run. */
  decisions: number | null
  deposits: number
  /** CPU seconds per 1,000 answers; the embedded engine is a thread of the server, and counted separately. */
  serverCpu: number | null
  databaseCpu: number | null
  generatorCpu: number
  serverPeakMegabytes: number | null
  /** Answers per second of each turn, where it was measured in turns. */
  turns?: readonly number[]
} & Omit<LoadResult, 'generatorCpuSeconds'>

const generator = fileURLToPath(new URL('./load.ts', import.meta.url))

export async function measure(
  plan: LoadPlan,
  about: Pick<Measurement, 'engine' | 'batchMax' | 'deposits'> & {
    serverPid: number
    /** Null where the database is a thread of the server. */
    databasePid: number | null
  },
): Promise<Measurement> {
  const { serverPid, databasePid, ...rest } = about
  const read = () => {
    const database = databasePid === null ? workerCpuSecondsOf(serverPid) : cpuSecondsOf(databasePid)
    const server = cpuSecondsOf(serverPid)
    const shared = databasePid === null ? (database ?? 0) : 0
    return [server === null ? null : server - shared, database] as const
  }
  const batchesBefore = await readBatches(plan.port)
  let begin = read()
  const load = fork(generator)
  const { promise, resolve } = Promise.withResolvers<LoadResult>()
  load.on('message', (message: LoadMessage) => {
    if (message.phase === 'begin') begin = read()
    else resolve(message.result)
  })
  load.send(plan)
  const ended = once(load, 'exit').then(([code]) => {
    throw new Error(`The load generator ended early with code ${code}.`)
  })
  ended.catch(() => {})
  const { generatorCpuSeconds, ...result } = await Promise.race([promise, ended])
  const end = read()
  const batches = await readBatches(plan.port)
  const made = batches.liquidations - batchesBefore.liquidations
  const perThousand = (seconds: number) => (seconds / result.answers) * 1000
  const between = (index: 0 | 1) => {
    const [from, to] = [begin[index], end[index]]
    return from === null || to === null ? null : perThousand(to - from)
  }
  const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0)
  if (failed > 0) throw new Error(`Not all answers were 200: ${JSON.stringify(result.failures)}.`)
  return {
    ...rest,
    operation: plan.operation,
    connections: plan.connections,
    batchMean: made / (batches.count - batchesBefore.count) || null,
    decisions: ((batches.decisionSeconds - batchesBefore.decisionSeconds) / made) * 1000 || null,
    ...result,
    serverCpu: between(0),
    databaseCpu: between(1),
    generatorCpu: perThousand(generatorCpuSeconds),
    serverPeakMegabytes: peakMemoryMegabytesOf(serverPid),
  }
}

/** Of all batches so far; zero for a server that has no batches. */
async function readBatches(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^breakwater_${name}\\S* (\\S+)`, 'm').exec(text)?.[1] ?? 0)
  return {
    liquidations: read('batch_size_sum'),
    count: read('batch_size_count'),
    decisionSeconds: read('decision_duration_seconds_sum'),
  }
}
