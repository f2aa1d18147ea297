/** Once the versions of rules are cached, a change reads in one round trip to the database and writes in another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Queries } from '../../../src/engine/database/database.ts'
import { describeService, openDeposit, startService } from '../../support/service.ts'

/** The same database; `trips` counts how often reads of a transaction are sent when none is under way. */
function counting(db: Database): { db: Database; trips: { made: number } } {
  const trips = { made: 0 }
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx) => {
      let underWay = 0
      const query: Queries['query'] = async (text, values) => {
        if (underWay === 0) trips.made += 1
        underWay += 1
        try {
          return await tx.query(text, values)
        } finally {
          underWay -= 1
        }
      }
      return work({ ...tx, query })
    })
  return { db: { ...db, transaction }, trips }
}

describeService('changes', (running) => {
  test('liquidations, updates, openings and credits read in one round trip', async () => {
    const { db, trips } = counting(running().db)
    const { ask, close } = await startService(db)
    const { depositId, accountNumber, customerId } = await openDeposit(ask, { amount: 1000 })
    const changes: Record<string, () => ReturnType<typeof ask>> = {
      credit: () => ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 5000 }),
      opening: () =>
        ask('POST', '/v2/fixed-deposits', {
          account_number: accountNumber,
          amount: 100,
          interest_rate: 10,
          tenor: 90,
        }),
      update: () => ask('PUT', `/v2/customer/${customerId}`, { email: 'new@example.com' }),
      liquidation: () =>
        ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, { liquidation_type: 'PARTIAL', amount: 10 }),
    }
    const counts: Record<string, number> = {}
    for (const [name, change] of Object.entries(changes)) {
      await change()
      trips.made = 0
      const { status } = await change()
      assert(status < 300, `${name}: ${status}`)
      counts[name] = trips.made
    }
    await close()
    assert.deepEqual(counts, { credit: 1, opening: 1, update: 1, liquidation: 1 })
  })
})
