/**
 * `npm run test:clients`: clients generated from openapi.json, unchanged, as its users would generate them. Each compiles
 * and moves the amounts that a float loses to the cent, against a running service. The linters of the document and a
 * tester that follows its links run here as well.
 *
 * Generators are pinned beside their programs and installed into a temporary directory. Without Go or Python their tests
 * are skipped, unless CLIENTS=all.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningService, run, serve } from '../cli/program.ts'

const DOCUMENT = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
const AMOUNTS = ['12345678.91', '9999999999999.99'] as const

const isRequired = process.env.CLIENTS === 'all'
const withoutGo = absenceOf('Go', 'go', ['version'])
const withoutPython = absenceOf('Python with venv', 'python3', ['-c', 'import ensurepip, venv'])

let directory: string
let service: RunningService
let key: string
let terms: string[]

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'breakwater-clients-'))
  const env = { DATA_DIR: join(directory, 'data'), RATE_LIMIT_PER_MINUTE: '0' }
  const caller = await run(['callers', 'create', '--name', 'Client Bank', '--json'], env)
  key = JSON.parse(caller.stdout).test_key
  service = await serve({ after: (stop) => process.once('exit', stop) }, env)
  terms = await prepareBook()
})
after(async () => {
  await service?.stop()
  await rm(directory, { recursive: true, force: true })
})

test('a Go client by oapi-codegen compiles and is exact to the cent', { skip: withoutGo }, async () => {
  const folder = await folderOf('go')
  const generator = [
    'tool',
    'oapi-codegen',
    '-generate',
    'types,client',
    '-package',
    'api',
    '-o',
    'api/api.go',
  ]
  await command(folder, 'mkdir', ['api'])
  await command(folder, 'go', [...generator, DOCUMENT])
  await command(folder, 'go', ['vet', './...'])
  await assertExact(await command(folder, 'go', ['run', '.', ...terms]))
})

test('a Python client has at most three models an operation, and is exact to the cent', {
  skip: withoutPython,
}, async () => {
  const { folder, bin } = await pythonTools()
  // The generator knows no files of JSON lines, but files of bytes, which they are.
  const overrides = 'content_type_overrides:\n  application/x-ndjson: application/octet-stream\n'
  await writeFile(join(folder, 'config.yaml'), overrides)
  const config = ['--config', join(folder, 'config.yaml')]
  const flags = ['--meta', 'none', '--output-path', 'breakwater_client', '--fail-on-warning', ...config]
  await command(folder, join(bin, 'openapi-python-client'), ['generate', '--path', DOCUMENT, ...flags])
  const models = await readdir(join(folder, 'breakwater_client/models'))
  const operations = (await readFile(DOCUMENT, 'utf8')).match(/"security": \[/g)!
  assert(models.length <= operations.length * 3, `${models.length} models`)
  await command(folder, join(bin, 'python'), ['-m', 'compileall', '-q', 'breakwater_client'])
  await assertExact(await command(folder, join(bin, 'python'), ['main.py', ...terms]))
})

test('a TypeScript client by openapi-typescript compiles and is exact to the cent', async () => {
  const folder = await nodeTools()
  await command(folder, 'node_modules/.bin/openapi-typescript', [DOCUMENT, '--output', 'api.ts'])
  const project = JSON.parse(await readFile(new URL('../../tsconfig.json', import.meta.url), 'utf8'))
  const compilerOptions = {
    ...project.compilerOptions,
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  await command(folder, TSC, [])
  await assertExact(await command(folder, process.execPath, ['main.ts', ...terms]))
})

test('redocly and spectral report nothing by their recommended rules', async () => {
  const folder = await nodeTools()
  const lint = ['lint', DOCUMENT, '--format', 'json']
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
  await writeFile(join(folder, 'spectral.yaml'), 'extends: [[spectral:oas, recommended]]\n')
  const redocly = await report(folder, 'redocly', [...lint, '--config', 'redocly.yaml'])
  assert.deepEqual(redocly.problems, [])
  const spectral = await report(folder, 'spectral', [...lint, '--ruleset', 'spectral.yaml', '--quiet'])
  assert.deepEqual(spectral, [])
})

test('redocly and spectral report what is wrong', async () => {
  const folder = await nodeTools()
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  document.paths['/v2/customer'].get.security = [{ nothing: [] }]
  const path = join(folder, 'wrong.json')
  await writeFile(path, JSON.stringify(document))
  const redocly = await report(folder, 'redocly', ['lint', path, '--format', 'json'])
  assert.equal(redocly.problems[0].ruleId, 'security-defined')
  const lint = ['lint', path, '--format', 'json', '--ruleset', 'spectral.yaml', '--quiet']
  const [problem] = await report(folder, 'spectral', lint)
  assert.equal(problem.code, 'oas3-operation-security-defined')
})

/** From a customer to a liquidation and back to what it left; among all operations the way would rarely be found. */
const LINKED = [
  'createCustomer',
  'getCustomer',
  'openAccount',
  'creditAccount',
  'openFixedDeposit',
  'getFixedDeposit',
  'quoteLiquidation',
  'liquidateFixedDeposit',
  'getLiquidation',
]

