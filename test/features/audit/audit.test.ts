import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../../src/engine/database/database.ts'
import { ABOVE_ALL } from '../../../src/engine/database/pages.ts'
import { type AuditFilters, listChanges } from '../../../src/features/audit/store.ts'
import { assertRefused } from '../../support/refusals.ts'
import {
  type Answer,
  ada,
  describeService,
  openDeposit,
  replaceRules,
  startService,
  type TestService,
} from '../../support/service.ts'

describeService('the audit log', (running) => {
  test('shows for each change who made it, when, by which request, and what it was, newest first', async () => {
    const { ask } = await anotherBook(running())
    const made = await ask('POST', '/v2/customer', ada)
    const customerId: string = made.json.data.customer_id
    const changed = await ask('PUT', `/v2/customer/${customerId}`, {
      email: 'ada@example.org',
      phone_number: ada.phone_number,
    })
    const { api_key_id } = (await ask('GET', '/v2/api-keys/current')).json.data
    const log = await ask('GET', '/v2/audit-log')
    assert.equal(log.status, 200)
    const common = { at: '2026-07-01T10:00:00.000Z', api_key_id, subject_id: customerId }
    assert.deepEqual(log.json, {
      status: true,
      message: log.json.message,
      data: [
        {
          event_id: log.json.data[0].event_id,
          action: 'customer.updated',
          ...common,
          request_id: changed.headers['request-id'],
          changes: {
            before: { email: ada.email, phone_number: ada.phone_number },
            after: { email: 'ada@example.org', phone_number: ada.phone_number },
          },
          data: { customer_id: customerId, changed_fields: ['email'] },
          actor: { kind: 'KEY', id: api_key_id, name: 'First key' },
        },
        {
          event_id: log.json.data[1].event_id,
          action: 'customer.created',
          ...common,
          request_id: made.headers['request-id'],
          changes: { before: null, after: ada },
          data: { customer_id: customerId, external_id: null },
          actor: { kind: 'KEY', id: api_key_id, name: 'First key' },
        },
      ],
      meta: { limit: 50, has_more: false, next_cursor: null },
    })
  })

  test('holds every committed change, and no refusal, quote, read or replay', async () => {
    const { ask, clock } = await anotherBook(running())
    const { depositId } = await openDeposit(ask, { amount: 10_000, tenor: 30 })
    const path = `/v2/fixed-deposits/${depositId}`
    await ask('POST', `${path}/liquidation-quote`, { liquidation_type: 'FULL' })
    await ask('POST', `${path}/liquidate`, { liquidation_type: 'PARTIAL', amount: 10_000 })
    const partial = { liquidation_type: 'PARTIAL', amount: 1_000 }
    const first = await ask('POST', `${path}/liquidate`, partial, { 'idempotency-key': 'once' })
    await ask('POST', `${path}/liquidate`, partial, { 'idempotency-key': 'once' })
    const other = await openDeposit(ask, { amount: 500 })
    await ask('POST', `/v2/fixed-deposits/${other.depositId}/liquidate`, { liquidation_type: 'FULL' })
    await replaceRules(ask, { rounding: 'DOWN' })
    await ask('POST', '/v2/api-keys', { scopes: ['audit:read'] })
    await ask('PUT', '/v2/customer/cus_000000000000000000000000', { address: 'Nowhere 1' })
    await ask('POST', '/v2/test-clock', { now: '2026-08-01T00:00:00Z' })
    clock.now = new Date('2026-07-02T10:00:00.000Z')

    const { data } = (await ask('GET', '/v2/audit-log?limit=100')).json
    assert.deepEqual(
      data.map((change: any) => change.action),
      [
        'fixed_deposit.matured',
        'test_clock.moved',
        'api_key.created',
        'liquidation_rules.updated',
        'fixed_deposit.liquidated',
        'fixed_deposit.created',
        'account.credited',
        'account.created',
        'customer.created',
        'fixed_deposit.partially_liquidated',
        'fixed_deposit.created',
        'account.credited',
        'account.created',
        'customer.created',
      ],
    )
    // The answer is what is stored, to the decimals.
    const shown = await ask('GET', '/v2/audit-log?action=fixed_deposit.partially_liquidated')
    assert(shown.text.includes(first.text.slice(first.text.indexOf('"data":'), -1)), shown.text)
  })

  test('finds changes by subject, action, key and time, each alone and together', async () => {
    const { ask, askWith, clock } = await anotherBook(running())
    const issued = await ask('POST', '/v2/api-keys', { scopes: ['*'] })
    const { api_key_id: otherKeyId, key } = issued.json.data
    const other = askWith(key)
    const first = (await ask('POST', '/v2/customer', ada)).json.data.customer_id
    clock.now = new Date('2026-07-02T10:00:00.000Z')
    const second = (await other('POST', '/v2/customer', ada)).json.data.customer_id
    clock.now = new Date('2026-07-03T10:00:00.000Z')
    await other('PUT', `/v2/customer/${first}`, { address: '1 Broad Street' })
    await ask('PUT', `/v2/customer/${second}`, { address: '2 Broad Street' })
    const { api_key_id: keyId } = (await ask('GET', '/v2/api-keys/current')).json.data

    const rows: [string, string[]][] = [
      [`subject_id=${first}`, ['customer.updated', 'customer.created']],
      [`subject_id=${otherKeyId}`, ['api_key.created']],
      ['action=customer.created', ['customer.created', 'customer.created']],
      [`api_key_id=${otherKeyId}`, ['customer.updated', 'customer.created']],
      [`api_key_id=${keyId}`, ['customer.updated', 'customer.created', 'api_key.created']],
      ['from=2026-07-02T10:00:00.000Z&to=2026-07-03T10:00:00.000Z', ['customer.created']],
      ['from=2026-07-03T11:00:00%2B01:00', ['customer.updated', 'customer.updated']],
      ['to=2026-07-01T10:00:00.000Z', []],
      [
        `subject_id=${first}&action=customer.updated&api_key_id=${otherKeyId}&from=2026-07-03T00:00:00Z`,
        ['customer.updated'],
      ],
      [`subject_id=${first}&api_key_id=${keyId}&action=customer.updated`, []],
      ['subject_id=unknown', []],
    ]
    for (const [query, actions] of rows) {
      const found = await ask('GET', `/v2/audit-log?${query}`)
      assert.equal(found.status, 200, found.text)
      assert.deepEqual([query, actionsOf(found)], [query, actions])
    }
  })

  test('is read page by page, and stays whole while changes are added', async () => {
    const { ask } = await anotherBook(running())
    for (let made = 0; made < 7; made += 1) await ask('POST', '/v2/customer', ada)
    const all = (await ask('GET', '/v2/audit-log')).json.data
    const pages: any[] = []
    let query = 'limit=3'
    for (;;) {
      const page = await ask('GET', `/v2/audit-log?${query}`)
      pages.push(...page.json.data)
      await ask('POST', '/v2/customer', ada)
      if (!page.json.meta.has_more) break
      query = `limit=3&cursor=${page.json.meta.next_cursor}`
    }
    assert.deepEqual(pages, all)
    const { next_cursor } = (await ask('GET', '/v2/audit-log?limit=3')).json.meta
    const foreign = await ask('GET', `/v2/audit-log?action=customer.created&cursor=${next_cursor}`)
    assertRefused(foreign, { status: 400, code: 'invalid_request', fields: [['cursor', 'invalid_value']] })
    assertRefused(await ask('GET', '/v2/audit-log?actor=me&from=yesterday'), {
      status: 400,
      code: 'invalid_request',
      fields: [
        ['from', 'invalid_format'],
        ['actor', 'unknown_field'],
      ],
    })
  })

  test('a page scans a bounded number of changes, and its cursor continues from there', async () => {
    const { db } = running()
    const { ask, askWith } = await anotherBook(running())
    const issued = await ask('POST', '/v2/api-keys', { scopes: ['*'] })
    const { api_key_id, key } = issued.json.data
    const rare = (await askWith(key)('POST', '/v2/customer', ada)).json.data.customer_id
    for (let made = 0; made < 6; made += 1) await ask('POST', '/v2/customer', ada)
    const [book] = await db.query<{ book_id: string }>(
      'select book_id from customers where customer_id = $1',
      [rare],
    )
    const look = async (filters: AuditFilters, scannedMax = 4) => {
      const pages: string[][] = []
      let before: bigint | null = null
      do {
        const page = await listChanges(db, book!.book_id, filters, { limit: 2, before }, scannedMax)
        pages.push(page.items.map((change) => change.action))
        before = page.next
      } while (before !== null)
      return pages
    }
    // The rare one is the seventh of eight: a first scan of four changes misses it, a second one finds it.
    assert.deepEqual(await look({ apiKeyId: api_key_id }), [[], ['customer.created']])
    // At the edge it is the first that a scan leaves out, and with one more the last that it finds.
    assert.deepEqual(await look({ apiKeyId: api_key_id }, 6), [[], ['customer.created']])
    assert.deepEqual(await look({ apiKeyId: api_key_id }, 7), [['customer.created'], []])
    assert.deepEqual(await look({ apiKeyId: api_key_id, action: 'customer.created' }), [
      [],
      ['customer.created'],
    ])
    assert.deepEqual(await look({ subjectId: rare, apiKeyId: api_key_id }), [['customer.created']])
    // Indexed filters alone are not limited.
    assert.deepEqual(await look({ action: 'api_key.created' }), [['api_key.created']])
  })

  test('a page scans 50,000 changes', async () => {
    const { db } = running()
    const bookId = 'bk_unknown'
    const asked: unknown[][] = []
    const asking: Queries = {
      query: (text, values = []) => {
        asked.push([...values])
        return db.query(text, values)
      },
    }
    await listChanges(asking, bookId, { from: new Date(0) }, { limit: 2, before: null })
    assert.deepEqual(asked[0], [bookId, ABOVE_ALL, 50_000])
  })

  test('needs audit:read, and shows one book alone', async () => {
    const { ask, askWith, liveKey } = await anotherBook(running())
    await ask('POST', '/v2/customer', ada)
    const elsewhere = await askWith(liveKey)('GET', '/v2/audit-log')
    assert.deepEqual([elsewhere.status, elsewhere.json.data], [200, []])
    const keyWith = async (scopes: string[]) =>
      askWith((await ask('POST', '/v2/api-keys', { scopes })).json.data.key)
    const reader = await keyWith(['audit:read'])
    assert.equal((await reader('GET', '/v2/audit-log')).status, 200)
    const others = await keyWith(['events:read', 'customers:read'])
    assertRefused(await others('GET', '/v2/audit-log'), {
      status: 403,
      code: 'insufficient_scope',
      details: '{"required_scope":"audit:read"}',
    })
  })
})

function anotherBook({ db }: TestService & { db: Parameters<typeof startService>[0] }) {
  return startService(db)
}

function actionsOf(answer: Answer): string[] {
  return answer.json.data.map((change: { action: string }) => change.action)
}
