import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BatchLimits, createBatcher } from '../../../src/engine/change/batcher.ts'
import { UnavailableError } from '../../../src/engine/change/faults.ts'

/** A batcher whose batches end when the test decides. */
function heldBatcher(options: Partial<BatchLimits> & { poison?: string } = {}) {
  const { poison, ...limits } = { workers: 1, batchMax: 10, queueMax: 100, ...options }
  const batches: (readonly string[])[] = []
  const sizes: number[] = []
  const gate = Promise.withResolvers<void>()
  const batcher = createBatcher<string, string>({
    limits,
    observe: (size) => sizes.push(size),
    mayBeCausedBy: (part, error) =>
      error instanceof Error &&
      (error.message === 'poison' || (error.message === 'locked' && part === 'book')),
    run: async (requests) => {
      batches.push(requests)
      await gate.promise
      if (poison !== undefined && requests.some((request) => request.includes(poison)))
        throw new Error(poison)
      return requests.map((request) => `${request} done`)
    },
  })
  return {
    ...batcher,
    batches,
    sizes,
    /** Lets everything that is running, and what follows it, finish. */
    release: () => gate.resolve(),
  }
}

/** Everything that can start without waiting has started. */
const idle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('an idle worker starts immediately, with a batch of one', async () => {
  const { submit, batches, release, waiting, unfinished } = heldBatcher()
  const answer = submit('book', 'a')
  await idle()
  assert.deepEqual(batches, [['a']])
  assert.deepEqual([waiting(), unfinished()], [0, 1])
  release()
  assert.equal(await answer, 'a done')
  await idle()
  assert.equal(unfinished(), 0)
})

test('requests that are queued while a worker is busy share a batch, in order, each with its own answer', async () => {
  const { submit, batches, release, sizes, waiting, unfinished } = heldBatcher()
  const first = submit('book', 'a')
  await idle()
  const rest = ['b', 'c', 'd'].map((request) => submit('book', request))
  await idle()
  assert.deepEqual([waiting(), unfinished()], [3, 4])
  release()
  assert.deepEqual(await Promise.all([first, ...rest]), ['a done', 'b done', 'c done', 'd done'])
  assert.deepEqual(batches, [['a'], ['b', 'c', 'd']])
  assert.deepEqual(sizes, [1, 3])
  assert.equal(waiting(), 0)
})

test('requests of one turn share a batch, up to its limit', async () => {
  const { submit, batches, release } = heldBatcher({ batchMax: 2 })
  const answers = ['a', 'b', 'c', 'd', 'e'].map((request) => submit('book', request))
  release()
  await Promise.all(answers)
  assert.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e']])
})

test('the next batch is sent before the answers are written, and continues between them', async () => {
  const order: string[] = []
  const { submit } = createBatcher<string, string>({
    limits: { workers: 1, batchMax: 40, queueMax: 100 },
    mayBeCausedBy: () => false,
    run: async (requests) => {
      // As the driver does: what was sent in one tick leaves at its end.
      process.nextTick(() => order.push('leaves'))
      await new Promise(setImmediate)
      order.push('decided')
      return requests
    },
  })
  const answers = Array.from({ length: 41 }, () => submit('book', 'a').then(() => order.push('answered')))
  await Promise.all(answers)
  const count = (what: string, end: number) => order.slice(0, end).filter((one) => one === what).length
  assert.equal(count('leaves', order.indexOf('answered')), 2)
  assert.equal(count('answered', order.lastIndexOf('decided')), 16)
})

test('a long queue has no more concurrent batches than workers, and other books do not wait for it', async () => {
  const { submit, batches, release } = heldBatcher({ workers: 2, batchMax: 1 })
  const answers = ['a', 'b', 'c'].map((request) => submit('busy', request))
  answers.push(submit('other', 'd'))
  await idle()
  assert.deepEqual(batches, [['a'], ['b'], ['d']])
  release()
  await Promise.all(answers)
  assert.deepEqual(batches[3], ['c'])
})

