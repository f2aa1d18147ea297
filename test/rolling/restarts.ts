/**
 * `npm run test:rolling`: two instances behind nginx and behind HAProxy, both with the files of deploy/, are restarted in
 * turn, 50 times, while clients POST through each proxy on persistent connections. No request fails, none is sent again,
 * and every acknowledged change is in the books once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { findBook } from '../../src/features/callers/store.ts'
import { type RunningService, serve, temporaryDirectory } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { type Heard, startCallers } from '../support/load/callers.ts'
import { tally } from '../support/load/tally.ts'
import { findFreePort } from '../support/postgres-server.ts'
import { absentProxies, startHaproxy, startNginx } from './proxies.ts'

const RESTARTS = Number(process.env.RESTARTS ?? 50)
/** With a pause between two requests of a client: the proxies are under test, not the processors. */
const CLIENTS = { callers: 8, thinkMs: 120, pauseMs: 25, shares: { credit: 50 } }

/** For the auditor, whose statements take longer than any of the service. */
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
  const loads = [await startLoad(db, proxies.nginx.url, 1), await startLoad(db, proxies.haproxy.url, 2)]
  context.after(() => {
    for (const load of loads) load.abandon()
  })

  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const place = restart % 2
    const ended = await instances[place]!.stop()
    assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
    instances[place] = await startOn(ports[place]!)
    // The next one goes when this one has requests of both proxies again.
    for (const { bookId } of loads) await untilServing(instances[place]!, bookId)
  }

  for (const load of loads) await load.stop()
  for (const instance of instances) await instance.stop()
  const requests = loads.map((load) => load.heard.length)
  const failures = loads.flatMap(failuresOf)
  context.diagnostic(JSON.stringify({ restarts: RESTARTS, requests, failures: failures.length }))
  assert.deepEqual(
    failures,
    [],
    Object.values(proxies)
      .map((proxy) => proxy.output())
      .join('\n'),
  )
  for (const load of loads) {
    const { acknowledged, lost, doubled, wrong } = await tally(db, load.callerId, load.heard)
    assert.equal(acknowledged, load.heard.length)
    assert.deepEqual({ lost, doubled, wrong }, { lost: 0, doubled: 0, wrong: 0 })
  }
  await withDatabase(readConfig({ ...env, ...PATIENCE }), async (audited) => {
    // Without statistics the server joins all these rows with each other, one by one.
    await audited.script('analyze')
    await audit(audited)
  })
})

async function untilServing(instance: RunningService, bookId: string): Promise<void> {
  while (!instance.stdout().includes(`"book_id":"${bookId}"`)) await sleep(20)
}

async function startLoad(db: TestDatabase, url: string, seed: number) {
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { caller, keys } = await createCaller(db, terms)
  const book = (await findBook(db, { callerId: caller.callerId, mode: 'test' }))!
  const load = await startCallers({ ...CLIENTS, urls: () => [url], key: keys[0]!.key, seed })
  return { callerId: caller.callerId, bookId: book.bookId, ...load }
}

/** Anything but one answer to one attempt: a request that was sent again, refused, or carried out before. */
function failuresOf({ heard }: { heard: readonly Heard[] }): string[] {
  return heard
    .map(({ key, kind, attempts }) => `${key} ${kind}: ${attempts.map(({ result }) => result).join(', ')}`)
    .filter((line) => !line.endsWith(': done'))
}
