/**
 * The load generator of the benchmarks, in a separate process. Each connection is a closed loop: it sends the next request
 * when the answer to the last one is complete. Every answer must be a success; anything else is counted separately.
 */
import { createHash } from 'node:crypto'
import { openConnection, requestText } from '../test/support/load/connection.ts'
import { createHistogram } from '../test/support/load/histogram.ts'

export type Operation = OwnOperation | PeerOperation
type OwnOperation = 'full' | 'partial' | 'part' | 'quote' | 'customer' | 'credit' | 'open' | 'mixed'

/** A movement between two accounts of a ledger of others: peers.ts. */
export type PeerOperation = 'formance' | 'blnk'

/** Opening: as deposits and customers were opened, so that neighbours in the tables are visited together. */
export type Order = 'random' | 'opening'

/**
 * The deposits or customers of each book that a load visits: `count` of them, after the `first` in this order. Those of
 * a book are numbered from 1 to `last`; number 0 is the hot deposit, which only a PARTIAL uses.
 */
export type Targets = { order: Order; first: number; count: number; last: number }

export type LoadPlan = {
  port: number
  /** Requests go to each of them in turn. */
  books: readonly { bookId: string; key: string }[]
  operation: Operation
  connections: number
  targets: Targets
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
  /** Answers other than 200 and 201, by status. */
  failures: Record<string, number>
  /** All that were sent, also those outside the measured time. */
  requests: number
}

/** Start and end of the measured time; the parent reads the CPU times at both. */
export type LoadMessage = { phase: 'begin' } | { phase: 'end'; result: LoadResult }

export const DEPOSITS_PER_CUSTOMER = 4

/** Ids are derived from their number, so that the loader in the database and this process agree without a list. */
export function idOf(prefix: 'fd' | 'cus', bookId: string, number: number): string {
  return `${prefix}_${createHash('md5').update(`${bookId} ${number}`).digest('hex').slice(0, 24)}`
}

/** Spread over the index by a multiplier that is coprime to the range. */
export function accountNumberOf(number: number): string {
  return String(1_000_000_000n + ((BigInt(number) * 7_654_321_987n) % 9_000_000_000n))
}

if (process.send !== undefined) process.once('message', (plan) => void run(plan as LoadPlan))

async function run(plan: LoadPlan): Promise<void> {
  const requestTo = createRequests(plan)
  const histogram = createHistogram()
  const failures: Record<string, number> = {}
  const isOnce = ['full', 'part', 'mixed'].includes(plan.operation)
  const requestsMax = isOnce ? plan.targets.count * plan.books.length : Number.POSITIVE_INFINITY
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
      requests: next,
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
      if (status !== 200 && status !== 201) failures[status] = (failures[status] ?? 0) + 1
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

/** A prime, and so coprime to any smaller count: random enough, and no target is visited twice. */
const STRIDE = 7_368_787

function createRequests(plan: LoadPlan): (index: number) => string {
  const { operation, books, targets } = plan
  const runId = createHash('md5').update(`${process.pid} ${Date.now()}`).digest('hex').slice(0, 20)
  const numberOf = (turn: number) => {
    const position = targets.first + turn
    return 1 + ((targets.order === 'random' ? position * STRIDE : position) % targets.last)
  }
  return (index) => {
    const { bookId, key } = books[index % books.length]!
    const number = numberOf(Math.floor(index / books.length))
    const asked = requestOf(operation === 'mixed' ? MIXED[index % MIXED.length]! : operation)
    const idempotencyKey = asked.path.endsWith('quote') ? null : `${runId}-${index}`
    return requestText({ ...asked, key, idempotencyKey })

    function requestOf(one: Exclude<Operation, 'mixed'>): Pick<Request, 'method' | 'path' | 'body'> {
      const deposit = (action: string, of = number) =>
        `/v2/fixed-deposits/${idOf('fd', bookId, of)}/${action}`
      const customer = Math.floor(number / DEPOSITS_PER_CUSTOMER)
      switch (one) {
        case 'full':
          return { method: 'POST', path: deposit('liquidate'), body: '{"liquidation_type":"FULL"}' }
        case 'partial':
          return { method: 'POST', path: deposit('liquidate', 0), body: PART }
        case 'part':
          return { method: 'POST', path: deposit('liquidate'), body: PART }
        case 'quote':
          return { method: 'POST', path: deposit('liquidation-quote'), body: '{"liquidation_type":"FULL"}' }
        case 'customer': {
          const body = `{"email":"customer${index}@example.com"}`
          return { method: 'PUT', path: `/v2/customer/${idOf('cus', bookId, customer)}`, body }
        }
        case 'credit':
          return {
            method: 'POST',
            path: `/v2/accounts/${accountNumberOf(customer)}/credits`,
            body: '{"amount":10.00}',
          }
        case 'open': {
          const account = accountNumberOf(customer)
          const body = `{"account_number":"${account}","amount":10.00,"tenor":180,"interest_rate":11.5}`
          return { method: 'POST', path: '/v2/fixed-deposits', body }
        }
        case 'formance':
          return { method: 'POST', path: `/v2/${bookId}/transactions`, body: formanceBody(number) }
        case 'blnk':
          return { method: 'POST', path: '/transactions', body: blnkBody(number, `${runId}-${index}`) }
        default:
          return one satisfies never
      }
    }
  }
}

type Request = Parameters<typeof requestText>[0]

const PART = '{"liquidation_type":"PARTIAL","amount":1.00}'

function formanceBody(number: number): string {
  const move = {
    source: `deposits:${number}`,
    destination: `accounts:${number}`,
    asset: 'NGN/2',
    amount: 100,
  }
  return JSON.stringify({ postings: [move], metadata: {} })
}

/** Without its queue, so that the movement is made before it is answered. */
export function blnkBody(number: number, reference: string): string {
  return JSON.stringify({
    ...{ source: `@deposit-${number}`, destination: `@account-${number}`, currency: 'NGN' },
    ...{ precise_amount: 100, precision: 100, reference, description: 'Movement' },
    ...{ allow_overdraft: true, skip_queue: true },
  })
}

/** As many updates as liquidations, and each of the others a third of that. */
export const MIXED = [
  'full',
  'customer',
  'open',
  'full',
  'customer',
  'credit',
  'full',
  'customer',
  'quote',
] as const
