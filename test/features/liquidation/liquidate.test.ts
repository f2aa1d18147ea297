/** Every row of the table of spec section 3 on liquidating, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../../src/engine/database/database.ts'
import { findDeposits } from '../../../src/features/deposits/store.ts'
import {
  assertRefused,
  assertRefusedWithoutTrace,
  assertStandardHeaders,
  assertUnchanged,
  type ExpectedRefusal,
  withoutRequestId,
} from '../../support/refusals.ts'
import { type Ask, describeService, openDeposit, replaceRules, startService } from '../../support/service.ts'

/** Of parts of a deposit that paid no interest before. */
const NOTHING_TAKEN_BACK = { paid_share: 0, unearned: 0, recovered: 0 }

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})
const malformed: ExpectedRefusal = { status: 400, code: 'malformed_json' }

/** Bodies as they are sent, because the spelling of a number is the point. */
const badBodies: [body: string, refusal: ExpectedRefusal][] = [
  ['{"liquidation_type":"PARTIAL"}', invalid(['amount', 'required'])],
  ['{"liquidation_type":"PARTIAL","amount":null}', invalid(['amount', 'required'])],

  ['{}', invalid(['liquidation_type', 'required'])],
  ['{"amount":100}', invalid(['liquidation_type', 'required'])],
  ['{"liquidation_type":null}', invalid(['liquidation_type', 'null_not_allowed'])],
  ['{"liquidation_type":"full"}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":"Full"}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":" FULL"}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":"FULL "}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":"partial","amount":1}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":"CLOSE"}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":""}', invalid(['liquidation_type', 'invalid_value'])],
  ['{"liquidation_type":1}', invalid(['liquidation_type', 'invalid_type'])],
  ['{"liquidation_type":true}', invalid(['liquidation_type', 'invalid_type'])],
  ['{"liquidation_type":["FULL"]}', invalid(['liquidation_type', 'invalid_type'])],
  ['{"liquidation_type":{"FULL":1}}', invalid(['liquidation_type', 'invalid_type'])],

  ...['"5000"', '"1e2"', '""', 'true', 'false', '[]', '[100]', '{}'].map(badAmount('invalid_type')),
  ...['0', '-0', '0.00', '-0.00', '0e5', '-1', '-0.01', '-100.001', '-1e400'].map(badAmount('not_positive')),
  ...['100.001', '0.001', '1e-3', '1e-400', '0.10000000000000000001'].map(badAmount('too_precise')),
  ...['1e400', '10000000000000', '9999999999999.991', '99999999999999.99', '1e13'].map(
    badAmount('out_of_range'),
  ),
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '01',
    '.5',
    '5.',
    '+5',
    '1e',
    '0x10',
    '1_000',
    '1,000.00',
    '--1',
    'nan',
  ].map((amount): [string, ExpectedRefusal] => [
    `{"liquidation_type":"PARTIAL","amount":${amount}}`,
    malformed,
  ]),

  ['{"liquidation_type":"FULL","ammount":100}', invalid(['ammount', 'unknown_field'])],
  [
    '{"liquidation_type":"PARTIAL","ammount":100}',
    invalid(['amount', 'required'], ['ammount', 'unknown_field']),
  ],
  ['{"liquidation_type":"FULL","Amount":100}', invalid(['Amount', 'unknown_field'])],
  ['{"liquidation_type":"FULL","as_of":"2026-07-01"}', invalid(['as_of', 'unknown_field'])],
  ['{"liquidation_type":"FULL","__proto__":{"amount":1}}', invalid(['__proto__', 'unknown_field'])],
  ['{"liquidation_type":"FULL","constructor":1}', invalid(['constructor', 'unknown_field'])],
  ['{"liquidation_type":"FULL","amount":"all"}', invalid(['amount', 'invalid_type'])],
  [
    '{"b":1,"amount":-5,"a":2,"liquidation_type":"CLOSE"}',
    invalid(
      ['liquidation_type', 'invalid_value'],
      ['amount', 'not_positive'],
      ['b', 'unknown_field'],
      ['a', 'unknown_field'],
    ),
  ],
]

function badAmount(code: string): (amount: string) => [string, ExpectedRefusal] {
  return (amount) => [`{"liquidation_type":"PARTIAL","amount":${amount}}`, invalid(['amount', code])]
}

