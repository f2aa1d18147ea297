/**
 * `npm run test:clients`: the clients of clients/, packed and installed into empty projects. One script in three
 * languages opens, quotes, liquidates, pages, meets faults of the network, asks for approval and checks webhooks against
 * a service on each engine, and sees the same figures.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { webhookHeaders } from '../../src/features/webhooks/signature.ts'
import { forEachEnvironment, run, serve } from '../cli/program.ts'
import { endOf, openDirectory, runProgram } from '../install/installed.ts'
import { harbourFix, sheetAt } from '../support/products.ts'
import { startFaultyProxy } from './faults.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(root, 'node_modules/.bin/tsc')
const SCRIPT_MAX_BYTES = 40_000
const WRITTEN_MAX_LINES = 400

const isRequired = process.env.CLIENTS === 'all'
const absence = (name: string, program: string, args: string[]) =>
  isRequired || spawnSync(program, args).status === 0 ? false : `${name} is not installed`
const withoutGo = absence('Go', 'go', ['version'])
const withoutPython = absence('Python with venv', 'python3', ['-c', 'import ensurepip, venv'])

const directory = await openDirectory({ after })
const project = (language: string) => join(directory, language)
type Command = [program: string, ...args: string[]]
const commands = new Map<string, Command>()

before(async () => {
  for (const language of ['typescript', 'python', 'go'])
    await cp(fileURLToPath(new URL(`packages/${language}`, import.meta.url)), project(language), {
      recursive: true,
    })
  await installTypeScript()
  if (withoutPython === false) await installPython()
  if (withoutGo === false) await installGo()
})

async function installTypeScript(): Promise<void> {
  const sources = join(directory, 'client-typescript')
  await cp(join(root, 'clients/typescript'), sources, { recursive: true })
  await runProgram(TSC, ['-p', sources])
  await runProgram(TSC, [
    '-p',
    sources,
    '--removeComments',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
  ])
  const [packed] = JSON.parse(await runProgram('npm', ['pack', '--json'], { cwd: sources }))
  const folder = project('typescript')
  await writeFile(join(folder, 'package.json'), '{"name": "caller", "private": true, "type": "module"}')
  const tarball = join(sources, packed.filename)
  await runProgram('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder })
  commands.set('typescript', [process.execPath, join(folder, 'script.ts')])
}

async function installPython(): Promise<void> {
  const folder = project('python')
  await runProgram('python3', ['-m', 'venv', join(folder, 'venv')])
  const sources = join(directory, 'client-python')
  await cp(join(root, 'clients/python'), sources, { recursive: true })
  await runProgram(join(folder, 'venv/bin/pip'), ['install', '--quiet', sources])
  commands.set('python', [join(folder, 'venv/bin/python'), '-W', 'error', join(folder, 'script.py')])
}

async function installGo(): Promise<void> {
  const folder = project('go')
  const module = 'github.com/breakwater/breakwater/clients/go'
  const lines = ['module caller', 'go 1.23', `require ${module} v0.0.0`]
  await writeFile(
    join(folder, 'go.mod'),
    `${lines.join('\n')}\nreplace ${module} => ${join(root, 'clients/go')}\n`,
  )
  const program = join(folder, 'caller')
  await runProgram('go', ['build', '-buildvcs=false', '-o', program, '.'], { cwd: folder })
  commands.set('go', [program])
}

test('the package is small, and what is written by hand is short', async () => {
  const scripts = globSync(join(project('typescript'), 'node_modules/@breakwater/client/dist/*.js'))
  const sizes = await Promise.all(scripts.map(async (path) => (await readFile(path)).length))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert(total <= SCRIPT_MAX_BYTES, `${total} bytes`)
  const written = {
    typescript: ['errors', 'money', 'transport', 'webhooks'].map((name) => `typescript/src/${name}.ts`),
    python: ['_connection', 'transport'].map((name) => `python/breakwater/${name}.py`),
    go: ['client', 'money', 'webhooks'].map((name) => `go/${name}.go`),
  }
  for (const [language, paths] of Object.entries(written)) {
    const texts = await Promise.all(paths.map((path) => readFile(join(root, 'clients', path), 'utf8')))
    const lines = texts.join('\n').split('\n')
    // Neither blank lines nor comments.
    const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/?\*|#)/.test(line))
    assert(code.length <= WRITTEN_MAX_LINES, `${language}: ${code.length}`)
  }
})

test('nine programs compile, and one with a float as an amount does not', async () => {
  const folder = project('typescript')
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  const typeRoots = [join(root, 'node_modules/@types')]
  const programs = globSync(join(folder, 'programs/*.ts'))
  assert.equal(programs.length, 10)
  const options = {
    ...compilerOptions,
    typeRoots,
    skipLibCheck: false,
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  }
  const check = async (files: string[]) => {
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
    return endOf(TSC, ['-p', folder])
  }
  const wrong = programs.filter((path) => basename(path) === 'float.ts')
  const right = await check([...programs.filter((path) => !wrong.includes(path)), join(folder, 'script.ts')])
  assert.equal(right.code, 0, right.stdout)
  const refused = await check(wrong)
  assert.notEqual(refused.code, 0)
  assert.match(refused.stdout, /^[^\n]*float\.ts[^\n]*error TS2322: Type 'number' is not assignable to type/)
  assert.equal(refused.stdout.trim().split('\n').length, 1, refused.stdout)
})

test('the Go client is formatted and has nothing that vet reports', { skip: withoutGo }, async () => {
  const cwd = join(root, 'clients/go')
  assert.equal(await runProgram('gofmt', ['-l', '.'], { cwd }), '')
  await runProgram('go', ['vet', '-buildvcs=false', './...'], { cwd })
})

forEachEnvironment(({ test: onEngine }) => {
  onEngine(
    'one script sees the same figures in every language, and nothing is paid twice',
    async (t, env) => {
      const caller = await run(['callers', 'create', '--name', 'Client Bank', '--json'], env)
      const { test_key: key } = JSON.parse(caller.stdout)
      const service = await serve(t, { ...env, RATE_LIMIT_PER_MINUTE: '0' })
      const proxy = await startFaultyProxy(service.url)
      t.after(proxy.close)
      const ask = createAsk(service.url, key)
      const account = await openMany(ask, 250)
      await ask('PUT', '/v2/liquidation-rules', RULES)
      await ask('PUT', '/v2/approval-policy', POLICY)
      await ask('PUT', '/v2/products/TERM', harbourFix)
      for (const rate of [5, 7.25]) await ask('POST', '/v2/products/TERM/rate-sheets', sheetAt(rate))
      const cases = join(directory, 'cases.json')
      await writeFile(cases, JSON.stringify(await prepareCases(ask)))

      const said = new Map<string, Record<string, unknown>>()
      for (const [language, [program, ...args]] of commands) {
        // Nothing listens there: what goes to this machine is not for a proxy, which would see the key.
        const proxies = { http_proxy: 'http://127.0.0.1:1', no_proxy: '', NO_PROXY: '' }
        const own = {
          URL: service.url,
          FAULTS: proxy.url,
          API_KEY: key,
          CASES: cases,
          ACCOUNT: account,
          ...proxies,
        }
        const output = await runProgram(program, args, { env: { ...process.env, ...own } })
        said.set(language, JSON.parse(output))
        assertAttempts(proxy.sent, language)
      }
      const expected = said.get('typescript')!
      assertFigures(expected)
      for (const [language, seen] of said) assert.deepEqual(seen, expected, language)
      await service.stop()
    },
  )
})

/** All attempts of a call send one key and the same bytes. */
function assertAttempts(sent: Awaited<ReturnType<typeof startFaultyProxy>>['sent'], language: string): void {
  const attempts = { cut: 2, torn: 2, unknown: 2, busy: 2, never: 3, long: 1, moved: 1 }
  for (const [fault, count] of Object.entries(attempts)) {
    const made = sent.get(`${fault}-${language}`)!
    assert.equal(made.length, count, `${language} ${fault}`)
    assert.match(made[0]!.key!, /^[\w-]{32,36}$/)
    for (const attempt of made) assert.deepEqual(attempt, made[0])
  }
  for (const fault of ['cut', 'torn', 'unknown', 'busy'])
    assert.match(sent.get(`${fault}-${language}`)![0]!.body, /"amount": ?100\.10\b/)
}

