/** The program as its users run it: a separate process, with its own environment and directory. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Engine, engines, placeMigratedCluster } from '../support/engines.ts'

const HOST = fileURLToPath(new URL('./command-host.ts', import.meta.url))
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/**
 * Nothing is inherited but what a process needs to run: a setting of the test run must not leak in. Compiled code is
 * cached, which halves the start time of each of the many processes.
 */
export const processEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'breakwater-compile-cache'),
}

export type Environment = Record<string, string>
export type Ended = { code: number | null; stdout: string; stderr: string }

let host: ReturnType<typeof startHost> | null = null
let lastCommand: Promise<unknown> = Promise.resolve()
after(() => host?.child.kill())

function startHost() {
  const child = fork(HOST, { env: processEnvironment })
  const lost = once(child, 'exit').then(() => Promise.reject(new Error('The process of the commands ended.')))
  // The last exit, at the end of the tests, is expected.
  lost.catch(() => {})
  return { child, lost }
}

/** Runs a command that ends by itself, after those before it. */
export function run(args: readonly string[], env: Environment = {}): Promise<Ended> {
  const command = lastCommand.then(() => runInHost(args, env))
  lastCommand = command.catch(() => {})
  return command
}

async function runInHost(args: readonly string[], env: Environment): Promise<Ended> {
  host ??= startHost()
  const { child, lost } = host
  child.send({ args, env: { ...processEnvironment, ...env } })
  const [ended] = await Promise.race([once(child, 'message'), lost])
  return ended
}

/** Runs a command in its own process. */
export async function runAlone(args: readonly string[], env: Environment = {}): Promise<Ended> {
  const program = launch(args, env)
  await once(program.child, 'close')
  return program.ended()
}

export type RunningService = {
  url: string
  pid: number
  /** Everything it has printed so far. */
  stdout: () => string
  kill: (signal: NodeJS.Signals) => void
  /** Waits for the end. */
  end: () => Promise<Ended>
  /** Stops it cleanly and waits for the end. */
  stop: () => Promise<Ended>
}

/** Resolves when the service listens, on any free port. It is killed at the end of the test if it still runs. */
export async function serve(
  context: { after: (stop: () => void) => void },
  env: Environment,
  args: readonly string[] = [],
): Promise<RunningService> {
  const program = launch(['serve', ...args], { PORT: '0', ...env })
  const { child } = program
  const closed = once(child, 'close')
  context.after(() => child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const listening = /"event":"listening","url":"([^"]+)"/.exec(program.ended().stdout)
      if (listening === null) return
      child.stdout?.off('data', look)
      resolve(listening[1]!)
    }
    child.stdout?.on('data', look)
    closed.then(() => reject(new Error(`The service ended: ${JSON.stringify(program.ended())}`)), reject)
  })
  const end = async () => {
    await closed
    return program.ended()
  }
  return {
    url,
    pid: child.pid!,
    stdout: () => program.ended().stdout,
    kill: (signal) => child.kill(signal),
    end,
    stop: () => {
      child.kill('SIGTERM')
      return end()
    },
  }
}

/** Starts the service on a terminal, waits for a text, stops it by Ctrl-C, and answers all that was printed. */
export async function serveOnTerminal(
  context: { after: (stop: () => void) => void },
  env: Environment,
  until: RegExp,
): Promise<string> {
  const command = `'${process.execPath}' '${MAIN}' serve`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...processEnvironment, DRAIN_MS: '0', PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  context.after(() => child.kill('SIGKILL'))
  let printed = ''
  let isStopped = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (isStopped || !until.test(printed)) return
    isStopped = true
    child.stdin.write('\x03')
  })
  await once(child, 'close')
  return printed
}

/** An empty, migrated database of each engine, as the environment of the processes that use it. */
export function forEachEnvironment(
  declare: (engine: {
    name: Engine['name']
    test: (name: string, run: (context: TestContext, env: Environment) => Promise<void>) => void
  }) => void,
): void {
  for (const { name, skip, open } of engines) {
    declare({
      name,
      test: (title, run) =>
        void test(`${name}: ${title}`, { skip }, async (context) => {
          if (name === 'PGlite') {
            const directory = await temporaryDirectory(context)
            await placeMigratedCluster(directory)
            return run(context, { DATA_DIR: directory })
          }
          const db = await open()
          try {
            await run(context, { DATABASE_URL: db.url!, DATABASE_DURABILITY_CHECK: '0' })
          } finally {
            await db.close()
          }
        }),
    })
  }
}

export async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-test-'))
  context.after(async () => {
    for (const close of open.get(context)?.splice(0) ?? []) await close()
    await rm(directory, { recursive: true, force: true })
  })
  return directory
}

const open = new WeakMap<TestContext, (() => Promise<void>)[]>()

/** At the end of the test, before its directories are removed: hooks of a test run in the order in which they were added. */
export function closeBeforeRemoval(context: TestContext, db: { close: () => Promise<void> }): void {
  open.set(context, [...(open.get(context) ?? []), () => db.close()])
}

/** Without waiting for anything. */
export function launch(
  args: readonly string[],
  env: Environment,
): { child: ChildProcess; ended: () => Ended } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    // A test that stops the service does not wait for load balancers.
    env: { ...processEnvironment, DRAIN_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return { child, ended: () => ({ code: child.exitCode, stdout, stderr }) }
}