test('another worker takes a batch when as many requests wait as are being processed', async () => {
  const { submit, batches, release } = heldBatcher({ workers: 2 })
  const answers = ['a', 'b', 'c'].map((request) => submit('book', request))
  await idle()
  answers.push(...['d', 'e'].map((request) => submit('book', request)))
  await idle()
  assert.equal(batches.length, 1)
  answers.push(submit('book', 'f'))
  await idle()
  answers.push(submit('book', 'g'))
  release()
  assert.equal((await Promise.all(answers)).length, 7)
  assert.deepEqual(batches, [['a', 'b', 'c'], ['d', 'e', 'f'], ['g']])
})

test('requests that are too few for another worker are taken when the worker before them is done', async () => {
  const { submit, batches, release } = heldBatcher({ workers: 2 })
  const answers = ['a', 'b'].map((request) => submit('book', request))
  await idle()
  answers.push(submit('book', 'c'))
  release()
  assert.equal((await Promise.all(answers)).length, 3)
  assert.deepEqual(batches, [['a', 'b'], ['c']])
})

test('where a batch may hold one book only, each book has its own', async () => {
  const { submit, batches, release } = heldBatcher({ severalBooks: false })
  const answers = ['one', 'two', 'one', 'two'].map((bookId, index) => submit(bookId, String(index)))
  release()
  assert.deepEqual(await Promise.all(answers), ['0 done', '1 done', '2 done', '3 done'])
  assert.deepEqual(batches, [
    ['0', '2'],
    ['1', '3'],
  ])
})

test('what waits in several books shares a batch', async () => {
  const { submit, batches, release, sizes } = heldBatcher()
  const answers = ['one', 'two', 'one', 'three'].map((bookId, index) => submit(bookId, String(index)))
  release()
  assert.deepEqual(await Promise.all(answers), ['0 done', '1 done', '2 done', '3 done'])
  assert.deepEqual(batches, [['0', '1', '3', '2']])
  assert.deepEqual(sizes, [4])
})

test('books take turns in a batch, and in the next one those that were left out come first', async () => {
  const { submit, batches, release } = heldBatcher({ batchMax: 4 })
  const first = submit('one', 'first')
  await idle()
  const waiting = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2'].map((request) => submit(request[0]!, request))
  release()
  await Promise.all([first, ...waiting])
  assert.deepEqual(batches, [['first'], ['a1', 'b1', 'c1', 'a2'], ['b2', 'c2', 'a3']])
})

test('a book whose queue is long gets workers of its own, and shares again once it is served', async () => {
  const { submit, batches, release } = heldBatcher({ batchMax: 3 })
  const answers = [submit('other', 'a')]
  await idle()
  answers.push(...['b', 'c'].map((request) => submit('book', request)))
  await idle()
  assert.deepEqual(batches, [['a']])
  answers.push(submit('book', 'd'))
  await idle()
  assert.deepEqual(batches, [['a'], ['b', 'c', 'd']])
  release()
  await Promise.all(answers)
  await Promise.all([submit('other', 'e'), submit('book', 'f')])
  assert.deepEqual(batches[2], ['e', 'f'])
})

test('a batch of several books that fails is run again book by book, and only one of them request by request', async () => {
  const { submit, batches, release } = heldBatcher({ poison: 'poison' })
  release()
  const requests = [
    ['one', 'a'],
    ['two', 'b'],
    ['two', 'poison'],
    ['two', 'c'],
    ['one', 'd'],
  ] as const
  const answers = await Promise.allSettled(requests.map(([bookId, request]) => submit(bookId, request)))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
    ['a done', 'b done', 'poison', 'c done', 'd done'],
  )
  assert.deepEqual(batches, [
    ['a', 'b', 'd', 'poison', 'c'],
    ['a', 'd'],
    ['b', 'poison', 'c'],
    ['b'],
    ['poison'],
    ['c'],
  ])
})

