import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '../../src/cli/compose.ts'
import { type Database, DatabaseError } from '../../src/engine/database/database.ts'
import { buildServer } from '../../src/http/server.ts'
import { createMetrics, remembered } from '../../src/observe/metrics.ts'
import { forEachEngine } from '../support/engines.ts'
import { ada, createAsk, openDeposit, startService, testLimits } from '../support/service.ts'

forEachEngine(({ test }) => {
  test('requests are counted by method, route and status, with their durations', async (db) => {
    const { app, ask, close } = await startService(db)
    await ask('POST', '/v2/customer', ada)
    await ask('POST', '/v2/customer', {})
    await ask('GET', '/v2/customer/cus_1')
    await ask('GET', '/v2/customer/cus_2?email=ada.obi@example.com')
    await ask('GET', '/v2/nothing/ada.obi@example.com')
    const figures = await readFigures(app)
    const counted = [...figures].filter(([name]) => name.startsWith('breakwater_http_requests_total'))
    assert.deepEqual(Object.fromEntries(counted), {
      'breakwater_http_requests_total{method="POST",route="/v2/customer",status="201"}': 1,
      'breakwater_http_requests_total{method="POST",route="/v2/customer",status="400"}': 1,
      'breakwater_http_requests_total{method="GET",route="/v2/customer/:customer_id",status="400"}': 1,
      'breakwater_http_requests_total{method="GET",route="/v2/customer/:customer_id",status="404"}': 1,
      'breakwater_http_requests_total{method="ANY",route="unmatched",status="404"}': 1,
    })
    const durations = 'breakwater_http_request_duration_seconds'
    const labels = 'method="POST",route="/v2/customer"'
    assert.equal(figures.get(`${durations}_count{${labels}}`), 2)
    assert.equal(figures.get(`${durations}_bucket{le="+Inf",${labels}}`), 2)
    assert(figures.get(`${durations}_sum{${labels}}`)! > 0)
    await close()
  })

  test('requests in flight, waiting, due and to be delivered are counted for all books together', async (db) => {
    const { app, ask, clock, callerId, testKey, close } = await startService(db)
    const { customerId, accountNumber, depositId } = await openDeposit(ask, { amount: 1000, tenor: 30 })
    await openDeposit(ask, { amount: 1000, tenor: 31 })
    const before = await readFigures(app)
    assert.deepEqual(
      ['http_requests_in_flight', 'queue_waiting', 'webhook_deliveries_pending', 'maturities_due'].map(
        (name) => before.get(`breakwater_${name}`),
      ),
      [0, 0, 0, 0],
    )
    // Lagos is an hour ahead of UTC: there the day of the first maturity has begun, that of the second has not.
    clock.now = new Date('2026-07-30T23:00:00.000Z')
    const later = await startService(db, { now: clock.now.toISOString() })
    // For a bank in New York it has not begun either.
    await db.script(`update callers set time_zone = 'America/New_York' where caller_id = '${later.callerId}'`)
    await openDeposit(later.ask, { amount: 1000, tenor: 1 })
    const text = (await later.app.inject({ url: '/metrics' })).body
    assert.match(text, /^breakwater_maturities_due 1$/m)
    for (const secret of [customerId, accountNumber, depositId, callerId, testKey, 'bk_', ada.email]) {
      assert(!text.includes(secret), `the figures do not tell ${secret}`)
    }
    await later.close()
    await close()
  })

  test('the database is timed and its failures are counted, statement by statement', async (db) => {
    const metrics = createMetrics()
    const observed = metrics.observeDatabase(db)
    await observed.query('select 1')
    await observed.transaction(async (tx) => {
      await tx.query('select 1')
      await tx.query('select 2')
    })
    await assert.rejects(observed.transaction((tx) => tx.query('select * from nowhere')))
    await assert.rejects(
      observed.transaction(async () => Promise.reject(new Error('ours'))),
      /ours/,
    )
    const figures = parseFigures(await metrics.print())
    const count = 'breakwater_database_duration_seconds_count'
    assert.equal(figures.get(`${count}{operation="statement"}`), 4)
    assert.equal(figures.get(`${count}{operation="transaction"}`), 3)
    assert.equal(figures.get('breakwater_database_failures_total{operation="statement"}'), 1)
    assert.equal(figures.get('breakwater_database_failures_total{operation="transaction"}'), 2)
    metrics.stop()
  })

  test('what a transaction waits for the service is timed apart from its statements', async (db) => {
    const metrics = createMetrics()
    const observed = metrics.observeDatabase(db)
    const waited = async () =>
      parseFigures(await metrics.print()).get('breakwater_decision_duration_seconds_sum')!
    await observed.transaction(async (tx) => {
      // Nothing has begun yet, so nothing waits.
      await sleep(200)
      await Promise.all([tx.query('select pg_sleep(0.1)'), tx.query('select pg_sleep(0.1)')])
    })
    const busy = await waited()
    await observed.transaction(async (tx) => {
      await tx.query('select 1')
      await sleep(100)
      await Promise.all([tx.query('select 1'), tx.query('select 2')])
      tx.write('select 3')
      await tx.written()
      await sleep(100)
    })
    const idle = (await waited()) - busy
    assert(busy < 0.1, `${busy} s`)
    assert(idle >= 0.19, `${idle} s`)
    metrics.stop()
  })

  test('batch sizes are counted, and the figures are the same ones the server shows', async (db) => {
    const metrics = createMetrics()
    const limits = { workers: 1, batchMax: 256, queueMax: 100 }
    const service = createService({
      db: metrics.observeDatabase(db),
      clock: () => new Date(),
      limits,
      observeBatch: metrics.observeBatch,
    })
    const app = await buildServer({ service, limits: testLimits, log: () => {}, metrics })
    const { testKey, close } = await startService(db)
    const ask = createAsk(app)(testKey)
    const { depositId } = await openDeposit(ask, { amount: 1000 })
    await Promise.all(
      [1, 2, 3].map(() =>
        ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, '{"liquidation_type":"FULL"}'),
      ),
    )
    const figures = await readFigures(app)
    // Opening the deposit took four changes, each a batch of its own.
    assert.equal(figures.get('breakwater_batch_size_sum'), 4 + 3)
    assert(figures.get('breakwater_database_duration_seconds_count{operation="statement"}')! > 10)
    await app.close()
    await close()
  })
})

