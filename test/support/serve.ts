/** One whole service process on the PostgreSQL database of DATABASE_URL; prints its port, and ends with its parent. */
import type { AddressInfo } from 'node:net'
import { createService } from '../../src/cli/compose.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { buildServer } from '../../src/http/server.ts'
import { testLimits } from './service.ts'

const db = await openPostgres({
  url: process.env.DATABASE_URL!,
  connectionsMax: 10,
  durabilityChecked: false,
  // The machine that runs the tests may be busy: the tests check results, not speed.
  lockTimeoutMs: 20_000,
  statementTimeoutMs: 20_000,
  queryTimeoutMs: 20_000,
})
const service = createService({
  db,
  clock: () => new Date(),
  limits: { workers: 4, batchMax: 8, queueMax: 5_000 },
})
const app = await buildServer({ service, limits: testLimits, log: () => {} })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log((app.server.address() as AddressInfo).port)

// The parent holds the other end of the standard input: when it ends, so does this process.
process.stdin.resume().on('end', async () => {
  await app.close()
  await db.close()
})
