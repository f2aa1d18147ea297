import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, assertRefusedWithoutTrace, assertUnchanged } from '../../support/refusals.ts'
import {
  type Ask,
  actorOf,
  ada,
  describeService,
  fundedAccount,
  openDeposit,
  startService,
  type TestService,
} from '../../support/service.ts'

describeService('the test clock', (running) => {
  test('shows the time of the book, moves to the given time, and keeps ticking from there', async () => {
    const { ask, clock } = await anotherBook(running())
    const shown = await ask('GET', '/v2/test-clock')
    assert.deepEqual(shown.json, {
      status: true,
      message: shown.json.message,
      data: { now: '2026-07-01T10:00:00.000Z' },
    })
    const moved = await move(ask, '2026-08-01T00:00:00+01:00')
    assert.equal(moved.status, 200)
    assert.deepEqual(moved.json.data, { now: '2026-07-31T23:00:00.000Z' })
    clock.now = new Date('2026-07-01T10:00:01.500Z')
    assert.deepEqual(await read(ask), { now: '2026-07-31T23:00:01.500Z' })
  })

  test('never goes back, but may stay where it is', async () => {
    const { ask, db } = { ...running(), ...(await anotherBook(running())) }
    assert.equal((await move(ask, '2026-07-01T10:00:00.000Z')).status, 200)
    assert.equal((await move(ask, '2026-07-01T10:00:00.001Z')).status, 200)
    await assertRefusedWithoutTrace(db, () => move(ask, '2026-07-01T10:00:00.000Z'), {
      status: 422,
      code: 'clock_moves_forward_only',
      details: '{"now":"2026-07-01T10:00:00.001Z"}',
    })
    assert.deepEqual(await read(ask), { now: '2026-07-01T10:00:00.001Z' })
  })

  test('reaches the end of the year 8999 and no further', async () => {
    const { ask, db, callerId } = { ...running(), ...(await anotherBook(running())) }
    for (const now of ['9000-01-01T00:00:00.000Z', '8999-12-31T23:00:00.000-01:00', '9999-12-31T00:00:00Z']) {
      await assertRefusedWithoutTrace(db, () => move(ask, now), {
        status: 400,
        code: 'invalid_request',
        fields: [['now', 'out_of_range']],
      })
    }
    const nearly = Date.parse('8900-01-01T00:00:00.000Z') - Date.parse('2026-07-01T10:00:00.000Z')
    const moved = `update books set clock_offset_ms = $1 where caller_id = $2 and mode = 'test'`
    await db.query(moved, [nearly, callerId])
    assert.equal((await move(ask, '8999-12-31T23:59:59.999Z')).status, 200)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 36_500 })
    const deposit = await ask('GET', `/v2/fixed-deposits/${depositId}`)
    assert.equal(deposit.json.data.maturity_date, '9099-12-08')
  })

  test('goes at most 200 years in one move', async () => {
    const { ask, db } = { ...running(), ...(await anotherBook(running())) }
    await assertRefusedWithoutTrace(db, () => move(ask, '2226-07-03T10:00:00.001Z'), {
      status: 422,
      code: 'clock_move_too_far',
      details: '{"latest":"2226-07-03T10:00:00.000Z"}',
    })
    assert.equal((await move(ask, '2226-07-03T10:00:00.000Z')).status, 200)
    assert.equal((await move(ask, '2426-07-04T10:00:00.000Z')).status, 200)
  })

  test('causes a limited number of rollovers in one move; smaller steps go as far', async () => {
    const { db } = running()
    const { ask } = await startService(db, { testClockRolloversMax: 10 })
    const { accountNumber } = await fundedAccount(ask, 100)
    const terms = { account_number: accountNumber, amount: 10, interest_rate: 1, auto_rollover: true }
    for (const tenor of [3, 7]) {
      assert.equal((await ask('POST', '/v2/fixed-deposits', { ...terms, tenor })).status, 201)
    }
    // By the 28th, nine and three terms end: eight and two beyond the first. On the 29th another one ends.
    await assertRefusedWithoutTrace(db, () => move(ask, '2026-07-28T23:00:00.000Z'), {
      status: 422,
      code: 'clock_move_too_far',
      details: '{"rollovers":"11","maximum_rollovers":"10"}',
    })
    const rolledOver = async () =>
      (await ask('GET', '/v2/fixed-deposits?status=ROLLED_OVER')).json.data.length
    assert.equal((await move(ask, '2026-07-28T22:59:59.999Z')).status, 200)
    assert.equal(await rolledOver(), 9 + 3)
    assert.equal((await move(ask, '2026-08-23T22:59:59.999Z')).status, 200)
    assert.equal(await rolledOver(), 17 + 7)
  })

  test('takes one instant and nothing else', async () => {
    const { ask, db } = running()
    const refusals: [unknown, string, string][] = [
      [{}, 'now', 'required'],
      [{ now: null }, 'now', 'null_not_allowed'],
      [{ now: 1_800_000_000 }, 'now', 'invalid_type'],
      [{ now: '' }, 'now', 'blank'],
      [{ now: '2026-08-01' }, 'now', 'invalid_format'],
      [{ now: '2026-02-30T00:00:00Z' }, 'now', 'invalid_format'],
      [{ now: '1969-12-31T23:59:59Z' }, 'now', 'out_of_range'],
      [{ now: '2026-08-01T00:00:00Z', days: 1 }, 'days', 'unknown_field'],
    ]
    for (const [body, field, code] of refusals) {
      await assertRefusedWithoutTrace(db, () => ask('POST', '/v2/test-clock', body), {
        status: 400,
        code: 'invalid_request',
        fields: [[field, code]],
      })
    }
  })

  test('is for test keys with every scope: a missing scope is reported before the mode, both before the body', async () => {
    const { ask, askWith, liveKey } = running()
    const live = askWith(liveKey)
    const keyWith = async (using: Ask) => {
      const scopes = ['fixed_deposits:write', 'audit:read', 'rules:write']
      const made = await using('POST', '/v2/api-keys', { scopes })
      assert.equal(made.status, 201, made.text)
      return askWith(made.json.data.key)
    }
    const scope = { status: 403, code: 'insufficient_scope', details: '{"required_scope":"*"}' }
    const narrow = [await keyWith(ask), await keyWith(live)]
    for (const asking of narrow) {
      assertRefused(await asking('GET', '/v2/test-clock'), scope)
      assertRefused(await asking('POST', '/v2/test-clock', '{'), scope)
    }
    const mode = { status: 403, code: 'test_mode_only' }
    assertRefused(await live('GET', '/v2/test-clock'), mode)
    assertRefused(await move(live, '2027-01-01T00:00:00Z'), mode)
    assertRefused(await live('POST', '/v2/test-clock', '{', { 'content-type': 'text/plain' }), mode)
  })

  test('is the clock of everything in its book, and of no other book', async () => {
    const started = await anotherBook(running())
    const { ask, askWith, liveKey, clock } = started
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100_000, tenor: 365 })
    assert.equal((await move(ask, '2026-10-09T22:59:59.000Z')).status, 200)

    const deposit = await ask('GET', `/v2/fixed-deposits/${depositId}`)
    assert.equal(deposit.json.data.accrued_interest, 2_739.73)
    const full = { liquidation_type: 'FULL' }
    const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, full)
    assert.deepEqual([quoted.json.data.as_of, quoted.json.data.interest_paid], ['2026-10-09', 2_739.73])
    const list = await ask('GET', `/v2/fixed-deposits?account_number=${accountNumber}`)
    assert.equal(list.json.data[0].accrued_interest, 2_739.73)

    // A second later it is the next day in Lagos.
    clock.now = new Date(clock.now.getTime() + 1_000)
    const at = '2026-10-09T23:00:00.000Z'
    const liquidated = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, full)
    assert.deepEqual([liquidated.json.data.liquidated_at, liquidated.json.data.interest_paid], [at, 2_767.12])
    const customer = await ask('POST', '/v2/customer', ada)
    assert.equal(customer.json.data.created_at, at)
    const { customer_id } = customer.json.data
    const changed = await ask('PUT', `/v2/customer/${customer_id}`, { address: '3 Broad Street, Lagos' })
    assert.equal(changed.json.data.updated_at, at)
    const account = await ask('POST', '/v2/accounts', { customer_id })
    assert.equal(account.json.data.created_at, at)
    const credit = { amount: 10 }
    const credited = await ask('POST', `/v2/accounts/${account.json.data.account_number}/credits`, credit)
    assert.equal(credited.json.data.created_at, at)
    const body = { account_number: account.json.data.account_number, amount: 1, tenor: 1, interest_rate: 1 }
    const opened = await ask('POST', '/v2/fixed-deposits', body)
    assert.deepEqual([opened.json.data.created_at, opened.json.data.start_date], [at, '2026-10-10'])
    const tooLate = await ask('POST', '/v2/fixed-deposits', { ...body, start_date: '2026-10-11' })
    assert.equal(tooLate.json.error.code, 'start_date_in_future')
    const changes = (await ask('GET', '/v2/audit-log?limit=6')).json.data
    assert.deepEqual(new Set(changes.map((change: any) => change.at)), new Set([at]))

    const elsewhere = await askWith(liveKey)('POST', '/v2/customer', ada)
    assert.equal(elsewhere.json.data.created_at, '2026-07-01T10:00:01.000Z')
  })

  test('settles what became due before it answers, also several rollovers in a row', async () => {
    const { ask } = await anotherBook(running())
    const paidOut = await openDeposit(ask, { amount: 1_000_000, tenor: 90, interest_rate: 12 })
    const { accountNumber } = await fundedAccount(ask, 100_000)
    const terms = { account_number: accountNumber, amount: 100_000, tenor: 365, interest_rate: 10 }
    const opened = await ask('POST', '/v2/fixed-deposits', { ...terms, auto_rollover: true })
    const dayBefore = await move(ask, '2026-09-28T22:59:59.999Z')
    assert.equal(dayBefore.status, 200)
    assert.equal(await statusOf(ask, paidOut.depositId), 'ACTIVE')

    const due = await move(ask, '2026-09-28T23:00:00.000Z')
    assert.equal(await statusOf(ask, paidOut.depositId), 'MATURED')
    const account = await ask('GET', `/v2/accounts/${paidOut.accountNumber}`)
    assert.match(account.text, /"balance":1029589\.04/)
    const events = (await ask('GET', `/v2/audit-log?subject_id=${paidOut.depositId}`)).json.data
    const shown = [events[0].action, events[0].at, events[0].request_id, events[0].api_key_id]
    const { api_key_id } = (await ask('GET', '/v2/api-keys/current')).json.data
    assert.deepEqual(shown, [
      'fixed_deposit.matured',
      '2026-09-28T23:00:00.000Z',
      due.headers['request-id'],
      api_key_id,
    ])

    await move(ask, '2030-07-01T12:00:00.000Z')
    const chain: [string, number][] = []
    for (let depositId = opened.json.data.deposit_id; depositId !== null; ) {
      const { data } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json
      chain.push([data.status, data.principal])
      depositId = data.rolled_over_to
    }
    assert.deepEqual(chain, [
      ['ROLLED_OVER', 100_000],
      ['ROLLED_OVER', 110_000],
      ['ROLLED_OVER', 121_000],
      ['ROLLED_OVER', 133_100],
      ['ACTIVE', 146_410],
    ])
  })

  test('two years of daily rollovers are settled in one move', async () => {
    const { ask, db } = { ...running(), ...(await anotherBook(running())) }
    const { accountNumber } = await fundedAccount(ask, 100)
    const terms = { account_number: accountNumber, amount: 100, tenor: 1, interest_rate: 0.0001 }
    await ask('POST', '/v2/fixed-deposits', { ...terms, auto_rollover: true })
    assert.equal((await move(ask, '2028-07-01T12:00:00.000Z')).status, 200)
    const active = await ask('GET', `/v2/fixed-deposits?account_number=${accountNumber}&status=ACTIVE`)
    assert.deepEqual(
      active.json.data.map((deposit: any) => [deposit.start_date, deposit.maturity_date]),
      [['2028-07-01', '2028-07-02']],
    )
    // Without statistics the audit at the end would join this many deposits row by row.
    await db.query('analyze')
  })

  test('a move with a key is made once; its replay settles what the first call may have left', async () => {
    const { ask, clock, db } = { ...running(), ...(await anotherBook(running())) }
    const key = { 'idempotency-key': 'move-1' }
    const body = { now: '2026-12-01T00:00:00.000Z' }
    const first = await ask('POST', '/v2/test-clock', body, key)
    clock.now = new Date('2026-07-01T10:00:05.000Z')
    // As if it had become due by the move and the process had died before the second step.
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30, start_date: '2026-07-01' })
    const again = await ask('POST', '/v2/test-clock', body, key)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual(await read(ask), { now: '2026-12-01T00:00:05.000Z' })
    assert.equal(await statusOf(ask, depositId), 'MATURED')
    await assertUnchanged(db, async () => {
      const other = await ask('POST', '/v2/test-clock', { now: '2027-01-01T00:00:00Z' }, key)
      assertRefused(other, { status: 422, code: 'idempotency_key_reused' })
    })
  })

  test('of two concurrent moves both get correct answers, and the clock ends at the later one', async () => {
    const { ask } = await anotherBook(running())
    const [early, late] = ['2026-08-01T00:00:00.000Z', '2026-09-01T00:00:00.000Z'] as const
    const [first, second] = await Promise.all([move(ask, early), move(ask, late)])
    assert.equal(second.status, 200)
    if (first.status !== 200) assert.equal(first.json.error.code, 'clock_moves_forward_only')
    assert.deepEqual(await read(ask), { now: late })
  })

  test('a move is in the audit log with the time before and after, and is not announced', async () => {
    const { ask, db } = { ...running(), ...(await anotherBook(running())) }
    const moved = await move(ask, '2026-08-01T00:00:00.000Z')
    const { data } = (await ask('GET', '/v2/audit-log')).json
    assert.deepEqual(data, [
      {
        event_id: data[0].event_id,
        action: 'test_clock.moved',
        at: '2026-07-01T10:00:00.000Z',
        api_key_id: data[0].api_key_id,
        request_id: moved.headers['request-id'],
        subject_id: 'test_clock',
        changes: {
          before: { now: '2026-07-01T10:00:00.000Z' },
          after: { now: '2026-08-01T00:00:00.000Z' },
        },
        data: { now: '2026-08-01T00:00:00.000Z' },
        actor: await actorOf(ask),
      },
    ])
    const shown = await db.query('select announced from events where event_id = $1', [data[0]!.event_id])
    assert.deepEqual(shown, [{ announced: false }])
  })
})

/** A book whose clock was not moved yet, in the same database. */
async function anotherBook({ db }: TestService & { db: Parameters<typeof startService>[0] }) {
  return startService(db)
}

function move(ask: Ask, now: string) {
  return ask('POST', '/v2/test-clock', { now })
}

async function read(ask: Ask): Promise<unknown> {
  return (await ask('GET', '/v2/test-clock')).json.data
}

async function statusOf(ask: Ask, depositId: string): Promise<string> {
  return (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data.status
}
