/**
 * A service whose transactions go through a proxy that cuts them, while its keys and the auditor read directly. A pooler
 * may be in front of the proxy: then the pooler's connections to the server are cut.
 */

import { createService, type Service } from '../../../src/cli/compose.ts'
import { openPostgres, type PostgresOptions } from '../../../src/engine/database/postgres.ts'
import { keysIn } from '../../../src/features/api-keys/store.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { buildServer } from '../../../src/http/server.ts'
import type { Engine, TestDatabase } from '../../support/engines.ts'
import type { PgBouncer } from '../../support/pgbouncer.ts'
import { type Ask, createAsk, testLimits } from '../../support/service.ts'
import { type CuttingProxy, startProxy } from './proxy.ts'

export type CutBank = {
  db: TestDatabase
  proxy: CuttingProxy
  ask: Ask
  /** All that it does goes through the proxy. */
  service: Service
  callerId: string
}

export async function withCutBank(
  engine: Engine,
  timeouts: Partial<PostgresOptions>,
  work: (bank: CutBank) => Promise<void>,
  startPooler?: (server: { port: number }) => Promise<PgBouncer>,
): Promise<void> {
  const db = await engine.open()
  const url = new URL(db.url!)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  const pooler = await startPooler?.(proxy)
  url.port = String((pooler ?? proxy).port)
  // Only what is asked for goes through the proxy, because messages are counted.
  const unasked = { planAgeCheckMs: 3_600_000 }
  const options = { url: url.href, connectionsMax: 4, durabilityChecked: false, ...unasked, ...timeouts }
  const cut = await openPostgres(options).catch(async (error: unknown) => {
    await closeRoute()
    throw error
  })
  const clock = () => new Date()
  const service = createService({
    db: cut,
    clock,
    limits: { workers: 2, batchMax: 256, queueMax: 1_000 },
  })
  const app = await buildServer({
    service: { ...service, db, keys: keysIn(db) },
    limits: testLimits,
    log: () => undefined,
  })
  try {
    const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: clock() }
    const { caller, keys } = await createCaller(db, terms)
    const { callerId } = caller
    await work({ db, proxy, service, callerId, ask: createAsk(app)(keys[0]!.key) })
  } finally {
    await app.close()
    await cut.close()
    await closeRoute()
  }

  async function closeRoute(): Promise<void> {
    await pooler?.stop()
    await proxy.close()
    await db.close()
  }
}
