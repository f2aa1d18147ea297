import assert from 'node:assert/strict'
import { EVENT_TYPES } from '../../../src/features/events/record.ts'
import { actorOf } from '../../support/service.ts'
import { createCustomer, createEndpoint, deliveriesOf, describeWebhooks } from './harness.ts'
import { withStatus } from './receiver.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

describeWebhooks('webhook endpoints', (test) => {
  test('an endpoint is created, listed, changed and deleted; its secret is shown once', async ({
    ask,
    names,
  }) => {
    names.resolve = async () => ['93.184.215.14']
    const created = await ask('POST', '/v2/webhook-endpoints', { url: 'https://example.com/hook' })
    assert.equal(created.status, 201)
    const { secret, ...endpoint } = created.json.data
    assert.match(secret, SECRET)
    assert.match(endpoint.webhook_endpoint_id, /^we_[0-9A-Za-z]{24}$/)
    assert.match(endpoint.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(endpoint, {
      webhook_endpoint_id: endpoint.webhook_endpoint_id,
      url: 'https://example.com/hook',
      event_types: ['*'],
      description: null,
      status: 'ENABLED',
      created_at: endpoint.created_at,
    })
    const path = `/v2/webhook-endpoints/${endpoint.webhook_endpoint_id}`
    assert.deepEqual((await ask('GET', path)).json.data, endpoint)
    assert.deepEqual((await ask('GET', '/v2/webhook-endpoints')).json.data, [endpoint])

    const changes = {
      url: 'http://example.com/other',
      event_types: ['customer.created', 'customer.created'],
      description: 'Back office',
      status: 'DISABLED',
    }
    const changed = await ask('PUT', path, changes)
    const expected = { ...endpoint, ...changes, event_types: ['customer.created'] }
    assert.deepEqual([changed.status, changed.json.data], [200, expected])
    const cleared = await ask('PUT', path, { description: null })
    assert.deepEqual(cleared.json.data, { ...expected, description: null })
    assert.deepEqual((await ask('PUT', path, {})).json.data, { ...expected, description: null })

    const deleted = await ask('DELETE', path)
    assert.deepEqual([deleted.status, deleted.json.data], [200, { ...expected, description: null }])
    assert.deepEqual((await ask('GET', '/v2/webhook-endpoints')).json.data, [])
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await ask(method, path)).status, 404)
  })

  test('an invalid endpoint is refused with all its errors', async ({ ask }) => {
    const good = { url: 'https://example.com/' }
    const cases: [body: unknown, fields: [field: string, code: string][]][] = [
      [{}, [['url', 'required']]],
      [{ url: null }, [['url', 'null_not_allowed']]],
      [{ url: 7 }, [['url', 'invalid_type']]],
      [{ url: ' ' }, [['url', 'blank']]],
      [{ url: 'example.com/hook' }, [['url', 'invalid_format']]],
      [{ url: 'https://' }, [['url', 'invalid_format']]],
      [{ url: 'https://exa mple.com' }, [['url', 'invalid_format']]],
      [{ url: ' https://example.com' }, [['url', 'invalid_format']]],
      [{ url: 'https:\\\\example.com' }, [['url', 'invalid_format']]],
      [{ url: 'https://example.com/\n' }, [['url', 'invalid_format']]],
      [{ url: 'https://example.com:65536/' }, [['url', 'invalid_format']]],
      [{ url: 'ftp://example.com/' }, [['url', 'invalid_value']]],
      [{ url: 'javascript:alert(1)' }, [['url', 'invalid_value']]],
      [{ url: 'https:example.com' }, [['url', 'invalid_value']]],
      [{ url: 'https://user:word@example.com/' }, [['url', 'invalid_value']]],
      [{ url: 'https://example.com:0/' }, [['url', 'invalid_value']]],
      [{ url: `https://example.com/${'a'.repeat(2029)}` }, [['url', 'too_long']]],
      [{ ...good, event_types: [] }, [['event_types', 'too_few']]],
      [{ ...good, event_types: '*' }, [['event_types', 'invalid_type']]],
      [{ ...good, event_types: ['*', 'customer.deleted'] }, [['event_types[1]', 'invalid_value']]],
      [{ ...good, event_types: ['ping'] }, [['event_types[0]', 'invalid_value']]],
      [{ ...good, description: '' }, [['description', 'blank']]],
      [{ ...good, description: 'x'.repeat(501) }, [['description', 'too_long']]],
      [{ ...good, status: 'ENABLED' }, [['status', 'unknown_field']]],
      [
        { url: 1, event_types: [1], secret: 'whsec_mine' },
        [
          ['url', 'invalid_type'],
          ['event_types[0]', 'invalid_type'],
          ['secret', 'unknown_field'],
        ],
      ],
    ]
    for (const [body, fields] of cases) {
      const refused = await ask('POST', '/v2/webhook-endpoints', body)
      assert.deepEqual([refused.status, refused.json.error?.code], [400, 'invalid_request'], refused.text)
      const reported = refused.json.error.fields.map((error: { field: string; code: string }) => [
        error.field,
        error.code,
      ])
      assert.deepEqual(reported, fields)
    }
    assert.deepEqual((await ask('GET', '/v2/webhook-endpoints')).json.data, [])
  })

  test('a URL of the maximum length and every type are accepted', async ({ ask }) => {
    const url = `https://example.com/${'a'.repeat(2028)}`
    const created = await ask('POST', '/v2/webhook-endpoints', { url, event_types: EVENT_TYPES })
    assert.equal(created.status, 201, created.text)
    assert.equal(url.length, 2048)
    assert.deepEqual(created.json.data.event_types, EVENT_TYPES)
  })

  test('forbidden addresses are refused at registration and at change, also behind names', async (harness) => {
    const { ask, askLive, names, receiver } = harness
    const forbidden = async (answer: Promise<{ status: number; json: { error: { fields: object[] } } }>) => {
      const { status, json } = await answer
      assert.equal(status, 400)
      assert.deepEqual(json.error.fields, [
        {
          field: 'url',
          code: 'forbidden_address',
          message: 'Send a URL whose host is on the public internet.',
        },
      ])
    }
    for (const url of ['http://10.0.0.1/', 'https://[::ffff:a9fe:a9fe]/', 'https://2852039166/']) {
      await forbidden(ask('POST', '/v2/webhook-endpoints', { url }))
    }
    await forbidden(askLive('POST', '/v2/webhook-endpoints', { url: receiver.url }))
    names.resolve = async () => ['93.184.215.14', '10.0.0.1']
    await forbidden(ask('POST', '/v2/webhook-endpoints', { url: 'https://example.com/' }))

    names.resolve = async () => []
    const endpoint = await createEndpoint(ask, { url: 'https://not-yet.example.com/' })
    names.resolve = async () => ['127.0.0.2', '169.254.0.1']
    await forbidden(ask('PUT', endpoint.path, { url: 'https://example.com/' }))
    assert.equal((await ask('GET', endpoint.path)).json.data.url, 'https://not-yet.example.com/')
  })

  test('live books accept https only', async ({ ask, askLive }) => {
    const body = { url: 'http://example.com/hook' }
    assert.equal((await ask('POST', '/v2/webhook-endpoints', body)).status, 201)
    const refused = await askLive('POST', '/v2/webhook-endpoints', body)
    assert.deepEqual(
      [refused.status, refused.json.error.fields[0].field, refused.json.error.fields[0].code],
      [400, 'url', 'invalid_value'],
    )
    assert.equal((await askLive('POST', '/v2/webhook-endpoints', { url: 'https://example.com' })).status, 201)
  })

  test('identifiers, the secret and times cannot be changed', async ({ ask }) => {
    const endpoint = await createEndpoint(ask, { url: 'https://example.com/' })
    const refused = await ask('PUT', endpoint.path, {
      secret: 'whsec_mine',
      webhook_endpoint_id: 'we_other',
      created_at: '2026-01-01T00:00:00Z',
      status: 'PAUSED',
      url: null,
    })
    const reported = refused.json.error.fields.map((error: { field: string; code: string }) => [
      error.field,
      error.code,
    ])
    assert.deepEqual(reported, [
      ['url', 'null_not_allowed'],
      ['status', 'invalid_value'],
      ['secret', 'not_updatable'],
      ['webhook_endpoint_id', 'not_updatable'],
      ['created_at', 'not_updatable'],
    ])
  })

  test('unknown and foreign endpoints are not found by any operation', async ({ ask, askLive }) => {
    const foreign = await createEndpoint(askLive, { url: 'https://example.com/' })
    const ids = [foreign.webhook_endpoint_id, 'we_000000000000000000000000', 'cus_1', 'abc']
    for (const id of ids) {
      const path = `/v2/webhook-endpoints/${id}`
      const answers = [
        await ask('GET', path),
        await ask('PUT', path, { status: 'DISABLED' }),
        await ask('PUT', path, {}),
        await ask('DELETE', path),
        await ask('POST', `${path}/rotate-secret`, { overlap_seconds: 0 }),
        await ask('POST', `${path}/ping`),
        await ask('GET', `${path}/deliveries`),
      ]
      for (const answer of answers) {
        assert.deepEqual([answer.status, answer.json.error.code], [404, 'webhook_endpoint_not_found'])
      }
    }
    assert.equal((await askLive('GET', foreign.path)).json.data.status, 'ENABLED')
  })

  test('a repeated create returns the same secret, which is not stored elsewhere', async ({
    ask,
    db,
    bookId,
  }) => {
    const body = { url: 'https://example.com/' }
    const key = { 'idempotency-key': 'create-endpoint' }
    const first = await ask('POST', '/v2/webhook-endpoints', body, key)
    const again = await ask('POST', '/v2/webhook-endpoints', body, key)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal((await ask('GET', '/v2/webhook-endpoints')).json.data.length, 1)

    const { webhook_endpoint_id, secret } = first.json.data
    const path = `/v2/webhook-endpoints/${webhook_endpoint_id}/rotate-secret`
    const rotated = await ask('POST', path, { overlap_seconds: 60 }, { 'idempotency-key': 'rotate' })
    assert.equal(rotated.status, 200)
    assert.notEqual(rotated.json.data.secret, secret)
    assert.equal(
      (await ask('POST', path, { overlap_seconds: 60 }, { 'idempotency-key': 'rotate' })).text,
      rotated.text,
    )
    const kept = await db.query<{ text: string }>(
      `select answer as text from idempotency_keys where book_id = $1
       union all select data || coalesce(changes, '') from events where book_id = $1`,
      [bookId],
    )
    const text = kept.map((row) => row.text).join('\n')
    assert.equal(kept.length, 4)
    assert.doesNotMatch(text, /whsec_/)
  })

  test('the overlap of a rotation is from 0 to 604800 seconds', async ({ ask }) => {
    const endpoint = await createEndpoint(ask, { url: 'https://example.com/' })
    const path = `${endpoint.path}/rotate-secret`
    const secrets = new Set([endpoint.secret])
    for (const body of [{}, { overlap_seconds: 0 }, { overlap_seconds: 604_800 }]) {
      const rotated = await ask('POST', path, body)
      assert.equal(rotated.status, 200, rotated.text)
      assert.match(rotated.json.data.secret, SECRET)
      secrets.add(rotated.json.data.secret)
    }
    assert.equal(secrets.size, 4)
    for (const overlap_seconds of [-1, 604_801, 1.5, '60', null]) {
      assert.equal((await ask('POST', path, { overlap_seconds })).status, 400, String(overlap_seconds))
    }
  })

  test('a ping goes to its endpoint alone and is not an event of the book', async (harness) => {
    const { ask, receiver, sendDue } = harness
    const endpoint = await createEndpoint(ask, { url: receiver.url, event_types: ['customer.updated'] })
    await createEndpoint(ask, { url: `${receiver.url}/other` })
    const pinged = await ask('POST', `${endpoint.path}/ping`)
    assert.equal(pinged.status, 200)
    const event = pinged.json.data
    assert.deepEqual(event, {
      id: event.id,
      type: 'ping',
      timestamp: event.timestamp,
      mode: 'test',
      request_id: pinged.headers['request-id'],
      data: { webhook_endpoint_id: endpoint.webhook_endpoint_id },
      actor: await actorOf(ask),
    })
    assert.equal(await sendDue(), 1)
    assert.deepEqual(
      receiver.received.map(({ path, body }) => [path, JSON.parse(body)]),
      [['/hook', event]],
    )
    const [delivery] = await deliveriesOf(ask, endpoint)
    assert.deepEqual([delivery!.event_id, delivery!.event_type], [event.id, 'ping'])
    assert.deepEqual((await ask('GET', '/v2/events')).json.data, [])
    assert.equal((await ask('GET', `/v2/events/${event.id}`)).status, 404)
    assert.equal((await ask('POST', `/v2/events/${event.id}/redeliver`)).status, 404)
  })

  test('deliveries are listed newest first, page by page', async ({ ask, receiver }) => {
    const endpoint = await createEndpoint(ask, { url: receiver.url })
    const other = await createEndpoint(ask, { url: receiver.url })
    for (let count = 0; count < 5; count += 1) await createCustomer(ask)
    const events = (await ask('GET', '/v2/events')).json.data.map(({ id }: { id: string }) => id)
    const listed: string[] = []
    for (let cursor = ''; ; ) {
      const page = await ask('GET', `${endpoint.path}/deliveries?limit=2${cursor}`)
      listed.push(...page.json.data.map((delivery: { event_id: string }) => delivery.event_id))
      if (!page.json.meta.has_more) break
      cursor = `&cursor=${page.json.meta.next_cursor}`
      assert.equal((await ask('GET', `${other.path}/deliveries?limit=2${cursor}`)).status, 400)
    }
    assert.deepEqual(listed, events)
  })

  test('an event is sent again to every endpoint that is enabled and subscribed now', async (harness) => {
    const { ask, receiver, sendDue } = harness
    receiver.answer = withStatus(410)
    await createEndpoint(ask, { url: receiver.url })
    await createCustomer(ask)
    await sendDue()
    const event = (await ask('GET', '/v2/events')).json.data[0]
    const path = `/v2/events/${event.id}/redeliver`
    const none = await ask('POST', path)
    assert.deepEqual([none.status, none.json.data], [200, { ...event, deliveries: 0 }])

    receiver.answer = withStatus(204)
    const [first, second] = [
      await createEndpoint(ask, { url: receiver.url }),
      await createEndpoint(ask, { url: receiver.url, event_types: ['customer.created'] }),
    ]
    await createEndpoint(ask, { url: receiver.url, event_types: ['customer.updated'] })
    const key = { 'idempotency-key': 'again' }
    const again = await ask('POST', path, undefined, key)
    assert.deepEqual(again.json.data, { ...event, deliveries: 2 })
    assert.equal((await ask('POST', path, undefined, key)).text, again.text)
    await ask('POST', path)
    while ((await sendDue()) > 0);
    assert.deepEqual(
      new Set(receiver.received.map(({ headers }) => headers['webhook-id'])),
      new Set([event.id]),
    )
    for (const endpoint of [first, second]) {
      const statuses = (await deliveriesOf(ask, endpoint)).map(({ status }) => status)
      assert.deepEqual(statuses, ['DELIVERED', 'DELIVERED'])
    }
    assert.equal(receiver.received.length, 5)
    assert.equal((await ask('GET', '/v2/events')).json.data.length, 1)
  })

  test('each scope opens what it names and nothing else', async ({ ask, askWith }) => {
    const endpoint = await createEndpoint(ask, { url: 'https://example.com/' })
    const keyOf = async (scopes: string[]) =>
      askWith((await ask('POST', '/v2/api-keys', { scopes })).json.data.key)
    const [reader, writer, events] = [
      await keyOf(['webhooks:read']),
      await keyOf(['webhooks:write']),
      await keyOf(['events:read']),
    ]
    const reads = ['/v2/webhook-endpoints', endpoint.path, `${endpoint.path}/deliveries`]
    for (const path of reads) {
      assert.equal((await reader('GET', path)).status, 200)
      assert.equal((await writer('GET', path)).json.error.details.required_scope, 'webhooks:read')
      assert.equal((await events('GET', path)).status, 403)
    }
    assert.equal((await events('GET', '/v2/events')).status, 200)
    assert.equal((await writer('GET', '/v2/events')).json.error.details.required_scope, 'events:read')
    assert.equal((await writer('POST', `${endpoint.path}/ping`)).status, 200)
    assert.equal(
      (await events('POST', '/v2/events/evt_1/redeliver')).json.error.details.required_scope,
      'webhooks:write',
    )
    for (const path of [`${endpoint.path}/ping`, `${endpoint.path}/rotate-secret`, '/v2/webhook-endpoints']) {
      assert.equal((await reader('POST', path, {})).status, 403)
    }
  })
})
