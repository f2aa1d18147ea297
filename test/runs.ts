/** Runs of test files, each in its own process; used by main.ts and long.ts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Returns those that failed. */
export async function runFiles(files: readonly string[], atOnce: number): Promise<string[]> {
  const left = [...files]
  const failed: string[] = []
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      if (!(await passes(file))) failed.push(file)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed.sort()
}

/** One by one, because on a busy machine tests miss their time by chance. Returns whether all of them passed. */
export async function runAgain(failed: readonly string[]): Promise<boolean> {
  if (failed.length === 0) return true
  console.log(`\nOnce more, one by one: ${failed.join(', ')}\n`)
  const failedAgain = await runFiles(failed, 1)
  const passed = failed.filter((file) => !failedAgain.includes(file))
  if (passed.length > 0) console.log(`Passed only at the second time: ${passed.join(', ')}`)
  if (failedAgain.length > 0) console.log(`Failed twice: ${failedAgain.join(', ')}`)
  return failedAgain.length === 0
}

async function passes(file: string): Promise<boolean> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  process.stdout.write(`\n${file}: ${seconds} seconds\n${printed}`)
  return code === 0
}
