import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durabilityOf, readDurability } from '../../../src/engine/database/durability.ts'
import { forEachEngine } from '../../support/engines.ts'

for (const [commitWaitsFor, standbys, survive] of [
  ['on', '', 'a crash'],
  ['on', ' ', 'a crash'],
  ['local', 'ANY 1 (a, b)', 'a crash'],
  ['on', 'ANY 1 (a, b)', 'a crash and the loss of the disk'],
  ['remote_apply', '*', 'a crash and the loss of the disk'],
  ['remote_write', '*', 'a crash and the loss of the disk'],
]) {
  test(`synchronous_commit = ${commitWaitsFor} with standbys "${standbys}" survives ${survive}`, () => {
    assert.equal(durabilityOf(commitWaitsFor!, standbys!).answered_changes_survive, survive)
  })
}

forEachEngine(({ test }) => {
  test('a single server keeps committed changes through a crash', async (db) => {
    assert.deepEqual(await readDurability(db), {
      synchronous_commit: 'on',
      synchronous_standby_names: '',
      answered_changes_survive: 'a crash',
    })
  })
})
