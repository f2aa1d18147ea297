import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callersCreate } from '../../src/cli/callers.ts'
import { type Command, UsageError } from '../../src/cli/command.ts'
import { keysCreate } from '../../src/cli/keys.ts'
import { isSecretKey } from '../../src/features/api-keys/store.ts'
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
    assert.match(table.stdout, /^api_key_id +caller_id +mode +key_prefix +name +scopes /)
    assert.equal(table.stdout.trim().split('\n').length, 1 + ofFirst.length)
    assert.doesNotMatch(table.stdout, /bw_(test|live)_\w{38}/)

    const missing = ['There is no caller cal_1; see breakwater callers list.\n', 'There is no key key_1.\n']
    const asked = [
      ['keys', 'list', '--caller', 'cal_1'],
      ['keys', 'revoke', 'key_1'],
    ]
    for (const [index, args] of asked.entries()) {
      assert.deepEqual(await run(args, env), { code: 1, stdout: '', stderr: missing[index] })
    }
  })

  test('migrate tells what it applied, and nothing the next time', async (_, env) => {
    assert.deepEqual(await json(['migrate'], env), { applied: [] })
    assert.equal((await run(['migrate'], env)).stdout, 'The schema is up to date.\n')
  })
})

const [caller, mode] = ['cal_1', 'test']
const wrong: [Command, Record<string, string>, string][] = [
  [
    callersCreate,
    { name: 'A', 'time-zone': 'Lagos' },
    '--time-zone is not valid. Name an IANA time zone, such as Africa/Lagos.',
  ],
  [
    callersCreate,
    { name: 'A', 'time-zone': '+01:00' },
    '--time-zone is not valid. Name an IANA time zone, such as Africa/Lagos.',
  ],
  [callersCreate, { name: 'A', currency: 'JPY' }, '--currency is not valid. '],
  [callersCreate, { name: 'A', currency: 'ngn' }, '--currency is not valid. '],
  [callersCreate, { name: ' ' }, '--name is not valid. '],
  [callersCreate, { name: 'x'.repeat(101) }, '--name is not valid. '],
  [keysCreate, { caller, mode: 'prod' }, '--mode is not valid. Name test or live.'],
  [keysCreate, { caller, mode, scopes: 'customers:read,customers:all' }, '--scopes is not valid. '],
  [keysCreate, { caller, mode, expires: 'tomorrow' }, '--expires is not valid. '],
  [keysCreate, { caller, mode, expires: '2100-02-30T00:00:00Z' }, '--expires is not valid. '],
  [keysCreate, { caller, mode, 'rate-limit': '1.5' }, '--rate-limit is not valid. '],
  [keysCreate, { caller, mode, 'rate-limit': '-1' }, '--rate-limit is not valid. '],
]

for (const [command, options, sentence] of wrong) {
  test(`${command.name} refuses ${JSON.stringify(options)} before it opens a database`, async () => {
    await assert.rejects(
      command.run({ env: { DATABASE_URL: 'not read' }, operands: [], options }),
      (error) => error instanceof UsageError && error.message.startsWith(sentence),
    )
  })
}
