/** Desk section 21: callers name customers, accounts and deposits for themselves. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { assertRefused, assertRefusedWithoutTrace, type ExpectedRefusal } from '../support/refusals.ts'
import { type Ask, ada, describeService, fundedAccount, startService } from '../support/service.ts'

type Noun = {
  path: string
  body: (ask: Ask) => Promise<object>
  idOf: (data: Record<string, string>) => string
}

const nouns: Record<string, Noun> = {
  customer: { path: '/v2/customer', body: async () => ada, idOf: (data) => data.customer_id! },
  account: {
    path: '/v2/accounts',
    body: async (ask) => ({ customer_id: (await fundedAccount(ask, 1)).customerId }),
    idOf: (data) => data.account_number!,
  },
  deposit: {
    path: '/v2/fixed-deposits',
    body: async (ask) => ({
      account_number: (await fundedAccount(ask, 10_000)).accountNumber,
      amount: 100,
      tenor: 90,
      interest_rate: 10,
    }),
    idOf: (data) => data.deposit_id!,
  },
}

const taken: ExpectedRefusal = { status: 409, code: 'external_id_taken' }
const invalid = (field: string, code: string): ExpectedRefusal => ({
  status: 400,
  code: 'invalid_request',
  fields: [[field, code]],
})

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 'x']))

const badInput: [body: object, field: string, code: string][] = [
  [{ external_id: '' }, 'external_id', 'blank'],
  [{ external_id: 'x'.repeat(65) }, 'external_id', 'too_long'],
  [{ external_id: 'a\nb' }, 'external_id', 'invalid_format'],
  [{ external_id: 'a\u0000b' }, 'external_id', 'invalid_format'],
  [{ external_id: 7 }, 'external_id', 'invalid_type'],
  [{ external_id: null }, 'external_id', 'null_not_allowed'],
  [{ metadata: null }, 'metadata', 'null_not_allowed'],
  [{ metadata: [] }, 'metadata', 'invalid_type'],
  [{ metadata: 'branch' }, 'metadata', 'invalid_type'],
  [{ metadata: names(21) }, 'metadata', 'too_many'],
  [{ metadata: { branch: 7 } }, 'metadata.branch', 'invalid_type'],
  [{ metadata: { branch: null } }, 'metadata.branch', 'invalid_type'],
  [{ metadata: { branch: { name: 'x' } } }, 'metadata.branch', 'invalid_type'],
  [{ metadata: { branch: 'x'.repeat(201) } }, 'metadata.branch', 'too_long'],
  [{ metadata: { branch: 'a\tb' } }, 'metadata.branch', 'invalid_format'],
  [{ metadata: { ['n'.repeat(41)]: 'x' } }, `metadata.${'n'.repeat(41)}`, 'too_long'],
  [{ metadata: { ' ': 'x' } }, 'metadata. ', 'blank'],
  [{ metadata: { 'a\nb': 'x' } }, 'metadata.a\nb', 'invalid_format'],
]

describeService('external ids and metadata', (running) => {
  for (const [name, noun] of Object.entries(nouns)) {
    test(`a ${name} shows them, and is found by its external id in its own book`, async () => {
      const { ask, askWith, liveKey } = running()
      const body = await noun.body(ask)
      const own = {
        external_id: `${'ẹ'.repeat(50)} ${name} #1`,
        metadata: { ...names(17), ['n'.repeat(40)]: 'v'.repeat(200), ['__proto__']: '', 'ọ "': "'" },
      }
      const made = await ask('POST', noun.path, { ...body, ...own })
      assert.equal(made.status, 201, made.text)
      const { external_id, metadata } = made.json.data
      assert.deepEqual({ external_id, metadata }, own)
      const id = noun.idOf(made.json.data)
      assert.deepEqual((await ask('GET', `${noun.path}/${id}`)).json.data, made.json.data)

      const filter = `${noun.path}?external_id=${encodeURIComponent(own.external_id)}`
      assert.deepEqual((await ask('GET', filter)).json.data, [made.json.data])
      assert.deepEqual((await ask('GET', `${noun.path}?external_id=another`)).json.data, [])
      assert.deepEqual((await askWith(liveKey)('GET', filter)).json.data, [])
      assertRefused(await ask('GET', `${noun.path}?external_id=`), invalid('external_id', 'blank'))

      const plain = await ask('POST', noun.path, await noun.body(ask))
      assert.deepEqual([plain.json.data.external_id, plain.json.data.metadata], [null, {}])
    })

    test(`a second ${name} with an external id that is taken is refused without trace`, async () => {
      const { ask, askWith, liveKey, db } = running()
      const body = { ...(await noun.body(ask)), external_id: `twice ${name}` }
      assert.equal((await ask('POST', noun.path, body)).status, 201)
      const second = { ...(await noun.body(ask)), external_id: `twice ${name}` }
      await assertRefusedWithoutTrace(db, () => ask('POST', noun.path, second), taken)
      const live = askWith(liveKey)
      const there = await live('POST', noun.path, {
        ...(await noun.body(live)),
        external_id: `twice ${name}`,
      })
      assert.equal(there.status, 201, 'another book has names of its own')
    })

    test(`a ${name} that was refused leaves its external id free`, async () => {
      const { ask } = running()
      const body = { ...(await noun.body(ask)), external_id: `free ${name}` }
      const unknown = { customer_id: 'cus_nobody', account_number: '9999999999', first_name: '' }
      const names = Object.keys(body).filter((member) => Object.hasOwn(unknown, member))
      const refused = names.map((member) => [member, unknown[member as keyof typeof unknown]])
      const bad = await ask('POST', noun.path, { ...body, ...Object.fromEntries(refused) })
      assert.equal(Math.floor(bad.status / 100), 4, bad.text)
      assert.equal((await ask('POST', noun.path, body)).status, 201)
    })

    test(`bad external ids and metadata of a ${name} are refused without trace`, async () => {
      const { ask, db } = running()
      const body = await noun.body(ask)
      for (const [own, field, code] of badInput) {
        const asking = () => ask('POST', noun.path, { ...body, ...own })
        await assertRefusedWithoutTrace(db, asking, invalid(field, code))
      }
    })
  }

  test('an answer is repeated to its key, although the external id is taken by then', async () => {
    const { ask } = running()
    const body = { ...ada, external_id: 'repeated' }
    const key = { 'idempotency-key': 'own-reference-1' }
    const first = await ask('POST', '/v2/customer', body, key)
    const again = await ask('POST', '/v2/customer', body, key)
    assert.equal(first.status, 201, first.text)
    assert.deepEqual(again.json, first.json)
  })

  test('events carry them, but not the metadata of a customer', async () => {
    const { ask } = running()
    const own = { external_id: 'in events', metadata: { branch: 'Marina-canary' } }
    const dataOf = async (id: string, type: string) => {
      const { data } = (await ask('GET', `/v2/events?type=${type}&limit=100`)).json
      return data.find((event: { data: object }) => Object.values(event.data).includes(id)).data
    }
    const { customer_id } = (await ask('POST', '/v2/customer', { ...ada, ...own })).json.data
    assert.deepEqual(await dataOf(customer_id, 'customer.created'), { customer_id, external_id: 'in events' })
    const audited = await ask('GET', `/v2/audit-log?subject_id=${customer_id}`)
    assert.equal(audited.json.data.length, 1)
    assert(!audited.text.includes('canary'))
    for (const [noun, type] of [[nouns.deposit!, 'fixed_deposit.created']] as const) {
      const made = await ask('POST', noun.path, { ...(await noun.body(ask)), ...own })
      const data = await dataOf(noun.idOf(made.json.data), type)
      assert.deepEqual(data, made.json.data)
    }
  })

  test('a customer is searched by the external id of the customer, an account or a deposit', async () => {
    const { ask } = running()
    const customer = (await ask('POST', '/v2/customer', { ...ada, external_id: 'S-1' })).json.data
    const account = (
      await ask('POST', '/v2/accounts', { customer_id: customer.customer_id, external_id: 'S-2' })
    ).json.data
    await ask('POST', `/v2/accounts/${account.account_number}/credits`, { amount: 100 })
    const opened = await ask('POST', '/v2/fixed-deposits', {
      account_number: account.account_number,
      amount: 100,
      tenor: 90,
      interest_rate: 10,
      external_id: 'S-3',
    })
    assert.equal(opened.status, 201, opened.text)
    for (const typed of ['S-1', 'S-2', 'S-3', ' S-3 ']) {
      const found = (await ask('GET', `/v2/customer?q=${encodeURIComponent(typed)}`)).json.data
      assert.deepEqual(found, [customer], typed)
    }
  })

  test('a customer keeps them: an update does not take them', async () => {
    const { ask, db } = running()
    const { customer_id } = (await ask('POST', '/v2/customer', ada)).json.data
    for (const body of [{ external_id: 'later' }, { metadata: {} }]) {
      const asking = () => ask('PUT', `/v2/customer/${customer_id}`, body)
      await assertRefusedWithoutTrace(db, asking, invalid(Object.keys(body)[0]!, 'not_updatable'))
    }
  })

  test('a rollover opens a successor without them', async () => {
    const { ask } = running()
    const body = { ...(await nouns.deposit!.body(ask)), auto_rollover: true, external_id: 'rolls' }
    const opened = (await ask('POST', '/v2/fixed-deposits', { ...body, start_date: '2026-03-01' })).json.data
    const settled = await ask('POST', '/v2/test-clock', { now: '2026-07-02T10:00:00.000Z' })
    assert.equal(settled.status, 200, settled.text)
    const { rolled_over_to } = (await ask('GET', `/v2/fixed-deposits/${opened.deposit_id}`)).json.data
    const successor = (await ask('GET', `/v2/fixed-deposits/${rolled_over_to}`)).json.data
    assert.deepEqual([successor.external_id, successor.metadata], [null, {}])
  })
})

for (const engine of engines) {
  describe(`${engine.name}: external ids under concurrency`, { skip: engine.skip }, () => {
    test('requests that share a key share its answer, and none is refused by the name they took', async () => {
      const db = await engine.open()
      const { ask, close } = await startService(db, { workers: 8, batchMax: 4 })
      try {
        for (const [name, noun] of Object.entries(nouns)) {
          const body = { ...(await noun.body(ask)), external_id: 'shared' }
          const headers = { 'idempotency-key': `shared ${name}` }
          const answers = await Promise.all(
            Array.from({ length: 40 }, () => ask('POST', noun.path, body, headers)),
          )
          assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201], name)
          assert.equal(new Set(answers.map(({ text }) => text)).size, 1, name)
        }
        await audit(db)
      } finally {
        await close()
        await db.close()
      }
    })

    for (const [batches, options] of [
      ['one batch', { workers: 1, batchMax: 256 }],
      ['many batches', { workers: 8, batchMax: 4 }],
    ] as const) {
      test(`in ${batches} each external id has one winner, and no neighbour fails`, async () => {
        const db = await engine.open()
        const { ask, close } = await startService(db, options)
        try {
          for (const [name, noun] of Object.entries(nouns)) {
            const bodies = await Promise.all(Array.from({ length: 60 }, () => noun.body(ask)))
            const answers = await Promise.all(
              bodies.map((body, index) =>
                ask('POST', noun.path, index % 3 === 0 ? body : { ...body, external_id: `${index % 10}` }),
              ),
            )
            const winners = new Map<string, number>()
            answers.forEach((answer, index) => {
              if (index % 3 === 0) assert.equal(answer.status, 201, answer.text)
              else if (answer.status === 201)
                winners.set(
                  answer.json.data.external_id,
                  (winners.get(answer.json.data.external_id) ?? 0) + 1,
                )
              else assertRefused(answer, taken)
            })
            assert.deepEqual(
              [...winners].sort(),
              Array.from({ length: 10 }, (_, index) => [`${index}`, 1]),
              name,
            )
          }
          await audit(db)
        } finally {
          await close()
          await db.close()
        }
      })
    }
  })
}
