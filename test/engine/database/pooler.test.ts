/** PostgreSQL behind PgBouncer in transaction mode, where each transaction may get another session of the server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Database, DatabaseError, isStarting } from '../../../src/engine/database/database.ts'
import { migrate } from '../../../src/engine/database/migrations.ts'
import { openPostgres, type PostgresOptions } from '../../../src/engine/database/postgres.ts'
import { audit } from '../../support/auditor.ts'
import { engines, migrationsFolder, type TestDatabase } from '../../support/engines.ts'
import {
  keepsNames,
  type PgBouncer,
  poolerAbsent,
  startPgBouncer,
  throughPort,
} from '../../support/pgbouncer.ts'
import { findFreePort } from '../../support/postgres-server.ts'
import { openDeposit, startService } from '../../support/service.ts'

const postgres = engines.find((engine) => engine.name === 'PostgreSQL')!

describe('behind PgBouncer in transaction mode', { skip: postgres.skip || poolerAbsent }, () => {
  let db: TestDatabase
  let pooler: PgBouncer
  before(async () => {
    db = await postgres.open()
    pooler = await startPgBouncer(serverOf(db), { default_pool_size: 3 })
  })
  after(async () => {
    await pooler?.stop()
    await db?.close()
  })

  test('the time limits hold in transactions and outside of them', async () => {
    const limits = { statementTimeoutMs: 800, lockTimeoutMs: 100, idleInTransactionTimeoutMs: 3000 }
    await withPooled({ port: pooler.port, ...limits }, async (pooled) => {
      const shown = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
                            current_setting('idle_in_transaction_session_timeout') as idle`
      const expected = [{ statement: '800ms', lock: '100ms', idle: '3s' }]
      assert.deepEqual(await pooled.query(shown), expected)
      assert.deepEqual(await pooled.transaction((tx) => tx.query(shown)), expected)
      assert.equal((await failureOf(pooled.query('select pg_sleep(60)'))).sqlState, '57014')
    })
    // A session keeps no limit for the next one that uses it.
    await withPooled({ port: pooler.port, statementTimeoutMs: 2000 }, async (pooled) => {
      const [row] = await pooled.query<{ limit: string }>(
        `select current_setting('statement_timeout') as limit`,
      )
      assert.equal(row!.limit, '2s')
    })
  })

  test('statements have names only where the pooler keeps them', async () => {
    await withPooled({ port: pooler.port }, async (pooled) => {
      await pooled.query('select 1')
      const [row] = await pooled.query<{ named: boolean }>(
        'select count(*) > 0 as named from pg_prepared_statements',
      )
      assert.equal(row!.named, keepsNames)
    })
  })

  test('a pooler that ignores the time limits of a connection is noticed', async () => {
    const ignoring = await startPgBouncer(serverOf(db), {
      ignore_startup_parameters: 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout',
    })
    try {
      await withPooled({ port: ignoring.port, statementTimeoutMs: 800 }, async (pooled) => {
        assert.equal((await failureOf(pooled.query('select pg_sleep(60)'))).sqlState, '57014')
      })
    } finally {
      await ignoring.stop()
    }
  })

  test('a pooler whose server does not accept connections is waited for', async () => {
    const alone = await startPgBouncer({ port: await findFreePort() })
    try {
      const opening = openPostgres({
        url: throughPort(db.url!, alone.port),
        connectionsMax: 1,
        connectionWaitMs: 200,
      })
      assert.equal(isStarting(await failureOf(opening)), true)
    } finally {
      await alone.stop()
    }
  })

  test('an empty database is migrated', async () => {
    const empty = await postgres.open()
    try {
      await empty.script('drop schema public cascade; create schema public')
      await withPooled({ port: pooler.port, url: empty.url! }, async (pooled) => {
        const [first, second] = await Promise.all([
          migrate(pooled, migrationsFolder),
          migrate(pooled, migrationsFolder),
        ])
        assert.ok(first.applied.length + second.applied.length > 10)
        assert.deepEqual(await migrate(pooled, migrationsFolder), { applied: [] })
      })
    } finally {
      await empty.close()
    }
  })

  test('two services with more connections than sessions make every change once', async () => {
    await withPooled({ port: pooler.port, connectionsMax: 8 }, (one) =>
      withPooled({ port: pooler.port, connectionsMax: 8 }, async (other) => {
        const first = await startService(one)
        const second = await startService(other)
        const { ask } = first
        const deposits = await Promise.all(
          Array.from({ length: 20 }, () => openDeposit(ask, { amount: 1000, start_date: '2026-01-01' })),
        )
        const asks = [ask, second.askWith(first.testKey)]
        const answers = await Promise.all(
          deposits.flatMap(({ depositId, customerId }, index) =>
            asks.flatMap((askOne) => [
              askOne(
                'POST',
                `/v2/fixed-deposits/${depositId}/liquidate`,
                { liquidation_type: 'PARTIAL', amount: 10 },
                { 'idempotency-key': `partial-${index}` },
              ),
              askOne('PUT', `/v2/customer/${customerId}`, { address: `${index} Marina Road, Lagos` }),
            ]),
          ),
        )
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
        assert.deepEqual(await db.query('select count(*)::int4 as count from liquidations'), [{ count: 20 }])
        await audit(db)
        await Promise.all([first.close(), second.close()])
      }),
    )
  })

  async function withPooled(
    { port, url = db.url!, ...limits }: Partial<PostgresOptions> & { port: number; url?: string },
    work: (pooled: Database) => Promise<void>,
  ): Promise<void> {
    const pooled = await openPostgres({
      url: throughPort(url, port),
      connectionsMax: 4,
      durabilityChecked: false,
      ...limits,
    })
    try {
      await work(pooled)
    } finally {
      await pooled.close()
    }
  }
})

function serverOf(db: TestDatabase): { port: number } {
  return { port: Number(new URL(db.url!).port) }
}

async function failureOf(attempt: Promise<unknown>): Promise<DatabaseError> {
  const reason = await attempt.then(
    () => assert.fail('It should have failed.'),
    (error: unknown) => error,
  )
  assert.ok(reason instanceof DatabaseError, String(reason))
  return reason
}
