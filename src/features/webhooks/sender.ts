/**
 * Sends due messages while it runs; any number of senders may share the work.
 *
 * - At least once: a delivery is settled only after its response; what a crash or a lost response leaves open is sent
 *   again when its lease ends.
 * - Nothing is sent inside a transaction, and the number of concurrent messages is limited.
 * - An endpoint that failed last time has one message in flight, and all such endpoints together use half of the
 *   places, so that dead endpoints never crowd out working ones.
 * - A book uses at most half of the places that others leave, so that some are free for the next book. Books take
 *   turns.
 */

import type { Database } from '../../engine/database/database.ts'
import type { Log } from '../../observe/log.ts'
import { EventRecord } from '../events/record.ts'
import { recordAttempt } from './changes.ts'
import { judgeAttempt } from './schedule.ts'
import { webhookHeaders } from './signature.ts'
import { type ClaimedDelivery, claimDeliveries, type DueEndpoint, findDueEndpoints } from './store.ts'
import type { Post } from './transport.ts'

export type SenderLimits = {
  inFlightMax: number
  inFlightPerEndpointMax: number
  /** Longer than a message may take, so that no other sender claims it meanwhile. */
  leaseMs: number
  /** How often the sender looks for due messages. */
  pollMs: number
  /** How long a stop waits for messages in flight. */
  stopMs: number
}

export type Sender = {
  start: () => void
  /** Claims nothing more, and waits for messages in flight; what takes too long is sent again when its lease ends. */
  stop: () => Promise<void>
  /** Sends due messages once, as far as there are places, and waits for them; returns their number. */
  sendDue: () => Promise<number>
}

/** Endpoints of one book considered in one poll: far more than a bank has, and few enough to be held in memory. */
const LOOKED_AT_MAX = 1_000

/** The sender's state of an endpoint. */
type Receiver = { bookId: string; inFlight: number; failing: boolean; heldUntilMs: number }

