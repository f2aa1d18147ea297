/** A long computation that leaves room for other requests. */
import { setImmediate } from 'node:timers/promises'

/** As long as this alone, and the others wait. */
const TURN_MS = 5

/** Step by step: after each turn, whatever has arrived meanwhile comes first. */
export async function inTurns<Result>(steps: Iterator<void, Result, void>): Promise<Result> {
  let begunMs = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - begunMs < TURN_MS) continue
    await setImmediate()
    begunMs = performance.now()
  }
}
