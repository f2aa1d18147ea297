/** One measurement: a load against a running service, and what it cost the processors meanwhile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadMessage, LoadPlan, LoadResult, Operation } from './load.ts'
import { cpuSecondsOf, peakMemoryMegabytesOf } from './processes.ts'

export type Engine = 'PostgreSQL' | 'embedded'

export type Measurement = {
  engine: Engine
  operation: Operation
  connections: number
  /** The most liquidations that one transaction may take; 1 is no batching. */
  batchMax: number
  deposits: number
  /** Processor seconds per 1,000 answers. */
  serverCpu: number | null
  databaseCpu: number | null
  generatorCpu: number
  serverPeakMegabytes: number | null
} & Omit<LoadResult, 'generatorCpuSeconds'>

const generator = fileURLToPath(new URL('./load.ts', import.meta.url))

export async function measure(
  plan: LoadPlan,
  about: Pick<Measurement, 'engine' | 'batchMax' | 'deposits'> & {
    serverPid: number
    /** The embedded engine is part of the server. */
    databasePid: number | null
  },
): Promise<Measurement> {
  const { serverPid, databasePid, ...rest } = about
  const read = () =>
    [cpuSecondsOf(serverPid), databasePid === null ? null : cpuSecondsOf(databasePid)] as const
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
    ...result,
    serverCpu: between(0),
    databaseCpu: between(1),
    generatorCpu: perThousand(generatorCpuSeconds),
    serverPeakMegabytes: peakMemoryMegabytesOf(serverPid),
  }
}
