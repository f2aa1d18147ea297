import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '../../../src/cli/compose.ts'
import { buildServer } from '../../../src/http/server.ts'
import { forEachEngine } from '../../support/engines.ts'
import { type Ask, createAsk, startService, testLimits } from '../../support/service.ts'

forEachEngine(({ test }) => {
  test('a key made over HTTP works with its scopes alone, and is shown once', async (db) => {
    const { ask, askWith } = await startService(db)
    const made = await ask('POST', '/v2/api-keys', { name: 'Back office', scopes: ['customers:read'] })
    assert.equal(made.status, 201, made.text)
    const { key, ...record } = made.json.data
    assert.match(key, /^bw_test_[0-9A-Za-z]{38}$/)
    assert.deepEqual(record, {
      api_key_id: record.api_key_id,
      key_prefix: key.slice(0, 12),
      name: 'Back office',
      mode: 'test',
      scopes: ['customers:read'],
      rate_limit_per_minute: null,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      created_at: '2026-07-01T10:00:00.000Z',
    })
    assert.equal((await askWith(key)('GET', '/v2/customer')).status, 200)
    const refused = await askWith(key)('GET', '/v2/accounts')
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.json.error.details, { required_scope: 'accounts:read' })

    const list = await ask('GET', '/v2/api-keys')
    assert.ok(!list.text.includes(key), 'a list never shows a key')
    assert.equal(list.json.data[0].api_key_id, record.api_key_id)
    const rows = await db.query('select * from api_keys')
    assert.ok(!JSON.stringify(rows, showBigints).includes(key), 'only its hash is kept')
  })

  test('any key can read itself, whatever its scopes', async (db) => {
    const { ask, askWith } = await startService(db)
    const { key } = (await ask('POST', '/v2/api-keys', { scopes: ['ledger:read'] })).json.data
    const current = await askWith(key)('GET', '/v2/api-keys/current')
    assert.equal(current.status, 200)
    assert.deepEqual(current.json.data.scopes, ['ledger:read'])
  })

  test('a key cannot make, roll or revoke a key with more scopes than itself', async (db) => {
    const { ask, askWith } = await startService(db)
    const scopes = ['api_keys:write', 'customers:read']
    const { key } = (await ask('POST', '/v2/api-keys', { scopes })).json.data
    const narrow = askWith(key)
    assert.equal((await narrow('POST', '/v2/api-keys', { scopes: ['customers:read'] })).status, 201)
    for (const wider of [['customers:write'], ['*'], ['customers:read', 'ledger:read']]) {
      const refused = await narrow('POST', '/v2/api-keys', { scopes: wider })
      assert.deepEqual([refused.status, refused.json.error.code], [403, 'scope_escalation'])
    }
    const wide = (await ask('GET', '/v2/api-keys/current')).json.data.api_key_id
    const rolled = await narrow('POST', `/v2/api-keys/${wide}/roll`, {})
    assert.deepEqual([rolled.status, rolled.json.error.code], [403, 'scope_escalation'])
    const revoked = await narrow('DELETE', `/v2/api-keys/${wide}`)
    assert.deepEqual([revoked.status, revoked.json.error.code], [403, 'scope_escalation'])
    assert.equal((await ask('GET', '/v2/customer')).status, 200)
  })

  test('a key makes keys with at most its own expiry and limit, and rolls or revokes no others', async (db) => {
    const { ask, askWith } = await startService(db)
    const scopes = ['api_keys:write']
    const make = (using: Ask, body: object) => using('POST', '/v2/api-keys', { scopes, ...body })
    const limited = { expires_at: '2026-08-01T00:00:00.000Z', rate_limit_per_minute: 50 }
    const own = (await make(ask, limited)).json.data
    const mine = askWith(own.key)
    const termsOf = ({ expires_at, rate_limit_per_minute }: Record<string, unknown>) => ({
      expires_at,
      rate_limit_per_minute,
    })
    assert.deepEqual(termsOf((await make(mine, {})).json.data), limited)
    assert.deepEqual(termsOf((await make(mine, limited)).json.data), limited)
    const less = { expires_at: '2026-07-31T23:59:59.999Z', rate_limit_per_minute: 49 }
    const lesser = (await make(mine, less)).json.data
    assert.deepEqual(termsOf(lesser), less)

    const laterEnd = { expires_at: limited.expires_at }
    const higherLimit = { rate_limit_per_minute: '50' }
    const more: [object, object][] = [
      [{ expires_at: '2026-08-01T00:00:00.001Z' }, laterEnd],
      [{ rate_limit_per_minute: 51 }, higherLimit],
      [{ rate_limit_per_minute: 0 }, higherLimit],
    ]
    for (const [body, details] of more) {
      const refused = await make(mine, body)
      const { code, details: reported } = refused.json.error
      assert.deepEqual([refused.status, code, reported], [403, 'key_escalation', details])
      const stronger = (await make(ask, { ...limited, ...body })).json.data.api_key_id
      for (const attempt of [
        await mine('POST', `/v2/api-keys/${stronger}/roll`, {}),
        await mine('DELETE', `/v2/api-keys/${stronger}`),
      ]) {
        assert.deepEqual([attempt.status, attempt.json.error.code], [403, 'key_escalation'])
      }
    }
    assert.equal((await mine('DELETE', `/v2/api-keys/${lesser.api_key_id}`)).status, 200)
    const rolled = await mine('POST', `/v2/api-keys/${own.api_key_id}/roll`, {})
    assert.deepEqual(termsOf(rolled.json.data), limited)
  })

  test('a rolled key makes no key, and no second successor, that outlives its overlap', async (db) => {
    const { ask, askWith } = await startService(db)
    const scopes = ['api_keys:write']
    const old = (await ask('POST', '/v2/api-keys', { scopes })).json.data
    await ask('POST', `/v2/api-keys/${old.api_key_id}/roll`, { overlap_seconds: 60 })
    const made = await askWith(old.key)('POST', '/v2/api-keys', { scopes })
    assert.equal(made.json.data.expires_at, '2026-07-01T10:01:00.000Z')
    const rolled = await askWith(old.key)('POST', `/v2/api-keys/${old.api_key_id}/roll`, {})
    assert.deepEqual([rolled.status, rolled.json.error.code], [403, 'key_escalation'])
    assert.equal((await ask('POST', `/v2/api-keys/${old.api_key_id}/roll`, {})).status, 201)
  })

  test('a key without a limit makes keys under the limit of the service, or with any of their own', async (db) => {
    const { ask, askWith } = await startService(db)
    const make = async (using: Ask, body: object) =>
      (await using('POST', '/v2/api-keys', { scopes: ['*'], ...body })).json.data
    const unlimited = await make(ask, { rate_limit_per_minute: 0 })
    assert.equal(unlimited.rate_limit_per_minute, 0)
    for (const using of [ask, askWith(unlimited.key)]) {
      assert.equal((await make(using, {})).rate_limit_per_minute, null)
      assert.equal((await make(using, { rate_limit_per_minute: 1_000_000 })).rate_limit_per_minute, 1_000_000)
    }
  })

  test('bad keys are refused field by field', async (db) => {
    const { ask } = await startService(db)
    const table: [unknown, string, string][] = [
      [{}, 'scopes', 'required'],
      [{ scopes: [] }, 'scopes', 'too_few'],
      [{ scopes: ['everything'] }, 'scopes[0]', 'invalid_value'],
      [{ scopes: ['*'], expires_at: 'soon' }, 'expires_at', 'invalid_format'],
      [{ scopes: ['*'], rate_limit_per_minute: -1 }, 'rate_limit_per_minute', 'out_of_range'],
      [{ scopes: ['*'], key: 'mine' }, 'key', 'unknown_field'],
    ]
    for (const [body, field, code] of table) {
      const refused = await ask('POST', '/v2/api-keys', body)
      assert.equal(refused.status, 400)
      const [first] = refused.json.error.fields
      assert.deepEqual([first.field, first.code], [field, code])
    }
    const past = await ask('POST', '/v2/api-keys', { scopes: ['*'], expires_at: '2026-07-01T10:00:00Z' })
    assert.deepEqual([past.status, past.json.error.code], [422, 'expires_at_in_past'])
  })

  test('a key stops when it expires', async (db) => {
    const { ask, askWith, clock } = await startService(db)
    const made = await ask('POST', '/v2/api-keys', { scopes: ['*'], expires_at: '2026-07-01T10:00:01Z' })
    const expiring = askWith(made.json.data.key)
    assert.equal((await expiring('GET', '/v2/customer')).status, 200)
    clock.now = new Date('2026-07-01T10:00:01.000Z')
    const refused = await expiring('GET', '/v2/customer')
    assert.deepEqual([refused.status, refused.json.error.code], [401, 'api_key_expired'])
    assert.equal(refused.headers['www-authenticate'], 'Bearer')
  })

  test('a revoked key stops immediately here, and within a second on another instance', async (db) => {
    const { ask, askWith } = await startService(db)
    const other = await buildServer({
      service: createService({
        db,
        clock: () => new Date('2026-07-01T10:00:00Z'),
        limits: { workers: 1, batchMax: 8, queueMax: 8 },
      }),
      limits: testLimits,
      log: () => {},
    })
    const { key, api_key_id } = (await ask('POST', '/v2/api-keys', { scopes: ['*'] })).json.data
    const there = createAsk(other)(key)
    assert.equal((await there('GET', '/v2/customer')).status, 200)
    const revoked = await ask('DELETE', `/v2/api-keys/${api_key_id}`)
    assert.equal(revoked.status, 200, revoked.text)
    assert.equal(revoked.json.data.revoked_at, '2026-07-01T10:00:00.000Z')
    const here = await askWith(key)('GET', '/v2/customer')
    assert.deepEqual([here.status, here.json.error.code], [401, 'api_key_revoked'])
    await sleep(1000)
    assert.equal((await there('GET', '/v2/customer')).json.error.code, 'api_key_revoked')
    const again = await ask('DELETE', `/v2/api-keys/${api_key_id}`)
    assert.deepEqual([again.status, again.json.data.revoked_at], [200, '2026-07-01T10:00:00.000Z'])
    assert.equal((await ask('DELETE', '/v2/api-keys/key_unknown')).json.error.code, 'api_key_not_found')
    await other.close()
  })

  test('a rolled key works until the overlap ends, its successor from the start', async (db) => {
    const { ask, askWith, clock } = await startService(db)
    const body = { name: 'Nightly', scopes: ['customers:read'], rate_limit_per_minute: 77 }
    const old = (await ask('POST', '/v2/api-keys', body)).json.data
    const rolled = await ask('POST', `/v2/api-keys/${old.api_key_id}/roll`, { overlap_seconds: 60 })
    assert.equal(rolled.status, 201, rolled.text)
    const { key, name, scopes, rate_limit_per_minute } = rolled.json.data
    assert.deepEqual({ name, scopes, rate_limit_per_minute }, body)
    clock.now = new Date('2026-07-01T10:00:59.999Z')
    assert.equal((await askWith(old.key)('GET', '/v2/customer')).status, 200)
    clock.now = new Date('2026-07-01T10:01:00.000Z')
    assert.equal((await askWith(old.key)('GET', '/v2/customer')).json.error.code, 'api_key_revoked')
    assert.equal((await askWith(key)('GET', '/v2/customer')).status, 200)
    const dead = await ask('POST', `/v2/api-keys/${old.api_key_id}/roll`, { overlap_seconds: 0 })
    assert.deepEqual([dead.status, dead.json.error.code], [409, 'api_key_not_active'])
    const long = await ask('POST', `/v2/api-keys/${old.api_key_id}/roll`, { overlap_seconds: 604_801 })
    assert.equal(long.status, 400)
  })

  test('a replay shows the key again to the key that requested it, and the database never contains it', async (db) => {
    const { ask, askWith } = await startService(db)
    const header = { 'idempotency-key': 'make-one' }
    const first = await ask('POST', '/v2/api-keys', { scopes: ['*'] }, header)
    const again = await ask('POST', '/v2/api-keys', { scopes: ['*'] }, header)
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const kept = await db.query('select * from idempotency_keys')
    assert.ok(!JSON.stringify(kept).includes(first.json.data.key))
    const stranger = await askWith(first.json.data.key)('POST', '/v2/api-keys', { scopes: ['*'] }, header)
    assert.deepEqual([stranger.status, stranger.json.error.code], [422, 'idempotency_key_reused'])
  })

  test('keys of another mode or caller are not found', async (db) => {
    const { ask, askWith, liveKey } = await startService(db)
    const stranger = await startService(db)
    const mine = (await ask('GET', '/v2/api-keys/current')).json.data.api_key_id
    for (const foreign of [askWith(liveKey), stranger.ask]) {
      assert.equal((await foreign('DELETE', `/v2/api-keys/${mine}`)).json.error.code, 'api_key_not_found')
      assert.equal(
        (await foreign('POST', `/v2/api-keys/${mine}/roll`, {})).json.error.code,
        'api_key_not_found',
      )
      assert.ok(!(await foreign('GET', '/v2/api-keys')).text.includes(mine))
    }
  })

  test('the last use of a key is recorded to the minute', async (db) => {
    const { ask } = await startService(db)
    await ask('GET', '/v2/customer')
    await sleep(1000)
    const current = await ask('GET', '/v2/api-keys/current')
    assert.equal(current.json.data.last_used_at, '2026-07-01T10:00:00.000Z')
  })
})

function showBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
