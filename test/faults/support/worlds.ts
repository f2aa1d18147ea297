import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../../support/engines.ts'
import { type Range, runSeeds } from './arena.ts'
import { all, full } from './counts.ts'

/** 5,000 together in CI, in minutes: on the embedded engine a world costs a quarter of what it does on PostgreSQL. */
export const PGLITE_SEEDS = all ? 90_000 : full ? 4_800 : 60
export const POSTGRES_SEEDS = all ? 10_000 : full ? 200 : 20

const KINDS = [
  ...['liquidate', 'open', 'credit', 'update', 'reverse', 'place', 'release', 'instruct', 'mature', 'pay'],
  ...['ask', 'vote', 'reject', 'start', 'drop', 'complete', 'import account', 'import deposit', 'waive'],
  ...['tax rules', 'tax status', 'confirm', 'roll key', 'revoke key', 'calendar'],
]
/** Once in some hundred worlds. */
const RARE_KINDS = [
  ...['policy', 'invite', 'use link', 'reset', 'change role', 'disable', 'cancel'],
  ...['make key', 'confirm key', 'use key'],
]
const MANY_WORLDS = 1_000

export function testWorlds(engine: Engine, range: Range): void {
  const title = `${engine.name}: some order of the operations explains every answer, whatever failed, in ${range.count} worlds`

  test(title, { skip: engine.skip }, async (context) => {
    const report = await runSeeds(engine, range)
    context.diagnostic(`outcomes ${JSON.stringify(report.outcomes)}`)
    context.diagnostic(`made ${JSON.stringify(report.made)}`)
    context.diagnostic(`faults ${JSON.stringify(report.faults)}`)
    // What never came up was not tested; a few seeds may miss what is rare.
    const rare = full ? ['unknown, made', 'unknown, not made'] : []
    for (const outcome of ['answered', 'refused', 'replayed', 'failed', ...rare]) {
      assert(report.outcomes[outcome]! > 0, outcome)
    }
    const kinds = [...(full ? KINDS : []), ...(range.count >= MANY_WORLDS ? RARE_KINDS : [])]
    for (const kind of kinds) assert(report.made[kind]! > 0, kind)
    const rareFaults = full ? ['commit made, answer lost', 'commit made late', 'clock days off'] : []
    for (const fault of ['commit lost', 'commit refused', ...rareFaults]) {
      assert(report.faults[fault]! > 0, fault)
    }
  })
}
