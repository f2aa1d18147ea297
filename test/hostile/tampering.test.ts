/** A thousand random, half of them on each engine, single changes of sealed rows by hand are found by the seals alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBook } from '../../src/features/callers/store.ts'
import { sealPass } from '../../src/features/seals/job.ts'
import { dropConstraints } from '../support/breaking.ts'
import { skipOnSeveralServers } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import { describeService, openDeposit } from '../support/service.ts'
import { findInSeals, tamper } from '../support/tampering.ts'

const SEED = Number(process.env.SEED ?? 2026)
const CHANGES = 500

describeService(
  'tampering',
  (running) => {
    test(`${CHANGES} of ${CHANGES} changes are found`, async (t) => {
      const { db, callerId, ask, service } = running()
      t.diagnostic(`SEED=${SEED}`)
      const book = (await findBook(db, { callerId, mode: 'test' }))!
      for (let round = 0; round < 6; round += 1) {
        const { depositId, customerId } = await openDeposit(ask, { amount: 500 })
        await ask('PUT', `/v2/customer/${customerId}`, { address: `${round} Marina Road` })
        const part = { liquidation_type: 'PARTIAL', amount: 100 }
        await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, part)
        await sealPass(service, { marginMs: 0 })
      }
      assert.equal(await findInSeals(db, book), null)
      await dropConstraints(db)
      const random = createRandom(SEED)
      const missed: string[] = []
      for (let change = 0; change < CHANGES; change += 1) {
        const { statement, failed } = await tamper(db, book, random)
        if (failed === null) missed.push(statement)
      }
      t.diagnostic(JSON.stringify({ changes: CHANGES, found: CHANGES - missed.length }))
      assert.deepEqual(missed, [])
    })
  },
  { skipOf: skipOnSeveralServers },
)
