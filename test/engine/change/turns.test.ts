/** Long computations let others in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from '../../../src/engine/change/turns.ts'

test('a long computation lets others in between its steps, and ends with its result', async () => {
  let done = 0
  function* steps(): Generator<void, string, void> {
    for (; done < 20; done += 1) {
      yield
      for (const begunMs = performance.now(); performance.now() - begunMs < 2; );
    }
    return 'sum'
  }
  const seen: number[] = []
  setImmediate(function look() {
    seen.push(done)
    if (done < 20) setImmediate(look)
  })
  assert.equal(await inTurns(steps()), 'sum')
  assert(new Set(seen.filter((step) => step > 0 && step < 20)).size >= 3, `others came in after ${seen}`)
})
