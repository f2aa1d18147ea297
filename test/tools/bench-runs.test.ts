import assert from 'node:assert/strict'
import { cpus } from 'node:os'
import { test } from 'node:test'
import { isQuiet, type MachineShare, type Run, runText } from '../../bench/machine.ts'
import { replaces } from '../../bench/results.ts'

const QUIET: MachineShare = { loadBefore: 1.5, stealPercent: 0.3, othersPercent: 2 }
const BUSY: MachineShare = { ...QUIET, othersPercent: 34 }

function runWith(share: MachineShare): Run {
  return { date: '2026-11-19', program: 'version 0.3.0 (commit abc)', share }
}

test('a machine is quiet while neither its host nor other processes take more than a twentieth of it', () => {
  assert.equal(isQuiet({ loadBefore: 9, stealPercent: 5, othersPercent: 5 }), true)
  assert.equal(isQuiet({ loadBefore: 0, stealPercent: 5.1, othersPercent: 0 }), false)
  assert.equal(isQuiet({ loadBefore: 0, stealPercent: 0, othersPercent: 5.1 }), false)
})

test('where other processes were not counted, the load before the run decides', () => {
  const loadMax = cpus().length / 2
  assert.equal(isQuiet({ loadBefore: loadMax, stealPercent: 0 }), true)
  assert.equal(isQuiet({ loadBefore: loadMax + 0.1, stealPercent: 0 }), false)
  assert.equal(isQuiet({ loadBefore: loadMax + 0.1, stealPercent: null, othersPercent: null }), false)
})

test('figures of a busy machine replace those of a busy one, not those of a quiet one', () => {
  const [quiet, busy] = [runWith(QUIET), runWith(BUSY)]
  assert.deepEqual(
    [undefined, quiet, busy].map((kept) => [replaces(quiet, kept), replaces(busy, kept)]),
    [
      [true, true],
      [true, false],
      [true, true],
    ],
  )
})

test('a run says its version, its commit and what it had of the machine', () => {
  const taken = 'Taken on 2026-11-19 with version 0.3.0 (commit abc), load 1.50 before it'
  assert.equal(
    runText(runWith(QUIET)),
    `${taken}, 0.3 percent of the CPU time stolen, 2.0 used by other processes.`,
  )
  assert.match(runText(runWith(BUSY)), / 34\.0 used by other processes\. \*\*The machine was busy\.\*\*$/)
  assert.equal(runText(runWith({ loadBefore: 0, stealPercent: null })), `${taken.replace('1.50', '0.00')}.`)
})