/** How 100.00 and 143.48 may be spelt. */
const goodAmounts: [sent: string, shown: string][] = [
  ['100', '100.00'],
  ['100.10', '100.10'],
  ['100.100', '100.10'],
  ['100.1000000000000000000000000000', '100.10'],
  ['1e2', '100.00'],
  ['1E+2', '100.00'],
  ['10000e-2', '100.00'],
  ['143.48', '143.48'],
  ['0.01', '0.01'],
  ['1e-2', '0.01'],
]

describeService('liquidating a deposit', (running) => {
  test('a FULL liquidation pays principal and interest, less the charge, to the source account', async () => {
    const { ask } = running()
    await replaceRules(ask, {
      penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
    })
    const { depositId, accountNumber } = await openDeposit(ask, {
      amount: '500000.00',
      start_date: '2026-01-01',
    })
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'FULL',
    })
    assert.equal(answer.status, 200)
    assertStandardHeaders(answer)
    const liquidationId = answer.json.data.liquidation_id
    assert.match(liquidationId, /^liq_[0-9A-Za-z]{24}$/)
    // 500,000 × 10 % × 181/365 = 24,794.5205; a quarter of it is 6,198.6301.
    assert.equal(
      answer.text,
      `{"status":true,"message":"The fixed deposit was liquidated.","data":{"deposit_id":"${depositId}",` +
        '"status":"LIQUIDATED","principal_returned":500000.00,"interest_paid":24794.52,"penal_charge":6198.63,' +
        `"total_credited":518595.89,"credited_account":"${accountNumber}",` +
        `"liquidated_at":"2026-07-01T10:00:00.000Z","liquidation_id":"${liquidationId}",` +
        '"liquidation_type":"FULL","remaining_principal":0.00,"currency":"NGN","penal_assessed":6198.63,' +
        '"penal_waived":0.00,"waiver":null,"adjustments":[],"net_credited":518595.89,"reference":null,"reason":null}}',
    )
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":518595\.89,/)
    const deposit = await ask('GET', `/v2/fixed-deposits/${depositId}`)
    assert.match(deposit.text, /"status":"LIQUIDATED",.*"remaining_principal":0\.00,/)
    assert.equal(deposit.json.data.liquidated_at, '2026-07-01T10:00:00.000Z')
    await replaceRules(ask, {})
  })

  test('a PARTIAL liquidation pays its own interest alone, and the rest continues', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openDeposit(ask, {
      amount: '500000.00',
      start_date: '2026-01-01',
    })
    const before = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data
    const answer = await ask(
      'POST',
      `/v2/fixed-deposits/${depositId}/liquidate`,
      '{"liquidation_type":"PARTIAL","amount":200000.10}',
    )
    assert.equal(answer.status, 200)
    const liquidationId = answer.json.data.liquidation_id
    // 200,000.10 × 10 % × 181/365 = 9,917.8132.
    assert.equal(
      answer.text,
      `{"status":true,"message":"The fixed deposit was partially liquidated.","data":{"deposit_id":"${depositId}",` +
        '"status":"ACTIVE","principal_returned":200000.10,"interest_paid":9917.81,"penal_charge":0.00,' +
        `"total_credited":209917.91,"credited_account":"${accountNumber}",` +
        `"liquidated_at":"2026-07-01T10:00:00.000Z","liquidation_id":"${liquidationId}",` +
        '"liquidation_type":"PARTIAL","remaining_principal":299999.90,"currency":"NGN","penal_assessed":0.00,' +
        '"penal_waived":0.00,"waiver":null,"adjustments":[],"net_credited":209917.91,"reference":null,"reason":null}}',
    )
    const after = await ask('GET', `/v2/fixed-deposits/${depositId}`)
    // 299,999.90 × 10 % × 181/365 = 14,876.7074.
    assert.match(after.text, /"remaining_principal":299999\.90,.*"accrued_interest":14876\.71,/)
    assert.deepEqual(after.json.data, {
      ...before,
      remaining_principal: 299_999.9,
      // 299,999.90 × 10 %.
      expected_interest: 29_999.99,
      accrued_interest: 14_876.71,
      updated_at: '2026-07-01T10:00:00.000Z',
    })
    const rest = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assert.match(rest.text, /"principal_returned":299999\.90,"interest_paid":14876\.71,/)
  })

  for (const amount of ['', ',"amount":null', ',"amount":1000', ',"amount":1000.00', ',"amount":1e3']) {
    test(`FULL with ${amount === '' ? 'no amount' : amount.slice(1)} is not contradictory`, async () => {
      const { ask } = running()
      const { depositId } = await openDeposit(ask, { amount: 1000 })
      const answer = await ask(
        'POST',
        `/v2/fixed-deposits/${depositId}/liquidate`,
        `{"liquidation_type":"FULL"${amount}}`,
      )
      assert.equal(answer.status, 200)
      assert.match(answer.text, /"status":"LIQUIDATED","principal_returned":1000\.00,"interest_paid":0\.00,/)
    })
  }

  test('amounts are read exactly, however they are spelt', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, {
      amount: '9999990000000.00',
      interest_rate: 0.0001,
      tenor: 1,
    })
    for (const [sent, shown] of goodAmounts) {
      const answer = await ask(
        'POST',
        `/v2/fixed-deposits/${depositId}/liquidate`,
        `{"liquidation_type":"PARTIAL","amount":${sent}}`,
      )
      assert.equal(answer.status, 200, sent)
      assert(answer.text.includes(`"principal_returned":${shown},`), answer.text)
    }
    const rest = await ask('GET', `/v2/fixed-deposits/${depositId}`)
    assert.match(rest.text, /"remaining_principal":9999989999156\.20,/)
  })

  test('a bad body gets the answer of its row, and changes nothing', async () => {
    const { ask, db } = running()
    const { depositId } = await openDeposit(ask, { amount: '500000.00' })
    await assertUnchanged(db, async () => {
      for (const [body, refusal] of badBodies) {
        assertRefused(await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body), refusal)
      }
    })
  })

  test('the error of a wrong liquidation_type lists both valid values', async () => {
    const { ask } = running()
    for (const type of ['"CLOSE"', '7']) {
      const answer = await ask('POST', '/v2/fixed-deposits/fd_1/liquidate', `{"liquidation_type":${type}}`)
      assert.match(answer.json.error.fields[0].message, /"FULL" or "PARTIAL"/)
    }
  })

  test('an amount that does not fit the deposit is refused on either side of the edge', async () => {
    const { ask, db } = running()
    const { depositId } = await openDeposit(ask, { amount: '500000.00' })
    const asking = (body: string) => () => ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
    const remaining = '{"remaining_principal":500000.00}'
    for (const amount of ['499999.99', '500000.01', '0.01', '9999999999999.99']) {
      await assertRefusedWithoutTrace(db, asking(`{"liquidation_type":"FULL","amount":${amount}}`), {
        status: 422,
        code: 'amount_conflicts_with_full',
        details: remaining,
      })
    }
    for (const amount of ['500000', '500000.00', '5e5']) {
      await assertRefusedWithoutTrace(db, asking(`{"liquidation_type":"PARTIAL","amount":${amount}}`), {
        status: 422,
        code: 'amount_equals_principal',
        details: remaining,
      })
    }
    const equal = await asking('{"liquidation_type":"PARTIAL","amount":500000}')()
    assert.match(equal.json.message, /use FULL/)
    for (const amount of ['500000.01', '9999999999999.99']) {
      await assertRefusedWithoutTrace(db, asking(`{"liquidation_type":"PARTIAL","amount":${amount}}`), {
        status: 422,
        code: 'amount_exceeds_principal',
        details: remaining,
      })
    }
    const most = await asking('{"liquidation_type":"PARTIAL","amount":499999.99}')()
    assert.equal(most.status, 200)
    assert.match(most.text, /"remaining_principal":0\.01,/)
  })

  test('the minimums of the rules apply on either side of the edge', async () => {
    const { ask, db } = running()
    await replaceRules(ask, { min_partial_amount: 1000, min_remaining_principal: 10_000 })
    const { depositId } = await openDeposit(ask, { amount: '500000.00' })
    await replaceRules(ask, {})
    const partial = (amount: string) => () =>
      ask(
        'POST',
        `/v2/fixed-deposits/${depositId}/liquidate`,
        `{"liquidation_type":"PARTIAL","amount":${amount}}`,
      )
    await assertRefusedWithoutTrace(db, partial('999.99'), {
      status: 422,
      code: 'amount_below_minimum',
      details: '{"minimum":1000.00}',
    })
    await assertRefusedWithoutTrace(db, partial('490000.01'), {
      status: 422,
      code: 'remaining_below_minimum',
      details: '{"minimum":10000.00,"maximum_amount":490000.00}',
    })
    assert.equal((await partial('1000')()).status, 200)
    assert.match((await partial('489000.00')()).text, /"remaining_principal":10000\.00,/)
    // No amount fits any more: each would leave too little.
    await assertRefusedWithoutTrace(db, partial('1000'), {
      status: 422,
      code: 'remaining_below_minimum',
      details: '{"minimum":10000.00,"maximum_amount":0.00}',
    })
    await assertRefusedWithoutTrace(db, partial('10000'), {
      status: 422,
      code: 'amount_equals_principal',
      details: '{"remaining_principal":10000.00}',
    })
    const rest = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assert.equal(rest.status, 200)
  })

  test('the minimums do not bind a FULL liquidation', async () => {
    const { ask } = running()
    await replaceRules(ask, { min_partial_amount: 1000, min_remaining_principal: 10_000 })
    const { depositId } = await openDeposit(ask, { amount: 5 })
    await replaceRules(ask, {})
    const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'FULL',
    })
    assert.equal(answer.status, 200)
  })

  test('where the rules allow no partial liquidation only FULL works', async () => {
    const { ask, db } = running()
    await replaceRules(ask, { allow_partial: false })
    const { depositId } = await openDeposit(ask, { amount: 5000 })
    await replaceRules(ask, {})
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    for (const amount of [100, 5000, 6000]) {
      await assertRefusedWithoutTrace(db, () => ask('POST', url, { liquidation_type: 'PARTIAL', amount }), {
        status: 422,
        code: 'partial_liquidation_not_allowed',
      })
    }
    assert.equal((await ask('POST', url, { liquidation_type: 'FULL' })).status, 200)
  })

  test('a deposit is locked until its holding period ends', async () => {
    const { ask, db, clock } = running()
    await replaceRules(ask, { min_holding_days: 30 })
    const { depositId } = await openDeposit(ask, { amount: 5000, start_date: '2026-06-02' })
    await replaceRules(ask, {})
    const url = `/v2/fixed-deposits/${depositId}/liquidate`
    const locked: ExpectedRefusal = {
      status: 422,
      code: 'liquidation_locked',
      details: '{"unlocks_on":"2026-07-02"}',
    }
    await assertRefusedWithoutTrace(db, () => ask('POST', url, { liquidation_type: 'FULL' }), locked)
    await assertRefusedWithoutTrace(
      db,
      () => ask('POST', url, { liquidation_type: 'PARTIAL', amount: 100 }),
      locked,
    )
    // It is still the first of July in UTC, but the caller's bank in Lagos has already opened the second.
    clock.now = new Date('2026-07-01T22:59:59.999Z')
    assertRefused(await ask('POST', url, { liquidation_type: 'FULL' }), locked)
    clock.now = new Date('2026-07-01T23:00:00.000Z')
    assert.equal((await ask('POST', url, { liquidation_type: 'FULL' })).status, 200)
    clock.now = new Date('2026-07-01T10:00:00.000Z')
  })

  test('a holding period longer than the term ends with it', async () => {
    const { ask } = running()
    await replaceRules(ask, { min_holding_days: 400 })
    const young = await openDeposit(ask, { amount: 5000, tenor: 30, start_date: '2026-06-15' })
    const mature = await openDeposit(ask, { amount: 5000, tenor: 10, start_date: '2026-06-15' })
    await replaceRules(ask, {})
    const full = { liquidation_type: 'FULL' }
    assertRefused(await ask('POST', `/v2/fixed-deposits/${young.depositId}/liquidate`, full), {
      status: 422,
      code: 'liquidation_locked',
      details: '{"unlocks_on":"2026-07-15"}',
    })
    assert.equal((await ask('POST', `/v2/fixed-deposits/${mature.depositId}/liquidate`, full)).status, 200)
  })

  test('from maturity on there is no charge and interest does not grow', async () => {
    const { ask } = running()
    await replaceRules(ask, {
      penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'PRINCIPAL', percent: 100 }] }],
    })
    const terms = { amount: '100000.00', tenor: 90 }
    const eve = await openDeposit(ask, { ...terms, start_date: '2026-04-03' })
    const day = await openDeposit(ask, { ...terms, start_date: '2026-04-02' })
    const past = await openDeposit(ask, { ...terms, start_date: '2020-01-01' })
    await replaceRules(ask, {})
    const figures = async (depositId: string) => {
      const { text } = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
        liquidation_type: 'FULL',
      })
      return /"principal_returned".*"total_credited":[\d.]+/.exec(text)?.[0]
    }
    // 100,000 × 10 % × 89/365, then 90/365.
    assert.equal(
      await figures(eve.depositId),
      '"principal_returned":100000.00,"interest_paid":2438.36,"penal_charge":2438.36,"total_credited":100000.00',
    )
    const matured =
      '"principal_returned":100000.00,"interest_paid":2465.75,"penal_charge":0.00,"total_credited":102465.75'
    assert.equal(await figures(day.depositId), matured)
    assert.equal(await figures(past.depositId), matured)
  })

  test('a deposit that is not active is refused, whatever else is wrong with the amount', async () => {
    const { ask, db } = running()
    for (const status of ['LIQUIDATED', 'MATURED', 'ROLLED_OVER']) {
      const { depositId } = await openDeposit(ask, { amount: 5000 })
      const url = `/v2/fixed-deposits/${depositId}/liquidate`
      assert.equal((await ask('POST', url, { liquidation_type: 'FULL' })).status, 200)
      if (status !== 'LIQUIDATED') await pretend(db, { depositId, status })
      for (const body of [
        { liquidation_type: 'FULL' },
        { liquidation_type: 'FULL', amount: 1 },
        { liquidation_type: 'PARTIAL', amount: 1 },
        { liquidation_type: 'PARTIAL', amount: 5000 },
      ]) {
        await assertRefusedWithoutTrace(db, () => ask('POST', url, body), {
          status: 409,
          code: 'deposit_not_active',
          details: `{"deposit_status":"${status}"}`,
        })
      }
      if (status !== 'LIQUIDATED') await pretend(db, { depositId, status: 'LIQUIDATED' })
    }
  })

  test('a credit that would exceed the largest balance is refused', async () => {
    const { ask, db } = running()
    const { depositId, accountNumber } = await openDeposit(ask, { amount: 1000 })
    const room = await ask('POST', `/v2/accounts/${accountNumber}/credits`, '{"amount":9999999999000.00}')
    assert.equal(room.status, 201)
    const full = () => ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    await assertRefusedWithoutTrace(db, full, {
      status: 422,
      code: 'balance_limit_exceeded',
      details: '{"maximum":9999999999999.99}',
    })
    const most = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 999.99,
    })
    assert.equal(most.status, 200)
    assert.match((await ask('GET', `/v2/accounts/${accountNumber}`)).text, /"balance":9999999999999\.99,/)
  })

  test('every identifier that is not a deposit of this book gets the same answer, whatever it looks like', async () => {
    const { ask, askWith, liveKey, db } = running()
    const { customerId, accountNumber } = await openDeposit(ask, { amount: 1 })
    const live = await openDeposit(askWith(liveKey), { amount: 5000 })
    const other = await startService(db)
    const foreign = await openDeposit(other.ask, { amount: 5000 })
    const ids = [
      'fd_000000000000000000000000',
      live.depositId,
      foreign.depositId,
      customerId,
      accountNumber,
      'abc',
      '',
      '-',
      '%20',
      '%00',
      `${live.depositId}%00`,
      'fd_%2F..%2F',
      '%F0%9F%8F%A6',
      "fd_'%20or%20'1'%3D'1",
      'x'.repeat(8000),
    ]
    const bodies = new Set<string>()
    await assertUnchanged(db, async () => {
      for (const id of ids) {
        const answer = await ask('POST', `/v2/fixed-deposits/${id}/liquidate`, { liquidation_type: 'FULL' })
        assertRefused(answer, { status: 404, code: 'deposit_not_found' })
        bodies.add(withoutRequestId(answer))
      }
    })
    assert.equal(bodies.size, 1)
    for (const [owner, depositId] of [
      [askWith(liveKey), live.depositId],
      [other.ask, foreign.depositId],
    ] as [Ask, string][]) {
      const own = await owner('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
        liquidation_type: 'FULL',
      })
      assert.equal(own.status, 200)
    }
    await other.close()
  })

  test('an identifier may be percent-encoded', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 5000 })
    const encoded = depositId.replace('fd_', '%66%64%5F')
    const answer = await ask('POST', `/v2/fixed-deposits/${encoded}/liquidate`, { liquidation_type: 'FULL' })
    assert.equal(answer.json.data.deposit_id, depositId)
  })

  test('the first failure answers when a request is wrong in several ways', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 5000 })
    const path = `/v2/fixed-deposits/${depositId}/liquidate`
    await ask('POST', path, { liquidation_type: 'FULL' })
    const unknown = '/v2/fixed-deposits/fd_1/liquidate'
    const badKey = { 'idempotency-key': 'é' }
    const large = ' '.repeat(70_000)
    const wrongType = { 'content-type': 'text/plain' }
    const nobody = { authorization: 'Basic x' }
    const asked: [Promise<{ status: number; json: any }>, number, string][] = [
      [ask('POST', '/v2/nothing', large, { ...nobody, ...wrongType }), 404, 'route_not_found'],
      [ask('DELETE', path, large, { ...nobody, ...wrongType }), 405, 'method_not_allowed'],
      [ask('POST', unknown, large, { ...nobody, ...wrongType, ...badKey }), 401, 'malformed_authorization'],
      [ask('POST', unknown, large, { ...wrongType, ...badKey }), 415, 'unsupported_media_type'],
      [ask('POST', unknown, large, badKey), 413, 'body_too_large'],
      [ask('POST', unknown, '{', badKey), 400, 'malformed_json'],
      [ask('POST', unknown, '[]', badKey), 400, 'malformed_json'],
      [ask('POST', unknown, '{}', badKey), 400, 'invalid_idempotency_key'],
      [ask('POST', unknown, '{}'), 400, 'invalid_request'],
      [ask('POST', unknown, { liquidation_type: 'PARTIAL', amount: 1 }), 404, 'deposit_not_found'],
      [ask('POST', path, { liquidation_type: 'PARTIAL', amount: 1e6 }), 409, 'deposit_not_active'],
    ]
    for (const [asking, status, code] of asked) {
      const answer = await asking
      assert.deepEqual([answer.status, answer.json.error.code], [status, code])
    }
  })

  test('each liquidation can be read again, with its computation', async () => {
    const { ask } = running()
    await replaceRules(ask, {
      penal_rules: [
        {
          when: { elapsed_percent: { gte: 40 } },
          terms: [
            { kind: 'RERATE', rate: { of: 'CONTRACT', add: -1 } },
            { kind: 'FIXED', amount: 50 },
          ],
        },
      ],
    })
    const { depositId } = await openDeposit(ask, { amount: '100000.00', start_date: '2026-01-01' })
    const { version } = (await replaceRules(ask, {})).json.data
    const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 40_000,
    })
    const { liquidation_id } = made.json.data
    const record = await ask('GET', `/v2/liquidations/${liquidation_id}`)
    assert.equal(record.status, 200)
    const { explanation, ...figures } = record.json.data
    assert.deepEqual(figures, { ...made.json.data, reversed_at: null })
    assert.match(explanation.terms[0].sentence, /1983\.5616438356.*9 %.*1785\.2054794520.*198\.35/)
    assert.deepEqual(explanation, {
      business_date: '2026-07-01',
      start_date: '2026-01-01',
      maturity_date: '2027-01-01',
      elapsed_days: 181,
      term_days: 365,
      day_count: 'ACT/365F',
      rounding: 'HALF_UP',
      interest_rate: 10,
      principal: 40_000,
      unrounded_interest: 1983.5616438356,
      interest: 1983.56,
      rules_version: version - 1,
      rules_source: 'CALLER',
      product_version: null,
      rate_sheet: null,
      rate_sheet_now: null,
      rule_index: 0,
      no_rule_reason: null,
      terms: [
        { kind: 'RERATE', amount: 198.35, sentence: explanation.terms[0].sentence },
        { kind: 'FIXED', amount: 50, sentence: 'A fixed amount of 50.00.' },
      ],
      combine: 'SUM',
      combined: 248.35,
      limited: 248.35,
      capped_from: null,
      penal_charge: 248.35,
      earlier_today: null,
      tax: null,
      interest_method: 'AT_MATURITY',
      interest_every: null,
      whole_periods: 0,
      growth: 0.049589041,
      earned: 1983.56,
      paid_share: 0,
      charged_to_accrued: 248.35,
      charged_to_paid: 0,
      uncollected: 0,
    })
    const list = await ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)
    assert.deepEqual(list.json.data, [record.json.data])
    assertRefused(await ask('GET', '/v2/liquidations/liq_000000000000000000000000'), {
      status: 404,
      code: 'liquidation_not_found',
    })
    assertRefused(await ask('GET', '/v2/fixed-deposits/fd_1/liquidations'), {
      status: 404,
      code: 'deposit_not_found',
    })
  })

  test('a list of liquidations reads its deposit once, however many there are', async () => {
    const { db } = running()
    const read: string[] = []
    const query: Queries['query'] = (text, values) => {
      read.push(text)
      return db.query(text, values)
    }
    const { ask, close } = await startService({ ...db, query })
    const { depositId } = await openDeposit(ask, { amount: '1000.00' })
    const counts: number[] = []
    for (const amount of [10, 20, 30]) {
      await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'PARTIAL', amount })
      read.length = 0
      const list = await ask('GET', `/v2/fixed-deposits/${depositId}/liquidations`)
      assert.equal(list.json.data.length, counts.length + 1)
      counts.push(read.filter((text) => text === findDeposits.text).length)
    }
    await close()
    assert.deepEqual(counts, [1, 1, 1])
  })
})

