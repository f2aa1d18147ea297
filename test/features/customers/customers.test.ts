/** Spec section 3 on updating a customer, and section 4 on creating and reading one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../../src/engine/database/database.ts'
import {
  assertRefused,
  assertRefusedWithoutTrace,
  assertUnchanged,
  type ExpectedRefusal,
  withoutRequestId,
} from '../../support/refusals.ts'
import { type Ask, ada, describeService, startService } from '../../support/service.ts'

const invalid = (...fields: [string, string][]): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields,
})

const local = (length: number) => 'a'.repeat(length)
/** An address of exactly this many characters, whose labels keep to their own limit. */
const emailOf = (length: number) => {
  const labels = `${'b'.repeat(60)}.`.repeat(5)
  return `${local(10)}@${labels.slice(0, length - 14)}ccc`
}

const goodValues: [field: 'email' | 'phone_number' | 'address', value: string, kept?: string][] = [
  ['email', 'a@b.c'],
  ['email', 'Ada.Obi+bank@Example.CO.UK'],
  ['email', `${local(64)}@example.com`],
  ['email', emailOf(254)],
  ['email', "o'brien@example.com"],
  ['phone_number', '1234567'],
  ['phone_number', '+234 801-234.5678'],
  ['phone_number', '(0801) 234 5678'],
  ['phone_number', '123456789012345'],
  ['phone_number', '+1-2-3-4-5-6-7-8-9-0-1-2-3-4-5'],
  ['address', 'A'],
  ['address', '7'],
  ['address', '12 Marina Road\nLagos\r\nNigeria'],
  ['address', '  12 Marina Road  ', '12 Marina Road'],
  ['address', 'x'.repeat(500)],
  ['address', '🏦'.repeat(499).concat('1')],
  ['address', 'Ọ̀nà Àwọn Ọba, Ìbàdàn'],
]

const badValues: [field: string, value: unknown, code: string][] = [
  ...['email', 'phone_number', 'address'].flatMap((field): [string, unknown, string][] => [
    [field, null, 'null_not_allowed'],
    [field, '', 'blank'],
    [field, '   ', 'blank'],
    [field, '\n', 'blank'],
    [field, 5, 'invalid_type'],
    [field, true, 'invalid_type'],
    [field, ['x'], 'invalid_type'],
    [field, { value: 'x' }, 'invalid_type'],
  ]),
  ['email', emailOf(255), 'too_long'],
  ['email', `${local(65)}@example.com`, 'invalid_format'],
  ['email', 'a@b', 'invalid_format'],
  ['email', '@b.c', 'invalid_format'],
  ['email', 'ab.c', 'invalid_format'],
  ['email', 'a@b@c.d', 'invalid_format'],
  ['email', 'a@.c', 'invalid_format'],
  ['email', 'a@b.', 'invalid_format'],
  ['email', 'a b@example.com', 'invalid_format'],
  ['email', ' a@example.com', 'invalid_format'],
  ['email', 'a@example.com ', 'invalid_format'],
  ['email', 'a@exa mple.com', 'invalid_format'],
  ['email', 'a\u0000@example.com', 'invalid_format'],
  ['email', 'a@example.com\n', 'invalid_format'],
  ['phone_number', '123456', 'invalid_format'],
  ['phone_number', '1234567890123456', 'invalid_format'],
  ['phone_number', `+${'1 '.repeat(15)}1`.slice(0, 32), 'invalid_format'],
  ['phone_number', '1'.repeat(33), 'too_long'],
  ['phone_number', '++2348012345', 'invalid_format'],
  ['phone_number', '234+8012345', 'invalid_format'],
  ['phone_number', '234--8012345', 'invalid_format'],
  ['phone_number', '234  8012345', 'invalid_format'],
  ['phone_number', '2348012345-', 'invalid_format'],
  ['phone_number', '0801CALLME0', 'invalid_format'],
  ['phone_number', '٠٨٠١٢٣٤٥٦٧', 'invalid_format'],
  ['phone_number', '2348012345\u0000', 'invalid_format'],
  ['address', 'x'.repeat(501), 'too_long'],
  ['address', '🏦'.repeat(500).concat('1'), 'too_long'],
  ['address', '---', 'invalid_format'],
  ['address', '.,;\n', 'invalid_format'],
  ['address', 'a\tb', 'invalid_format'],
  ['address', 'a\u0000b', 'invalid_format'],
  ['address', 'a\u007fb', 'invalid_format'],
  ['address', 'a\u0085b', 'invalid_format'],
  ...['first_name', 'last_name', 'customer_id', 'created_at', 'updated_at'].map(
    (field): [string, unknown, string] => [field, 'x', 'not_updatable'],
  ),
  ['first_name', null, 'not_updatable'],
  ['status', 'x', 'unknown_field'],
  ['Email', 'a@example.com', 'unknown_field'],
  ['phone', '1234567', 'unknown_field'],
  ['__proto__', 'x', 'unknown_field'],
  ['', 'x', 'unknown_field'],
]