test('a fault of one book fails its own requests alone, together', async () => {
  const { submit, batches, release } = heldBatcher({ poison: 'locked' })
  release()
  const requests = [
    ['one', 'a'],
    ['two', 'locked'],
    ['two', 'b'],
  ] as const
  const answers = await Promise.allSettled(requests.map(([bookId, request]) => submit(bookId, request)))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
    ['a done', 'locked', 'locked'],
  )
  assert.deepEqual(batches, [['a', 'locked', 'b'], ['a'], ['locked', 'b']])
})

test('a book that is run alone after a fault shares no batch until it is served', async () => {
  const alone = Promise.withResolvers<void>()
  const batches: string[] = []
  const { submit } = createBatcher<string, string>({
    limits: { workers: 1, batchMax: 10, queueMax: 10 },
    mayBeCausedBy: (part) => part === 'book',
    run: async (requests) => {
      batches.push(requests.join(''))
      await idle()
      if (requests.includes('x') && requests.length > 1) throw new Error('locked')
      if (requests.includes('x')) await alone.promise
      return requests
    },
  })
  const blocked = [submit('blocked', 'x')]
  await submit('other', 'a')
  blocked.push(submit('blocked', 'y'))
  await submit('other', 'b')
  assert.deepEqual(batches, ['xa', 'x', 'a', 'b'])
  alone.resolve()
  await Promise.all(blocked)
  await Promise.all([submit('blocked', 'z'), submit('other', 'c')])
  assert.deepEqual(batches.slice(4), ['y', 'zc'])
})

test('a full queue rejects immediately, for its own book alone, and accepts requests again later', async () => {
  const { submit, release } = heldBatcher({ queueMax: 2 })
  const first = submit('book', 'a')
  await idle()
  const queued = ['b', 'c'].map((request) => submit('book', request))
  await assert.rejects(submit('book', 'd'), UnavailableError)
  const elsewhere = submit('other', 'e')
  release()
  assert.deepEqual(await Promise.all([first, ...queued, elsewhere]), ['a done', 'b done', 'c done', 'e done'])
  assert.equal(await submit('book', 'd'), 'd done')
})

test('one bad request fails alone: the others of its batch are run again, one at a time, in order', async () => {
  const { submit, batches, release } = heldBatcher({ poison: 'poison' })
  release()
  const answers = await Promise.allSettled(['a', 'poison', 'b'].map((request) => submit('book', request)))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
    ['a done', 'poison', 'b done'],
  )
  assert.deepEqual(batches, [['a', 'poison', 'b'], ['a'], ['poison'], ['b']])
})

test('a request that is run again alone is answered immediately, not after the last one of its batch', async () => {
  const order: string[] = []
  const { submit } = createBatcher<string, string>({
    limits: { workers: 1, batchMax: 10, queueMax: 10 },
    mayBeCausedBy: () => true,
    run: async (requests) => {
      await idle()
      order.push(`${requests.join('')} done`)
      if (requests.length > 1) throw new Error('poison')
      return requests
    },
  })
  await Promise.all(['a', 'b'].map((request) => submit('book', request).then(() => order.push(request))))
  assert.deepEqual(order, ['ab done', 'a done', 'a', 'b done', 'b'])
})

test('a fault that no single request causes fails the whole batch, once', async () => {
  const { submit, batches, release } = heldBatcher({ poison: 'outage' })
  release()
  const answers = await Promise.allSettled(['a', 'outage', 'b'].map((request) => submit('book', request)))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'rejected' ? answer.reason.message : answer.value)),
    ['outage', 'outage', 'outage'],
  )
  assert.equal(batches.length, 1)
  assert.equal(await submit('book', 'c'), 'c done')
})

test('a batch that does not answer each of its requests is a bug, and no request gets the answer of another', async () => {
  const { submit } = createBatcher<string, string>({
    limits: { workers: 1, batchMax: 10, queueMax: 10 },
    mayBeCausedBy: () => false,
    run: async (requests) => requests.slice(1),
  })
  for (const answer of await Promise.allSettled(['a', 'b'].map((request) => submit('book', request)))) {
    assert(answer.status === 'rejected')
    assert.match(String(answer.reason), /a batch answers each of its requests/)
  }
})
