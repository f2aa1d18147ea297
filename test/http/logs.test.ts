import assert from 'node:assert/strict'
import { createService } from '../../src/cli/compose.ts'
import { type Database, DatabaseError } from '../../src/engine/database/database.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Log } from '../../src/observe/log.ts'
import { forEachEngine } from '../support/engines.ts'
import { createAsk, startService, testLimits } from '../support/service.ts'
import { through } from '../support/through.ts'

/** Different from everything else a log line may hold. */
const canary = {
  first_name: 'Canaryfirst',
  last_name: 'Canarylast',
  email: 'canary.mail@example.com',
  phone_number: '+999 000 111 2222',
  address: 'Canary Street 7\n    at Canary (house.ts:1:1)',
}

forEachEngine(({ test }) => {
  test('a request is one line with its id, book, route, status and duration', async (db) => {
    const { lines, ask, app, bookId } = await startLogged(db)
    const created = await ask('POST', '/v2/customer', canary)
    await ask('GET', `/v2/customer?mail=${canary.email}`)
    await ask('GET', `/v2/customer/${created.json.data.customer_id}`)
    await ask('GET', `/v2/nothing/${canary.email}`)
    await app.inject({ url: '/v2/customer' })
    const shown = lines.map(({ duration_ms, request_id, client, ...line }) => {
      assert.match(String(client), /^[\w-]{16}$/)
      assert.equal(client, lines[0]!.client)
      assert.match(String(request_id), /^req_[0-9A-Za-z]{24}$/)
      assert(Number(duration_ms) >= 0)
      return line
    })
    const line = { level: 'info', event: 'request' }
    const customer = '/v2/customer/:customer_id'
    assert.deepEqual(shown, [
      { ...line, book_id: bookId, method: 'POST', route: '/v2/customer', status: 201 },
      { ...line, book_id: bookId, method: 'GET', route: '/v2/customer', status: 400 },
      { ...line, book_id: bookId, method: 'GET', route: customer, status: 200 },
      { ...line, book_id: null, method: 'GET', route: null, status: 404 },
      { ...line, book_id: null, method: 'GET', route: '/v2/customer', status: 401 },
    ])
    assert.equal(lines[0]!.request_id, created.headers['request-id'])
    await app.close()
  })

  test('no key, personal value or body ever reaches the log, whatever happens to the request', async (db) => {
    const { lines, ask, askWith, app, testKey } = await startLogged(db)
    const created = await ask('POST', '/v2/customer', canary, { 'idempotency-key': 'canary-key' })
    const customer = `/v2/customer/${created.json.data.customer_id}`
    await ask('PUT', customer, { email: canary.email, address: canary.address })
    await ask('PUT', customer, { first_name: canary.first_name, email: 'canary' })
    await ask('PUT', customer, `{"email": "${canary.email}",}`)
    await ask('PUT', customer, 'canary', { 'content-type': 'text/canary' })
    const account = await ask('POST', '/v2/accounts', { customer_id: created.json.data.customer_id })
    const credits = `/v2/accounts/${account.json.data.account_number}/credits`
    await ask('POST', credits, { amount: 1, narration: 'Canary narration' })
    await askWith('bw_test_canary')('GET', customer)
    await ask('GET', `/v2/customer?api_key=${testKey}`, undefined, { authorization: `Canary ${testKey}` })
    const issued = await ask('POST', '/v2/api-keys', { name: 'Canary', scopes: ['customers:read'] })
    await askWith(issued.json.data.key)('PUT', customer, canary)
    assert(lines.length >= 11)
    assertSilent(lines, [testKey, issued.json.data.key])
    await app.close()
  })

  test('a fault is logged by its kind and its place; its words are for LOG_FAULTS=1 alone', async (db) => {
    const failing = failOn(db, /insert into customers|update customers/, () => {
      const shown = `Failing row contains (${Object.values(canary).join(', ')}).`
      return new DatabaseError(shown, { sqlState: '23514', cause: new Error(shown) })
    })
    const { lines, faults, ask, app, testKey } = await startLogged(failing)
    const answer = await ask('POST', '/v2/customer', canary)
    assert.equal(answer.status, 500)
    assert.deepEqual(
      lines.map(({ level, event, code, error, sql_state }) => ({ level, event, code, error, sql_state })),
      [
        {
          level: 'error',
          event: 'fault',
          code: 'internal_error',
          error: 'DatabaseError',
          sql_state: '23514',
        },
        { level: 'info', event: 'request', code: undefined, error: undefined, sql_state: undefined },
      ],
    )
    assert.match(String(lines[0]!.at), /^at .*logs\.test\.ts/)
    assert.equal(lines[0]!.request_id, answer.headers['request-id'])
    assertSilent(lines, [testKey])
    assert.deepEqual(
      faults.map((fault) => (fault as DatabaseError).sqlState),
      ['23514'],
    )
    assert.doesNotMatch(answer.text, /canary/i)
    await app.close()
  })
})

type Line = Record<string, unknown>

async function startLogged(db: Database) {
  const { testKey, app: other } = await startService(db)
  const lines: Line[] = []
  const faults: unknown[] = []
  const log: Log = (level, event, fields, fault) => {
    lines.push({ level, event, ...fields })
    if (fault !== undefined) faults.push(fault)
  }
  const service = createService({
    db,
    clock: () => new Date(),
    limits: { workers: 1, batchMax: 10, queueMax: 10 },
  })
  const app = await buildServer({ service, limits: testLimits, log })
  await other.close()
  const [book] = await db.query<{ book_id: string }>("select book_id from books where mode = 'test'")
  return {
    lines,
    faults,
    app,
    testKey,
    bookId: book!.book_id,
    ask: createAsk(app)(testKey),
    askWith: createAsk(app),
  }
}

function failOn(db: Database, pattern: RegExp, fault: () => Error): Database {
  const query: Database['query'] = (text, values) =>
    pattern.test(text) ? Promise.reject(fault()) : db.query(text, values)
  return {
    ...db,
    query,
    transaction: (work) =>
      db.transaction((tx) =>
        through(
          (text, values) => (pattern.test(text) ? Promise.reject(fault()) : tx.query(text, values)),
          work,
        ),
      ),
  }
}

function assertSilent(lines: readonly Line[], keys: readonly string[]): void {
  const written = lines.map((line) => JSON.stringify(line)).join('\n')
  assert.doesNotMatch(written, /canary|111 2222/i)
  for (const key of keys) assert(!written.includes(key.slice(8)), 'no part of a key is logged')
}
