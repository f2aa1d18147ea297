/**
 * `npm run test:rolling`: two instances behind nginx and behind HAProxy, both with the files of deploy/, are restarted in
 * turn, 50 times, while clients POST through each proxy on kept connections. No request fails, none is sent again by its
 * client, and every change that was answered is in the books once.
 */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { type RunningService, serve, temporaryDirectory } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { createHttpAsk } from '../support/http-ask.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { openDeposit } from '../support/service.ts'
import { absentProxies, startHaproxy, startNginx } from './proxies.ts'

const RESTARTS = Number(process.env.RESTARTS ?? 50)
const CLIENTS = 8
/** Between two requests of a client: the proxies are what is tried, not the processors. */
const PAUSE_MS = 5

/** For the auditor, whose questions are longer than any of the service. */
const PATIENCE = { DATABASE_QUERY_TIMEOUT_MS: '600000', DATABASE_STATEMENT_TIMEOUT_MS: '600000' }

const { open, skip } = engines.find(({ name }) => name === 'PostgreSQL')!
const absent = absentProxies.length > 0 && `${absentProxies.join(' and ')} not installed`

test(`${RESTARTS} rolling restarts fail no request`, { skip: skip || absent }, async (context) => {
  const db = await open()
  context.after(() => db.close())
  const ports = [await findFreePort(), await findFreePort()] as const
  // As an operator runs it: DRAIN_MS and all else as they are by default, but for the limit of a key.
  const env = {
    DATABASE_URL: db.url!,
    DATABASE_DURABILITY_CHECK: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    DRAIN_MS: '',
  }
  const startOn = (port: number) => serve(context, { ...env, PORT: String(port) })
  const instances: RunningService[] = [await startOn(ports[0]), await startOn(ports[1])]
  const directory = await temporaryDirectory(context)
  const proxies = {
    nginx: await startNginx({ directory, ports }),
    haproxy: await startHaproxy({ directory, ports }),
  }
  context.after(() => {
    for (const proxy of Object.values(proxies)) proxy.stop()
  })
  const loads = [await startLoad(db, proxies.nginx.url), await startLoad(db, proxies.haproxy.url)]

  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const place = restart % 2
    const ended = await instances[place]!.stop()
    assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
    instances[place] = await startOn(ports[place]!)
    // The next one goes when this one has requests of both proxies again.
    for (const { bookId } of loads) await untilServing(instances[place]!, bookId)
  }

  const requests = await Promise.all(loads.map((load) => load.stop()))
  for (const instance of instances) await instance.stop()
  const failures = loads.flatMap((load) => load.failures)
  context.diagnostic(JSON.stringify({ restarts: RESTARTS, requests, failures: failures.length }))
  assert.deepEqual(
    failures,
    [],
    Object.values(proxies)
      .map((proxy) => proxy.output())
      .join('\n'),
  )
  for (const load of loads) await load.compare()
  await withDatabase(readConfig({ ...env, ...PATIENCE }), audit)
})

async function untilServing(instance: RunningService, bookId: string): Promise<void> {
  while (!instance.stdout().includes(`"book_id":"${bookId}"`)) await sleep(20)
}

type Load = {
  bookId: string
  failures: string[]
  /** Answers how many requests were made. */
  stop: () => Promise<number>
  /** What was answered against what the books hold. */
  compare: () => Promise<void>
}

/** Each client waits for an answer before it sends the next request, which it never sends again. */
async function startLoad(db: TestDatabase, url: string): Promise<Load> {
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { caller, keys } = await createCaller(db, terms)
  const book = (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!
  const key = keys[0]!.key
  const { depositId, accountNumber } = await openDeposit(createHttpAsk(url, key), { amount: 100_000_000 })
  const before = await changesOf(db, book.bookId)
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const failures: string[] = []
  const answered: string[] = []
  let [requests, stopping] = [0, false]

  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!stopping) {
      requests += 1
      const [path, body] =
        index % 2 === 0
          ? [`/v2/fixed-deposits/${depositId}/liquidate`, '{"liquidation_type":"PARTIAL","amount":0.01}']
          : [`/v2/accounts/${accountNumber}/credits`, '{"amount":0.01}']
      const { status, text } = await post({ url: url + path, key, body, agent })
      if (status === 200 || status === 201) answered.push(idOf(text))
      else failures.push(`${new Date().toISOString()} ${status} ${text}`)
      await sleep(PAUSE_MS)
    }
  })
  return {
    bookId: book.bookId,
    failures,
    async stop() {
      stopping = true
      await Promise.all(clients)
      agent.destroy()
      return requests
    },
    async compare() {
      const made = (await changesOf(db, book.bookId)).filter((id) => !before.includes(id))
      assert.deepEqual(made, answered.toSorted())
    },
  }
}

/** Credits by their entry, liquidations by their own identifier: in order, so that one made twice is seen. */
async function changesOf(db: TestDatabase, bookId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select coalesce(liquidation_id, entry_id) as id
     from ledger_entries
     where book_id = $1
       and kind in ('ACCOUNT_CREDIT', 'LIQUIDATION')`,
    [bookId],
  )
  return rows.map(({ id }) => id).sort()
}

function idOf(text: string): string {
  const { data } = JSON.parse(text)
  return data.liquidation_id ?? data.entry_id
}

function post(asked: { url: string; key: string; body: string; agent: Agent }) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = {
    authorization: `Bearer ${asked.key}`,
    'content-type': 'application/json',
    'content-length': asked.body.length,
  }
  const sent = request(asked.url, { method: 'POST', agent: asked.agent, headers }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () => resolve({ status: response.statusCode!, text }))
    response.on('error', (error) => resolve({ status: 0, text: String(error) }))
  })
  sent.on('error', (error) => resolve({ status: 0, text: String(error) }))
  sent.end(asked.body)
  return promise
}
