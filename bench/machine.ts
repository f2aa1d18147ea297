/** The machine on which the numbers were taken, and the program that was measured. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { release as readRelease, releaseText } from '../src/observe/release.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'

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

/** What a run had of its machine: others may have used it before, and its host may give CPU time to others. */
export type MachineShare = { loadBefore: number; stealPercent: number | null }

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
function readTicks(): { all: number; stolen: number } | null {
  if (!existsSync('/proc/stat')) return null
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are part of the first two.
  const ticks = line!.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 }
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
