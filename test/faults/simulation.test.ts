/** One half of the worlds on the embedded engine; what a seed and a failure are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, DatabaseError } from '../../src/engine/database/database.ts'
import { engines } from '../support/engines.ts'
import { withArena } from './support/arena.ts'
import { shrink } from './support/shrinking.ts'
import { planOf, runPlan, SeedError } from './support/simulation.ts'
import { PGLITE_SEEDS, testWorlds } from './support/worlds.ts'

const [pglite] = engines
testWorlds(pglite!, { first: 1, count: PGLITE_SEEDS / 2 })

test('a seed replays its run to the last turn', () =>
  withArena(pglite!, async (arena) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const first = await runPlan(arena, planOf(seed), `${seed}_a`)
      const second = await runPlan(arena, planOf(seed), `${seed}_b`)
      assert.deepEqual(second, first)
    }
  }))

test('a seed that shows a difference shrinks to one request, which shows it again', () =>
  withArena(pglite!, async (arena) => {
    const broken = { ...arena, db: denyingCommits(arena.db) }
    let found: unknown
    for (let seed = 1; found === undefined; seed += 1) {
      found = await runPlan(broken, planOf(seed), `${seed}_found`).then(
        () => undefined,
        (error) => error,
      )
    }
    assert(found instanceof SeedError, String(found))
    assert(requestsIn(found) > 1, 'there is something to leave out')
    const shortest = await shrink(broken, found)
    assert.equal(shortest.plan.hasFaults, false)
    assert.equal(requestsIn(shortest), 1, shortest.message)
    assert.match(shortest.message, /--without '[^']+' --faultless/)
    await assert.rejects(runPlan(broken, shortest.plan, 'again'), { message: shortest.message })
  }))

function requestsIn({ message }: Error): number {
  return message.match(/ op \d+: begins/g)?.length ?? 0
}

/** Every change of a customer is committed, and called a conflict. */
function denyingCommits(db: Database): Database {
  return {
    ...db,
    async transaction(work) {
      let isOfCustomer = false
      const result = await db.transaction((tx) =>
        work({
          ...tx,
          query: (text, values) => {
            isOfCustomer ||= /from customers/.test(text)
            return tx.query(text, values)
          },
        }),
      )
      if (isOfCustomer) throw new DatabaseError('Injected: denied.', { sqlState: '40001' })
      return result
    },
  }
}
