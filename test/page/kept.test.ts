import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeep } from '../../src/page/kept.ts'

/** Reads that take as long as they are asked to, on a clock of their own. */
function reading() {
  let ms = 0
  let reads = 0
  const keep = createKeep(
    () => new Date(ms),
    () => ms,
  )
  const read = (key: string, tookMs: number) =>
    keep(key, async () => {
      ms += tookMs
      reads += 1
      return reads
    })
  return { read, pass: (more: number) => (ms += more) }
}

test('what was quick is read each time', async () => {
  const { read } = reading()
  assert.deepEqual(await read('book', 249), { value: 1, at: new Date(0) })
  assert.deepEqual(await read('book', 0), { value: 2, at: new Date(249) })
})

test('what was slow is kept for twenty times as long, by its key', async () => {
  const { read, pass } = reading()
  await read('book', 250)
  assert.equal((await read('other', 0)).value, 2)
  pass(4_999)
  assert.deepEqual(await read('book', 0), { value: 1, at: new Date(0) })
  pass(1)
  assert.deepEqual(await read('book', 0), { value: 3, at: new Date(5_250) })
})

test('a read that failed keeps nothing', async () => {
  const keep = createKeep(() => new Date(0))
  await assert.rejects(
    keep('book', () => Promise.reject(new Error('away'))),
    /away/,
  )
  assert.equal((await keep('book', async () => 1)).value, 1)
})
