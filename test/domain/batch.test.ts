/** Batches: limits on both sides, what an approval of the start covers, and when the totals are right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptPart, type Batch, refuseCreation, refuseStart, UPLOADING_MAX } from '../../src/domain/batch.ts'

const batch: Batch = {
  ...{ batchId: 'bat_1', operation: 'creditAccount', name: null, status: 'UPLOADING' },
  ...{ expected: { lines: 2, total: 300n }, parts: 1, lines: 2, total: 300n, waives: false, digest: 'start' },
  ...{ succeeded: 0, duplicates: 0, failed: 0, skipped: 0, startedBy: null, startedAs: null },
  ...{ approved: false, createdAt: new Date(0), finishedAt: null },
}
const none = { running: 0 }

test('a batch starts with exactly the lines and the total that were expected', () => {
  assert.equal(refuseStart(batch, none), null)
  assert.equal(refuseStart({ ...batch, expected: null }, none), null)
  for (const differs of [
    { lines: 1, total: 300n },
    { lines: 3, total: 300n },
    { lines: 2, total: 299n },
    { lines: 2, total: 301n },
  ]) {
    assert.deepEqual(refuseStart({ ...batch, ...differs }, none), {
      outcome: 'refused',
      code: 'control_totals_differ',
      details: { lines: differs.lines, total_amount: differs.total },
    })
  }
})

test('three batches run and twenty are filled at the same time', () => {
  assert.equal(refuseStart(batch, { running: 2 }), null)
  assert.deepEqual(refuseStart(batch, { running: 3 })?.details, { maximum: 3 })
  assert.equal(UPLOADING_MAX, 20)
  assert.equal(refuseCreation({ uploading: 19 }), null)
  assert.deepEqual(refuseCreation({ uploading: 20 })?.details, { maximum: 20 })
})

test('the digest that an approval covers is that of all parts in their order', () => {
  const digestAfter = (parts: readonly string[]) => {
    let state: Batch = { ...batch, parts: 0, digest: '' }
    for (const [index, digest] of parts.entries()) {
      const sent = {
        part: index + 1,
        digest,
        lines: 1,
        content: '{}',
        fileLines: null,
        total: 1n,
        waives: false,
      }
      const accepted = acceptPart(
        state,
        { earlier: undefined, pendingApproval: null },
        sent,
        (text) => `<${text}>`,
      )
      assert(accepted.outcome === 'accepted')
      state = accepted.batch
    }
    return state.digest
  }
  const digests = [['a', 'c'], ['b', 'c'], ['c', 'a'], ['a', 'c', 'c'], ['c']].map(digestAfter)
  assert.equal(new Set(digests).size, digests.length)
})

test('a batch waives charges if one of its parts does, whichever it is', () => {
  const waivesAfter = (...parts: boolean[]) => {
    let state: Batch = { ...batch, parts: 0 }
    for (const [index, waives] of parts.entries()) {
      const sent = {
        ...{ part: index + 1, digest: String(index), lines: 1, content: '{}', fileLines: null, total: 1n },
        waives,
      }
      const known = { earlier: undefined, pendingApproval: null }
      const accepted = acceptPart(state, known, sent, (text) => text)
      assert(accepted.outcome === 'accepted')
      state = accepted.batch
    }
    return state.waives
  }
  const all = [waivesAfter(false, false), waivesAfter(true, false), waivesAfter(false, true)]
  assert.deepEqual(all, [false, true, true])
})
