/**
 * Hundreds of connections that are slow, silent, half closed or never read, against a service in a separate process. Normal
 * clients are served as usual, and the service closes every one of them.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { serve, temporaryDirectory } from '../cli/program.ts'
import { createHttpAsk } from '../support/http-ask.ts'
import { type Ask, openDeposit } from '../support/service.ts'

const EACH = 60
/** Short, so that the test is too, and yet longer than a good client may have to wait on a busy machine. */
const TIMEOUT_MS = 3000
const CLOSED_WITHIN_MS = 20_000

test('good clients do not notice bad connections, and the service closes every one of those', async (context) => {
  const env = {
    DATA_DIR: await temporaryDirectory(context),
    RATE_LIMIT_PER_MINUTE: '0',
    FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    HEADERS_TIMEOUT_MS: String(TIMEOUT_MS),
    REQUEST_TIMEOUT_MS: String(TIMEOUT_MS),
    KEEP_ALIVE_TIMEOUT_MS: String(TIMEOUT_MS),
    ANSWER_TIMEOUT_MS: String(TIMEOUT_MS),
    // Fewer than there are bad connections: none of them may keep a place.
    IN_FLIGHT_MAX: '50',
  }
  const key = await withDatabase(readConfig(env), async (db) => {
    const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
    return (await createCaller(db, terms)).keys[0]!.key
  })
  const service = await serve(context, env)
  const ask = createHttpAsk(service.url, key)
  const owner = await openDeposit(ask, { amount: 1_000_000 })

  const quiet = await beGood(ask, owner, 2000)
  const attackers = Object.entries(badConnections).flatMap(([name, open]) =>
    Array.from({ length: EACH }, () =>
      attack(name, Number(new URL(service.url).port), (socket) => open(socket, key)),
    ),
  )
  const noisy = await beGood(ask, owner, 5000)
  context.diagnostic(JSON.stringify({ quiet, noisy, attackers: attackers.length }))
  assert.deepEqual([quiet.failures, noisy.failures], [[], []])
  assert(
    noisy.p99Ms <= Math.max(10 * quiet.p99Ms, 500),
    `p99 ${noisy.p99Ms} ms, without bad connections ${quiet.p99Ms}`,
  )

  const deadline = sleep(CLOSED_WITHIN_MS, 'still open' as const)
  for (const { name, over } of attackers) {
    assert.notEqual(await Promise.race([over, deadline]), 'still open', `${name} was not closed`)
  }
  const figures = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(figures, /^breakwater_http_requests_in_flight 0$/m)
  assert.equal((await service.stop()).code, 0)
})

const PIECE_MS = 100
const UNREAD_ANSWERS = 40
const UNREAD_MS = 3 * TIMEOUT_MS

/** Each continues until it is closed. */
const badConnections: Record<string, (socket: Socket, key: string) => Promise<void>> = {
  'a connection that sends nothing': async () => {},
  'headers that come byte by byte': (socket) =>
    trickle(socket, 'GET /v2/customer HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'x'),
  'a body that comes byte by byte': (socket, key) =>
    trickle(socket, `${postHead(key)}Content-Length: 60000\r\n\r\n`, ' '),
  'chunks that never end': (socket, key) =>
    trickle(socket, `${postHead(key)}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  'half a request and then half a connection': async (socket) => {
    socket.end('GET /v2/customer HTTP/1.1\r\nHost: x\r\n')
  },
  'a connection kept open after its answer': async (socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  },
  'many questions whose answers are never read': async (socket) => {
    socket.pause()
    socket.write('GET /v2/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(UNREAD_ANSWERS))
    // A client that does not read does not notice the end either: by then it is long over, with most of it unsent.
    await sleep(UNREAD_MS)
    socket.resume()
    await once(socket, 'close')
    assert(socket.bytesRead < UNREAD_ANSWERS * 400_000, 'what nobody read was not sent after all')
  },
}

function attack(name: string, port: number, open: (socket: Socket) => Promise<void>) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve())
  })
  socket.on('end', () => socket.destroy())
  socket.on('data', () => {})
  return { name, over: Promise.all([once(socket, 'connect').then(() => open(socket)), closed]) }
}

type Goodness = { answers: number; failures: string[]; p50Ms: number; p99Ms: number }

async function beGood(
  ask: Ask,
  { customerId, depositId }: { customerId: string; depositId: string },
  forMs: number,
): Promise<Goodness> {
  const latencies: number[] = []
  const failures: string[] = []
  const endMs = performance.now() + forMs
  const requests = [
    () => ask('GET', `/v2/customer/${customerId}`),
    () => ask('PUT', `/v2/customer/${customerId}`, { address: `${latencies.length} Marina Road` }),
    () =>
      ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'PARTIAL', amount: 1 }),
  ]
  const callers = requests.map(async (request) => {
    while (performance.now() < endMs) {
      const startedMs = performance.now()
      const answer = await request().catch((error) => ({ status: 0, text: String(error) }))
      latencies.push(performance.now() - startedMs)
      if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`)
      // Idle for a moment, as clients are, so that the processors are not what is measured.
      await sleep(10)
    }
  })
  await Promise.all(callers)
  latencies.sort((left, right) => left - right)
  const quantile = (share: number) => Math.round(latencies[Math.floor(latencies.length * share)]! * 10) / 10
  return {
    answers: latencies.length,
    failures: failures.slice(0, 5),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

function postHead(key: string): string {
  return (
    `POST /v2/customer HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    'Content-Type: application/json\r\n'
  )
}

async function trickle(socket: Socket, begin: string, piece: string): Promise<void> {
  socket.write(begin)
  while (socket.writable) {
    socket.write(piece)
    await sleep(PIECE_MS)
  }
}
