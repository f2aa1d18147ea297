/** Waivers, a quote executed as quoted, and the caller's own references, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import {
  type Ask,
  describeService,
  openDeposit,
  replaceRules,
  type TestService,
} from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

const DEATH = '"reason":"DEATH_OF_OWNER"'

/** A waiver as it is sent, to liquidate and to quote. */
const badWaivers: [waiver: string, ...fields: [string, string][]][] = [
  ['{}', ['waiver.percent', 'required'], ['waiver.reason', 'required']],
  [`{${DEATH}}`, ['waiver.percent', 'required']],
  [`{"percent":50,"amount":1,${DEATH}}`, ['waiver.amount', 'conflicting_field']],
  [`{"percent":0,${DEATH}}`, ['waiver.percent', 'not_positive']],
  [`{"percent":-0,${DEATH}}`, ['waiver.percent', 'not_positive']],
  [`{"percent":-1,${DEATH}}`, ['waiver.percent', 'not_positive']],
  [`{"percent":100.0001,${DEATH}}`, ['waiver.percent', 'out_of_range']],
  [`{"percent":1e400,${DEATH}}`, ['waiver.percent', 'out_of_range']],
  [`{"percent":33.33333,${DEATH}}`, ['waiver.percent', 'too_precise']],
  [`{"percent":"50",${DEATH}}`, ['waiver.percent', 'invalid_type']],
  [`{"percent":null,${DEATH}}`, ['waiver.percent', 'null_not_allowed']],
  [`{"amount":0,${DEATH}}`, ['waiver.amount', 'not_positive']],
  [`{"amount":1.001,${DEATH}}`, ['waiver.amount', 'too_precise']],
  [`{"amount":"1",${DEATH}}`, ['waiver.amount', 'invalid_type']],
  ['{"percent":50}', ['waiver.reason', 'required']],
  ['{"percent":50,"reason":"death"}', ['waiver.reason', 'invalid_format']],
  ['{"percent":50,"reason":"1DEATH"}', ['waiver.reason', 'invalid_format']],
  ['{"percent":50,"reason":"D"}', ['waiver.reason', 'too_short']],
  [`{"percent":50,"reason":"${'D'.repeat(33)}"}`, ['waiver.reason', 'too_long']],
  ['{"percent":50,"reason":null}', ['waiver.reason', 'null_not_allowed']],
  [`{"holding_period":false,${DEATH}}`, ['waiver.holding_period', 'invalid_value']],
  [`{"holding_period":"true",${DEATH}}`, ['waiver.holding_period', 'invalid_type']],
  [`{"percent":50,${DEATH},"note":""}`, ['waiver.note', 'blank']],
  [`{"percent":50,${DEATH},"note":"${'n'.repeat(201)}"}`, ['waiver.note', 'too_long']],
  [`{"percent":50,${DEATH},"by":"me"}`, ['waiver.by', 'unknown_field']],
  ['[]', ['waiver', 'invalid_type']],
  ['true', ['waiver', 'invalid_type']],
]

/** Members of liquidate alone. */
const badMembers: [members: string, ...fields: [string, string][]][] = [
  ['"expected_net_credited":-1', ['expected_net_credited', 'not_positive']],
  ['"expected_net_credited":0', ['expected_net_credited', 'not_positive']],
  ['"expected_net_credited":1.001', ['expected_net_credited', 'too_precise']],
  ['"expected_net_credited":"1"', ['expected_net_credited', 'invalid_type']],
  ['"expected_net_credited":1e13', ['expected_net_credited', 'out_of_range']],
  ['"reference":""', ['reference', 'blank']],
  [`"reference":"${'r'.repeat(65)}"`, ['reference', 'too_long']],
  ['"reference":"a\\nb"', ['reference', 'invalid_format']],
  ['"reference":7', ['reference', 'invalid_type']],
  ['"reason":"customer asked"', ['reason', 'invalid_format']],
  ['"reason":7', ['reason', 'invalid_type']],
]

