/**
 * Processes are known by where they work: whatever has its working directory inside a directory belongs to it, also what
 * it started by itself. So a whole node can be killed, frozen or cleared away without knowing what it consists of.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Owner = { uid?: number; gid?: number }

function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => `${workingDirectory(name)}/`.startsWith(`${directory}/`))
    .map(Number)
}

export function signalAll(directory: string, signal: NodeJS.Signals, title = /^/): void {
  for (const pid of processesIn(directory)) if (title.test(titleOf(pid))) signalIfAlive(pid, signal)
}

/** A process may start another one while it is being looked for, so the search is repeated until it finds none. */
export async function killAll(directory: string): Promise<void> {
  while (processesIn(directory).length > 0) {
    signalAll(directory, 'SIGKILL')
    await sleep(10)
  }
}

/** What it prints is added to a log. It ends with the directory at the latest. */
export function launch(
  command: readonly [string, ...string[]],
  options: { directory: string; log: string; owner?: Owner; env?: Record<string, string> },
): ChildProcess {
  const log = openSync(options.log, 'a')
  const [program, ...args] = command
  const child = spawn(program, args, {
    ...options.owner,
    cwd: options.directory,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...options.env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

/** From now on the directory and every process in it are gone when this process ends, in whatever way it ends. */
export function sweepAtEnd(directory: string): { sweep: () => Promise<void> } {
  const sweeper = spawn('sh', ['-c', SWEEPER, directory], { cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] })
  return {
    async sweep() {
      sweeper.stdin.end()
      if (sweeper.exitCode === null) await once(sweeper, 'exit')
    },
  }
}

/**
 * Its input ends however this process ends. An interrupt from the keyboard reaches it too and must not end it early.
 * SIGQUIT first: a PostgreSQL server then gives back its shared memory, which lies outside of the directory.
 */
const SWEEPER = `
  trap : INT TERM HUP
  cat > /dev/null
  signals='QUIT CONT'
  while :; do
    found=
    for process in /proc/[0-9]*; do
      case "$(readlink "$process/cwd")/" in
        "$0"/*) for signal in $signals; do kill -$signal "\${process#/proc/}"; done; found=yes ;;
      esac
    done
    [ -n "$found" ] || break
    sleep 1
    signals=KILL
  done
  rm -rf "$0"`

/** Empty where the process just ended or belongs to somebody else. */
function workingDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** PostgreSQL's processes say here what they do. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
