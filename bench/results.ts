/** The results that are kept, and the page that shows them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Results } from './figures.ts'
import { resultsMarkdown } from './report.ts'

const kept = fileURLToPath(new URL('./results.json', import.meta.url))
const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

/** A part that was never measured is null. */
export function readResults(): Results {
  const unmeasured = {
    operations: null,
    besidePgbench: null,
    comparison: null,
    profiles: null,
    arrival: null,
  }
  return { ...unmeasured, ...JSON.parse(readFileSync(kept, 'utf8')) }
}

export function writeResults(results: Results): void {
  writeFileSync(kept, `${JSON.stringify(results, rounded, 2)}\n`)
  writeFileSync(page, resultsMarkdown(results))
}

/** More than four digits would not be repeatable. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
