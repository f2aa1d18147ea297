/** A part of what `npm run test:hostile` does, with the same seeds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { fuzzSeed } from './support/fuzz.ts'

const [pglite] = engines

test('whatever is sent, the answer is documented and a refusal leaves nothing behind', async (context) => {
  const tally = await fuzzSeed(pglite!, 1, 3000)
  context.diagnostic(JSON.stringify(tally))
  assert(tally.comparisons > 0, 'the rows were compared')
})
