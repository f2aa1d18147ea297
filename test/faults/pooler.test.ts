/**
 * Behind PgBouncer in transaction mode: the suites of the database and of the write path hold, and a connection between
 * the pooler and the server that is lost at COMMIT is an unknown outcome for the service, never a failure.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { audit } from '../support/auditor.ts'
import { engines } from '../support/engines.ts'
import { poolerAbsent, startPgBouncer } from '../support/pgbouncer.ts'
import { openDeposit } from '../support/service.ts'
import { withCutBank } from './support/cut-bank.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

/** Folders of test/, or files in them. */
const SUITES = [
  'engine/database/{database,migrations,constraints}.test.ts',
  'engine/change',
  'features/{customers,deposits,liquidation}',
]

/** It changes a setting of a session, which a pooler does not give back. */
const OF_SESSIONS = 'a connection to a server that accepts no changes any more'

describe('behind PgBouncer', { skip: postgres.skip || poolerAbsent }, () => {
  test('the suites of the database, the write path and the features hold', async () => {
    const server = { port: Number(new URL(process.env.DATABASE_URL_TEST!).port) }
    const pooler = await startPgBouncer(server, { default_pool_size: 5 })
    try {
      const files = SUITES.map((suite) => (suite.endsWith('.ts') ? suite : `${suite}/*.test.ts`))
      const { NODE_TEST_CONTEXT, ...env } = process.env
      const run = spawnSync(
        process.execPath,
        [
          '--test',
          '--test-concurrency=2',
          '--test-name-pattern=/PostgreSQL: /',
          `--test-skip-pattern=/${OF_SESSIONS}/`,
          ...files.map((file) => `test/${file}`),
        ],
        {
          cwd: fileURLToPath(new URL('../..', import.meta.url)),
          env: { ...env, POOLER_PORT_TEST: String(pooler.port) },
          encoding: 'utf8',
        },
      )
      assert.equal(run.status, 0, run.stdout.slice(-10_000))
    } finally {
      await pooler.stop()
    }
  })

  for (const how of ['lost', 'delivered'] as const) {
    test(`a COMMIT ${how} between pooler and server is looked up, and the change is made once`, () =>
      withCutBank(
        postgres,
        {},
        async ({ db, proxy, ask }) => {
          const { depositId } = await openDeposit(ask, { amount: 1000 })
          proxy.watch({ at: 'commit', how })
          const answer = await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, {
            liquidation_type: 'FULL',
          })
          assert.deepEqual([answer.status, proxy.wasCut()], [200, true], answer.text)
          assert.deepEqual(await db.query('select count(*)::int4 as count from liquidations'), [{ count: 1 }])
          await audit(db)
        },
        (server) => startPgBouncer(server),
      ))
  }
})
