/**
 * `npm run test:rolling`: two instances behind nginx and behind HAProxy, both with the files of deploy/, are restarted in
 * turn while clients POST through each proxy on persistent connections: 50 restarts, half of them in a second deployment
 * at the same time. No request fails, none is sent again, and every acknowledged change is in the books once.
 */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
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

/** Restarts are under test: a machine that stalls for two seconds, and the auditor's long statements, are not failures. */
const PATIENCE = {
  DATABASE_CONNECTION_WAIT_MS: '60000',
  DATABASE_LOCK_TIMEOUT_MS: '60000',
  DATABASE_STATEMENT_TIMEOUT_MS: '600000',
  DATABASE_QUERY_TIMEOUT_MS: '600000',
}

const { open, skip } = engines.find(({ name }) => name === 'PostgreSQL')!
const absent = absentProxies.length > 0 && `${absentProxies.join(' and ')} not installed`

describe(`${RESTARTS} rolling restarts`, { skip: skip || absent, concurrency: true }, () => {
  // A restart mostly waits, for the drain and for the proxies.
  for (const deployment of ['one', 'the other']) {
    test(`fail no request of ${deployment} deployment`, (context) => roll(context, Math.ceil(RESTARTS / 2)))
  }
})

async function roll(context: TestContext, restarts: number): Promise<void> {
  const db = await open()
  context.after(() => db.close())
  const ports = [await findFreePort(), await findFreePort()] as const
  // As an operator runs it: DRAIN_MS and all else as they are by default, but for the limit of a key and time limits.
  const env = {
    ...PATIENCE,
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

  const failuresLogged: string[] = []
  for (let restart = 0; restart < restarts; restart += 1) {
    const place = restart % 2
    const ended = await instances[place]!.stop()
    assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
    failuresLogged.push(...failedLines(ended.stdout))
    instances[place] = await startOn(ports[place]!)
    // The next one goes when this one has requests of both proxies again.
    for (const { bookId } of loads) await untilServing(instances[place]!, bookId)
  }

  for (const load of loads) await load.stop()
  for (const instance of instances) failuresLogged.push(...failedLines((await instance.stop()).stdout))
  const [behindNginx, behindHaproxy] = loads.map((load) => load.heard.length)
  const failures = loads.flatMap(failuresOf)
  context.diagnostic(JSON.stringify({ restarts, behindNginx, behindHaproxy, failures: failures.length }))
  assert.deepEqual(
    failures,
    [],
    [...failuresLogged, ...Object.values(proxies).map((proxy) => proxy.output())].join('\n'),
  )
  for (const load of loads) {
    const { acknowledged, lost, doubled, wrong } = await tally(db, load.callerId, load.heard)
    assert.equal(acknowledged, load.heard.length)
    assert.deepEqual({ lost, doubled, wrong }, { lost: 0, doubled: 0, wrong: 0 })
  }
  await withDatabase(readConfig(env), async (audited) => {
    // Without statistics the server joins all these rows with each other, one by one.
    await audited.script('analyze')
    await audit(audited)
  })
}

/** What the service logged about requests that it failed. */
function failedLines(stdout: string): string[] {
  return stdout.split('\n').filter((line) => /"status":5\d\d/.test(line))
}

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