describeService('customers', (running) => {
  test('a customer is created and can be read back', async () => {
    const { ask } = running()
    const created = await ask('POST', '/v2/customer', ada)
    assert.equal(created.status, 201)
    const customerId: string = created.json.data.customer_id
    assert.match(customerId, /^cus_[0-9A-Za-z]{24}$/)
    assert.deepEqual(created.json.data, {
      customer_id: customerId,
      ...ada,
      created_at: '2026-07-01T10:00:00.000Z',
      updated_at: '2026-07-01T10:00:00.000Z',
      external_id: null,
      metadata: {},
    })
    const read = await ask('GET', `/v2/customer/${customerId}`)
    assert.deepEqual([read.status, read.json.data], [200, created.json.data])
  })

  test('every field of a new customer is required', async () => {
    const { ask, db } = running()
    await assertRefusedWithoutTrace(
      db,
      () => ask('POST', '/v2/customer', {}),
      invalid(
        ['first_name', 'required'],
        ['last_name', 'required'],
        ['email', 'required'],
        ['phone_number', 'required'],
        ['address', 'required'],
      ),
    )
    for (const [field, value, code] of [
      ['first_name', '', 'blank'],
      ['last_name', 'x'.repeat(101), 'too_long'],
      ['email', 'nobody', 'invalid_format'],
      ['customer_id', 'cus_1', 'unknown_field'],
    ] as const) {
      const asking = () => ask('POST', '/v2/customer', { ...ada, [field]: value })
      await assertRefusedWithoutTrace(db, asking, invalid([field, code]))
    }
  })

  test('only what is sent is changed', async () => {
    const { ask, clock } = running()
    const before = await newCustomer(ask)
    clock.now = new Date('2026-07-02T08:00:00.123Z')
    const answer = await ask('PUT', `/v2/customer/${before.customer_id}`, { email: 'ada@example.org' })
    assert.equal(answer.status, 200)
    const after = { ...before, email: 'ada@example.org', updated_at: '2026-07-02T08:00:00.123Z' }
    assert.deepEqual(answer.json.data, after)
    assert.deepEqual((await ask('GET', `/v2/customer/${before.customer_id}`)).json.data, after)
    const rest = { phone_number: '+234 700 000 0001', address: '1 Broad Street' }
    const whole = await ask('PUT', `/v2/customer/${before.customer_id}`, rest)
    assert.deepEqual(whole.json.data, { ...after, ...rest })
  })

  test('each valid value is stored as sent, and an address without the spaces around it', async () => {
    const { ask } = running()
    const { customer_id } = await newCustomer(ask)
    for (const [field, value, kept = value] of goodValues) {
      const answer = await ask('PUT', `/v2/customer/${customer_id}`, { [field]: value })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.json.data[field], kept)
      assert.equal((await ask('GET', `/v2/customer/${customer_id}`)).json.data[field], kept)
    }
  })

  test('each bad value is refused by its code, and changes nothing', async () => {
    const { ask, db } = running()
    const { customer_id } = await newCustomer(ask)
    await assertUnchanged(db, async () => {
      for (const [field, value, code] of badValues) {
        const body = `{${JSON.stringify(field)}:${JSON.stringify(value)}}`
        assertRefused(await ask('PUT', `/v2/customer/${customer_id}`, body), invalid([field, code]))
      }
    })
  })

  test('one bad field prevents the good ones from changing, and all bad ones are reported', async () => {
    const { ask, db } = running()
    const { customer_id } = await newCustomer(ask)
    const body = {
      nickname: 'A',
      address: null,
      first_name: 'Eve',
      phone_number: '+234 700 000 0002',
      email: 'not an address',
    }
    await assertRefusedWithoutTrace(
      db,
      () => ask('PUT', `/v2/customer/${customer_id}`, body),
      invalid(
        ['email', 'invalid_format'],
        ['address', 'null_not_allowed'],
        ['nickname', 'unknown_field'],
        ['first_name', 'not_updatable'],
      ),
    )
  })

  test('an empty update changes nothing, not even the time', async () => {
    const { ask, clock, db } = running()
    const before = await newCustomer(ask)
    clock.now = new Date(clock.now.getTime() + 60_000)
    await assertUnchanged(db, async () => {
      const answer = await ask('PUT', `/v2/customer/${before.customer_id}`, {})
      assert.deepEqual([answer.status, answer.json.data], [200, before])
    })
  })

  test('the same value again moves the time, but there is nothing to announce', async () => {
    const { ask, clock, db } = running()
    const before = await newCustomer(ask)
    clock.now = new Date(clock.now.getTime() + 60_000)
    const answer = await ask('PUT', `/v2/customer/${before.customer_id}`, { email: before.email })
    assert.deepEqual(answer.json.data, { ...before, updated_at: clock.now.toISOString() })
    assert.deepEqual(
      (await eventsOf(db, before.customer_id)).map(({ type, announced }) => [type, announced]),
      [
        ['customer.created', true],
        ['customer.updated', false],
      ],
    )
  })

  test('the event names the fields that changed, and the audit log has who, when, old and new', async () => {
    const { ask, clock, db } = running()
    const before = await newCustomer(ask)
    clock.now = new Date(clock.now.getTime() + 60_000)
    const answer = await ask('PUT', `/v2/customer/${before.customer_id}`, {
      phone_number: ada.phone_number,
      address: '  1 Broad Street ',
      email: 'ada@example.org',
    })
    const [created, updated, ...more] = await eventsOf(db, before.customer_id)
    assert.deepEqual(more, [])
    const [key] = await db.query<{ api_key_id: string }>(
      `select api_key_id from api_keys where book_id = $1`,
      [updated!.book_id],
    )
    assert.deepEqual(
      { ...created, changes: JSON.parse(created!.changes!) },
      {
        ...created,
        type: 'customer.created',
        data: `{"customer_id":"${before.customer_id}","external_id":null}`,
        changes: { after: ada },
      },
    )
    assert.deepEqual(
      { ...updated, data: JSON.parse(updated!.data), changes: JSON.parse(updated!.changes!) },
      {
        ...updated,
        type: 'customer.updated',
        announced: true,
        api_key_id: key!.api_key_id,
        request_id: answer.headers['request-id'],
        occurred_at: clock.now,
        data: { customer_id: before.customer_id, changed_fields: ['email', 'address'] },
        changes: {
          before: { email: ada.email, phone_number: ada.phone_number, address: ada.address },
          after: { email: 'ada@example.org', phone_number: ada.phone_number, address: '1 Broad Street' },
        },
      },
    )
  })

  test('concurrent updates of different fields all take effect', async () => {
    const { ask, db } = running()
    const { customer_id } = await newCustomer(ask)
    const put = (body: object) => ask('PUT', `/v2/customer/${customer_id}`, body)
    for (let round = 0; round < 5; round += 1) {
      const email = `ada${round}@example.com`
      const phone_number = `+234 801 234 567${round}`
      const address = `${round} Marina Road`
      const answers = await Promise.all([put({ email }), put({ phone_number }), put({ address })])
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200, 200],
      )
      const { data } = (await ask('GET', `/v2/customer/${customer_id}`)).json
      assert.deepEqual([data.email, data.phone_number, data.address], [email, phone_number, address])
    }
    assert.equal((await eventsOf(db, customer_id)).length, 16)
  })

  test('every identifier that is not a customer of this book gets the same answer', async () => {
    const { ask, askWith, liveKey, db } = running()
    const live = await newCustomer(askWith(liveKey))
    const other = await startService(db)
    const foreign = await newCustomer(other.ask)
    await other.close()
    const ids = [
      'cus_000000000000000000000000',
      live.customer_id,
      foreign.customer_id,
      'fd_000000000000000000000000',
      'abc',
      '%00',
      'cus_%2F',
      'x'.repeat(5000),
    ]
    const bodies = new Set<string>()
    await assertUnchanged(db, async () => {
      for (const id of ids) {
        for (const answer of [
          await ask('PUT', `/v2/customer/${id}`, { email: 'a@example.com' }),
          await ask('PUT', `/v2/customer/${id}`, {}),
          await ask('GET', `/v2/customer/${id}`),
        ]) {
          assertRefused(answer, { status: 404, code: 'customer_not_found' })
          bodies.add(withoutRequestId(answer))
        }
      }
    })
    assert.equal(bodies.size, 1)
  })
})

type CustomerData = Record<'customer_id' | 'email' | 'created_at' | 'updated_at', string>

async function newCustomer(ask: Ask): Promise<CustomerData> {
  return (await ask('POST', '/v2/customer', ada)).json.data
}

type EventRow = {
  book_id: string
  type: string
  announced: boolean
  api_key_id: string | null
  request_id: string | null
  occurred_at: Date
  data: string
  changes: string | null
}

function eventsOf(db: Queries, subjectId: string): Promise<EventRow[]> {
  return db.query<EventRow>(
    `select book_id, type, announced, api_key_id, request_id, occurred_at, data, changes
     from events where subject_id = $1 order by ordinal`,
    [subjectId],
  )
}
