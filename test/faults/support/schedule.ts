/**
 * Decides the order of execution. Every call to the database, every pause between two attempts and every start of an
 * operation waits here for its turn; when nothing moves any more, the seed picks one of those that wait. So one integer
 * replays an interleaving of several service instances, on PostgreSQL with its real row locks too.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { Random } from '../../support/random.ts'

export type Schedule = {
  /** Waits for a turn. Call the returned function when the turn is over. */
  turn: (name: string, isReady?: () => boolean) => Promise<() => void>
  /** Everything the work causes takes its turns under this name, which identifies it in every run. */
  as: <Result>(actor: string, work: () => Promise<Result>) => Promise<Result>
  /** For what happens without a turn, a rollback: nothing else moves until it is over. */
  enter: () => () => void
  /** Gives turns until nothing is running. */
  run: () => Promise<void>
  trace: string[]
}

const STEPS_MAX = 20_000
const POLL_MS = 2

type Turn = { actor: string; name: string; isReady: () => boolean; go: (over: () => void) => void }

export function createSchedule(options: {
  random: Random
  /** How many calls wait for a lock inside the database; null where calls never wait for each other. */
  countBlocked: (() => Promise<number>) | null
}): Schedule {
  const { random, countBlocked } = options
  const waiting: Turn[] = []
  const trace: string[] = []
  const actors = new AsyncLocalStorage<string>()
  let running = 0
  let blocked = 0
  let changes = 0
  let wake: () => void = () => undefined

  return { turn, as: (actor, work) => actors.run(actor, work), enter, run, trace }

  function turn(name: string, isReady: () => boolean = () => true): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>()
    waiting.push({ actor: actors.getStore() ?? '', name, isReady, go: resolve })
    changed()
    return promise
  }

  function enter(): () => void {
    let over = false
    running += 1
    return () => {
      if (over) return
      over = true
      running -= 1
      changed()
    }
  }

  async function run(): Promise<void> {
    for (let steps = 0; ; steps += 1) {
      if (steps === STEPS_MAX) throw new Error(`Still not over after ${STEPS_MAX} steps.`)
      await quiet()
      // Sorted, because two that were let go at the same time arrive in any order.
      const ready = waiting.filter((one) => one.isReady()).sort(byActor)
      if (ready.length > 0) {
        const next = random.pick(ready)
        waiting.splice(waiting.indexOf(next), 1)
        trace.push(`${next.actor}: ${next.name}`)
        next.go(enter())
      } else if (running > 0) await nextChange()
      else if (waiting.length > 0) throw new Error(`Nobody can move: ${waiting.map((one) => one.name)}.`)
      else return
    }
  }

  /**
   * Until everything that runs has come to wait: for its turn, or for a lock held by something that waits for a turn.
   */
  async function quiet(): Promise<void> {
    for (;;) {
      const before = changes
      await nextTick()
      await nextTick()
      if (changes !== before) continue
      if (running === 0) return
      if (countBlocked === null) {
        await nextChange()
        continue
      }
      // Those that were blocked a moment ago probably still are: only a new one is worth waiting for.
      if (running > blocked) await Promise.race([nextChange(), poll()])
      if (changes !== before) continue
      blocked = await countBlocked()
      if (blocked >= running && changes === before) return
    }
  }

  function changed(): void {
    changes += 1
    wake()
  }

  function nextChange(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    return promise
  }
}

function byActor(left: Turn, right: Turn): number {
  return left.actor < right.actor ? -1 : left.actor > right.actor ? 1 : left.name < right.name ? -1 : 1
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

function poll(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, POLL_MS))
}

/** While the work runs, a pause between two attempts is a turn: with real time every run would be different. */
export async function withVirtualPauses<Result>(
  schedule: Schedule,
  work: () => Promise<Result>,
): Promise<Result> {
  const pause = timers.setTimeout
  const takeTurn = async () => {
    const over = await schedule.turn('its pause ends')
    over()
  }
  timers.setTimeout = takeTurn as unknown as typeof timers.setTimeout
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    timers.setTimeout = pause
    syncBuiltinESMExports()
  }
}
