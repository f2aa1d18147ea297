import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../../support/refusals.ts'
import { type Ask, ada, describeService, openDeposit } from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

let people = 0

async function customer(ask: Ask, last_name: string): Promise<string> {
  people += 1
  const answer = await ask('POST', '/v2/customer', { ...ada, last_name, email: `party${people}@example.com` })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data.customer_id
}

async function changesOf(ask: Ask, depositId: string): Promise<object[]> {
  const { data } = (await ask('GET', '/v2/events?type=fixed_deposit.parties_changed&limit=100')).json
  return data.map((event: { data: object }) => event.data).filter((one: any) => one.deposit_id === depositId)
}

describeService('parties', (running) => {
  test('are nobody and ANY until they are written, and are then replaced whole', async () => {
    const { ask } = running()
    const { depositId: deposit_id } = await openDeposit(ask, { amount: 1_000 })
    const path = `/v2/fixed-deposits/${deposit_id}/parties`
    assert.deepEqual((await ask('GET', path)).json.data, { deposit_id, mandate: 'ANY', parties: [] })
    const [chidi, ngozi] = [await customer(ask, 'Eze'), await customer(ask, 'Ade')]
    const first = {
      mandate: 'ALL',
      parties: [
        { customer_id: ngozi, role: 'NOMINEE' },
        { customer_id: chidi, role: 'JOINT' },
      ],
    }
    const written = await ask('PUT', path, first)
    assert.equal(written.status, 200, written.text)
    const named = {
      deposit_id,
      mandate: 'ALL',
      parties: [
        { customer_id: ngozi, name: 'Ada Ade', role: 'NOMINEE' },
        { customer_id: chidi, name: 'Ada Eze', role: 'JOINT' },
      ],
    }
    assert.deepEqual(written.json.data, named)
    assert.deepEqual((await ask('GET', path)).json.data, named)
    // The same again is no change.
    assert.equal((await ask('PUT', path, first)).status, 200)
    assert.deepEqual(await changesOf(ask, deposit_id), [{ deposit_id, ...first }])

    const second = { mandate: 'ANY', parties: [{ customer_id: chidi, role: 'GUARDIAN' }] }
    await ask('PUT', path, second)
    assert.deepEqual(
      (await ask('GET', path)).json.data.parties.map((one: { name: string }) => one.name),
      ['Ada Eze'],
    )
    assert.deepEqual(await changesOf(ask, deposit_id), [
      { deposit_id, ...second },
      { deposit_id, ...first },
    ])
    const audited = await ask('GET', `/v2/audit-log?subject_id=${deposit_id}&limit=1`)
    assert.deepEqual(audited.json.data[0].changes.before, { deposit_id, ...first })
    assert(!audited.text.includes('Eze'), 'the audit log and events have no names')
  })

  test('bad parties, unknown customers and the holder are refused', async () => {
    const { ask, db } = running()
    const { depositId, customerId } = await openDeposit(ask, { amount: 1_000 })
    const other = await customer(ask, 'Eze')
    const path = `/v2/fixed-deposits/${depositId}/parties`
    const joint = { customer_id: other, role: 'JOINT' }
    const unknown = { customer_id: 'cus_000000000000000000000000', role: 'JOINT' }
    const holder = { customer_id: customerId, role: 'JOINT' }
    const rows: [body: object, refusal: ExpectedRefusal][] = [
      [{}, invalid(['mandate', 'required'], ['parties', 'required'])],
      [{ mandate: 'SOME', parties: [] }, invalid(['mandate', 'invalid_value'])],
      [
        { mandate: 'ANY', parties: [{ ...joint, role: 'FRIEND' }] },
        invalid(['parties[0].role', 'invalid_value']),
      ],
      [{ mandate: 'ANY', parties: [joint, joint] }, invalid(['parties[1].customer_id', 'invalid_value'])],
      [{ mandate: 'ANY', parties: Array(11).fill(joint) }, invalid(['parties', 'too_many'])],
      [{ mandate: 'ANY', parties: [{ role: 'JOINT' }] }, invalid(['parties[0].customer_id', 'required'])],
      [{ mandate: 'ANY', parties: [], note: 'x' }, invalid(['note', 'unknown_field'])],
      [
        { mandate: 'ANY', parties: [joint, unknown] },
        { status: 404, code: 'customer_not_found' },
      ],
      [
        { mandate: 'ANY', parties: [holder, unknown] },
        { status: 404, code: 'customer_not_found' },
      ],
      [
        { mandate: 'ANY', parties: [joint, holder] },
        { status: 422, code: 'party_is_holder' },
      ],
    ]
    for (const [body, refusal] of rows) {
      await assertRefusedWithoutTrace(db, () => ask('PUT', path, body), refusal)
    }
    const nowhere = '/v2/fixed-deposits/fd_000000000000000000000000/parties'
    const missing = { status: 404, code: 'deposit_not_found' }
    assertRefused(await ask('GET', nowhere), missing)
    assertRefused(await ask('PUT', nowhere, { mandate: 'ANY', parties: [unknown] }), missing)
  })

  test('move along with every rollover, and stay with the deposit that had them', async () => {
    const { ask, service } = running()
    const opened = { amount: 1_000, tenor: 1, auto_rollover: true, start_date: '2026-06-28' }
    const { depositId } = await openDeposit(ask, opened)
    const without = await openDeposit(ask, opened)
    const other = await customer(ask, 'Eze')
    const written = { mandate: 'ALL', parties: [{ customer_id: other, role: 'JOINT' }] }
    await ask('PUT', `/v2/fixed-deposits/${depositId}/parties`, written)
    await service.maturity.settleAll()

    const chainOf = async (id: string | null): Promise<any[]> => {
      if (id === null) return []
      const { data } = (await ask('GET', `/v2/fixed-deposits/${id}`)).json
      const parties = (await ask('GET', `/v2/fixed-deposits/${id}/parties`)).json.data
      return [parties, ...(await chainOf(data.rolled_over_to))]
    }
    const chain = await chainOf(depositId)
    assert.equal(chain.length, 4)
    for (const { mandate, parties } of chain) {
      assert.deepEqual([mandate, parties], ['ALL', [{ customer_id: other, name: 'Ada Eze', role: 'JOINT' }]])
    }
    const [, successor] = await chainOf(without.depositId)
    assert.deepEqual([successor.mandate, successor.parties], ['ANY', []])
  })
})
