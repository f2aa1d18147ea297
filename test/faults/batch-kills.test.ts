/**
 * The service, and the server of its database, are killed again and again while a batch runs. The batch goes on by itself
 * after each start: every line takes effect once, and its result says so.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/cli/config.ts'
import { withDatabase } from '../../src/cli/database.ts'
import { createCaller } from '../../src/features/callers/changes.ts'
import { type Environment, forEachEnvironment, type RunningService, serve } from '../cli/program.ts'
import { audit } from '../support/auditor.ts'
import { startCrashingPostgres } from '../support/crashing-postgres.ts'
import { createRandom } from '../support/random.ts'
import { compileCache, full } from './support/counts.ts'

const SEED = 1
const LINES = full ? 6_000 : 2_000
const KILLS = full ? 4 : 2
const POLL_MS = 20

forEachEnvironment(({ test }) => {
  test(`${KILLS} kills of the service in a batch lose no line and double none`, (context, env) =>
    survive(context, env, (service) => async () => {
      service.current().kill('SIGKILL')
      await service.restart()
    }))
})

test(`PostgreSQL: ${KILLS} kills of the server in a batch lose no line and double none`, async (context) => {
  const server = await startCrashingPostgres()
  if (typeof server === 'string') return context.skip(server)
  try {
    await survive(context, { DATABASE_URL: server.url }, () => async () => {
      await server.crash()
      await server.restart()
    })
  } finally {
    await server.stop()
  }
})

type Service = { current: () => RunningService; restart: () => Promise<void> }
type Ask = (method: string, path: string, body?: object | string) => Promise<any>

async function survive(
  context: TestContext,
  env: Environment,
  createKill: (service: Service) => () => Promise<void>,
): Promise<void> {
  const settings = { ...env, RATE_LIMIT_PER_MINUTE: '0', NODE_COMPILE_CACHE: compileCache }
  const terms = { name: 'Test Bank', timeZone: 'Africa/Lagos', currency: 'NGN', at: new Date() }
  const { keys } = await withDatabase(readConfig(settings), (db) => createCaller(db, terms))
  let running = await serve(context, settings)
  const restart = async () => {
    await running.end()
    running = await serve(context, settings)
  }
  const kill = createKill({ current: () => running, restart })
  const ask = createAsk(() => running.url, keys[0]!.key)
  const accounts = await openAccounts(ask, 5)
  const batchId = await startBatch(ask, accounts)

  const random = createRandom(SEED)
  for (let count = 0; count < KILLS; count += 1) {
    // Each after further lines, so that every kill finds the batch at work.
    await until(ask, batchId, (tried) => tried > (LINES / (KILLS + 2)) * count)
    await sleep(random.below(100))
    await kill()
  }
  await until(ask, batchId, (_, status) => status === 'DONE')

  const { data: batch } = await ask('GET', `/v2/batches/${batchId}`)
  assert.deepEqual([batch.succeeded, batch.duplicates, batch.failed], [LINES, 0, 0])
  const balances = await Promise.all(
    accounts.map(async (one) => (await ask('GET', `/v2/accounts/${one}`)).data.balance),
  )
  assert.deepEqual(
    balances,
    accounts.map((_, index) => sumOfLines(index, accounts.length)),
  )
  await running.stop()
  await withDatabase(readConfig(settings), async (db) => {
    const [row] = await db.query<{ lines: number; entries: number; made: number }>(`
      select count(*)::int4 as lines, count(distinct made_id)::int4 as made,
        (select count(*)::int4 from ledger_entries where kind = 'ACCOUNT_CREDIT') as entries
      from batch_lines
      where outcome = 'SUCCEEDED'`)
    assert.deepEqual(row, { lines: LINES, made: LINES, entries: LINES })
    await audit(db)
  })
}

const amountOf = (line: number) => 100 + (line % 7)

function sumOfLines(account: number, accounts: number): number {
  let sum = 0
  for (let line = 0; line < LINES; line += 1) if (line % accounts === account) sum += amountOf(line)
  return sum
}

async function startBatch(ask: Ask, accounts: readonly string[]): Promise<string> {
  const { data } = await ask('POST', '/v2/batches', { operation: 'creditAccount' })
  const lines = Array.from({ length: LINES }, (_, line) =>
    JSON.stringify({
      account_number: accounts[line % accounts.length],
      amount: amountOf(line),
      external_id: `L-${line}`,
    }),
  )
  await ask('POST', `/v2/batches/${data.batch_id}/parts/1`, lines.join('\n'))
  await ask('POST', `/v2/batches/${data.batch_id}/start`)
  return data.batch_id
}

async function openAccounts(ask: Ask, count: number): Promise<string[]> {
  const person = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com', address: '1 Marina Road' }
  const { data: customer } = await ask('POST', '/v2/customer', {
    ...person,
    phone_number: '+234 800 555 0100',
  })
  const numbers: string[] = []
  for (let opened = 0; opened < count; opened += 1)
    numbers.push(
      (await ask('POST', '/v2/accounts', { customer_id: customer.customer_id })).data.account_number,
    )
  return numbers
}

/** The batch may be unreachable meanwhile. */
async function until(
  ask: Ask,
  batchId: string,
  isReached: (tried: number, status: string) => boolean,
): Promise<void> {
  for (;;) {
    const batch = await ask('GET', `/v2/batches/${batchId}`).then(
      ({ data }) => data,
      () => null,
    )
    if (batch !== null && isReached(batch.succeeded + batch.duplicates + batch.failed, batch.status)) return
    await sleep(POLL_MS)
  }
}

function createAsk(url: () => string, key: string): Ask {
  return async (method, path, body) => {
    const isFile = typeof body === 'string'
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': isFile ? 'application/x-ndjson' : 'application/json',
    }
    const answer = await fetch(url() + path, {
      ...{ method, headers },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert(answer.ok, text)
    return JSON.parse(text)
  }
}
