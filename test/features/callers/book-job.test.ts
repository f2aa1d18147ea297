import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBookJob } from '../../../src/features/callers/book-job.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { describeService } from '../../support/service.ts'

const quick = { everySeconds: 0.002, failedEvent: 'failed', log() {} }

describeService('a job over all books', (running) => {
  test('long work in one book delays no other, and is not begun twice', async () => {
    const { db, callerId } = running()
    const slow = (await findBook(db, { callerId, mode: 'live' }))!.bookId
    const ended = Promise.withResolvers<void>()
    const thirdVisit = Promise.withResolvers<void>()
    const visits = new Map<string, number>()
    const job = startBookJob({
      ...quick,
      db,
      together: true,
      async work({ bookId }) {
        visits.set(bookId, (visits.get(bookId) ?? 0) + 1)
        if (bookId === slow) await ended.promise
        else if (visits.get(bookId) === 3) thirdVisit.resolve()
      },
    })
    await thirdVisit.promise
    assert.equal(visits.get(slow), 1)
    let hasStopped = false
    const stopped = job.stop().then(() => {
      hasStopped = true
    })
    await new Promise(setImmediate)
    assert.equal(hasStopped, false, 'the end waits for what is under way')
    ended.resolve()
    await stopped
  })

  test('one after the other, no pass begins before the last has ended', async () => {
    const { db } = running()
    const enough = Promise.withResolvers<void>()
    let inside = 0
    let visits = 0
    const job = startBookJob({
      ...quick,
      db,
      async work() {
        inside += 1
        assert.equal(inside, 1)
        await new Promise((resolve) => setTimeout(resolve, 10))
        inside -= 1
        visits += 1
        if (visits === 6) enough.resolve()
      },
      log: (_level, event, fields) => enough.reject(new Error(`${event} ${fields?.error}`)),
    })
    await enough.promise
    await job.stop()
  })

  test('while paused it does not begin', async () => {
    const { db } = running()
    let asked = 0
    const paused = Promise.withResolvers<void>()
    const job = startBookJob({
      ...quick,
      db,
      isPaused() {
        asked += 1
        if (asked === 3) paused.resolve()
        return true
      },
      work: () => Promise.reject(assert.fail('It is paused.')),
    })
    await paused.promise
    await job.stop()
  })
})
