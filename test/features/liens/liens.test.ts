/** Liens: what they hold, what they prevent, and how they end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIVE_LIENS_MAX } from '../../../src/domain/lien.ts'
import { forEachEngine } from '../../support/engines.ts'
import { assertRefused, assertUnchanged } from '../../support/refusals.ts'
import { type Ask, describeService, openDeposit, startService } from '../../support/service.ts'

const place = (ask: Ask, depositId: string, amount: number, more = {}) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liens`, { amount, reason: 'Collateral', ...more })
const release = (ask: Ask, lienId: string) => ask('POST', `/v2/liens/${lienId}/release`, { reason: 'Repaid' })
const part = (ask: Ask, depositId: string, amount: number) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'PARTIAL', amount })
const full = (ask: Ask, depositId: string) =>
  ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })

async function held(ask: Ask): Promise<{ depositId: string; lienIds: string[] }> {
  const { depositId } = await openDeposit(ask, { amount: 100_000 })
  const liens = [await place(ask, depositId, 30_000), await place(ask, depositId, 20_000)]
  return { depositId, lienIds: liens.map((lien) => lien.json.data.lien_id) }
}

describeService('liens', (running) => {
  test('a lien is placed, shown, listed and released', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 100_000 })
    const placed = await place(ask, depositId, 30_000.5, { reference: 'LOAN-1', note: 'By letter' })
    assert.equal(placed.status, 201)
    const lien = placed.json.data
    assert.deepEqual(lien, {
      lien_id: lien.lien_id,
      deposit_id: depositId,
      amount: 30_000.5,
      reason: 'Collateral',
      reference: 'LOAN-1',
      status: 'ACTIVE',
      created_at: '2026-07-01T10:00:00.000Z',
      released_at: null,
      release_reason: null,
    })
    assert.match(lien.lien_id, /^lien_[0-9A-Za-z]{24}$/)
    assert.equal((await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data.lien_amount, 30_000.5)
    assert.deepEqual((await ask('GET', `/v2/liens/${lien.lien_id}`)).json.data, lien)
    const list = await ask('GET', `/v2/fixed-deposits/${depositId}/liens`)
    assert.deepEqual(list.json.data, [lien])
    const released = await release(ask, lien.lien_id)
    assert.equal(released.status, 200)
    assert.deepEqual(released.json.data, {
      ...lien,
      status: 'RELEASED',
      released_at: '2026-07-01T10:00:00.000Z',
      release_reason: 'Repaid',
    })
    assert.equal((await ask('GET', `/v2/fixed-deposits/${depositId}`)).json.data.lien_amount, 0)
    assertRefused(await release(ask, lien.lien_id), {
      status: 409,
      code: 'lien_not_active',
      details: '{"lien_status":"RELEASED"}',
    })
    const events = (await ask('GET', '/v2/events?limit=2')).json.data
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['fixed_deposit.lien_released', 'fixed_deposit.lien_placed'],
    )
    assert(!JSON.stringify(events).includes('By letter'))
    const audit = await ask('GET', '/v2/audit-log?action=fixed_deposit.lien_placed&limit=1')
    assert.deepEqual(audit.json.data[0].changes, { before: null, after: { note: 'By letter' } })
  })

  test('J1–J4: a part must leave what is held, and the whole cannot be broken', async () => {
    const { ask, db } = running()
    const { depositId, lienIds } = await held(ask)
    await assertUnchanged(db, async () => {
      assertRefused(await part(ask, depositId, 50_000.01), {
        status: 422,
        code: 'amount_under_lien',
        details: '{"lien_amount":50000.00,"maximum_amount":50000.00}',
      })
      assertRefused(await full(ask, depositId), {
        status: 422,
        code: 'deposit_under_lien',
        details: '{"lien_amount":50000.00}',
      })
      assertRefused(await place(ask, depositId, 50_000.01), {
        status: 422,
        code: 'lien_exceeds_principal',
        details: '{"available":50000.00}',
      })
    })
    const broken = await part(ask, depositId, 50_000)
    assert.equal(broken.json.data.remaining_principal, 50_000)
    for (const lienId of lienIds) assert.equal((await release(ask, lienId)).status, 200)
    assert.equal((await full(ask, depositId)).json.data.status, 'LIQUIDATED')
    assertRefused(await place(ask, depositId, 1), {
      status: 409,
      code: 'deposit_not_active',
      details: '{"deposit_status":"LIQUIDATED"}',
    })
  })

  test('J5: the minimum remaining principal is checked before the liens', async () => {
    const { ask } = running()
    const rules = (await ask('GET', '/v2/liquidation-rules')).json.data
    const { version, created_at, ...writable } = rules
    await ask('PUT', '/v2/liquidation-rules', { ...writable, min_remaining_principal: 60_000 })
    const { depositId } = await held(ask)
    await ask('PUT', '/v2/liquidation-rules', writable)
    assertRefused(await part(ask, depositId, 45_000), {
      status: 422,
      code: 'remaining_below_minimum',
      details: '{"minimum":60000.00,"maximum_amount":40000.00}',
    })
  })

  test(`a deposit has at most ${ACTIVE_LIENS_MAX} active liens`, async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 1_000 })
    const liens = await Promise.all(Array.from({ length: ACTIVE_LIENS_MAX }, () => place(ask, depositId, 1)))
    assert(liens.every(({ status }) => status === 201))
    assertRefused(await place(ask, depositId, 1), {
      status: 422,
      code: 'too_many_liens',
      details: '{"maximum":20}',
    })
    await release(ask, liens[0]!.json.data.lien_id)
    assert.equal((await place(ask, depositId, 1)).status, 201)
  })

  test('concurrent liens never hold more than the remaining principal', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 100 })
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => place(ask, depositId, 30)),
      ...Array.from({ length: 3 }, () => part(ask, depositId, 20)),
    ])
    const { remaining_principal, lien_amount } = (await ask('GET', `/v2/fixed-deposits/${depositId}`)).json
      .data
    assert(lien_amount <= remaining_principal)
    assert(answers.every(({ status }) => [200, 201, 422].includes(status)))
  })

  test('concurrent liens never pass the number of them, and a lien is released once', async () => {
    const { ask } = running()
    const { depositId } = await openDeposit(ask, { amount: 100_000 })
    const many = Array.from({ length: ACTIVE_LIENS_MAX + 5 }, () => place(ask, depositId, 1))
    const answers = await Promise.all(many)
    const placed = answers.filter(({ status }) => status === 201)
    assert.equal(placed.length, ACTIVE_LIENS_MAX)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(answer.json.error.code, 'too_many_liens')
    }
    const lienId: string = placed[0]!.json.data.lien_id
    const ends = await Promise.all(Array.from({ length: 6 }, () => release(ask, lienId)))
    const codes = ends.map(({ status, json }) => (status === 200 ? 'released' : json.error.code)).sort()
    assert.deepEqual(codes, [...Array.from({ length: 5 }, () => 'lien_not_active'), 'released'])
  })

  test('bad input, and liens of other callers', async () => {
    const { ask, askWith, liveKey, db } = running()
    const { depositId, lienIds } = await held(ask)
    await assertUnchanged(db, async () => {
      for (const [body, field, code] of [
        [{ amount: 0, reason: 'x' }, 'amount', 'not_positive'],
        [{ amount: 'all', reason: 'x' }, 'amount', 'invalid_type'],
        [{ amount: 1.001, reason: 'x' }, 'amount', 'too_precise'],
        [{ amount: 1 }, 'reason', 'required'],
        [{ amount: 1, reason: '' }, 'reason', 'blank'],
        [{ amount: 1, reason: 'x', reference: 'x'.repeat(65) }, 'reference', 'too_long'],
        [{ amount: 1, reason: 'x', note: 'x'.repeat(201) }, 'note', 'too_long'],
        [{ amount: 1, reason: 'x', ammount: 1 }, 'ammount', 'unknown_field'],
      ] as const) {
        assertRefused(await ask('POST', `/v2/fixed-deposits/${depositId}/liens`, body), {
          status: 400,
          code: 'invalid_request',
          fields: [[field, code]],
        })
      }
      assertRefused(await ask('POST', `/v2/liens/${lienIds[0]}/release`, {}), {
        status: 400,
        code: 'invalid_request',
        fields: [['reason', 'required']],
      })
      const foreign = askWith(liveKey)
      for (const answer of [
        await foreign('GET', `/v2/liens/${lienIds[0]}`),
        await release(foreign, lienIds[0]!),
        await ask('GET', '/v2/liens/abc'),
      ]) {
        assertRefused(answer, { status: 404, code: 'lien_not_found' })
      }
      assertRefused(await place(foreign, depositId, 1), { status: 404, code: 'deposit_not_found' })
    })
  })
})

forEachEngine(({ test }) => {
  test('a maturity waits for the last release, and a rollover moves the liens', async (db) => {
    const { ask, service, close } = await startService(db)
    const due = await openDeposit(ask, { amount: 1_000, tenor: 30 })
    const rolling = await openDeposit(ask, { amount: 1_000, tenor: 30, auto_rollover: true })
    const first = (await place(ask, due.depositId, 400)).json.data.lien_id
    const moved = (await place(ask, rolling.depositId, 400)).json.data.lien_id
    // Two terms pass in one move: the lien goes to the last successor.
    await ask('POST', '/v2/test-clock', { now: '2026-09-15T10:00:00Z' })
    const waiting = (await ask('GET', `/v2/fixed-deposits/${due.depositId}`)).json.data
    assert.deepEqual([waiting.status, waiting.lien_amount], ['ACTIVE', 400])
    const run = await service.maturity.settleAll()
    assert.deepEqual(
      run.unsettled.map(({ depositId, code }) => [depositId, code]),
      [[due.depositId, 'deposit_under_lien']],
    )
    const lien = (await ask('GET', `/v2/liens/${moved}`)).json.data
    const successor = (await ask('GET', `/v2/fixed-deposits/${lien.deposit_id}`)).json.data
    assert.deepEqual([successor.status, successor.lien_amount], ['ACTIVE', 400])
    const rolled = (await ask('GET', `/v2/fixed-deposits/${rolling.depositId}`)).json.data
    assert.deepEqual([rolled.status, rolled.lien_amount], ['ROLLED_OVER', 0])
    assert.equal((await full(ask, successor.deposit_id)).json.error.code, 'deposit_under_lien')
    assert.equal((await release(ask, moved)).status, 200)
    assert.equal((await full(ask, successor.deposit_id)).json.data.status, 'LIQUIDATED')
    await release(ask, first)
    assert.equal((await service.maturity.settleAll()).matured, 1)
    assert.equal((await ask('GET', `/v2/fixed-deposits/${due.depositId}`)).json.data.status, 'MATURED')
    await close()
  })
})