test('a histogram counts a value in the bucket it equals and in every larger one', async () => {
  const metrics = createMetrics()
  for (const size of [1, 2, 3, 1024, 1025]) metrics.observeBatch(size)
  const figures = parseFigures(await metrics.print())
  const buckets = ['1', '2', '4', '512', '1024', '+Inf'].map((bound) =>
    figures.get(`breakwater_batch_size_bucket{le="${bound}"}`),
  )
  assert.deepEqual(buckets, [1, 2, 3, 3, 4, 5])
  assert.equal(figures.get('breakwater_batch_size_sum'), 2055)
  metrics.stop()
})

test('the process reports memory, processor time, start and lag under their standard names', async () => {
  const metrics = createMetrics()
  const figures = parseFigures(await metrics.print())
  assert(figures.get('process_resident_memory_bytes')! > 1e7)
  assert(figures.get('nodejs_heap_size_used_bytes')! > 1e6)
  assert(figures.get('process_cpu_seconds_total')! > 0)
  assert(figures.get('process_start_time_seconds')! <= Date.now() / 1000)
  assert(figures.get('breakwater_event_loop_lag_seconds')! >= 0)
  metrics.stop()
})

test('every metric appears once, after its help and its type', async () => {
  const metrics = createMetrics()
  metrics.observeRoute('GET', '/docs')(200, 5)
  metrics.readOnScrape([{ name: 'one', help: 'One.', merged: 'sum', read: () => 1 }])
  const text = await metrics.print()
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name)
  assert.equal(new Set(names).size, names.length)
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    assert.match(line, /^[a-z0-9_]+(?:\{[^}]*\})? (?:Nan|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/)
    assert(
      names.some((name) => line.startsWith(name!)),
      line,
    )
  }
  metrics.stop()
})

test('rows that were removed are counted by table', async () => {
  const metrics = createMetrics()
  metrics.observeRemoved('person_sessions', 3)
  metrics.observeRemoved('person_sessions', 2)
  assert.match(await metrics.print(), /^breakwater_rows_removed_total\{table="person_sessions"\} 5$/m)
  metrics.stop()
})

test('while the database does not answer, the figures come without what it would have to count', async () => {
  const away = async () => Promise.reject(new DatabaseError('Connection lost.', { sqlState: null }))
  const db = {
    isSharded: false,
    query: away,
    transaction: away,
    script: away,
    close: async () => {},
  } as Database
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  const app = await buildServer({ service, limits: testLimits, log: () => {} })
  const figures = await readFigures(app)
  assert.equal(figures.get('breakwater_queue_waiting'), 0)
  assert.equal(figures.has('breakwater_maturities_due'), false)
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200)
  const ready = await app.inject({ url: '/readyz' })
  assert.equal(ready.statusCode, 503)
  assert.equal(ready.headers['retry-after'], '1')
  assert.equal(ready.json().error.code, 'service_unavailable')
  await app.close()
})

test('a count is read once for a while, however often it is requested', async () => {
  let taken = 0
  const read = remembered(async () => ++taken, 60_000)
  assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1])
  const fresh = remembered(async () => ++taken, 0)
  assert.deepEqual([await fresh(), await fresh()], [2, 3])
})

test('a service under overload with an unresponsive database still shows its metrics', async () => {
  const never = () => new Promise<never>(() => {})
  const db = {
    isSharded: false,
    query: never,
    transaction: never,
    script: never,
    close: async () => {},
  } as Database
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 1, queueMax: 1 },
  })
  const app = await buildServer({ service, limits: { ...testLimits, inFlightMax: 0 }, log: () => {} })
  assert.equal((await app.inject({ url: '/docs' })).statusCode, 503)
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200)
  assert.equal((await readFigures(app)).get('breakwater_http_requests_in_flight'), 0)
  await app.close()
})

async function readFigures(app: { inject: (request: { url: string }) => Promise<{ body: string }> }) {
  return parseFigures((await app.inject({ url: '/metrics' })).body)
}

function parseFigures(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}