const quarterOfInterest = {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

/** 100,000 at 10 percent, held for 60 days on the first of July: 1,643.84 of interest and 410.96 of charge. */
async function openZ(ask: Ask) {
  await replaceRules(ask, quarterOfInterest)
  return openDeposit(ask, { amount: 100_000, start_date: '2026-05-02' })
}

function pathOf(depositId: string, what: 'liquidate' | 'liquidation-quote' = 'liquidate'): string {
  return `/v2/fixed-deposits/${depositId}/${what}`
}

describeService('waivers', (running) => {
  test('what a waiver may not be is refused, by liquidate and by a quote alike', async () => {
    const { ask, db } = running()
    const { depositId } = await openZ(ask)
    for (const [waiver, ...fields] of badWaivers) {
      const body = `{"liquidation_type":"FULL","waiver":${waiver}}`
      for (const what of ['liquidate', 'liquidation-quote'] as const) {
        await assertRefusedWithoutTrace(
          db,
          () => ask('POST', pathOf(depositId, what), body),
          invalid(...fields),
        )
      }
    }
  })

  test('a percent is waived: the answer, the record, the entry and the event show it, the note only the record', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openZ(ask)
    const waiver = { percent: 50, reason: 'DEATH_OF_OWNER', note: 'Certificate seen in the Lagos branch' }
    const made = await ask('POST', pathOf(depositId), { liquidation_type: 'FULL', waiver })
    const id = made.json.data.liquidation_id
    const answered =
      `"data":{"deposit_id":"${depositId}","status":"LIQUIDATED","principal_returned":100000.00,` +
      '"interest_paid":1643.84,"penal_charge":205.48,"total_credited":101438.36,' +
      `"credited_account":"${accountNumber}","liquidated_at":"2026-07-01T10:00:00.000Z","liquidation_id":"${id}",` +
      '"liquidation_type":"FULL","remaining_principal":0.00,"currency":"NGN","penal_assessed":410.96,' +
      '"penal_waived":205.48,"waiver":{"percent":50,"amount":null,"holding_period":false,' +
      '"reason":"DEATH_OF_OWNER"},"adjustments":[],"net_credited":101438.36,"reference":null,"reason":null}}'
    assert(made.text.endsWith(answered), made.text)

    const record = (await ask('GET', `/v2/liquidations/${id}`)).json.data
    const { explanation, ...kept } = record
    assert.deepEqual(kept, {
      ...made.json.data,
      waiver: { percent: 50, amount: null, holding_period: false, reason: waiver.reason, note: waiver.note },
      reversed_at: null,
    })
    assert.equal(explanation.penal_charge, 205.48)
    const [entry] = (await ask('GET', `/v2/ledger-entries?liquidation_id=${id}`)).json.data
    assert.deepEqual(
      entry.lines.map(({ account, amount }: { account: string; amount: number }) => [account, amount]),
      [
        [depositId, -100_000],
        ['interest_expense', -1643.84],
        ['penal_income', 410.96],
        ['penal_waived', -205.48],
        [accountNumber, 101_438.36],
      ],
    )
    const [event] = (await ask('GET', '/v2/events?type=fixed_deposit.liquidated')).json.data
    assert.deepEqual(event.data, made.json.data)
    const [audited] = (await ask('GET', `/v2/audit-log?subject_id=${depositId}`)).json.data
    assert.deepEqual(audited.changes.after.waiver.note, waiver.note)
    assert.deepEqual(audited.data, made.json.data)
  })

  test('an amount is waived, up to the charge and not a cent more', async () => {
    const { ask, db } = running()
    const { depositId } = await openZ(ask)
    const waiving = (amount: number) => ({ liquidation_type: 'FULL', waiver: { amount, reason: 'GOODWILL' } })
    for (const amount of [1000, 410.97]) {
      await assertRefusedWithoutTrace(db, () => ask('POST', pathOf(depositId), waiving(amount)), {
        status: 422,
        code: 'waiver_exceeds_charge',
        details: '{"charge":410.96}',
      })
    }
    const made = await ask('POST', pathOf(depositId), waiving(410.96))
    const { penal_assessed, penal_waived, penal_charge, net_credited, waiver } = made.json.data
    assert.deepEqual(
      [penal_assessed, penal_waived, penal_charge, net_credited, waiver.percent, waiver.amount],
      [410.96, 410.96, 0, 101_643.84, null, 410.96],
    )
  })

  test('a quote shows what a waiver would give', async () => {
    const { ask, askWith } = running()
    const { depositId } = await openZ(ask)
    const reading = askWith(await keyWith(ask, ['fixed_deposits:read']))
    const body = {
      liquidation_type: 'FULL',
      waiver: { percent: 33.3333, reason: 'GOODWILL', note: 'asked for' },
    }
    const quoted = await reading('POST', pathOf(depositId, 'liquidation-quote'), body)
    assert.equal(quoted.status, 200, quoted.text)
    const end =
      '"penal_assessed":410.96,"penal_waived":136.99,"waiver":{"percent":33.3333,"amount":null,' +
      '"holding_period":false,"reason":"GOODWILL"},"adjustments":[],"net_credited":101369.87,' +
      '"approval_required":false}}'
    assert(quoted.text.endsWith(end), quoted.text)
  })

  test('where nothing is charged there is nothing to waive, at maturity not even a holding period', async () => {
    const { ask, db } = running()
    await replaceRules(ask, {})
    const { depositId } = await openDeposit(ask, { amount: 1_000, start_date: '2026-05-02' })
    const matured = await openDeposit(ask, { amount: 1_000, tenor: 10, start_date: '2026-05-02' })
    const asked: [string, object][] = [
      [depositId, { percent: 100 }],
      [depositId, { amount: 0.01 }],
      [depositId, { amount: 0.01, holding_period: true }],
      [matured.depositId, { percent: 100 }],
      [matured.depositId, { amount: 0.01 }],
      [matured.depositId, { holding_period: true }],
    ]
    for (const [id, waived] of asked) {
      const body = { liquidation_type: 'FULL', waiver: { ...waived, reason: 'GOODWILL' } }
      for (const what of ['liquidate', 'liquidation-quote'] as const) {
        const refusal = { status: 422, code: 'nothing_to_waive' }
        await assertRefusedWithoutTrace(db, () => ask('POST', pathOf(id, what), body), refusal)
      }
    }
  })

  test('a holding period is lifted by a waiver, and by nothing else', async () => {
    const { ask } = running()
    await replaceRules(ask, { ...quarterOfInterest, min_holding_days: 90 })
    const { depositId } = await openDeposit(ask, { amount: 100_000, start_date: '2026-05-02' })
    const locked = { status: 422, code: 'liquidation_locked', details: '{"unlocks_on":"2026-07-31"}' }
    const waiver = { percent: 100, reason: 'COURT_ORDER' }
    assertRefused(await ask('POST', pathOf(depositId), { liquidation_type: 'FULL' }), locked)
    assertRefused(await ask('POST', pathOf(depositId), { liquidation_type: 'FULL', waiver }), locked)
    const lifted = { holding_period: true, reason: 'COURT_ORDER' }
    const part = { liquidation_type: 'PARTIAL', amount: 1_000, waiver: lifted }
    const { data } = (await ask('POST', pathOf(depositId), part)).json
    assert.deepEqual(
      [data.penal_assessed, data.penal_waived, data.waiver],
      [4.11, 0, { percent: null, amount: null, ...lifted }],
    )
    const rest = { liquidation_type: 'FULL', waiver: { ...waiver, holding_period: true } }
    assert.equal((await ask('POST', pathOf(depositId), rest)).json.data.penal_charge, 0)
  })

  test('liquidating with a waiver needs its own scope, checked right after the fields', async () => {
    const { ask, askWith, db } = running()
    const { depositId } = await openZ(ask)
    const clerk = askWith(await keyWith(ask, ['fixed_deposits:liquidate']))
    const waiver = { percent: 50, reason: 'GOODWILL' }
    const lacking = {
      status: 403,
      code: 'insufficient_scope',
      details: '{"required_scope":"penal_charges:waive"}',
    }
    const body = { liquidation_type: 'FULL', waiver }
    await assertRefusedWithoutTrace(db, () => clerk('POST', pathOf(depositId), body), lacking)
    // Fields come first; the deposit, and an earlier answer to the key, come after.
    assertRefused(
      await clerk('POST', pathOf(depositId), { ...body, amount: -1 }),
      invalid(['amount', 'not_positive']),
    )
    assertRefused(await clerk('POST', pathOf('fd_unknown'), body), lacking)
    const key = { 'idempotency-key': 'waived once' }
    const supervisor = askWith(await keyWith(ask, ['fixed_deposits:liquidate', 'penal_charges:waive']))
    assert.equal((await supervisor('POST', pathOf(depositId), body, key)).status, 200)
    assertRefused(await clerk('POST', pathOf(depositId), body, key), lacking)
    assert.equal(
      (await supervisor('POST', pathOf(depositId), body, key)).headers['idempotent-replayed'],
      'true',
    )
    const plain = await openZ(ask)
    const withoutWaiver = { liquidation_type: 'FULL', waiver: null }
    assert.equal((await clerk('POST', pathOf(plain.depositId), withoutWaiver)).status, 200)
  })
})

