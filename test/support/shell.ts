/** A shell that stays open, as the terminal of somebody who pastes one block after the other. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const MARK = '-- the end of the block'

export type Shell = {
  /** Pastes a block, and returns what it printed; a command that fails ends the shell and the test. */
  paste: (block: string) => Promise<string>
  /** Pastes a block whose last command serves, and waits until it does. */
  pasteService: (block: string) => Promise<{ stop: () => Promise<void> }>
}

export function openShell(
  context: { after: (end: () => void) => void },
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Shell {
  const shell = spawn('bash', ['-e'], { cwd, env, detached: true })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      shell.emit('printed')
    })
  // Not "close": a service in the background keeps the output open when a command has ended the shell.
  const ended = once(shell, 'exit')
  // The service that it started in the background has to end too, also where a command has ended the shell.
  context.after(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  })
  return { paste, pasteService }

  async function paste(block: string): Promise<string> {
    printed = ''
    // On a line of its own, also where the last command did not end its own.
    shell.stdin.write(`${block}\necho; echo '${MARK}'\n`)
    await waitFor(new RegExp(`^${MARK}$`, 'm'), block)
    return printed.replace(`\n${MARK}\n`, '')
  }

  async function pasteService(block: string): Promise<{ stop: () => Promise<void> }> {
    printed = ''
    const lines = block.trimEnd().split('\n')
    const last = lines.pop()!
    shell.stdin.write(`${lines.join('\n')}\n${last} &\n`)
    await waitFor(/"event":"listening"/, block)
    return {
      async stop() {
        printed = ''
        shell.stdin.write('kill -TERM $!\n')
        await waitFor(/"event":"stopped"/, 'kill')
        await paste('wait $! || true')
      },
    }
  }

  async function waitFor(text: RegExp, block: string): Promise<void> {
    while (!text.test(printed)) {
      const isOver = await Promise.race([once(shell, 'printed').then(() => false), ended.then(() => true)])
      assert(!isOver || text.test(printed), `${block}\n${printed}`)
    }
  }
}
