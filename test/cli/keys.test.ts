import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../src/cli/command.ts'
import { createProgram } from '../../src/cli/program.ts'
import { isSecretKey } from '../../src/engine/database/secrets.ts'
import { isCoordinator } from '../support/engines.ts'
import { type Environment, forEachEnvironment, run, serve } from './program.ts'

async function json(args: readonly string[], env: Environment) {
  const { code, stdout, stderr } = await run([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function ask(url: string, key: string, path: string): Promise<{ http: number; code: string | null }> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body = (await response.json()) as { error?: { code: string } }
  return { http: response.status, code: body.error?.code ?? null }
}

forEachEnvironment(({ name, test }) => {
  test('keys of a new caller open its books, with their scopes, until they are revoked', async (t, env) => {
    const created = [
      'callers',
      'create',
      '--name',
      'Harbour Bank',
      '--time-zone',
      'Africa/Nairobi',
      '--currency',
      'KES',
    ]
    const { test_key, live_key, ...caller } = await json(created, env)
    const { caller_id, created_at } = caller
    assert.deepEqual(caller, {
      caller_id,
      name: 'Harbour Bank',
      time_zone: 'Africa/Nairobi',
      currency: 'KES',
      created_at,
    })
    assert(isSecretKey(test_key) && test_key.startsWith('bw_test_'))
    assert(isSecretKey(live_key) && live_key.startsWith('bw_live_'))

    const expires = '2100-01-01T00:00:00.000Z'
    const { key, ...record } = await json(
      [
        'keys',
        'create',
        '--caller',
        caller_id,
        '--mode',
        'live',
        '--scopes',
        'customers:read,ledger:read',
      ].concat(['--name', 'Reporting', '--expires', expires, '--rate-limit', '600']),
      env,
    )
    assert.deepEqual(record, {
      api_key_id: record.api_key_id,
      key_prefix: key.slice(0, 12),
      name: 'Reporting',
      mode: 'live',
      scopes: ['customers:read', 'ledger:read'],
      rate_limit_per_minute: 600,
      expires_at: expires,
      revoked_at: null,
      last_used_at: null,
      created_at: record.created_at,
      caller_id,
    })

    // The embedded directory belongs to one process at a time: there the service starts after the key was revoked.
    const early = name === 'PGlite' ? null : await serve(t, env)
    if (early !== null) assert.deepEqual(await ask(early.url, key, '/v2/customer'), { http: 200, code: null })
    const revoked = await json(['keys', 'revoke', record.api_key_id], env)
    assert.deepEqual({ ...revoked, revoked_at: null, last_used_at: null }, record)
    assert.notEqual(revoked.revoked_at, null)

    const { url } = early ?? (await serve(t, env))
    while ((await ask(url, key, '/v2/customer')).http === 200) await sleep(50)
    assert.deepEqual(await ask(url, key, '/v2/customer'), { http: 401, code: 'api_key_revoked' })
    assert.deepEqual(await ask(url, test_key, '/v2/customer'), { http: 200, code: null })
    assert.deepEqual(await ask(url, live_key, '/v2/accounts'), { http: 200, code: null })
  })

  if (name === 'PGlite') return

  test('lists and tables show what was created, and nothing secret', async (_, env) => {
    assert.equal((await run(['callers', 'list'], env)).stdout, 'There is no caller yet.\n')
    const first = await json(['callers', 'create', '--name', 'First'], env)
    const shown = await run(['callers', 'create', '--name', 'Second', '--currency', 'EUR'], env)
    const [second] = /cal_\w+/.exec(shown.stdout)!
    assert.match(shown.stdout, /^The caller was created\. Keep its keys now: they cannot be shown again\.\n/)
    assert.match(shown.stdout, /\n {2}time_zone {3}UTC\n/)
    assert.match(shown.stdout, /\n {2}test_key {4}bw_test_\w{38}\n {2}live_key {4}bw_live_\w{38}\n$/)

    const callers = await json(['callers', 'list'], env)
    assert.deepEqual(
      callers.map((caller: Record<string, string>) => [caller.caller_id, caller.currency]),
      [
        [first.caller_id, 'NGN'],
        [second, 'EUR'],
      ],
    )

    await json(['keys', 'create', '--caller', first.caller_id, '--mode', 'test'], env)
    const modesOf = async (...options: string[]) => {
      const keys = await json(['keys', 'list', ...options], env)
      return keys.map((key: Record<string, string>) => `${key.caller_id} ${key.mode}`).sort()
    }
    const ofFirst = [`${first.caller_id} live`, `${first.caller_id} test`, `${first.caller_id} test`]
    const ofSecond = [`${second} live`, `${second} test`]
    assert.deepEqual(await modesOf(), [...ofFirst, ...ofSecond].sort())
    assert.deepEqual(await modesOf('--caller', first.caller_id), ofFirst)
    assert.deepEqual(await modesOf('--caller', second, '--mode', 'live'), [ofSecond[0]])

    const table = await run(['keys', 'list', '--caller', first.caller_id], env)
    const [heading, columns, ...rows] = table.stdout.trim().split('\n')
    assert.equal(heading, `${first.caller_id}  First`)
    assert.match(columns!, /^api_key_id +key_prefix +name +scopes +state +last_used$/)
    assert.equal(rows.length, ofFirst.length)
    assert.doesNotMatch(table.stdout, /bw_(test|live)_\w{38}/)

    const missing = ['There is no caller cal_1; see breakwater callers list.\n', 'There is no key key_1.\n']
    missing.push(missing[1]!)
    const asked = [
      ['keys', 'list', '--caller', 'cal_1'],
      ['keys', 'revoke', 'key_1'],
      ['keys', 'roll', 'key_1'],
    ]
    for (const [index, args] of asked.entries()) {
      assert.deepEqual(await run(args, env), { code: 1, stdout: '', stderr: missing[index] })
    }
  })

  test('a rolled key has a successor with the same access, and works until the overlap ends', async (_, env) => {
    const { caller_id } = await json(['callers', 'create', '--name', 'Harbour Bank'], env)
    const made = await json(
      [
        'keys',
        'create',
        '--caller',
        caller_id,
        '--mode',
        'live',
        '--scopes',
        'ledger:read',
        '--name',
        'Reports',
      ],
      env,
    )
    const rolledAtMs = Date.now()
    const { key, ...successor } = await json(['keys', 'roll', made.api_key_id, '--overlap', '86400'], env)
    assert(isSecretKey(key) && key !== made.key)
    const { api_key_id, key_prefix, created_at } = successor
    const { key: _old, ...unchanged } = made
    assert.deepEqual(successor, { ...unchanged, api_key_id, key_prefix, created_at })
    const listed = await json(['keys', 'list', '--caller', caller_id, '--mode', 'live'], env)
    const old = listed.find((one: Record<string, string>) => one.api_key_id === made.api_key_id)
    const endsInMs = Date.parse(old.revoked_at) - rolledAtMs
    assert(endsInMs >= 86_400_000, `${endsInMs} ms`)
    assert.match((await run(['keys', 'list'], env)).stdout, /Reports .* active/)

    assert.equal((await run(['keys', 'roll', made.api_key_id], env)).code, 0)
    const ended = await run(['keys', 'roll', made.api_key_id], env)
    assert.deepEqual([ended.code, ended.stdout], [1, ''])
    assert.match((await run(['keys', 'list'], env)).stdout, /Reports .* revoked/)
  })

  test('shard is refused where the database is not on Citus', async (_, env) => {
    const { code, stdout, stderr } = await run(['shard'], env)
    if (name === 'PostgreSQL' && isCoordinator) {
      assert.deepEqual([code, stdout, stderr], [0, '-- Every table is where it belongs.\n', ''])
    } else {
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^This database does not have the extension citus; .*\n$/)
    }
  })

  test('migrate prints what it applied, and nothing the next time', async (_, env) => {
    assert.deepEqual(await json(['migrate'], env), { applied: [] })
    assert.equal((await run(['migrate'], env)).stdout, 'The schema is up to date.\n')
  })
})

const callers = ['callers', 'create']
const keys = ['keys', 'create', '--caller', 'cal_1', '--mode', 'test']
const wrong: [readonly string[], string][] = [
  [
    [...callers, '--name', 'A', '--time-zone', 'Lagos'],
    '--time-zone is not valid. Name an IANA time zone, such as Africa/Lagos.',
  ],
  [
    [...callers, '--name', 'A', '--time-zone', '+01:00'],
    '--time-zone is not valid. Name an IANA time zone, such as Africa/Lagos.',
  ],
  [[...callers, '--name', 'A', '--currency', 'TND'], '--currency is not valid. '],
  [[...callers, '--name', 'A', '--currency', 'ngn'], '--currency is not valid. '],
  [[...callers, '--name', ' '], '--name is not valid. '],
  [[...callers, '--name', 'x'.repeat(101)], '--name is not valid. '],
  [[...keys, '--scopes', 'customers:read,customers:all'], '--scopes is not valid. '],
  [[...keys, '--expires', 'tomorrow'], '--expires is not valid. '],
  [[...keys, '--expires', '2100-02-30T00:00:00Z'], '--expires is not valid. '],
  [[...keys, '--rate-limit', '1.5'], '--rate-limit is not valid. '],
  [[...keys, '--rate-limit', '-1'], '--rate-limit is not valid. '],
  [['keys', 'roll', 'key_1', '--overlap', '604801'], '--overlap is not valid. '],
  [['keys', 'roll', 'key_1', '--overlap', 'day'], '--overlap is not valid. '],
]

for (const [argv, sentence] of wrong) {
  test(`${argv.slice(0, 2).join(' ')} refuses ${argv.slice(-2).join(' ')} before it opens a database`, async () => {
    const program = await createProgram({ env: { DATABASE_URL: 'not read' }, serve: async () => {} })
    await assert.rejects(
      program.parseAsync([...argv], { from: 'user' }),
      (error) => error instanceof UsageError && error.message.startsWith(sentence),
    )
  })
}
