/** Kernel statistics of a process and its children. Null where there is no /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const TICKS_PER_SECOND = 100

/** CPU seconds of a process and of all its children, including those that have ended. */
export function cpuSecondsOf(pid: number): number | null {
  if (!existsSync(`/proc/${pid}/stat`)) return null
  const [user, system, childrenUser, childrenSystem] = statOf(pid)
  const living = childrenOf(pid).map((child) => {
    const [childUser, childSystem] = statOf(child)
    return childUser + childSystem
  })
  const ticks = [user, system, childrenUser, childrenSystem, ...living].reduce((sum, part) => sum + part, 0)
  return ticks / TICKS_PER_SECOND
}

/** CPU seconds of the worker threads: the one of the embedded engine. Null where there is none. */
export function workerCpuSecondsOf(pid: number): number | null {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return null
  const workers = readdirSync(tasks).filter(
    (task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === 'WorkerThread',
  )
  if (workers.length === 0) return null
  const ticks = workers.map((task) => ticksIn(`${tasks}/${task}/stat`))
  return ticks.reduce((sum, [user, system]) => sum + user + system, 0) / TICKS_PER_SECOND
}

export function peakMemoryMegabytesOf(pid: number): number | null {
  if (!existsSync(`/proc/${pid}/status`)) return null
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(list)) return []
  return readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number)
}

type Ticks = [user: number, system: number, childrenUser: number, childrenSystem: number]

/** The time of a process that has just ended is already counted for its parent. */
function statOf(pid: number): Ticks {
  return ticksIn(`/proc/${pid}/stat`)
}

function ticksIn(path: string): Ticks {
  try {
    const stat = readFileSync(path, 'utf8')
    // The name in parentheses may contain spaces; the fields are counted after it.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return fields.slice(11, 15) as Ticks
  } catch {
    return [0, 0, 0, 0]
  }
}
