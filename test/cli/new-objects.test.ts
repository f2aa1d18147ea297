import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { boundNewObjects, newObjectBytes } from '../../src/cli/new-objects.ts'

test('new objects take no more memory than they may, however many survive', async () => {
  boundNewObjects(32 * 2 ** 20)
  let kept: object[] = []
  for (let round = 0; round < 150; round += 1) {
    for (let index = 0; index < 10_000; index += 1) kept.push({ round, index, values: [round, index] })
    if (kept.length > 300_000) kept = []
    await turn()
  }
  assert.equal(newObjectBytes() / 2 ** 20, 32)
})