test('a tester that follows links breaks deposits that it opened', { skip: withoutPython }, async () => {
  const { folder, bin } = await pythonTools()
  // Without inference only the links of the document are followed; the way from a customer to a liquidation is long.
  const settings = '[phases.stateful]\nmax-steps = 30\n[phases.stateful.inference]\nalgorithms = []\n'
  await writeFile(join(folder, 'schemathesis.toml'), settings)
  const count = async (type: string) => (await ask('GET', `/v2/events?type=${type}&limit=100`)).data.length
  const before = await count('fixed_deposit.partially_liquidated')
  await command(folder, join(bin, 'schemathesis'), [
    ...['run', DOCUMENT, '--url', service.url, '--header', `Authorization: Bearer ${key}`],
    ...['--phases', 'stateful', '--mode', 'positive', '--max-examples', '100', '--seed', '1'],
    ...['--checks', 'not_a_server_error,status_code_conformance,response_schema_conformance'],
    ...LINKED.flatMap((operation) => ['--include-operation-id', operation]),
  ])
  assert((await count('fixed_deposit.partially_liquidated')) > before)
})

/** Amount, start and tenor of the deposits. The largest amount leaves no room for interest, and so has a term without days. */
async function prepareBook(): Promise<string[]> {
  await ask('PUT', '/v2/liquidation-rules', {
    ...{ day_count: '30E/360', rounding: 'HALF_UP', allow_partial: true, min_partial_amount: 0 },
    ...{ min_remaining_principal: 0, min_holding_days: 0, penal_rules: [] },
  })
  const clock = new Date((await ask('GET', '/v2/test-clock')).data.now)
  do clock.setUTCDate(clock.getUTCDate() + 1)
  while (clock.getUTCDate() !== 30 || inDays(clock, 1).getUTCDate() !== 31)
  await ask('POST', '/v2/test-clock', { now: clock.toISOString() })
  const day = (date: Date) => date.toISOString().slice(0, 10)
  return [AMOUNTS[0], day(inDays(clock, -100)), '365', AMOUNTS[1], day(clock), '1']
}

function inDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000)
}

/** What the client saw is what the service wrote, digit by digit. */
async function assertExact(printed: string): Promise<void> {
  const seen = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(seen.length, AMOUNTS.length)
  for (const [index, amount] of AMOUNTS.entries()) {
    const { deposit_id, liquidation_id, ...figures } = seen[index]
    const deposit = await textOf(`/v2/fixed-deposits/${deposit_id}`)
    const liquidation = await textOf(`/v2/liquidations/${liquidation_id}`)
    const written = (text: string, name: string) => new RegExp(`"${name}":([^,]+)`).exec(text)![1]!
    const total = written(liquidation, 'total_credited')
    assert.deepEqual(figures, {
      ...{ credited: amount, opened: amount, principal: amount, returned: amount },
      ...{ rate: '12.3456', status: 'LIQUIDATED', refused: 'deposit_not_active' },
      ...{ quoted: total, broken: total, balance: total, interest: written(liquidation, 'interest_paid') },
    })
    assert.equal(written(deposit, 'principal'), amount)
    assert.equal(written(liquidation, 'principal_returned'), amount)
    assert.equal(written(liquidation, 'interest_paid') === '0.00', amount === AMOUNTS[1])
  }
}

/** A fresh copy of the programs and pins of a language. */
async function folderOf(language: string): Promise<string> {
  const folder = join(directory, language)
  await cp(fileURLToPath(new URL(language, import.meta.url)), folder, { recursive: true })
  return folder
}

const nodeTools = once(async () => {
  const folder = await folderOf('typescript')
  await command(folder, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'])
  return folder
})

const pythonTools = once(async () => {
  const folder = await folderOf('python')
  await command(folder, 'python3', ['-m', 'venv', 'venv'])
  const bin = join(folder, 'venv/bin')
  await command(folder, join(bin, 'pip'), ['install', '--quiet', '--requirement', 'requirements.txt'])
  return { folder, bin }
})

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

/** Its own tools go first: the Python generator formats with the ruff that was installed beside it. */
async function command(folder: string, program: string, args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${join(folder, 'venv/bin')}:${process.env.PATH}`,
    GOFLAGS: '-buildvcs=false',
    URL: service.url,
    API_KEY: key,
  }
  const options = { cwd: folder, env, maxBuffer: 2 ** 28 }
  const done = await promisify(execFile)(program, args, options).catch((error) => {
    throw new Error(`${program} ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`)
  })
  return done.stdout
}

/** A linter ends with 1 when it found something, which its report says better. */
async function report(folder: string, linter: string, args: readonly string[]): Promise<any> {
  const program = join(folder, 'node_modules/.bin', linter)
  const done = await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 28 }).catch(
    (error) => error,
  )
  return JSON.parse(done.stdout)
}

async function ask(method: string, path: string, body?: object): Promise<any> {
  const answer = await request(method, path, body)
  const text = await answer.text()
  assert(answer.ok, text)
  return JSON.parse(text)
}

async function textOf(path: string): Promise<string> {
  return (await request('GET', path)).text()
}

function request(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

function absenceOf(name: string, program: string, args: readonly string[]): string | false {
  if (isRequired || spawnSync(program, args).status === 0) return false
  return `${name} is not installed`
}
