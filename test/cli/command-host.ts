/**
 * Runs commands one after the other in one process, each with its own environment: starting a process for each would cost
 * more than all they do. What a process adds to a command (signals, its end, its start) is tested by `launch`.
 */
import { runCommandLine } from '../../src/cli/command.ts'
import { createProgram } from '../../src/cli/program.ts'

process.on('message', async ({ args, env }: { args: string[]; env: Record<string, string> }) => {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      said[name] += text
      return true
    }
  }
  const serve = () => Promise.reject(new Error('A service needs its own process.'))
  const code = await runCommandLine(await createProgram({ env, serve }), args)
  process.send!({ code, ...said })
})