/** What is broken of a deposit on one day, however it is sent. */
describeService('parts of one day', (running) => {
  const parts = [5_000, 5_000, 40_000]
  const fixedCharge = { penal_rules: [{ when: {}, terms: [{ kind: 'FIXED', amount: 50 }] }] }

  test('pay what one withdrawal would, and each says what was broken before it', async () => {
    const { ask } = running()
    await replaceRules(ask, fixedCharge)
    const { depositId } = await openDeposit(ask, { amount: 50_000, start_date: '2026-03-23' })
    const seen = []
    for (const body of parts.map(partOf)) {
      const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, body)
      const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
      const kept = await ask('GET', `/v2/liquidations/${made.json.data.liquidation_id}`)
      assert.deepEqual(kept.json.data.explanation, quoted.json.data.explanation)
      const { explanation, interest_paid, penal_charge } = kept.json.data
      seen.push([interest_paid, penal_charge, explanation.earlier_today])
    }
    assert.deepEqual(seen, [
      [136.99, 50, null],
      [136.98, 0, { principal: 5_000, interest: 136.99, penal_assessed: 50, ...NOTHING_TAKEN_BACK }],
      [1095.89, 0, { principal: 10_000, interest: 273.97, penal_assessed: 50, ...NOTHING_TAKEN_BACK }],
    ])
  })

  test('see each other in one batch', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 60_000, start_date: '2026-03-23' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
          liquidation_type: 'PARTIAL',
          amount: 5_000,
        }),
      ),
    )
    const sum = (name: string) => answers.reduce((total, { json }) => total + 100 * json.data[name], 0)
    assert.equal(Math.round(sum('interest_paid')), 1369_86)
    assert.equal(Math.round(sum('penal_charge')), 50_00)
  })

  test('are of that day alone', async () => {
    const { ask, clock } = running()
    const { depositId } = await openDeposit(ask, { amount: 50_000, start_date: '2026-03-23' })
    const charges = []
    for (const now of ['2026-07-01T22:59:59.999Z', '2026-07-01T23:00:00.000Z']) {
      clock.now = new Date(now)
      const made = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, partOf(5_000, 0))
      charges.push(made.json.data.penal_charge)
    }
    // The second falls on the next date in Lagos.
    assert.deepEqual(charges, [50, 50])
  })

  /** The last one takes the rest. */
  function partOf(amount: number, index: number) {
    return { liquidation_type: index === parts.length - 1 ? 'FULL' : 'PARTIAL', amount }
  }
})

/** Makes a liquidated deposit look as the maturity job leaves one, and back. */
async function pretend(db: Queries, deposit: { depositId: string; status: string }): Promise<void> {
  await db.query(
    `update deposits
     set status = $2,
         liquidated_at = case when $2 = 'LIQUIDATED' then updated_at end,
         rolled_over_to = case when $2 = 'ROLLED_OVER' then 'fd_successor' end
     where deposit_id = $1`,
    [deposit.depositId, deposit.status],
  )
}
