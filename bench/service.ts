/** The service as an operator runs it: `breakwater serve` in a separate process, every request logged. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../test/support/postgres-server.ts'
import type { Env } from './databases.ts'
import { cpuSecondsOf, peakMemoryMegabytesOf } from './processes.ts'

export type Running = { port: number; pid: number; stop(): Promise<void> }

/** The checkout that this file is part of. */
export const THIS_TREE = fileURLToPath(new URL('..', import.meta.url))
const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

/** `flags` are those of Node, `args` those of the command. */
export function startService(
  env: Env,
  logPath: string,
  {
    tree = THIS_TREE,
    flags = [],
    args = [],
  }: { tree?: string; flags?: readonly string[]; args?: readonly string[] } = {},
): Promise<Running> {
  return start(
    [...flags, programOf(tree), 'serve', ...args],
    { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info', DRAIN_MS: '0', ...env },
    logPath,
  )
}

export function startBareServer(logPath: string): Promise<Running> {
  return start([bareServer], {}, logPath)
}

function start(args: readonly string[], env: Env, logPath: string): Promise<Running> {
  return startProgram({
    file: process.execPath,
    args: () => args,
    env: (port) => ({ PORT: String(port), ...env }),
    logPath,
    isReady: (port) => answersOk(port, '/readyz'),
  })
}

/** Any program that listens on a port of this machine. */
export async function startProgram(program: {
  file: string
  args: (port: number) => readonly string[]
  env: (port: number) => Env
  logPath: string
  cwd?: string
  isReady: (port: number) => Promise<boolean>
}): Promise<Running> {
  const { file, logPath, cwd } = program
  const port = await findFreePort()
  const log = openSync(logPath, 'a')
  const server = spawn(file, program.args(port), {
    env: { PATH: process.env.PATH, ...program.env(port) },
    stdio: ['ignore', log, log],
    ...(cwd && { cwd }),
  })
  closeSync(log)
  let failure = ''
  server.once('error', ({ message }) => {
    failure = message
  })
  const killAtExit = () => server.kill('SIGKILL')
  process.once('exit', killAtExit)
  for (let waitedMs = 0; !(await program.isReady(port)); waitedMs += 50) {
    if (failure !== '' || server.exitCode !== null || waitedMs > 60_000) {
      server.kill('SIGKILL')
      throw new Error(`${file} did not start: ${failure}\n${readFileSync(logPath, 'utf8').slice(-2000)}`)
    }
    await sleep(50)
  }
  return {
    port,
    pid: server.pid!,
    async stop() {
      process.off('exit', killAtExit)
      if (server.kill('SIGTERM')) await once(server, 'exit')
    },
  }
}

export async function answersOk(port: number, path: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    (answer) => answer.ok,
    () => false,
  )
}

export type CommandRun = { seconds: number; cpuSeconds: number | null; peakMegabytes: number | null }

/** A command that runs to its end. */
export async function runCommand(args: readonly string[], env: Env, tree = THIS_TREE): Promise<CommandRun> {
  const startedMs = performance.now()
  const command = spawn(process.execPath, [programOf(tree), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let cpuSeconds: number | null = null
  let peakMegabytes: number | null = null
  const watching = setInterval(() => {
    cpuSeconds = cpuSecondsOf(command.pid!) ?? cpuSeconds
    peakMegabytes = peakMemoryMegabytesOf(command.pid!) ?? peakMegabytes
  }, 100)
  const [code] = await once(command, 'exit')
  clearInterval(watching)
  if (code !== 0) throw new Error(`breakwater ${args.join(' ')} ended with code ${code}.`)
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds, peakMegabytes }
}

function programOf(tree: string): string {
  return join(tree, 'bin', 'breakwater.js')
}
