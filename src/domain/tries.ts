import { isAhead } from './clock.ts'

/**
 * How often a wrong password may be tried. A count falls by one every `forgottenEveryMs`. Beyond `free` tries either each
 * further one waits until one is forgotten, or it waits twice as long as the one before, up to `delayMaxMs`.
 */
export type TryLimit = { free: number; forgottenEveryMs: number; delayMaxMs: number | null }
export type Tries = { count: number; at: Date }

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The limit of one network for one person. Smaller in every respect than PERSON_LIMIT: one network alone never exhausts that. */
export const NETWORK_LIMIT: TryLimit = { free: 5, forgottenEveryMs: 6 * MINUTE_MS, delayMaxMs: null }
/** The limit of all unknown browsers together for one person. */
export const PERSON_LIMIT: TryLimit = {
  free: 20,
  forgottenEveryMs: 3 * MINUTE_MS,
  delayMaxMs: 15 * MINUTE_MS,
}
/** The limit of a known browser, and of a session: nobody else can use it up. */
export const KNOWN_LIMIT: TryLimit = { free: 10, forgottenEveryMs: 2 * MINUTE_MS, delayMaxMs: null }

/** After this time nothing is left of any count. */
export const FORGOTTEN_MS = 24 * 60 * MINUTE_MS

export type Taken = { allowed: true; tries: Tries } | { allowed: false; retryAfterMs: number }

export function takeTry(earlier: Tries | undefined, limit: TryLimit, now: Date): Taken {
  // A clock that was ahead must not keep a person out until that time comes.
  const known = earlier === undefined || isAhead(earlier.at, now) ? { count: 0, at: now } : earlier
  const { count, at } = known
  const passedMs = Math.max(0, now.getTime() - at.getTime())
  const left = Math.max(0, count - passedMs / limit.forgottenEveryMs)
  const waitMs = left + 1 <= limit.free ? 0 : waitOf({ count, left, passedMs }, limit)
  return waitMs > 0
    ? { allowed: false, retryAfterMs: waitMs }
    : { allowed: true, tries: { count: left + 1, at: now } }
}

/** `count` is that of the last try, `left` what is left of it now. */
function waitOf(
  { count, left, passedMs }: { count: number; left: number; passedMs: number },
  { free, forgottenEveryMs, delayMaxMs }: TryLimit,
): number {
  if (delayMaxMs === null) return (left + 1 - free) * forgottenEveryMs
  return Math.min(delayMaxMs, SECOND_MS * 2 ** Math.ceil(count + 1 - free)) - passedMs
}

/** A right password does not count. */
export function giveBack({ count, at }: Tries): Tries {
  return { count: Math.max(0, count - 1), at }
}
