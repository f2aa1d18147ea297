/**
 * npm run mutants [-- parts of names]: applies each broken variant to a copy of the service and shows which suite sees it,
 * and after how many seeds. Ends with 1 where one goes unseen, or where the service as it is does not pass.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globalSetup, globalTeardown } from '../global-setup.ts'
import { type Mutant, mutants, type Suite } from './mutants.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LEFT_OUT = ['node_modules', '.git', 'data']
const SUITE_TIMEOUT_MS = 300_000
const CONTROL_SEEDS = 30

const parts = process.argv.length > 2 ? process.argv.slice(2) : ['']
const wanted = mutants.filter(({ name }) => parts.some((part) => name.includes(part)))
const copy = mkdtempSync(join(tmpdir(), 'breakwater-mutants-'))
await globalSetup()
try {
  for (const name of readdirSync(ROOT).filter((name) => !LEFT_OUT.includes(name))) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const mutant of wanted) undo(applyAll(mutant))
  await control()
  let unseen = 0
  for (const mutant of wanted) {
    const seen = await isSeen(mutant)
    if (seen === null) unseen += 1
    console.log(`${seen === null ? 'UNSEEN' : 'seen  '}  ${mutant.name}${seen === null ? '' : ` · ${seen}`}`)
  }
  console.log(`${wanted.length} mutants, ${unseen} unseen.`)
  if (unseen > 0) process.exitCode = 1
} finally {
  await globalTeardown()
  rmSync(copy, { recursive: true })
}

/** A suite that fails anyway sees nothing. */
async function control(): Promise<void> {
  const suites = new Map(wanted.flatMap((mutant) => mutant.suites).map((suite) => [titleOf(suite), suite]))
  for (const [title, suite] of suites) {
    const short = suite.kind === 'simulation' ? { ...suite, seeds: CONTROL_SEEDS } : suite
    const { passed, output } = await run(short)
    if (!passed) throw new Error(`${title} does not pass without a mutant:\n${output}`)
  }
}

/** Answers who saw it, or null. */
async function isSeen(mutant: Mutant): Promise<string | null> {
  const originals = applyAll(mutant)
  try {
    for (const suite of mutant.suites) {
      const { failed, output } = await run(suite)
      if (failed) return `${titleOf(suite)} · ${proofIn(suite, output)}`
    }
    return null
  } finally {
    undo(originals)
  }
}

/** Answers what the edited files were before. */
function applyAll(mutant: Mutant): Map<string, string> {
  const originals = new Map<string, string>()
  for (const { file, search, replace } of mutant.edits) {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    const places = text.split(search).length - 1
    if (places !== 1) {
      throw new Error(
        `The mutant "${mutant.name}" finds this ${places} times in ${file}, not once:\n${search}`,
      )
    }
    if (!originals.has(path)) originals.set(path, text)
    writeFileSync(path, text.split(search).join(replace))
  }
  return originals
}

function undo(originals: ReadonlyMap<string, string>): void {
  for (const [path, text] of originals) writeFileSync(path, text)
}

/** One that took too long, and was ended, has neither passed nor failed. */
async function run(suite: Suite): Promise<{ passed: boolean; failed: boolean; output: string }> {
  const child = spawn(process.execPath, commandOf(suite), {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SUITE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  return { passed: code === 0, failed: code !== null && code !== 0, output }
}

function commandOf(suite: Suite): string[] {
  if (suite.kind === 'simulation') {
    return ['test/faults/simulate.ts', '--engine', suite.engine, '--seeds', String(suite.seeds)]
  }
  const pattern = suite.pattern === undefined ? [] : [`--test-name-pattern=${suite.pattern}`]
  return ['--test', '--test-reporter=spec', ...pattern, suite.file]
}

function titleOf(suite: Suite): string {
  return suite.kind === 'simulation' ? `simulation on ${suite.engine}` : suite.file
}

/** The seeds it took and the first sentence, or the first test that failed. */
function proofIn(suite: Suite, output: string): string {
  if (suite.kind === 'simulation') {
    const found = /Seed (\d+) on \w+: (.{0,100})/.exec(output)
    return found === null ? `without a seed: ${output.slice(0, 200)}` : `${found[1]} seeds · ${found[2]}`
  }
  return /✖ (.+?) \([\d.]+ms\)/.exec(output)?.[1] ?? output.slice(-200)
}
