/**
 * What the subscribers of a world receive: every announced event of their book at least once, whatever instance sends it
 * and dies meanwhile, as it was recorded; and nothing of another book.
 */
import assert from 'node:assert/strict'
import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { createSender, type Sender } from '../../../src/features/webhooks/sender.ts'
import type { Post } from '../../../src/features/webhooks/transport.ts'
import type { Faults } from './faulty-database.ts'
import type { Schedule } from './schedule.ts'

/** By the address of the subscriber: the messages as they came. */
export type Received = Map<string, string[]>

const HOUR_MS = 3_600_000
/** Longer than ten attempts are apart. */
const RETRIES_MS = 90 * HOUR_MS

function addressOf(bookId: string): string {
  return `https://${bookId.replaceAll('_', '-')}.example.com`
}

export async function subscribe(db: Queries, bookIds: readonly string[], at: Date): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (
       book_id, webhook_endpoint_id, ordinal, url, event_types, status, secret, created_at)
     select book_id, 'we_' || rpad('All', 24, '0'), last.ordinal, url, array['*'], 'ENABLED', 'whsec_' || repeat('A', 44), $3
     from unnest($1::text[], $2::text[]) as subscriber (book_id, url)
     cross join lateral (
       select max(events.ordinal) as ordinal from events where events.book_id = subscriber.book_id) as last`,
    [bookIds, bookIds.map(addressOf), at],
  )
}

/** A sender of one instance. Some messages do not arrive, some answers do not, and some senders die while they wait. */
export function createFaultySender(options: {
  db: Database
  clock: () => Date
  schedule: Schedule
  faults: Faults
  received: Received
}): Sender {
  const { schedule, faults, received } = options
  const post: Post = async (message) => {
    const over = await schedule.turn('a message is sent')
    try {
      const fate = faults.probability > 0 && faults.random.chance(0.3) ? faults.random.below(4) : null
      if (fate === 0) return { kind: 'unanswered', error: 'connection_failed' }
      receive(received, message)
      if (fate === 1) return { kind: 'unanswered', error: 'timed_out' }
      if (fate === 2) return { kind: 'answered', statusCode: 500, retryAfter: null }
      return fate === 3 ? DEATH : ACCEPTED
    } finally {
      over()
    }
  }
  return senderOver({ ...options, post })
}

/** Nobody hears the answer. */
const DEATH = new Promise<never>(() => {})
const ACCEPTED = { kind: 'answered', statusCode: 200, retryAfter: null } as const

function receive(received: Received, { url, body }: { url: string; body: string }): void {
  received.set(url, [...(received.get(url) ?? []), body])
}

function senderOver(options: { db: Database; clock: () => Date; post: Post }): Sender {
  return createSender({
    ...options,
    log: () => {},
    random: () => 0.5,
    limits: { inFlightMax: 16, inFlightPerEndpointMax: 4, leaseMs: HOUR_MS, pollMs: 1_000, stopMs: 1_000 },
  })
}

/** When everything else is over: what is left is sent, and was received. */
export async function checkDeliveries(
  db: Database,
  bookIds: readonly string[],
  { received, endedAt }: { received: Received; endedAt: Date },
): Promise<void> {
  const post: Post = async (message) => {
    receive(received, message)
    return ACCEPTED
  }
  const sender = senderOver({ db, clock: () => new Date(endedAt.getTime() + RETRIES_MS), post })
  while ((await sender.sendDue()) > 0);
  for (const bookId of bookIds) {
    const events = await db.query<Told & { id: string; isDelivered: boolean }>(
      `select event_id as id, type, data, changes, (
         select coalesce(bool_and(status = 'DELIVERED'), false)
         from webhook_deliveries delivery
         where delivery.book_id = event.book_id and delivery.event_id = event.event_id) as "isDelivered"
       from events event
       where book_id = $1
         and ordinal > (select ordinal from webhook_endpoints where book_id = $1)`,
      [bookId],
    )
    const messages = (received.get(addressOf(bookId)) ?? []).map((body) => JSON.parse(body))
    for (const { id, isDelivered, ...told } of events) {
      const { type, data } = told
      const own = messages.filter((message) => message.id === id)
      assert.equal(
        own.length > 0,
        isAnnounced(told),
        `${bookId}: ${id} ${type} was received ${own.length} times`,
      )
      assert.equal(isDelivered, isAnnounced(told), `${bookId}: ${id} ${type} is not settled`)
      for (const message of own) assert.deepEqual(message.data, JSON.parse(data), `${id} says something else`)
    }
    const known = new Set(events.map(({ id }) => id))
    const foreign = messages.filter(({ id }) => !known.has(id))
    assert.equal(foreign.length, 0, `${bookId} received the events of others: ${foreign.map(({ id }) => id)}`)
  }
  await db.query(`update webhook_endpoints set status = 'DISABLED' where book_id = any($1)`, [bookIds])
}

type Told = { type: string; data: string; changes: string | null }

/** What is only for the audit log. */
const UNANNOUNCED = [
  ...['person.activated', 'person.password_reset'],
  ...['account.imported', 'fixed_deposit.imported', 'batch.started', 'api_key.created', 'api_key.confirmed'],
  ...['api_key.rolled', 'api_key.revoked'],
]

/** An update that changes nothing is not announced either, nor is the class that a customer has already. */
function isAnnounced({ type, data, changes }: Told): boolean {
  if (type === 'customer.tax_status_changed') {
    const { before, after } = JSON.parse(changes!)
    return before.tax_class !== after.tax_class
  }
  return !UNANNOUNCED.includes(type) && JSON.parse(data).changed_fields?.length !== 0
}
