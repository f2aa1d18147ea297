/** What follows an attempt: delivered, retried later, or failed. Pure: time and randomness are arguments. */
import type { DeliveryResult } from './store.ts'

/** A response, or the reason why there was none. */
export type Outcome =
  | { kind: 'answered'; statusCode: number; retryAfter: string | null }
  | { kind: 'unanswered'; error: DeliveryFault }
export type DeliveryFault =
  | 'timed_out'
  | 'forbidden_address'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The delays after the first, the second, … failed attempt: ten attempts in 75 hours and 35 minutes. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const
export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1

/** A tenth more or less, so that messages that failed together are not all retried together. */
const JITTER = 0.1

/** A receiver may ask for a later attempt, within a limit. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS

/** The longest time from a change to its last attempt: before each, the receiver asked for the longest wait. */
export const TRIED_FOR_DAYS = Math.ceil(
  (RETRY_DELAYS_MS.length * RETRY_AFTER_MAX_MS * (1 + JITTER)) / (24 * HOUR_MS),
)

const GONE = 410
const ASKED_TO_WAIT = [429, 503]

type Judgement = Pick<DeliveryResult, 'status' | 'lastStatusCode' | 'lastError'> & {
  /** null: there is no further attempt. */
  retryInMs: number | null
  /** How long the receiver asked not to be sent anything. */
  heldForMs: number
  /** The receiver says that it is permanently gone. */
  gone: boolean
}

/** now is real time, which dates in Retry-After refer to; random is from 0 to 1. */
export function judgeAttempt(attempt: {
  attempts: number
  outcome: Outcome
  now: Date
  random: number
}): Judgement {
  const { outcome } = attempt
  const lastStatusCode = outcome.kind === 'answered' ? outcome.statusCode : null
  const isAnswered = outcome.kind === 'answered'
  if (isAnswered && isSuccess(outcome.statusCode)) {
    return {
      status: 'DELIVERED',
      lastStatusCode,
      lastError: null,
      retryInMs: null,
      heldForMs: 0,
      gone: false,
    }
  }
  const lastError = isAnswered ? wordFor(outcome.statusCode) : outcome.error
  const gone = lastStatusCode === GONE
  const heldForMs = isAnswered ? askedWaitMs(outcome, attempt.now) : 0
  const scheduledMs = RETRY_DELAYS_MS[attempt.attempts - 1]
  if (gone || scheduledMs === undefined) {
    return { status: 'FAILED', lastStatusCode, lastError, retryInMs: null, heldForMs, gone }
  }
  const spreadMs = Math.round(scheduledMs * (1 - JITTER + 2 * JITTER * attempt.random))
  const retryInMs = Math.max(spreadMs, heldForMs)
  return { status: 'PENDING', lastStatusCode, lastError, retryInMs, heldForMs, gone }
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300
}

function wordFor(statusCode: number): string {
  if (statusCode === GONE) return 'endpoint_gone'
  return statusCode >= 300 && statusCode < 400 ? 'redirect_not_followed' : 'refused_by_receiver'
}

/** Retry-After is a number of seconds or a date; anything else, or a time in the past, is ignored. */
function askedWaitMs(answer: { statusCode: number; retryAfter: string | null }, now: Date): number {
  if (answer.retryAfter === null || !ASKED_TO_WAIT.includes(answer.statusCode)) return 0
  const text = answer.retryAfter.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime()
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MAX_MS) : 0
}
