import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const MODULE = new URL('../../src/cli/new-objects.ts', import.meta.url)
const TAKES = 32 * 2 ** 20

/** In a process of its own: the heap of this one may have grown already, and is not made smaller. */
const program = (bounded: boolean) => `
  import { setImmediate as turn } from 'node:timers/promises'
  import { boundNewObjects, newObjectBytes } from '${MODULE}'

  if (${bounded}) boundNewObjects(${TAKES})
  let kept = []
  for (let round = 0; round < 150; round += 1) {
    for (let index = 0; index < 10_000; index += 1) kept.push({ round, index, values: [round, index] })
    if (kept.length > 300_000) kept = []
    await turn()
  }
  process.stdout.write(String(newObjectBytes()))`

function bytesTaken(bounded: boolean): number {
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program(bounded)]))
}

test('new objects take no more memory than they may, however many survive', () => {
  assert.equal(bytesTaken(true), TAKES)
  assert.ok(bytesTaken(false) > TAKES)
})
