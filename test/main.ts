/**
 * node test/main.ts <pattern>...: runs the test files that match, several in each process, because starting a process
 * and its databases costs more than most files' tests (npm test: 220 instead of 400 seconds of CPU time).
 *
 * Each file is a suite of that name, so its hooks are its own. A single file needs none of this: node --test <file>.
 *
 * With AGAIN=1, as in .ci/run, a file that failed runs once more, alone, and the second run counts; both are printed.
 */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { runAgain } from './runs.ts'

const PROCESSES_AT_ONCE = 2
const FILES_PER_PROCESS_MAX = 15

const paths = globSync(process.argv.slice(2)).sort()
const groupCount = Math.ceil(paths.length / FILES_PER_PROCESS_MAX)
const folder = mkdtempSync(join(tmpdir(), 'breakwater-tests-'))
await globalSetup()
try {
  const groups = Array.from({ length: groupCount }, (_, group) => writeGroup(group))
  const tests = run({ files: groups, concurrency: PROCESSES_AT_ONCE })
  const failed = new Set<string>()
  tests.on('test:fail', ({ name, nesting }) => nesting === 0 && failed.add(name))
  for await (const text of tests.compose(new spec())) process.stdout.write(text)
  // A whole process may fail as well, which is no chance.
  const isByFile = [...failed].every((name) => paths.includes(name))
  const passes = process.env.AGAIN === '1' && isByFile ? await runAgain([...failed]) : failed.size === 0
  if (!passes) process.exitCode = 1
} finally {
  await globalTeardown()
  rmSync(folder, { recursive: true })
}

/** Every n-th file: files that take long are often neighbours, and would otherwise share a process. */
function writeGroup(group: number): string {
  const file = join(folder, `group-${group + 1}.mjs`)
  const suites = paths
    .filter((_, index) => index % groupCount === group)
    .map((path) => `suite('${path}', async () => { await import('${pathToFileURL(resolve(path))}') })`)
  // Loaded outside the suites, so that what it opens stays open until the last of them has ended.
  const shared = `import '${new URL('./cli/program.ts', import.meta.url)}'`
  writeFileSync(file, ["import { suite } from 'node:test'", shared, ...suites].join('\n'))
  return file
}
