/**
 * The load generator of the benchmarks, in a separate process. Each connection is a closed loop: it sends the next request
 * when the answer to the last one is complete. Every answer must be a 200; anything else is counted separately.
 */
import { createHash } from 'node:crypto'
import { openConnection, requestText } from '../test/support/load/connection.ts'
import { createHistogram } from '../test/support/load/histogram.ts'

export type Operation = 'full' | 'partial' | 'quote' | 'customer'

export type LoadPlan = {
  port: number
  key: string
  bookId: string
  operation: Operation
  connections: number
  /** Numbers of the target deposits or customers; a FULL uses each once, a PARTIAL always the first. */
  targets: { first: number; count: number }
  warmupMs: number
  measuredMs: number
}

export type LoadResult = {
  answers: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  generatorCpuSeconds: number
  /** Answers other than 200, by status. */
  failures: Record<string, number>
}

/** Start and end of the measured time; the parent reads the CPU times at both. */
export type LoadMessage = { phase: 'begin' } | { phase: 'end'; result: LoadResult }

/** Ids are derived from their number, so that the loader in the database and this process agree without a list. */
export function idOf(prefix: 'fd' | 'cus', bookId: string, number: number): string {
  return `${prefix}_${createHash('md5').update(`${bookId} ${number}`).digest('hex').slice(0, 24)}`
}

if (process.send !== undefined) process.once('message', (plan) => void run(plan as LoadPlan))

async function run(plan: LoadPlan): Promise<void> {
  const requestTo = createRequests(plan)
  const histogram = createHistogram()
  const failures: Record<string, number> = {}
  const requestsMax = plan.operation === 'full' ? plan.targets.count : Number.POSITIVE_INFINITY
  let next = 0
  let phase: 'warmup' | 'measured' | 'over' = 'warmup'
  let beganMs = 0
  let endedMs = 0
  let cpuAtBegin = process.cpuUsage()
  let generatorCpu = cpuAtBegin

  const begin = setTimeout(() => {
    beganMs = performance.now()
    cpuAtBegin = process.cpuUsage()
    phase = 'measured'
    tell({ phase: 'begin' })
  }, plan.warmupMs)
  const end = setTimeout(finish, plan.warmupMs + plan.measuredMs)

  await Promise.all(Array.from({ length: plan.connections }, converse))
  finish()
  clearTimeout(begin)
  clearTimeout(end)
  const seconds = (endedMs - beganMs) / 1000
  tell({
    phase: 'end',
    result: {
      answers: histogram.count(),
      perSecond: histogram.count() / seconds,
      p50Ms: histogram.quantile(0.5),
      p99Ms: histogram.quantile(0.99),
      maxMs: histogram.max(),
      generatorCpuSeconds: (generatorCpu.user + generatorCpu.system) / 1e6,
      failures,
    },
  })
  process.disconnect()

  function finish(): void {
    if (phase === 'over') return
    if (phase === 'warmup') throw new Error('The targets were used up before the measured time began.')
    endedMs = performance.now()
    generatorCpu = process.cpuUsage(cpuAtBegin)
    phase = 'over'
  }

  async function converse(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let sentAtMs = 0
    const socket = openConnection(plan.port, (status) => {
      if (status !== 200) failures[status] = (failures[status] ?? 0) + 1
      else if (phase === 'measured') histogram.record(performance.now() - sentAtMs)
      send()
    })
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('close', () => resolve())
    return promise

    function send(): void {
      if (phase === 'over' || next >= requestsMax) return void socket.end()
      sentAtMs = performance.now()
      socket.write(requestTo(next++), 'latin1')
    }
  }

  function tell(message: LoadMessage): void {
    process.send!(message)
  }
}

/** A prime, and so coprime to any smaller count: targets are visited in a shuffled order. */
const STRIDE = 7_368_787

function createRequests(plan: LoadPlan): (index: number) => string {
  const { operation, bookId, targets } = plan
  const shuffled = (index: number) => targets.first + ((index * STRIDE) % targets.count)
  const runId = createHash('md5').update(`${process.pid} ${Date.now()}`).digest('hex').slice(0, 20)
  const send = (method: 'POST' | 'PUT') => (path: string, body: string, index: number | null) =>
    requestText({
      method,
      path,
      key: plan.key,
      body,
      idempotencyKey: index === null ? null : `${runId}-${index}`,
    })
  const post = send('POST')
  const put = send('PUT')
  const deposit = (index: number) => `/v2/fixed-deposits/${idOf('fd', bookId, index)}`
  switch (operation) {
    case 'full':
      return (index) => post(`${deposit(shuffled(index))}/liquidate`, '{"liquidation_type":"FULL"}', index)
    case 'partial': {
      const path = `${deposit(targets.first)}/liquidate`
      return (index) => post(path, '{"liquidation_type":"PARTIAL","amount":1.00}', index)
    }
    case 'quote':
      return (index) =>
        post(`${deposit(shuffled(index))}/liquidation-quote`, '{"liquidation_type":"FULL"}', null)
    case 'customer':
      return (index) => {
        const path = `/v2/customer/${idOf('cus', bookId, shuffled(index))}`
        return put(path, `{"email":"customer${index}@example.com"}`, index)
      }
    default:
      return operation satisfies never
  }
}
