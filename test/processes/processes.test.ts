/** Several processes that serve one address, as operators see them: from outside, and in the log. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Environment,
  forEachEnvironment,
  type RunningService,
  run,
  runAlone,
  serve,
  temporaryDirectory,
} from '../cli/program.ts'

test('the embedded engine is served by one process', async (t) => {
  const env = { DATA_DIR: await temporaryDirectory(t) }
  assert.deepEqual(await runAlone(['serve', '--processes', '2'], env), {
    code: 2,
    stdout: '',
    stderr: 'The embedded engine is used by one process. Set DATABASE_URL, or leave out --processes.\n',
  })
  const service = await serve(t, env, ['--processes', 'auto'])
  assert.deepEqual(startedIn(service), [])
  assert.equal((await service.stop()).code, 0)
})

for (const given of ['0', '-1', '1.5', '257', 'all', '']) {
  test(`--processes ${given} is refused`, async () => {
    const { code, stderr } = await run(['serve', '--processes', given])
    assert.deepEqual(
      { code, stderr },
      { code: 2, stderr: '--processes must be auto or a number from 1 to 256.\n' },
    )
  })
}

forEachEnvironment(({ name, test }) => {
  if (name === 'PGlite') return

  test('the limit of a key and the metrics are counted by all together', async (t, env) => {
    const service = await startProcesses(t, { ...env, RATE_LIMIT_PER_MINUTE: '60' })
    const key = await createBank(env)
    const statuses = await Promise.all(
      Array.from({ length: 120 }, () => get(service.url, '/v2/accounts', key)),
    )
    const allowed = statuses.filter((status) => status === 200).length
    // What the minute's worth gains while they are sent.
    assert(allowed >= 60 && allowed <= 75, `${allowed} of 120`)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
    const counted = await metrics(
      service.url,
      /^breakwater_http_requests_total\{.*route="\/v2\/accounts".*\} (\d+)$/gm,
    )
    assert.equal(
      counted.reduce((sum, one) => sum + one, 0),
      120,
    )
    const memory = await metrics(service.url, /^process_resident_memory_bytes (\d+)$/gm)
    assert(memory[0]! > 3 * 40_000_000, 'the memory of three')
    assert.equal((await service.stop()).code, 0)
  })

  test('one that ends is replaced, and the successor of the one with the jobs has them', async (t, env) => {
    const service = await startProcesses(t, { ...env, MATURITY_INTERVAL_SECONDS: '1' })
    const key = await createBank(env)
    const [withJobs, another] = startedIn(service)
    assert.equal(withJobs!.jobs, true)
    process.kill(withJobs!.process, 'SIGKILL')
    process.kill(another!.process, 'SIGKILL')
    while (linesIn(service, 'listening').length < 5) await sleep(50)
    const successors = startedIn(service).slice(3)
    assert.deepEqual(successors.map(({ jobs }) => jobs).toSorted(), [false, true])
    assert.equal(linesIn(service, 'worker_ended').length, 2)
    const depositId = await openDueDeposit(service.url, key)
    while ((await ask(service.url, key, 'GET', `/v2/fixed-deposits/${depositId}`)).status !== 'MATURED')
      await sleep(100)
    assert.equal((await service.stop()).code, 0)
  })

  test('a message carries the trace of its request, whichever process or instance sends it', async (t, env) => {
    const several = await startProcesses(t, { ...env, WEBHOOK_ALLOW_LOOPBACK: '1', WEBHOOK_POLL_MS: '50' })
    // Looks for messages once, at its start: those about what it changes are sent by the other instance.
    const other = await serve(t, { ...env, WEBHOOK_ALLOW_LOOPBACK: '1', WEBHOOK_POLL_MS: '3600000' })
    const key = await createBank(env)
    const sent = new Map<string, string>()
    const all = Promise.withResolvers<void>()
    const receiver = createServer(async (message, response) => {
      const { data } = JSON.parse(await text(message))
      sent.set(data.customer_id, String(message.headers.traceparent))
      response.end()
      if (sent.size === 24) all.resolve()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    t.after(() => receiver.close())
    const { port } = receiver.address() as AddressInfo
    const endpoint = { url: `http://127.0.0.1:${port}/`, event_types: ['customer.created'] }
    await ask(several.url, key, 'POST', '/v2/webhook-endpoints', endpoint)
    const created = new Map<string, string>()
    for (let made = 0; made < 24; made += 1) {
      const { url } = made % 2 === 0 ? several : other
      const traceparent = `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba90${100 + made}-01`
      const { customer_id } = await ask(url, key, 'POST', '/v2/customer', ADA, {
        traceparent,
        connection: 'close',
      })
      created.set(customer_id!, traceparent)
    }
    await all.promise
    assert.deepEqual(sent, created)
    assert.equal((await other.stop()).code, 0)
    assert.equal((await several.stop()).code, 0)
  })

  test('SIGHUP replaces all of them, and no request fails', async (t, env) => {
    const service = await startProcesses(t, { ...env, DRAIN_MS: '300' })
    const key = await createBank(env)
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    let restarted = false
    const statuses = new Map<number, number>()
    const load = Array.from({ length: 8 }, async () => {
      while (!restarted) {
        const path = Math.random() < 0.1 ? '/readyz' : '/v2/accounts'
        const status = await get(service.url, path, key, agent)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    const before = startedIn(service).map(({ process: pid }) => pid)
    service.kill('SIGHUP')
    while (linesIn(service, 'stopped').length < 3) await sleep(50)
    restarted = true
    await Promise.all(load)
    agent.destroy()
    assert.deepEqual([...statuses.keys()], [200])
    const after = startedIn(service).slice(3)
    assert.equal(after.length, 3)
    assert(after.every(({ process: pid }) => !before.includes(pid)))
    assert.equal(after.filter(({ jobs }) => jobs).length, 1)
    assert.equal((await service.stop()).code, 0)
  })

  test('a start that cannot succeed ends with the sentence of the first process', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATABASE_WAIT_S: '0', PORT: '0' }
    const { code, stderr } = await runAlone(['serve', '--processes', '2'], env)
    assert.equal(code, 1)
    assert.match(stderr, /^The database of DATABASE_URL cannot be opened: .*\n.*\n$/)
  })
})

async function startProcesses(
  t: { after: (stop: () => void) => void },
  env: Environment,
): Promise<RunningService> {
  const service = await serve(t, env, ['--processes', '3'])
  while (linesIn(service, 'listening').length < 3) await sleep(20)
  return service
}

type Line = { event: string; process: number; jobs: boolean }

function linesIn(service: RunningService, event: string): Line[] {
  const lines = service.stdout().split('\n').slice(0, -1)
  return lines.map((line): Line => JSON.parse(line)).filter((line) => line.event === event)
}

function startedIn(service: RunningService): Line[] {
  return linesIn(service, 'worker_started')
}

async function createBank(env: Environment): Promise<string> {
  const { stdout } = await run(['callers', 'create', '--name', 'Many Bank', '--json'], env)
  return JSON.parse(stdout).test_key
}

async function ask(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
  further: Record<string, string> = {},
) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...further }
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data } = (await answer.json()) as { data: Record<string, string> }
  assert(answer.ok, `${method} ${path}: ${answer.status}`)
  return data
}

/** A connection of its own, unless an agent keeps some. */
function get(url: string, path: string, key = '', agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    request(`${url}${path}`, { agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode!))
      answer.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

async function metrics(url: string, pattern: RegExp): Promise<number[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(pattern)].map(([, value]) => Number(value))
}

const ADA = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone_number: '+2348012345678',
  address: '1 Marina',
}

async function openDueDeposit(url: string, key: string): Promise<string> {
  const post = (path: string, body: object) => ask(url, key, 'POST', path, body)
  const { customer_id } = await post('/v2/customer', ADA)
  const { account_number } = await post('/v2/accounts', { customer_id })
  await post(`/v2/accounts/${account_number}/credits`, { amount: 1000 })
  const terms = { account_number, amount: 1000, tenor: 30, interest_rate: 10, start_date: '2026-01-01' }
  return (await post('/v2/fixed-deposits', terms)).deposit_id!
}
