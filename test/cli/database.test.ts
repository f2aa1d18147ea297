import assert from 'node:assert/strict'
import { readConfig } from '../../src/cli/config.ts'
import { createServiceOver } from '../../src/cli/database.ts'
import { OPERATOR } from '../../src/domain/actor.ts'
import { hashSecret } from '../../src/engine/database/secrets.ts'
import { findByHash } from '../../src/features/api-keys/store.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { liquidate } from '../../src/features/liquidation/changes.ts'
import { forEachEngine } from '../support/engines.ts'

forEachEngine(({ name, test }) => {
  const workers = name === 'PGlite' ? 1 : 3

  test(`${workers} of three batches of a book are processed at the same time`, async (db) => {
    let [underWay, most] = [0, 0]
    const env = { BATCH_MAX: '1', BATCH_LANES: '3', ...(db.url !== null && { DATABASE_URL: db.url }) }
    const service = createServiceOver(
      {
        ...db,
        async transaction(work) {
          underWay += 1
          most = Math.max(most, underWay)
          return db.transaction(work).finally(() => {
            underWay -= 1
          })
        },
      },
      readConfig(env),
    )
    const bank = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
    const { keys } = await createCaller(db, bank)
    const { book } = (await findByHash(db, hashSecret(keys[0]!.key)))!
    const origin = { book, actor: OPERATOR, requestId: null, idempotency: null }
    const asked = { depositId: 'fd_unknown', part: { type: 'FULL', amount: null } } as const
    const answers = await Promise.all([1, 2, 3].map(() => liquidate(service, origin, asked)))
    assert.deepEqual(
      answers.map((answer) => answer.outcome),
      ['refused', 'refused', 'refused'],
    )
    assert.equal(most, workers)
  })
})
