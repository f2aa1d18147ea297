/** A queue is bounded by expected wait: accepted requests are answered quickly, however many are sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher } from '../../src/engine/change/batcher.ts'
import { UnavailableError } from '../../src/engine/change/faults.ts'

/** One lane, batches of two, and a clock that moves when the test says so; each batch ends when the test says so. */
function slowBatcher(waitMaxMs: number) {
  let now = 0
  let endBatch = () => {}
  const batcher = createBatcher<string, string>({
    limits: { workers: 1, batchMax: 2, queueMax: 100, waitMaxMs },
    mayBeCausedBy: () => false,
    nowMs: () => now,
    run: async (requests) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      endBatch = resolve
      await promise
      return requests.map((request) => `${request} done`)
    },
  })
  return {
    ...batcher,
    pass: (ms: number) => {
      now += ms
    },
    finishBatch: async () => {
      endBatch()
      await idle()
    },
  }
}

const idle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** What a batch takes is learnt from many, so that one slow batch says little. */
async function learn({ submit, pass, finishBatch }: ReturnType<typeof slowBatcher>, batchMs: number) {
  for (let batch = 0; batch < 50; batch += 1) {
    const answer = submit('book', 'lesson')
    await idle()
    pass(batchMs)
    await finishBatch()
    await answer
  }
}

test('a request that would wait too long is rejected immediately, and a book that is not busy accepts every request', async () => {
  const batcher = slowBatcher(340)
  const { submit, isFull, finishBatch } = batcher
  await learn(batcher, 100)
  assert.equal(isFull('book'), false)
  const answers = [submit('book', 'a')]
  await idle()
  // One batch of 100 ms is running, and every two waiting requests are another.
  for (const request of ['b', 'c', 'd', 'e', 'f']) {
    assert.equal(isFull('book'), false, request)
    answers.push(submit('book', request))
  }
  assert.equal(isFull('book'), true)
  assert.equal(isFull('other'), false)
  await assert.rejects(submit('book', 'g'), UnavailableError)
  for (let batch = 0; batch < 4; batch += 1) await finishBatch()
  assert.deepEqual(
    await Promise.all(answers),
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name} done`),
  )
})

test('what the next batch can take is let in, however slow batches are', async () => {
  const batcher = slowBatcher(100)
  const { submit, isFull, finishBatch } = batcher
  await learn(batcher, 1_000)
  const answers = [submit('book', 'a')]
  await idle()
  for (const request of ['b', 'c']) {
    assert.equal(isFull('book'), false, request)
    answers.push(submit('book', request))
  }
  assert.equal(isFull('book'), true)
  await finishBatch()
  await finishBatch()
  await Promise.all(answers)
})

test('how long a batch takes is a moving average, in which the last one counts a fifth', async () => {
  const { submit, isFull, pass, finishBatch } = slowBatcher(1_000)
  const answers = [submit('book', 'a')]
  await idle()
  pass(800)
  await finishBatch()
  answers.push(submit('book', 'b'))
  await idle()
  // 160 ms per batch: one is running, and ten more waiting requests are five batches, 960 ms in all.
  for (let waiting = 0; waiting < 11; waiting += 1) {
    assert.equal(isFull('book'), false, `${waiting} wait`)
    answers.push(submit('book', 'c'))
  }
  assert.equal(isFull('book'), true)
  for (let batch = 0; batch < 7; batch += 1) await finishBatch()
  await Promise.all(answers)
})

test('who waited too long after all is refused, and who came later is served', async () => {
  const { submit, pass, finishBatch } = slowBatcher(350)
  const first = submit('book', 'a')
  await idle()
  const late = assert.rejects(submit('book', 'late'), UnavailableError)
  pass(1)
  const inTime = submit('book', 'in time')
  pass(350)
  await finishBatch()
  await late
  await finishBatch()
  assert.deepEqual(await Promise.all([first, inTime]), ['a done', 'in time done'])
})

test('a queue that no batch empties is cut short, and one that a batch emptied is waited for again', async () => {
  const { submit, pass, finishBatch } = slowBatcher(3_000)
  const served: string[] = []
  const refused: string[] = []
  const ask = (name: string) =>
    submit('book', name).then(
      () => served.push(name),
      () => refused.push(name),
    )
  ask('a')
  await idle()
  for (let batch = 1; batch <= 5; batch += 1) {
    for (const name of ['b', 'c', 'd']) ask(`${batch}${name}`)
    pass(250)
    await finishBatch()
  }
  // Four batches did not empty the queue: new requests are rejected immediately, and those that have waited long are
  // dropped.
  assert.deepEqual(refused, ['5b', '5c', '5d', '3d'])
  for (let batch = 1; batch <= 5; batch += 1) await finishBatch()
  assert.equal(served.length, 12)
  ask('e')
  await idle()
  const patient = [ask('f'), ask('g')]
  pass(2_900)
  await finishBatch()
  await finishBatch()
  await Promise.all(patient)
  assert.equal(refused.length, 4)
})

test('a queue without a time limit lets everybody wait', async () => {
  const batcher = slowBatcher(Number.POSITIVE_INFINITY)
  await learn(batcher, 100_000)
  const answers = ['a', 'b', 'c'].map((request) => batcher.submit('book', request))
  await idle()
  batcher.pass(1_000_000)
  await batcher.finishBatch()
  await batcher.finishBatch()
  assert.deepEqual(await Promise.all(answers), ['a done', 'b done', 'c done'])
})
