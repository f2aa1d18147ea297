/** Reversing a mistaken liquidation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../../src/features/callers/store.ts'
import { verify } from '../../../src/features/verification/verify.ts'
import { audit } from '../../support/auditor.ts'
import { forEachEngine } from '../../support/engines.ts'
import { issueKey } from '../../support/keys.ts'
import { assertRefused, assertUnchanged } from '../../support/refusals.ts'
import {
  type Answer,
  type Ask,
  describeService,
  openDeposit,
  replaceRules,
  startService,
} from '../../support/service.ts'

/** Of parts of a deposit that paid no interest before. */
const NOTHING_TAKEN_BACK = { paid_share: 0, unearned: 0, recovered: 0 }

const MISTAKE = { reason: 'Wrong deposit' }
const FULL = { liquidation_type: 'FULL' }
const part = (amount: number) => ({ liquidation_type: 'PARTIAL', amount })
const breakDeposit = (ask: Ask, depositId: string, body: object) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, body)
const reverse = (ask: Ask, liquidationId: string, body: object = MISTAKE, headers?: Record<string, string>) =>
  ask('POST', `/v2/liquidations/${liquidationId}/reverse`, body, headers)

async function broken(ask: Ask, depositId: string, body: object): Promise<string> {
  const answer = await breakDeposit(ask, depositId, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.liquidation_id
}

const read = async (ask: Ask, path: string) => (await ask('GET', path)).json.data
const depositOf = (ask: Ask, depositId: string) => read(ask, `/v2/fixed-deposits/${depositId}`)

const QUARTER = {
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

/** 60 days before the clock of the tests: Z of the figures. */
const Z = { amount: 100_000, start_date: '2026-05-02' }

describeService('reversal', (running) => {
  test('shows the approval that the deposit waits for, as the deposit itself does', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, Z)
    const liquidationId = await broken(ask, depositId, part(100))
    const asked = await ask('POST', '/v2/approvals', {
      operation: 'liquidateFixedDeposit',
      target_id: depositId,
      body: FULL,
    })
    const { deposit } = (await reverse(ask, liquidationId)).json.data
    assert.equal(deposit.pending_approval_id, asked.json.data.approval_id)
    assert.deepEqual(deposit, await depositOf(ask, depositId))
  })

  test('posts the entries again with opposite signs, and the deposit is as if it had not been broken', async () => {
    const { ask } = running()
    await replaceRules(ask, QUARTER)
    const { depositId, accountNumber } = await openDeposit(ask, Z)
    const before = await depositOf(ask, depositId)
    const waiver = { percent: 50, reason: 'GOODWILL' }
    const liquidationId = await broken(ask, depositId, { ...FULL, waiver })
    const answer = await reverse(ask, liquidationId, { ...MISTAKE, note: 'Reported by the branch' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json.data, {
      liquidation_id: liquidationId,
      reversed_at: '2026-07-01T10:00:00.000Z',
      deposit: before,
    })
    assert.deepEqual(await depositOf(ask, depositId), before)
    assert.equal((await read(ask, `/v2/accounts/${accountNumber}`)).balance, 0)

    const [reversal, original] = await read(ask, `/v2/ledger-entries?liquidation_id=${liquidationId}`)
    assert.deepEqual([original.kind, original.reverses], ['LIQUIDATION', null])
    assert.deepEqual([reversal.kind, reversal.reverses], ['REVERSAL', original.entry_id])
    assert.deepEqual([reversal.deposit_id, reversal.account_number], [depositId, accountNumber])
    assert.deepEqual(reversal.lines, [
      { account: depositId, amount: 100_000 },
      { account: 'interest_expense', amount: 1643.84 },
      { account: 'penal_income', amount: -410.96 },
      { account: 'penal_waived', amount: 205.48 },
      { account: accountNumber, amount: -101_438.36 },
    ])
    const kept = await read(ask, `/v2/liquidations/${liquidationId}`)
    assert.equal(Object.keys(kept).at(-1), 'reversed_at')
    assert.equal(kept.reversed_at, '2026-07-01T10:00:00.000Z')

    const [event] = await read(ask, '/v2/events?limit=1')
    assert.deepEqual([event.type, event.data], ['fixed_deposit.liquidation_reversed', answer.json.data])
    const [line] = await read(ask, '/v2/audit-log?action=fixed_deposit.liquidation_reversed&limit=1')
    assert.equal(line.subject_id, depositId)
    assert.deepEqual(line.changes, {
      before: null,
      after: { reason: 'Wrong deposit', note: 'Reported by the branch' },
    })
  })

  test('parts of the day before it still count, and it does not', async () => {
    const { ask } = running()
    await replaceRules(ask, { penal_rules: [{ when: {}, terms: [{ kind: 'FIXED', amount: 50 }] }] })
    const { depositId } = await openDeposit(ask, Z)
    await broken(ask, depositId, part(10_000))
    const mistaken = await broken(ask, depositId, part(20_000))
    await reverse(ask, mistaken)
    const quote = `/v2/fixed-deposits/${depositId}/liquidation-quote`
    const after = (await ask('POST', quote, part(20_000))).json.data
    assert.deepEqual(
      [after.explanation.earlier_today, after.penal_charge],
      [{ principal: 10_000, interest: 164.38, penal_assessed: 50, ...NOTHING_TAKEN_BACK }, 0],
    )
    const again = await breakDeposit(ask, depositId, part(20_000))
    assert.deepEqual([again.json.data.interest_paid, again.json.data.penal_charge], [328.77, 0])
  })

  test('a lone part of its day leaves nothing of that day behind', async () => {
    const { ask } = running()
    await replaceRules(ask, { penal_rules: [{ when: {}, terms: [{ kind: 'FIXED', amount: 50 }] }] })
    const { depositId } = await openDeposit(ask, Z)
    await reverse(ask, await broken(ask, depositId, part(20_000)))
    const quoted = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidation-quote`, part(20_000))
    assert.equal(quoted.json.data.explanation.earlier_today, null)
    assert.equal(quoted.json.data.penal_charge, 50)
  })

  test('several are reversed one by one, newest first', async () => {
    const { ask } = running()
    await replaceRules(ask, QUARTER)
    const { depositId } = await openDeposit(ask, Z)
    const before = await depositOf(ask, depositId)
    const made = [
      await broken(ask, depositId, part(10_000)),
      await broken(ask, depositId, part(20_000)),
      await broken(ask, depositId, FULL),
    ]
    assertRefused(await reverse(ask, made[1]!), { status: 409, code: 'not_latest_movement' })
    for (const one of made.toReversed()) assert.equal((await reverse(ask, one)).status, 200)
    assert.deepEqual(await depositOf(ask, depositId), before)
    assertRefused(await reverse(ask, made[0]!), { status: 409, code: 'liquidation_already_reversed' })
    assert.equal((await breakDeposit(ask, depositId, FULL)).status, 200)
    const list = await read(ask, `/v2/fixed-deposits/${depositId}/liquidations`)
    assert.deepEqual(
      list.map(({ reversed_at }: { reversed_at: string | null }) => reversed_at !== null),
      [false, true, true, true],
    )
  })

  test('refusals and bad input leave everything as it is', async () => {
    const { ask, askWith, liveKey, db, callerId, clock } = running()
    await replaceRules(ask, {})
    const { depositId, accountNumber } = await openDeposit(ask, Z)
    const liquidationId = await broken(ask, depositId, FULL)
    const body = { account_number: accountNumber, amount: 0.01, tenor: 30, interest_rate: 10 }
    assert.equal((await ask('POST', '/v2/fixed-deposits', body)).status, 201)
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const scopes = ['fixed_deposits:liquidate', 'fixed_deposits:read'] as const
    const clerk = askWith((await issueKey(db, book, { scopes: [...scopes], at: clock.now })).key)
    await assertUnchanged(db, async () => {
      assertRefused(await reverse(ask, liquidationId), {
        status: 422,
        code: 'insufficient_funds',
        details: '{"balance":101643.83,"needed":101643.84}',
      })
      assertRefused(await reverse(clerk, liquidationId), {
        status: 403,
        code: 'insufficient_scope',
        details: '{"required_scope":"liquidations:reverse"}',
      })
      for (const [one, id] of [
        [ask, `liq_${'A'.repeat(24)}`],
        [ask, 'abc'],
        [askWith(liveKey), liquidationId],
      ] as const) {
        assertRefused(await reverse(one, id), { status: 404, code: 'liquidation_not_found' })
      }
      for (const [sent, field, code] of [
        [{}, 'reason', 'required'],
        [{ reason: '' }, 'reason', 'blank'],
        [{ reason: 1 }, 'reason', 'invalid_type'],
        [{ reason: 'x'.repeat(201) }, 'reason', 'too_long'],
        [{ reason: 'x', note: 'x'.repeat(201) }, 'note', 'too_long'],
        [{ reason: 'x', amount: 1 }, 'amount', 'unknown_field'],
      ] as const) {
        const fields = [[field, code]] as const
        assertRefused(await reverse(ask, liquidationId, sent), {
          status: 400,
          code: 'invalid_request',
          fields,
        })
      }
    })
    await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 0.01 })
    assert.equal((await reverse(ask, liquidationId)).status, 200)
  })

  test('a key repeats the answer and reverses once', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, Z)
    const liquidationId = await broken(ask, depositId, FULL)
    const headers = { 'idempotency-key': 'reverse-once' }
    const first = await reverse(ask, liquidationId, MISTAKE, headers)
    const second = await reverse(ask, liquidationId, MISTAKE, headers)
    assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text])
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assertRefused(await reverse(ask, liquidationId, { reason: 'Another' }, headers), {
      status: 422,
      code: 'idempotency_key_reused',
    })
  })

  test('of many concurrent reversals, one succeeds', async () => {
    const { ask } = running()
    const { depositId, accountNumber } = await openDeposit(ask, Z)
    const liquidationId = await broken(ask, depositId, FULL)
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(ask, liquidationId)))
    assert.deepEqual(countBy(answers), { done: 1, liquidation_already_reversed: 9 })
    assert.equal((await read(ask, `/v2/accounts/${accountNumber}`)).balance, 0)
  })

  test('of a concurrent reversal and another part, the first to lock wins', async () => {
    const { ask } = running()
    for (let turn = 0; turn < 8; turn += 1) {
      const { depositId, accountNumber } = await openDeposit(ask, Z)
      const liquidationId = await broken(ask, depositId, part(40_000))
      const asked = [
        () => reverse(ask, liquidationId),
        () => breakDeposit(ask, depositId, part(10_000)),
        () => breakDeposit(ask, depositId, FULL),
      ]
      const [first, ...others] = turn % 2 === 0 ? asked : asked.toReversed()
      const answers = await Promise.all([first!(), ...others.map((one) => one())])
      const taken = answers.filter(({ json }) => json.data?.reversed_at !== undefined)
      const reversed = taken.length === 1
      if (!reversed) assert(answers.some(({ json }) => json.error?.code === 'not_latest_movement'))
      const { remaining_principal } = await depositOf(ask, depositId)
      const { balance } = await read(ask, `/v2/accounts/${accountNumber}`)
      const paid = answers.reduce((sum, { json }) => sum + (json.data?.principal_returned ?? 0), 0)
      assert.equal(remaining_principal, 100_000 - paid - (reversed ? 0 : 40_000))
      assert(balance >= 100_000 - remaining_principal)
    }
  })
})

forEachEngine(({ test }) => {
  test('within 30 days of the book, and not after a later movement of the deposit', async (db) => {
    const { ask, close } = await startService(db)
    const tooLate = await openDeposit(ask, Z)
    const inTime = await openDeposit(ask, Z)
    const maturing = await openDeposit(ask, { amount: 1000, tenor: 10 })
    const [late, early, ofMatured] = [
      await broken(ask, tooLate.depositId, FULL),
      await broken(ask, inTime.depositId, FULL),
      await broken(ask, maturing.depositId, part(100)),
    ]
    await ask('POST', '/v2/test-clock', { now: '2026-07-31T22:59:59Z' })
    assertRefused(await reverse(ask, ofMatured), { status: 409, code: 'not_latest_movement' })
    const answer = await reverse(ask, early)
    assert.equal(answer.status, 200, answer.text)
    await ask('POST', '/v2/test-clock', { now: '2026-07-31T23:00:00Z' })
    assertRefused(await reverse(ask, late), { status: 422, code: 'reversal_window_closed' })
    await close()
  })

  test('a maturity that passed meanwhile is settled by the job, even if it had already skipped the deposit', async (db) => {
    const { ask, service, close } = await startService(db)
    const paid = await openDeposit(ask, { amount: 1000, tenor: 10 })
    const rolled = await openDeposit(ask, { amount: 1000, tenor: 10, auto_rollover: true })
    const made = [await broken(ask, paid.depositId, FULL), await broken(ask, rolled.depositId, FULL)]
    await ask('POST', '/v2/test-clock', { now: '2026-07-15T10:00:00Z' })
    await service.maturity.settleAll()
    for (const one of made) assert.equal((await reverse(ask, one)).status, 200)
    await service.maturity.settleAll()
    assert.equal((await depositOf(ask, paid.depositId)).status, 'MATURED')
    assert.equal((await depositOf(ask, rolled.depositId)).status, 'ROLLED_OVER')
    assert.equal((await read(ask, `/v2/accounts/${paid.accountNumber}`)).balance, 1002.74)
    await close()
  })

  test('an earlier day of a deposit without product counts again as it did', async (db) => {
    const { ask, service, callerId, close } = await startService(db)
    const fixed = (amount: number) => [{ kind: 'FIXED', amount }]
    await replaceRules(ask, {
      penal_rules: [
        { when: { earlier_liquidations: { gte: 2 } }, terms: fixed(30) },
        { when: { earlier_liquidations: { gte: 1 } }, terms: fixed(20) },
        { when: {}, terms: fixed(10) },
      ],
    })
    const { depositId } = await openDeposit(ask, Z)
    const chargeOf = async (id: string) => (await read(ask, `/v2/liquidations/${id}`)).penal_assessed
    const made: string[] = []
    for (const day of ['2026-07-02', '2026-07-03', '2026-07-04']) {
      await ask('POST', '/v2/test-clock', { now: `${day}T10:00:00Z` })
      made.push(await broken(ask, depositId, part(10_000)))
    }
    assert.deepEqual(await Promise.all(made.map(chargeOf)), [10, 20, 30])
    assert.equal((await reverse(ask, made[2]!)).status, 200)
    assert.equal(await chargeOf(await broken(ask, depositId, part(10_000))), 30)
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    assert.equal((await verify([book], { db, versions: service.versions })).difference, null)
    await audit(db)
    await close()
  })

  test('a day on which all was reversed is no earlier day', async (db) => {
    const { ask, close } = await startService(db)
    const fixed = (amount: number) => [{ kind: 'FIXED', amount }]
    await replaceRules(ask, {
      penal_rules: [
        { when: { earlier_liquidations: { gte: 1 } }, terms: fixed(20) },
        { when: {}, terms: fixed(10) },
      ],
    })
    const { depositId } = await openDeposit(ask, Z)
    for (const [day, amount] of [
      ['2026-07-02', 10_000],
      ['2026-07-03', 20_000],
    ] as const) {
      await ask('POST', '/v2/test-clock', { now: `${day}T10:00:00Z` })
      assert.equal((await reverse(ask, await broken(ask, depositId, part(amount)))).status, 200)
    }
    await ask('POST', '/v2/test-clock', { now: '2026-07-04T10:00:00Z' })
    const { penal_charge } = (await breakDeposit(ask, depositId, part(10_000))).json.data
    assert.equal(penal_charge, 10)
    await close()
  })

  test('gives the withheld tax back too, and needs no more of the account than it got', async (db) => {
    const { ask, service, callerId, close } = await startService(db)
    await replaceRules(ask, QUARTER)
    const classes = { STANDARD: 10 }
    const base = { effective_from: '2026-01-01', base: 'NET', on_recovery: 'KEEP', rounding: 'HALF_UP' }
    assert.equal((await ask('PUT', '/v2/tax-rules', { ...base, classes })).status, 200)
    const { depositId, accountNumber } = await openDeposit(ask, Z)
    const before = await depositOf(ask, depositId)
    const waiver = { percent: 50, reason: 'GOODWILL' }
    const liquidationId = await broken(ask, depositId, { ...FULL, waiver })
    const body = { account_number: accountNumber, amount: 0.01, tenor: 30, interest_rate: 10 }
    assert.equal((await ask('POST', '/v2/fixed-deposits', body)).status, 201)
    assertRefused(await reverse(ask, liquidationId), {
      status: 422,
      code: 'insufficient_funds',
      details: '{"balance":101294.51,"needed":101294.52}',
    })
    await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 0.01 })
    assert.equal((await reverse(ask, liquidationId)).status, 200)
    assert.deepEqual(await depositOf(ask, depositId), before)
    assert.equal((await read(ask, `/v2/accounts/${accountNumber}`)).balance, 0)

    const entries = await read(ask, `/v2/ledger-entries?liquidation_id=${liquidationId}`)
    const [taxBack, back, tax, liquidation] = entries
    assert.deepEqual(
      entries.map(({ kind, reverses }: { kind: string; reverses: string | null }) => [kind, reverses]),
      [
        ['REVERSAL', tax.entry_id],
        ['REVERSAL', liquidation.entry_id],
        ['WITHHOLDING_TAX', null],
        ['LIQUIDATION', null],
      ],
    )
    assert.deepEqual(taxBack.lines, [
      { account: accountNumber, amount: 143.84 },
      { account: 'tax_payable', amount: -143.84 },
    ])
    assert.deepEqual(back.lines, [
      { account: depositId, amount: 100_000 },
      { account: 'interest_expense', amount: 1643.84 },
      { account: 'penal_income', amount: -410.96 },
      { account: 'penal_waived', amount: 205.48 },
      { account: accountNumber, amount: -101_438.36 },
    ])
    const part20 = await broken(ask, depositId, part(20_000))
    const part30 = await broken(ask, depositId, part(30_000))
    for (const one of [part30, part20]) assert.equal((await reverse(ask, one)).status, 200)
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const { difference } = await verify([book], { db, versions: service.versions })
    assert.equal(difference, null)
    await audit(db)
    await close()
  })

  test('waits for approval where the policy says so, and is carried out by the last vote', async (db) => {
    const { ask, askWith, callerId, clock, close } = await startService(db)
    const rules = [{ operation: 'reverseLiquidation', when: { amount: { gte: 1000 } }, approvals: 1 }]
    await ask('PUT', '/v2/approval-policy', { expires_after_hours: 24, deciders: 'ANY', rules })
    const book = (await findBook(db, { callerId, mode: 'test' }))!
    const checker = askWith((await issueKey(db, book, { scopes: ['approvals:decide'], at: clock.now })).key)
    const small = await openDeposit(ask, { amount: 999.99 })
    assert.equal((await reverse(ask, await broken(ask, small.depositId, FULL))).status, 200)
    const { depositId } = await openDeposit(ask, Z)
    const liquidationId = await broken(ask, depositId, FULL)
    const request = { operation: 'reverseLiquidation', target_id: liquidationId, body: MISTAKE }
    assertRefused(await reverse(ask, liquidationId), {
      status: 422,
      code: 'approval_required',
      details: `{"approvals_needed":1,"approval":${JSON.stringify(request)}}`,
    })
    const asked = await ask('POST', '/v2/approvals', request)
    assert.equal(asked.status, 201, asked.text)
    assert.equal(asked.json.data.preview.deposit.status, 'ACTIVE')
    assert.equal((await depositOf(ask, depositId)).status, 'LIQUIDATED')
    const { approval_id } = asked.json.data
    const approved = await checker('POST', `/v2/approvals/${approval_id}/approve`, {})
    assert.equal(approved.status, 200, approved.text)
    assert.equal(approved.json.data.result.liquidation_id, liquidationId)
    assert.equal((await depositOf(ask, depositId)).status, 'ACTIVE')
    const twice = await ask('POST', '/v2/approvals', request)
    assertRefused(twice, { status: 409, code: 'liquidation_already_reversed' })
    await close()
  })
})

function countBy(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { json } of answers) {
    const outcome = json.error?.code ?? 'done'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