export function createSender(options: {
  db: Database
  clock: () => Date
  post: Post
  log: Log
  limits: SenderLimits
  random?: () => number
  /** While it is true, nothing is sent. */
  isPaused?: () => boolean
}): Sender {
  const { db, clock, post, log, limits, random = Math.random } = options
  const { isPaused = () => false } = options
  const receivers = new Map<string, Receiver>()
  const underWay = new Set<Promise<void>>()
  let running: Promise<void> | null = null
  let stopping = false
  let wake = () => {}
  // Messages that were left because there was no free place are claimed as soon as one is free.
  let placeIsWanted = false
  let placeWasFreed = false

  return {
    start() {
      stopping = false
      running ??= run()
    },
    async stop() {
      stopping = true
      wake()
      await running
      running = null
      await within(limits.stopMs, Promise.all(underWay))
    },
    async sendDue() {
      const started = await startDue()
      await Promise.all(underWay)
      return started
    },
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await startDue()
      } catch (error) {
        reportNotClaimed(error)
      }
      if (!stopping && !(placeIsWanted && placeWasFreed)) await pause()
    }
  }

  /** Waits for the next poll, or until it is woken. */
  async function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, limits.pollMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  async function startDue(): Promise<number> {
    let started = 0
    placeIsWanted = false
    placeWasFreed = false
    if (isPaused()) return 0
    const asked = { now: clock(), perBookMax: LOOKED_AT_MAX, onFailure: reportNotClaimed }
    for (const endpoint of await findDueEndpoints(db, asked)) {
      if (stopping) break
      const receiver = receiverOf(endpoint)
      if (receiver.heldUntilMs > clock().getTime()) continue
      const places = placesFor(receiver)
      placeIsWanted ||= places === 0
      if (places === 0) continue
      const at = bookNow(endpoint)
      const leaseEndsAt = new Date(at.getTime() + limits.leaseMs)
      const claimed = await claimDeliveries(db, endpoint, { at, leaseEndsAt, max: places })
      for (const delivery of claimed) begin(endpoint, receiver, delivery)
      started += claimed.length
      placeIsWanted ||= claimed.length === places
    }
    return started
  }

  function reportNotClaimed(error: unknown): void {
    log('warn', 'webhooks_not_claimed', { error: nameOf(error) }, error)
  }

  function placesFor(receiver: Receiver): number {
    const own = (receiver.failing ? 1 : limits.inFlightPerEndpointMax) - receiver.inFlight
    const ofBook = placesOfBook(receiver, limits.inFlightMax, () => true)
    if (!receiver.failing) return Math.max(0, Math.min(own, ofBook))
    const failing = placesOfBook(receiver, Math.ceil(limits.inFlightMax / 2), (one) => one.failing)
    return Math.max(0, Math.min(own, ofBook, failing))
  }

  /** Half of what the other books leave of these places, less what the book uses. */
  function placesOfBook(
    { bookId }: Receiver,
    places: number,
    counts: (receiver: Receiver) => boolean,
  ): number {
    let ofBook = 0
    let ofOthers = 0
    for (const receiver of receivers.values()) {
      if (!counts(receiver)) continue
      if (receiver.bookId === bookId) ofBook += receiver.inFlight
      else ofOthers += receiver.inFlight
    }
    return Math.ceil((places - ofOthers) / 2) - ofBook
  }

  function begin(endpoint: DueEndpoint, receiver: Receiver, delivery: ClaimedDelivery): void {
    receiver.inFlight += 1
    const sending = send(endpoint, receiver, delivery)
      // A result that could not be recorded is sent again when its lease ends.
      .catch((error) =>
        log('warn', 'webhook_not_recorded', { ...identify(endpoint, delivery), error: nameOf(error) }, error),
      )
      .finally(() => {
        receiver.inFlight -= 1
        underWay.delete(sending)
        placeWasFreed = true
        if (placeIsWanted) wake()
      })
    underWay.add(sending)
  }

  async function send(endpoint: DueEndpoint, receiver: Receiver, delivery: ClaimedDelivery): Promise<void> {
    const sentAt = clock()
    const { event, traceparent } = delivery
    const body = EventRecord.json({ event, mode: endpoint.mode })
    const headers = {
      ...webhookHeaders({ eventId: event.eventId, body, sentAt }, secretsAt(endpoint, bookNow(endpoint))),
      ...(traceparent !== null && { traceparent }),
    }
    const outcome = await post({ url: endpoint.url, mode: endpoint.mode, headers, body })
    const { retryInMs, heldForMs, gone, ...judged } = judgeAttempt({
      attempts: delivery.attempts,
      outcome,
      now: clock(),
      random: random(),
    })
    receiver.failing = judged.status !== 'DELIVERED'
    if (heldForMs > 0) receiver.heldUntilMs = clock().getTime() + heldForMs
    log(receiver.failing ? 'info' : 'debug', 'webhook_attempt', {
      ...identify(endpoint, delivery),
      status: judged.status,
      status_code: judged.lastStatusCode,
      error: judged.lastError,
    })
    const at = bookNow(endpoint)
    const nextAttemptAt = retryInMs === null ? null : new Date(at.getTime() + retryInMs)
    await recordAttempt(db, endpoint, { delivery, result: { ...judged, nextAttemptAt }, gone, at })
  }

  function receiverOf({ bookId, webhookEndpointId }: DueEndpoint): Receiver {
    const key = `${bookId} ${webhookEndpointId}`
    const receiver = receivers.get(key) ?? { bookId, inFlight: 0, failing: false, heldUntilMs: 0 }
    receivers.set(key, receiver)
    return receiver
  }

  function bookNow({ clockOffsetMs }: DueEndpoint): Date {
    return new Date(clock().getTime() + clockOffsetMs)
  }
}

function secretsAt({ secret, previous }: DueEndpoint, at: Date): string[] {
  return previous !== null && at < previous.until ? [secret, previous.secret] : [secret]
}

function identify(endpoint: DueEndpoint, delivery: ClaimedDelivery) {
  return {
    book_id: endpoint.bookId,
    webhook_endpoint_id: endpoint.webhookEndpointId,
    event_id: delivery.event.eventId,
    attempt: delivery.attempts,
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
