/** What is kept for a time is removed after it, in small batches of every book; the books themselves stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../src/engine/database/database.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { createCleaning, type Retention, startRetentionJob } from '../../../src/features/retention/job.ts'
import { TRIED_FOR_DAYS } from '../../../src/features/webhooks/schedule.ts'
import { outcomes, run } from '../../support/batches.ts'
import { ada, describeService, fundedAccount, startService } from '../../support/service.ts'

const DAY_MS = 24 * 3_600_000
const WITHOUT_END: Retention = {
  idempotency_keys: 0,
  webhook_deliveries: 0,
  approvals: 0,
  request_traces: 0,
  person_sessions: 0,
  person_devices: 0,
  people: 0,
}
const NOW = new Date('2026-07-01T10:00:00.000Z')
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

async function count(db: Database, from: string): Promise<number> {
  return (await db.query(`select 1 from ${from}`)).length
}

describeService('retention', (running) => {
  test('answers go after the days that the bank chose, in steps that take books in turn', async () => {
    const { db, ask } = running()
    const { ask: other, close } = await startService(db)
    for (let made = 0; made < 5; made += 1) {
      for (const send of [ask, other]) {
        await send('POST', '/v2/customer', ada, { 'idempotency-key': `key ${made}` })
      }
    }
    await db.query(`update idempotency_keys set created_at = $1 where idempotency_key <> 'key 4'`, [
      before(31),
    ])
    const kept = createCleaning({ db, clock: () => NOW, days: WITHOUT_END })
    assert.deepEqual(await kept.cleanStep(), { removed: new Map(), hasMore: false })
    const days = { ...WITHOUT_END, idempotency_keys: 30 }
    const { cleanStep } = createCleaning({ db, clock: () => NOW, days, batchRows: 2 })
    assert.deepEqual(await cleanStep(), { removed: new Map([['idempotency_keys', 4]]), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map([['idempotency_keys', 4]]), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: false })
    assert.equal(await count(db, 'idempotency_keys'), 2)
    const again = await ask('POST', '/v2/customer', ada, { 'idempotency-key': 'key 4' })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    await close()
  })

  test('a line of a batch takes effect once however late it comes again', async () => {
    const started = running()
    const { db, ask } = started
    const { accountNumber: account_number } = await fundedAccount(ask, 1)
    const line = { account_number, amount: 5, external_id: 'LATE' }
    await run(started, 'creditAccount', [line])
    await db.query('update idempotency_keys set created_at = $1', [before(31)])
    const days = { ...WITHOUT_END, idempotency_keys: 30 }
    await createCleaning({ db, clock: () => NOW, days }).cleanStep()
    assert.deepEqual(outcomes(await run(started, 'creditAccount', [line])), ['DUPLICATE'])
    assert.equal((await ask('GET', `/v2/accounts/${account_number}`)).json.data.balance, 6)
  })

  test('a message that was delivered goes, one that failed or waits stays', async () => {
    const { db, callerId } = running()
    const { bookId } = (await findBook(db, { callerId, mode: 'test' }))!
    await db.query(
      `insert into webhook_deliveries (
         book_id, webhook_endpoint_id, ordinal, event_id, status, attempts, next_attempt_at, last_attempt_at, created_at)
       select $1, 'we_' || endpoint, number, (select event_id from events where book_id = $1 limit 1), status,
         case status when 'PENDING' then 0 else 1 end, case status when 'PENDING' then $2::timestamptz end,
         case status when 'PENDING' then null else $2::timestamptz end, $2::timestamptz - number * interval '1 day'
       from generate_series(1, 3) as endpoint, generate_series(1, 12) as number,
         unnest(array[case number % 3 when 0 then 'FAILED' when 1 then 'DELIVERED' else 'PENDING' end]) as status`,
      [bookId, NOW],
    )
    const days = { ...WITHOUT_END, webhook_deliveries: 6 }
    const { cleanStep } = createCleaning({ db, clock: () => NOW, days, batchRows: 5 })
    let removed = 0
    for (let hasMore = true; hasMore; ) {
      const step = await cleanStep()
      removed += step.removed.get('webhook_deliveries') ?? 0
      hasMore = step.hasMore
    }
    // Of the days 7 and 10 of each endpoint.
    assert.equal(removed, 6)
    assert.equal(await count(db, `webhook_deliveries where status = 'DELIVERED'`), 6)
    assert.equal(await count(db, `webhook_deliveries where status <> 'DELIVERED'`), 24)
    await db.query('delete from webhook_deliveries')
  })

  test('a request keeps who asked for what and who decided, and loses its figures some days after', async () => {
    const { db, callerId, ask } = running()
    const { bookId } = (await findBook(db, { callerId, mode: 'test' }))!
    const idOf = (name: string) => `apr_${name.repeat(24)}`
    for (const [name, decidedAt] of [
      ['a', null],
      ['b', before(29)],
      ['c', before(31)],
    ] as const) {
      await db.query(
        `insert into approvals (book_id, approval_id, ordinal, operation, target_id, body, status, preview, approvals_needed,
           maker, requested_by, requested_at, expires_at, decided_at, decision_reason)
         values ($1, $2, 1, 'creditAccount', '0123456789', '{"amount":7.50}', $3, '{"lines":[]}', 1, 'x',
           '{"kind":"OPERATOR","id":"cli","name":null}', $4, $4::timestamptz + interval '365 days', $5, $6)`,
        [
          bookId,
          idOf(name),
          decidedAt === null ? 'PENDING' : 'REJECTED',
          before(40),
          decidedAt,
          decidedAt && 'No',
        ],
      )
    }
    const days = { ...WITHOUT_END, approvals: 30 }
    const { cleanStep } = createCleaning({ db, clock: () => NOW, days, batchRows: 2 })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map([['approvals', 1]]), hasMore: false })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: false })
    const left = await db.query('select approval_id, preview from approvals where book_id = $1 order by 1', [
      bookId,
    ])
    assert.deepEqual(left, [
      { approval_id: idOf('a'), preview: '{"lines":[]}' },
      { approval_id: idOf('b'), preview: '{"lines":[]}' },
      { approval_id: idOf('c'), preview: '{}' },
    ])
    const { body, preview, status } = (await ask('GET', `/v2/approvals/${idOf('c')}`)).json.data
    assert.deepEqual([body, preview, status], [{ amount: 7.5 }, {}, 'REJECTED'])
    await db.query('delete from approvals')
  })

  test('the trace of a request goes once its messages are no longer tried', async () => {
    const { db, callerId } = running()
    const { bookId } = (await findBook(db, { callerId, mode: 'test' }))!
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    for (const age of [8, 9, 11, 12, 13]) {
      await db.query(
        'insert into request_traces (book_id, request_id, traceparent, created_at) values ($1, $2, $3, $4)',
        [bookId, `req_${age}`, traceparent, before(age)],
      )
    }
    const days = { ...WITHOUT_END, request_traces: TRIED_FOR_DAYS }
    const { cleanStep } = createCleaning({ db, clock: () => NOW, days, batchRows: 4 })
    assert.deepEqual(await cleanStep(), { removed: new Map([['request_traces', 3]]), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: false })
    const left = await db.query('select request_id from request_traces order by request_id')
    assert.deepEqual(left, [{ request_id: 'req_8' }, { request_id: 'req_9' }])
  })

  test('a link goes some days after it has expired, and the person stays', async () => {
    const { db, callerId } = running()
    for (const age of [-1, 29, 31]) {
      await db.query(
        `insert into people (caller_id, person_id, ordinal, name, email, email_key, role, modes, status, link_hash,
           link_purpose, link_expires_at, link_by, pending_hash, created_at)
         values ($1, $2, 1, 'Ada', $2, $2, 'CLERK', '{test}', 'INVITED', $2, 'INVITE', $3, 'per_admin', 'x', $3)`,
        [callerId, `per_${age}`, before(age)],
      )
    }
    const days = { ...WITHOUT_END, people: 30 }
    const { cleanStep } = createCleaning({ db, clock: () => NOW, days, batchRows: 1 })
    assert.deepEqual(await cleanStep(), { removed: new Map([['people', 1]]), hasMore: true })
    assert.deepEqual(await cleanStep(), { removed: new Map(), hasMore: false })
    const left = await db.query(
      `select person_id, status, link_hash, link_by, pending_hash from people where caller_id = $1 order by person_id`,
      [callerId],
    )
    const row = (age: number) => ({ person_id: `per_${age}`, status: 'INVITED' })
    const kept = (age: number) => ({ link_hash: `per_${age}`, link_by: 'per_admin', pending_hash: 'x' })
    assert.deepEqual(left, [
      { ...row(-1), ...kept(-1) },
      { ...row(29), ...kept(29) },
      { ...row(31), link_hash: null, link_by: null, pending_hash: null },
    ])
  })

  test('sessions and devices that nobody used go', async () => {
    const { db, callerId } = running()
    await db.query(
      `insert into people (caller_id, person_id, ordinal, name, email, email_key, role, modes, status, password_hash, created_at)
       values ($1, 'per_x', 1, 'Ada', 'ada@example.com', 'ada@example.com', 'CLERK', '{test}', 'ACTIVE', 'x', $2)`,
      [callerId, NOW],
    )
    for (const age of [10, 100, 400]) {
      await db.query(
        `insert into person_sessions (caller_id, person_id, session_id, session_hash, started_at, signed_in_at, last_seen_at)
         values ($1, 'per_x', $2, $2, $3, $3, $3)`,
        [callerId, `ses_${age}`, before(age)],
      )
      await db.query(
        `insert into person_devices (caller_id, person_id, device_id, device_hash, created_at, last_seen_at)
         values ($1, 'per_x', $2, $2, $3, $3)`,
        [callerId, `dev_${age}`, before(age)],
      )
    }
    const seen: string[] = []
    const done = Promise.withResolvers<void>()
    const job = startRetentionJob({
      db,
      clock: () => NOW,
      days: { ...WITHOUT_END, person_sessions: 90, person_devices: 365 },
      log: () => {},
      observe: (table, rows) => {
        seen.push(`${table} ${rows}`)
        if (seen.length === 2) done.resolve()
      },
    })
    await done.promise
    await job.stop()
    assert.deepEqual(seen, ['person_sessions 2', 'person_devices 1'])
    assert.equal(await count(db, 'person_devices'), 2)
    if (!db.isSharded)
      assert.equal(await count(db, `database_sizes where taken_on = '2026-07-01' and bytes > 0`), 1)
  })
})
