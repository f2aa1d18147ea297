/**
 * The job that pays interest and renews deposits is broken off at each point where it waits for its database, before and
 * after every commit. The next run finds what is left: each period is paid once, and each deposit has one successor.
 */
import assert from 'node:assert/strict'
import { createEngine } from '../../src/engine/change/engine.ts'
import { type Database, DatabaseError, type Transaction } from '../../src/engine/database/database.ts'
import { createMaturity } from '../../src/features/maturity/job.ts'
import { audit } from '../support/auditor.ts'
import { forEachEngine } from '../support/engines.ts'
import { openByProduct, sell } from '../support/products.ts'
import { replaceTaxRules, startService } from '../support/service.ts'

type Broken = { at: number; reached: number; how: 'lost' | 'unknown' }

/** Breaks off at one of the points; a commit of unknown outcome was made. */
function breakingOff(db: Database, broken: Broken): Database {
  const reach = (fault: () => Error) => {
    broken.reached += 1
    if (broken.reached === broken.at) throw fault()
  }
  const gone = (outcomeUnknown: boolean) => () =>
    new DatabaseError('broken off', { sqlState: null, outcomeUnknown })
  const within = (tx: Transaction): Transaction => ({
    query: async (text, values) => {
      // The session lives on, so that its transaction is rolled back.
      reach(() => new Error('broken off'))
      return tx.query(text, values)
    },
    write: (statement, values) => tx.write(statement, values),
    written: () => tx.written(),
  })
  return {
    isSharded: db.isSharded,
    script: (text) => db.script(text),
    close: () => db.close(),
    query: async (text, values) => {
      reach(gone(false))
      return db.query(text, values)
    },
    transaction: async (work) => {
      reach(gone(false))
      const result = await db.transaction((tx) => work(within(tx)))
      reach(gone(broken.how === 'unknown'))
      return result
    },
  }
}

const MONTHS_MAX = 60

forEachEngine(({ test }) => {
  for (const how of ['lost', 'unknown'] as const) {
    test(`a job that is broken off anywhere (${how} at commit) pays each period once`, async (db) => {
      const { ask, clock } = await startService(db, { now: '2026-01-15T10:00:00.000Z' })
      await replaceTaxRules(ask)
      const maturity = { on_holiday: 'SAME_DAY', instruction: 'ROLL_OVER', rollover_limit: null }
      await sell(ask, 'MONTHLY', { maturity, tenor: { unit: 'MONTH', min: 1, max: 120, multiple: 1 } })
      const upfront = { method: 'UPFRONT', every: null, recover_paid_interest: false }
      await sell(ask, 'UPFRONT', { maturity, interest: upfront })
      const paying = await openByProduct(ask, 'MONTHLY', { amount: 600_000, tenor_months: 120 })
      await openByProduct(ask, 'UPFRONT', { amount: 100_000, tenor_months: 1 })
      const limits = { workers: 2, batchMax: 256, queueMax: 5_000 }
      let months = 0
      for (let ended = false; !ended && months < MONTHS_MAX; ) {
        months += 1
        clock.now = new Date(Date.UTC(2026, months, 15, 10))
        const broken: Broken = { at: months, reached: 0, how }
        const engine = createEngine({ db: breakingOff(db, broken), clock: () => clock.now, limits })
        await createMaturity({ engine })
          .settleAll()
          .catch(() => undefined)
        ended = broken.reached < broken.at
        const whole = createEngine({ db, clock: () => clock.now, limits })
        await createMaturity({ engine: whole }).settleAll()
      }
      assert(months > 5 && months < MONTHS_MAX, `${months} points`)
      const paid = await ask('GET', `/v2/fixed-deposits/${paying.depositId}/interest-payments?limit=100`)
      assert.equal(paid.json.data.length, months)
      const rolled = await ask('GET', '/v2/fixed-deposits?status=ROLLED_OVER&product_code=UPFRONT&limit=100')
      assert.equal(rolled.json.data.length, months)
      await audit(db)
    })
  }
})
