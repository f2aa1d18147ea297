/** Where simulations run: one database per engine for all seeds of a run. */
import { audit } from '../../support/auditor.ts'
import type { Engine } from '../../support/engines.ts'
import { countBlocked, openPatiently } from './patient-postgres.ts'
import { type Arena, runSeed, type SeedReport } from './simulation.ts'
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

/** Stops at the first difference. The general audit of all books comes last. */
export async function runSeeds(
  arena: Arena,
  range: { first: number; count: number; runs?: number },
): Promise<Omit<SeedReport, 'trace'> & { seeds: number }> {
  const total = { seeds: 0, outcomes: {}, faults: {} }
  for (let seed = range.first; seed < range.first + range.count; seed += 1) {
    for (let run = 1; run <= (range.runs ?? 1); run += 1) {
      const report = await runSeed(arena, seed, `${seed}_${run}`)
      addCounts(total.outcomes, report.outcomes)
      addCounts(total.faults, report.faults)
    }
    total.seeds += 1
  }
  await audit(arena.db)
  return total
}

function addCounts(total: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count
}
