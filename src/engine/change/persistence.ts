/**
 * Runs one transaction until its outcome is known.
 * - Serialization failures, deadlocks and unique violations by a concurrent request with the same key were rolled back:
 *   retry, a few times.
 * - A lost response to COMMIT is neither success nor failure. The next attempt knows that the last one is in doubt and,
 *   under the same locks, first looks for its change. So a change is never made twice and never denied.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isOutcomeUnknown, isRetryable, isUnavailable, isUniqueViolation } from '../database/database.ts'
import { OutcomeUnknownError } from './faults.ts'

const ATTEMPTS_MAX = 8
const PAUSE_MS = 10
const DOUBT_MAX_MS = 8_000

export async function persist<Result>(
  attempt: (inDoubt: boolean) => Promise<Result>,
  nowMs: () => number = () => performance.now(),
): Promise<Result> {
  let inDoubt = false
  const startedMs = nowMs()
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(inDoubt)
    } catch (error) {
      inDoubt ||= isOutcomeUnknown(error)
      const passing = isRetryable(error) || isUniqueViolation(error)
      if (inDoubt) {
        const mayPass = passing || isOutcomeUnknown(error) || isUnavailable(error)
        if (!mayPass || nowMs() - startedMs > DOUBT_MAX_MS) {
          throw new OutcomeUnknownError('A commit stayed unknown.', { cause: error })
        }
      } else if (!passing || attempts === ATTEMPTS_MAX) throw error
      await sleep(PAUSE_MS * attempts * (0.5 + Math.random()))
    }
  }
}
