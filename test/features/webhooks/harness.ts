/** A service with its senders and a subscriber; the test controls the time. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createService } from '../../../src/cli/compose.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook } from '../../../src/features/callers/store.ts'
import { createAddressGuard, type Resolve } from '../../../src/features/webhooks/address-guard.ts'
import { createSender, type Sender, type SenderLimits } from '../../../src/features/webhooks/sender.ts'
import { createPost, type Post } from '../../../src/features/webhooks/transport.ts'
import { buildServer } from '../../../src/http/server.ts'
import type { Log } from '../../../src/observe/log.ts'
import { audit } from '../../support/auditor.ts'
import { engines, type TestDatabase } from '../../support/engines.ts'
import { type Ask, ada, createAsk, testLimits } from '../../support/service.ts'
import { type Receiver, startReceiver } from './receiver.ts'

type Harness = {
  db: TestDatabase
  bookId: string
  receiver: Receiver
  /** Asks for the test book, and for the live one. */
  ask: Ask
  askLive: Ask
  askWith: (key: string) => Ask
  /** What names resolve to. */
  names: { resolve: Resolve }
  passSeconds: (seconds: number) => void
  createSender: (options?: { limits?: Partial<SenderLimits>; post?: Post; db?: Database }) => Sender
  /** Sends all that is due, as one sender. */
  sendDue: () => Promise<number>
  logged: Record<string, unknown>[]
}

/**
 * The tests of a subject on each engine. They share a database, which the last test audits, but each has its own
 * caller, service and receiver, and leaves no endpoint behind.
 */
export function describeWebhooks(
  subject: string,
  declare: (test: (name: string, run: (harness: Harness) => Promise<void>) => void) => void,
): void {
  for (const engine of engines) {
    describe(`${engine.name}: ${subject}`, { skip: engine.skip }, () => {
      let db: TestDatabase
      before(async () => {
        db = await engine.open()
      })
      after(() => db?.close())
      declare((name, run) => {
        test(name, async () => {
          const receiver = await startReceiver()
          const { close, ...harness } = await startHarness(db, receiver)
          try {
            await run(harness)
          } finally {
            await close()
            await db.query('delete from webhook_endpoints')
            await receiver.close()
          }
        })
      })
      test('the books are in order afterwards', () => audit(db))
    })
  }
}

const senderLimits: SenderLimits = {
  inFlightMax: 32,
  inFlightPerEndpointMax: 8,
  leaseMs: 60_000,
  pollMs: 5,
  stopMs: 5_000,
}

async function startHarness(
  db: TestDatabase,
  receiver: Receiver,
): Promise<Harness & { close: () => Promise<void> }> {
  // It is fixed at real time, because the published library compares a message's time with that of the machine.
  let nowMs = Date.now()
  const clock = () => new Date(nowMs)
  const names: Harness['names'] = { resolve: async () => [] }
  const addressGuard = createAddressGuard({ loopbackAllowed: true, resolve: (name) => names.resolve(name) })
  const limits = { workers: 2, batchMax: 256, queueMax: 5_000 }
  const service = createService({ db, clock, limits, addressGuard })
  const logged: Record<string, unknown>[] = []
  const log: Log = (level, event, fields) => void logged.push({ level, event, ...fields })
  const app = await buildServer({ service, limits: testLimits, log })
  const askWith = createAsk(app)
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: clock() }
  const { caller, keys } = await createCaller(db, terms)
  const [testKey, liveKey] = keys.map((issued) => issued.key)
  const book = await findBook(db, { callerId: caller.callerId, mode: 'test' })
  const post = createPost({ addressGuard, timeoutMs: 10_000 })
  const newSender: Harness['createSender'] = (options = {}) =>
    createSender({
      db: options.db ?? db,
      clock,
      post: options.post ?? post,
      log,
      limits: { ...senderLimits, ...options.limits },
      random: () => 0.5,
    })
  const sender = newSender()
  return {
    db,
    bookId: book!.bookId,
    receiver,
    ask: askWith(testKey!),
    askLive: askWith(liveKey!),
    askWith,
    names,
    passSeconds(seconds) {
      nowMs += seconds * 1000
    },
    createSender: newSender,
    sendDue: () => sender.sendDue(),
    logged,
    close: () => app.close(),
  }
}

type CreatedEndpoint = { webhook_endpoint_id: string; secret: string; path: string }

export async function createEndpoint(ask: Ask, body: object): Promise<CreatedEndpoint> {
  const created = await ask('POST', '/v2/webhook-endpoints', body)
  assert.equal(created.status, 201, created.text)
  const { data } = created.json
  return { ...data, path: `/v2/webhook-endpoints/${data.webhook_endpoint_id}` }
}

export async function createCustomer(ask: Ask): Promise<string> {
  const created = await ask('POST', '/v2/customer', ada)
  assert.equal(created.status, 201, created.text)
  return created.json.data.customer_id
}

type Delivery = {
  event_id: string
  event_type: string
  status: string
  attempts: number
  next_attempt_at: string | null
  last_attempt_at: string | null
  last_status_code: number | null
  last_error: string | null
}

/** Newest first. */
export async function deliveriesOf(ask: Ask, endpoint: { path: string }): Promise<Delivery[]> {
  const listed = await ask('GET', `${endpoint.path}/deliveries?limit=100`)
  assert.equal(listed.status, 200, listed.text)
  return listed.json.data
}
