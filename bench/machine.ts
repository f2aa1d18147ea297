/** The machine on which the numbers were taken, and the program that was measured. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { release as readRelease, releaseText } from '../src/observe/release.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { cpuSecondsOf, TICKS_PER_SECOND } from './processes.ts'

export type Machine = {
  /** Version and commit; absent in results that are older than this member. */
  program?: string
  processor: string
  cores: number
  memoryGigabytes: number
  system: string
  node: string
  postgres: string
  pglite: string
}

export function describeMachine(server: PostgresServer): Machine {
  const postgres = spawnSync(join(server.binaries, 'postgres'), ['--version'], { encoding: 'utf8' })
  return {
    program: releaseText(readRelease()),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()} ${arch()}`,
    node: process.versions.node,
    postgres: /\d+\.\d+/.exec(postgres.stdout)?.[0] ?? 'unknown',
    pglite: pgliteVersion(),
  }
}

/** How a page says when and with which program numbers were taken. */
export function takenOn({ date, machine }: { date: string; machine: Machine }): string {
  return machine.program === undefined ? `Taken on ${date}` : `Taken on ${date} with ${machine.program}`
}

/** What a run had of its machine: others may use it as well, and its host may give CPU time to others. */
export type MachineShare = {
  loadBefore: number
  stealPercent: number | null
  /** Of all CPU time, what processes used that are not of the run. Absent where it was not counted. */
  othersPercent?: number | null
}

/** When, with which program and beside what figures were taken. */
export type Run = { date: string; program: string; share: MachineShare }

const STEAL_MAX_PERCENT = 5
const OTHERS_MAX_PERCENT = 5
const LOAD_MAX_PER_CORE = 0.5

/** Call what it returns at the end of the run, when all processes that were started for it have ended. */
export function watchRun(): () => Run {
  const date = new Date().toISOString().slice(0, 10)
  const ownBefore = cpuSecondsOf(process.pid)
  const before = readTicks()
  const shareOfMachine = watchMachine()
  return () => {
    const share = shareOfMachine()
    const after = readTicks()
    if (before === null || after === null) {
      return { date, program: releaseText(readRelease()), share: { ...share, othersPercent: null } }
    }
    const own = (cpuSecondsOf(process.pid)! - ownBefore!) * TICKS_PER_SECOND
    const others = Math.max(0, after.used - before.used - own)
    const othersPercent = (100 * others) / Math.max(1, after.all - before.all)
    return { date, program: releaseText(readRelease()), share: { ...share, othersPercent } }
  }
}

/** Where others were not counted, the load before the run decides: a run itself is a load. */
export function isQuiet({ loadBefore, stealPercent, othersPercent }: MachineShare): boolean {
  if ((stealPercent ?? 0) > STEAL_MAX_PERCENT) return false
  if (othersPercent != null) return othersPercent <= OTHERS_MAX_PERCENT
  return loadBefore <= LOAD_MAX_PER_CORE * cpus().length
}

export function shareText(share: MachineShare): string {
  const { loadBefore, stealPercent, othersPercent } = share
  const percents = [
    ...(stealPercent === null ? [] : [`${stealPercent.toFixed(1)} percent of the CPU time stolen`]),
    ...(othersPercent == null ? [] : [`${othersPercent.toFixed(1)} used by other processes`]),
  ]
  return [`load ${loadBefore.toFixed(2)} before it`, ...percents].join(', ')
}

/** A run on a busy machine says so by itself. */
export function runText({ date, program, share }: Run): string {
  const busy = isQuiet(share) ? '' : ' **The machine was busy.**'
  return `Taken on ${date} with ${program}, ${shareText(share)}.${busy}`
}

/** Call what it returns at the end of the run. */
export function watchMachine(): () => MachineShare {
  const loadBefore = loadavg()[0]!
  const before = readTicks()
  return () => {
    const after = readTicks()
    if (before === null || after === null) return { loadBefore, stealPercent: null }
    const stealPercent = (100 * (after.stolen - before.stolen)) / Math.max(1, after.all - before.all)
    return { loadBefore, stealPercent }
  }
}

/** null where there is no /proc. */
function readTicks(): { all: number; used: number; stolen: number } | null {
  if (!existsSync('/proc/stat')) return null
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are part of the first two.
  const ticks = line!.trim().split(/\s+/).slice(1, 9).map(Number)
  const [user = 0, nice = 0, system = 0] = ticks
  return {
    all: ticks.reduce((sum, one) => sum + one, 0),
    used: user + nice + system,
    stolen: ticks[7] ?? 0,
  }
}

/** The minimum time of a commit: writing one block durably. The median of many. */
export function measureFsyncMicroseconds(folder: string): number {
  const file = openSync(join(folder, 'fsync'), 'w')
  const block = Buffer.alloc(8192)
  const waits = Array.from({ length: 200 }, () => {
    const startedMs = performance.now()
    writeSync(file, block, 0, block.length, 0)
    fdatasyncSync(file)
    return (performance.now() - startedMs) * 1000
  })
  closeSync(file)
  return Math.round(waits.toSorted((left, right) => left - right)[100]!)
}

function pgliteVersion(): string {
  const manifest = import.meta.resolve('@electric-sql/pglite').replace(/dist\/.*$/, 'package.json')
  return JSON.parse(readFileSync(new URL(manifest), 'utf8')).version
}
