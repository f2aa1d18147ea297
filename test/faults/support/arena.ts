/** Where simulations run: one database per engine for all seeds of a run. */
import { audit } from '../../support/auditor.ts'
import type { Engine } from '../../support/engines.ts'
import { countBlocked, openPatiently } from './patient-postgres.ts'
import { shrink } from './shrinking.ts'
import { type Arena, type Plan, planOf, runPlan, SeedError, type SeedReport } from './simulation.ts'
import { createTemplate } from './world.ts'

export async function withArena<Result>(
  engine: Engine,
  work: (arena: Arena) => Promise<Result>,
): Promise<Result> {
  const db = await engine.open()
  try {
    if (db.url === null) {
      const template = await createTemplate(db)
      return await work({ engine: engine.name, db, template, exclusive: true, countBlocked: null })
    }
    const patient = await openPatiently(db.url)
    try {
      const template = await createTemplate(patient)
      return await work({
        engine: engine.name,
        db: patient,
        template,
        exclusive: false,
        countBlocked: () => countBlocked(db),
      })
    } finally {
      await patient.close()
    }
  } finally {
    await db.close()
  }
}

/** `change` is for the replay of a plan that was found by shrinking. */
export type Range = { first: number; count: number; runs?: number; change?: Partial<Plan> }
type SeedsReport = Omit<SeedReport, 'trace'> & { seeds: number }

/** The general audit compares all books together, so a database gets only as many as can be audited quickly. */
const ARENA_SEEDS_MAX = 200

/** Stops at the first difference, with the shortest story that shows one. */
export async function runSeeds(engine: Engine, range: Range): Promise<SeedsReport> {
  const total: SeedsReport = { seeds: 0, outcomes: {}, made: {}, faults: {} }
  const end = range.first + range.count
  for (let first = range.first; first < end; first += ARENA_SEEDS_MAX) {
    const seeds = Array.from({ length: Math.min(ARENA_SEEDS_MAX, end - first) }, (_, index) => first + index)
    await withArena(engine, async (arena) => {
      for (const seed of seeds) {
        await addSeed(arena, seed).catch(async (error) => {
          throw error instanceof SeedError ? await shrink(arena, error) : error
        })
      }
      await audit(arena.db)
    })
  }
  return total

  async function addSeed(arena: Arena, seed: number): Promise<void> {
    for (let run = 1; run <= (range.runs ?? 1); run += 1) {
      const report = await runPlan(arena, { ...planOf(seed), ...range.change }, `${seed}_${run}`)
      addCounts(total.outcomes, report.outcomes)
      addCounts(total.made, report.made)
      addCounts(total.faults, report.faults)
    }
    total.seeds += 1
  }
}

function addCounts(total: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count
}
