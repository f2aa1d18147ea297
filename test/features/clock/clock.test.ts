/** Clocks that jump, in both directions, on both engines, with restarts: a live book waits for a person, a test book goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../src/engine/database/database.ts'
import { confirmClock } from '../../../src/features/clock/changes.ts'
import { listLiveBooks, statements } from '../../../src/features/clock/store.ts'
import { type ClockWatch, createClockWatch, readClockDifference } from '../../../src/features/clock/watch.ts'
import { startMaturityJob } from '../../../src/features/maturity/job.ts'
import { describeService, openDeposit, startService, type TestService } from '../../support/service.ts'

const DAY_MS = 24 * 3_600_000

function assertUnsure({ status, json, headers }: Awaited<ReturnType<TestService['ask']>>): void {
  assert.deepEqual([status, json.error.code, json.error.retryable], [503, 'clock_unsure', true])
  assert.equal(headers['retry-after'], '1')
}

describeService('the clock of a live book', (running) => {
  test('a jump matures nothing, refuses every change, and survives a restart, until it is confirmed', async () => {
    const { db, clock, service, liveKey, askWith } = running()
    const ask = askWith(liveKey)
    const start = clock.now
    const { depositId, customerId, accountNumber } = await openDeposit(ask, { amount: 1000, tenor: 30 })
    for (const jumpMs of [2 * DAY_MS, 900 * DAY_MS, -DAY_MS, -900 * DAY_MS]) {
      clock.now = new Date(start.getTime() + jumpMs)
      assertUnsure(await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 }))
      assertUnsure(await ask('PUT', `/v2/customer/${customerId}`, { address: '1 New Road' }))
      const run = await service.maturity.settleAll()
      assert.deepEqual([run.matured, run.rolledOver], [0, 0])
      const { close, askWith: again } = await startService(db, { now: clock.now.toISOString() })
      assertUnsure(await again(liveKey)('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 }))
      await close()
      const read = await ask('GET', `/v2/fixed-deposits/${depositId}`)
      assert.deepEqual([read.status, read.json.data.status], [200, 'ACTIVE'])
    }
    clock.now = start
    const credit = await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
    assert.equal(credit.status, 201, credit.text)
  })

  test('a test book has its own clock and goes on', async () => {
    const { clock, ask } = running()
    const start = clock.now
    clock.now = new Date(start.getTime() + 40 * DAY_MS)
    assert.equal((await openDeposit(ask, { amount: 10 })).depositId.slice(0, 3), 'fd_')
    clock.now = start
  })

  test('days that follow one another need nobody, and quiet books are followed by the watch', async () => {
    const { db, clock, askWith, liveKey } = running()
    const ask = askWith(liveKey)
    const { accountNumber } = await openDeposit(ask, { amount: 1000 })
    const credited = async () =>
      (await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })).status
    for (let day = 0; day < 3; day += 1) {
      clock.now = new Date(clock.now.getTime() + DAY_MS)
      assert.equal(await credited(), 201)
    }
    const watch = watchOver(db, clock, { aheadMs: 0 })
    for (let day = 0; day < 3; day += 1) {
      clock.now = new Date(clock.now.getTime() + DAY_MS)
      await watch.check()
    }
    assert.equal(watch.booksUnsure(), 0)
    assert.equal(await credited(), 201)
  })

  test('a confirmation by the operator is in the audit log, and the book continues from its new date', async () => {
    const { db, clock, service, askWith, liveKey, callerId } = running()
    const ask = askWith(liveKey)
    const { accountNumber } = await openDeposit(ask, { amount: 1000 })
    const credit = () => ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 })
    for (const jumpMs of [10 * DAY_MS, -5 * DAY_MS]) {
      clock.now = new Date(clock.now.getTime() + jumpMs)
      assertUnsure(await credit())
      const watch = watchOver(db, clock, { aheadMs: 0 })
      await watch.check()
      await watch.check()
      assert.deepEqual(watch.logged, ['clock_unsure'])
      assert(watch.booksUnsure() > 0)
      const { app, close } = await startService(db, { now: clock.now.toISOString(), clockWatch: watch })
      const metrics = (await app.inject('/metrics')).body
      assert.match(metrics, new RegExp(`^breakwater_books_clock_unsure ${watch.booksUnsure()}$`, 'm'))
      await close()
      const book = (await listLiveBooks(db)).find((one) => one.callerId === callerId)!
      await confirmClock(service, book)
      assert.equal((await credit()).status, 201)
      const [entry] = (await ask('GET', '/v2/audit-log?limit=5')).json.data.filter(
        ({ action }: { action: string }) => action === 'clock.confirmed',
      )
      assert.equal(entry.actor.kind, 'OPERATOR')
      assert.equal(entry.changes.after.business_date, clock.now.toISOString().slice(0, 10))
    }
  })

  test('on a sharded database the watch keeps the first date of a book that has changes', async () => {
    const db = { ...running().db, isSharded: true }
    const { clock, askWith, liveKey, callerId, close } = await startService(db)
    const latest = async () => {
      const books = await listLiveBooks(db)
      return books.find((book) => book.callerId === callerId)!.latest
    }
    const watch = watchOver(db, clock, { aheadMs: 0 })
    await watch.check()
    assert.equal(await latest(), null)
    const ask = askWith(liveKey)
    const { accountNumber } = await openDeposit(ask, { amount: 1000 })
    assert.equal(await latest(), null)
    await watch.check()
    assert.equal(await latest(), '2026-07-01')
    clock.now = new Date(clock.now.getTime() + 2 * DAY_MS)
    assertUnsure(await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1 }))
    await close()
  })
})

describeService('the clocks of service and database', (running) => {
  /** The clock that the database shows, moved by what the test says. */
  const shifted = (byMs: number) => ({
    get now() {
      return new Date(Date.now() + byMs)
    },
  })

  for (const [byMs, sure, warned] of [
    [0, true, false],
    [4_000, true, false],
    [7_000, true, true],
    [-7_000, true, true],
    [55_000, true, true],
    [-55_000, true, true],
    [65_000, false, true],
    [-65_000, false, true],
    [5 * 365 * DAY_MS, false, true],
  ] as const) {
    test(`with ${byMs / 1000} s between them changes are ${sure ? 'accepted' : 'refused'}`, async () => {
      const { db } = running()
      const clock = shifted(byMs)
      const watch = watchOver(db, clock)
      await watch.check()
      assert.equal(watch.isSure(), sure)
      assert.equal(watch.logged.includes('clock_differs'), warned)
      assert(Math.abs(watch.differenceMs() + byMs) < 2_000)
      const { ask, app, close } = await startService(db, { clockWatch: watch })
      const created = await ask('POST', '/v2/customer', {
        ...{ first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com' },
        ...{ phone_number: '+234 801 234 5678', address: '12 Marina Road, Lagos' },
      })
      if (sure) assert.equal(created.status, 201, created.text)
      else assertUnsure(created)
      assert.equal((await app.inject('/readyz')).statusCode, sure ? 200 : 503)
      assert.equal((await ask('GET', '/v2/customer')).status, 200)
      const metrics = (await app.inject('/metrics')).body
      const shown = /^breakwater_clock_difference_seconds (\S+)$/m.exec(metrics)![1]
      assert(Math.abs(Number(shown) + byMs / 1000) < 2, shown)
      await close()
    })
  }

  test('60 s are accepted and 5 s not mentioned, and a millisecond more is', async () => {
    const { db } = running()
    const clock = { now: new Date() }
    const found: unknown[] = []
    for (const aheadMs of [5_000, 5_001, -5_000, -5_001, 60_000, 60_001, -60_000, -60_001]) {
      const watch = watchOver(db, clock, { aheadMs })
      assert.equal(watch.isSure(), true, 'before the first comparison')
      await watch.check()
      found.push([aheadMs, watch.isSure(), watch.logged.includes('clock_differs')])
    }
    assert.deepEqual(found, [
      [5_000, true, false],
      [5_001, true, true],
      [-5_000, true, false],
      [-5_001, true, true],
      [60_000, true, true],
      [60_001, false, true],
      [-60_000, true, true],
      [-60_001, false, true],
    ])
  })

  test('no job runs while they differ', async () => {
    const { db } = running()
    const watch = watchOver(db, shifted(100_000))
    await watch.check()
    let passes = 0
    const job = startMaturityJob({
      maturity: {
        settlePass: async () => {
          passes += 1
          return { matured: 0, rolledOver: 0, paid: 0, unsettled: [], failed: [], hasMore: false }
        },
      },
      everySeconds: 0.01,
      log: () => {},
      isPaused: () => !watch.isSure(),
    })
    await sleep(100)
    await job.stop()
    assert.equal(passes, 0)
  })
})

/** With a database whose clock is ahead by so much, or shows the real time. */
function watchOver(
  db: Database,
  clock: { readonly now: Date },
  { aheadMs }: { aheadMs?: number } = {},
): ClockWatch & { logged: string[] } {
  const logged: string[] = []
  const query: Database['query'] = async <Row>(text: string, values?: readonly unknown[]) =>
    text === statements.readClock && aheadMs !== undefined
      ? [{ now: new Date(clock.now.getTime() + aheadMs) } as Row]
      : db.query<Row>(text, values)
  const log = (_level: string, event: string) => void logged.push(event)
  return { ...createClockWatch({ db: { ...db, query }, clock: () => clock.now, log }), logged }
}

test('the time that a comparison takes is no difference', async () => {
  const differences = await Promise.all(
    [-1, 0, 1_500, 3_000, 3_001].map((theirs) => {
      const asked = [new Date(0), new Date(3_000)]
      const query = async <Row>() => [{ now: new Date(theirs) } as Row]
      return readClockDifference({ query }, () => asked.shift()!)
    }),
  )
  assert.deepEqual(differences, [-1, 0, 0, 0, 1])
})
