/**
 * node test/long.ts <pattern>...: runs the test files that match, two at once, each in a process of its own. Those that failed
 * run once more, one after the other: on a machine whose processors others take away, a browser or a process misses its time
 * by chance. Both runs are printed; what fails again fails the whole.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { globalSetup, globalTeardown } from './global-setup.ts'

const AT_ONCE = 2

const files = globSync(process.argv.slice(2)).sort()
if (files.length === 0) throw new Error('No file matches.')
await globalSetup()
try {
  const failed = await runAll(files, AT_ONCE)
  if (failed.length > 0) console.log(`\nOnce more, one by one: ${failed.join(', ')}\n`)
  const failedAgain = await runAll(failed, 1)
  const passedLater = failed.filter((file) => !failedAgain.includes(file))
  if (passedLater.length > 0) console.log(`Passed only at the second time: ${passedLater.join(', ')}`)
  console.log(`${files.length - failedAgain.length} of ${files.length} files passed.`)
  if (failedAgain.length > 0) {
    console.log(`Failed twice: ${failedAgain.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await globalTeardown()
}

/** Returns those that failed. */
async function runAll(these: readonly string[], atOnce: number): Promise<string[]> {
  const left = [...these]
  const failed: string[] = []
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      if (!(await passes(file))) failed.push(file)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed.sort()
}

async function passes(file: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  process.stdout.write(`\n${file}\n${printed}`)
  return code === 0
}
