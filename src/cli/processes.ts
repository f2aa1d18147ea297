/**
 * Several processes that serve one address, so that a server uses all its cores.
 *
 * - Node shares the listening socket and gives each process its turn.
 * - One of them runs the jobs. A process that ends without being asked to is replaced.
 * - SIGHUP replaces them one after the other, each when its successor listens, without a failed request: for a release
 *   that was installed in place, or secrets that are read at the start.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { Log } from '../observe/log.ts'
import { type Counted, printMerged } from '../observe/metrics.ts'
import { type AskedOfFellow, type AskedOfSupervisor, type Calls, createCalls } from './process-calls.ts'

type Member = {
  worker: Worker
  hasJobs: boolean
  calls: Calls<AskedOfFellow>
  isLeaving: boolean
  ended: Promise<number>
}

const READ_MAX_MS = 2000
const REPLACE_AFTER_MS = 1000
const REPLACE_AFTER_MAX_MS = 30_000
/** One that served for so long did not fail at its start. */
const STEADY_MS = 60_000

/** Returns after the signal, when all have ended. */
export async function superviseProcesses(options: {
  count: number
  log: Log
  /** Resolves when the service is to stop. */
  signalled: Promise<NodeJS.Signals>
}): Promise<void> {
  const { count, log, signalled } = options
  const members = new Set<Member>()
  const takers = new Map<string, ReturnType<typeof createRateLimiter>>()
  let isStopping = false
  let restarting: Promise<void> = Promise.resolve()

  // The first one migrates the database, and says what is wrong with the settings.
  const first = launch(true)
  const code = await Promise.race([listens(first), first.ended])
  if (code !== LISTENS) throw new Error('The first process could not start.')
  keep(first)
  for (let made = 1; made < count; made += 1) keep(launch(false))
  const restart = () => {
    restarting = restarting.then(replaceAll)
  }
  process.on('SIGHUP', restart)
  const signal = await signalled
  isStopping = true
  process.off('SIGHUP', restart)
  const codes = await Promise.all([...members].map((member) => endOf(member, signal)))
  if (codes.some((one) => one !== 0)) throw new Error('Not all processes ended as they should.')

  function launch(hasJobs: boolean): Member {
    const worker = cluster.fork()
    const ours: AskedOfSupervisor = {
      role: () => ({ hasJobs, processes: count }),
      take: ({ counted, name, perMinute, wanted }) => takerOf(counted)(name, perMinute, wanted),
      printMetrics,
      noteChanges,
    }
    const ended = once(worker, 'exit').then(
      ([exitCode]) => (exitCode as number | null) ?? (isStopping ? 0 : 1),
    )
    const calls = createCalls<AskedOfFellow>(worker, ours)
    const member = { worker, hasJobs, calls, isLeaving: false, ended }
    members.add(member)
    void ended.then(() => members.delete(member))
    log('info', 'worker_started', { process: worker.process.pid!, jobs: hasJobs })
    return member
  }

  /** Replaces it when it ends unasked, later each time that it cannot start. */
  function keep(member: Member, afterMs = REPLACE_AFTER_MS): void {
    const startedMs = performance.now()
    void member.ended.then(async (exitCode) => {
      if (isStopping || member.isLeaving) return
      log('error', 'worker_ended', { process: member.worker.process.pid!, code: exitCode })
      const waitMs = performance.now() - startedMs > STEADY_MS ? REPLACE_AFTER_MS : afterMs
      await sleep(waitMs)
      if (!isStopping) keep(launch(member.hasJobs), Math.min(waitMs * 2, REPLACE_AFTER_MAX_MS))
    })
  }

  async function replaceAll(): Promise<void> {
    log('info', 'restarting', { processes: members.size })
    for (const old of [...members]) {
      if (isStopping) return
      const successor = launch(old.hasJobs)
      const launched = await Promise.race([listens(successor), successor.ended])
      if (launched !== LISTENS) return log('error', 'restart_failed', { code: launched })
      keep(successor)
      old.isLeaving = true
      await old.calls.call('retire', null).catch(() => undefined)
      await old.ended
    }
  }

  async function endOf(member: Member, signal: NodeJS.Signals): Promise<number> {
    member.worker.process.kill(signal)
    return member.ended
  }

  function takerOf(counted: string): ReturnType<typeof createRateLimiter> {
    const taker = takers.get(counted) ?? createRateLimiter()
    takers.set(counted, taker)
    return taker
  }

  /** One that does not answer in time is left out. */
  async function printMetrics(): Promise<string> {
    const read = (member: Member) =>
      Promise.race([member.calls.call('counted', null), sleep(READ_MAX_MS, null, { ref: false })]).catch(
        () => null,
      )
    const all = await Promise.all([...members].map(read))
    return printMerged(all.filter((one): one is Counted => one !== null))
  }

  function noteChanges(changes: number): void {
    for (const member of members) {
      if (member.hasJobs) member.calls.call('noteChanges', changes).catch(() => undefined)
    }
  }
}

const LISTENS = -1

async function listens({ worker }: Member): Promise<typeof LISTENS> {
  await once(worker, 'listening')
  return LISTENS
}
