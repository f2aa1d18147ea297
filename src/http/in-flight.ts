/**
 * Bounds the requests processed at the same time. A place is held while the operation runs, which is bounded in time;
 * not while a request is received slowly or its response is left unread, or a few slow connections would take all
 * places.
 */
import { UnavailableError } from '../engine/change/faults.ts'

export type InFlight = ReturnType<typeof createInFlight>

export function createInFlight(max: number) {
  let count = 0
  return {
    count: () => count,
    requirePlace,
    async inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
      requirePlace()
      count += 1
      try {
        return await work()
      } finally {
        count -= 1
      }
    },
  }

  function requirePlace(): void {
    if (count >= max) throw TOO_MANY
  }
}

/** Shared instance: capturing a stack trace per rejection would dominate its cost. */
const TOO_MANY = new UnavailableError('Too many requests in flight.')
