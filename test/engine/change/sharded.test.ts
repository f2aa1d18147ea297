/** What holds on a sharded database alone: DATABASE_URL_TEST has to be the coordinator of a Citus cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../../src/engine/database/database.ts'
import { createCaller } from '../../../src/features/callers/changes.ts'
import { findBook, listBooks } from '../../../src/features/callers/store.ts'
import { findDueEndpoints } from '../../../src/features/webhooks/store.ts'
import { audit } from '../../support/auditor.ts'
import { engines, isCoordinator } from '../../support/engines.ts'
import { type Ask, ada, openDeposit, replaceRules, startService } from '../../support/service.ts'

if (isCoordinator) {
  test('every change of a book is made on its worker, so one that is away stops its own books alone', async () => {
    const db = await engines.find((engine) => engine.name === 'PostgreSQL')!.open()
    const { service, askWith, clock, close } = await startService(db)
    const asks = new Map<string, Ask>()
    let workers = new Map<string, number>()
    const isSpread = () => new Set([...asks.keys()].map((bookId) => workers.get(bookId))).size > 1
    while (!isSpread()) {
      const terms = { name: 'Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: clock.now }
      const { caller, keys } = await createCaller(db, terms)
      const book = await findBook(db, { callerId: caller.callerId, mode: 'test' })
      asks.set(book!.bookId, askWith(keys[0]!.key))
      workers = await findWorkers(db)
    }
    for (const ask of asks.values()) await openDeposit(ask, { amount: 1_000, start_date: '2025-01-01' })
    const [first] = asks.keys()
    const away = workers.get(first!)!
    const stopped = [...asks.keys()].filter((bookId) => workers.get(bookId) === away)
    const working = [...asks.keys()].filter((bookId) => workers.get(bookId) !== away)

    await db.query('update pg_dist_node set nodeport = 1 where nodeport = $1', [away])
    for (const bookId of working) await makeEveryChange(asks.get(bookId)!)
    for (const bookId of stopped) {
      const refused = await asks.get(bookId)!('POST', '/v2/customer', ada)
      assert.deepEqual([refused.status, refused.json.error.code], [503, 'service_unavailable'])
    }
    const { matured, failed } = await service.maturity.settleAll()
    assert.equal(matured, working.length)
    assert.deepEqual(failed.map((failure) => failure.bookId).sort(), booksOn(away))
    const failures: unknown[] = []
    const onFailure = (error: unknown) => void failures.push(error)
    await findDueEndpoints(db, { now: clock.now, perBookMax: 1, onFailure })
    assert.equal(failures.length, booksOn(away).length)

    await db.query('update pg_dist_node set nodeport = $1 where nodeport = 1', [away])
    for (const ask of asks.values()) assert.equal((await ask('POST', '/v2/customer', ada)).status, 201)
    await audit(db)
    await close()
    await db.close()

    function booksOn(port: number): string[] {
      return [...workers].flatMap(([bookId, worker]) => (worker === port ? [bookId] : [])).sort()
    }
  })
} else console.log('Tests of a sharded database are left out: DATABASE_URL_TEST is not a Citus coordinator.')

/** The port of the worker of each book. */
async function findWorkers(db: Queries): Promise<Map<string, number>> {
  const rows = await db.query<{ shard: bigint; port: number }>(
    'select shardid as shard, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)',
  )
  const ports = new Map(rows.map(({ shard, port }) => [shard, port]))
  const workers = new Map<string, number>()
  for (const { bookId } of await listBooks(db)) {
    const [row] = await db.query<{ shard: bigint }>(
      `select get_shard_id_for_distribution_column('deposits', $1::text) as shard`,
      [bookId],
    )
    workers.set(bookId, ports.get(row!.shard)!)
  }
  return workers
}

async function makeEveryChange(ask: Ask): Promise<void> {
  await replaceRules(ask, { allow_partial: true })
  const { depositId, customerId, accountNumber } = await openDeposit(ask, { amount: 10_000 })
  const expect = async (status: number, ...request: Parameters<Ask>) => {
    const answer = await ask(...request)
    assert.equal(answer.status, status, answer.text)
    return answer
  }
  const part = { liquidation_type: 'PARTIAL', amount: 100 }
  const url = `/v2/fixed-deposits/${depositId}`
  await expect(200, 'PUT', `/v2/customer/${customerId}`, { address: '1 Quay Street, Lagos' })
  await expect(201, 'POST', `/v2/accounts/${accountNumber}/credits`, { amount: 5 })
  await expect(200, 'POST', `${url}/liquidation-quote`, part)
  const key = { 'idempotency-key': 'part' }
  const first = await expect(200, 'POST', `${url}/liquidate`, part, key)
  assert.equal((await expect(200, 'POST', `${url}/liquidate`, part, key)).text, first.text)
  const lien = await expect(201, 'POST', `${url}/liens`, { amount: 10, reason: 'COLLATERAL' })
  await expect(200, 'POST', `/v2/liens/${lien.json.data.lien_id}/release`, { reason: 'REPAID' })
  const { liquidation_id } = first.json.data
  await expect(200, 'POST', `/v2/liquidations/${liquidation_id}/reverse`, { reason: 'MISTAKE' })
  await Promise.all(Array.from({ length: 5 }, () => expect(200, 'POST', `${url}/liquidate`, part)))
  await expect(200, 'POST', `${url}/liquidate`, { liquidation_type: 'FULL' })
  await expect(200, 'GET', '/v2/events')
  await expect(200, 'GET', '/v2/audit-log')
}
