/**
 * One of several processes of a service, as it sees the others: through its supervisor (processes.ts). What protects the
 * service is counted by all together; what one process keeps for itself is small.
 */
import cluster from 'node:cluster'
import type { CreateTake, Take, Taken } from '../http/rate-limit.ts'
import type { Counted } from '../observe/metrics.ts'
import { type AskedOfFellow, type AskedOfSupervisor, type Calls, createCalls } from './process-calls.ts'

export type Fellow = {
  /** One of them works for all. */
  hasJobs: boolean
  /** How many there are. */
  processes: number
  retired: Promise<'retired'>
  createTake: CreateTake
  printMetrics: () => Promise<string>
  noteChanges: (count: number) => void
}

/** null: the process is the only one. */
export async function joinFellows(options: {
  counted: () => Promise<Counted>
  onChanges: (count: number) => void
}): Promise<Fellow | null> {
  if (!cluster.isWorker) return null
  const retired = Promise.withResolvers<'retired'>()
  const ours: AskedOfFellow = {
    retire: () => retired.resolve('retired'),
    counted: options.counted,
    noteChanges: options.onChanges,
  }
  const supervisor = createCalls<AskedOfSupervisor>(cluster.worker!, ours)
  const { hasJobs, processes } = await supervisor.call('role', null)
  return {
    hasJobs,
    processes,
    retired: retired.promise,
    createTake: (counted) => createSharedTake(supervisor, { counted, processes }),
    printMetrics: () => supervisor.call('printMetrics', null),
    noteChanges: hasJobs ? options.onChanges : createReport(supervisor),
  }
}

/** The channel no longer keeps the process from ending. */
export function leaveFellows(): void {
  if (cluster.isWorker) process.channel?.unref()
}

/** Together with the others it is known within this many when enough happened for a seal. */
const CHANGES_PER_REPORT = 500

function createReport(supervisor: Calls<AskedOfSupervisor>): (count: number) => void {
  let unreported = 0
  return (count) => {
    unreported += count
    if (unreported < CHANGES_PER_REPORT) return
    const reported = unreported
    unreported = 0
    supervisor.call('noteChanges', reported).catch(() => undefined)
  }
}

/** A process takes what may be used in this time at once, so that few requests ask the supervisor. */
const LEASES_PER_MINUTE = 600
const LEASES_MAX = 100_000

/** The supervisor counts; what it gave and was not used yet is all that can be used later than it was counted. */
export function createSharedTake(
  supervisor: Pick<Calls<AskedOfSupervisor>, 'call'>,
  { counted, processes }: { counted: string; processes: number },
): Take {
  const leases = new Map<string, { left: number; last: Taken }>()
  const asking = new Map<string, Promise<unknown>>()

  return (name, perMinute) => takeHere(name) ?? askFor(name, perMinute)

  function takeHere(name: string): Taken | null {
    const lease = leases.get(name)
    if (lease === undefined || lease.left === 0) return null
    lease.left -= 1
    return { ...lease.last, remaining: lease.last.remaining + lease.left }
  }

  async function askFor(name: string, perMinute: number): Promise<Taken> {
    for (;;) {
      const earlier = asking.get(name)
      if (earlier === undefined) break
      await earlier
      const taken = takeHere(name)
      if (taken !== null) return taken
    }
    const wanted = Math.max(1, Math.floor(perMinute / LEASES_PER_MINUTE / processes))
    const asked = supervisor.call('take', { counted, name, perMinute, wanted })
    asking.set(name, asked)
    try {
      const { count, ...last } = await asked
      leases.delete(name)
      if (count > 1) leases.set(name, { left: count - 1, last })
      if (leases.size > LEASES_MAX) leases.delete(leases.keys().next().value!)
      return { ...last, remaining: last.remaining + Math.max(0, count - 1) }
    } finally {
      asking.delete(name)
    }
  }
}
