/** Opening and reading fixed deposits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDeposit, insertions } from '../../../src/features/deposits/store.ts'
import { assertRefused, assertRefusedWithoutTrace, assertUnchanged } from '../../support/refusals.ts'
import {
  describeService,
  fundedAccount,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

describeService('fixed deposits', (running) => {
  test('opening a deposit takes its principal from the account', async () => {
    const { ask } = running()
    const { accountNumber, customerId } = await fundedAccount(ask, '1000000.50')
    const opened = await ask(
      'POST',
      '/v2/fixed-deposits',
      `{"account_number":"${accountNumber}","amount":1000000,"tenor":90,"interest_rate":12}`,
    )
    assert.equal(opened.status, 201)
    const { deposit_id } = opened.json.data
    assert.match(deposit_id, /^fd_[0-9A-Za-z]{24}$/)
    assert.equal(
      opened.text,
      `{"status":true,"message":"The fixed deposit was opened.","data":{"deposit_id":"${deposit_id}",` +
        `"customer_id":"${customerId}","account_number":"${accountNumber}","status":"ACTIVE","currency":"NGN",` +
        '"principal":1000000.00,"remaining_principal":1000000.00,"interest_rate":12,"tenor":90,' +
        '"start_date":"2026-07-01","maturity_date":"2026-09-29","expected_interest":29589.04,' +
        '"accrued_interest":0.00,"auto_rollover":false,"rules_version":1,' +
        '"created_at":"2026-07-01T10:00:00.000Z","updated_at":"2026-07-01T10:00:00.000Z",' +
        '"liquidated_at":null,"rolled_over_to":null,"lien_amount":0.00,"pending_approval_id":null,' +
        '"pending_approval_requested_by":null,"external_id":null,"metadata":{},"product_code":null,' +
        '"product_version":null,"rate_sheet":null,"bonuses":null,"bonus":null,"rules_source":"CALLER",' +
        '"agreed_tenor":{"unit":"DAY","count":90},"interest_method":"AT_MATURITY","interest_every":null,' +
        '"recover_paid_interest":false,"interest_paid_out":0.00,"interest_paid_to":null,' +
        '"next_interest_date":null,"maturity_instruction":"PAY_OUT","rollovers":0}}',
    )
    assert.deepEqual((await ask('GET', `/v2/fixed-deposits/${deposit_id}`)).json.data, opened.json.data)
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":0\.50,/)
  })

  test('a row that is written without what is there by default is the same row', async () => {
    const { ask, db } = running()
    const { depositId } = await openDeposit(ask, { amount: 100_000 })
    const rowOf = async (id: string) => {
      const [found] = await db.query<{ book_id: string; row: string }>(
        `select book_id, (to_jsonb(deposits) - 'deposit_id' - 'ordinal')::text as row
         from deposits where deposit_id = $1`,
        [id],
      )
      return found!
    }
    const plain = await rowOf(depositId)
    await db.transaction(async (tx) => {
      const deposit = await findDeposit(tx, plain.book_id, depositId)
      insertions.any(tx, plain.book_id, [{ ...deposit!, depositId: 'fd_2' }])
    })
    assert.deepEqual(await rowOf('fd_2'), plain)
    await db.query("delete from deposits where deposit_id = 'fd_2'")
  })

  test('expects the interest of what remains: after a part, and nothing after the whole', async () => {
    const { ask, db } = running()
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100_000, tenor: 365 })
    const seen: unknown[] = []
    for (const body of [
      null,
      { liquidation_type: 'PARTIAL', amount: 40_000.07 },
      { liquidation_type: 'FULL' },
    ]) {
      if (body !== null) await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      const found = await ask('GET', `/v2/fixed-deposits/${depositId}`)
      const listed = await ask('GET', `/v2/fixed-deposits?account_number=${accountNumber}`)
      assert.deepEqual(listed.json.data, [found.json.data])
      seen.push([found.json.data.remaining_principal, found.json.data.expected_interest])
    }
    assert.deepEqual(seen, [
      [100_000, 10_000],
      [59_999.93, 5_999.99],
      [0, 0],
    ])
    const [kept] = await db.query('select expected_interest_minor from deposits where deposit_id = $1', [
      depositId,
    ])
    assert.deepEqual(kept, { expected_interest_minor: 10_000_00n })
  })

  test('a deposit that began earlier has earned since then', async () => {
    const { ask, clock } = running()
    const { depositId } = await openDeposit(ask, {
      amount: 50_000,
      interest_rate: 5,
      start_date: '2026-03-01',
    })
    const accrued = async () =>
      (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data.accrued_interest
    assert.equal(await accrued(), 835.62)
    // The business date is that of Lagos, an hour ahead of UTC.
    clock.now = new Date('2026-07-01T23:00:00Z')
    assert.equal(await accrued(), 842.47)
    clock.now = new Date('2030-01-01T00:00:00Z')
    assert.equal(await accrued(), 2500)
    clock.now = new Date('2026-07-01T10:00:00Z')
  })

  test('a deposit past its maturity may be imported', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1000, tenor: 1, start_date: '1990-01-01' })
    const { data } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json
    assert.deepEqual([data.status, data.maturity_date, data.accrued_interest], ['ACTIVE', '1990-01-02', 0.27])
  })

  test('the terms are accepted at both ends of their ranges, and not beyond', async () => {
    const { ask, db } = running()
    const { accountNumber } = await fundedAccount(ask, 1000)
    const open = (change: string) => {
      const terms = { account_number: `"${accountNumber}"`, amount: '1', tenor: '30', interest_rate: '10' }
      const [name, value] = change.split('=') as [string, string]
      const members = Object.entries({ ...terms, [name]: value }).filter(([, text]) => text !== 'absent')
      return ask('POST', '/v2/fixed-deposits', `{${members.map(([key, text]) => `"${key}":${text}`)}}`)
    }
    for (const good of [
      'amount=0.01',
      'amount=1e0',
      'tenor=1',
      'tenor=36500',
      'tenor=30.0',
      'interest_rate=0.0001',
      'interest_rate=100',
      'interest_rate=12.3456',
      'auto_rollover=true',
      'start_date="2026-07-01"',
      'start_date="1826-06-30"',
    ]) {
      const answer = await open(good)
      assert.equal(answer.status, 201, `${good}: ${answer.text}`)
    }
    await assertUnchanged(db, async () => {
      for (const [bad, code] of [
        ['account_number=absent', 'required'],
        ['account_number=1234567890', 'invalid_type'],
        ['account_number=""', 'blank'],
        ['amount=absent', 'required'],
        ['amount=null', 'null_not_allowed'],
        ['amount=0', 'not_positive'],
        ['amount=0.001', 'too_precise'],
        ['amount=1e13', 'out_of_range'],
        ['tenor=absent', 'required'],
        ['tenor=0', 'out_of_range'],
        ['tenor=-1', 'out_of_range'],
        ['tenor=36501', 'out_of_range'],
        ['tenor=1.5', 'too_precise'],
        ['tenor="30"', 'invalid_type'],
        ['interest_rate=absent', 'required'],
        ['interest_rate=0', 'out_of_range'],
        ['interest_rate=-1', 'out_of_range'],
        ['interest_rate=100.0001', 'out_of_range'],
        ['interest_rate=0.00001', 'too_precise'],
        ['interest_rate="10"', 'invalid_type'],
        ['auto_rollover="yes"', 'invalid_type'],
        ['auto_rollover=null', 'null_not_allowed'],
        ['start_date="2026-02-29"', 'invalid_format'],
        ['start_date=null', 'null_not_allowed'],
        ['deposit_id="fd_1"', 'unknown_field'],
      ] as const) {
        assertRefused(await open(bad), {
          status: 400,
          code: 'invalid_request',
          fields: [[bad.split('=')[0]!, code]],
        })
      }
      assertRefused(await open('account_number="0000000000"'), { status: 404, code: 'account_not_found' })
      assertRefused(await open('start_date="2026-07-02"'), {
        status: 422,
        code: 'start_date_in_future',
        details: '{"business_date":"2026-07-01"}',
      })
      assertRefused(await open('start_date="1826-06-29"'), {
        status: 422,
        code: 'start_date_too_early',
        details: '{"earliest":"1826-06-30"}',
      })
    })
  })

  test('a deposit can take the whole balance of the account, but not a cent more', async () => {
    const { ask, db } = running()
    const { accountNumber } = await fundedAccount(ask, '1000.00')
    const open = (amount: string) =>
      ask(
        'POST',
        '/v2/fixed-deposits',
        `{"account_number":"${accountNumber}","amount":${amount},"tenor":30,"interest_rate":10}`,
      )
    await assertRefusedWithoutTrace(db, () => open('1000.01'), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":1000.00}',
    })
    assert.equal((await open('1000.00')).status, 201)
    await assertRefusedWithoutTrace(db, () => open('0.01'), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":0.00}',
    })
  })

  test('a deposit that would be worth more than the service can keep is refused', async () => {
    const { ask, db } = running()
    const { accountNumber } = await fundedAccount(ask, '9999999999999.99')
    const asking = () =>
      ask(
        'POST',
        '/v2/fixed-deposits',
        `{"account_number":"${accountNumber}","amount":9999999999999.99,"tenor":365,"interest_rate":1}`,
      )
    await assertRefusedWithoutTrace(db, asking, {
      status: 422,
      code: 'maturity_value_out_of_range',
      details: '{"maximum":9999999999999.99}',
    })
  })

  test('concurrent openings never take more than the balance of the account', async () => {
    const { ask } = running()
    const { accountNumber } = await fundedAccount(ask, 100)
    const body = { account_number: accountNumber, amount: 30, tenor: 30, interest_rate: 10 }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', '/v2/fixed-deposits', body)),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 201, 201, 422, 422, 422, 422, 422])
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":10\.00,/)
  })

  test('a deposit keeps the rules in force when it was opened', async () => {
    const { ask } = running()
    const { version } = (await replaceRules(ask, { day_count: 'ACT/360' })).json.data
    const terms = { amount: 10_000, interest_rate: 5, start_date: '2026-06-01' }
    const earlier = await openDeposit(ask, terms)
    await replaceRules(ask, {})
    const later = await openDeposit(ask, terms)
    const read = async (depositId: string) => (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    const [first, second] = [await read(earlier.depositId), await read(later.depositId)]
    // 30/360 and 30/365 of 5 percent of 10,000.
    assert.deepEqual([first.rules_version, first.accrued_interest], [version, 41.67])
    assert.deepEqual([second.rules_version, second.accrued_interest], [version + 1, 41.1])
  })

  test('a deposit that is not in this book is not found', async () => {
    const { ask, askWith, liveKey, db } = running()
    const live = await openDeposit(askWith(liveKey), { amount: 5 })
    const other = await startService(db)
    const foreign = await openDeposit(other.ask, { amount: 5 })
    await other.close()
    for (const id of [
      'fd_000000000000000000000000',
      live.depositId,
      foreign.depositId,
      'cus_1',
      'abc',
      '%00',
    ]) {
      const absent = { status: 404, code: 'deposit_not_found' }
      assertRefused(await ask('GET', `/v2/fixed-deposits/${id}`), absent)
      assertRefused(await ask('GET', `/v2/fixed-deposits/${id}/liquidations`), absent)
    }
    const body = { account_number: live.accountNumber, amount: 5, tenor: 1, interest_rate: 1 }
    assertRefused(await ask('POST', '/v2/fixed-deposits', body), { status: 404, code: 'account_not_found' })
  })
})
