import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Database } from '../../../src/engine/database/database.ts'
import { RETRY_DELAYS_MS } from '../../../src/features/webhooks/schedule.ts'
import { findDueEndpoints, statements } from '../../../src/features/webhooks/store.ts'
import type { Post } from '../../../src/features/webhooks/transport.ts'
import { type Ask, ada, openDeposit } from '../../support/service.ts'
import { createCustomer, createEndpoint, deliveriesOf, describeWebhooks } from './harness.ts'
import { never, withStatus } from './receiver.ts'

describeWebhooks('the sender of webhooks', (test) => {
  test('a change is sent once, signed, and exactly as the API shows it', async ({
    ask,
    receiver,
    sendDue,
  }) => {
    const { depositId } = await openDeposit(ask, { amount: 500_000 })
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    const liquidated = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
      liquidation_type: 'FULL',
    })
    assert.equal(await sendDue(), 1)
    assert.equal(await sendDue(), 0)

    const { headers, body } = receiver.received[0]!
    const event = new Webhook(endpoint.secret).verify(body, headers) as { id: string; type: string }
    const shown = await ask('GET', `/v2/events/${event.id}`)
    assert.equal(shown.text, `{"status":true,"message":"The event.","data":${body}}`)
    assert.equal(event.type, 'fixed_deposit.liquidated')
    assert.equal(headers['webhook-id'], event.id)
    assert.match(
      body,
      /"data":\{"deposit_id":"fd_\w+","status":"LIQUIDATED","principal_returned":500000\.00,/,
    )
    const data = liquidated.text.split('"data":')[1]!.slice(0, -1)
    assert.ok(body.includes(`"data":${data},"actor":{"kind":"KEY",`))
    const [delivery, ...others] = await deliveriesOf(ask, endpoint)
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...delivery, created_at: '', last_attempt_at: '' },
      {
        event_id: event.id,
        event_type: 'fixed_deposit.liquidated',
        status: 'DELIVERED',
        attempts: 1,
        next_attempt_at: null,
        last_attempt_at: '',
        last_status_code: 204,
        last_error: null,
        created_at: '',
      },
    )
  })

  test('a message carries the trace of the request that made the change, and no other', async ({
    ask,
    receiver,
    sendDue,
    logged,
  }) => {
    const customerId = await createCustomer(ask)
    await createEndpoint(ask, { url: receiver.url })
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const sent = [
      traceparent,
      undefined,
      '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
      'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      `${traceparent}\t`.toUpperCase(),
    ]
    for (const [index, header] of sent.entries()) {
      const headers: Record<string, string> = header === undefined ? {} : { traceparent: header }
      await ask('PUT', `/v2/customer/${customerId}`, { address: `${index} Marina Road` }, headers)
    }
    assert.equal(await sendDue(), sent.length)
    const passedOn = receiver.received.map(({ headers }) => headers.traceparent)
    assert.deepEqual(passedOn.toSorted(), [traceparent, ...Array(4).fill(undefined)])
    const ofRequests = logged.filter(({ event, method }) => event === 'request' && method === 'PUT')
    assert.deepEqual(
      ofRequests.map((line) => line.traceparent),
      [traceparent, undefined, undefined, undefined, undefined],
    )
  })

  test('an endpoint receives what it subscribed to while it was enabled, and nothing of other books', async (harness) => {
    const { ask, askLive, db, bookId, names, receiver, sendDue } = harness
    names.resolve = async () => ['93.184.215.14']
    const all = await createEndpoint(ask, { url: receiver.url })
    const updates = await createEndpoint(ask, { url: receiver.url, event_types: ['customer.updated'] })
    const disabled = await createEndpoint(ask, { url: receiver.url })
    await ask('PUT', disabled.path, { status: 'DISABLED' })
    const live = await createEndpoint(askLive, { url: 'https://example.com/hook' })
    const customerId = await createCustomer(ask)
    await ask('PUT', `/v2/customer/${customerId}`, { email: 'ada@example.org' })

    assert.equal(await sendDue(), 3)
    const typesOf = async (endpoint: { path: string }) =>
      (await deliveriesOf(ask, endpoint)).map((delivery) => delivery.event_type)
    assert.deepEqual(await typesOf(all), ['customer.updated', 'customer.created'])
    assert.deepEqual(await typesOf(updates), ['customer.updated'])
    assert.deepEqual(await typesOf(disabled), [])
    assert.deepEqual(await deliveriesOf(askLive, live), [])
    const [written] = await db.query<{ count: bigint }>(
      'select count(*) from webhook_deliveries where book_id = $1',
      [bookId],
    )
    assert.equal(written!.count, 3n)
  })

  test('refusals, quotes, replays and changes that only the audit log has send nothing', async (harness) => {
    const { ask, receiver, sendDue } = harness
    const { depositId, customerId } = await openDeposit(ask, { amount: 1000 })
    await createEndpoint(ask, { url: receiver.url })
    const path = `/v2/fixed-deposits/${depositId}`
    await ask('POST', `${path}/liquidate`, { liquidation_type: 'PARTIAL', amount: 1000 })
    await ask('POST', `${path}/liquidation-quote`, { liquidation_type: 'FULL' })
    await ask('PUT', `/v2/customer/${customerId}`, { email: ada.email })
    await ask('POST', '/v2/accounts', { customer_id: customerId })
    assert.equal(await sendDue(), 0)

    const key = { 'idempotency-key': 'once' }
    await ask('POST', `${path}/liquidate`, { liquidation_type: 'FULL' }, key)
    await ask('POST', `${path}/liquidate`, { liquidation_type: 'FULL' }, key)
    assert.equal(await sendDue(), 1)
  })

  test('nothing personal leaves in a message', async ({ ask, receiver, sendDue }) => {
    await createEndpoint(ask, { url: receiver.url })
    const { customerId, accountNumber, depositId } = await openDeposit(ask, { amount: 1000 })
    const changed = { email: 'new@example.org', phone_number: '0700 000 0000', address: '1 Broad Street' }
    await ask('PUT', `/v2/customer/${customerId}`, changed)
    await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1, narration: 'For Ada Obi' })
    await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'FULL' })
    assert.equal(await sendDue(), 6)
    const sent = receiver.received.map(({ body }) => body).join('\n')
    assert.match(sent, /"changed_fields":\["email","phone_number","address"\]/)
    for (const personal of [...Object.values(ada), ...Object.values(changed), 'For Ada Obi']) {
      assert.ok(!sent.includes(personal), personal)
    }
  })

  test('a failed message is tried ten times on the schedule and then fails', async (harness) => {
    const { ask, receiver, sendDue, passSeconds } = harness
    receiver.answer = withStatus(500)
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    assert.equal(await sendDue(), 1)
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      const [waiting] = await deliveriesOf(ask, endpoint)
      assert.deepEqual(
        [waiting!.status, waiting!.attempts, waiting!.last_status_code, waiting!.last_error],
        ['PENDING', index + 1, 500, 'refused_by_receiver'],
      )
      passSeconds(delayMs / 1000 - 0.001)
      assert.equal(await sendDue(), 0)
      passSeconds(0.001)
      assert.equal(await sendDue(), 1)
    }
    passSeconds(1_000_000)
    assert.equal(await sendDue(), 0)
    const [failed] = await deliveriesOf(ask, endpoint)
    assert.deepEqual([failed!.status, failed!.attempts, failed!.next_attempt_at], ['FAILED', 10, null])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [10, 1])
    const bodies = new Set(receiver.received.map(({ body }) => body))
    assert.equal(bodies.size, 1)
  })

  test('a receiver that recovers gets what it missed', async ({ ask, receiver, sendDue, passSeconds }) => {
    receiver.answer = withStatus(302, { location: 'http://127.0.0.1:1/' })
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    await sendDue()
    const [missed] = await deliveriesOf(ask, endpoint)
    assert.deepEqual([missed!.status, missed!.last_error], ['PENDING', 'redirect_not_followed'])
    receiver.answer = withStatus(200)
    passSeconds(5)
    await sendDue()
    const [delivered] = await deliveriesOf(ask, endpoint)
    assert.deepEqual(
      [delivered!.status, delivered!.attempts, delivered!.last_status_code, delivered!.last_error],
      ['DELIVERED', 2, 200, null],
    )
  })

  test('Retry-After holds back everything for that endpoint, and for no other', async (harness) => {
    const { ask, receiver, sendDue, passSeconds } = harness
    receiver.answer = (response, { path }) =>
      withStatus(path === '/busy' ? 429 : 204, { 'retry-after': '120' })(response, receiver.received[0]!)
    await createEndpoint(ask, { url: receiver.url.replace('hook', 'busy') })
    await createEndpoint(ask, { url: receiver.url })
    const pathsSince = (count: number) => receiver.received.slice(count).map(({ path }) => path)
    await createCustomer(ask)
    await sendDue()
    assert.deepEqual(pathsSince(0).sort(), ['/busy', '/hook'])
    await createCustomer(ask)
    await sendDue()
    assert.deepEqual(pathsSince(2), ['/hook'])
    passSeconds(119.999)
    assert.equal(await sendDue(), 0)
    passSeconds(0.001)
    receiver.answer = withStatus(204)
    while ((await sendDue()) > 0);
    assert.deepEqual(pathsSince(3), ['/busy', '/busy'])
  })

  test('410 disables the endpoint and keeps a record of it', async ({
    ask,
    db,
    bookId,
    receiver,
    sendDue,
  }) => {
    receiver.answer = withStatus(410)
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    await sendDue()
    assert.equal((await ask('GET', endpoint.path)).json.data.status, 'DISABLED')
    const [gone] = await deliveriesOf(ask, endpoint)
    assert.deepEqual(
      [gone!.status, gone!.last_status_code, gone!.last_error],
      ['FAILED', 410, 'endpoint_gone'],
    )
    const recorded = await db.query(
      `select type, subject_id, announced, api_key_id from events where book_id = $1 and type like '%.disabled'`,
      [bookId],
    )
    assert.deepEqual(recorded, [
      {
        type: 'webhook_endpoint.disabled',
        subject_id: endpoint.webhook_endpoint_id,
        announced: false,
        api_key_id: null,
      },
    ])
    await createCustomer(ask)
    assert.equal(await sendDue(), 0)
  })

  test('410 from an address that was replaced meanwhile disables nothing', async (harness) => {
    const { ask, receiver, createSender } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    const post: Post = async () => {
      await ask('PUT', endpoint.path, { url: `${receiver.url}/new` })
      return { kind: 'answered', statusCode: 410, retryAfter: null }
    }
    assert.equal(await createSender({ post }).sendDue(), 1)
    assert.equal((await ask('GET', endpoint.path)).json.data.status, 'ENABLED')
  })

  test('pending messages wait while their endpoint is disabled, and are gone when it is deleted', async (harness) => {
    const { ask, receiver, sendDue } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    await ask('PUT', endpoint.path, { status: 'DISABLED' })
    assert.equal(await sendDue(), 0)
    await ask('PUT', endpoint.path, { status: 'ENABLED' })
    assert.equal(await sendDue(), 1)
    await createCustomer(ask)
    await ask('DELETE', endpoint.path)
    assert.equal(await sendDue(), 0)
  })

  test('a name that changes to a forbidden address after registration is never connected to', async (harness) => {
    const { ask, names, receiver, createSender } = harness
    const url = `http://receiver.example:${receiver.port}/`
    names.resolve = async () => ['93.184.215.14']
    const endpoint = await createEndpoint(ask, { url })
    await createCustomer(ask)
    for (const turned of [['10.0.0.1'], ['93.184.215.14', '169.254.169.254'], ['::ffff:192.168.0.1']]) {
      names.resolve = async () => turned
      const before = receiver.received.length
      await createCustomer(ask)
      while ((await createSender().sendDue()) > 0);
      assert.equal(receiver.received.length, before)
    }
    const errors = (await deliveriesOf(ask, endpoint)).map((delivery) => delivery.last_error)
    assert.deepEqual(new Set(errors), new Set(['forbidden_address']))
  })

  test('a backlog is drained in order of age', async ({ ask, receiver, createSender }) => {
    await createEndpoint(ask, { url: receiver.url })
    const created: string[] = []
    for (let count = 0; count < 20; count += 1) created.push(await createCustomer(ask))
    const sender = createSender({ limits: { inFlightPerEndpointMax: 1 } })
    while ((await sender.sendDue()) > 0);
    const sent = receiver.received.map(({ body }) => JSON.parse(body).data.customer_id)
    assert.deepEqual(sent, created)
  })

  test('two senders share the work and send nothing twice', async ({ ask, receiver, createSender }) => {
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    const eventCount = 60
    for (let count = 0; count < eventCount; count += 1) await createCustomer(ask)
    const senders = [createSender(), createSender()]
    for (const sender of senders) sender.start()
    while ((await deliveriesOf(ask, endpoint)).some(({ status }) => status === 'PENDING')) await sleep(5)
    await Promise.all(senders.map((sender) => sender.stop()))
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [eventCount, eventCount])
    for (const delivery of await deliveriesOf(ask, endpoint)) assert.equal(delivery.attempts, 1)
  })

  test('what a crashed sender held is sent when its lease ends, and its late result is ignored', async (harness) => {
    const { ask, receiver, createSender, sendDue, passSeconds } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    const late = Promise.withResolvers<Awaited<ReturnType<Post>>>()
    const claimed = Promise.withResolvers<void>()
    const post: Post = () => {
      claimed.resolve()
      return late.promise
    }
    const stalled = createSender({ post }).sendDue()
    await claimed.promise
    passSeconds(59.999)
    assert.equal(await sendDue(), 0)
    passSeconds(0.001)
    assert.equal(await sendDue(), 1)
    late.resolve({ kind: 'answered', statusCode: 500, retryAfter: null })
    await stalled
    const [delivery] = await deliveriesOf(ask, endpoint)
    assert.deepEqual([delivery!.status, delivery!.attempts, receiver.received.length], ['DELIVERED', 2, 1])
  })

  test('dead endpoints leave room for working ones', async ({ ask, receiver, createSender }) => {
    receiver.answer = (response, received) =>
      received.path === '/hook' ? withStatus(204)(response, received) : never(response, received)
    for (const name of ['dead', 'silent']) {
      await createEndpoint(ask, { url: receiver.url.replace('hook', name) })
    }
    for (let count = 0; count < 5; count += 1) await createCustomer(ask)
    const live = await createEndpoint(ask, { url: receiver.url })
    for (let count = 0; count < 5; count += 1) await createCustomer(ask)
    const limits = { inFlightMax: 9, inFlightPerEndpointMax: 2, stopMs: 10 }
    const sender = createSender({ limits })
    sender.start()
    while ((await deliveriesOf(ask, live)).some(({ status }) => status === 'PENDING')) await sleep(5)
    await sender.stop()
    const paths = receiver.received.map(({ path }) => path).sort()
    assert.deepEqual(paths, ['/dead', '/dead', ...Array(5).fill('/hook'), '/silent', '/silent'])
  })

  test('a book takes half of the places that others leave, of those for failing endpoints too', async (harness) => {
    const { ask, askLive, names, receiver, createSender, passSeconds } = harness
    names.resolve = async () => ['93.184.215.14']
    const fill = async (asking: Ask, url: string) => {
      for (let count = 0; count < 4; count += 1) await createEndpoint(asking, { url })
      for (let count = 0; count < 6; count += 1) await createCustomer(asking)
    }
    const posts: string[] = []
    let answered = Promise.withResolvers<void>()
    let statusCode = 204
    const post: Post = async ({ mode }) => {
      posts.push(mode)
      await answered.promise
      return { kind: 'answered', statusCode, retryAfter: null }
    }
    const sender = createSender({ post, limits: { inFlightMax: 12, inFlightPerEndpointMax: 3 } })
    /** Messages in flight together, of the book with fewer first. */
    const assertUnderWay = async (expected: [number, number]) => {
      const sending = sender.sendDue()
      while (posts.length < expected[0] + expected[1]) await sleep(5)
      answered.resolve()
      await sending
      const modes = posts.splice(0)
      answered = Promise.withResolvers<void>()
      const ofMode = (wanted: string) => modes.filter((mode) => mode === wanted).length
      assert.deepEqual([ofMode('test'), ofMode('live')].sort(), expected)
    }
    await fill(ask, receiver.url)
    await assertUnderWay([0, 6])
    await fill(askLive, 'https://example.com/hook')
    // Three each, then two of the nine that are left to the first, and one of the seven left to the second.
    await assertUnderWay([4, 5])

    statusCode = 500
    answered.resolve()
    while ((await sender.sendDue()) > 0);
    posts.splice(0)
    answered = Promise.withResolvers<void>()
    passSeconds(600)
    // Six places are for endpoints that failed: one each, and another one each.
    await assertUnderWay([2, 2])
  })

  test('books take turns: an endpoint of one comes before the second of another that has waited longer', async (harness) => {
    const { ask, askLive, db, names, receiver, passSeconds } = harness
    names.resolve = async () => ['93.184.215.14']
    for (let count = 0; count < 3; count += 1) {
      await createEndpoint(ask, { url: `${receiver.url}/${count}`, event_types: ['customer.created'] })
      await createCustomer(ask)
      passSeconds(1)
    }
    await createEndpoint(askLive, { url: 'https://example.com/hook' })
    await createCustomer(askLive)
    const now = new Date(Date.now() + 10_000)
    const found = async (perBookMax: number) =>
      (await findDueEndpoints(db, { now, perBookMax, onFailure: assert.ifError })).map(({ url }) =>
        url.at(-1),
      )
    assert.deepEqual(await found(3), ['0', 'k', '1', '2'])
    assert.deepEqual(await found(2), ['0', 'k', '1'])
  })

  test('a poll considers a thousand endpoints of a book', async ({ db, createSender }) => {
    const asked = new Set<unknown>()
    const asking: Database = {
      ...db,
      query: (text, values) => {
        if (text === statements.findDueEndpoints.text) asked.add(values?.[2])
        return db.query(text, values)
      },
    }
    await createSender({ db: asking }).sendDue()
    assert.deepEqual(asked, new Set([1_000]))
  })

  test('an endpoint that failed last time gets one message at a time until it works again', async (harness) => {
    const { ask, receiver, createSender, passSeconds } = harness
    receiver.answer = withStatus(503)
    await createEndpoint(ask, { url: receiver.url })
    for (let count = 0; count < 6; count += 1) await createCustomer(ask)
    const sender = createSender({ limits: { inFlightPerEndpointMax: 4 } })
    assert.deepEqual([await sender.sendDue(), await sender.sendDue(), await sender.sendDue()], [4, 1, 1])
    receiver.answer = withStatus(204)
    passSeconds(5)
    assert.deepEqual([await sender.sendDue(), await sender.sendDue(), await sender.sendDue()], [1, 4, 1])
  })

  test('a stopped sender claims nothing more and has waited for messages in flight', async (harness) => {
    const { ask, createSender, receiver, sendDue } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    const claimed = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<Awaited<ReturnType<Post>>>()
    const post: Post = () => {
      claimed.resolve()
      return answered.promise
    }
    const sender = createSender({ post })
    sender.start()
    await claimed.promise
    const order: string[] = []
    const stopped = sender.stop().then(() => order.push('stopped'))
    await sleep(20)
    order.push('answered')
    answered.resolve({ kind: 'answered', statusCode: 200, retryAfter: null })
    await stopped
    assert.deepEqual(order, ['answered', 'stopped'])
    assert.equal((await deliveriesOf(ask, endpoint))[0]!.status, 'DELIVERED')
    await createCustomer(ask)
    assert.equal((await deliveriesOf(ask, endpoint))[0]!.attempts, 0)
    assert.equal(await sendDue(), 1)
  })

  test('during the overlap of a rotation both secrets sign, afterwards the new one alone', async (harness) => {
    const { ask, receiver, sendDue } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    const rotated = await ask('POST', `${endpoint.path}/rotate-secret`, { overlap_seconds: 3600 })
    const secrets = [endpoint.secret, rotated.json.data.secret]
    await createCustomer(ask)
    await sendDue()
    for (const secret of secrets)
      new Webhook(secret).verify(receiver.received[0]!.body, receiver.received[0]!.headers)

    await moveBookClock(ask, 3600)
    await createCustomer(ask)
    await sendDue()
    const { body, headers } = receiver.received[1]!
    new Webhook(secrets[1]).verify(body, headers)
    assert.throws(() => new Webhook(secrets[0]!).verify(body, headers), /No matching signature/)
    assert.match(headers['webhook-signature']!, /^v1,\S+$/)
  })

  test('moving the clock of a test book brings its retries forward, on its own time', async (harness) => {
    const { ask, receiver, sendDue } = harness
    receiver.answer = withStatus(500)
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    await sendDue()
    await moveBookClock(ask, 365 * 86_400)
    receiver.answer = withStatus(204)
    assert.equal(await sendDue(), 1)
    new Webhook(endpoint.secret).verify(receiver.received[1]!.body, receiver.received[1]!.headers)
    await createCustomer(ask)
    assert.equal(await sendDue(), 1)
  })

  test('the log has each attempt without its address, secret or content', async (harness) => {
    const { ask, receiver, sendDue, logged } = harness
    receiver.answer = withStatus(500)
    const endpoint = await createEndpoint(ask, { url: `${receiver.url}?token=abc` })
    const customerId = await createCustomer(ask)
    await sendDue()
    const attempts = logged.filter(({ event }) => event === 'webhook_attempt')
    assert.equal(attempts.length, 1)
    assert.deepEqual(
      { ...attempts[0], book_id: '', event_id: '' },
      {
        level: 'info',
        event: 'webhook_attempt',
        book_id: '',
        webhook_endpoint_id: endpoint.webhook_endpoint_id,
        event_id: '',
        attempt: 1,
        status: 'PENDING',
        status_code: 500,
        error: 'refused_by_receiver',
      },
    )
    const text = JSON.stringify(logged)
    for (const hidden of ['token=abc', '127.0.0.1', endpoint.secret, customerId]) {
      assert.ok(!text.includes(hidden), hidden)
    }
  })
})

async function moveBookClock(ask: Ask, seconds: number): Promise<void> {
  const { now } = (await ask('GET', '/v2/test-clock')).json.data
  const moved = await ask('POST', '/v2/test-clock', { now: new Date(Date.parse(now) + seconds * 1000) })
  assert.equal(moved.status, 200, moved.text)
}
