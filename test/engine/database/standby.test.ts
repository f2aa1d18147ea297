/** What certifies is read from a standby only where one current connection stands for all of them. */
import assert from 'node:assert/strict'
import { readFromStandby } from '../../../src/engine/database/standby.ts'
import { forEachEngine } from '../../support/engines.ts'

forEachEngine(({ test }) => {
  for (const isOneServer of [true, false]) {
    test(isOneServer ? 'one standby certifies' : 'of several standbys none certifies', async (db) => {
      const reads = await readFromStandby({
        primary: db,
        // The database itself is always current.
        open: async () => ({ db, isOneServer: () => isOneServer }),
        onFailure: (error) => assert.fail(String(error)),
        pauseMs: 60_000,
        waitMs: 1_000,
      })
      assert.equal((await reads.current()) === db, !isOneServer)
      assert.deepEqual(await (await reads.current()).query('select 1::int4 as one'), [{ one: 1 }])
      assert.equal(await reads.ageMs(), 0)
    })
  }
})