function assertFigures(said: Record<string, unknown>): void {
  const { quoted, paid, ...rest } = said as Record<string, string[]>
  const [interest, penal, net, kind] = quoted!
  assert.deepEqual(paid, ['12345678.91', interest, penal, net])
  assert.match(interest!, /^\d+\.\d\d$/)
  assert.equal(kind, 'number')
  const once = ['100.10', '4899.90', 1]
  assert.deepEqual(rest, {
    metadata: { amount: '5', branch: '12' },
    smallest: '0.01',
    largest: '9999999999999.99',
    opened: ['12345678.91', '12.3456'],
    replayed: [false, true, true],
    requestId: true,
    refused: ['deposit_not_active', 409, false, true],
    sheet: [2, '7.25'],
    part: [1, 2, '0.30'],
    fields: [['amount', 'required']],
    pages: [250, 250, 7, true],
    ...{ cut: once, torn: once, unknown: once, busy: once },
    never: ['service_unavailable', 503, true, true],
    long: ['service_unavailable', 503, true, true],
    moved: ['http_302', 302, false, true],
    unreachable: ['connection_failed', 0, true, true],
    approval: ['approval_required', 'liquidateFixedDeposit', 'PENDING', 'Please', true],
    approvalTarget: true,
    webhooks: [
      ['good', '8071013.70'],
      ['two signatures', '8071013.70'],
      ['rotated in', '8071013.70'],
      ['rotated out', 'rejected'],
      ['forged', 'rejected'],
      ['changed', 'rejected'],
      ['another id', 'rejected'],
      ['old', 'rejected'],
      ['from the future', 'rejected'],
      ['no signature', 'rejected'],
      ['another version', 'rejected'],
      ['no time', 'rejected'],
    ],
    plain: true,
    lineEnd: 'refused, and not shown',
  })
}

