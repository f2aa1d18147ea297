import assert from 'node:assert/strict'
import { audit } from '../../support/auditor.ts'
import { forEachEngine } from '../../support/engines.ts'
import { assertRefused } from '../../support/refusals.ts'
import { openDeposit, startService } from '../../support/service.ts'

forEachEngine(({ test }) => {
  test('the instruction of a deposit is changed until the day before maturity, with one event', async (db) => {
    const { service, clock, ask } = await startService(db)
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 100_000, tenor: 365 })
    const path = `/v2/fixed-deposits/${depositId}/maturity-instruction`
    const changed = await ask('PUT', path, { maturity_instruction: 'ROLL_OVER_PRINCIPAL' })
    assert.deepEqual(
      [changed.status, changed.json.data.maturity_instruction, changed.json.data.auto_rollover],
      [200, 'ROLL_OVER_PRINCIPAL', true],
    )
    assert.equal((await ask('PUT', path, { maturity_instruction: 'ROLL_OVER_PRINCIPAL' })).status, 200)
    const events = await ask('GET', '/v2/events?type=fixed_deposit.maturity_instruction_changed')
    assert.deepEqual(
      events.json.data.map((event: { data: object }) => event.data),
      [changed.json.data],
    )

    clock.now = new Date('2027-07-01T10:00:00.000Z')
    assertRefused(await ask('PUT', path, { maturity_instruction: 'PAY_OUT' }), {
      status: 409,
      code: 'deposit_matured',
      details: '{"maturity_date":"2027-07-01"}',
    })
    await service.maturity.settleAll()
    assertRefused(await ask('PUT', path, { maturity_instruction: 'PAY_OUT' }), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"ROLLED_OVER"}',
    })
    const account = await ask('GET', `/v2/accounts/${accountNumber}`)
    assert.equal(account.json.data.balance, 10_000)
    const rolled = await ask('GET', '/v2/events?type=fixed_deposit.rolled_over')
    const { interest_paid, interest_rolled_over, net_credited, successor } = rolled.json.data[0].data
    assert.deepEqual([interest_paid, interest_rolled_over, net_credited], [10_000, 0, 10_000])
    assert.deepEqual(
      [successor.principal, successor.maturity_instruction, successor.rollovers],
      [100_000, 'ROLL_OVER_PRINCIPAL', 1],
    )
    await audit(db)
  })

  test('bad instructions, and deposits that do not exist, are refused', async (db) => {
    const { ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const path = `/v2/fixed-deposits/${depositId}/maturity-instruction`
    for (const [body, code] of [
      [{}, 'required'],
      [{ maturity_instruction: null }, 'null_not_allowed'],
      [{ maturity_instruction: 'PAY' }, 'invalid_value'],
    ] as const) {
      const refused = await ask('PUT', path, body)
      assert.deepEqual(
        [
          refused.status,
          refused.json.error.fields.map((one: { field: string; code: string }) => [one.field, one.code]),
        ],
        [400, [['maturity_instruction', code]]],
      )
    }
    const unknown = '/v2/fixed-deposits/fd_000000000000000000000000/maturity-instruction'
    assertRefused(await ask('PUT', unknown, { maturity_instruction: 'PAY_OUT' }), {
      status: 404,
      code: 'deposit_not_found',
    })
  })

  test('a deposit without payments lists none', async (db) => {
    const { ask } = await startService(db)
    const { depositId } = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const listed = await ask('GET', `/v2/fixed-deposits/${depositId}/interest-payments`)
    assert.deepEqual([listed.status, listed.json.data], [200, []])
    assertRefused(await ask('GET', '/v2/fixed-deposits/fd_1/interest-payments'), {
      status: 404,
      code: 'deposit_not_found',
    })
  })
})
