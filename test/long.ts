/**
 * node test/long.ts <pattern>...: runs the test files that match, two at once, each in a process of its own. Those that failed
 * run once more, one after the other: on a machine whose processors others take away, a browser or a process misses its time
 * by chance. Both runs are printed; what fails again fails the whole.
 */
import { globSync } from 'node:fs'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { runAgain, runFiles } from './runs.ts'

const AT_ONCE = 2

const files = globSync(process.argv.slice(2)).sort()
if (files.length === 0) throw new Error('No file matches.')
await globalSetup()
try {
  const failed = await runFiles(files, AT_ONCE)
  console.log(`${files.length - failed.length} of ${files.length} files passed.`)
  if (!(await runAgain(failed))) process.exitCode = 1
} finally {
  await globalTeardown()
}
