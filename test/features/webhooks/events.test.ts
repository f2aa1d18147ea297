import assert from 'node:assert/strict'
import { actorOf, openDeposit } from '../../support/service.ts'
import { createCustomer, describeWebhooks } from './harness.ts'

describeWebhooks('events', (test) => {
  test('each change is one event, listed newest first and found by its id', async ({ ask }) => {
    const { depositId, customerId } = await openDeposit(ask, { amount: 500_000 })
    const partial = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'PARTIAL',
      amount: 0.5,
    })
    const listed = await ask('GET', '/v2/events')
    const types = listed.json.data.map((event: { type: string }) => event.type)
    assert.deepEqual(types, [
      'fixed_deposit.partially_liquidated',
      'fixed_deposit.created',
      'account.credited',
      'customer.created',
    ])
    assert.ok(listed.text.includes('"principal_returned":0.50,'))
    const [liquidated, , , created] = listed.json.data
    assert.deepEqual(liquidated, {
      id: liquidated.id,
      type: 'fixed_deposit.partially_liquidated',
      timestamp: partial.json.data.liquidated_at,
      mode: 'test',
      request_id: partial.headers['request-id'],
      data: partial.json.data,
      actor: await actorOf(ask),
    })
    assert.match(liquidated.id, /^evt_[0-9A-Za-z]{24}$/)
    assert.deepEqual(created.data, { customer_id: customerId, external_id: null })
    assert.deepEqual((await ask('GET', `/v2/events/${created.id}`)).json.data, created)
  })

  test('events are listed by type and page by page; a cursor belongs to its filter', async ({ ask }) => {
    const customers = [await createCustomer(ask), await createCustomer(ask), await createCustomer(ask)]
    for (const customerId of customers) {
      await ask('PUT', `/v2/customer/${customerId}`, { email: `${customerId}@example.org` })
    }
    const first = await ask('GET', '/v2/events?type=customer.updated&limit=2')
    assert.equal(first.json.meta.has_more, true)
    const cursor = encodeURIComponent(first.json.meta.next_cursor)
    const second = await ask('GET', `/v2/events?type=customer.updated&limit=2&cursor=${cursor}`)
    assert.deepEqual(second.json.meta, { limit: 2, has_more: false, next_cursor: null })
    const updated = [...first.json.data, ...second.json.data].map((event) => event.data.customer_id)
    assert.deepEqual(updated, customers.toReversed())
    assert.equal((await ask('GET', `/v2/events?limit=2&cursor=${cursor}`)).status, 400)
    assert.deepEqual((await ask('GET', '/v2/events?type=fixed_deposit.matured')).json.data, [])
    for (const query of ['type=ping', 'type=account.created', 'type=', 'kind=a', 'limit=0', 'limit=101']) {
      assert.equal((await ask('GET', `/v2/events?${query}`)).status, 400, query)
    }
  })

  test('unknown, foreign and unannounced events are not found', async ({ ask, askLive, db, bookId }) => {
    const customerId = await createCustomer(ask)
    await ask('POST', '/v2/accounts', { customer_id: customerId })
    const [audit] = await db.query<{ event_id: string }>(
      `select event_id from events where book_id = $1 and type = 'account.created'`,
      [bookId],
    )
    const announced = (await ask('GET', '/v2/events')).json.data
    assert.equal(announced.length, 1)
    for (const [asked, id] of [
      [ask, audit!.event_id],
      [ask, 'evt_1'],
      [ask, customerId],
      [askLive, announced[0].id],
    ] as const) {
      for (const answer of [
        await asked('GET', `/v2/events/${id}`),
        await asked('POST', `/v2/events/${id}/redeliver`),
      ]) {
        assert.deepEqual([answer.status, answer.json.error.code], [404, 'event_not_found'])
      }
    }
    assert.deepEqual((await askLive('GET', '/v2/events')).json.data, [])
  })
})
