/**
 * `npm run scoreboard`: runs the suites that check the guarantees, and writes what they counted to docs/reliability.md,
 * with the version, the commit and the machine. Each section is written when its suite has ended; the others stay.
 *
 *   --only power,faults,hostile,rolling,overload,mutants   some of them
 *   --only cluster    the last counts of `npm run test:cluster`, which runs by itself
 *   --only record     only the table of the record, which every run makes again
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeMachine, type Machine } from '../bench/machine.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import {
  type Cluster,
  clusterSection,
  type FileCounts,
  mutantsSection,
  type Overload,
  overloadSection,
  readRecord,
  recordSection,
  SUITES,
  suiteSection,
  writeSections,
} from './reliability.ts'

const inRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const RUN = [...Object.keys(SUITES), 'overload', 'mutants']
const NAMES = [...RUN, 'cluster', 'record']

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = options.only?.split(',') ?? RUN
const unknown = wanted.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) throw new Error(`There is no "${unknown}": --only takes ${NAMES.join(', ')}.`)
// The counts of the long run, in every process that is started from here.
process.env.FAULTS = 'ci'

writeSections([recordSection(readRecord())])
if (wanted.includes('cluster')) writeSections([clusterSection(readResult<Cluster>('cluster'))])
if (wanted.some((name) => RUN.includes(name))) await runAll()

async function runAll(): Promise<void> {
  const server = await startPostgresServer()
  if (typeof server === 'string') throw new Error(`The scoreboard needs PostgreSQL: ${server}.`)
  process.env.DATABASE_URL_TEST = server.url
  const machine = describeMachine(server)
  try {
    for (const name of wanted.filter((name) => RUN.includes(name))) {
      say(name)
      writeSections([await sectionOf(name, machine)])
    }
  } finally {
    await server.stop()
  }
}

async function sectionOf(name: string, machine: Machine): Promise<string> {
  const date = new Date().toISOString().slice(0, 10)
  if (name === 'overload') {
    runProgram('test/overload/main.ts')
    return overloadSection(readResult<Overload>('overload'))
  }
  if (name === 'mutants') {
    const lines = runProgram('test/mutants/main.ts').split('\n')
    return mutantsSection({ date, machine, lines: lines.filter((line) => /^(?:seen|UNSEEN) /.test(line)) })
  }
  const files: FileCounts[] = []
  for (const { file } of SUITES[name]!) files.push(await countFile(inRoot(file)))
  return suiteSection({ suite: name, date, machine, files })
}

async function countFile(path: string): Promise<FileCounts> {
  const counts: FileCounts = { file: basename(path), passed: 0, failed: 0, skipped: 0, diagnostics: [] }
  const tests = run({ files: [path], concurrency: 1 })
  tests.on('test:pass', ({ skip, details }) => {
    if (details.type === 'suite') return
    if (skip === undefined) counts.passed += 1
    else counts.skipped += 1
  })
  tests.on('test:fail', ({ name }) => {
    counts.failed += 1
    say(`  failed: ${name}`)
  })
  tests.on('test:diagnostic', ({ message }) => {
    // The runner's own summary at the end is plain text.
    if (message.includes('{')) counts.diagnostics.push(message)
  })
  for await (const _ of tests);
  return counts
}

/** What it printed. */
function runProgram(path: string): string {
  const { stdout } = spawnSync(process.execPath, [inRoot(path)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
  return stdout
}

function readResult<Result>(name: string): Result {
  return JSON.parse(readFileSync(inRoot(`results/${name}.json`), 'utf8')) as Result
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
