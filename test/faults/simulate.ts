/**
 * npm run simulate -- [--engine PGlite|PostgreSQL] [--seed first] [--seeds how many] [--runs of each]
 * Replays one seed, or looks for a bad one among many, 1,000 by default. Ends with 1 where the auditor found a difference,
 * and prints the shortest story that shows it, with the options that replay it: --schedule, --without, --faultless.
 */
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../global-setup.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '1' },
    schedule: { type: 'string', default: '0' },
    without: { type: 'string', default: '' },
    faultless: { type: 'boolean', default: false },
  },
})

await globalSetup()
try {
  // Only now is it known where the PostgreSQL server of this run is.
  const { engines, closeIdleDatabases } = await import('../support/engines.ts')
  const { runSeeds } = await import('./support/arena.ts')
  for (const engine of engines) {
    if (engine.skip || (values.engine !== undefined && values.engine !== engine.name)) continue
    const startedMs = performance.now()
    try {
      const change = {
        schedule: Number(values.schedule),
        without: values.without.split(','),
        hasFaults: !values.faultless,
      }
      const range = {
        first: Number(values.seed),
        count: Number(values.seeds),
        runs: Number(values.runs),
        change,
      }
      const report = await runSeeds(engine, range)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      console.log(`${engine.name}: ${report.seeds} seeds in ${seconds} s, no difference.`)
      console.log(`  outcomes: ${JSON.stringify(report.outcomes)}`)
      console.log(`  made: ${JSON.stringify(report.made)}`)
      console.log(`  faults: ${JSON.stringify(report.faults)}`)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      process.exitCode = 1
    }
  }
  await closeIdleDatabases()
} finally {
  await globalTeardown()
}
