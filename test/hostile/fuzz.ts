/**
 * npm run fuzz -- [--seed first] [--seeds how many] [--requests of each]
 * Replays one seed, or looks for a bad one among many. Ends with 1 where an answer was not as promised.
 */
import { parseArgs } from 'node:util'
import { closeIdleDatabases, engines } from '../support/engines.ts'
import { fuzzSeeds } from './support/fuzz.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    requests: { type: 'string', default: '10000' },
  },
})
const startedMs = performance.now()
const range = { first: Number(values.seed), count: Number(values.seeds), requests: Number(values.requests) }
const tally = await fuzzSeeds(engines[0]!, range)
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
console.log(`${tally.requests} requests in ${seconds} s, no difference.`)
console.log(JSON.stringify(tally, null, 2))
await closeIdleDatabases()
