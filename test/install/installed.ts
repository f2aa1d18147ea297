/** What the tests of the packages share: programs of this machine, and an installed service that breaks a deposit. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Context = { after: (end: () => unknown) => void }

/** Unlike other temporary directories it can be entered by every user of the machine. */
export async function openDirectory(context: Context): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'breakwater-install-'))
  await chmod(directory, 0o755)
  context.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

type Options = { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number }

/** What a program prints on stdout; fails with all it printed when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<string> {
  const ended = await endOf(program, args, options)
  assert.equal(ended.code, 0, `${program} ${args.join(' ')}\n${ended.stdout}\n${ended.stderr}`)
  return ended.stdout
}

export async function endOf(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const running = promisify(execFile)(program, args, { maxBuffer: 2 ** 28, ...options })
  try {
    return { code: 0, ...(await running) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout?: string; stderr?: string }
    return { code, stdout: stdout ?? '', stderr: stderr ?? String(error) }
  }
}

export type Installed = { url: string; child: ChildProcess; printed: () => string }

/** Starts a program that serves, and waits until it listens. */
export async function startInstalled(
  context: Context,
  [program, ...args]: readonly string[],
  options: Options,
): Promise<Installed> {
  const child = spawn(program!, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  context.after(() => child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  const closed = once(child, 'close')
  for (;;) {
    const listening = /"event":"listening","url":"([^"]+)"/.exec(text)
    if (listening !== null) return { url: listening[1]!, child, printed: () => text }
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), closed.then(() => true)])
    assert(!ended, `The service ended: ${text}`)
  }
}

/** The exit code after SIGTERM. */
export async function stopInstalled({ child }: Installed): Promise<number | null> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
  return child.exitCode
}

/** Liquidates the deposit of the demo bank in `dataDirectory` and checks what was paid. */
export async function breakDemoDeposit(url: string, dataDirectory: string): Promise<void> {
  const demo = JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8'))
  const answer = await fetch(`${url}/v2/fixed-deposits/${demo.full_deposit_id}/liquidate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
    body: '{"liquidation_type": "FULL"}',
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  assert.match(text, /"principal_returned":50000\.00,"interest_paid":835\.62,"penal_charge":668\.49/)
}
