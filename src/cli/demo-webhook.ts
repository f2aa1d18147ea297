/**
 * The webhook of a demo bank. Its receiver is as invented as the customers: the messages of its ninety days were answered
 * by the function below, judged and stored as the sender does it. Afterwards the address is switched off, because nothing
 * can be sent to it.
 */
import type { WebhookEndpoint } from '../domain/webhook.ts'
import type { AnswerWriter, Origin, Result } from '../engine/change/change.ts'
import { changeEndpoint, createEndpoint, recordAttempt } from '../features/webhooks/changes.ts'
import { judgeAttempt, type Outcome } from '../features/webhooks/schedule.ts'
import { type ClaimedDelivery, claimDeliveries, findEndpoint } from '../features/webhooks/store.ts'
import type { Service } from './compose.ts'

/** No name below .example is ever given to anybody. */
const DEMO_ENDPOINT = {
  url: 'https://core.demo-bank.example/webhooks',
  eventTypes: [
    'fixed_deposit.liquidated',
    'fixed_deposit.partially_liquidated',
    'fixed_deposit.liquidation_reversed',
    'fixed_deposit.lien_placed',
  ],
  description: 'Core banking. The receiver is invented: nothing is sent.',
}

/** Carries out a step of the story once, and answers its id. */
export type Step = <Value>(
  act: (answer: AnswerWriter<Value>) => Promise<Result<Value>>,
  id: (value: Value) => string,
) => Promise<string>

export function addDemoWebhook(past: Service, origin: Origin, step: Step): Promise<string> {
  return step(
    (answer) => createEndpoint(past, origin, DEMO_ENDPOINT, answer),
    ({ webhookEndpointId }: WebhookEndpoint) => webhookEndpointId,
  )
}

export async function switchDemoWebhookOff(
  past: Service,
  origin: Origin,
  { webhookEndpointId, step }: { webhookEndpointId: string; step: Step },
): Promise<void> {
  const request = { webhookEndpointId, changes: { status: 'DISABLED' } } as const
  await step(
    (answer) => changeEndpoint(past, origin, request, answer),
    () => webhookEndpointId,
  )
}

const LEASE_MS = 60_000
const CLAIMED_MAX = 500

/** The messages of a day, and their later attempts. */
export async function deliverDemoMessages(
  { db }: Service,
  { bookId, mode }: Origin['book'],
  sent: { webhookEndpointId: string; from: Date; isDown: boolean },
): Promise<void> {
  const { webhookEndpointId, from, isDown } = sent
  const stored = await findEndpoint(db, bookId, webhookEndpointId)
  if (stored === undefined) return
  const endpoint = { ...stored, bookId, mode, clockOffsetMs: 0 }
  for (let at: Date | null = from; at !== null; ) {
    const now: Date = at
    const leaseEndsAt = new Date(now.getTime() + LEASE_MS)
    const claimed = await claimDeliveries(db, endpoint, { at: now, leaseEndsAt, max: CLAIMED_MAX })
    let next: Date | null = null
    for (const delivery of claimed) {
      const { attempts } = delivery
      const outcome = receive(delivery, isDown)
      const { retryInMs, heldForMs, gone, ...judged } = judgeAttempt({ attempts, outcome, now, random: 0.5 })
      const nextAttemptAt = retryInMs === null ? null : new Date(now.getTime() + retryInMs)
      await recordAttempt(db, endpoint, { delivery, result: { ...judged, nextAttemptAt }, gone, at: now })
      next = nextAttemptAt ?? next
    }
    at = next
  }
}

/** It does not know reversals, and was down once, for two attempts. */
function receive({ attempts, event }: ClaimedDelivery, isDown: boolean): Outcome {
  const answered = (statusCode: number) => ({ kind: 'answered', statusCode, retryAfter: null }) as const
  if (event.type === 'fixed_deposit.liquidation_reversed') return answered(422)
  return isDown && attempts <= 2 ? answered(503) : answered(204)
}
