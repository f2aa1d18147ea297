/**
 * From a seed that shows a difference to a short story: requests are left out one after the other, and faults altogether,
 * as long as some order of turns still shows one.
 */
import { type Arena, type Plan, runPlan, SeedError } from './simulation.ts'

/** Orders of turns that are tried before a request counts as needed. */
const SCHEDULES = 12

export async function shrink(arena: Arena, found: SeedError): Promise<SeedError> {
  let runs = 0
  let shortest = await failing({ ...found.plan, hasFaults: false }, found)
  // The last ones first: what they do depends on the others more often than the other way round.
  for (let request = REQUESTS_MAX; request >= 1; request -= 1) {
    const { without, ...plan } = shortest.plan
    const left = [...without, `op ${request}`]
    if (!without.includes(`op ${request}`)) shortest = await failing({ ...plan, without: left }, shortest)
  }
  return shortest

  /** The difference that a plan shows, or the one that is known. */
  async function failing(plan: Plan, known: SeedError): Promise<SeedError> {
    for (let schedule = 0; schedule < SCHEDULES; schedule += 1) {
      runs += 1
      try {
        await runPlan(arena, { ...plan, schedule }, `${plan.seed}_shorter_${runs}`)
      } catch (error) {
        if (error instanceof SeedError) return error
        throw error
      }
    }
    return known
  }
}

/** No world has more. */
const REQUESTS_MAX = 13