describeService('a quote executed as quoted', (running) => {
  test('members of liquidate alone are checked like all others, and are unknown to a quote', async () => {
    const { ask, db } = running()
    const { depositId } = await openZ(ask)
    for (const [members, ...fields] of badMembers) {
      const body = `{"liquidation_type":"FULL",${members}}`
      await assertRefusedWithoutTrace(db, () => ask('POST', pathOf(depositId), body), invalid(...fields))
    }
    const quoted = { liquidation_type: 'FULL', expected_net_credited: 1, reference: 'r', reason: 'RR' }
    assertRefused(
      await ask('POST', pathOf(depositId, 'liquidation-quote'), quoted),
      invalid(
        ['expected_net_credited', 'unknown_field'],
        ['reference', 'unknown_field'],
        ['reason', 'unknown_field'],
      ),
    )
  })

  test('the net amount that was agreed to is paid, and another one is refused', async () => {
    const { ask, clock, db } = running()
    const { depositId } = await openZ(ask)
    const waiver = { percent: 50, reason: 'GOODWILL' }
    const quoted = await ask('POST', pathOf(depositId, 'liquidation-quote'), {
      liquidation_type: 'FULL',
      waiver,
    })
    const agreed = { liquidation_type: 'FULL', waiver, expected_net_credited: quoted.json.data.net_credited }
    clock.now = new Date('2026-07-02T10:00:00.000Z')
    await assertRefusedWithoutTrace(db, () => ask('POST', pathOf(depositId), agreed), {
      status: 409,
      code: 'figures_changed',
      details: '{"net_credited":101462.33}',
    })
    clock.now = new Date('2026-07-01T10:00:00.000Z')
    assert.equal((await ask('POST', pathOf(depositId), agreed)).json.data.net_credited, 101_438.36)
  })

  test('it is refused last, after all that would refuse the liquidation itself', async () => {
    const { ask } = running()
    const { depositId } = await openZ(ask)
    const wrong = { liquidation_type: 'FULL', expected_net_credited: 1 }
    const refusals: [body: object, status: number, code: string][] = [
      [{ ...wrong, amount: 7 }, 422, 'amount_conflicts_with_full'],
      [{ ...wrong, waiver: { amount: 500, reason: 'GOODWILL' } }, 422, 'waiver_exceeds_charge'],
      [wrong, 409, 'figures_changed'],
    ]
    for (const [body, status, code] of refusals) {
      const answer = await ask('POST', pathOf(depositId), body)
      assert.deepEqual([answer.status, answer.json.error.code], [status, code])
    }
    await ask('POST', pathOf(depositId), { liquidation_type: 'FULL' })
    assert.equal((await ask('POST', pathOf(depositId), wrong)).json.error.code, 'deposit_not_active')
  })

  test('null is as good as absent', async () => {
    const { ask } = running()
    const { depositId } = await openZ(ask)
    const body = {
      liquidation_type: 'FULL',
      amount: null,
      waiver: null,
      expected_net_credited: null,
      reference: null,
      reason: null,
    }
    const made = await ask('POST', pathOf(depositId), body)
    assert.deepEqual(
      [made.status, made.json.data.waiver, made.json.data.net_credited],
      [200, null, 101_232.88],
    )
  })

  test("the caller's reference and reason are kept, shown and announced", async () => {
    const { ask } = running()
    const { depositId } = await openZ(ask)
    const own = { reference: 'Teller 7 / slip 0042 – ọ', reason: 'CUSTOMER_REQUEST' }
    const made = await ask('POST', pathOf(depositId), { liquidation_type: 'FULL', ...own })
    const reported = (data: Record<string, unknown>) => ({ reference: data.reference, reason: data.reason })
    assert.deepEqual(reported(made.json.data), own)
    const record = await ask('GET', `/v2/liquidations/${made.json.data.liquidation_id}`)
    assert.deepEqual(reported(record.json.data), own)
    const [event] = (await ask('GET', '/v2/events?type=fixed_deposit.liquidated')).json.data
    assert.deepEqual(reported(event.data), own)
  })
})

async function keyWith(ask: TestService['ask'], scopes: string[]): Promise<string> {
  const made = await ask('POST', '/v2/api-keys', { scopes })
  assert.equal(made.status, 201, made.text)
  return made.json.data.key
}
