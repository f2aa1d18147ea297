/** The results that are kept, and the page that shows them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { say } from './databases.ts'
import type { Part, Results } from './figures.ts'
import { isQuiet, type Run, shareText } from './machine.ts'
import { resultsMarkdown } from './report.ts'

const kept = fileURLToPath(new URL('./results.json', import.meta.url))
const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

/** The parts that are measured by themselves; one that never was is null. */
export const UNMEASURED = {
  operations: null,
  besidePgbench: null,
  comparison: null,
  besideLast: null,
  growingBooks: null,
  growingParts: null,
  mixed: null,
  processes: null,
  fresh: null,
  profiles: null,
  arrival: null,
  peers: null,
  runs: {},
}

export function readResults(): Results {
  return { ...UNMEASURED, ...JSON.parse(readFileSync(kept, 'utf8')) }
}

/** Keeps what was measured, but nothing of a busy machine in place of what a quiet one measured. */
export function saveResults(measured: Partial<Omit<Results, 'runs'>>, run: Run): void {
  const results = readResults()
  const replaced = Object.entries(measured).filter(([part, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return false
    if (replaces(run, results.runs[part as Part])) return true
    say(`${part} is not saved: ${shareText(run.share)}; what is kept was measured on a quiet machine.`)
    return false
  })
  const runs = Object.fromEntries(replaced.map(([part]) => [part, run]))
  writeResults({ ...results, ...Object.fromEntries(replaced), runs: { ...results.runs, ...runs } })
}

export function replaces(run: Run, keptRun: Run | undefined): boolean {
  return isQuiet(run.share) || keptRun === undefined || !isQuiet(keptRun.share)
}

function writeResults(results: Results): void {
  writeFileSync(kept, `${JSON.stringify(results, rounded, 2)}\n`)
  writeFileSync(page, resultsMarkdown(results))
}

/** More than four digits would not be repeatable. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