const RULES = {
  ...{ day_count: 'ACT/365F', rounding: 'HALF_UP', allow_partial: true, min_partial_amount: 0.01 },
  ...{ min_remaining_principal: 0.01, min_holding_days: 0 },
  penal_rules: [{ when: {}, terms: [{ kind: 'PERCENT', of: 'ACCRUED_INTEREST', percent: 25 }] }],
}

/** Only deposits of just this amount wait, so that those of the figures do not. */
const POLICY = {
  expires_after_hours: 24,
  deciders: 'ANY',
  rules: [
    { operation: 'liquidateFixedDeposit', when: { amount: { gte: 2_000_000, lt: 2_000_001 } }, approvals: 1 },
  ],
}

type Ask = (method: string, path: string, body?: object) => Promise<{ data: Record<string, string> }>

function createAsk(url: string, key: string): Ask {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    assert(answer.ok, text)
    return JSON.parse(text)
  }
}

/** Opens so many deposits of one account, and returns its number. */
async function openMany(ask: Ask, count: number): Promise<string> {
  const person = { first_name: 'Bola', last_name: 'Ade', email: 'bola@example.com', address: '2 Marina Road' }
  const { data: customer } = await ask('POST', '/v2/customer', {
    ...person,
    phone_number: '+234 800 555 0101',
  })
  const { data: account } = await ask('POST', '/v2/accounts', { customer_id: customer.customer_id })
  const { account_number } = account
  await ask('POST', `/v2/accounts/${account_number}/credits`, { amount: count })
  const terms = { account_number, amount: 1, tenor: 30, interest_rate: 5 }
  for (let opened = 0; opened < count; opened += 10)
    await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/v2/fixed-deposits', terms)))
  return account_number!
}

/** Messages as the service signs them, and as an attacker would. */
async function prepareCases(ask: Ask): Promise<object> {
  const { data: clock } = await ask('GET', '/v2/test-clock')
  const start = new Date(new Date(clock.now!).getTime() - 100 * 86_400_000)
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`
  const [secret, next] = [secretOf(1), secretOf(2)]
  const body =
    '{"id":"evt_000000000000000000000000","type":"fixed_deposit.liquidated","timestamp":"2026-07-01T10:00:00.000Z",' +
    '"mode":"test","request_id":null,"data":{"deposit_id":"fd_1","total_credited":8071013.70,"new_member":1.10}}'
  const eventId = 'evt_000000000000000000000000'
  const signed = (secrets: string[], ageSeconds = 0) =>
    webhookHeaders({ eventId, body, sentAt: new Date(Date.now() - ageSeconds * 1000) }, secrets)
  const headers = signed([secret])
  const webhooks = [
    { name: 'good', headers, secrets: [secret] },
    { name: 'two signatures', headers: signed([next, secret]), secrets: [secret] },
    { name: 'rotated in', headers: signed([next]), secrets: [secret, next] },
    { name: 'rotated out', headers, secrets: [next] },
    { name: 'forged', headers: signed([secretOf(3)]), secrets: [secret, next] },
    { name: 'changed', headers, secrets: [secret], body: body.replace('8071013.70', '9071013.70') },
    { name: 'another id', headers: { ...headers, 'webhook-id': 'evt_1' }, secrets: [secret] },
    { name: 'old', headers: signed([secret], 301), secrets: [secret] },
    { name: 'from the future', headers: signed([secret], -400), secrets: [secret] },
    { name: 'no signature', headers: { ...headers, 'webhook-signature': '' }, secrets: [secret] },
    {
      name: 'another version',
      headers: { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') },
      secrets: [secret],
    },
    { name: 'no time', headers: { ...headers, 'webhook-timestamp': '²' }, secrets: [secret] },
  ]
  return {
    start_date: start.toISOString().slice(0, 10),
    webhooks: webhooks.map((one) => ({ body, ...one })),
  }
}
