import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import {
  type Environment,
  forEachEnvironment,
  launch,
  run,
  serve,
  temporaryDirectory,
} from '../cli/program.ts'

async function startBank(t: TestContext, given?: Environment) {
  const env = given ?? { DATA_DIR: join(await temporaryDirectory(t), 'data') }
  const caller = JSON.parse((await run(['callers', 'create', '--name', 'Bank', '--json'], env)).stdout)
  const service = await serve(t, env)
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${caller.test_key}`, 'content-type': 'application/json' }
    const answer = await fetch(service.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { text: await answer.text(), ok: answer.ok }
  }
  const person = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com', address: '1 Marina Road' }
  const create = async () => {
    assert((await ask('POST', '/v2/customer', { ...person, phone_number: '+234 800 555 0100' })).ok)
  }
  return { caller, service, ask, create }
}

/** Creates customers until the command has printed so many lines that match. */
async function until(printed: () => string, pattern: RegExp, create: () => Promise<void>): Promise<string[]> {
  for (;;) {
    const found = printed().match(pattern) ?? []
    if (found.length >= 2) return found
    await create()
    await sleep(300)
  }
}

test('events follow prints what happens from now on, each once, as the API shows it', async (t) => {
  const { caller, service, ask, create } = await startBank(t)
  // More than a page.
  for (let made = 0; made <= 100; made += 1) await create()
  const listed = JSON.parse((await ask('GET', '/v2/events?limit=100')).text)
  const further = JSON.parse((await ask('GET', `/v2/events?cursor=${listed.meta.next_cursor}`)).text)
  const earlier: string[] = [...listed.data, ...further.data].map((event) => event.id)
  const following = launch(['events', 'follow', '--url', service.url], { BREAKWATER_KEY: caller.test_key })
  t.after(() => following.child.kill('SIGKILL'))
  const lines = await until(() => following.ended().stdout, /^\{.*\}$/gm, create)
  assert(lines.every((line) => !earlier.includes(JSON.parse(line).id)))
  assert.equal(new Set(lines).size, lines.length)
  const { id, type } = JSON.parse(lines[0]!)
  assert.equal(type, 'customer.created')
  assert.equal((await ask('GET', `/v2/events/${id}`)).text.endsWith(`"data":${lines[0]}}`), true)
})

forEachEnvironment(({ name, test }) => {
  if (name === 'PGlite') return

  test('events follow prints an event that was committed after one that is listed behind it', async (t, env) => {
    const { caller, service, create } = await startBank(t, env)
    const following = launch(['events', 'follow', '--url', service.url], { BREAKWATER_KEY: caller.test_key })
    t.after(() => following.child.kill('SIGKILL'))
    const [line] = await until(() => following.ended().stdout, /^\{.*\}$/gm, create)
    const client = new pg.Client({ connectionString: env.DATABASE_URL! })
    await client.connect()
    t.after(() => client.end())
    await client.query(COMMIT_LATE, [JSON.parse(line!).id, LATE])
    while (!following.ended().stdout.includes(LATE)) await create()
    const printed = following.ended().stdout.trim().split('\n')
    const ids = printed.map((one) => JSON.parse(one).id)
    assert.equal(new Set(ids).size, ids.length)
  })
})

const LATE = 'evt_000000000000000000000000'
const COMMIT_LATE = `
  insert into events (book_id, event_id, ordinal, type, announced, subject_id, api_key_id, request_id, occurred_at, data)
  select book_id, $2, ordinal - 1, type, announced, subject_id, api_key_id, request_id, occurred_at, data
  from events
  where event_id = $1`

test('webhooks forward sends what happens, with a signature that its secret verifies', async (t) => {
  const { caller, service, create } = await startBank(t)
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  t.after(() => receiver.close())
  await once(receiver, 'listening')
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const args = ['webhooks', 'forward', '--to', to, '--url', service.url]
  const forwarding = launch(args, { BREAKWATER_KEY: caller.test_key })
  t.after(() => forwarding.child.kill('SIGKILL'))
  await until(() => forwarding.ended().stdout, /^customer\.created evt_\w+ 204$/gm, create)
  const [, secret] = /is (whsec_\S+)/.exec(forwarding.ended().stdout)!
  for (const { headers, body } of received) {
    const event = new Webhook(secret!).verify(body, headers as Record<string, string>) as { id: string }
    assert.equal(event.id, headers['webhook-id'])
  }
})

test('only test books are forwarded, only to this machine, and only with a key', async (t) => {
  const env = { DATA_DIR: await temporaryDirectory(t) }
  const to = ['webhooks', 'forward', '--to', 'http://127.0.0.1:1/hooks']
  const refused: [string[], Record<string, string>, RegExp][] = [
    [to, { BREAKWATER_KEY: 'bw_live_key' }, /^Only events of a test book are forwarded\.$/m],
    [
      ['webhooks', 'forward', '--to', 'https://hooks.example.com'],
      env,
      /^--to must be a URL on this machine/,
    ],
    [['events', 'follow'], env, /^Set BREAKWATER_KEY/],
  ]
  for (const [args, more, sentence] of refused) {
    const ended = await run(args, { ...env, ...more })
    assert.equal(ended.code, 2)
    assert.match(ended.stderr, sentence)
  }
})
